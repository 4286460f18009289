"""An experiment as JSON: the analysis under its own names, and every problem."""

from typing import Any

from bakeoff.report.data import Keys, finite, origin, plain_data
from bakeoff.report.experiment import sentences
from bakeoff.report.experiment.methods import cited_keys
from bakeoff.running.analysis.results import ExperimentAnalysis, PairAnalysis
from bakeoff.running.results import Estimate, RunResult

SCHEMA = "bakeoff.experiment/1"
KEYS: Keys = {
    ExperimentAnalysis: ("question", "correction", "stopped_early", "looks"),
    Estimate: ("problem", "n_runs", "reason", "pairs"),
}
_SIZES = ("n_problems", "n_planned", "n_dropped")
_RUNS = ("n_runs", "n_failed", "n_beyond", "reasons", "digest")


def to_dict(result: RunResult, command: str | None = None) -> dict[str, Any]:
    """Everything a script may want of a run."""
    found = result.analysis
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "verdict": sentences.verdict(result),
        "better": result.scores.better,
        "algorithms": list(result.algorithms),
        **{name: plain_data(getattr(found, name)) for name in _SIZES},
        **{name: plain_data(getattr(result, name)) for name in _RUNS},
        **plain_data(found, KEYS),
        "power": plain_data(found.power_profile),
        "pairs": [_pair(p) for p in found.pairs],
        "estimates": plain_data(result.estimates, KEYS),
    }
    return finite(content | origin(result.scores, (*found.cautions, *result.cautions), cited_keys(result), command))


def _pair(p: PairAnalysis) -> dict[str, Any]:
    shapiro = None if p.checks is None else p.checks.shapiro
    return {
        "a": p.a,
        "b": p.b,
        "verdict": p.verdict,
        "statistic": None if p.test is None else float(p.test.statistic),
        "pvalue": p.pvalue,
        "adjusted": p.adjusted,
        "effect": plain_data(p.effect),
        "shapiro": None if shapiro is None else {"statistic": shapiro.statistic, "pvalue": shapiro.pvalue},
        "skewness": None if p.checks is None else p.checks.skewness,
        "bootstrap_skewness": None if p.checks is None else p.checks.bootstrap_skewness,
        "differences": dict(zip(p.problems, p.differences.tolist(), strict=True)),
    }
