"""Maps and counters of all ranks against dicts."""

import collections

import numpy as np
import pytest

import weft


def numbers(draw, count):
    return draw.integers(-50, 50, count) + 2**60


def texts(draw, count):
    words = np.array(["", "a", "Käse", "the cat", "x" * 300, *map(str, range(40))], dtype=object)
    return words[draw.integers(0, len(words), count)]


@pytest.mark.parametrize("key, draw_keys", [("i8", numbers), (str, texts), ("f8", lambda draw, count: draw.integers(-9, 9, count) / 4)])
@pytest.mark.parametrize("combine, step", [("sum", lambda a, b: a + b), ("min", min), ("max", max), ("first", lambda a, b: a), ("last", lambda a, b: b)])
def test_a_map_is_a_dict(comm, key, draw_keys, combine, step):
    made = weft.Map(comm, key=key, value="i8", combine=combine)
    expected = {}
    for round in range(2):
        draw = np.random.default_rng(round)
        for rank in range(comm.size):
            for _ in range(2):
                keys = draw_keys(draw, int(draw.integers(0, 300)))
                values = draw.integers(-1000, 1000, len(keys))
                if rank == comm.rank:
                    made.update(keys, values)
                for each, value in zip(keys.tolist(), values.tolist()):
                    expected[each] = step(expected[each], value) if each in expected else value
        made.drain()
    keys, values = made.gather()
    assert dict(zip(keys.tolist(), values.tolist())) == expected
    assert keys.tolist() == sorted(expected)
    assert made.size() == len(expected)
    asked = draw_keys(np.random.default_rng(comm.rank), 50)
    values, found = made.get(asked)
    assert found.tolist() == [each in expected for each in asked.tolist()]
    assert values.tolist() == [expected.get(each, 0) for each in asked.tolist()]
    owned = weft.all_gather(comm, made.local()[0].tolist())
    assert sorted(key for each in owned for key in each) == sorted(expected)


def test_items_are_counted(comm):
    words = weft.CountingSet(comm, key=str)
    draw = np.random.default_rng(7)
    of_ranks = [texts(draw, 500) for _ in range(comm.size)]
    words.update(of_ranks[comm.rank])
    words.update(["twice"], 2)
    words.drain()
    expected = collections.Counter(each for some in of_ranks for each in some)
    expected["twice"] += 2 * comm.size
    assert words.top(5) == sorted(expected.items(), key=lambda each: (-each[1], each[0]))[:5]
    assert (words.size(), words.total()) == (len(expected), sum(expected.values()))
    assert words.count(["twice", "never"] if comm.rank == 0 else []).tolist() == ([2 * comm.size, 0] if comm.rank == 0 else [])
    items, counts = words.gather()
    assert dict(zip(items.tolist(), counts.tolist())) == expected


def test_nothing_was_updated(comm):
    empty = weft.Map(comm, key=str, value="f4")
    empty.drain()
    values, found = empty.get(["a"])
    assert (empty.size(), values.tolist(), found.tolist()) == (0, [0.0], [False])
    assert empty.gather()[0].tolist() == []


def test_values_may_be_structures(comm):
    place = np.dtype([("x", "f4"), ("name", "S3")])
    made = weft.Map(comm, key="u2", value=place, combine="first")
    made.update([comm.rank + 1], np.array([(0.5, b"abc")], place))
    made.drain()
    values, found = made.get(np.arange(comm.size + 2))
    assert found.tolist() == [False, *[True] * comm.size, False]
    assert values[1].tolist() == (0.5, b"abc")


def test_mistakes_are_told(comm):
    made = weft.Map(comm, key="i4", value="i4", combine="sum")
    for keys, values in (([2**40], [1]), ([1.5], [1]), ([1, 2], [1, 2, 3]), ([[1]], [[1]]), (["a"], [1]), ([1], [2**40])):
        with pytest.raises(weft.UsageError):
            made.update(keys, values)
    with pytest.raises(weft.UsageError, match="NaN"):
        weft.Map(comm, key="f8").update([np.nan], [1.0])
    for keys in ([1], ["a", None], ["ends\0"]):
        with pytest.raises(weft.UsageError):
            weft.CountingSet(comm, key=str).update(keys)
    for wrong in (dict(key="O"), dict(key="S4"), dict(value="O"), dict(value="S4", combine="sum"), dict(combine="product"),
                  dict(value="i8" if comm.rank == 0 and comm.size > 1 else "O")):
        with pytest.raises(weft.UsageError):
            weft.Map(comm, **wrong)


