"""The pairs of a comparison as columns, for data frames and spreadsheets."""

from __future__ import annotations

from typing import Any

from bakeoff.comparison import Comparison
from bakeoff.report.sheets import Sheets

_EVIDENCE = ("statistic", "pvalue", "log_pvalue")


def sheets(comparison: Comparison) -> Sheets:
    """A row per pair."""
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
