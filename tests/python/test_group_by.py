"""Groups of rows of all ranks against pandas, of dicts of arrays, data frames and tables of Arrow."""

import numpy as np
import pytest

import weft

pandas = pytest.importorskip("pandas")
arrow = pytest.importorskip("pyarrow")

KEYS = {
    "id": lambda draw, rows: pandas.Series(draw.integers(0, 20, rows) + 2**60),
    "town": lambda draw, rows: pandas.Series(np.array(["", "Bern", "Köln", "São Paulo", "x" * 90], object)[draw.integers(0, 5, rows)], dtype="str"),
    "level": lambda draw, rows: pandas.Series(np.array([0.0, -0.0, 0.25, np.nan, 2e300])[draw.integers(0, 5, rows)]),
    "maybe": lambda draw, rows: pandas.Series([None if each == 0 else each + 2**61 for each in draw.integers(0, 4, rows).tolist()], dtype="Int64"),
    "day": lambda draw, rows: pandas.Series(np.datetime64("2026-11-27", "us") + draw.integers(0, 3, rows)),
    "small": lambda draw, rows: pandas.Series(draw.integers(-2, 2, rows).astype(np.int8)),
    "yes": lambda draw, rows: pandas.Series(draw.integers(0, 2, rows).astype(bool)),
}
VALUES = {
    "large": lambda draw, rows: pandas.Series(draw.integers(2**60, 2**60 + 100, rows)),
    "place": lambda draw, rows: pandas.Series(np.where(draw.integers(0, 4, rows) == 0, np.nan, draw.integers(0, 99, rows) / 4)),
    "flag": lambda draw, rows: pandas.Series(draw.integers(0, 2, rows).astype(bool)),
    "tiny": lambda draw, rows: pandas.Series(draw.integers(0, 250, rows).astype(np.uint8)),
    "of arrow": lambda draw, rows: pandas.Series(draw.integers(2**60, 2**60 + 9, rows), dtype="int64[pyarrow]"),
    "score": lambda draw, rows: pandas.Series([None if each == 0 else each for each in draw.integers(0, 4, rows).tolist()], dtype="Int32"),
}
OPERATIONS = ("sum", "mean", "min", "max", "count")


def frames_of_ranks(seed, ranks, names):
    """A rank in the middle has no rows, and the keys of one rank are all equal."""
    draw = np.random.default_rng(seed)
    rows = [0 if rank == 1 and ranks > 1 else int(draw.integers(1, 80)) for rank in range(ranks)]
    made = [pandas.DataFrame({name: {**KEYS, **VALUES}[name](draw, count) for name in names}) for count in rows]
    return [frame.iloc[np.zeros(len(frame), int)].reset_index(drop=True) if rank == 2 else frame for rank, frame in enumerate(made)]


def whole(comm, part):
    """The rows of all ranks as a data frame."""
    return pandas.concat([pandas.DataFrame(each) if isinstance(each, dict) else each.to_pandas(types_mapper=pandas.ArrowDtype) if
                          isinstance(each, arrow.Table) else each for each in weft.all_gather(comm, part)], ignore_index=True)


def rows_of(frame, keys):
    """Rows as texts, sorted: a missing value of any kind is None, and floats are rounded to 12 digits."""
    def plain(value):
        if value is None or value is pandas.NA or value is pandas.NaT or isinstance(value, float) and np.isnan(value):
            return None
        if isinstance(value, (bool, np.bool_)):
            return bool(value)
        if isinstance(value, (float, np.floating)):
            return float(f"{value + 0.0:.11e}")
        return int(value) if isinstance(value, (int, np.integer)) else str(pandas.Timestamp(value)) if not isinstance(value, str) else value

    return sorted((tuple(plain(value) for value in row) for row in frame.itertuples(index=False)), key=repr)


@pytest.mark.parametrize("keys", [["id"], ["town"], ["level"], ["maybe"], ["day"], ["town", "maybe"], ["yes", "level", "id"]], ids="+".join)
@pytest.mark.parametrize("dropna", [True, False])
def test_data_frames_are_grouped_as_by_pandas(comm, keys, dropna):
    for seed in range(2):
        of_ranks = frames_of_ranks(seed, comm.size, [*keys, *VALUES])
        every = pandas.concat(of_ranks, ignore_index=True)
        groups = weft.group_by(comm, of_ranks[comm.rank], keys, dropna=dropna)
        known = every.groupby(keys, dropna=dropna, observed=True)
        for how in OPERATIONS:
            made = whole(comm, getattr(groups, how)())
            expected = getattr(known, how)().reset_index()
            assert list(made.columns) == list(expected.columns)
            assert rows_of(made, keys) == rows_of(expected, keys), how
            for name in keys if not dropna or how != "mean" else []:
                assert made[name].dtype == every[name].dtype
        assert rows_of(whole(comm, groups.size()), keys) == rows_of(known.size().reset_index(), keys)
        asked = {"large": "max", "place": "mean", "tiny": "sum"}
        assert rows_of(whole(comm, groups.agg(asked)), keys) == rows_of(known.agg(asked).reset_index(), keys)