@pytest.mark.parametrize("module, column", [("pandas", lambda m, values: m.Series(values)), ("pyarrow", lambda m, values: m.array(values)),
                                            ("pyarrow", lambda m, values: m.chunked_array([values[:1], values[1:]]))])
def test_columns_of_tables_keep_large_ids(comm, module, column):
    of = pytest.importorskip(module)
    ids = [2**60 + 1, 2**60 + 3, 2**60 + 1]  # floats would make them equal
    sums = weft.Map(comm, key="i8", value="i8", combine="sum")
    sums.update(column(of, ids), column(of, [1, 2, 2**60]))
    sums.drain()
    values, found = sums.get(column(of, [2**60 + 1, 2**60 + 2, 2**60 + 3]))
    assert found.tolist() == [True, False, True]
    assert values[[0, 2]].tolist() == [((2**60 + 1) * comm.size + 2**63) % 2**64 - 2**63, 2 * comm.size]
    counts = weft.CountingSet(comm, key=str)
    counts.update(column(of, ["a", "Käse", "a"]))
    counts.drain()
    assert counts.count(column(of, ["a", "none"])).tolist() == [2 * comm.size, 0]
    sets = weft.DisjointSet(comm)
    sets.update(column(of, ids[:2]), column(of, ids[1:]))
    sets.drain()
    assert sets.find(column(of, ids)).tolist() == [2**60 + 1] * 3


def test_missing_values_of_columns_are_refused(comm):
    pandas, arrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    sums, texts, array = weft.Map(comm, key="i8", value="f8"), weft.CountingSet(comm, key=str), weft.Array(comm, 4)
    missing = [arrow.array([1, None, None]), arrow.chunked_array([[1], [None, None]]), pandas.Series([1, None, None], dtype="Int64"),
               pandas.Series([1, None, None], dtype="int64[pyarrow]"), pandas.array([1, None, None], dtype="Int64")]
    for column in missing:
        for call in (lambda: sums.update(column, 1.0), lambda: sums.update([1, 2, 3], column), lambda: sums.get(column),
                     lambda: array.get(column), lambda: array[[0, 1, 2]].__iadd__(column)):
            with pytest.raises(weft.UsageError, match="2 of 3 values are missing"):
                call()
    for column in (arrow.array(["a", None, None]), pandas.Series(["a", None, None], dtype="string"), pandas.Series(["a", None, None], dtype="str")):
        with pytest.raises(weft.UsageError, match="2 of 3 values are missing"):
            texts.update(column)


def test_columns_of_tables_go_out_without_loss(comm):
    pandas, arrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    longs = weft.Map(comm, key="i8", value="u8", combine="max")
    longs.update(arrow.array([2**60 + 1, -(2**62)]), pandas.Series([2**64 - 1, 5], dtype="UInt64"))
    longs.drain()
    words = weft.CountingSet(comm, key=str)
    words.update(pandas.Series(["Käse", "", "Käse"], dtype="category"))
    words.drain()
    frame, table = pandas.DataFrame(dict(zip(("id", "most"), longs.gather()))), arrow.table(dict(zip(("id", "most"), longs.gather())))
    assert frame.dtypes.astype(str).tolist() == ["int64", "uint64"] and frame.to_numpy(object).tolist() == [[-(2**62), 5], [2**60 + 1, 2**64 - 1]]
    assert table.to_pydict() == {"id": [-(2**62), 2**60 + 1], "most": [5, 2**64 - 1]}
    counted = pandas.DataFrame(dict(zip(("word", "count"), words.gather())))
    assert counted["word"].tolist() == ["", "Käse"] and pandas.api.types.is_string_dtype(counted["word"])
    assert arrow.array(words.gather()[0]).to_pylist() == ["", "Käse"]
