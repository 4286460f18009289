"""A comparison as JSON: the keys of the contract, in their order."""

from __future__ import annotations

from typing import Any

from bakeoff.comparison import Comparison, Pair
from bakeoff.comparison.results import Choice, Step
from bakeoff.report.comparison import sentences
from bakeoff.report.comparison.methods import cited_keys
from bakeoff.report.data import Keys, finite, plain, provenance

SCHEMA = "bakeoff.compare/1"
KEYS: Keys = {
    Comparison: (
        *("alpha", "control", "recipe", "primary", "posthoc", "pairwise", "omnibus", "companion", "kendall_w"),
        *("ranking", "mean_ranks", "critical_difference", "pairs", "groups", "contrasts", "steps", "choices"),
    ),
    Pair: (
        *("a", "b", "statistic", "pvalue", "log_pvalue", "adjusted", "verdict", "effect"),
        *("wins", "ties", "losses", "rank_biserial"),
    ),
    Step: ("name", "title", "outcome", "passed"),
    Choice: ("parameter", "value", "reason"),
}
_TEST = ("name", "statistic", "df", "pvalue", "log_pvalue", "method", "ties", "n_tied", "confidence_interval")


def to_dict(comparison: Comparison, command: str | None = None) -> dict[str, Any]:
    """Everything a script may want of a comparison, under the keys of the contract."""
    c, s = comparison, comparison.scores
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "verdict": sentences.verdict(c),
        "better": s.better,
        "n_problems": s.n_problems,
        "n_algorithms": s.n_algorithms,
        **plain(c, KEYS),
        "omnibus": _test(c.omnibus),
        "companion": None if c.companion is None else _test(c.companion),
        "mean_ranks": dict(zip(s.algorithms, map(float, c.mean_ranks), strict=True)),
    }
    return finite(content | provenance(s, c.cautions, cited_keys(c), command))


def _test(test: Any) -> dict[str, Any]:
    """An omnibus test: what it has of the keys; whole degrees of freedom as whole numbers."""
    found = {key: plain(value) for key in _TEST if (value := getattr(test, key, None)) is not None}
    return found | {"df": [int(x) if float(x).is_integer() else float(x) for x in test.df]}
