"""NumPy files, written by all ranks."""

from __future__ import annotations

import io
import os
from typing import Any

import numpy as np

from . import _weft
from ._arguments import path as file_name
from ._arrays import Array, as_bytes
from ._communicator import agreed
from ._errors import InputError, UsageError


def write_array(native: _weft.Communicator, path: Any, mine: Array, offsets: Any) -> None:
    """Writes an array of which rank r has the first indices from `offsets[r]` up to `offsets[r + 1]`. Collective.

    The file has a temporary name until all particles are written.
    """
    with agreed(native, "write") as call:
        file = file_name("path", path)
        call.same(f"to {file}")
        if not file.endswith(".npy"):
            raise UsageError(f"path: {file!r}; expected the name of a file that ends with .npy")
        shape = (int(offsets[-1]), *mine.shape[1:])
        header = io.BytesIO()
        np.lib.format.write_array_header_1_0(header, {"descr": np.lib.format.dtype_to_descr(mine.dtype), "fortran_order": False, "shape": shape})
        part = f"{file}.part"
        first = len(header.getvalue()) + int(offsets[native.rank]) * mine.itemsize * int(np.prod(shape[1:]))
        if native.rank == 0:
            _writing(part, "wb", 0, header.getvalue())
    with agreed(native, "write"):
        if mine.size:
            _writing(part, "r+b", first, as_bytes(np.ascontiguousarray(mine)).data)
    with agreed(native, "write"):
        if native.rank == 0:
            os.replace(part, file)


def _writing(file: str, mode: str, at: int, content: Any) -> None:
    try:
        with open(file, mode) as opened:
            opened.seek(at)
            opened.write(content)
    except OSError as error:
        raise InputError(f"{file}: cannot be written: {error.strerror}") from error
