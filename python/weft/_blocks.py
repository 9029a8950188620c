"""Blocks: objects that hold the data of a program and send messages to each other, on any rank."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import _weft
from ._arguments import choice, function, number, whole
from ._arguments import path as file_name
from ._arrays import as_array
from ._block_reductions import B, BlockReductions
from ._communicator import AnyCommunicator, Communicator, agreed, close_before_end
from ._convention import on_ranks_overloaded
from ._decomposition import AnyDecomposition, native_decomposition
from ._errors import UsageError
from ._log import logged
from ._mailbox import TERMINATIONS, TerminationName
from ._ports import BlockPort, Items, with_port

PortCallback = Callable[[B, BlockPort], Any]


class BlockSet(BlockReductions[B]):
    """A set of blocks: objects of the program that are distributed over the ranks and send messages to each other. A rank has any number of
    blocks. The set is a mapping from the ids of this rank's blocks to the blocks.

    Collective, as are all methods that are not marked as local.

    Each block has a list of neighbours, but may send to every block. Methods such as `exchange` call your function, the callback, with
    `(block, port)` for each block; the port sends and receives the messages of the block. The callback takes the arrived messages from
    the port, computes, and sends messages through the port. If a callback raises an exception, the method raises this exception on the
    rank of the callback, and a `RemoteError` on the other ranks. Messages in flight are lost after an exception, but the set can be used
    again.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
    decomposition : RegularGrid, KdTree, int, list of lists of int, or Decomposition
        The blocks and their neighbours, the same on all ranks. An int is the number of blocks, and no block has neighbours; a list contains
        a list of neighbours for each block.
    make : function
        A function that takes the id of a block and returns the block. The function is called for the blocks of this rank.
    assignment : {"contiguous", "round_robin"} or sequence of int
        The rule that gives each block a rank: consecutive ids on one rank ("contiguous"), ranks in turn ("round_robin"), or a list with the
        rank of each block.
    termination : {"counted_waves", "four_counters", "barrier_consensus"}
        The way in which `iexchange` detects that all blocks are done and no message is in flight; see `Mailbox`.

    Raises
    ------
    UsageError
        On all ranks: lists of neighbours that are not symmetric, an invalid assignment, arguments that differ between ranks.
    RemoteError
        On the other ranks, if `make` or the decomposition raised an exception on one rank.

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

    @overload
    def __init__(self, decomposition: AnyDecomposition, make: Callable[[int], B], *, assignment: Any = "contiguous",
                 termination: TerminationName = "counted_waves", comm: AnyCommunicator = None) -> None: ...

    @overload
    def __init__(self, comm: AnyCommunicator, /, decomposition: AnyDecomposition, make: Callable[[int], B], *,
                 assignment: Any = "contiguous", termination: TerminationName = "counted_waves") -> None: ...

    @on_ranks_overloaded
    def __init__(self, decomposition: AnyDecomposition, make: Callable[[int], B], *, assignment: Any = "contiguous",
                 termination: TerminationName = "counted_waves", comm: AnyCommunicator = None) -> None:
        with agreed(comm, "BlockSet") as call:
            cut = native_decomposition(decomposition)
            function("make", make)
            name, table = self._assigned(assignment, cut.blocks, call.native.size)
            ends = choice("termination", termination, TERMINATIONS)
            call.same(f"of {cut.blocks} blocks, {table or name}, termination {ends}")
        self._set_up(comm, call.native, _weft.make_blocks(call.native, cut, name, table, make, ends))

    @staticmethod
    def _assigned(assignment: Any, blocks: int, size: int) -> tuple[str, list[int]]:
        """Returns the name of an assignment, or the rank of each block."""
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
        close_before_end(self)

    @property
    def blocks(self) -> int:
        """The number of blocks of all ranks."""
        return self._blocks.blocks

    @property
    def ranks(self) -> NDArray[np.int64]:
        """The rank of each block, by the id of the block; shape (blocks,)."""
        return self._blocks.ranks

    def __getitem__(self, id: int) -> B:
        if id not in self._blocks.ids:
            raise KeyError(id)
        return cast(B, self._blocks.get(id))

    def __setitem__(self, id: int, block: B) -> None:
        """Replaces the block with this id, which this rank owns, by another object. Local."""
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
        """Calls `function(block, id)` for every block of this rank. If the function raises an exception on one rank, all ranks raise an
        exception."""
        self._checked("for_each", function, None)
        self._blocks.for_each(function)

    def for_each_port(self, callback: PortCallback[B], dtype: DTypeLike | None = None) -> None:
        """Calls `callback(block, port)` for every block of this rank. The messages that the callback sends are delivered by the next call
        of a method such as `exchange`.

        Parameters, errors: as in `exchange`, but the next call of a method such as `exchange` raises the exceptions of the callback.
        """
        items = self._checked("for_each_port", callback, dtype)
        self._blocks.for_each_port(with_port(callback, items))

    @logged
    def exchange(self, callback: PortCallback[B] | None = None, dtype: DTypeLike | None = None) -> int:
        """Makes one round of messages: calls `callback(block, port)` for every block, and delivers the messages of all blocks.

        Parameters
        ----------
        callback : function of (block, port), optional
            The callback returns False if the block is not done, otherwise True or None. Without a callback, the call only delivers
            messages.
        dtype : dtype, optional
            The dtype of the items of messages, the same on all ranks; `(float, 3)` is for items of three floats. By default, a message is
            any object, which is pickled.

        Returns
        -------
        int
            The number of messages that all blocks have sent, plus the number of blocks that are not done. The sum is 0 when all blocks are
            done and have sent no message.

        Raises
        ------
        Exception
            The exception that the callback raised on this rank, with its traceback.
        RemoteError
            On the other ranks, if the callback raised an exception on one rank.
        WireError
            A received message has a dtype that differs from the argument `dtype`.
        UsageError
            On all ranks: an argument is wrong, or differs between ranks.
        """
        if callback is None:
            with agreed(self._native, "exchange"):
                self._expect_open()
            return self._blocks.exchange(None)
        items = self._checked("exchange", callback, dtype)
        return self._blocks.exchange(with_port(callback, items))

    @logged
    def exchange_neighbors(self, callback: PortCallback[B], dtype: DTypeLike | None = None, *, fraction: float = 1) -> None:
        """Makes one round of messages in which blocks send only to their neighbours, and waits only for the messages of neighbours.

        Parameters
        ----------
        callback, dtype
            As in `exchange`.
        fraction : float
            The share of the messages of this round for which the call waits, from 0 to 1. The remaining messages are received in later
            rounds, at the latest in the next `exchange` or `iexchange`.

        Raises
        ------
        UsageError
            An argument is wrong, or a message goes to a block that is not a neighbour. The next `exchange` or `iexchange` raises this
            error, or the exception of a callback. Other ranks raise `RemoteError`.

        Notes
        -----
        Collective: all ranks call this method equally often. The call returns when the messages of the neighbours have arrived. Other ranks
        learn of an error only in a later call.
        """
        try:
            function("callback", callback)
            part = number("fraction", fraction, least=0, most=1)
            called = with_port(callback, Items(dtype))
        except Exception as error:  # as what a callback raises
            called, part = _raising(error), 1.0
        self._blocks.exchange_neighbors(called, part)

    @logged
    def iexchange(self, callback: PortCallback[B], dtype: DTypeLike | None = None) -> None:
        """Calls `callback(block, port)` for blocks until all blocks are done and no message is in flight.

        The callback is first called for each block, then for blocks that have received messages or whose callback has returned False.
        The messages of a callback are sent when the callback returns. Parameters, errors: as `exchange`.
        """
        items = self._checked("iexchange", callback, dtype)
        self._blocks.iexchange(with_port(callback, items))

    @logged
    def move(self, moves: Mapping[int, int]) -> None:
        """Moves blocks of this rank to other ranks, with their lists of neighbours and their messages. Blocks are pickled.

        Parameters
        ----------
        moves : dict from block id to rank
            For each block of this rank that is to move: its id, and its new rank. Other blocks stay.

        Raises
        ------
        UsageError
            On all ranks: a rank moves a block that another rank owns, or names an invalid rank.
        RemoteError
            On the other ranks, if pickling raised an exception on one rank. If pickling failed, no block has moved.
        """
        with agreed(self._native, "move"):
            if not isinstance(moves, Mapping):
                raise UsageError(f"moves: expected a dict from block id to rank, not {type(moves).__name__}")
            ids = [whole("moves", each, 0, 2**62) for each in moves]
            ranks = [whole("moves", each, -2**31, 2**31 - 1) for each in moves.values()]
            self._expect_open()
        self._blocks.move(ids, ranks)

    @logged
    def balance(self, cost: Callable[[B, int], float], tolerance: float = 0.05) -> tuple[float, float, int]:
        """Moves blocks away from ranks with more work than (1 + tolerance) times the average.

        Parameters
        ----------
        cost : function of (block, id)
            Returns the cost of a block, at least 0.

        Returns
        -------
        before, after : float
            The cost of the busiest rank, divided by the average cost of all ranks: before the moves, and after them.
        moved : int
            The number of blocks that have moved.

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

    @logged
    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes all blocks to one file, with their lists of neighbours and their messages. Blocks are pickled. Raises: `InputError` on all
        ranks if the file cannot be written."""
        with agreed(self._native, "save") as call:
            file = file_name("path", path)
            call.same(f"to {file}")
            self._expect_open()
        self._blocks.save(file)

    @overload
    @classmethod
    def load(cls, path: str | os.PathLike[str], *, termination: TerminationName = "counted_waves",
             comm: AnyCommunicator = None) -> BlockSet[Any]: ...

    @overload
    @classmethod
    def load(cls, comm: AnyCommunicator, path: str | os.PathLike[str], /, *,
             termination: TerminationName = "counted_waves") -> BlockSet[Any]: ...

    @classmethod
    @on_ranks_overloaded
    def load(cls, path: str | os.PathLike[str], *, termination: TerminationName = "counted_waves",
             comm: AnyCommunicator = None) -> BlockSet[Any]:
        """Returns the blocks that `save` has written to a file, possibly with a different number of ranks. Unpickling can run code, so
        load only files that you trust.

        Raises
        ------
        InputError
            On all ranks: a file that `save` has not written.
        """
        with agreed(comm, "load") as call:
            file = file_name("path", path)
            ends = choice("termination", termination, TERMINATIONS)
            call.same(f"of {file}, termination {ends}")
        made: BlockSet[Any] = cls.__new__(cls)
        made._set_up(comm, call.native, _weft.load_blocks(call.native, file, ends))
        return made

    def close(self) -> None:
        """Frees the blocks. Local. Raises: `UsageError` if a callback of the set calls `close`."""
        if self._asking:
            raise UsageError("blocks: close was called in a callback of the set")
        self._blocks.close()

    def _checked(self, name: str, callback: Any, dtype: DTypeLike | None) -> Items:
        with agreed(self._native, name) as call:
            function("callback", callback)
            items = Items(dtype)
            call.same(f"of {items.text}")
            self._expect_open()
        return items


def _raising(error: Exception) -> Callable[[Any, Any], Any]:
    def function(block: Any, port: Any) -> None:
        raise error

    return function
