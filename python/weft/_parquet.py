"""Parquet files: each rank reads some row groups, and writes its own file. Needs pyarrow."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ._arguments import path as as_path
from ._collective import all_gather
from ._communicator import AnyCommunicator, agreed
from ._convention import on_ranks
from ._errors import InputError, UsageError


def _arrow() -> Any:
    try:
        importlib.import_module("pyarrow.parquet")
    except ImportError as error:
        raise UsageError(f"Parquet needs the package pyarrow, as of `pip install pyarrow`: {error}") from None
    return sys.modules["pyarrow"]


def _files_of(name: Any) -> list[str]:
    """Returns the files that a name, a list of names or a folder stands for."""
    if isinstance(name, (list, tuple)):
        if not name:
            raise UsageError("path: a list without names")
        return [as_path(f"path[{at}]", each) for at, each in enumerate(name)]
    made = as_path("path", name)
    if not os.path.isdir(made):
        return [made]
    files = sorted(str(each) for each in Path(made).rglob("*.parquet") if not each.name.startswith((".", "_")))
    if not files:
        raise InputError(f"{made}: a folder without files *.parquet")
    return files


def _opened(file: str) -> Any:
    arrow = _arrow()
    try:
        return arrow.parquet.ParquetFile(file)
    except (OSError, arrow.ArrowException) as error:
        raise InputError(f"{file}: {error}") from error


@on_ranks
def read_parquet(path: Any, *, columns: list[str] | None = None, comm: AnyCommunicator = None) -> Any:
    """Reads Parquet files. Each rank reads consecutive row groups: rank 0 reads the first ones, rank 1 the ones after them, and so on. Ranks get about equal numbers of
    rows. Needs pyarrow.

    A row group is read by one rank only: if there are fewer row groups than ranks, some ranks get a table without rows. Collective.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
        None: all ranks.
    path : str, path, or list of them
        A file, several files, or a folder. Of a folder, all files `*.parquet` are read in the order of their names. All ranks pass the same
        names, and must have access to the files.
    columns : list of str, optional
        The columns to read; the default is all columns.

    Returns
    -------
    pyarrow.Table
        The rows of this rank. All columns keep their types: integers of 64 bits, missing values, texts, times.
        `.to_pandas(types_mapper=pandas.ArrowDtype)` makes a data frame without loss.

    Raises
    ------
    UsageError
        On all ranks: pyarrow is not installed, a column does not exist, or arguments differ between ranks.
    InputError
        On all ranks: a file cannot be read or is not a Parquet file, or the files have different columns.

    Examples
    --------
    >>> import tempfile, weft
    >>> comm = weft.Communicator()
    >>> with tempfile.TemporaryDirectory() as mine:
    ...     folder = weft.broadcast(comm, mine)
    ...     weft.write_parquet({"id": [2**60 + comm.rank]}, folder, comm=comm)
    ...     part = weft.read_parquet(folder, comm=comm)
    ...     weft.barrier(comm)
    >>> part["id"].to_pylist() == [2**60 + comm.rank]
    True
    """
    with agreed(comm, "read_parquet") as call:
        arrow = _arrow()
        if columns is not None and not (isinstance(columns, (list, tuple)) and all(isinstance(each, str) for each in columns)):
            raise UsageError(f"columns: {columns!r}; expected a list of names")
        call.same(f"{path} {columns}")
        files = _files_of(path)
        call.same(f"of {len(files)} files")
        mine = range(call.native.rank, len(files), call.native.size)  # each rank looks into some files
        known = [_looked_into(files[at]) for at in mine]
    of_ranks = all_gather(call.native, known)
    with agreed(call.native, "read_parquet"):
        schemas, groups = zip(*(of_ranks[at % len(of_ranks)][at // len(of_ranks)] for at in range(len(files))))
        schema = arrow.ipc.read_schema(arrow.py_buffer(schemas[0]))
        for file, other in zip(files, schemas):
            if other != schemas[0] and not arrow.ipc.read_schema(arrow.py_buffer(other)).equals(schema):
                raise InputError(f"{file}: its columns are not those of {files[0]}")
        for each in columns or []:
            if each not in schema.names:
                raise UsageError(f"columns: there is no column {each!r}; {files[0]} has {', '.join(schema.names)}")
        tables = [_opened(files[file]).read_row_groups(of_file, columns=columns)
                  for file, of_file in _share(groups, call.native.rank, call.native.size)]
        empty = schema.empty_table() if columns is None else schema.empty_table().select(columns)
        made = arrow.concat_tables(tables) if tables else empty
    return made


def _looked_into(file: str) -> tuple[bytes, list[int]]:
    """Returns the schema of a file, and the rows of its row groups."""
    opened = _opened(file)
    rows = [opened.metadata.row_group(at).num_rows for at in range(opened.metadata.num_row_groups)]
    return opened.schema_arrow.remove_metadata().serialize().to_pybytes(), rows


def _share(groups: tuple[list[int], ...], rank: int, ranks: int) -> list[tuple[int, list[int]]]:
    """Returns the files and row groups of a rank: those whose middle row is in its share of all rows."""
    total = sum(map(sum, groups))
    made: list[tuple[int, list[int]]] = []
    before = 0
    for file, rows in enumerate(groups):
        own = []
        for at, count in enumerate(rows):
            if (2 * before + count) * ranks // max(1, 2 * total) == rank:
                own.append(at)
            before += count
        if own:
            made.append((file, own))
    return made


@on_ranks
def write_parquet(table: Any, path: Any, *, comm: AnyCommunicator = None) -> None:
    """Writes the rows of all ranks as a folder of Parquet files, one for each rank: `part-00000.parquet` and so on. Needs pyarrow.

    The files appear under these names when all files are complete. If a rank fails, no file is left. Collective.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
        None: all ranks.
    table : pyarrow.Table, pyarrow.RecordBatch, pandas.DataFrame or dict of arrays
        The rows of this rank; the same columns and types on all ranks. The index of a data frame is left out.
    path : str or path
        The name of the folder, which is created if it does not exist. The folder must not contain Parquet files. The same on all ranks.

    Raises
    ------
    UsageError
        On all ranks: pyarrow is not installed, a table cannot be written, or columns differ between ranks.
    InputError
        On all ranks: a file cannot be written, or the folder contains Parquet files.

    Examples
    --------
    >>> import pathlib, tempfile, weft
    >>> comm = weft.Communicator()
    >>> with tempfile.TemporaryDirectory() as mine:
    ...     folder = weft.broadcast(comm, mine)
    ...     weft.write_parquet({"id": [2**60 + comm.rank]}, folder, comm=comm)
    ...     files = sorted(each.name for each in pathlib.Path(folder).iterdir())
    ...     weft.barrier(comm)
    >>> files[0], len(files) == comm.size
    ('part-00000.parquet', True)
    """
    with agreed(comm, "write_parquet") as call:
        arrow = _arrow()
        made = _as_arrow(table)
        folder = as_path("path", path)
        call.same(f"{folder} of columns {', '.join(f'{each.name} {each.type}' for each in made.schema)}")
        if call.native.rank == 0:
            try:
                os.makedirs(folder, exist_ok=True)
                if any(Path(folder).rglob("*.parquet")):
                    raise InputError(f"{folder}: it contains Parquet files")
            except OSError as error:
                raise error if isinstance(error, InputError) else InputError(f"{folder}: {error.strerror}") from error
    name = os.path.join(folder, f"part-{call.native.rank:05}.parquet")
    partial = f"{name}.partial"
    try:
        with agreed(call.native, "write_parquet"):
            try:
                arrow.parquet.write_table(made, partial)
            except OSError as error:
                raise InputError(f"{partial}: {error}") from error
            except arrow.ArrowException as error:
                raise UsageError(f"table: {error}") from error
        with agreed(call.native, "write_parquet"):
            try:
                os.replace(partial, name)
            except OSError as error:
                raise InputError(f"{name}: {error.strerror}") from error
    except Exception:
        for each in (partial, name):
            if os.path.isfile(each):
                os.remove(each)
        raise


def _as_arrow(table: Any) -> Any:
    arrow, pandas = _arrow(), sys.modules.get("pandas")
    try:
        if isinstance(table, arrow.RecordBatch):
            return arrow.Table.from_batches([table])
        if isinstance(table, arrow.Table):
            return table
        if pandas is not None and isinstance(table, pandas.DataFrame):
            return arrow.Table.from_pandas(table, preserve_index=False)
        if isinstance(table, Mapping):
            return arrow.table({name: column if isinstance(column, (list, np.ndarray)) or hasattr(column, "__arrow_c_array__") or
                                hasattr(column, "__arrow_c_stream__") else np.asarray(column) for name, column in table.items()})
    except (arrow.ArrowException, TypeError, ValueError) as error:
        raise UsageError(f"table: {error}") from error
    raise UsageError(f"table: expected a table of Arrow, a data frame of pandas or a dict of arrays, not {type(table).__name__}")
