"""The content of a table, before anything is computed; a result as fragments of a page.

A summary has numbers and names of problems and algorithms; fragments are the verdict and the report's own sections,
without any style of theirs.
"""

from __future__ import annotations

import csv
import hashlib
import math
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from bakeoff.errors import BakeoffError, ParameterError
from bakeoff.reading.table import matching
from bakeoff.reading.workbooks import sheet_names
from bakeoff.report import document
from bakeoff.reportable import Reportable
from bakeoff.wings.formats.formats import recognised
from bakeoff.wings.formats.source_file import SourceFile
from bakeoff.words import is_one_of, named_direction

STORES = (".sqlite", ".sqlite3", ".db")  # of runs, as the command line knows them
MOST_NAMES = 500  # offered to be left out
USUAL = ("algorithm", "score", "run", "problem", "status", "run_id", "run_kind")


def facts_of(
    name: str, read: Callable[[str | None, dict[str, Any]], Any], reading: dict[str, Any], cells: int = 0
) -> dict[str, Any]:
    """Summarise the table called ``name``: of scores, or else of curves over a budget."""
    try:
        return _facts_of_scores(name, read, reading, cells)
    except BakeoffError:
        facts = _facts_of_curves(name, reading, cells)
        if facts is None:
            raise
        return facts


def _facts_of_curves(name: str, reading: dict[str, Any], cells: int) -> dict[str, Any] | None:
    """None if the table is none of curves."""
    from bakeoff.wings.curves.curves.statistics.readers import is_budget, table_trajectories

    columns = column_names(name)
    roles = ("problem", "algorithm", "run", "score", "cluster")
    try:
        runs = table_trajectories(name, {role: reading.get(role) for role in roles}, "lower", None, True)
    except (BakeoffError, OSError, ValueError):
        return None
    if not is_budget(runs.budget_name):
        return None
    each = Counter(runs.cells.tolist()).values()
    return _names(runs, len(runs.costs), cells) | {
        "curves": True,
        "runs": max(each),
        "fewest": min(each),
        "missing": 0,
        "better": None,
        "asks_direction": True,
        "format": None,
        "columns": columns,
        "others": [column for column in columns[1:] if column.lower() not in (*USUAL, runs.budget_name.lower())],
    }


def _names(table: Any, counted: int, cells: int) -> dict[str, Any]:
    """The facts that scores and curves have alike; more than so many ``cells`` are refused."""
    if cells and counted > cells:
        raise ParameterError(f"this table has {counted:,} scores, and at most {cells:,} are computed here")
    return {
        "n_problems": len(table.problems),
        "n_algorithms": len(table.algorithms),
        "algorithms": list(table.algorithms),
        "metric": table.metric,
        "likely": named_direction(table.metric),
    }


def _facts_of_scores(
    name: str, read: Callable[[str | None, dict[str, Any]], Any], reading: dict[str, Any], cells: int = 0
) -> dict[str, Any]:
    """Summarise a table of scores; ``read`` takes a direction and the options of reading.

    A direction is needed to read a plain table: which one makes no difference to what is counted here.
    """
    file = SourceFile(name)
    options = {key: value for key, value in reading.items() if key != "better"}
    foreign = recognised(file)
    store = foreign is None and name.lower().endswith(STORES)
    holes_kept = {} if store else {"missing": "keep"}
    policy = "keep" if options.get("missing") in (None, "bounds", "common") else options["missing"]
    try:
        scores, asks = read(None, {**options, **holes_kept}), False
    except (BakeoffError, TypeError) as first:
        try:
            scores, asks = read("lower", {**options, **holes_kept}), True
        except ParameterError as second:  # the file says the direction: something else is wrong
            if second.parameter == "better" and isinstance(first, BakeoffError):
                raise first from None
            raise
    whole = scores
    if {"drop", "only"} & set(options) or policy != "keep":
        bare = {key: value for key, value in options.items() if key not in ("drop", "only")}
        whole = read("lower" if asks else None, {**bare, **holes_kept})
    runs = 1 if scores.runs is None else int(scores.runs.shape[2])
    return _names(scores, scores.values.size * runs, cells) | {
        "runs": runs,
        "fewest": 1 if scores.runs is None else int(scores.n_runs[~scores.holes].min()),
        "missing": int(scores.holes.sum()),
        "all_algorithms": list(whole.algorithms)[:MOST_NAMES],
        "all_problems": list(whole.problems)[:MOST_NAMES],
        "clusters": scores.clusters is not None and len(set(scores.clusters)),
        "tasks": len(scores.design.task_names),
        "better": None if asks else scores.better,
        "asks_direction": asks,
        "store": store,
        "foreign": foreign is not None and (not asks or scores.source_sha256 != _digest(name)),
        "format": None if foreign is None else foreign.title,
        "columns": column_names(name),
        "sheets": sheets_of(name),
        "others": _others(column_names(name), whole),
        "metrics": _metrics(name, whole, options),
        "status": scores.status is not None,
    }


