"""Tables of columns through `exchange`: names, dtypes and values are kept."""

import pickle

import numpy as np
import pytest

import weft

ROWS = 60


def columns(comm):
    """Rows of this rank, whose `owner` is where they go."""
    random = np.random.default_rng(comm.rank)
    owner = random.integers(0, comm.size, ROWS)
    return {"owner": owner, "id": 2**60 + ROWS * comm.rank + np.arange(ROWS), "name": np.array([f"row {i}" * (1 + comm.rank) for i in range(ROWS)]),
            "place": random.random((ROWS, 3)).astype(np.float32), "flag": owner % 2 == 0,
            "when": np.datetime64("2026-11-27") + np.arange(ROWS),
            "record": np.array([(i, i / 2) for i in range(ROWS)], [("a", "i2"), ("b", "f8")])}


def expected(comm, name):
    """What this rank gets, by source and in the order of sending."""
    every = weft.all_gather(comm, columns(comm))
    return [value for of in every for value in of[name][of["owner"] == comm.rank].tolist()]


def test_a_dict_of_arrays(comm):
    given = columns(comm)
    inbox = weft.exchange(comm, given["owner"], given)
    assert list(inbox.table) == list(given) and repr(inbox) == f"<weft.TableInbox: {len(inbox.table['id'])} rows from {len(inbox)} ranks>"
    for name, column in inbox.table.items():
        assert column.tolist() == expected(comm, name), name
        assert column.dtype.kind == "U" if name == "name" else column.dtype == given[name].dtype
    assert inbox.source_of_items.tolist() == [int(each - 2**60) // ROWS for each in inbox.table["id"]]
    assert sum(len(of["id"]) for of in inbox.values()) == int(inbox.counts.sum()) == len(inbox.table["id"])
    assert inbox.reply(inbox.table["id"]).tolist() == given["id"].tolist()
    again = pickle.loads(pickle.dumps(inbox))
    assert again.sources.tolist() == inbox.sources.tolist() and again.table["id"].tolist() == inbox.table["id"].tolist()
    with pytest.raises(weft.UsageError, match="unpickled"):
        again.reply([])


def test_a_data_frame(comm):
    pandas = pytest.importorskip("pandas")
    given = {name: column for name, column in columns(comm).items() if name not in ("place", "record")}
    frame = pandas.DataFrame(given)
    frame["kind"] = pandas.Categorical(["odd" if i % 2 else "even" for i in range(ROWS)], ["even", "odd"])
    frame["maybe"] = pandas.array([None if i % 3 else i for i in range(ROWS)], "Int64")
    made = weft.exchange(comm, frame["owner"], frame).table
    assert made.dtypes.to_dict() == frame.dtypes.to_dict() and isinstance(made.index, pandas.RangeIndex)
    assert made["id"].tolist() == expected(comm, "id") and made["name"].tolist() == expected(comm, "name")
    at = (made["id"].to_numpy() - 2**60) % ROWS
    assert made["maybe"].isna().tolist() == (at % 3 > 0).tolist() and made["kind"].tolist() == ["odd" if i % 2 else "even" for i in at]
    named = weft.exchange(comm, frame["owner"], frame.set_index("id")).table
    assert named.index.name == "id" and named.index.tolist() == expected(comm, "id")


def test_an_arrow_table(comm):
    arrow = pytest.importorskip("pyarrow")
    given = columns(comm)
    table = arrow.table({"id": given["id"], "name": given["name"].tolist(), "parts": [[i, None] for i in range(ROWS)]})
    made = weft.exchange(comm, given["owner"], table).table
    assert made.schema == table.schema and made["id"].to_pylist() == expected(comm, "id") and made["name"].to_pylist() == expected(comm, "name")
    assert made["parts"].to_pylist() == [[(i - 2**60) % ROWS, None] for i in expected(comm, "id")]
    batch = table.to_batches()[0]
    assert weft.exchange(comm, given["owner"], batch).table.equals(made)


def test_ranks_without_rows(comm):
    table = {"id": [2**60], "name": ["x"]} if comm.rank == comm.size - 1 else {"id": [], "name": []}
    made = weft.exchange(comm, 0, table).table
    assert made["id"].dtype == np.int64 and made["id"].tolist() == ([2**60] if comm.rank == 0 else [])
    assert made["name"].dtype.kind == "U" and list(weft.exchange(comm, [], {}).table) == []


@pytest.mark.parametrize("wrong, text", [
    ({"id": [1, 2], "x": [0.5]}, "1, 2] rows"), ({"id": [1]}, "columns id"), ({"x": [0.5], "id": [1]}, "columns x, id"),
    ({"id": [1.5], "x": [0.5]}, "column id holds"), ({"id": [object()], "x": [0.5]}, "Python objects"), ({1: [1], "x": [0.5]}, "no name"),
    ({"id": 1, "x": [0.5]}, "a value for each row"), (np.ones(1), "a table of columns"), ([], "a table of columns"), (5.0, "a table of columns")])
def test_tables_that_do_not_fit(comm, wrong, text):
    if comm.size == 1:
        pytest.skip("needs 2 ranks")
    table = wrong if comm.rank == comm.size - 1 else {"id": [1], "x": [0.5]}
    with pytest.raises(weft.UsageError, match=text):
        weft.exchange(comm, [] if isinstance(table, list) else [0], table)
    assert weft.all_reduce(comm, 1) == comm.size


def test_arguments_of_tables(comm):
    for call, text in [(lambda: weft.exchange(comm, [comm.size], {"id": [1]}), "no rank"), (lambda: weft.exchange(comm, [0, 0], {"id": [1]}), "2 of them"),
                       (lambda: weft.exchange(comm, [0], {"id": [1]}, dtype=float), "dtype"), (lambda: weft.start_exchange(comm, [0], {"id": [1]}).get(), "alone"),
                       (lambda: weft.exchange(comm, {0: {"id": [1]}}), "for each row")]:
        with pytest.raises(weft.UsageError, match=text):
            call()
    assert weft.exchange(comm, [comm.rank], {"id": [1]}, protocol="nbx").table["id"].tolist() == [1]
