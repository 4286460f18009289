"""The end of Algorithm 2 of Campelo & Takahashi (2019): the test, chosen in advance, of the problems' differences."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from bakeoff.adjusting import adjust
from bakeoff.cautions import caution_of
from bakeoff.errors import BakeoffError, Caution, ScoreError, counted, listing
from bakeoff.paired import PAIRED, PairedTResult
from bakeoff.paired.alternatives import smallest_pvalue
from bakeoff.plan.differences import KINDS
from bakeoff.plan.pilots import form_cautions, moments, weak_reference
from bakeoff.ranks.cautions import without_repetition
from bakeoff.scores import Scores, read_only
from bakeoff.scores.clusters import cluster_codes, cluster_means, cluster_names
from bakeoff.wings.run.analysis.results import (
    ExperimentAnalysis,
    PairAnalysis,
    PowerProfile,
    normality_checks,
    pair_effect,
    power_profile,
    skewness,
)
from bakeoff.wings.run.design.settings import Question, Repetitions
from bakeoff.wings.run.sequential.interim_looks import Look, TestResult, chosen_test, compared_scores, pair_differences
from bakeoff.wings.run.store.contents import Contents, Instance, StoredLook

MOST_CHECKED = 100_000  # differences; with more there are no QQ plots
MOST_PAIRS_CHECKED = 66  # pairs; with more there are no QQ plots


def analyse(
    scores: Scores,
    question: Question,
    n_planned: int,
    looks: tuple[StoredLook, ...] = (),
    last: Look | None = None,
    rng: object = None,
    without_success: Mapping[int, str] = MappingProxyType({}),
) -> ExperimentAnalysis:
    """Answer the question; ``scores`` holds the problems looked at, ``last`` is the last look at them.

    ``without_success``: algorithms that failed in every run, by number, in a sentence. There is no verdict on them.
    """
    usable, refused = _usable(scores, question)
    dropped = scores.n_problems - (0 if usable is None else usable.n_problems)
    table = None if usable is None else on_clusters(usable)
    pairs = question.pairs(scores.algorithms)
    raw = [_tested(table, refused, a, b, question, without_success) for a, b in pairs]
    pvalues = [None if test is None else test.pvalue for test, _ in raw]
    if last is not None:
        pvalues = [None if p is None else at_all for p, at_all in zip(pvalues, last.pvalues.tolist(), strict=True)]
    adjusted = _adjusted(pvalues)
    n = 0 if table is None else table.n_problems
    planned = n if question.sequential is None else n_planned - dropped
    profile = power_profile(question, planned if n else 0, scores.n_algorithms)
    analysed = tuple(
        _pair(table, scores, pair, question, result, p, q, len(pairs), rng)
        for pair, result, p, q in zip(pairs, raw, pvalues, adjusted, strict=True)
    )
    early = last is not None and last.stop
    return ExperimentAnalysis(
        question=question,
        pairs=analysed,
        correction="holm" if len(pairs) > 1 else "none",
        looks=looks,
        last_look=last,
        stopped_early=early,
        n_problems=n,
        n_planned=n_planned,
        n_dropped=dropped,
        power_profile=profile,
        without_success=tuple(without_success.values()),
        cautions=(*analysis_cautions(question, analysed, profile, early, dropped), *_on_clusters(usable, n)),
    )


def on_clusters(table: Scores) -> Scores:
    """One row for each cluster, the mean over its problems; the same where there are none."""
    if table.clusters is None:
        return table
    means = cluster_means(table.values, cluster_codes(table))
    return Scores.from_cells(means[:, :, None], table.algorithms, cluster_names(table), better=table.better)


def _on_clusters(table: Scores | None, n: int) -> tuple[Caution, ...]:
    if table is None or table.clusters is None:
        return ()
    return (caution_of("averaged", "clusters", n=n, n_problems=table.n_problems),)


def _usable(scores: Scores, question: Question) -> tuple[Scores | None, str]:
    """None if no problem has a difference, or some must not be left out; and why."""
    try:
        table = compared_scores(scores, question)
    except ScoreError as error:
        return None, str(error)
    except BakeoffError:
        return None, _NOWHERE
    return (table, "") if table.n_problems else (None, _NOWHERE)


_NOWHERE = "on no problem could the difference be computed"


def _tested(
    table: Scores | None, refused: str, a: int, b: int, question: Question, without_success: Mapping[int, str]
) -> tuple[TestResult | None, str]:
    for algorithm in (a, b):
        if algorithm in without_success:
            return None, without_success[algorithm]
    if table is None:
        return None, refused
    try:
        return chosen_test(table, a, b, question), ""
    except BakeoffError as error:  # infinite or overflowing scores: return the runs without this test
        return None, str(error)


def _adjusted(pvalues: list[float | None]) -> list[float | None]:
    """Holm's correction; a pair without a test has p = 1."""
    if len(pvalues) == 1:
        return pvalues
    adjusted = adjust(np.array([1.0 if p is None else p for p in pvalues]), "holm").tolist()
    return [None if p is None else q for p, q in zip(pvalues, adjusted, strict=True)]


