"""Cautions about the runs of an experiment."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from bakeoff.errors import Caution, counted, listing
from bakeoff.plan.pilots.standard_errors import moments, weak_reference
from bakeoff.running.design.settings import Repetitions
from bakeoff.running.store.contents import Contents, Instance

CAMPELO_TAKAHASHI = "Campelo & Takahashi (2019)"
SKEWED = 1.0  # of normal samples of size 20, 1 in 40 is as skewed
SKEWED_ERRORS = 3.0  # and skewness must be that many standard errors from 0


def run_cautions(contents: Contents) -> tuple[Caution, ...]:
    """Most important first."""
    done = [i for i in contents.instances if i.done]
    asked = contents.repetitions
    found = [*_about_runs(contents), *_about_stops(done, asked)]
    if asked is not None:
        values = contents.values()
        found += _about_scores(done, values, contents, asked)
    return tuple(found)


def _about_runs(contents: Contents) -> list[Caution]:
    found = []
    failed = sum(row.status != "ok" for row in contents.rows)
    if failed:
        found.append(
            Caution(
                code="failed-runs",
                text=f"{failed} of {counted(len(contents.rows), 'run')} failed; each counts as a score of "
                f"{contents.penalty:g}, as the experiment specifies.",
            )
        )
    if contents.spec["runs"] == 1:
        found.append(
            Caution(
                code="single-runs",
                text="Each algorithm ran once on each problem: the algorithms can be compared over the "
                "problems, but the precision of a single problem's difference is unknown.",
                reference=f"{CAMPELO_TAKAHASHI}, section 4.1",
            )
        )
    if contents.n_conflicts:
        found.append(
            Caution(
                code="not-reproducible",
                text=f"{counted(contents.n_conflicts, 'run')} gave a different score when repeated with the same "
                "seed: an algorithm depends on something else (the clock, another source of randomness, threads). The "
                "first score counts.",
            )
        )
    if contents.changed:
        found.append(
            Caution(
                code="changed-code",
                text=f"The code of {listing(contents.changed)} changed after the first runs; they were not "
                "repeated. If the change matters, start with a new store.",
            )
        )
    if files := [i.name for i in contents.instances if i.changed]:
        found.append(
            Caution(
                code="changed-problem",
                text=f"The file of {listing(files)} changed after the first runs; they were not repeated.",
            )
        )
    return found


def _about_stops(done: Sequence[Instance], asked: Repetitions | None) -> list[Caution]:
    found = []
    by_reason = {reason: [i for i in done if i.reason == reason] for reason in ("budget", "degenerate", "error")}
    if asked is not None and (spent := by_reason["budget"]):
        errors = [e for i in spent for e in i.standard_errors if e is not None]
        reached = f"; the largest standard error is {max(errors):.3g}" if errors else ""
        found.append(
            Caution(
                code="budget-stops",
                text=f"On {len(spent)} of {counted(len(done), 'problem')} the {asked.nmax} runs ended before the "
                f"target standard error of {asked.se:g}{reached}: {listing(i.name for i in spent)}.",
                reference=f"{CAMPELO_TAKAHASHI}, Algorithm 1",
            )
        )
    if still := by_reason["degenerate"]:
        found.append(
            Caution(
                code="no-variation",
                text=f"On {len(still)} of {counted(len(done), 'problem')} all runs of each algorithm gave the same "
                "score; so few equal runs do not show that an algorithm is deterministic: "
                f"{listing(i.name for i in still)}.",
            )
        )
    if wrong := by_reason["error"]:
        found.append(
            Caution(
                code="no-estimate",
                text=f"On {counted(len(wrong), 'problem')} the difference could not be computed: "
                f"{listing(i.name for i in wrong)}. Of the first: {wrong[0].detail}",
            )
        )
    return found


def _about_scores(
    done: Sequence[Instance], values: dict[int, list[list[float]]], contents: Contents, asked: Repetitions
) -> list[Caution]:
    """Skewed runs, and percentages of a mean that may be zero."""
    skewed, weak = [], []
    control = 0 if asked.control is None else contents.algorithms.index(asked.control)
    for i in done:
        samples = values[i.position]
        if any(is_skewed(sample) for sample in samples):
            skewed.append(i.name)
        if asked.differences == "percent" and asked.statistic == "mean" and i.reason != "error":
            means, sds, counts = moments(samples)
            if weak_reference(means, sds, counts, asked.comparisons, control):
                weak.append(i.name)
    found = []
    if skewed and asked.statistic == "mean":
        found.append(
            Caution(
                code="skewed-runs",
                text=f"On {len(skewed)} of {counted(len(done), 'problem')} the runs are clearly skewed, and the true "
                "standard error is larger than the one shown (for lognormal scores and n0 = 15 by a fifth); a larger "
                f"n0 helps: {listing(skewed)}.",
                reference=f"{CAMPELO_TAKAHASHI}, section 4.3",
            )
        )
    if weak:
        found.append(
            Caution(
                code="weak-reference",
                text=f"On {counted(len(weak), 'problem')} the mean that percent differences divide by is within three "
                f"standard errors of zero; use simple differences: {listing(weak)}.",
                reference=f"{CAMPELO_TAKAHASHI}, section 4.1.2",
            )
        )
    return found


def is_skewed(sample: Sequence[float]) -> bool:
    """Adjusted Fisher–Pearson skewness beyond 1 and three of its standard errors under normality."""
    n = len(sample)
    if n < 8:
        return False
    x = np.asarray(sample, dtype=np.float64)
    size = float(np.max(np.abs(x)))
    if not 0 < size < math.inf or np.min(x) == np.max(x):
        return False
    deviations = x / size - np.mean(x / size)
    spread = math.sqrt(float(np.mean(deviations**2)))
    if spread == 0:
        return False
    skewness = float(np.mean((deviations / spread) ** 3)) * math.sqrt(n * (n - 1)) / (n - 2)
    error = math.sqrt(6.0 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3)))
    return abs(skewness) > max(SKEWED, SKEWED_ERRORS * error)