@pytest.mark.parametrize("keys", [["id"], ["town"], ["level"], ["day"], ["town", "id"], ["yes", "level"]], ids="+".join)
@pytest.mark.parametrize("dropna", [True, False])
def test_dicts_are_grouped_as_by_pandas(comm, keys, dropna):
    values = ["large", "place", "flag", "tiny"]
    of_ranks = frames_of_ranks(7, comm.size, [*keys, *values])
    mine = {name: of_ranks[comm.rank][name].to_numpy() for name in [*keys, *values]}
    known = pandas.concat(of_ranks, ignore_index=True).groupby(keys, dropna=dropna, observed=True)
    groups = weft.group_by(comm, mine, keys, dropna=dropna)
    for how in OPERATIONS:
        part = getattr(groups, how)()
        assert isinstance(part, dict) and all(isinstance(column, np.ndarray) for column in part.values())
        assert rows_of(whole(comm, part), keys) == rows_of(getattr(known, how)().reset_index(), keys), how
    assert part["place"].dtype == np.int64 and groups.sum("large")["large"].dtype == np.int64
    assert rows_of(whole(comm, groups.size()), keys) == rows_of(known.size().reset_index(), keys)


@pytest.mark.parametrize("keys", [["id"], ["town"], ["level"], ["maybe"], ["day"], ["town", "maybe"]], ids="+".join)
@pytest.mark.parametrize("dropna", [True, False])
def test_arrow_tables_are_grouped_as_by_pandas(comm, keys, dropna):
    values = ["large", "place", "flag", "score"]
    of_ranks = frames_of_ranks(9, comm.size, [*keys, *values])
    mine = arrow.Table.from_pandas(of_ranks[comm.rank], preserve_index=False)
    every = pandas.concat(of_ranks, ignore_index=True)
    known = every.groupby(keys, dropna=dropna, observed=True)
    groups = weft.group_by(comm, mine, keys, dropna=dropna)
    for how in OPERATIONS:
        part = getattr(groups, how)()
        assert isinstance(part, arrow.Table) and all(part.schema.field(name).type == mine.schema.field(name).type for name in keys)
        expected = getattr(known, how)()
        if how == "sum":  # of missing values alone, null in Arrow
            expected = expected.astype("object").where(known.count() > 0, None)
        assert rows_of(whole(comm, part), keys) == rows_of(expected.reset_index(), keys), how
    assert rows_of(whole(comm, groups.size()), keys) == rows_of(known.size().reset_index(), keys)
    batch = mine.to_batches()[0] if mine.num_rows else arrow.RecordBatch.from_pylist([], schema=mine.schema)
    again = weft.group_by(comm, batch, keys, dropna=dropna).count("large")
    assert again.equals(groups.count("large"))


def test_keys_lie_on_one_rank_each_and_ascend(comm):
    part = weft.group_by(comm, {"k": np.arange(100) + 50 * comm.rank, "v": np.ones(100)}, "k").sum()
    assert (part["k"][1:] > part["k"][:-1]).all()
    keys = np.concatenate(weft.all_gather(comm, part["k"]))
    assert sorted(keys.tolist()) == list(range(50 * comm.size + 50))
    if comm.size > 1:
        assert max(weft.all_gather(comm, len(part["k"]))) < 0.75 * len(keys)


def test_texts_have_a_least(comm):
    words = {"k": [1, 1, 2], "word": ["pear", "apple" if comm.rank == comm.size - 1 else "plum", "x" * (comm.rank + 1)]}
    for given, texts in ((words, lambda part: part["word"].tolist()), (pandas.DataFrame(words), lambda part: part["word"].tolist()),
                         (arrow.table(words), lambda part: part["word"].to_pylist())):
        groups = weft.group_by(comm, given, "k")
        assert sorted(sum(weft.all_gather(comm, texts(groups.min())), [])) == ["apple", "x"]
        assert sorted(sum(weft.all_gather(comm, texts(groups.max())), [])) == ["plum" if comm.size > 1 else "pear", "x" * comm.size]


