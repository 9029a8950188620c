import numpy as np
import pytest

import weft


def test_values_of_blocks_where_parts_want_them(comm):
    total = 10 * comm.size + 3
    bounds = [0, *(10 * (rank + 1) for rank in range(comm.size - 1)), total]
    block = np.arange(bounds[comm.rank], bounds[comm.rank + 1])
    wanted = np.random.default_rng(comm.rank).integers(0, total, 50)
    plan = weft.BlockToPart(comm, bounds, [wanted[:20], wanted[20:]])
    assert plan.part_offsets.tolist() == [0, 20, 50] and plan.block_items == len(block)
    assert plan.exchange(block * 2.5).tolist() == (wanted * 2.5).tolist()
    assert np.array_equal(plan.exchange(np.stack([block, -block], axis=1)), np.stack([wanted, -wanted], axis=1))


def test_ids_that_do_not_exist(comm):
    own = [comm.rank * 4 + 1, comm.rank * 4]
    plan = weft.BlockToPart(comm, 4 * comm.size, [2, 1, 0], block_ids=own, missing_allowed=True)
    assert plan.exchange(np.array(own, float), missing=-1).tolist() == [-1, 1, 0]
    with pytest.raises(weft.UsageError):
        weft.BlockToPart(comm, 4 * comm.size, [2], block_ids=own)


def test_values_of_parts_where_their_blocks_are(comm):
    ids = [5, 0, 5, 2]
    values = np.array([1, 2, 3, 4]) + 10 * comm.rank
    plan = weft.PartToBlock(comm, 6, ids)
    mine = {0: [2], 2: [4], 5: [1, 3]}
    all_of = {key: [v + 10 * rank for rank in range(comm.size) for v in of] for key, of in mine.items()}
    expected = [all_of[each] for each in plan.ids.tolist()]
    offsets, merged = plan.merge(values)
    assert [part.tolist() for part in np.split(merged, offsets[1:-1])][: len(expected)] == expected
    assert plan.reduce(values).tolist() == [sum(of) for of in expected]
    assert plan.reduce(values, np.maximum).tolist() == [max(of) for of in expected]
    assert plan.lowest(values).tolist() == [of[0] for of in expected]
    assert sorted(np.concatenate(weft.all_gather(comm, plan.ids)).tolist()) == [0, 2, 5]
    assert plan.reverse(plan.reduce(values)).tolist() == [sum(all_of[each]) for each in ids]
    assert plan.reverse_kept(plan.keep(values)).tolist() == values.tolist()


def test_where_ids_are(comm):
    where = weft.Directory(comm, [[7, 100 + comm.rank], [7]])
    offsets, items = where.find([7, 1, 100])
    assert offsets.tolist() == [0, 2 * comm.size, 2 * comm.size, 2 * comm.size + 1]
    assert items.tolist() == [(rank, part, 0) for rank in range(comm.size) for part in (0, 1)] + [(0, 0, 1)]


def test_numbers_of_ids(comm):
    numbers, count = weft.number_ids(comm, [1000 * (comm.rank + 1), 3])
    assert numbers.tolist() == [comm.rank + 1, 0] and count == comm.size + 1


@pytest.mark.parametrize("make, text", [
    (lambda comm, bad: weft.BlockToPart(comm, 10, [10 if bad else 0]), "10"),
    (lambda comm, bad: weft.BlockToPart(comm, 10, [0.5] if bad else [0]), "ids: its dtype is float64"),
    (lambda comm, bad: weft.BlockToPart(comm, [3] if bad else 10, [0]), "blocks: 1 bounds; expected"),
    (lambda comm, bad: weft.PartToBlock(comm, 10, [-1 if bad else 0]), "-1"),
    (lambda comm, bad: weft.PartToBlock(comm, 10, [0]).keep([1.0, 2.0] if bad else [1.0]), "values: 2 of them; expected 1"),
    (lambda comm, bad: weft.PartToBlock(comm, 10, [0]).keep([None] if bad else [1.0]), "has Python objects"),
    (lambda comm, bad: weft.PartToBlock(comm, 10, [0]).reduce([1.0], "mean" if bad else "sum"), "op: 'mean' is no operator"),
    (lambda comm, bad: weft.Directory(comm, [[[1]]] if bad else [1]), "ids"),
    (lambda comm, bad: weft.Directory(comm, [1]).find("a" if bad else [1]), "ids: its dtype"),
    (lambda comm, bad: weft.number_ids(comm, [-5] if bad else [1]), "-5"),
])
def test_bad_arguments_of_one_rank_are_errors_of_all(comm, make, text):
    with pytest.raises(weft.UsageError, match=text):
        make(comm, comm.rank == 0)


def test_results_that_do_not_fit(comm):
    plan = weft.PartToBlock(comm, 4, [0, 0, 1])
    with pytest.raises(weft.UsageError, match="op: .* makes float64 of int64"):
        plan.reduce([7, 2, 5], np.true_divide)
    with pytest.raises(weft.UsageError, match="values: expected items of int8"):
        plan.reduce(np.array([100, 100, 5], np.int8))
    wanted = weft.BlockToPart(comm, comm.size, [0], block_ids=[] if comm.rank == 0 else [comm.rank], missing_allowed=True)
    for missing in (1.7, 300, "a"):
        with pytest.raises(weft.UsageError, match="missing: expected items of int8"):
            wanted.exchange(np.zeros(wanted.block_items, np.int8), missing=missing)
    with pytest.raises(weft.UsageError, match="missing: its shape is"):
        wanted.exchange(np.zeros(wanted.block_items), missing=[1.0, 2.0])
    assert wanted.exchange(np.zeros(wanted.block_items), missing=1.7).tolist() == [1.7]
    assert wanted.exchange(np.zeros(wanted.block_items, "S3")).tolist() == [b""]