def _digest(name: str) -> str:
    """The SHA-256 of the file, which a table that was read by itself has too."""
    with open(name, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sheets_of(name: str) -> list[str]:
    """Those of a workbook."""
    return sheet_names(name) if name.lower().endswith(".xlsx") else []


def column_names(name: str) -> list[str]:
    """Those of a table with column names, as far as they can be told from its beginning."""
    try:
        return [column for column in SourceFile(name).columns if column][:MOST_NAMES]
    except (BakeoffError, OSError, UnicodeError, ValueError, csv.Error):
        return []


def _metrics(name: str, scores: Any, options: dict[str, Any]) -> list[str]:
    """Columns of a long table that begin with a number: any may be a metric."""
    columns = column_names(name)[1:]
    if not columns or set(columns) & set(scores.algorithms):
        return []
    try:
        row = next(iter(SourceFile(name).records()), {})
    except (BakeoffError, OSError, EOFError, ValueError, csv.Error):  # it only looks like text
        return []
    read = ",".join(column for role, column in scores.read_as.columns if role != "score").split(",")
    beside = [x.column for x in scores.read_as.roles if x.role in _NO_METRICS and not named_direction(x.column)]
    labels = {str(column).lower() for column in (*read, *beside, *USUAL, options.get("status"))} - {"score"}
    free = [column for column in columns if column.lower() not in labels and not _is_label(column)]
    return [column for column in free if _is_number(row.get(column))]


_NO_METRICS = ("row number", "description", "statistic")
"""Roles of columns of numbers that are left out, and that nobody weighs against the scores."""


def _is_label(column: str) -> bool:
    """Is it called like a run, a fold, a problem or an algorithm?"""
    roles = ("problem", "algorithm", "run", "cluster")
    return is_one_of(column, "fold") or is_one_of(column, "run") or any(matching([column], role) for role in roles)


def _is_number(text: Any) -> bool:
    try:
        return math.isfinite(float(text))
    except (TypeError, ValueError):
        return False


def _others(columns: list[str], scores: Any) -> list[str]:
    """Columns that may say which problems share a source: neither an algorithm nor the first, the problem."""
    return [column for column in columns[1:] if column not in scores.algorithms and column.lower() not in USUAL]


_ADVICE = re.compile(r"""\b([a-z_]+)=["']?([\w-]+)["']?""")
"""A choice that a caution names: ``pairwise="sign"``."""


def fragments_of(result: Reportable, brief: bool = False, command: str = "compare") -> dict[str, Any]:
    """``brief``: the verdict, the diagram and the cautions. Advice is in the words of the page's form."""
    from bakeoff.report.formats import html
    from bakeoff.wings.page.page_words import in_page_words, with_page_words

    report = with_page_words(document(result), command)
    above, below = html.render_strict(report)
    cautions = (*getattr(result, "cautions", ()), *getattr(result, "added", ()))
    return {
        "advice": list(dict.fromkeys(pair for caution in cautions for pair in _ADVICE.findall(caution.text))),
        "title": report.title,
        "verdict": in_page_words(report.verdict, command),
        "basis": report.basis,
        "above": above,
        "below": "" if brief else below,
    }
