"""Maps and counters over all ranks, filled and queried by batches of arrays."""

from __future__ import annotations

from typing import Any, Literal, cast, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import _weft
from ._arguments import choice, whole
from ._arrays import Array, converted
from ._collective import all_gather, all_reduce
from ._columns import without_missing
from ._communicator import AnyCommunicator, agreed
from ._convention import on_ranks_overloaded
from ._errors import UsageError
from ._exchange import exchange

Combine = Literal["last", "first", "sum", "min", "max"]
COMBINES = ("last", "first", "sum", "min", "max")


def _key_dtype(key: Any) -> np.dtype[Any]:
    try:
        made: np.dtype[Any] = np.dtype(key)
    except Exception as error:
        raise UsageError(f"key: {key!r} is no dtype: {error}") from None
    if made.kind not in "iufU" or not made.isnative:
        raise UsageError(f"key: {made}; expected integers or floats of this machine's byte order, or str")
    return np.dtype("U1") if made.kind == "U" else made


def _texts(keys: Any) -> Array:
    """Fixed-width texts of numpy."""
    if not (isinstance(keys, np.ndarray) and keys.dtype.kind == "U"):
        given = np.asarray(keys, dtype=object)
        for each in given.reshape(-1):
            if not isinstance(each, str):
                raise UsageError(f"keys: expected texts, not {type(each).__name__}")
            if each.endswith("\0"):
                raise UsageError("keys: a text ends in a zero character, which arrays of numpy drop")
        keys = given.astype(str) if given.size else np.empty(given.shape, "U1")
    made: Array = keys.astype("U1") if keys.dtype.itemsize == 0 else keys
    return made


def _combined(keys: Array, values: Array, combine: str) -> tuple[Array, Array]:
    """Returns each key once, ascending, with its values combined in their order."""
    if not len(keys):
        return keys, values
    order = np.argsort(keys, kind="stable")
    keys, values = keys[order], values[order]
    begins = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    if combine == "sum":
        of_keys = np.add.reduceat(values, begins, dtype=values.dtype)
    elif combine in ("min", "max"):
        of_keys = (np.minimum if combine == "min" else np.maximum).reduceat(values, begins)
    elif combine == "first":
        of_keys = values[begins]
    else:
        of_keys = values[np.append(begins[1:], len(keys)) - 1]
    return keys[begins], of_keys


