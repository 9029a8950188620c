"""Disjoint sets of all ranks against serial ones."""

import numpy as np
import pytest

import weft


def serial(pairs):
    """The least key of the set of each key."""
    top = {}

    def find(key):
        top.setdefault(key, key)
        while top[key] != key:
            key = top[key]
        return key

    for a, b in pairs:
        low, high = sorted((find(a), find(b)))
        top[high] = low
    return {key: find(key) for key in list(top)}


def numbers(draw, count):
    return draw.integers(-200, 200, count) + 2**60


def texts(draw, count):
    return np.array([("", "Käse", "x" * 100)[n] if n < 3 else f"t{n}" for n in draw.integers(0, 300, count)], dtype=object)


@pytest.mark.parametrize("key, draw_keys", [("i8", numbers), (str, texts), ("f8", lambda draw, count: draw.integers(-150, 150, count) / 4)])
def test_sets_are_those_of_one_process(comm, key, draw_keys):
    sets = weft.DisjointSet(comm, key=key)
    pairs = []
    for round in range(3):
        draw = np.random.default_rng(round)
        for rank in range(comm.size):
            a, b = draw_keys(draw, 40), draw_keys(draw, 40)
            if rank == comm.rank:
                sets.update(a, b)
            pairs += zip(a.tolist(), b.tolist())
        sets.drain()
        expected = serial(pairs)
        keys, tops = sets.gather()
        assert keys.tolist() == sorted(expected)
        assert dict(zip(keys.tolist(), tops.tolist())) == expected
        assert sets.num_sets() == len(set(expected.values()))
        assert sets.size() == len(expected)
        asked = draw_keys(np.random.default_rng(comm.rank), 30)
        assert sets.find(asked).tolist() == [expected.get(each, each) for each in asked.tolist()]
    mine, _ = sets.local()
    assert weft.all_reduce(comm, np.int64(len(mine))) == len(expected)


def test_sets_without_keys(comm):
    sets = weft.DisjointSet(comm)
    sets.drain()
    assert sets.num_sets() == sets.size() == 0
    assert sets.find([2**60]).tolist() == [2**60]
    assert "weft.DisjointSet of int64: 0 keys" in repr(sets)
    if comm.rank == 0:
        sets.update([1], [1])
    sets.drain()
    assert sets.num_sets() == 1


def test_pairs_that_cannot_be(comm):
    sets = weft.DisjointSet(comm)
    with pytest.raises(weft.UsageError, match="expected pairs"):
        sets.update([1, 2], [1])
    with pytest.raises(weft.UsageError):
        sets.update(["a"], [1])
    with pytest.raises(weft.UsageError):
        sets.find([[1]])
