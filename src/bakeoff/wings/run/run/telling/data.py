"""An experiment as JSON: the analysis under its own names, and every problem."""

from typing import Any

from bakeoff.errors import Caution
from bakeoff.report.data import Keys, plain_data
from bakeoff.report.telling import values_of
from bakeoff.wings.run.analysis.results import ExperimentAnalysis, PairAnalysis
from bakeoff.wings.run.results import Estimate, RunResult

KEYS: Keys = {
    ExperimentAnalysis: ("question", "correction", "stopped_early", "looks"),
    Estimate: ("problem", "n_runs", "reason", "pairs"),
}
_SIZES = ("n_problems", "n_planned", "n_dropped")
_RUNS = ("n_runs", "n_failed", "n_beyond", "reasons", "digest")


def known_cautions(result: RunResult) -> tuple[Caution, ...]:
    """Of the analysis, and of the runs."""
    return (*result.analysis.cautions, *result.cautions)


def content(result: RunResult) -> dict[str, Any]:
    """What JSON says of a run."""
    return {
        **values_of(result, ("scores.better", "algorithms")),
        **values_of(result.analysis, _SIZES),
        **values_of(result, _RUNS),
        **plain_data(result.analysis, KEYS),
        "power": plain_data(result.analysis.power_profile),
        "pairs": [_pair(p) for p in result.analysis.pairs],
        "estimates": plain_data(result.estimates, KEYS),
    }


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


def protocol(result: RunResult) -> list[tuple[str, str]]:
    """The experiment is the protocol of its run: its digest, as ``bakeoff protocol seal`` prints it before."""
    return [("protocol SHA-256", result.contents.spec_hash)]
