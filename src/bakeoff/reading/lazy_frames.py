"""Lazy frames (polars, DuckDB, Dask): a long table is grouped in its own engine, and only the cells come back."""

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import ReadingError, ScoreError, first_line
from bakeoff.reading.columns import ColumnTable, column_values, frame_table
from bakeoff.reading.layout import refuse_doubtful
from bakeoff.reading.long_cells import Codes, long_cells
from bakeoff.reading.missing import Cells
from bakeoff.reading.number_parsing import LARGEST_INTEGER
from bakeoff.reading.recognition.column_roles import left_out_of_long
from bakeoff.reading.recognition.orientation import Side, as_wide
from bakeoff.reading.recognition.roles import roles_of
from bakeoff.reading.table import Coded, SourceTable
from bakeoff.reading.wrapped_columns import BETWEEN, combined_names
from bakeoff.scores import Array
from bakeoff.scores.cells import label_text
from bakeoff.scores.runs import FINE, MISSING, OK, RunStatus, status_word
from bakeoff.words import named_direction

if TYPE_CHECKING:
    import narwhals as nw

MODULES = frozenset(("polars", "duckdb", "dask", "dask_expr", "pyspark", "ibis", "sqlframe", "narwhals"))
COLLECTED = 1_000_000
"""Rows up to which a lazy frame is collected and read as any other."""
BATCH = 20_000_000
"""Rows whose runs are counted at once."""
MOST_STATUSES = 20_000_000
_ORIGIN = "the lazy frame"


def as_lazy(source: Any) -> "nw.LazyFrame[Any] | None":
    """The frame if it is lazy; narwhals is imported only for objects of libraries that have such frames."""
    if type(source).__module__.split(".")[0].lstrip("_") not in MODULES:
        return None
    import narwhals as nw

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of narwhals: Dask will need a package of its own
        lazy = nw.from_native(source, pass_through=True)
    return lazy if isinstance(lazy, nw.LazyFrame) else None


def lazily_combined(frame: "nw.LazyFrame[Any]", named: Mapping[str, str | None]) -> "nw.LazyFrame[Any]":
    """The frame, with a column for each name in ``named`` that is several columns."""
    import narwhals as nw

    names = list(frame.collect_schema())
    for name, parts in combined_names(names, named).items():
        texts = [nw.col(names[j]).cast(nw.String()) for j in parts]
        texts = [nw.when(text != "").then(text) for text in texts]  # a part may be empty or null
        frame = frame.with_columns(nw.concat_str(texts, separator=BETWEEN, ignore_nulls=True).alias(name))
    return frame


def lazy_table(
    frame: "nw.LazyFrame[Any]",
    layout: str,
    named: Mapping[str, str | None],
    drop: Sequence[str],
    metric: str | None,
    keep: Sequence[str],
    rows: Side | None = None,
    target: float | None = None,
) -> ColumnTable | Cells:
    """The table as it is if it is wide, small, or its runs are asked for by name; else its cells.

    ``target``: the scores of cells are means of distances from it.
    """
    import narwhals as nw

    schema = dict(frame.collect_schema())
    table = frame_table(collected(frame.head(100)), _ORIGIN)
    roles, flags, _ = roles_of(table, as_wide(rows, layout), named, drop, metric, keep)
    if roles is None or "run" in flags or not {"metric", "task"}.isdisjoint(roles) or "score" not in roles:
        return frame_table(collected(frame), _ORIGIN)
    if int(collected(frame.select(nw.len().alias("n"))).item()) <= COLLECTED:
        return frame_table(collected(frame), _ORIGIN)
    names = {role: list(schema)[j] for role, j in roles.items()}
    if not schema[names["score"]].is_numeric():
        raise ReadingError(f"{_ORIGIN}: column {names['score']!r} holds {schema[names['score']]}, not numbers; cast it")
    if "status" in names and (schema[names["status"]].is_numeric() or schema[names["status"]] == nw.Boolean()):
        raise ReadingError(f"{_ORIGIN}: column {names['status']!r} is no status, a word, ok or what happened: drop it")
    groups = _Groups(table, frame, names, schema, target).cells()
    used = {*roles.values(), *(j for j, name in enumerate(table.names) if name in drop)}
    left = tuple(left_out_of_long(table, used, roles))
    read_as = replace(groups.read_as, roles=left, columns=tuple(names.items()), closest_to=target)
    cells = replace(groups, metric=names["score"] if named_direction(names["score"]) else None, read_as=read_as)
    if layout == "auto" and not flags:
        refuse_doubtful(table, roles, list(cells.algorithms))
    return cells


