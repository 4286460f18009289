"""The pairs as plain columns: for data frames, for ``.csv``, and for ``.xlsx`` where openpyxl is installed."""

from __future__ import annotations

import csv
import importlib
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bakeoff.comparison import Comparison
from bakeoff.errors import Caution, MissingPackageError

_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would run a cell that begins with one of these
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_EVIDENCE = ("statistic", "pvalue", "log_pvalue")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheets:
    """What a result is as a spreadsheet."""

    pairs: dict[str, list[Any]]
    ranking: list[tuple[Any, ...]]
    cautions: Sequence[Caution]


def sheets(comparison: Comparison) -> Sheets:
    """Of a comparison."""
    return Sheets(pairs=pair_columns(comparison), ranking=ranking_rows(comparison), cautions=comparison.cautions)


def pair_columns(comparison: Comparison) -> dict[str, list[Any]]:
    """One entry per pair, in the order of ``comparison.pairs``; None for what could not be computed.

    Columns: a, b, statistic, pvalue, log_pvalue, one ``adjusted_METHOD`` per correction, verdict, effect, effect_low,
    effect_high, rank_biserial, wins, ties, losses.
    """
    pairs = comparison.pairs
    columns: dict[str, list[Any]] = {key: [getattr(p, key) for p in pairs] for key in ("a", "b", *_EVIDENCE)}
    for method in comparison.posthoc:
        columns[f"adjusted_{method}"] = [p.adjusted[method] for p in pairs]
    columns["verdict"] = [p.verdict for p in pairs]
    for column, key in (("effect", "estimate"), ("effect_low", "low"), ("effect_high", "high")):
        columns[column] = [None if p.effect is None else getattr(p.effect, key) for p in pairs]
    return columns | {key: [getattr(p, key) for p in pairs] for key in ("rank_biserial", "wins", "ties", "losses")}


def ranking_rows(comparison: Comparison) -> list[tuple[Any, ...]]:
    """Head and one row per algorithm, best first."""
    ranking = sorted(zip(comparison.mean_ranks.tolist(), comparison.scores.algorithms, strict=True))
    return [("algorithm", "mean_rank"), *((name, mean) for mean, name in ranking)]


def write_csv(sheets: Sheets, path: Path) -> None:
    """Comma-separated UTF-8, full precision; a name that a spreadsheet would take for a formula gets an apostrophe."""
    columns = sheets.pairs
    with path.open("w", encoding="utf-8", newline="", errors="replace") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([_text(cell) for cell in row] for row in zip(*columns.values(), strict=True))


def require_openpyxl() -> Any:
    """The package, or a refusal that says what to do."""
    try:
        return importlib.import_module("openpyxl")
    except ImportError:
        raise MissingPackageError("writing .xlsx needs the package openpyxl; install it, or write .csv") from None


def write_xlsx(sheets: Sheets, path: Path) -> None:
    """Three sheets: pairs, ranking, cautions."""
    book = require_openpyxl().Workbook()
    _fill(book.active, "pairs", [list(sheets.pairs), *zip(*sheets.pairs.values(), strict=True)])
    _fill(book.create_sheet(), "ranking", sheets.ranking)
    rows = [(c.code, c.text, c.reference) for c in sheets.cautions]
    _fill(book.create_sheet(), "cautions", [("code", "text", "reference"), *rows])
    book.save(path)


def _fill(sheet: Any, title: str, rows: list[Any]) -> None:
    sheet.title = title
    for i, row in enumerate(rows, start=1):
        for j, value in enumerate(row, start=1):
            cell = sheet.cell(row=i, column=j)
            if isinstance(value, str):
                cell.value = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", value)
                cell.data_type = "s"  # a name such as "=A1" is text, never a formula
            elif value is not None:
                cell.value = value if math.isfinite(value) else str(value)


def _text(cell: Any) -> str:
    if isinstance(cell, str):
        return f"'{cell}" if cell.startswith(_FORMULA) else cell
    return "" if cell is None else repr(cell)
