"""Blocks: objects that hold the data of a program and send to each other, on any rank."""
# In one file: the methods of one class; half of the lines are docstrings.

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import _weft
from ._arguments import function, number, whole
from ._arguments import path as file_name
from ._arrays import Array, as_array, as_bytes, in_place, text_of
from ._collective import Operator, all_gather, native_operator
from ._communicator import AnyCommunicator, Communicator, agreed, close_before_end
from ._decomposition import AnyDecomposition, native_decomposition
from ._errors import UsageError
from ._ports import BlockPort, Items, with_port

B = TypeVar("B")

_ON_VALUES: dict[str, Callable[[Any, Any], Any]] = {
    "sum": operator.add, "prod": operator.mul, "min": np.minimum, "max": np.maximum, "and": operator.and_, "or": operator.or_,
    "xor": operator.xor}


PortCallback = Callable[[B, BlockPort], Any]


class BlockSet(Mapping[int, B], Generic[B]):
    """Blocks, which are any objects; a rank has any number of them. A mapping from the ids of this rank's blocks to the blocks.

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
        with agreed(comm, "BlockSet") as call:
            cut = native_decomposition(decomposition)
            function("make", make)
            name, table = self._assigned(assignment, cut.blocks, call.native.size)
            call.same(f"of {cut.blocks} blocks, {table or name}")
        self._set_up(comm, call.native, _weft.make_blocks(call.native, cut, name, table, make))

    @staticmethod
    def _assigned(assignment: Any, blocks: int, size: int) -> tuple[str, list[int]]:
        """The name of an assignment, or the rank of each block."""
        if isinstance(assignment, str):
            if assignment not in ("contiguous", "round_robin"):
                raise UsageError(f"assignment: {assignment!r}; expected 'contiguous', 'round_robin' or ranks")
            return assignment, []
        ranks = as_array("assignment", assignment)
        if ranks.ndim != 1 or ranks.size and ranks.dtype.kind not in "iu":
            raise UsageError(f"assignment: {ranks.dtype} of shape {ranks.shape}; expected a rank for each block")
        table: list[int] = ranks.tolist()
        if any(not 0 <= rank < size for rank in table):
            raise UsageError(f"assignment: ranks are 0..{size - 1}")
        if len(table) != blocks:
            raise UsageError(f"assignment: of {len(table)} blocks; the decomposition has {blocks}")
        return "contiguous", table

    def _set_up(self, comm: AnyCommunicator, native: _weft.Communicator, made: _weft.Blocks) -> None:
        self._native = native
        self.comm = comm if isinstance(comm, Communicator) else Communicator(comm)
        self._blocks = made
        self._asking = False  # for arrays of the blocks
        close_before_end(self)

    @property
    def blocks(self) -> int:
        """The number of blocks of all ranks."""
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
        self._blocks.for_each_port(with_port(callback, items))

    def exchange(self, callback: PortCallback[B] | None = None, dtype: DTypeLike | None = None) -> int:
        """Calls back for every block, and delivers the messages: one round.

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
            with agreed(self._native, "exchange"):
                self._expect_open()
            return self._blocks.exchange(None)
        items = self._checked("exchange", callback, dtype)
        return self._blocks.exchange(with_port(callback, items))

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
            function("callback", callback)
            part = number("fraction", fraction, least=0, most=1)
            called = with_port(callback, Items(dtype))
        except Exception as error:  # as what a callback raises
            called, part = _raising(error), 1.0
        self._blocks.exchange_neighbors(called, part)

    def iexchange(self, callback: PortCallback[B], dtype: DTypeLike | None = None) -> None:
        """Calls back for blocks until all are done and no message is left.

        First for each; then for those that have received something, or have returned False, which says that they are not
        done. What a callback sends leaves when it returns. Parameters, errors: as `exchange`.
        """
        items = self._checked("iexchange", callback, dtype)
        self._blocks.iexchange(with_port(callback, items))

    def all_reduce(self, value: Callable[[B, int], Any], op: Operator = "sum") -> Any:
        """Combines a value of every block, in the order of the ids; the result is on all ranks.

        Parameters
        ----------
        value : function of (block, id)
            Returns any object, numbers and arrays among them.
        op : {"sum", "prod", "min", "max", "and", "or", "xor"} or function of two values
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
        with agreed(self._native, "all_reduce") as call:
            combine = self._combining(call, value, op)
        return self._blocks.all_reduce(value, combine)

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
        with agreed(self._native, "merge_reduce") as call:
            until_one = np.ndim(k) == 0
            sizes = [whole("k", each, 2, 2**31 - 1) for each in ([k] if until_one else k)]
            at = whole("root", root, 0, 2**62)
            call.same(f"to {at} in groups of {sizes}{' until one is left' if until_one else ''}")
            combine = self._combining(call, value, op)
        return self._blocks.merge_reduce(sizes, until_one, at, value, combine)

    def scan(self, value: Callable[[B, int], Any], op: Operator = "sum") -> dict[int, Any]:
        """Combines the values of the blocks 0 to each one. Parameters, errors: as `all_reduce`.

        Returns
        -------
        dict from block to value
            Of the blocks of this rank.
        """
        with agreed(self._native, "scan") as call:
            combine = self._combining(call, value, op)
        return self._blocks.scan(value, combine)

    def broadcast(self, root: int, value: Callable[[B, int], Any]) -> Any:
        """Returns the value of one block on all ranks. Raises: `UsageError` where there is no such block."""
        with agreed(self._native, "broadcast") as call:
            function("value", value)
            at = whole("root", root, 0, 2**62)
            call.same(f"of block {at}")
            self._expect_open()
        return self._blocks.broadcast(at, value)

    def swap_reduce(self, array: Callable[[B, int], Array], op: Operator = "sum", *, k: int = 8) -> dict[int, tuple[int, Array]]:
        """Combines an array of every block element by element, in place; each block keeps a share of the result.

        Parameters
        ----------
        array : function of (block, id)
            Returns a contiguous array, of one dtype and length for all blocks.
        op : {"sum", "prod", "min", "max", "and", "or", "xor"} or function of two arrays
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
        kept = self._blocks.swap_arrays(int(k), [as_bytes(each) for each in arrays], how, kind, size)
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
            On all ranks: a block of another rank, or an invalid rank.
        RemoteError
            Elsewhere, where pickling raised; all is where it was.
        """
        with agreed(self._native, "move"):
            if not isinstance(moves, Mapping):
                raise UsageError(f"moves: expected a dict from block to rank, not {type(moves).__name__}")
            ids = [whole("moves", each, 0, 2**62) for each in moves]
            ranks = [whole("moves", each, -2**31, 2**31 - 1) for each in moves.values()]
            self._expect_open()
        self._blocks.move(ids, ranks)

    def balance(self, cost: Callable[[B, int], float], tolerance: float = 0.05) -> tuple[float, float, int]:
        """Moves blocks away from ranks with more work than (1 + tolerance) times the average.

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
            On all ranks: costs that are negative or not finite.
        """
        with agreed(self._native, "balance") as call:
            function("cost", cost)
            share = number("tolerance", tolerance, least=0)
            call.same(f"to {share}")
            self._expect_open()
        return self._blocks.balance(cost, share)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes all blocks, pickled, with their links and messages to one file. Raises: `InputError` on all ranks."""
        with agreed(self._native, "save") as call:
            file = file_name("path", path)
            call.same(f"to {file}")
            self._expect_open()
        self._blocks.save(file)

    @classmethod
    def load(cls, comm: AnyCommunicator, path: str | os.PathLike[str]) -> BlockSet[Any]:
        """Returns the blocks of a file, on any number of ranks. Unpickling runs code: load what you trust.

        Raises
        ------
        InputError
            On all ranks: a file that `save` has not written.
        """
        with agreed(comm, "load") as call:
            file = file_name("path", path)
            call.same(f"of {file}")
        made: BlockSet[Any] = cls.__new__(cls)
        made._set_up(comm, call.native, _weft.load_blocks(call.native, file))
        return made

    def close(self) -> None:
        """Drops the blocks. Local. Raises: `UsageError` in a callback of the set."""
        if self._asking:
            raise UsageError("blocks: close was called in a callback of the set")
        self._blocks.close()

    def _expect_open(self) -> None:
        _ = self._blocks.blocks

    def _checked(self, name: str, callback: Any, dtype: DTypeLike | None) -> Items:
        with agreed(self._native, name) as call:
            function("callback", callback)
            items = Items(dtype)
            call.same(f"of {items.text}")
            self._expect_open()
        return items

    def _combining(self, call: agreed, value: Any, op: Operator) -> Callable[[Any, Any], Any]:
        """The operator as a function, while the arguments of a call are converted."""
        function("value", value)
        self._expect_open()
        if not isinstance(op, str):
            call.same("by a function")
            return function("op", op)
        if op not in _ON_VALUES:
            raise UsageError(f"op: {op!r} is no operator; expected one of {', '.join(_ON_VALUES)}, or a function of two values")
        call.same(f"by {op}")
        return _ON_VALUES[op]

    def _arrays(self, name: str, array: Callable[[B, int], Array], op: Operator,
                k: int = 8) -> tuple[list[Array], Any, str, int]:
        arrays = list[Array]()
        kinds = set[Any]()
        how: Any = op
        with agreed(self._native, name) as call:
            call.same(f"in groups of {whole('k', k, 2, 2**31 - 1)} by {op if isinstance(op, str) else 'a function'}")
            function("array", array)
            self._asking = True
            try:
                arrays.extend(in_place(f"array of block {id}", array(block, id)) for id, block in self.items())
            finally:
                self._asking = False
            kinds = {(text_of(each.dtype), each.shape, each.dtype) for each in arrays}
            for each in arrays:
                how = native_operator(op, each.dtype)
        # A rank without blocks knows no dtype.
        every = sorted({kind for each in all_gather(self._native, kinds) for kind in each}, key=lambda kind: kind[:2])
        if len(every) != 1:
            found = " and ".join(f"{text} of shape {shape}" for text, shape, _ in every[:2]) or "none"
            raise UsageError(f"array: blocks have {found}; expected one dtype and shape")
        dtype: np.dtype[Any] = every[0][2]
        return arrays, how if arrays else native_operator(op, dtype), dtype.kind, dtype.itemsize


def _raising(error: Exception) -> Callable[[Any, Any], Any]:
    def function(block: Any, port: Any) -> None:
        raise error

    return function
