"""read_scores(): any table of scores, checked -> Scores."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, cast

import numpy as np

from bakeoff.checks import choice, closest_to, flag
from bakeoff.errors import MissingScoreError, ParameterError, ReadingError, ScoreError, listing
from bakeoff.reading.cell_forms import with_forms
from bakeoff.reading.files import Digest, no_digest, refuse_for_typed
from bakeoff.reading.fold_columns import refuse_folds_as_problems, test_fraction_of, with_folds
from bakeoff.reading.foreign_files import hint, is_of_results
from bakeoff.reading.layout import arranged
from bakeoff.reading.lazy_frames import as_lazy, lazily_combined, lazy_table
from bakeoff.reading.many_files import Taken, are_many, first_path, source_table
from bakeoff.reading.missing import Cells, completed
from bakeoff.reading.recognition.orientation import Side, as_wide
from bakeoff.reading.selection import names_of, selected
from bakeoff.reading.table import CellError, SourceTable, matching
from bakeoff.reading.wrapped_columns import has_words, with_combined, with_ends, with_fine, with_words, without_rivals
from bakeoff.scores import CELL_SUMMARIES, Better, CellSummary, Scores, as_floats
from bakeoff.scores.cells import check_size, metric_name
from bakeoff.scores.design import WEIGHTS, Weights
from bakeoff.scores.read_as import ReadAs
from bakeoff.scores.runs import MISSING, failures, is_known_end
from bakeoff.shipped import shipped
from bakeoff.words import is_signed, roles

Layout = Literal["auto", "wide", "long"]
Missing = Literal["raise", "drop", "drop-unrun", "worst", "available", "keep"]
Decimal = Literal["auto", ".", ","]


def read_scores(
    source: Any,
    better: Better | str,
    *,
    layout: Layout = "auto",
    problem: str | Sequence[str] | None = None,
    algorithm: str | Sequence[str] | None = None,
    score: str | None = None,
    run: str | Sequence[str] | None = None,
    missing: Missing = "raise",
    only: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
    keep: Sequence[str] | None = None,
    decimal: Decimal = "auto",
    sheet: str | None = None,
    no_header: bool = False,
    cell: CellSummary = "mean",
    metric: str | None = None,
    cluster: str | None = None,
    task: str | None = None,
    weights: Weights | None = None,
    folds: str | None = None,
    repeat: str | None = None,
    test_fraction: float | None = None,
    serial: bool = False,
    status: str | None = None,
    unit: str | None = None,
    rows: Side | None = None,
    ok: Sequence[str] | str | None = None,
) -> Scores:
    """Read a table of scores from a file, a data frame, an array, or records.

    Parameters
    ----------
    source : path, "-", open file, array, data frame, list of records, dict of columns, or several paths
        .csv .tsv .txt .json .jsonl .parquet .xlsx, "-" (standard input), pandas, polars, pyarrow, …. Several files of
        the same columns (a list, {label: path}, a folder, an archive) are one table.
    better : {"lower", "higher"} or "closest-to=X"
        Which direction is good: required, as no default is safe. ``closest-to=0``: a score is its distance from 0.
    layout : {"auto", "wide", "long"}
        wide: a column per algorithm. long: a row per score. auto: long if its columns are there.
    rows : {"problems", "algorithms"}, optional
        What a row of a wide table is; else the first column's name decides (model, solver: algorithms).
    problem : str or list of str, optional
        Column of the problem's name, or several ("space,dataset"); the usual names of this and the following columns
        are recognised.
    algorithm : str or list of str, optional
        Column of the algorithm's name; implies the long layout.
    score : str, optional
        Column of the score; implies the long layout.
    run : str or list of str, optional
        Column of the run's name; implies the long layout. Of several ("seed,episode") the later ones are averaged
        first.
    cluster : str, optional
        Column of a label of the problems that share a source; "prefix": what the problems' names begin with.
    task : str, optional
        Column of the task (suite, benchmark) that a problem is a question of; "prefix": what stands before the first
        slash of the problems' names.
    weights : {"tasks", "problems", "clusters"}, optional
        What counts equally in a mean: tasks if there are several, else problems.
    folds : str, optional
        Column of the fold: runs of a data set that share training data. "columns": a column per fold.
    repeat : str, optional
        Column of the repeat of the cross-validation.
    test_fraction : float, optional
        Share of the data in each test set; 1/k of k-fold cross-validation if absent.
    serial : bool
        The rows are one series in time, whose neighbours may resemble each other.
    status : str, optional
        Column of "ok" or the reason why there is no score; implies the long layout. It may be that of the scores:
        words among them (TIMEOUT) are statuses.
    ok : str or list of str, optional
        Words of the statuses that mean ok, besides those that are known (solved, optimal, sat, …).
    missing : "raise", "drop", "drop-unrun", "worst", "available" or "keep"
        raise: an error that names the cells. drop: the problem is left out (``Scores.dropped``). worst: the run counts
        as infinitely bad (``Scores.filled``). available: the other runs of the cell stand for it. keep: so, and an
        empty cell stays, for ``bo.skillings_mack``. drop-unrun: keep runs whose status says how they failed, and drop
        problems with others, for ``bo.runtimes`` and ``bo.profile``.
    cell : {"mean", "median", "best", "success"}
        What stands for a cell's runs (:meth:`Scores.summarised`).
    metric : str, optional
        What the scores are, such as "accuracy".
    unit : str, optional
        Unit of the scores, such as "s".
    only : list of str, optional
        Compare these algorithms alone.
    drop : list of str, optional
        Leave out these algorithms or problems.
    keep : list of str, optional
        Count these although their names or values say that they are none: a row called Average, a column n_features; a
        column of errors of both signs, under ``lower``.
    decimal : {"auto", ".", ","}
        Of numbers in text; auto: a comma where no number has a point, and it cannot stand for thousands.
    sheet : str, optional
        Of a workbook with several sheets, this one.
    no_header : bool
        The file is a matrix of scores, without a line of names; a first column of names is that of the problems.

    Returns
    -------
    Scores
        Problems and algorithms in order of first appearance.

    Raises
    ------
    ReadingError, MissingScoreError, ScoreError
        What cannot be read, with line and column; a missing score; fewer than two algorithms.

    Notes
    -----
    Missing are: an empty field, NA, NaN, null, None, ``-``, ``?``; in the long layout also what does not occur.
    Of ``3.2±0.1`` the mean is read, and ``12%`` as 12 where a whole column is written so. A column that is no score is
    left out if its name and its values say so (``scores.read_as.roles``). All rules are in docs/how-to/input.md.

    Examples
    --------
    >>> import io, bakeoff as bo
    >>> text = "problem;A;B;C;D\\nP2;7.832;9.828;7.832;7.921"
    >>> bo.rank(bo.read_scores(io.StringIO(text), better="lower"))  # Derrac et al. (2011), Table 8
    array([[1.5, 4. , 1.5, 3. ]])
    """
    target = closest_to(better)
    direction = cast(Better, choice("better", better, ("lower", "higher"))) if target is None else "lower"
    choice("layout", layout, ("auto", "wide", "long"))
    choice("missing", missing, ("raise", "drop", "drop-unrun", "worst", "available", "keep"))
    choice("decimal", decimal, ("auto", ".", ","))
    choice("cell", cell, CELL_SUMMARIES)
    if weights is not None:
        choice("weights", weights, WEIGHTS)
    metric = metric_name(metric)
    only, drop, keep = names_of(only), names_of(drop), names_of(keep)
    parts = {"problem": problem, "algorithm": algorithm, "run": run}
    named: dict[str, Any] = {
        role: ",".join(map(str, name)) if isinstance(name, list | tuple) else name for role, name in parts.items()
    }
    named |= {"score": score, "cluster": cluster, "task": task, "status": status}
    by_fold = None if folds is None else (folds, repeat)
    if folds is None and (repeat, test_fraction) != (None, None):
        raise ParameterError(
            "belongs to folds=, the column of the folds", parameter="repeat" if repeat else "test_fraction"
        )
    if (of_package := shipped(source)) is not None:
        of_package.refuse_direction(better)
    try:
        cells, digest = table_cells(
            source, named, layout, (only, drop, keep), (decimal, sheet, no_header), metric, rows, ok, target, by_fold
        )
        check_size(len(cells.problems), len(cells.algorithms), 1)
        unsure = not _by_usual_names(cells) and not any(named.values())
        if unsure or (named["score"] is None and metric is None and _is_duration(cells)):
            _refuse_of_program(source, cells)
    except ScoreError as error:
        if named["score"] is not None or not (more := hint(first_path(source))):
            raise
        rule = re.split(_ADVICE, error.rule)[0].rstrip(".")  # this file needs other advice
        raise ReadingError(f"{rule}. {more}", parameter=error.parameter, place=error.place) from None
    if target is not None and cells.read_as.closest_to is None:
        cells = replace(cells, scores=np.abs(cells.scores - target), read_as=replace(cells.read_as, closest_to=target))
    elif direction == "lower":
        _refuse_signed(cells, metric, keep)
    _refuse_all_failed(cells)
    if of_package is not None:
        cells = replace(cells, read_as=replace(cells.read_as, source=of_package.said))
    scores = completed(cells, missing, direction).of(
        cells.algorithms,
        direction,
        source_sha256=digest(),
        unscored=missing in ("keep", "drop-unrun") and _all_explained(cells),
        metric=metric or cells.metric,
        run_kind=cells.run_kind,
        folds=None if folds is None else test_fraction_of(cells, folds, repeat, test_fraction),
        unit=unit or cells.unit or None,
        weights=weights,
        read_as=cells.read_as,
        timed_by=dict(cells.read_as.columns).get("problem", ""),
    )
    scores = scores if cell == "mean" else scores.summarised(cell)
    return scores.with_design(serial=True) if flag("serial", serial) else scores


def _refuse_signed(cells: Cells, metric: str | None, keep: Collection[str]) -> None:
    """Errors of both signs, of which the most negative would be the best."""
    name = metric or dict(cells.read_as.columns).get("score", "")
    low, high = cells.extremes or (np.nanmin(cells.scores, initial=0.0), np.nanmax(cells.scores, initial=0.0))
    if not low < 0 < high or name in keep or not is_signed(name):
        return
    raise ReadingError(
        f"{name!r} has both signs, from {low:g} to {high:g}: with lower as better, the most negative is the best. "
        f"If 0 is best, say better='closest-to=0'; if lower is meant, keep={name!r}"
    )


_ADVICE = r"; (?:give \{|write 1 or 0)|\. A column that is no algorithm"


def _by_usual_names(cells: Cells) -> bool:
    """Was each column of a long table recognised by a name of the list?"""
    return all(matching([name], role) for role, name in cells.read_as.columns if role in roles())


def _refuse_of_program(source: Any, cells: Cells) -> None:
    """A table by chance, such as the steps of a run; one that happens to have such a column is read by its names."""
    more = hint(first_path(source), of_header=True)
    if not more or (is_of_results(more) and are_many(source)):
        return
    columns = dict(cells.read_as.columns)
    call = ", ".join(f"{role}={columns[role]!r}" for role in ("problem", "algorithm", "score") if role in columns)
    taken = is_of_results(more) and "problem" in columns
    raise ReadingError(
        f"the names of its columns are of another program{f'; if not, say what they are: {call}' if taken else ''}"
    )


def _is_duration(cells: Cells) -> bool:
    """Is the score a column ``Runtime``, which programs that track runs write beside the metrics?"""
    return dict(cells.read_as.columns).get("score", "").lower() == "runtime"


def _all_explained(cells: Cells) -> bool:
    """Does a status say why each cell without a score has none?"""
    if cells.status is None:
        return False
    return not (np.isnan(cells.scores) & np.isin(cells.status, ("", MISSING))).all(axis=2).any()


def _refuse_all_failed(cells: Cells) -> None:
    """An algorithm without any score, whose runs ended in words that may mean ok."""
    if cells.status is None:
        return
    without = [name for j, name in enumerate(cells.algorithms) if np.isnan(cells.scores[:, j]).all()]
    words = [word for word in failures(cells.status) if not is_known_end(word)]
    if without and words:
        raise MissingScoreError(
            f"no score at all of {listing(without)}: their runs ended in {listing(map(repr, words), 8)}, which is no "
            f"known word for ok. If it means that a run has its score, say so: ok={words[0]!r}"
        )


def table_cells(
    source: Any,
    named: Mapping[str, str | None],
    layout: str = "auto",
    chosen: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]] = ((), (), ()),
    written: tuple[str, str | None, bool] = ("auto", None, False),
    metric: str | None = None,
    rows: Side | None = None,
    ok: Sequence[str] | str | None = None,
    target: float | None = None,
    by_fold: tuple[str, str | None] | None = None,
) -> tuple[Cells, Digest]:
    """The cells that are compared, perhaps of one algorithm, and what gives the sha256 of a file.

    ``chosen``: only, drop, keep; ``written``: decimal, sheet, no_header; ``by_fold``: folds, repeat.
    """
    only, drop, keep = chosen
    table: SourceTable | Cells | None
    taken = Taken()
    lazy = as_lazy(source)
    if lazy is None:
        table, digest, named, taken = source_table(source, named, *written)
    else:
        refuse_for_typed(*written)
        frame = lazily_combined(lazy, named)
        table, digest = lazy_table(frame, layout, named, drop, metric, keep, rows, target), no_digest
    if by_fold is not None and (table is None or isinstance(table, Cells)):
        rule = "names a column, and this source has none, or is lazy: give a file, a data frame that is collected, or "
        raise ParameterError(f"{rule}bo.Scores(values, folds=0.1)", parameter="folds")
    if isinstance(table, Cells):
        return selected(table, only, drop, keep, "the lazy frame"), digest
    if table is None:
        return selected(_array_cells(source, layout, named, rows), only, drop, keep, None), digest
    every = table.names
    table = with_forms(table)
    refuse_folds_as_problems(table, named)
    if by_fold is not None:
        table, named = with_folds(table, named, *by_fold, drop)
        layout = "long"
    table = with_combined(without_rivals(table, drop), named)
    left_out = [name for name in drop if name in table.names or name not in every]
    table = with_fine(table, named, ok)

    def cells_of(table: SourceTable, named: Mapping[str, str | None], layout: str = layout) -> Cells:
        return arranged(table, layout, named, left_out, metric, keep, rows)

    try:
        cells = cells_of(table, named)
    except ReadingError as error:
        if not isinstance(error, CellError) and not has_words(table):
            raise
        if (with_words_read := _with_words(table, named, layout, cells_of)) is None:
            raise
        cells = with_words_read
    spreads = getattr(table, "spreads", 0)
    cells = replace(cells, unit=getattr(table, "unit", ""))
    roles = (*cells.read_as.roles, *getattr(table, "left_out", ()))
    read_as = replace(cells.read_as, roles=roles, spreads=spreads, written=getattr(table, "written", ""))
    cells = replace(cells, read_as=replace(read_as, n_files=taken.n_files, not_taken=taken.others))
    known = {metric, *dict(read_as.columns).values()}  # columns with a role, which the user counts as they are
    keep = tuple(name for name in keep if name not in known)
    # columns of names are left out already, and are neither algorithms nor problems
    there = {*cells.algorithms, *cells.problems} | {name for name in left_out if name not in table.names}
    drop = tuple(name for name in left_out if name and name in there)
    return selected(cells, only, drop, keep, table.origin), digest


def _with_words(
    table: SourceTable, named: Mapping[str, str | None], layout: str, cells_of: Callable[..., Cells]
) -> Cells | None:
    """The cells of a table with words among its scores, long or wide; None if there are none, or it is neither."""
    worded, roles = with_words(table, named)
    if worded is None:
        return None
    if layout != "wide":
        try:
            return cells_of(worded, roles)
        except ReadingError:
            if layout == "long" or any(named.get(role) for role in ("algorithm", "score", "run", "status")):
                raise
    try:
        return with_ends(cells_of(worded.wide(), named, "wide"), worded)
    except ReadingError:
        return None


def _array_cells(source: Any, layout: str, named: Mapping[str, str | None], rows: Side | None) -> Cells:
    """An array (n, k) or (n, k, runs): all columns are scores."""
    flags = [role for role, name in named.items() if name is not None]
    if layout == "long" or flags:
        raise ParameterError(
            f"{flags[0] + '=' if flags else 'layout='}: an array has no named columns; give a data frame, a structured "
            "array or a dict of columns"
        )
    scores = as_floats(source)
    if scores.ndim not in (2, 3):
        raise ScoreError(
            f"must have shape (n_problems, n_algorithms) or (n_problems, n_algorithms, n_runs); got {scores.shape}",
            parameter="source",
        )
    scores = scores[:, :, None] if scores.ndim == 2 else scores
    scores = scores.swapaxes(0, 1) if as_wide(rows, layout) and rows == "algorithms" else scores
    n, k, _ = scores.shape
    return Cells(
        scores=scores,
        missing=np.isnan(scores),
        algorithms=[f"A{j + 1}" for j in range(k)],
        problems=[f"P{i + 1}" for i in range(n)],
        read_as=ReadAs(rows=rows),
    )
