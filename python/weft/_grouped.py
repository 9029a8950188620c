"""Groups of the rows of a table that have equal keys: of dicts of arrays by numpy, else by the library of the table."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ._arrays import Array, as_array
from ._errors import UsageError

Step = tuple[str, str | None, str]
"""The column that is made, the column whose values are combined (None where rows are counted), and how."""

NUMBERS = "expected numbers"


class Engine(Protocol):
    """How tables of one kind are grouped."""

    said: str

    def names(self, table: Any) -> list[str]: ...

    def prepared(self, table: Any, keys: list[str], missing: bool) -> Any:
        """Returns the table with keys in a form that can be compared, without rows that lack a key unless `missing`."""

    def check(self, table: Any, name: str, how: str) -> None: ...

    def as_floats(self, table: Any, name: str, made: str) -> Any:
        """Returns the table with a column of floats of another column."""

    def combined(self, table: Any, keys: list[str], steps: list[Step], missing: bool) -> Any: ...

    def keys(self, table: Any, keys: list[str]) -> list[Any]: ...

    def rows(self, table: Any) -> int: ...

    def divided(self, table: Any, names: list[tuple[str, str]]) -> Any:
        """Returns the table with columns divided by others, which are left out."""


def refused(name: str, how: str, dtype: Any, wanted: str) -> UsageError:
    return UsageError(f"values: column {name!r} holds {dtype}, and {how} is asked for; {wanted}")


class OfArrays:
    """Dicts of arrays. NaN and NaT are missing values."""

    said = "a dict of arrays"

    def names(self, table: Mapping[str, Any]) -> list[str]:
        return list(table)

    def rows(self, table: Mapping[str, Any]) -> int:
        return len(next(iter(table.values()))) if table else 0

    def prepared(self, table: Mapping[str, Any], keys: list[str], missing: bool) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for name, given in table.items():
            column = as_array(f"table[{name!r}]", given)
            if column.dtype == object and all(isinstance(each, str) for each in column.reshape(-1)):
                column = column.astype(str) if column.size else column.astype("U1")
            if column.dtype.kind not in "biufcSUTmM":
                raise UsageError(f"table: column {name!r} holds {column.dtype}; expected numbers, texts or times without missing values")
            if column.ndim != 1:
                raise UsageError(f"table: column {name!r} has the shape {column.shape}; expected one dimension")
            if column.shape == (0,) and not hasattr(given, "dtype"):
                made[name] = []  # of the dtype of other ranks
                continue
            if name in keys and column.dtype.kind == "c":
                raise UsageError(f"by: column {name!r} holds {column.dtype}, which has no order")
            made[name] = column + column.dtype.type(0) if name in keys and column.dtype.kind == "f" else column  # -0.0 is 0.0
        lengths = {len(column) for column in made.values()}
        if len(lengths) > 1:
            raise UsageError(f"table: its columns have {sorted(lengths)} rows; expected one length")
        if missing:
            return made
        kept = ~np.logical_or.reduce([_missing(np.asarray(made[name])) for name in keys])
        return made if kept.all() else {name: np.asarray(column)[kept] for name, column in made.items()}

    def check(self, table: dict[str, Any], name: str, how: str) -> None:
        kind = np.asarray(table[name]).dtype.kind
        if how in ("sum", "mean") and kind not in "biufc":
            raise refused(name, how, np.asarray(table[name]).dtype, NUMBERS)
        if how in ("min", "max") and kind == "c":
            raise refused(name, how, np.asarray(table[name]).dtype, "complex numbers have no order")

    def as_floats(self, table: dict[str, Any], name: str, made: str) -> dict[str, Any]:
        column = np.asarray(table[name])
        return {**table, made: column.astype(np.complex128 if column.dtype.kind == "c" else np.float64)}

    def combined(self, table: dict[str, Any], keys: list[str], steps: list[Step], missing: bool) -> dict[str, Any]:
        if not self.rows(table):
            return {**{name: table[name] for name in keys}, **{made: _none_of(None if of is None else table[of], how) for made, of, how in steps}}
        codes = [np.unique(table[name], return_inverse=True)[1].reshape(-1) for name in keys]
        order = np.lexsort(codes[::-1])
        begins = np.flatnonzero(np.concatenate(([True], np.logical_or.reduce([of[order][1:] != of[order][:-1] for of in codes]))))
        made = {name: table[name][order][begins] for name in keys}
        sizes = np.diff(np.append(begins, len(order)))
        return {**made, **{name: sizes if of is None else _reduced(table[of][order], begins, how) for name, of, how in steps}}

    def keys(self, table: dict[str, Any], keys: list[str]) -> list[Any]:
        return [np.asarray(table[name]) for name in keys]

    def divided(self, table: dict[str, Any], names: list[tuple[str, str]]) -> dict[str, Any]:
        made = dict(table)
        for sums, counts in names:
            with np.errstate(invalid="ignore"):
                made[sums] = np.asarray(made[sums] / made.pop(counts))
        return made


def _missing(column: Array) -> NDArray[np.bool_]:
    made: NDArray[np.bool_] = np.isnat(column) if column.dtype.kind in "mM" else \
        np.isnan(column) if column.dtype.kind in "fc" else np.zeros(len(column), np.bool_)
    return made


def _none_of(column: Any, how: str) -> Any:
    """Returns the column of no rows."""
    if column is None or how == "count":
        return np.empty(0, np.int64)
    if isinstance(column, list):
        return []
    return _reduced(column, np.empty(0, np.int64), how)


def _reduced(values: Array, begins: NDArray[np.int64], how: str) -> Array:
    """Returns the values of each run combined; missing ones are left out."""
    kind = values.dtype.kind
    if how == "count":
        return np.add.reduceat(~_missing(values), begins, dtype=np.int64)
    if how == "sum":
        if kind in "biu":
            return np.add.reduceat(values, begins, dtype=np.uint64 if kind == "u" else np.int64)
        return np.add.reduceat(np.where(_missing(values), values.dtype.type(0), values), begins, dtype=values.dtype)
    if kind in "SUT":
        known, codes = np.unique(values, return_inverse=True)
        return known[(np.minimum if how == "min" else np.maximum).reduceat(codes.reshape(-1), begins)]
    return (np.fmin if how == "min" else np.fmax).reduceat(values, begins)


class OfPandas:
    """Data frames of pandas. The index is ignored."""

    said = "a data frame"

    def names(self, table: Any) -> list[str]:
        return list(table.columns)

    def rows(self, table: Any) -> int:
        return len(table)

    def prepared(self, table: Any, keys: list[str], missing: bool) -> Any:
        pandas = sys.modules["pandas"]
        if not table.columns.is_unique:
            raise UsageError("table: two of its columns have the same name")
        for name in keys:
            of = table[name]
            if of.dtype == object and pandas.api.types.infer_dtype(of, skipna=True) not in ("string", "empty"):
                raise UsageError(f"by: column {name!r} holds Python objects; expected numbers, texts or times")
            if pandas.api.types.is_complex_dtype(of.dtype):
                raise UsageError(f"by: column {name!r} holds {of.dtype}, which has no order")
        return (table if missing else table.dropna(subset=keys)).reset_index(drop=True)

    def check(self, table: Any, name: str, how: str) -> None:
        types, dtype = sys.modules["pandas"].api.types, table[name].dtype
        if how in ("sum", "mean") and not types.is_numeric_dtype(dtype):
            raise refused(name, how, dtype, NUMBERS)
        if how in ("min", "max") and (str(dtype) == "category" or types.is_complex_dtype(dtype)):
            raise refused(name, how, dtype, "it has no order; convert it, as by .astype(str)")

    def as_floats(self, table: Any, name: str, made: str) -> Any:
        of = table[name]
        complexes = sys.modules["pandas"].api.types.is_complex_dtype(of.dtype)
        return table.assign(**{made: of if complexes else of.to_numpy(np.float64, na_value=np.nan)})

    def combined(self, table: Any, keys: list[str], steps: list[Step], missing: bool) -> Any:
        pandas = sys.modules["pandas"]
        wide = table.assign(**{of: _widened(table[of]) for _, of, how in steps if of is not None and how == "sum"})
        groups = table.groupby(keys, observed=True, sort=True, dropna=not missing)
        summed = wide.groupby(keys, observed=True, sort=True, dropna=not missing)
        columns = {made: groups.size() if of is None else getattr((summed if how == "sum" else groups)[of], how)() for made, of, how in steps}
        index = (next(iter(columns.values())) if columns else groups.size()).index
        return pandas.concat([index.to_frame(index=False), *(of.rename(made).reset_index(drop=True) for made, of in columns.items())], axis=1)

    def keys(self, table: Any, keys: list[str]) -> list[Any]:
        return [table[name] for name in keys]

    def divided(self, table: Any, names: list[tuple[str, str]]) -> Any:
        made = table.assign(**{sums: table[sums] / table[counts] for sums, counts in names})
        return made.drop(columns=[counts for _, counts in names])


def _widened(column: Any) -> Any:
    """Returns integers and booleans as integers of 64 bits, which their sums are: where there are no rows, too."""
    pandas, dtype = sys.modules["pandas"], column.dtype
    types = pandas.api.types
    if not (types.is_integer_dtype(dtype) or types.is_bool_dtype(dtype)):
        return column
    wide = np.dtype(np.uint64 if types.is_unsigned_integer_dtype(dtype) else np.int64)
    if isinstance(dtype, np.dtype):
        return column.astype(wide)
    if isinstance(dtype, pandas.ArrowDtype):
        return column.astype(f"{wide}[pyarrow]")
    return column.astype("UInt64" if wide.kind == "u" else "Int64")


class OfArrow:
    """Tables of Arrow. Nulls are missing values, and so is NaN in a key."""

    said = "an Arrow table"

    def names(self, table: Any) -> list[str]:
        return list(table.column_names)

    def rows(self, table: Any) -> int:
        return int(table.num_rows)

    def prepared(self, table: Any, keys: list[str], missing: bool) -> Any:
        arrow, compute = sys.modules["pyarrow"], _compute()
        if isinstance(table, arrow.RecordBatch):
            table = arrow.Table.from_batches([table])
        if len(set(table.column_names)) < table.num_columns:
            raise UsageError("table: two of its columns have the same name")
        for name in keys:
            of = table[name]
            if arrow.types.is_dictionary(of.type) or arrow.types.is_nested(of.type):
                raise UsageError(f"by: column {name!r} holds {of.type}; cast it first to numbers, texts or times")
            if arrow.types.is_floating(of.type):  # NaN is missing, and -0.0 is 0.0
                made = compute.add(compute.if_else(compute.is_nan(of), arrow.scalar(None, of.type), of), arrow.scalar(0.0, of.type))
                table = table.set_column(table.column_names.index(name), name, made)
        return table if missing else table.drop_null() if set(keys) == set(table.column_names) else table.filter(
            _all([compute.is_valid(table[name]) for name in keys]))

    def check(self, table: Any, name: str, how: str) -> None:
        types, of = sys.modules["pyarrow"].types, table[name].type
        number = types.is_integer(of) or types.is_floating(of) or types.is_boolean(of) or types.is_decimal(of)
        if how in ("sum", "mean") and not number:
            raise refused(name, how, of, NUMBERS)
        if how in ("min", "max") and (types.is_dictionary(of) or types.is_nested(of)):
            raise refused(name, how, of, "cast it first to numbers, texts or times")

    def as_floats(self, table: Any, name: str, made: str) -> Any:
        arrow = sys.modules["pyarrow"]
        return table.append_column(made, table[name].cast(arrow.uint8() if arrow.types.is_boolean(table[name].type) else arrow.float64(), safe=False)
                                   .cast(arrow.float64()))

    def combined(self, table: Any, keys: list[str], steps: list[Step], missing: bool) -> Any:
        asked = [([], "count_all") if of is None else (of, how) for _, of, how in steps]
        groups = table.group_by(keys, use_threads=False).aggregate(asked)
        groups = groups.select([*keys, *("count_all" if of is None else f"{of}_{how}" for _, of, how in steps)])
        return groups.rename_columns([*keys, *(made for made, _, _ in steps)]).sort_by([(name, "ascending") for name in keys])

    def keys(self, table: Any, keys: list[str]) -> list[Any]:
        return [table[name] for name in keys]

    def divided(self, table: Any, names: list[tuple[str, str]]) -> Any:
        compute = _compute()
        for sums, counts in names:
            table = table.set_column(table.column_names.index(sums), sums, compute.divide(table[sums], table[counts]))
        return table.drop_columns([counts for _, counts in names])


def _compute() -> Any:
    return importlib.import_module("pyarrow.compute")


def _all(masks: list[Any]) -> Any:
    compute = _compute()
    made = masks[0]
    for each in masks[1:]:
        made = compute.and_(made, each)
    return made
