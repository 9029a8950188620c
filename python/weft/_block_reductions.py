"""Reductions over the values of blocks."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

import numpy as np

from . import _weft
from ._arguments import function, whole
from ._arrays import Array, as_bytes, in_place, text_of
from ._collective import Operator, all_gather, native_operator
from ._communicator import agreed
from ._errors import UsageError
from ._log import logged

B = TypeVar("B")

_ON_VALUES: dict[str, Callable[[Any, Any], Any]] = {
    "sum": operator.add, "prod": operator.mul, "min": np.minimum, "max": np.maximum, "and": operator.and_, "or": operator.or_,
    "xor": operator.xor}


class BlockReductions(Mapping[int, B], Generic[B]):
    """The reductions of a set of blocks, which is a mapping from the ids of this rank's blocks to the blocks."""

    _native: _weft.Communicator
    _blocks: _weft.Blocks
    _asking = False  # for arrays of the blocks

    @property
    def ids(self) -> list[int]:
        """The ids of this rank's blocks, ascending."""
        return self._blocks.ids

    @logged
    def all_reduce(self, value: Callable[[B, int], Any], op: Operator = "sum") -> Any:
        """Combines a value of every block, in the order of the ids; the result is on all ranks.

        Parameters
        ----------
        value : function of (block, id)
            Returns any object, for example a number or an array.
        op : {"sum", "prod", "min", "max", "and", "or", "xor"} or function of two values
            The operator must be associative, but need not be commutative.

        Raises
        ------
        UsageError
            On all ranks: there are no blocks, or arguments differ between ranks.
        RemoteError
            On the other ranks, if a function raised an exception on one rank.

        Notes
        -----
        The result does not depend on the number of ranks, nor on the assignment of blocks to ranks.
        """
        with agreed(self._native, "all_reduce") as call:
            combine = self._combining(call, value, op)
        return self._blocks.all_reduce(value, combine)

    @logged
    def merge_reduce(self, value: Callable[[B, int], Any], op: Operator = "sum", *, k: Any = 8, root: int = 0) -> dict[int, Any]:
        """Merges the values of blocks in rounds. In each round, one block of each group keeps the merged value of the group.

        Parameters
        ----------
        value, op
            As in `all_reduce`.
        k : int or sequence of int
            The number of blocks in a group. A sequence gives this number for each round, and may end before all values are merged.
        root : int
            The block that has the result in the end.

        Returns
        -------
        dict from block id to value
            The merged values that blocks of this rank keep. If all values are merged, only the root has a value.

        Raises
        ------
        UsageError
            On all ranks: the errors of `all_reduce`, a group size below 2, or a root that is not a block.

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

    @logged
    def scan(self, value: Callable[[B, int], Any], op: Operator = "sum") -> dict[int, Any]:
        """Combines for each block the values of the blocks from block 0 up to this block. Parameters, errors: as `all_reduce`.

        Returns
        -------
        dict from block id to value
            The results of the blocks of this rank.
        """
        with agreed(self._native, "scan") as call:
            combine = self._combining(call, value, op)
        return self._blocks.scan(value, combine)

    def broadcast(self, root: int, value: Callable[[B, int], Any]) -> Any:
        """Returns the value of one block on all ranks. Raises: `UsageError` if `root` is not a block."""
        with agreed(self._native, "broadcast") as call:
            function("value", value)
            at = whole("root", root, 0, 2**62)
            call.same(f"of block {at}")
            self._expect_open()
        return self._blocks.broadcast(at, value)

    @logged
    def swap_reduce(self, array: Callable[[B, int], Array], op: Operator = "sum", *, k: int = 8) -> dict[int, tuple[int, Array]]:
        """Combines an array of every block element by element, in place; each block keeps a share of the result.

        Parameters
        ----------
        array : function of (block, id)
            Returns a contiguous array, of the same dtype and length for all blocks.
        op : {"sum", "prod", "min", "max", "and", "or", "xor"} or function of two arrays
            As in the function `weft.all_reduce`.
        k : int
            The number of blocks in a group that combines arrays in a round.

        Returns
        -------
        dict from block id to (first, share)
            For each block of this rank: the index of the first element that the block keeps, and a view of the kept elements. The other
            elements of the array have undefined values.

        Raises
        ------
        UsageError
            On all ranks: arrays of different dtypes or lengths, arrays that cannot be written; `k` below 2.

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

    @logged
    def all_reduce_arrays(self, array: Callable[[B, int], Array], op: Operator = "sum") -> None:
        """Combines an array of every block element by element, in place, in all blocks. Parameters, errors: as
        `swap_reduce`."""
        arrays, how, kind, size = self._arrays("all_reduce_arrays", array, op)
        self._blocks.all_reduce_arrays([as_bytes(each) for each in arrays], how, kind, size)

    def _expect_open(self) -> None:
        _ = self._blocks.blocks

    def _combining(self, call: agreed, value: Any, op: Operator) -> Callable[[Any, Any], Any]:
        """Returns the operator as a function, while the arguments of a call are converted."""
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
