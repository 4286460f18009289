"""An experiment's report as JSON: the analysis under its own names, and every problem."""

from __future__ import annotations

import dataclasses
from typing import Any

from bakeoff.report.comparison.data import finite, provenance
from bakeoff.report.experiment import sentences
from bakeoff.report.experiment.document import cited_keys

SCHEMA = "bakeoff.experiment/1"


def to_dict(result: Any, command: str | None = None) -> dict[str, Any]:
    """Everything a script may want of a run."""
    found = result.analysis
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "verdict": sentences.verdict(result),
        "better": result.scores.better,
        "algorithms": list(result.algorithms),
        "n_problems": found.n_problems,
        "n_planned": found.n_planned,
        "n_dropped": found.n_dropped,
        "n_runs": result.n_runs,
        "n_failed": result.n_failed,
        "n_beyond": result.n_beyond,
        "reasons": dict(result.reasons),
        "digest": result.digest,
        "question": dataclasses.asdict(found.question),
        "correction": found.correction,
        "stopped_early": found.stopped_early,
        "looks": [x._asdict() for x in found.looks],
        "power": dataclasses.asdict(found.power_profile),
        "pairs": [_pair(p) for p in found.pairs],
        "estimates": [
            {
                "problem": e.problem,
                "n_runs": list(e.n_runs),
                "reason": e.reason,
                "pairs": [dataclasses.asdict(p) for p in e.pairs],
            }
            for e in result.estimates
        ],
    }
    return finite(content | provenance(result.scores, (*found.cautions, *result.cautions), cited_keys(result), command))


def _pair(p: Any) -> dict[str, Any]:
    return {
        "a": p.a,
        "b": p.b,
        "verdict": p.verdict,
        "statistic": None if p.test is None else float(p.test.statistic),
        "pvalue": p.pvalue,
        "adjusted": p.adjusted,
        "effect": None if p.effect is None else dataclasses.asdict(p.effect),
        "shapiro": None
        if p.checks is None or p.checks.shapiro is None
        else {"statistic": float(p.checks.shapiro.statistic), "pvalue": float(p.checks.shapiro.pvalue)},
        "skewness": None if p.checks is None else p.checks.skewness,
        "bootstrap_skewness": None if p.checks is None else p.checks.bootstrap_skewness,
        "differences": dict(zip(p.problems, p.differences.tolist(), strict=True)),
    }
