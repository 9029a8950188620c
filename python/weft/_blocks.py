"""Blocks: objects that hold the data and talk to each other, wherever they are."""
# In one file: blocks, their ports and their sets refer to each other; half of the lines are docstrings.

from __future__ import annotations

import operator
import os
import pickle
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar, Union, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import _weft
from ._arrays import Array, as_array, as_bytes, check_dtype, in_place, plain, split_shape, text_of
from ._collective import Operator, native_operator
from ._communicator import AnyCommunicator, Communicator, agreed, as_communicator, close_before_end
from ._decomposition import AnyDecomposition, native_decomposition
from ._errors import UsageError, WireError

B = TypeVar("B")

_ON_VALUES: dict[str, Callable[[Any, Any], Any]] = {
    "sum": operator.add, "prod": operator.mul, "min": np.minimum, "max": np.maximum}


class _Items:
    """What messages hold: items of a dtype and a shape, or any objects."""

    def __init__(self, dtype: DTypeLike | None) -> None:
        self.dtype: np.dtype[Any] | None = None
        self.trailing: tuple[int, ...] = ()
        self.number = 0
        self.text = "objects"
        if dtype is not None:
            self.dtype, self.trailing = split_shape(dtype)
            check_dtype("dtype", self.dtype)
            self.text = text_of(self.dtype, self.trailing)
            self.number = _weft.number_of_type(self.text, self.dtype.itemsize)

    def to_bytes(self, items: Any) -> Array:
        if self.dtype is None:
            return np.frombuffer(pickle.dumps(items, protocol=5), np.uint8)
        return as_bytes(self.as_array(items))

    def as_array(self, items: Any) -> Array:
        """Items as an array with one more dimension than an item has."""
        assert self.dtype is not None
        try:
            array = as_array("items", items)
            made = array.astype(self.dtype, casting="same_kind", copy=False) if array.size else np.empty(array.shape, self.dtype)
        except Exception as error:
            raise UsageError(f"items: expected {self.text}: {error}") from error
        if made.ndim == len(self.trailing):
            made = made[None]
        if made.ndim != len(self.trailing) + 1 or made.size and made.shape[1:] != self.trailing:
            raise UsageError(f"items: their shape is {made.shape}; expected {('n', *self.trailing)}")
        return np.ascontiguousarray(made)

    def read(self, number: int, raw: NDArray[np.uint8]) -> Any:
        if number != self.number:
            raise WireError(f"port: a message holds {'objects' if number == 0 else 'items of another dtype'}; this callback "
                            f"takes {self.text}")
        if self.dtype is None:
            return pickle.loads(raw.data)
        return raw.view(self.dtype).reshape(-1, *self.trailing) if raw.size else np.empty((0, *self.trailing), self.dtype)


class BlockPort:
    """What a callback of a block sees of other blocks. Valid until the callback returns; all calls are local."""

    def __init__(self, port: _weft.BlockPort, items: _Items) -> None:
        self._port = port
        self._items = items

    @property
    def id(self) -> int:
        """The id of the block."""
        return self._port.id

    @property
    def link(self) -> list[int]:
        """Its neighbours, ascending."""
        return self._port.link

    def send(self, to: Any, items: Any) -> None:
        """Sends items to a block, a neighbour or any other, or each item to a block of its own.

        Parameters
        ----------
        to : int or array of integers, shape (n,)
            The block for all items; or for each of them.
        items : array, shape (n, ...), or object
            Of the dtype of the call, or what converts to it without loss. Where the call has no dtype: an object that pickle
            takes.

        Raises
        ------
        UsageError
            There is no such block; items do not convert.
        """
        if isinstance(to, (int, np.integer)):
            self._port.send(int(to), self._items.number, self._items.to_bytes(items))
            return
        if self._items.dtype is None:
            raise UsageError("to: an object goes to one block; give a block, or a dtype")
        array, blocks = self._items.as_array(items), plain("to", to)
        if blocks.shape != (len(array),) or blocks.size and blocks.dtype.kind not in "iu":
            raise UsageError(f"to: {blocks.dtype} of shape {blocks.shape}; expected a block for each of {len(array)} items")
        order = np.argsort(blocks, kind="stable")
        found, first = np.unique(blocks[order], return_index=True)
        for block, part in zip(found.tolist(), np.split(array[order], first[1:])):
            self._port.send(block, self._items.number, as_bytes(part))

    def messages(self) -> Iterator[tuple[int, Any]]:
        """Takes the messages that have come: the block that sent each, and its items, which may be kept.

        In `exchange` by source, then in the order of sending; in `iexchange` in that of arrival. Messages that are not taken
        are there again for the next callback.
        """
        while (taken := self._port.take()) is not None:
            source, number, raw = taken
            yield source, self._items.read(number, raw)

    def received(self) -> Any:
        """Takes all messages and returns their items in one array; where the call has no dtype, a list of objects."""
        parts = [items for _, items in self.messages()]
        if self._items.dtype is None:
            return parts
        return np.concatenate(parts) if parts else np.empty((0, *self._items.trailing), self._items.dtype)

    def flush(self) -> None:
        """Flushes messages now, not when the callback returns: for callbacks of `iexchange` that take long."""
        self._port.flush()


