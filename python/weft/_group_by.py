"""Groups of the rows of a table that is distributed over all ranks: sums, means and counts by key."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Generic, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike

from . import _weft
from ._arguments import choice, flag
from ._columns import owners_of_rows
from ._communicator import AnyCommunicator, agreed
from ._convention import on_ranks_overloaded
from ._errors import UsageError
from ._exchange import exchange
from ._grouped import Engine, OfArrays, OfArrow, OfPandas, Step
from ._tables import Frame

T = TypeVar("T")

OPERATIONS = ("sum", "mean", "min", "max", "count")


def _engine_of(table: Any) -> Engine:
    pandas, arrow = sys.modules.get("pandas"), sys.modules.get("pyarrow")  # whoever has a table of theirs has them
    if isinstance(table, Mapping):
        return OfArrays()
    if pandas is not None and isinstance(table, pandas.DataFrame):
        return OfPandas()
    if arrow is not None and isinstance(table, (arrow.Table, arrow.RecordBatch)):
        return OfArrow()
    raise UsageError(f"table: expected a dict of arrays, a data frame of pandas or a table of Arrow, not {type(table).__name__}")


def _named(name: str, value: Any, names: list[str]) -> list[str]:
    """Returns names of columns that a table has."""
    wanted = [value] if isinstance(value, str) else value
    if not isinstance(wanted, (list, tuple)) or not all(isinstance(each, str) for each in wanted):
        raise UsageError(f"{name}: {value!r}; expected the name of a column, or a list of names")
    for each in wanted:
        if each not in names:
            raise UsageError(f"{name}: there is no column {each!r}; the table has {', '.join(map(str, names))}")
    if len(set(wanted)) < len(wanted):
        raise UsageError(f"{name}: {value!r} has a name twice")
    return list(wanted)


class GroupBy(Generic[T]):
    """The groups that `group_by` returns. Each method combines the values of each group, and returns a table of the same kind as the input,
    with one row for each group. The rows of a result are distributed over the ranks by hashes of their keys; the rows of one rank are in
    ascending order of keys. A rank combines its own rows of a group before it sends them, so a key that all ranks use costs little. Missing
    values are left out: null of pandas and Arrow, NaN and NaT in dicts of arrays and in pandas. If all values of a group are missing, the
    sum of the group is 0 (null for tables of Arrow), and the mean, minimum and maximum are missing.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> rides = {"city": ["Bern", "Oslo", "Bern"], "km": [2.0, 5.0, 4.0]}
    >>> part = weft.group_by(comm, rides, "city").mean()
    >>> sorted(pair for each in weft.all_gather(comm, part) for pair in zip(each["city"].tolist(), each["km"].tolist()))
    [('Bern', 3.0), ('Oslo', 5.0)]
    """

    def __init__(self, comm: _weft.Communicator, engine: Engine, table: Any, by: list[str], missing: bool) -> None:
        self._comm = comm
        self._engine = engine
        self._table = table
        self._by = by
        self._missing = missing

    def sum(self, values: str | list[str] | None = None) -> T:
        """Returns the sums of each group, in columns with the names of the summed columns. Collective.

        Sums of integers and booleans are integers of 64 bits.

        Parameters
        ----------
        values : str or list of str, optional
            The names of columns of numbers. The default is all columns that are not keys.

        Raises
        ------
        UsageError
            On all ranks: a column does not exist or does not contain numbers, or columns differ between ranks.
        """
        return self._each("sum", values)

    def mean(self, values: str | list[str] | None = None) -> T:
        """Returns the arithmetic mean of each group, as floats of 64 bits. Collective. Parameters, Raises: as `sum`."""
        return self._each("mean", values)

    def min(self, values: str | list[str] | None = None) -> T:
        """Returns the smallest value of each group, also for texts and times. Collective. Parameters, Raises: as `sum`."""
        return self._each("min", values)

    def max(self, values: str | list[str] | None = None) -> T:
        """Returns the largest value of each group, also for texts and times. Collective. Parameters, Raises: as `sum`."""
        return self._each("max", values)

    def count(self, values: str | list[str] | None = None) -> T:
        """Returns the number of values of each group that are not missing. Collective. Parameters, Raises: as `sum`, for values of any
        kind."""
        return self._each("count", values)

    def size(self) -> T:
        """Returns the number of rows of each group, in a column `size`. Collective."""
        with agreed(self._comm, "size"):
            if "size" in self._by:
                raise UsageError("size: a column of keys has this name")
        return self._run("size", self._table, [("size", None, "count")], [])

    def agg(self, columns: Mapping[str, str]) -> T:
        """Returns several columns in one exchange: `columns` maps each column to one of `sum`, `mean`, `min`, `max` and
        `count`. Collective; all ranks pass the same columns in the same order. Raises: as `sum`.

        Examples
        --------
        >>> import weft
        >>> comm = weft.Communicator()
        >>> rides = {"city": ["Bern", "Oslo", "Bern"], "km": [2.0, 5.0, 4.0], "day": [3, 1, 2]}
        >>> part = weft.group_by(comm, rides, "city").agg({"km": "max", "day": "min"})
        >>> list(part)
        ['city', 'km', 'day']
        """
        with agreed(self._comm, "agg") as call:
            if not isinstance(columns, Mapping):
                raise UsageError(f"columns: expected a dict from names of columns to operations, not {type(columns).__name__}")
            wanted = [(name, choice(f"columns[{name!r}]", how, OPERATIONS)) for name, how in columns.items()]
            names = _named("columns", [name for name, _ in wanted], self._engine.names(self._table))
            table, steps, means = self._steps([(name, how) for name, (_, how) in zip(names, wanted)])
            call.same(f"{wanted} by {self._by}")
        return self._run("agg", table, steps, means)

    def _each(self, how: str, values: Any) -> T:
        with agreed(self._comm, how) as call:
            every = self._engine.names(self._table)
            names = [name for name in every if name not in self._by] if values is None else _named("values", values, every)
            table, steps, means = self._steps([(name, how) for name in names])
            call.same(f"{names} by {self._by}")
        return self._run(how, table, steps, means)

    def _steps(self, wanted: list[tuple[str, str]]) -> tuple[Any, list[Step], list[tuple[str, str]]]:
        """Returns the table, the columns to make from it, and for each mean the sum and the count that it is made of."""
        table = self._table
        steps: list[Step] = []
        means: list[tuple[str, str]] = []
        for name, how in wanted:
            if name in self._by:
                raise UsageError(f"values: column {name!r} is a key")
            self._engine.check(table, name, how)
            if how != "mean":
                steps.append((name, name, how))
                continue
            floats, counts = (f"{what} of the column {name}" for what in ("floats", "count"))
            table = self._engine.as_floats(table, name, floats)
            steps += [(name, floats, "sum"), (counts, floats, "count")]
            means.append((name, counts))
        return table, steps, means

    def _run(self, call: str, table: Any, steps: list[Step], means: list[tuple[str, str]]) -> T:
        engine = self._engine
        with agreed(self._comm, call):
            part = engine.combined(table, self._by, steps, self._missing)
            owners = owners_of_rows(engine.keys(part, self._by), engine.rows(part), self._comm.size)
        came = exchange(self._comm, owners, part).table
        with agreed(self._comm, call):
            again: list[Step] = [(name, name, how if how in ("min", "max") else "sum") for name, _, how in steps]
            made: T = engine.divided(engine.combined(came, self._by, again, self._missing), means)
        return made

    def __repr__(self) -> str:
        return f"<weft.GroupBy: {self._engine.rows(self._table)} rows of this rank by {', '.join(self._by)}>"


@overload
def group_by(table: Mapping[str, ArrayLike], by: str | list[str], *, dropna: bool = ..., comm: AnyCommunicator = None) -> GroupBy[dict[str, np.ndarray[Any, Any]]]: ...


@overload
def group_by(comm: AnyCommunicator, table: Mapping[str, ArrayLike], /, by: str | list[str], *, dropna: bool = ...) -> GroupBy[dict[str, np.ndarray[Any, Any]]]: ...


@overload
def group_by(table: Frame, by: str | list[str], *, dropna: bool = ..., comm: AnyCommunicator = None) -> GroupBy[Frame]: ...


@overload
def group_by(comm: AnyCommunicator, table: Frame, /, by: str | list[str], *, dropna: bool = ...) -> GroupBy[Frame]: ...


@on_ranks_overloaded
def group_by(table: Any, by: str | list[str], *, dropna: bool = True, comm: AnyCommunicator = None) -> Any:
    """Groups the rows of a table by the values of some columns. A group contains rows of all ranks. `.sum()`, `.mean()`, `.min()`, `.max()`,
    `.count()`, `.size()` and `.agg(...)` of the result combine the values of each group.

    Collective. Ranks send no rows before a method that combines values is called.

    Parameters
    ----------
    comm : Communicator, mpi4py.MPI.Comm or None
        None: all ranks.
    table : dict of arrays, pandas.DataFrame, pyarrow.Table or pyarrow.RecordBatch
        The rows of this rank. All ranks have the same kind of table, with the same columns and dtypes, in the same order; a rank
        may have no rows. The index of a data frame is ignored.
    by : str or list of str
        The columns of the keys, which may be numbers, texts, times, or categories of pandas; a column of Arrow must not be a dictionary.
    dropna : bool
        True to leave out rows in which a key is missing (null, NaN or NaT). If False, missing keys are equal to each other.

    Returns
    -------
    GroupBy
        The groups, whose methods combine values.

    Raises
    ------
    UsageError
        On all ranks: a rank has no table, a column does not exist, or keys cannot be compared.

    Examples
    --------
    >>> import weft
    >>> comm = weft.Communicator()
    >>> visits = {"user": [2**60, 2**60 + 1, 2**60], "seconds": [3, 4, 5]}
    >>> part = weft.group_by(comm, visits, "user").sum()
    >>> sorted(int(user) - 2**60 for each in weft.all_gather(comm, part["user"]) for user in each)
    [0, 1]
    """
    with agreed(comm, "group_by") as call:
        engine = _engine_of(table)
        for each in engine.names(table):
            if not isinstance(each, str):
                raise UsageError(f"table: a column is named {each!r}; expected text")
        names = _named("by", by, engine.names(table))
        if not names:
            raise UsageError("by: expected the name of a column, or a list of names")
        missing = not flag("dropna", dropna)
        prepared = engine.prepared(table, names, missing)
        call.same(f"of {engine.said} by {names}{' with missing keys' if missing else ''}")
    return GroupBy(call.native, engine, prepared, names, missing)
