"""Cautions about the runs and the test of an experiment; the numbers come from simulations in tests/calibration."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from bakeoff.errors import Caution, counted, listing
from bakeoff.plan.pilots.standard_errors import moments, weak_reference
from bakeoff.ranks.table_cautions import without_repetition
from bakeoff.running.analysis.normality_checks import skewness
from bakeoff.running.analysis.power_profile import PowerProfile
from bakeoff.running.analysis.results import PairAnalysis
from bakeoff.running.design.question import Question
from bakeoff.running.design.settings import Repetitions
from bakeoff.running.store.contents import Contents, Instance

CAMPELO_TAKAHASHI = "Campelo & Takahashi (2019)"
SKEWED = 1.0  # of normal samples of size 20, 1 in 40 is as skewed
SKEWED_ERRORS = 3.0  # and skewness must be that many standard errors from 0


def analysis_cautions(
    question: Question, pairs: Sequence[PairAnalysis], profile: PowerProfile, stopped_early: bool, n_dropped: int
) -> tuple[Caution, ...]:
    """About the test, most important first."""
    found = [
        *_about_feasibility(question, pairs),
        *_about_problems(stopped_early, n_dropped),
        *_about_skewness(question, pairs),
        *_about_power(question, pairs, profile),
    ]
    seen = {c.code for c in found}
    for pair in pairs:
        for caution in () if pair.test is None else pair.test.cautions:
            if caution.code not in seen:
                seen.add(caution.code)
                found.append(caution)
    return without_repetition(found)


def _about_feasibility(question: Question, pairs: Sequence[PairAnalysis]) -> Iterator[Caution]:
    if failed := [p for p in pairs if p.test is None]:
        names = listing(f"{p.a} and {p.b}" for p in failed)
        yield Caution(code="no-test", text=f"The test could not be computed for {names}: {failed[0].failure}")
    tests = [p.test for p in pairs if p.test is not None]
    if any(p.test is not None and p.verdict == "cannot tell" for p in pairs):
        several = "" if len(pairs) == 1 else f" after Holm's correction over {len(pairs)} pairs"
        yield Caution(
            code="few-problems",
            text=f"With {counted(tests[0].n_problems, 'problem')} no outcome of this test could be significant at "
            f"{question.alpha:g}{several}.",
        )


def _about_problems(stopped_early: bool, n_dropped: int) -> Iterator[Caution]:
    if stopped_early:
        yield Caution(
            code="stopped-early",
            text="The experiment stopped because the difference looked large enough, so its estimate is too large on "
            "average, and its interval does not account for the looks. Where the true effect is d = 0.5, with three "
            "looks at up to 35 problems, the mean estimate at the stop is 0.535, and 0.81 among experiments that stop "
            "at the first look (simulated). The p-value does account for the looks.",
        )
    if n_dropped:
        yield Caution(
            code="no-difference",
            text=f"{counted(n_dropped, 'problem')} did not enter the test: percent differences need a positive mean "
            "to divide by. If they are those on which an algorithm does worst (or best), the verdict is about the "
            "others only.",
        )


def _about_skewness(question: Question, pairs: Sequence[PairAnalysis]) -> Iterator[Caution]:
    """Skewness matters to t and signed ranks, which test a mean or a centre of symmetry."""
    skewed = [p for p in pairs if p.checks is not None and is_skewed(p.differences.tolist())]
    if not skewed:
        return
    names = listing(f"{p.a} and {p.b}" for p in skewed)
    advice = {
        "t": "the t-test then rejects a true hypothesis more often than it says",
        "wilcoxon": "the signed-rank test then tests something other than the mean or the median",
    }[question.test]
    text = f"The differences of {names} are skewed (beyond {SKEWED:g}); {advice}"
    if question.sequential is not None:
        text += ", and early looks make that worse (centred standard lognormal differences, alpha 0.05: 0.113 with one "
        text += "look, 0.154 with three)"
    elif question.test == "t":
        text += " (centred standard lognormal differences, 34 problems, alpha 0.05: 0.113)"
    text += ". The chosen test is kept; see the bootstrap of the mean, and next time choose the sign "
    text += "test or differences of logarithms."
    yield Caution(code="skewed-differences", text=text, reference=f"{CAMPELO_TAKAHASHI}, section 4.3")


def _about_power(question: Question, pairs: Sequence[PairAnalysis], profile: PowerProfile) -> Iterator[Caution]:
    undecided = any(p.verdict == "no difference shown" for p in pairs)
    if undecided and profile.power is not None and profile.power < question.power:
        detectable = "no effect" if profile.detectable is None else f"only effects of |d| ≥ {profile.detectable:.3g}"
        yield Caution(
            code="low-power",
            text=f"With {counted(profile.n_problems, 'problem')} an effect of d = {profile.effect_size:g} is found "
            f"with probability {profile.power:.3g}, and {detectable} with {profile.wanted_power:g}: no difference "
            "shown is not no difference.",
            reference=f"{CAMPELO_TAKAHASHI}, section 4.5",
        )


def run_cautions(contents: Contents) -> tuple[Caution, ...]:
    """About the runs, most important first."""
    done = [i for i in contents.instances if i.done]
    asked = contents.repetitions
    scores = () if asked is None else _about_scores(done, contents, asked)
    return (*_about_runs(contents), *_about_stops(done, asked), *scores)


def _about_runs(contents: Contents) -> Iterator[Caution]:
    if failed := sum(row.status != "ok" for row in contents.rows):
        runs = Counter(row.algorithm for row in contents.rows)
        each = Counter(row.algorithm for row in contents.rows if row.status != "ok")
        names = listing(f"{n} of {runs[k]} of {contents.algorithms[k]}" for k, n in each.most_common())
        first = next(row.error for row in contents.rows if row.status != "ok")
        yield Caution(
            code="failed-runs",
            text=f"{failed} of {counted(len(contents.rows), 'run')} failed ({names}); each counts as a score of "
            f"{contents.penalty:g}, as the experiment specifies. The first: {first}",
            severity="stop" if contents.without_success else "warning",
        )
    if contents.spec["runs"] == 1:
        yield Caution(
            code="single-runs",
            text="Each algorithm ran once on each problem: the algorithms can be compared over the "
            "problems, but the precision of a single problem's difference is unknown.",
            reference=f"{CAMPELO_TAKAHASHI}, section 4.1",
        )
    if contents.n_conflicts:
        yield Caution(
            code="not-reproducible",
            text=f"{counted(contents.n_conflicts, 'run')} gave a different score when repeated with the same "
            "seed: an algorithm depends on something else (the clock, another source of randomness, threads). The "
            "first score counts.",
        )
    if contents.changed:
        yield Caution(
            code="changed-code",
            text=f"The code, arguments or files of {listing(contents.changed)} changed after the first runs; they were "
            "not repeated. If the change matters, start with a new store.",
        )
    if problems := [i.name for i in contents.instances if i.changed]:
        yield Caution(
            code="changed-problem",
            text=f"The content of {listing(problems)} changed after the first runs; they were not repeated.",
        )


def _about_stops(done: Sequence[Instance], asked: Repetitions | None) -> Iterator[Caution]:
    by_reason = {reason: [i for i in done if i.reason == reason] for reason in ("budget", "degenerate", "error")}
    if asked is not None and (spent := by_reason["budget"]):
        errors = [e for i in spent for e in i.standard_errors if e is not None]
        reached = f"; the largest standard error is {max(errors):.3g}" if errors else ""
        yield Caution(
            code="budget-stops",
            text=f"On {len(spent)} of {counted(len(done), 'problem')} the {asked.nmax} runs ended before the "
            f"target standard error of {asked.se:g}{reached}: {listing(i.name for i in spent)}.",
            reference=f"{CAMPELO_TAKAHASHI}, Algorithm 1",
        )
    if still := by_reason["degenerate"]:
        yield Caution(
            code="no-variation",
            text=f"On {len(still)} of {counted(len(done), 'problem')} all runs of each algorithm gave the same "
            "score; so few equal runs do not show that an algorithm is deterministic: "
            f"{listing(i.name for i in still)}.",
        )
    if wrong := by_reason["error"]:
        yield Caution(
            code="no-estimate",
            text=f"On {counted(len(wrong), 'problem')} the difference could not be computed: "
            f"{listing(i.name for i in wrong)}. Of the first: {wrong[0].detail}",
        )


def _about_scores(done: Sequence[Instance], contents: Contents, asked: Repetitions) -> Iterator[Caution]:
    """Skewed runs, and percentages of a mean that may be zero."""
    if asked.statistic != "mean":
        return
    skewed, weak = [], []
    control = 0 if asked.control is None else contents.algorithms.index(asked.control)
    values = contents.values()
    for i in done:
        samples = values[i.position]
        if any(is_skewed(sample) for sample in samples):
            skewed.append(i.name)
        if asked.differences == "percent" and i.reason != "error":
            means, sds, counts = moments(samples)
            if weak_reference(means, sds, counts, asked.comparisons, control):
                weak.append(i.name)
    if skewed:
        yield Caution(
            code="skewed-runs",
            text=f"On {len(skewed)} of {counted(len(done), 'problem')} the runs are clearly skewed, and the true "
            "standard error is larger than the one shown (for lognormal scores and n0 = 15 by a fifth); a larger "
            f"n0 helps: {listing(skewed)}.",
            reference=f"{CAMPELO_TAKAHASHI}, section 4.3",
        )
    if weak:
        yield Caution(
            code="weak-reference",
            text=f"On {counted(len(weak), 'problem')} the mean that percent differences divide by is within three "
            f"standard errors of zero; use simple differences: {listing(weak)}.",
            reference=f"{CAMPELO_TAKAHASHI}, section 4.1.2",
        )


def is_skewed(sample: Sequence[float]) -> bool:
    """Adjusted Fisher–Pearson skewness beyond 1 and three of its standard errors under normality."""
    n = len(sample)
    if n < 8 or not np.all(np.isfinite(sample)):
        return False
    found = skewness(np.asarray(sample, dtype=np.float64))
    error = math.sqrt(6.0 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3)))
    return found is not None and abs(found) > max(SKEWED, SKEWED_ERRORS * error)
