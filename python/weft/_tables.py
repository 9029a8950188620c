"""Tables of columns: dicts of arrays, data frames of pandas and tables of Arrow, whose rows go to ranks."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator, Mapping
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _weft
from ._arrays import Array, as_array, as_ranks, check_dtype, is_scalar, kept_ranks, text_of
from ._errors import UsageError
from ._inbox import Kind, Sent

T = TypeVar("T")


class _HasColumns(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


Frame = TypeVar("Frame", bound=_HasColumns)  # of pandas or Arrow

# The kind of data of tables: ranks compare kinds, and that of an array is another one.
TABLES: Kind = np.dtype([("a table of columns", "V1")]), ()


class _Columns:
    """A dict from names to arrays of equal length."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self.columns: dict[str, Array] = {}
        self.untyped: set[str] = set()  # empty lists, which take the dtype of other ranks
        for name, column in table.items():
            if not isinstance(name, str):
                raise UsageError(f"array: {name!r} is no name of a column; expected text")
            of = as_array(f"array[{name!r}]", column)
            if of.dtype.kind != "T":  # texts of any length
                check_dtype(f"array[{name!r}]", of.dtype)
            if of.ndim == 0:
                raise UsageError(f"array[{name!r}]: expected a value for each row, not one")
            if of.shape == (0,) and not hasattr(column, "dtype"):
                self.untyped.add(name)
            self.columns[name] = of
        lengths = {len(of) for of in self.columns.values()}
        if len(lengths) > 1:
            raise UsageError(f"array: its columns have {sorted(lengths)} rows; expected one length")
        self.rows = lengths.pop() if lengths else 0

    def taken(self, order: NDArray[np.int64] | None, first: int, end: int) -> Any:
        return {name: of[first:end] if order is None else of[order[first:end]] for name, of in self.columns.items()}

    def described(self) -> list[tuple[str, str | None]]:
        # Texts of a column may have other widths on other ranks.
        return [(name, None if name in self.untyped else of.dtype.kind if of.dtype.kind in "UST" else text_of(of.dtype, of.shape[1:]))
                for name, of in self.columns.items()]

    @staticmethod
    def joined(tables: list[Any]) -> Any:
        return {name: np.concatenate([each[name] for each in tables]) for name in tables[0]}


class _Frame:
    """A data frame of pandas."""

    def __init__(self, table: Any) -> None:
        self._frame = table
        self.rows = len(table)

    def taken(self, order: NDArray[np.int64] | None, first: int, end: int) -> Any:
        made = self._frame.iloc[first:end] if order is None else self._frame.iloc[order[first:end]]
        return made.reset_index(drop=True) if _is_numbered(self._frame) else made

    def described(self) -> list[tuple[str, str | None]]:
        return [(repr(name), repr(dtype) if str(dtype) == "category" else str(dtype)) for name, dtype in self._frame.dtypes.items()]

    @staticmethod
    def joined(tables: list[Any]) -> Any:
        pandas = sys.modules["pandas"]
        return pandas.concat(tables, ignore_index=all(_is_numbered(each) for each in tables))


def _is_numbered(frame: Any) -> bool:
    """Returns True if the rows of a frame are named by their numbers only."""
    return isinstance(frame.index, sys.modules["pandas"].RangeIndex) and frame.index.name is None


class _Arrow:
    """A table or a batch of records of Arrow."""

    def __init__(self, table: Any) -> None:
        arrow = sys.modules["pyarrow"]
        self._table = arrow.Table.from_batches([table]) if isinstance(table, arrow.RecordBatch) else table
        self.rows = self._table.num_rows

    def taken(self, order: NDArray[np.int64] | None, first: int, end: int) -> Any:
        part = self._table.slice(first, end - first) if order is None else self._table.take(order[first:end])
        return part.combine_chunks()  # a slice is pickled with all that it is a part of

    def described(self) -> list[tuple[str, str | None]]:
        return [(of.name, str(of.type)) for of in self._table.schema]

    @staticmethod
    def joined(tables: list[Any]) -> Any:
        return sys.modules["pyarrow"].concat_tables(tables)


def _form_of(value: Any) -> type[_Columns] | type[_Frame] | type[_Arrow] | None:
    pandas, arrow = sys.modules.get("pandas"), sys.modules.get("pyarrow")  # whoever has a table of theirs has them
    if isinstance(value, Mapping):
        return _Columns
    if pandas is not None and isinstance(value, pandas.DataFrame):
        return _Frame
    if arrow is not None and isinstance(value, (arrow.Table, arrow.RecordBatch)):
        return _Arrow
    return None


def is_table(value: Any) -> bool:
    """Returns True if a value has named columns."""
    return _form_of(value) is not None