def test_categories_are_kept(comm):
    kinds = pandas.CategoricalDtype(["late", "early", "never"], ordered=True)
    frame = pandas.DataFrame({"kind": pandas.Categorical(["early", "late", None], dtype=kinds), "v": [1, 2, 4]})
    part = weft.group_by(comm, frame, "kind").sum()
    assert part["kind"].dtype == kinds
    assert sorted(zip(*(sum(weft.all_gather(comm, part[name].tolist()), []) for name in ("kind", "v")))) == [("early", comm.size), ("late", 2 * comm.size)]


def test_lists_without_items(comm):
    given = {"k": ["a", "b"], "v": [1, 2]} if comm.rank == 0 else {"k": [], "v": []}
    for how in OPERATIONS:
        part = getattr(weft.group_by(comm, given, "k"), how)()
        assert sorted(sum(weft.all_gather(comm, part["k"].tolist()), [])) == ["a", "b"]
        assert part["k"].dtype.kind == "U" and part["v"].dtype == (float if how == "mean" else int)
    none = weft.group_by(comm, {"k": [], "v": []}, "k").sum()
    assert {name: column.tolist() for name, column in none.items()} == {"k": [], "v": []}
    one = weft.group_by(comm, {"k": [1, 1]}, "k")
    assert list(one.sum()) == ["k"] and sum(weft.all_gather(comm, one.size()["size"].sum())) == 2 * comm.size


FRAME = pandas.DataFrame({"k": [1, 2], "v": [0.5, 1.5], "s": ["a", "b"]})


@pytest.mark.parametrize("wrong, text", [
    (FRAME.drop(columns="k"), "no column 'k'"), (FRAME.astype({"k": float}), "column 'k' holds"), (FRAME.astype({"k": str}), "column 'k' holds"),
    (FRAME.rename(columns={"s": "t"}), "'v', 't'"), (FRAME.set_axis(["k", "v", "v"], axis=1), "same name"), ({"k": [1], "v": [1.5]}, "a dict of arrays"),
    (arrow.Table.from_pandas(FRAME), "an Arrow table"), ([1], "expected a dict"), (FRAME.assign(k=[object(), 1]), "Python objects")])
def test_one_rank_has_another_table(comm, wrong, text):
    if comm.size == 1:
        pytest.skip("needs 2 ranks")
    with pytest.raises(weft.UsageError, match=text):
        weft.group_by(comm, wrong if comm.rank == comm.size - 1 else FRAME, "k").count()
    assert weft.all_reduce(comm, 1) == comm.size


def test_mistakes_are_told(comm):
    table = {"k": [1, 2], "v": [0.5, 1.5], "s": ["a", "b"], "c": [1j, 2j]}
    dictionary = arrow.table({"k": arrow.array(["a"]).dictionary_encode(), "v": [1]})
    for call, text in ((lambda: weft.group_by(comm, table, "none"), "no column 'none'"), (lambda: weft.group_by(comm, {"k": [1], 5: [2]}, "k"), "named 5"),
                       (lambda: weft.group_by(comm, table, []), "by"),
                       (lambda: weft.group_by(comm, table, ["k", "k"]), "twice"), (lambda: weft.group_by(comm, table, "c"), "no order"),
                       (lambda: weft.group_by(comm, {"k": [1, 2], "v": [1]}, "k"), "rows"), (lambda: weft.group_by(comm, {"k": [[1]]}, "k"), "one dimension"),
                       (lambda: weft.group_by(comm, {"k": [object()]}, "k"), "column 'k' holds object"), (lambda: weft.group_by(comm, dictionary, "k"), "cast it"),
                       (lambda: weft.group_by(comm, table, "k").sum(), "'s' holds"), (lambda: weft.group_by(comm, table, "k").max("c"), "no order"),
                       (lambda: weft.group_by(comm, table, "k").sum("k"), "is a key"), (lambda: weft.group_by(comm, table, "k").mean("w"), "no column 'w'"),
                       (lambda: weft.group_by(comm, table, "k").agg({"v": "median"}), "median"), (lambda: weft.group_by(comm, table, "k").agg(["v"]), "a dict"),
                       (lambda: weft.group_by(comm, FRAME.astype({"s": "category"}), "k").min("s"), "no order")):
        with pytest.raises(weft.UsageError, match=text):
            call()
    if comm.size > 1:
        with pytest.raises(weft.UsageError):
            weft.group_by(comm, table, "k" if comm.rank == 0 else "s").count()
    assert weft.all_reduce(comm, 1) == comm.size