def collected(frame: "nw.LazyFrame[Any]") -> Any:
    """In memory; of polars by its streaming engine, which never holds the whole table."""
    options: dict[str, Any] = {"engine": "streaming"} if frame.implementation.is_polars() else {}
    try:
        return frame.collect(**options)
    except Exception as error:  # each engine has its own, of a file that it finds damaged only now
        raise ReadingError(f"{_ORIGIN}: cannot be computed: {first_line(error)}") from None


_COLUMNS = {"p": "problem", "a": "algorithm", "r": "run", "g": "cluster", "w": "status"}


@dataclass(frozen=True)
class _Groups:
    """A long table, grouped by problem and algorithm."""

    table: SourceTable
    frame: "nw.LazyFrame[Any]"
    names: Mapping[str, str]
    schema: Mapping[str, Any]
    target: float | None

    @cached_property
    def _frame(self) -> "nw.LazyFrame[Any]":
        """p, a, (r, g, w): the names; s: the score where there is one; v: whether there is one."""
        import narwhals as nw

        score, dtype = nw.col(self.names["score"]), self.schema[self.names["score"]]
        valid = ~score.is_null()
        if dtype.is_float():
            valid = valid & ~score.is_nan()
        kept = {short: nw.col(self.names[role]) for short, role in _COLUMNS.items() if role in self.names}
        number = score.cast(nw.Float64())
        distance = number if self.target is None else (number - self.target).abs()
        selected = self.frame.select(**kept, x=distance, v=valid)
        if "status" in self.names:
            word = nw.col("w").cast(nw.String()).str.strip_chars().str.to_lowercase()
            selected = selected.with_columns(v=nw.col("v") & (word.is_in(["", *sorted(FINE)]) | nw.col("w").is_null()))
        return selected.with_columns(s=nw.when(nw.col("v")).then(nw.col("x")), v=nw.col("v").cast(nw.Int64())).drop("x")

    def cells(self) -> Cells:
        """One score per cell: the mean, in floating point, of its runs that have a score."""
        import narwhals as nw

        about = [nw.col("g").min().alias("g0"), nw.col("g").max().alias("g1")] if "cluster" in self.names else []
        grouped = collected(
            self._frame.group_by("p", "a").agg(
                nw.len().alias("n"),
                nw.col("v").sum().alias("scored"),
                nw.col("s").mean().alias("mean"),
                nw.col("s").min().alias("low"),
                nw.col("s").max().alias("high"),
                *about,
            )
        )
        column = {name: column_values(grouped[name], _ORIGIN) for name in grouped.columns}
        named = [self._coded("problem", column["p"]), self._coded("algorithm", column["a"])]
        counts = np.array(column["n"], dtype=np.int64)
        scored = np.array(column["scored"], dtype=np.int64)
        self._refuse_repeated(column["p"], counts)
        mean = np.array([np.nan if x is None else x for x in column["mean"]], dtype=np.float64)
        self._refuse_range(column["low"], column["high"], mean, scored)
        cells = long_cells(self.table, named, np.where(scored > 0, mean, np.nan) + 0.0)
        i, j = named[0].codes, named[1].codes
        cells.missing[i, j, 0] = scored < counts
        return replace(
            cells,
            clusters=self._clusters(cells.problems, column) if about else None,
            extremes=(
                min((x for x in column["low"] if x is not None), default=0.0),
                max((x for x in column["high"] if x is not None), default=0.0),
            ),
            status=self._status(cells, i, j, scored, counts) if "status" in self.names else None,
        )

    def _coded(self, role: str, values: Sequence[Any]) -> Coded:
        """Names in order, as an engine has no first row; of numbers by size."""
        different = set(values)
        text = {value: label_text(value) for value in different}
        empty = [value for value, name in text.items() if not name]
        if empty:
            raise ReadingError(f"{_ORIGIN}: the {role}'s name is empty in rows of column {self.names[role]!r}")
        if len(set(text.values())) < len(text):
            raise ReadingError(f"{_ORIGIN}: names in column {self.names[role]!r} differ by spaces only; strip them")
        numeric = all(isinstance(value, int | float) for value in different)
        order = sorted(different) if numeric else sorted(different, key=text.__getitem__)
        place = {value: at for at, value in enumerate(order)}
        return Coded([text[value] for value in order], np.array([place[value] for value in values], dtype=np.int64))

    def _refuse_repeated(self, problems: Sequence[Any], counts: Codes) -> None:
        """Every (problem, algorithm, run) once: the runs of so many rows at a time are counted."""
        import narwhals as nw

        if "run" not in self.names:
            if (counts > 1).any():
                raise ReadingError(
                    f"{_ORIGIN}: each (problem, algorithm) must occur once; {int((counts > 1).sum())} occur more "
                    f"often, one of problem {problems[int(np.argmax(counts > 1))]!r}. If these are runs, name their "
                    "column run"
                )
            return
        rows = Counter[Any]()
        for problem, count in zip(problems, counts.tolist(), strict=True):
            rows[problem] += count
        nth = np.cumsum(list(rows.values())) // BATCH
        batches = [[problem for _, problem in own] for _, own in groupby(zip(nth, rows, strict=True), itemgetter(0))]
        for batch in batches:
            part = self._frame if len(batches) == 1 else self._frame.filter(nw.col("p").is_in(batch))
            repeated = collected(
                part.group_by("p", "a").agg(
                    nw.len().alias("n"), nw.col("r").n_unique().alias("u"), nw.col("r").count().alias("c")
                )
            )
            for problem, algorithm, n, different, named in zip(
                *(column_values(repeated[name], _ORIGIN) for name in ("p", "a", "n", "u", "c")), strict=True
            ):
                if named < n:
                    raise ReadingError(f"{_ORIGIN}: the run's name is empty in rows of column {self.names['run']!r}")
                if different < n:
                    raise ReadingError(
                        f"{_ORIGIN}: each (problem, algorithm, run) must occur once; problem {problem!r}, algorithm "
                        f"{algorithm!r} has {n} rows and {different} different runs"
                    )

    def _refuse_range(self, low: Sequence[Any], high: Sequence[Any], mean: Array, scored: Codes) -> None:
        if ((scored > 0) & np.isnan(mean)).any():
            raise ScoreError(f"{_ORIGIN}: a cell has runs at both +inf and -inf: their mean is undefined")
        if self.schema[self.names["score"]].is_integer() and any(
            abs(x) > LARGEST_INTEGER for x in (*low, *high) if x is not None
        ):
            raise ScoreError(f"{_ORIGIN}: integers beyond 2**53 cannot be told apart as floating point; rescale")

    def _clusters(self, problems: Sequence[str], column: Mapping[str, Sequence[Any]]) -> list[str]:
        of: dict[str, str] = {}
        for problem, first, last in zip(column["p"], column["g0"], column["g1"], strict=True):
            name = label_text(problem)
            if first is None or not label_text(first):
                raise ReadingError(f"{_ORIGIN}: the cluster's name is empty for problem {name!r}")
            if first != last or of.setdefault(name, label_text(first)) != label_text(first):
                raise ReadingError(
                    f"{_ORIGIN}: problem {name!r} is in several clusters, {label_text(first)!r} and another one; a "
                    "problem belongs to one cluster"
                )
        return [of[name] for name in problems]

    def _status(self, cells: Cells, i: Codes, j: Codes, scored: Codes, counts: Codes) -> RunStatus:
        """ok where there is a mean, then a word for each run without a score."""
        import narwhals as nw

        width = 1 + int((counts - scored).max(initial=0))
        n, k = len(cells.problems), len(cells.algorithms)
        if n * k * width > MOST_STATUSES:
            raise ReadingError(
                f"{_ORIGIN}: {int((counts - scored).sum())} runs have no score, too many to be kept one by one; leave "
                "them out of the frame, or name the column of runs with run="
            )
        status = np.full((n, k, width), "", dtype=object)
        status[i, j, 0] = np.where(scored > 0, OK, "")
        if width == 1:
            return status
        failed = self._frame.filter(nw.col("v") == 0).group_by("p", "a", "w").agg(nw.len().alias("n"))
        row_values = collected(failed)
        rows = {name: at for at, name in enumerate(cells.problems)}
        columns = {name: at for at, name in enumerate(cells.algorithms)}
        values = zip(*(column_values(row_values[name], _ORIGIN) for name in ("p", "a", "w", "n")), strict=True)
        for problem, algorithm, word, count in sorted(values, key=repr):
            cell = status[rows[label_text(problem)], columns[label_text(algorithm)]]
            word_known = status_word(word)
            at = int((cell != "").sum())
            cell[at : at + count] = MISSING if word_known in ("", OK) else word_known
        return status