class Rows:
    """The rows of a table, and the rank to which each row goes."""

    def __init__(self, destinations: Any, table: Any) -> None:
        form = _form_of(table)
        assert form is not None
        self._table = form(table)
        rows = self._table.rows
        self.ranks = as_ranks("destinations", [destinations]).repeat(rows) if is_scalar(destinations) else kept_ranks("destinations", destinations)
        if len(self.ranks) != rows:
            raise UsageError(f"destinations: {len(self.ranks)} of them for {rows} rows of array")

    def agreed_empty(self, native: _weft.Communicator) -> Any:
        """Returns a table without rows, with the columns of the other ranks. Collective."""
        form = type(self._table)
        mine = pickle.dumps((form.__name__, self._table.described(), self._table.taken(None, 0, 0)), protocol=5)
        every = [pickle.loads(each.data) for each in _weft.all_gather_bytes(native, np.frombuffer(mine, np.uint8), b"", None)]
        first = every[0]
        made = [None if text is None else (0, name) for name, text in first[1]]
        for rank, (other, columns, _) in enumerate(every):
            if other != first[0] or [name for name, _ in columns] != [name for name, _ in first[1]]:
                raise UsageError(f"array: rank 0 has {_said(first)}, rank {rank} has {_said(every[rank])}")
            for at, (name, text) in enumerate(columns):
                known = made[at]
                if text is not None and known is None:
                    made[at] = rank, name
                elif text is not None and known is not None and text != every[known[0]][1][at][1]:
                    raise UsageError(f"array: column {name} holds {every[known[0]][1][at][1]} on rank {known[0]}, {text} on rank {rank}")
        if not isinstance(self._table, _Columns):
            return first[2]
        return {name: every[known[0] if known else 0][2][name] for known, (name, _) in zip(made, first[1])}

    def pieces(self) -> dict[int, NDArray[np.uint8]]:
        """Returns the rows for each rank, pickled."""
        order = None if (self.ranks[1:] >= self.ranks[:-1]).all() else np.argsort(self.ranks, kind="stable")
        to, first = np.unique(self.ranks if order is None else self.ranks[order], return_index=True)
        bounds = [*first.tolist(), len(self.ranks)]
        return {rank: np.frombuffer(pickle.dumps(self._table.taken(order, begin, end), protocol=5), np.uint8)
                for rank, begin, end in zip(to.tolist(), bounds, bounds[1:])}

    def received(self, pieces: Mapping[int, NDArray[np.uint8]], empty: Any, sent: Sent) -> TableInbox[Any]:
        """Returns the tables in received pieces, by source."""
        tables = {source: pickle.loads(piece.data) for source, piece in pieces.items()}
        form = type(self._table)
        return TableInbox(tables, {source: form(each).rows for source, each in tables.items()},
                          form.joined([*tables.values()]) if tables else empty, sent)


def _said(of_rank: tuple[str, list[tuple[str, str | None]], Any]) -> str:
    what = {"_Columns": "a dict", "_Frame": "a data frame", "_Arrow": "an Arrow table"}[of_rank[0]]
    return f"{what} with the columns {', '.join(name for name, _ in of_rank[1])}"


class TableInbox(Mapping[int, T], Generic[T]):
    """The rows of tables that a rank has received, by source.

    The inbox is a mapping from the rank of each sender, ascending, to the table of the rows that this sender has sent, in the order of
    sending. Received tables are of the same kind as sent tables.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> inbox = weft.exchange(comm, [0], {"id": [comm.rank]})
    >>> comm.rank > 0 or inbox.table["id"].tolist() == list(range(comm.size))
    True
    """

    def __init__(self, tables: dict[int, T], rows: dict[int, int], table: T, sent: Sent) -> None:
        self._tables = tables
        self._rows = rows
        self._table = table
        self._sent: Sent | None = sent

    @property
    def table(self) -> T:
        """A table of all rows, ordered by source."""
        return self._table

    @property
    def sources(self) -> NDArray[np.int64]:
        """The ranks that have sent rows, ascending; shape (messages,)."""
        return np.array([*self._tables], np.int64)

    @property
    def counts(self) -> NDArray[np.int64]:
        """The number of rows of each source; shape (messages,)."""
        return np.array([*self._rows.values()], np.int64)

    @property
    def source_of_items(self) -> NDArray[np.int64]:
        """The rank from which each row of `table` comes, ascending; shape (rows,)."""
        return np.repeat(self.sources, self.counts)

    def reply(self, values: Any) -> Any:
        """Sends a value back for each received row, and returns the values that other ranks sent back for the rows of this rank. Collective.

        Parameters
        ----------
        values : array, shape (rows, ...)
            The values, in the order of `table`. All values have the same dtype and shape, on all ranks.

        Returns
        -------
        array, shape (sent rows, ...)
            The returned values, in the order of the rows that this rank passed to `exchange`.

        Raises
        ------
        UsageError
            On all ranks: the number of values is not the number of rows, or dtypes differ. On this rank: the inbox was unpickled.

        Examples
        --------
        >>> import numpy as np, weft
        >>> comm = weft.Communicator()
        >>> inbox = weft.exchange(comm, np.arange(3) % comm.size, {"id": np.arange(3)})
        >>> inbox.reply(inbox.table["id"] + 100).tolist()
        [100, 101, 102]
        """
        if self._sent is None:
            raise UsageError("reply: this inbox has been unpickled, and belongs to no communicator")
        return self._sent.answers(self.source_of_items, values)

    def __getitem__(self, source: int) -> T:
        return self._tables[source]

    def __iter__(self) -> Iterator[int]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_sent": None}

    def __repr__(self) -> str:
        return f"<weft.TableInbox: {sum(self._rows.values())} rows from {len(self)} ranks>"
