import json
import runpy
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "python"
EXAMPLES = sorted(FOLDER.glob("*.py"))
NOTEBOOKS = sorted(FOLDER.glob("notebooks/*.ipynb"))


def test_there_are_examples():
    assert len(EXAMPLES) >= 11 and len(NOTEBOOKS) == 2
    assert all(len(each.read_text().splitlines()) <= 60 for each in EXAMPLES)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_examples_run_on_all_ranks(example, capsys):
    runpy.run_path(str(example), run_name="__main__")


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run_on_one_rank(comm, notebook):
    if comm.size > 1:
        pytest.skip("a notebook is one rank")
    names = {"__name__": "__main__"}
    for number, cell in enumerate(json.loads(notebook.read_text())["cells"]):
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None
            exec(compile("".join(cell["source"]), f"{notebook.name}, cell {number}", "exec"), names)
