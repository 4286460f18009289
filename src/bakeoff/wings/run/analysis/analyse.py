"""The end of Algorithm 2 of Campelo & Takahashi (2019): the test, chosen in advance, of the problems' differences."""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from bakeoff.adjusting import adjust
from bakeoff.cautions import caution_of
from bakeoff.errors import BakeoffError, Caution
from bakeoff.paired import PAIRED, PairedTResult
from bakeoff.paired.alternatives import smallest_pvalue
from bakeoff.scores import Scores, read_only
from bakeoff.scores.clusters import cluster_codes, cluster_means, cluster_names
from bakeoff.wings.run.analysis.cautions import analysis_cautions
from bakeoff.wings.run.analysis.results import (
    ExperimentAnalysis,
    PairAnalysis,
    normality_checks,
    pair_effect,
    power_profile,
)
from bakeoff.wings.run.design.settings import Question
from bakeoff.wings.run.sequential.boundaries import Look, TestResult, chosen_test, compared_scores, pair_differences
from bakeoff.wings.run.store.contents import StoredLook

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
    usable = _usable(scores, question)
    dropped = scores.n_problems - (0 if usable is None else usable.n_problems)
    table = None if usable is None else on_clusters(usable)
    pairs = question.pairs(scores.algorithms)
    raw = [_tested(table, a, b, question, without_success) for a, b in pairs]
    pvalues = _pvalues([test for test, _ in raw], last)
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


def _usable(scores: Scores, question: Question) -> Scores | None:
    """None if no problem has a difference."""
    try:
        table = compared_scores(scores, question)
    except BakeoffError:
        return None
    return table if table.n_problems else None


def _tested(
    table: Scores | None, a: int, b: int, question: Question, without_success: Mapping[int, str]
) -> tuple[TestResult | None, str]:
    for algorithm in (a, b):
        if algorithm in without_success:
            return None, without_success[algorithm]
    if table is None:
        return None, "on no problem could the difference be computed"
    try:
        return chosen_test(table, a, b, question), ""
    except BakeoffError as error:  # infinite or overflowing scores: return the runs without this test
        return None, str(error)


def _pvalues(tests: list[TestResult | None], last: Look | None) -> list[float | None]:
    if last is None:
        return [None if test is None else test.pvalue for test in tests]
    return [None if test is None else float(p) for test, p in zip(tests, last.pvalues, strict=True)]


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


def _verdict(adjusted: float | None, test: TestResult | None, question: Question, n_pairs: int) -> str:
    if adjusted is None or test is None:
        return "cannot tell"
    if adjusted > question.alpha:
        return "cannot tell" if hopeless(test, question, n_pairs) else "no difference shown"
    if question.alternative != "two-sided":
        return "a better" if question.alternative == "greater" else "b better"
    return "a better" if PAIRED[question.test].direction(test) > 0 else "b better"


def hopeless(test: TestResult, question: Question, n_pairs: int) -> bool:
    """Whether no outcome on this many problems could be significant: Holm's first step needs p ≤ α/K."""
    if isinstance(test, PairedTResult):
        return test.df == 0
    return n_pairs * smallest_pvalue(test.n_problems, question.alternative) > question.alpha