def _pair(
    table: Scores | None,
    scores: Scores,
    pair: tuple[int, int],
    question: Question,
    result: tuple[TestResult | None, str],
    p: float | None,
    adjusted: float | None,
    n_pairs: int,
    rng: object,
) -> PairAnalysis:
    a, b = pair
    test, failure = result
    effect = checks = None
    x = np.empty(0)
    problems: tuple[str, ...] = ()
    if table is not None and test is not None:
        x, problems = pair_differences(table, a, b, question), table.problems
        effect = pair_effect(table, a, b, question, test)
        if question.test != "sign" and len(x) <= MOST_CHECKED and n_pairs <= MOST_PAIRS_CHECKED:
            checks = normality_checks(x, rng)
    return PairAnalysis(
        a=scores.algorithms[a],
        b=scores.algorithms[b],
        differences=read_only(np.array(x, dtype=np.float64)),
        problems=problems,
        test=test,
        pvalue=p,
        adjusted=adjusted,
        verdict=_verdict(adjusted, test, question, n_pairs),
        effect=effect,
        checks=checks,
        failure=failure,
    )


VERDICTS = ("a better", "b better", "no difference shown")
NULL_VERDICTS = ("above the null value", "below the null value", "null value possible")
"""The same of a null value other than that neither is better."""


def _verdict(adjusted: float | None, test: TestResult | None, question: Question, n_pairs: int) -> str:
    if adjusted is None or test is None:
        return "cannot tell"
    above, below, open_ = VERDICTS if question.about_equality else NULL_VERDICTS
    if adjusted > question.alpha:
        return "cannot tell" if hopeless(test, question, n_pairs) else open_
    if question.alternative != "two-sided":
        return above if question.alternative == "greater" else below
    return above if PAIRED[question.test].direction(test) > 0 else below


def hopeless(test: TestResult, question: Question, n_pairs: int) -> bool:
    """Whether no outcome on this many problems could be significant: Holm's first step needs p ≤ α/K."""
    if isinstance(test, PairedTResult):
        return test.df == 0
    return n_pairs * smallest_pvalue(test.n_problems, question.alternative) > question.alpha


# Cautions about the runs and the test; the numbers come from simulations in tests/calibration.


CAMPELO_TAKAHASHI = "Campelo & Takahashi (2019)"
SKEWED = 1.0  # of normal samples of size 20, 1 in 40 is as skewed
SKEWED_ERRORS = 3.0  # and skewness must be that many standard errors from 0


def analysis_cautions(
    question: Question, pairs: Sequence[PairAnalysis], profile: PowerProfile, stopped_early: bool, n_dropped: int
) -> tuple[Caution, ...]:
    """About the test, most important first."""
    cautions = [
        *_about_feasibility(question, pairs),
        *_about_problems(stopped_early, n_dropped if question.kind.relative else 0),
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
    undecided = any(p.verdict in (VERDICTS[2], NULL_VERDICTS[2]) for p in pairs)
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
    skewed, weak, kind = [], [], KINDS[repetitions.differences]
    control = 0 if repetitions.control is None else contents.algorithms.index(repetitions.control)
    values = contents.values()
    for i in done:
        samples = values[i.position]
        if i.reason == "error" and kind.logs:
            continue
        if any(is_skewed(kind.measured(sample).tolist()) for sample in samples):
            skewed.append(i.name)
        if kind.relative and i.reason != "error":
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
