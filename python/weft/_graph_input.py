"""Graphs as input: arrays, sparse matrices, files and generators."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, Literal, Union

import numpy as np
from numpy.typing import NDArray

from . import _weft
from ._arguments import choice, flag, number, path, whole
from ._arrays import as_array, plain
from ._communicator import agreed
from ._errors import UsageError

Held = Union[Literal["parts", "whole"], None]

NO_EDGES = np.empty((0, 2), np.int64)


def share_of(held: Any, comm: _weft.Communicator, count: int) -> slice:
    """Returns the edges or entries that this rank contributes: its part, or a share of the whole if all ranks pass the same edges."""
    if choice("held", held or "parts", ("parts", "whole")) == "parts":
        return slice(0, count)
    return slice(count * comm.rank // comm.size, count * (comm.rank + 1) // comm.size)


def text_of_share(held: Any, count: int) -> str:
    """Returns the text that ranks compare."""
    return f"{count} on each rank, whole, " if held == "whole" else ""


def refuse_share_of_file(held: Any) -> None:
    if held is not None:
        raise UsageError("held: a file is one for all ranks; leave it out")


def is_sparse(edges: Any) -> bool:
    return hasattr(edges, "tocoo") and hasattr(edges, "shape")


def pairs_of(edges: Any, vertices: int) -> tuple[NDArray[np.int64], int]:
    if is_sparse(edges):
        coo = edges.tocoo()
        if coo.shape[0] != coo.shape[1]:
            raise UsageError(f"edges: a matrix of shape {coo.shape}; expected a square one")
        return np.stack([coo.row, coo.col], axis=1).astype(np.int64), coo.shape[0]
    array = as_array("edges", edges)
    if array.size == 0:
        array = NO_EDGES
    if array.ndim != 2 or array.shape[1] != 2:
        raise UsageError(f"edges: an array of shape {array.shape}; expected (edges, 2)")
    if array.dtype.kind not in "iu":
        raise UsageError(f"edges: an array of {array.dtype}; expected integers")
    if array.dtype == np.uint64 and int(array.max(initial=0)) > np.iinfo(np.int64).max:
        raise UsageError("edges: a vertex is beyond the 64-bit integers")
    return np.ascontiguousarray(array, np.int64), vertices


def vertex_name(name: str, value: Any) -> str:
    return value if isinstance(value, str) else str(whole(name, value))


def vertex_names(name: str, value: Any) -> list[str]:
    """Returns the names of one vertex or of several."""
    if isinstance(value, str) or not isinstance(value, Iterable) or getattr(value, "ndim", 1) == 0:
        return [vertex_name(name, value)]
    names = [vertex_name(name, each) for each in value]
    if not names:
        raise UsageError(f"{name}: expected at least one vertex")
    return names


def weights_by_name(name: str, value: Any) -> list[tuple[str, float]]:
    """Returns a number for each vertex name, from a mapping or None."""
    if value is None:
        return []
    if not isinstance(value, Mapping):
        raise UsageError(f"{name}: {value!r}; expected a mapping from vertices to numbers")
    if not value:
        raise UsageError(f"{name}: expected at least one vertex")
    return [(vertex_name(name, vertex), number(name, each, least=0)) for vertex, each in value.items()]


class Question(agreed):
    """A context in which a question about a graph converts and compares its arguments."""

    def graph(self, edges: Any, vertices: Any, directed: Any = False, held: Any = None) -> _weft.GraphInput:
        leads = flag("directed", directed)
        file: str | None = None
        given = ""
        pairs, count = NO_EDGES, -1
        if isinstance(edges, (str, os.PathLike)):
            file = path("edges", edges)
            refuse_share_of_file(held)
            if vertices is not None:
                raise UsageError("vertices: a file says itself how many it has")
        else:
            pairs, count = pairs_of(edges, -1 if vertices is None else whole("vertices", vertices, 0, 2**62))
            given = text_of_share(held, len(pairs))
            pairs = pairs[share_of(held, self.native, len(pairs))]
        made = file is not None and _weft.names_generator(file) and not os.path.exists(file)
        self.same(f"of {f'the file {file}' if file else f'{given}edges of {count} vertices'}, directed {leads}, made {made}")
        return _weft.GraphInput(file, made, 1, pairs, None, False, count, leads)


def weights_of(edges: Any, weights: Any, count: int) -> NDArray[np.float64] | None:
    """Returns a weight for each edge: the given weights, or the values of a matrix."""
    if weights is False:
        return None
    if is_sparse(edges):
        if weights is not None:
            raise UsageError("weights: a matrix has its own; expected None, or False for none")
        weights = edges.tocoo().data
    if weights is None:
        return None
    array = plain("weights", weights)
    if array.dtype.kind not in "iufb" or array.shape != (count,):
        raise UsageError(f"weights: {array.dtype} of shape {array.shape}; expected a number for each of {count} edges")
    return np.ascontiguousarray(array, np.float64)
