"""Parquet files written and read by all ranks."""

import os

import numpy as np
import pytest

import weft

arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def table_of(first, end):
    ids = list(range(first, end))
    return arrow.table({"id": arrow.array([2**60 + each for each in ids], arrow.int64()), "maybe": arrow.array([None if each % 3 else each for each in ids], arrow.int32()),
                        "name": arrow.array([f"row {each}" if each % 4 else None for each in ids], arrow.string()),
                        "when": arrow.array(ids, arrow.timestamp("us", "UTC")), "list": arrow.array([[each, None] for each in ids], arrow.list_(arrow.int8() if end < 100 else arrow.int64()))})


def written(comm, folder, name, table, rows):
    if comm.rank == 0:
        parquet.write_table(table, folder / name, row_group_size=rows)
    weft.barrier(comm)
    return folder / name


@pytest.mark.parametrize("rows", [0, 1, 2, 7, 60])
def test_row_groups_are_dealt_in_their_order(comm, shared_folder, rows):
    given = table_of(0, rows)
    file = written(comm, shared_folder, "a.parquet", given, 5)
    part = weft.read_parquet(file, comm=comm)
    assert part.schema.remove_metadata() == given.schema
    of_ranks = weft.all_gather(comm, part)
    assert arrow.concat_tables(of_ranks).equals(given)
    if rows == 60:
        assert max(each.num_rows for each in of_ranks) - min(each.num_rows for each in of_ranks) <= 5
    assert weft.read_parquet(str(file), columns=["name", "id"], comm=comm).column_names == ["name", "id"]


def test_many_files_and_folders(comm, shared_folder):
    files = [written(comm, shared_folder, f"{at}.parquet", table_of(7 * at, 7 * at + 7), 3) for at in range(5)]
    for given in (files, [str(each) for each in files], shared_folder):
        whole = arrow.concat_tables(weft.all_gather(comm, weft.read_parquet(given, comm=comm)))
        assert whole["id"].to_pylist() == [2**60 + each for each in range(35)]
    assert weft.read_parquet(files[2], comm=comm).num_rows <= 7


@pytest.mark.parametrize("kind", ["arrow", "batch", "pandas", "dict"])
def test_what_is_written_is_read(comm, shared_folder, kind):
    mine = table_of(10 * comm.rank, 10 * comm.rank + (0 if comm.rank == 1 else 10))
    folder = shared_folder / "new"
    if kind == "pandas":
        pandas = pytest.importorskip("pandas")
        given = mine.to_pandas(types_mapper=pandas.ArrowDtype)
    elif kind == "dict":
        mine = mine.select(["id"])
        given = {"id": mine["id"].to_numpy()}
    else:
        given = mine if kind == "arrow" else arrow.RecordBatch.from_pylist(mine.to_pylist(), schema=mine.schema)
    weft.write_parquet(given, folder, comm=comm)
    assert sorted(os.listdir(folder)) == [f"part-{rank:05}.parquet" for rank in range(comm.size)]
    whole = arrow.concat_tables(weft.all_gather(comm, weft.read_parquet(folder, comm=comm)))
    assert whole.cast(mine.schema).equals(arrow.concat_tables(weft.all_gather(comm, mine)))
    with pytest.raises(weft.InputError, match="contains Parquet files"):
        weft.write_parquet(given, folder, comm=comm)


def test_from_files_to_sums(comm, shared_folder):
    weft.write_parquet({"user": 2**60 + np.arange(100) % 7, "bytes": np.arange(100)}, shared_folder, comm=comm)
    part = weft.group_by(comm, weft.read_parquet(comm, shared_folder), "user").sum()
    sums = {user: total for each in weft.all_gather(comm, part) for user, total in zip(each["user"].to_pylist(), each["bytes"].to_pylist())}
    assert sums == {2**60 + user: comm.size * sum(range(user, 100, 7)) for user in range(7)}


def test_files_that_cannot_be_read(comm, shared_folder):
    file = written(comm, shared_folder, "a.parquet", table_of(0, 9), 3)
    other = written(comm, shared_folder, "b.parquet", arrow.table({"id": ["text"]}), 3)
    cut = shared_folder / "cut.parquet"
    empty = shared_folder / "empty"
    if comm.rank == 0:
        cut.write_bytes(file.read_bytes()[:-30])
        empty.mkdir()
    weft.barrier(comm)
    for given, error, text in ((shared_folder / "none.parquet", weft.InputError, "none.parquet"), (cut, weft.InputError, "cut.parquet"),
                               ([file, other], weft.InputError, "b.parquet: its columns"), (empty, weft.InputError, "without files"),
                               ([], weft.UsageError, "without names"), (5, weft.UsageError, "path")):
        with pytest.raises(error, match=text):
            weft.read_parquet(given, comm=comm)
    for columns, text in ((["none"], "no column 'none'"), ("id", "a list of names")):
        with pytest.raises(weft.UsageError, match=text):
            weft.read_parquet(file, columns=columns, comm=comm)
    assert weft.all_reduce(comm, 1) == comm.size


def test_a_rank_that_cannot_write_leaves_no_files(comm, shared_folder):
    folder = shared_folder / "new"
    if comm.size > 1:
        with pytest.raises(weft.UsageError):
            weft.write_parquet({"id": [1] if comm.rank == 0 else ["a"]}, folder, comm=comm)
    blocked = folder / f"part-{comm.size - 1:05}.parquet.partial"
    if comm.rank == 0:
        blocked.mkdir(parents=True)
    weft.barrier(comm)
    with pytest.raises(weft.InputError, match="partial"):
        weft.write_parquet({"id": [1]}, folder, comm=comm)
    weft.barrier(comm)
    assert [each for each in os.listdir(folder) if each != blocked.name] == []
    with pytest.raises(weft.UsageError, match="expected a table"):
        weft.write_parquet([1], folder / "more", comm=comm)
