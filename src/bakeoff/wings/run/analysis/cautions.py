"""Cautions about the runs and the test of an experiment; the numbers come from simulations in tests/calibration."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, counted, listing
from bakeoff.plan.pilots import form_cautions, moments, weak_reference
from bakeoff.ranks.cautions import without_repetition
from bakeoff.wings.run.analysis.results import PairAnalysis, PowerProfile, skewness
from bakeoff.wings.run.design.settings import Question, Repetitions
from bakeoff.wings.run.store.contents import Contents, Instance

CAMPELO_TAKAHASHI = "Campelo & Takahashi (2019)"
SKEWED = 1.0  # of normal samples of size 20, 1 in 40 is as skewed
SKEWED_ERRORS = 3.0  # and skewness must be that many standard errors from 0


def analysis_cautions(
    question: Question, pairs: Sequence[PairAnalysis], profile: PowerProfile, stopped_early: bool, n_dropped: int
) -> tuple[Caution, ...]:
    """About the test, most important first."""
    cautions = [
        *_about_feasibility(question, pairs),
        *_about_problems(stopped_early, n_dropped),
        *_about_skewness(question, pairs),
        *_about_power(question, pairs, profile),
    ]
    seen = {c.code for c in cautions}
    for pair in pairs:
        for caution in () if pair.test is None else pair.test.cautions:
            if caution.code not in seen:
                seen.add(caution.code)
                cautions.append(caution)
    return without_repetition(cautions)


def _about_feasibility(question: Question, pairs: Sequence[PairAnalysis]) -> Iterator[Caution]:
    if failed := [p for p in pairs if p.test is None]:
        names = listing(f"{p.a} and {p.b}" for p in failed)
        yield caution_of("not-computed", "test", names=names, failure=failed[0].failure)
    tests = [p.test for p in pairs if p.test is not None]
    if any(p.test is not None and p.verdict == "cannot tell" for p in pairs):
        several = "" if len(pairs) == 1 else f" after Holm's correction over {len(pairs)} pairs"
        yield caution_of(
            "out-of-reach",
            "experiment",
            problems=counted(tests[0].n_problems, "problem"),
            alpha=question.alpha,
            several=several,
        )


def _about_problems(stopped_early: bool, n_dropped: int) -> Iterator[Caution]:
    if stopped_early:
        yield caution_of("stopped-early", "experiment")
    if n_dropped:
        yield caution_of("left-out", "undefined-differences", problems=counted(n_dropped, "problem"))


def _about_skewness(question: Question, pairs: Sequence[PairAnalysis]) -> Iterator[Caution]:
    """Skewness matters to t and signed ranks, which test a mean or a centre of symmetry."""
    skewed = [p for p in pairs if p.checks is not None and is_skewed(p.differences.tolist())]
    if not skewed:
        return
    names = listing(f"{p.a} and {p.b}" for p in skewed)
    advice = {
        "t": "the t-test then rejects a true hypothesis more often than its level",
        "wilcoxon": "the signed-rank test then tests something other than the mean or the median",
    }[question.test]
    errors = " (centred standard lognormal differences, 34 problems, alpha 0.05: 0.113)" if question.test == "t" else ""
    if question.sequential is not None:
        errors = (
            ", and early looks make that worse (centred standard lognormal differences, alpha 0.05: 0.113 with one "
            "look, 0.154 with three)"
        )
    yield caution_of("skew", "experiment", names=names, limit=SKEWED, advice=advice, errors=errors)


def _about_power(question: Question, pairs: Sequence[PairAnalysis], profile: PowerProfile) -> Iterator[Caution]:
    undecided = any(p.verdict == "no difference shown" for p in pairs)
    if undecided and profile.power is not None and profile.power < question.power:
        detectable = "no effect" if profile.detectable is None else f"only effects of |d| ≥ {profile.detectable:.3g}"
        yield caution_of(
            "low-power",
            reference=f"{CAMPELO_TAKAHASHI}, section 4.5",
            problems=counted(profile.n_problems, "problem"),
            effect_size=profile.effect_size,
            power=profile.power,
            detectable=detectable,
            wanted_power=profile.wanted_power,
        )


def run_cautions(contents: Contents) -> tuple[Caution, ...]:
    """About the runs, most important first."""
    done = [i for i in contents.instances if i.done]
    repetitions = contents.repetitions
    about = [*_about_runs(contents), *_about_stops(done, repetitions)]
    if repetitions is not None:
        about += _about_scores(done, contents, repetitions)
        about += form_cautions(repetitions.differences, repetitions.method_used, "method")
    return tuple(about)


def _about_runs(contents: Contents) -> Iterator[Caution]:
    if failed := sum(row.status != "ok" for row in contents.rows):
        runs = Counter(row.algorithm for row in contents.rows)
        each = Counter(row.algorithm for row in contents.rows if row.status != "ok")
        names = listing(f"{n} of {runs[k]} of {contents.algorithms[k]}" for k, n in each.most_common())
        first = next(row.error for row in contents.rows if row.status != "ok")
        yield caution_of(
            "counted-as-worst",
            "failed-runs",
            severity="stop" if contents.without_success else "warning",
            failed=failed,
            runs=counted(len(contents.rows), "run"),
            names=names,
            penalty=contents.penalty,
            first=first,
        )
    if contents.spec["runs"] == 1:
        yield caution_of("single-runs", "experiment", reference=f"{CAMPELO_TAKAHASHI}, section 4.1")
    if contents.n_conflicts:
        yield caution_of("not-reproducible", "runs", runs=counted(contents.n_conflicts, "run"))
    if contents.changed:
        yield caution_of("changed", "code", names=listing(contents.changed))
    if problems := [i.name for i in contents.instances if i.changed]:
        yield caution_of("changed", "problems", names=listing(problems))


def _about_stops(done: Sequence[Instance], repetitions: Repetitions | None) -> Iterator[Caution]:
    by_reason = {reason: [i for i in done if i.reason == reason] for reason in ("budget", "degenerate", "error")}
    if repetitions is not None and (spent := by_reason["budget"]):
        errors = [e for i in spent for e in i.standard_errors if e is not None]
        reached = f"; the largest standard error is {max(errors):.3g}" if errors else ""
        yield caution_of(
            "budget-stops",
            reference=f"{CAMPELO_TAKAHASHI}, Algorithm 1",
            spent=len(spent),
            problems=counted(len(done), "problem"),
            nmax=repetitions.nmax,
            se=repetitions.se,
            reached=reached,
            names=listing(i.name for i in spent),
        )
    if still := by_reason["degenerate"]:
        yield caution_of(
            "no-variation",
            "runs",
            still=len(still),
            problems=counted(len(done), "problem"),
            names=listing(i.name for i in still),
        )
    if wrong := by_reason["error"]:
        yield caution_of(
            "not-computed",
            "difference",
            problems=counted(len(wrong), "problem"),
            names=listing(i.name for i in wrong),
            detail=wrong[0].detail,
        )


def _about_scores(done: Sequence[Instance], contents: Contents, repetitions: Repetitions) -> Iterator[Caution]:
    """Skewed runs, and percentages of a mean that may be zero."""
    if repetitions.statistic != "mean":
        return
    skewed, weak = [], []
    control = 0 if repetitions.control is None else contents.algorithms.index(repetitions.control)
    values = contents.values()
    for i in done:
        samples = values[i.position]
        if any(is_skewed(sample) for sample in samples):
            skewed.append(i.name)
        if repetitions.differences == "percent" and i.reason != "error":
            means, sds, counts = moments(samples)
            if weak_reference(means, sds, counts, repetitions.comparisons, control):
                weak.append(i.name)
    if skewed:
        yield caution_of(
            "skew",
            "runs",
            reference=f"{CAMPELO_TAKAHASHI}, section 4.3",
            skewed=len(skewed),
            problems=counted(len(done), "problem"),
            names=listing(skewed),
        )
    if weak:
        yield caution_of(
            "near-zero",
            "means",
            reference=f"{CAMPELO_TAKAHASHI}, section 4.1.2",
            problems=counted(len(weak), "problem"),
            names=listing(weak),
        )


def is_skewed(sample: Sequence[float]) -> bool:
    """Adjusted Fisher–Pearson skewness beyond 1 and three of its standard errors under normality."""
    n = len(sample)
    if n < 8 or not np.all(np.isfinite(sample)):
        return False
    skew = skewness(np.asarray(sample, dtype=np.float64))
    error = math.sqrt(6.0 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3)))
    return skew is not None and abs(skew) > max(SKEWED, SKEWED_ERRORS * error)