PortCallback = Callable[[B, BlockPort], Any]


class BlockSet(Mapping[int, B], Generic[B]):
    """Blocks that are any objects, any number on a rank. A mapping from the ids of this rank's blocks to the blocks.

    Each has a link to its neighbours, but may send to every block. A callback takes `(block, port)`: it takes what has
    arrived, computes, and sends. It runs the same way on one rank and on many. What it raises is agreed: the call raises on
    all ranks, the exception itself where it happened, and the messages under way are lost. The set can be used again.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
    decomposition : RegularGrid, KdTree, int, list of lists of int, or Decomposition
        Over what; the same on all ranks. A number means blocks without neighbours, lists name the neighbours of each block.
    make : function
        Makes the block with an id; called for those of this rank.
    assignment : {"contiguous", "round_robin"} or sequence of int
        Which rank has which block: neighbouring ids together, in turn, or the rank of each block.

    Raises
    ------
    UsageError
        On all ranks: links that are not symmetric, an assignment that cannot be, arguments that differ.
    RemoteError
        Elsewhere, where `make` or the decomposition raised.

    Notes
    -----
    Collective: yes, and all that does not say otherwise.

    Examples
    --------
    >>> import numpy as np, weft
    >>> comm = weft.Communicator()
    >>> ring = [[(b - 1) % 6, (b + 1) % 6] for b in range(6)]
    >>> blocks = weft.BlockSet(comm, ring, lambda id: {"mine": id, "sum": 0})
    >>> def tell(block, port):
    ...     for neighbor in port.link:
    ...         port.send(neighbor, [block["mine"]])
    >>> blocks.exchange(tell, dtype=int)
    12
    >>> def hear(block, port):
    ...     block["sum"] = int(port.received().sum())
    >>> blocks.for_each_port(hear, dtype=int)
    >>> int(blocks.all_reduce(lambda block, id: block["sum"]))
    30
    """

    def __init__(self, comm: AnyCommunicator, decomposition: AnyDecomposition, make: Callable[[int], B], *,
                 assignment: Any = "contiguous") -> None:
        native = as_communicator(comm)
        failure: BaseException | None = None
        cut: Any = None
        name, table = "contiguous", list[int]()
        try:
            cut = native_decomposition(decomposition)
            _callable("make", make)
            if isinstance(assignment, str):
                if assignment not in ("contiguous", "round_robin"):
                    raise UsageError(f"assignment: {assignment!r}; expected 'contiguous', 'round_robin' or ranks")
                name = assignment
            else:
                table = [operator.index(each) for each in assignment]
                if any(not 0 <= rank < native.size for rank in table):
                    raise UsageError(f"assignment: ranks are 0..{native.size - 1}")
                if len(table) != cut.blocks:
                    raise UsageError(f"assignment: of {len(table)} blocks; the decomposition has {cut.blocks}")
        except Exception as error:
            failure = error
        native.agree_same(f"BlockSet of {cut.blocks if cut else 0} blocks, {table or name}", failure)
        self._set_up(comm, native, _weft.make_blocks(native, cut, name, table, make))

    def _set_up(self, comm: AnyCommunicator, native: _weft.Communicator, made: _weft.Blocks) -> None:
        self._native = native
        self.comm = comm if isinstance(comm, Communicator) else Communicator(comm)
        self._blocks = made
        close_before_end(self)

    @property
    def blocks(self) -> int:
        """How many blocks all ranks have."""
        return self._blocks.blocks

    @property
    def ids(self) -> list[int]:
        """The blocks of this rank, ascending."""
        return self._blocks.ids

    @property
    def ranks(self) -> NDArray[np.int64]:
        """The rank that has each block, shape (blocks,)."""
        return self._blocks.ranks

    def __getitem__(self, id: int) -> B:
        if id not in self._blocks.ids:
            raise KeyError(id)
        return cast(B, self._blocks.get(id))

    def __setitem__(self, id: int, block: B) -> None:
        """Puts another object in the place of a block of this rank. Local."""
        if id not in self._blocks.ids:
            raise KeyError(id)
        self._blocks.set(id, block)

    def __iter__(self) -> Iterator[int]:
        return iter(self._blocks.ids)

    def __len__(self) -> int:
        return len(self._blocks.ids)

    __eq__ = object.__eq__  # a set is itself alone
    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"<weft.BlockSet: {len(self)} of {self.blocks} blocks>"

    def for_each(self, function: Callable[[B, int], Any]) -> None:
        """Calls `function(block, id)` for every block of this rank. Raises: what it raises, agreed."""
        self._checked("for_each", function, None)
        self._blocks.for_each(function)

    def for_each_port(self, callback: PortCallback[B], dtype: DTypeLike | None = None) -> None:
        """Calls `callback(block, port)` for every block of this rank; what it sends goes with the next round.

        Parameters, errors: as `exchange`, but what the callback raises is raised by that round.
        """
        items = self._checked("for_each_port", callback, dtype)
        self._blocks.for_each_port(_with_port(callback, items))

    def exchange(self, callback: PortCallback[B] | None = None, dtype: DTypeLike | None = None) -> int:
        """Calls back for every block, and makes what was sent what can be received: one round.

        Parameters
        ----------
        callback : function of (block, port), optional
            What it returns is False for a block that is not done; None is done. Without it, only messages move.
        dtype : dtype, optional
            Of the items of messages, with their shape (`(float, 3)`); the same on all ranks. Without: any objects, pickled.

        Returns
        -------
        int
            How many messages all blocks have sent, and how many blocks are not done: 0 when nothing is left to do.

        Raises
        ------
        Exception
            What the callback raised on this rank, with its traceback.
        RemoteError
            On the others.
        WireError
            A message that has come holds another dtype.
        UsageError
            On all ranks: bad arguments, or such that differ.
        """
        if callback is None:
            self._native.agree_same("exchange", None)
            return self._blocks.exchange(None)
        items = self._checked("exchange", callback, dtype)
        return self._blocks.exchange(_with_port(callback, items))

    def exchange_neighbors(self, callback: PortCallback[B], dtype: DTypeLike | None = None, *, fraction: float = 1) -> None:
        """Makes a round in which blocks send to neighbours alone, and waits for those.

        Parameters
        ----------
        callback, dtype
            As in `exchange`.
        fraction : float
            The part of the messages of a round that is waited for; the rest is received in later rounds, at the latest in
            the next `exchange` or `iexchange`.

        Raises
        ------
        UsageError
            In the next `exchange` or `iexchange`, as what callbacks have raised, so that it is `RemoteError` elsewhere: bad
            arguments; a message to a block that is no neighbour.

        Notes
        -----
        Collective: all ranks call it equally often. Blocks: until what neighbours send is here. Nothing is agreed on.
        """
        try:
            _callable("callback", callback)
            if not 0 <= fraction <= 1:
                raise UsageError(f"fraction: {fraction}; expected 0..1")
            function = _with_port(callback, _Items(dtype))
        except Exception as error:  # as what a callback raises
            function, fraction = _raising(error), 1
        self._blocks.exchange_neighbors(function, float(fraction))

    def iexchange(self, callback: PortCallback[B], dtype: DTypeLike | None = None) -> None:
        """Calls back for blocks until all are done and no message is left.

        First for each; then for those that have received something, or have returned False, which says that they are not
        done. What a callback sends leaves when it returns. Parameters, errors: as `exchange`.
        """
        items = self._checked("iexchange", callback, dtype)
        self._blocks.iexchange(_with_port(callback, items))

    def all_reduce(self, value: Callable[[B, int], Any], op: Operator = "sum") -> Any:
        """Combines a value of every block, in the order of the ids; the result is on all ranks.

        Parameters
        ----------
        value : function of (block, id)
            Returns any object, numbers and arrays among them.
        op : {"sum", "prod", "min", "max"} or function of two values
            Associative; it need not commute.

        Raises
        ------
        UsageError
            On all ranks: there are no blocks, or calls differ.
        RemoteError
            Elsewhere, where a function raised.

        Notes
        -----
        The result does not depend on the number of ranks, nor on where blocks are.
        """
        return self._blocks.all_reduce(value, self._combining("all_reduce", value, op))

    def merge_reduce(self, value: Callable[[B, int], Any], op: Operator = "sum", *, k: Any = 8, root: int = 0) -> dict[int, Any]:
        """Merges the values of blocks in rounds of groups; a block of each group keeps what was merged.

        Parameters
        ----------
        value, op
            As in `all_reduce`.
        k : int or sequence of int
            The size of groups; of each round where it is a sequence, which may end before all is merged.
        root : int
            The block that has the result in the end.

        Returns
        -------
        dict from block to value
            Of the blocks of this rank that keep one: a rank has none, but that of the root.

        Raises
        ------
        UsageError
            On all ranks: as `all_reduce`; a group of less than 2, a root that is no block.

        Examples
        --------
        >>> import weft
        >>> blocks = weft.BlockSet(None, 6, lambda id: id)
        >>> kept = blocks.merge_reduce(lambda block, id: [id], lambda a, b: a + b, k=[3])
        >>> weft.all_reduce(None, [sum(map(len, kept.values()))]).tolist()
        [6]
        """
        failure: BaseException | None = None
        sizes = list[int]()
        try:
            sizes = [_whole("k", each, 2) for each in ([k] if np.ndim(k) == 0 else k)]
            _whole("root", root)
        except Exception as error:
            failure = error
        combine = self._combining(f"merge_reduce to {root} in groups of {k}", value, op, failure)
        return self._blocks.merge_reduce(sizes, np.ndim(k) == 0, root, value, combine)

    def scan(self, value: Callable[[B, int], Any], op: Operator = "sum") -> dict[int, Any]:
        """Combines the values of the blocks 0 to each one. Parameters, errors: as `all_reduce`.

        Returns
        -------
        dict from block to value
            Of the blocks of this rank.
        """
        return self._blocks.scan(value, self._combining("scan", value, op))

    def broadcast(self, root: int, value: Callable[[B, int], Any]) -> Any:
        """Returns the value of one block on all ranks. Raises: `UsageError` where there is no such block."""
        with agreed(self._native, f"broadcast of block {root}"):
            _callable("value", value)
            _whole("root", root)
        return self._blocks.broadcast(root, value)

    def swap_reduce(self, array: Callable[[B, int], Array], op: Operator = "sum", *, k: int = 8) -> dict[int, tuple[int, Array]]:
        """Combines an array of every block element by element, in place; each block keeps a share of the result.

        Parameters
        ----------
        array : function of (block, id)
            Returns a contiguous array, of one dtype and length for all blocks.
        op : {"sum", "prod", "min", "max"} or function of two arrays
            As in `all_reduce` of ranks.
        k : int
            The size of the groups of a round.

        Returns
        -------
        dict from block to (first, share)
            Of the blocks of this rank: a view of the elements that it keeps, and where they begin. The other elements of the
            array are in no particular state.

        Raises
        ------
        UsageError
            On all ranks: arrays that differ, or cannot be written to; `k` below 2.

        Examples
        --------
        >>> import numpy as np, weft
        >>> blocks = weft.BlockSet(None, 4, lambda id: np.full(8, 1.0))
        >>> shares = blocks.swap_reduce(lambda block, id: block)
        >>> all(share.tolist() == [4.0, 4.0] for first, share in shares.values())
        True
        """
        arrays, how, kind, size = self._arrays("swap_reduce", array, op, k)
        kept = self._blocks.swap_arrays(k, [as_bytes(each) for each in arrays], how, kind, size)
        return {id: (first, of.reshape(-1)[first:end]) for id, of, (first, end) in zip(self.ids, arrays, kept)}

    def all_reduce_arrays(self, array: Callable[[B, int], Array], op: Operator = "sum") -> None:
        """Combines an array of every block element by element, in place, in all blocks. Parameters, errors: as
        `swap_reduce`."""
        arrays, how, kind, size = self._arrays("all_reduce_arrays", array, op)
        self._blocks.all_reduce_arrays([as_bytes(each) for each in arrays], how, kind, size)

    def move(self, moves: Mapping[int, int]) -> None:
        """Moves blocks of this rank to other ranks, pickled, with their links and messages.

        Parameters
        ----------
        moves : dict from block to rank
            Of blocks of this rank.

        Raises
        ------
        UsageError
            On all ranks: a block of another rank, or a rank that is none.
        RemoteError
            Elsewhere, where pickling raised; all is where it was.
        """
        with agreed(self._native, "move"):
            ids = [operator.index(each) for each in moves]
            ranks = [operator.index(each) for each in moves.values()]
            if any(not -2**31 <= rank < 2**31 for rank in ranks):
                raise UsageError("moves: a rank is beyond the 32-bit integers")
        self._blocks.move(ids, ranks)

    def balance(self, cost: Callable[[B, int], float], tolerance: float = 0.05) -> tuple[float, float, int]:
        """Moves blocks from ranks that have more to do than (1 + tolerance) times the average.

        Parameters
        ----------
        cost : function of (block, id)
            What a block costs; not negative.

        Returns
        -------
        before, after : float
            The cost of the busiest rank over the average.
        moved : int
            How many blocks.

        Raises
        ------
        UsageError
            On all ranks: costs that are none.
        """
        self._checked(f"balance to {tolerance}", cost, None)
        return self._blocks.balance(cost, float(tolerance))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes all blocks, pickled, with their links and messages to one file. Raises: `InputError` on all ranks."""
        self._native.agree_same(f"save to {path}", None)
        self._blocks.save(str(path))

    @classmethod
    def load(cls, comm: AnyCommunicator, path: str | os.PathLike[str]) -> BlockSet[Any]:
        """Returns the blocks of a file, on any number of ranks. Unpickling runs code: load what you trust.

        Raises
        ------
        InputError
            On all ranks: a file that is none of these.
        """
        native = as_communicator(comm)
        native.agree_same(f"load of {path}", None)
        made: BlockSet[Any] = cls.__new__(cls)
        made._set_up(comm, native, _weft.load_blocks(native, str(path)))
        return made

    def close(self) -> None:
        """Lets go of the blocks. Local."""
        self._blocks.close()

    def _checked(self, call: str, function: Any, dtype: DTypeLike | None) -> _Items:
        failure: BaseException | None = None
        items = _Items(None)
        try:
            _callable("callback", function)
            items = _Items(dtype)
        except Exception as error:
            failure = error if isinstance(error, UsageError) else UsageError(f"dtype: {error}")
        self._native.agree_same(f"{call} of {items.text}", failure)
        return items

    def _combining(self, call: str, value: Any, op: Operator, failure: BaseException | None = None) -> Callable[[Any, Any], Any]:
        combine: Any = op
        try:
            _callable("value", value)
            if isinstance(op, str):
                if op not in _ON_VALUES:
                    raise UsageError(f"op: {op!r} is no operator; expected one of {', '.join(_ON_VALUES)}, or a function of two "
                                     "values")
                combine = _ON_VALUES[op]
            _callable("op", combine)
        except Exception as error:
            failure = failure or error
        self._native.agree_same(f"{call} by {op if isinstance(op, str) else 'a function'}", failure)
        made: Callable[[Any, Any], Any] = combine
        return made

    def _arrays(self, call: str, array: Callable[[B, int], Array], op: Operator,
                k: int = 8) -> tuple[list[Array], Any, str, int]:
        arrays = list[Array]()
        kinds = set[Any]()
        how: Any = op
        with agreed(self._native, f"{call} in groups of {k} by {op if isinstance(op, str) else 'a function'}"):
            _whole("k", k, 2)
            for id, block in self.items():
                arrays.append(in_place(f"array of block {id}", array(block, id)))
            kinds = {(text_of(each.dtype), each.shape, each.dtype) for each in arrays}
            for each in arrays:
                how = native_operator(op, each.dtype)
        # A rank without blocks knows no dtype.
        pickles = _weft.all_gather_bytes(self._native, pickle.dumps(kinds), None)
        every = sorted({kind for each in pickles for kind in pickle.loads(each)}, key=lambda kind: kind[:2])
        if len(every) != 1:
            found = " and ".join(f"{text} of shape {shape}" for text, shape, _ in every[:2]) or "none"
            raise UsageError(f"array: blocks have {found}; expected one dtype and shape")
        dtype: np.dtype[Any] = every[0][2]
        return arrays, how if arrays else native_operator(op, dtype), dtype.kind, dtype.itemsize


def _callable(name: str, value: Any) -> None:
    if not callable(value):
        raise UsageError(f"{name}: expected a function, not {type(value).__name__}")


def _whole(name: str, value: Any, least: int = 0) -> int:
    if not isinstance(value, (int, np.integer)):
        raise UsageError(f"{name}: expected an integer, not {type(value).__name__}")
    if value < least:
        raise UsageError(f"{name}: {value}; expected at least {least}")
    return int(value)


def _raising(error: Exception) -> Callable[[Any, Any], Any]:
    def function(block: Any, port: Any) -> None:
        raise error

    return function


def _with_port(callback: Callable[[Any, BlockPort], Any], items: _Items) -> Callable[[Any, _weft.BlockPort], Any]:
    return lambda block, port: callback(block, BlockPort(port, items))