def _owners(keys: Array, ranks: int) -> NDArray[np.int64]:
    """Returns the ranks that own keys, by hashes that are equal on all ranks."""
    mixed = np.zeros(len(keys), np.uint64)
    if keys.dtype.kind == "U":
        letters = np.ascontiguousarray(keys).view(np.uint32).reshape(len(keys), keys.dtype.itemsize // 4)
        for column in letters.T:  # zeros behind a text do not count: its width differs between ranks
            mixed = np.where(column != 0, (mixed ^ column) * np.uint64(0x100000001B3), mixed)
    elif keys.dtype.kind == "f":
        mixed = (keys.astype(np.float64) + 0.0).view(np.uint64)  # -0.0 is 0.0
    else:
        mixed = keys.astype(np.uint64)
    mixed = (mixed ^ (mixed >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    mixed = (mixed ^ (mixed >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
    return cast("NDArray[np.int64]", ((mixed >> np.uint64(32)) * np.uint64(ranks) >> np.uint64(32)).astype(np.int64))


class Map:
    """A map from keys to values that is distributed over all ranks. The hash of a key determines the rank that owns the key.

    `update` is local and stores a batch of keys and values; `drain` sends all batches to the owners of their keys, in one exchange. A rank
    combines its own values of a key before it sends them, so a key that all ranks use costs little. Collective.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
    key : dtype
        Integers, floats, or `str` for texts. Each text is sent with the length of the longest text.
    value : dtype
        Any dtype of fixed width without Python objects.
    combine : {"last", "first", "sum", "min", "max"}
        The rule for a key with several values. The values of a key are ordered by the call of `drain` that sent them, then by rank, then by
        the order of updates on the rank. "sum", "min" and "max" need numbers.

    Raises
    ------
    UsageError
        On all ranks: a dtype is not allowed, or differs between ranks.

    Examples
    --------
    >>> import numpy as np, weft
    >>> comm = weft.Communicator()
    >>> loads = weft.Map(comm, key="i8", value="f8", combine="sum")
    >>> loads.update([7, 8, 7], [1.0, 0.5, 1.0])
    >>> loads.drain()
    >>> values, found = loads.get([7, 9])
    >>> bool(values[0] == 2.0 * comm.size), found.tolist()
    (True, [True, False])
    """

    @overload
    def __init__(self, *, key: DTypeLike = ..., value: DTypeLike = ..., combine: Combine = ..., comm: AnyCommunicator = None) -> None: ...

    @overload
    def __init__(self, comm: AnyCommunicator, /, *, key: DTypeLike = ..., value: DTypeLike = ..., combine: Combine = ...) -> None: ...

    @on_ranks_overloaded
    def __init__(self, *, key: DTypeLike = np.int64, value: DTypeLike = np.float64, combine: Combine = "last",
                 comm: AnyCommunicator = None) -> None:
        with agreed(comm, "Map") as call:
            self._key = _key_dtype(key)
            try:
                self._value: np.dtype[Any] = np.dtype(value)
            except Exception as error:
                raise UsageError(f"value: {value!r} is no dtype: {error}") from None
            if self._value.hasobject or self._value.itemsize == 0:
                raise UsageError(f"value: {self._value}; expected a dtype of fixed width without Python objects")
            self._combine = choice("combine", combine, COMBINES)
            if self._combine in ("sum", "min", "max") and self._value.kind not in "iuf":
                raise UsageError(f"value: {self._value}; to be combined by {self._combine} they are integers or floats")
            call.same(f"of {self._key} and {self._value.descr}, combined by {self._combine}")
        self._comm: _weft.Communicator = call.native
        self._keys: Array = np.empty(0, self._key)
        self._values: Array = np.empty(0, self._value)
        self._batches: list[tuple[Array, Array]] = []

    def update(self, keys: ArrayLike, values: ArrayLike) -> None:
        """Stores a batch until `drain`: `values[i]` for `keys[i]`, or one value for all keys. Local. Raises `UsageError` on this rank if
        keys or values cannot be converted without loss, a key is NaN, or lengths differ."""
        of = self._as_keys(keys)
        given = converted("values", without_missing("values", values), self._value)
        if given.shape not in ((), of.shape):
            raise UsageError(f"values: of shape {given.shape}, and keys of {of.shape}; expected one value a key")
        self._batches.append(_combined(of, np.array(np.broadcast_to(given, of.shape)), self._combine))

    def drain(self) -> None:
        """Sends the batches of all ranks to the owners of their keys. Collective. Blocks: until all ranks have called and the
        keys for this rank have arrived. Cost: an exchange of one key and one value for each distinct key of a rank."""
        with agreed(self._comm, "drain"):
            keys = np.concatenate([np.empty(0, self._key), *(each for each, _ in self._batches)])
            values = np.concatenate([np.empty(0, self._value), *(each for _, each in self._batches)])
            keys, values = _combined(keys, values, self._combine)
        self._batches = []
        keys = self._of_one_width(keys)
        rows = np.empty(len(keys), [("key", keys.dtype), ("value", self._value)])
        rows["key"], rows["value"] = keys, values
        come = exchange(self._comm, _owners(keys, self._comm.size), rows).array
        self._keys, self._values = _combined(
            np.concatenate((self._keys, come["key"])), np.concatenate((self._values, come["value"])), self._combine)

    def get(self, keys: ArrayLike) -> tuple[Array, NDArray[np.bool_]]:
        """Looks up the keys that this rank passes. Returns the values of these keys, and an array of booleans: True for each key that was
        found. The values of keys that were not found are zero.

        Collective; a rank may pass an empty array. Batches stored since the last `drain` are ignored. Raises `UsageError` on all ranks for
        keys of a wrong dtype.
        """
        with agreed(self._comm, "get"):
            asked, places = np.unique(self._as_keys(keys), return_inverse=True)
        asked = self._of_one_width(asked)
        inbox = exchange(self._comm, _owners(asked, self._comm.size), asked)
        wanted = inbox.array
        at = np.searchsorted(self._keys, wanted)
        found = at < len(self._keys)
        found[found] = self._keys[at[found]] == wanted[found]
        answers = np.zeros(len(wanted), [("found", np.bool_), ("value", self._value)])
        answers["found"] = found
        answers["value"][found] = self._values[at[found]]
        came = inbox.reply(answers)[places]
        return np.ascontiguousarray(came["value"]), np.ascontiguousarray(came["found"])

    def size(self) -> int:
        """Returns the number of keys of all ranks. Collective. Batches stored since the last `drain` are ignored."""
        return int(all_reduce(np.int64(len(self._keys)), comm=self._comm))

    def local(self) -> tuple[Array, Array]:
        """Returns copies of the keys that this rank owns, ascending, and of their values. Local."""
        return self._keys.copy(), self._values.copy()

    def gather(self) -> tuple[Array, Array]:
        """Returns all keys, ascending, and their values, on all ranks. Collective."""
        of_ranks = all_gather((self._keys, self._values), comm=self._comm)
        return _combined(np.concatenate([keys for keys, _ in of_ranks]), np.concatenate([values for _, values in of_ranks]), "last")

    def _as_keys(self, keys: Any) -> Array:
        keys = without_missing("keys", keys)
        made = _texts(keys) if self._key.kind == "U" else converted("keys", keys, self._key)
        if made.ndim != 1:
            raise UsageError(f"keys: of shape {made.shape}; expected one dimension")
        if made.dtype.kind == "f" and np.isnan(made).any():
            raise UsageError("keys: NaN is no key, as it differs from itself")
        return made

    def _of_one_width(self, keys: Array) -> Array:
        """Returns texts in a dtype with the length of the longest text of all ranks. Collective for texts."""
        if self._key.kind != "U":
            return keys
        widest = int(all_reduce(np.int64(keys.dtype.itemsize), "max", comm=self._comm))
        return keys.astype(f"U{widest // 4}")

    def __repr__(self) -> str:
        kind = "str" if self._key.kind == "U" else str(self._key)
        return f"<weft.Map from {kind} to {self._value}: {len(self._keys)} keys of this rank>"


class CountingSet:
    """Counts how often each item occurs on all ranks. Works like a `Map` from items to counts. Collective.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
    key : dtype
        The dtype of keys, as in `Map`.

    Raises
    ------
    UsageError
        On all ranks: the dtype is not allowed, or differs between ranks.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> words = weft.CountingSet(comm, key=str)
    >>> words.update("the cat and the dog".split())
    >>> words.drain()
    >>> top = words.top(1)
    >>> top[0][0], top[0][1] == 2 * comm.size, words.count(["cow"]).tolist()
    ('the', True, [0])
    """

    @overload
    def __init__(self, *, key: DTypeLike = ..., comm: AnyCommunicator = None) -> None: ...

    @overload
    def __init__(self, comm: AnyCommunicator, /, *, key: DTypeLike = ...) -> None: ...

    @on_ranks_overloaded
    def __init__(self, *, key: DTypeLike = np.int64, comm: AnyCommunicator = None) -> None:
        self._counts = Map(key=key, value=np.int64, combine="sum", comm=comm)

    def update(self, items: ArrayLike, times: ArrayLike = 1) -> None:
        """Stores a batch until `drain`: each item counts once, or `times` times. Local. Raises: as `Map.update`."""
        self._counts.update(items, times)

    def drain(self) -> None:
        """Sends the batches of all ranks to the owners of their items. Collective. Blocks, Cost: as `Map.drain`."""
        self._counts.drain()

    def count(self, items: ArrayLike) -> NDArray[np.int64]:
        """Returns the counts of the items that this rank passes, 0 for items that do not occur. Collective. Raises: as
        `Map.get`."""
        return self._counts.get(items)[0]

    def top(self, k: int) -> list[tuple[Any, int]]:
        """Returns on all ranks the `k` items that occur most often, with their counts. The most frequent item comes first; among items with
        equal counts, the smaller item comes first. Collective, with the same `k` on all ranks."""
        with agreed(self._counts._comm, "top") as call:
            most = whole("k", k, least=0)
            call.same(f"of {most}")
            keys, counts = self._counts.local()
            first = np.argsort(-counts, kind="stable")[:most]
        pairs = [pair for each in all_gather(list(zip(keys[first].tolist(), counts[first].tolist())), comm=self._counts._comm) for pair in each]
        return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))[:most]

    def size(self) -> int:
        """Returns the number of distinct items of all ranks. Collective."""
        return self._counts.size()

    def total(self) -> int:
        """Returns the sum of all counts. Collective."""
        return int(all_reduce(self._counts.local()[1].sum(), comm=self._counts._comm))

    def local(self) -> tuple[Array, NDArray[np.int64]]:
        """Returns copies of the items that this rank owns, ascending, and of their counts. Local."""
        return self._counts.local()

    def gather(self) -> tuple[Array, NDArray[np.int64]]:
        """Returns all items, ascending, and their counts, on all ranks. Collective."""
        return self._counts.gather()

    def __repr__(self) -> str:
        return repr(self._counts).replace("weft.Map from", "weft.CountingSet of").replace(" to int64", "")
