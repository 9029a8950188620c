import json

import numpy as np
import pytest

import weft


@pytest.mark.parametrize("ending", ["html", "json"])
def test_a_file_is_written(comm, shared_folder, ending):
    file = shared_folder / f"run.{ending}"
    with weft.timeline(file, title="twice", comm=comm):
        with weft.span("guess the rest", 7):
            np.linalg.norm(np.ones(200000))
        weft.all_reduce(comm, 1)
        assert not file.exists()
    if comm.rank == 0:
        text = file.read_text()
        assert "guess the rest" in text and "twice" in text
        if ending == "json":
            assert json.loads(text)
    with weft.timeline(file, comm=comm):  # again
        pass


def test_nothing_is_written_where_the_block_raises(comm, shared_folder):
    with pytest.raises(ZeroDivisionError if comm.rank == 0 else weft.RemoteError, match="by zero"):
        with weft.timeline(shared_folder / "run.html", comm=comm):
            1 // comm.rank if comm.rank == 0 else None
    weft.all_gather(comm, None)
    assert not (shared_folder / "run.html").exists()
    with weft.timeline(shared_folder / "run.html", comm=comm):
        with pytest.raises(weft.UsageError, match="records"):
            with weft.timeline(shared_folder / "other.html", comm=comm):
                pass


def test_bad_arguments(comm, shared_folder):
    for bad, text in [("run.txt", "run.txt|rank 1 calls"), (3, "file: "), (shared_folder / "none" / "run.html", "none")]:
        file = bad if comm.rank == 0 or not isinstance(bad, int) else "run.html"
        with pytest.raises(weft.Error, match=text):
            with weft.timeline(file, comm=comm):
                pass
    with pytest.raises(weft.UsageError, match="name: expected a text"):
        with weft.span(3):
            pass
