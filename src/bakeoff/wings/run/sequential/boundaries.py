"""The test of a pair, and the boundaries of interim looks that keep the error rate alpha.

Every look sees the first n problems in the order drawn, all of them finished, never the order of completion. Each pair
gets a p-value that is valid however often one looks:

group: with z_k the normal score of the test's p-value at look k (share f_k of the problems), O'Brien–Fleming's test
rejects when |z_k|·√f_k ≥ c(α) at some look. The smallest such α is p = P(max_k |W(f_k)| ≥ max_k |z_k|·√f_k), W a
Brownian motion, the maximum on the right over the looks made.

anytime: p = 1/sup e over all problems so far, e the e-process of the test (Ville's inequality).

Several pairs are corrected by Holm; the experiment stops when all are decided.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from bakeoff.adjusting import adjust
from bakeoff.errors import BakeoffError
from bakeoff.paired import PairedTResult, SignTestResult, WilcoxonResult, paired_t, sign_test, wilcoxon
from bakeoff.paired.differences import directions, paired_differences
from bakeoff.scores import Array, Scores, read_only
from bakeoff.wings.run.design.settings import FRACTIONS, Question
from bakeoff.wings.run.racing.group_boundaries import crossing
from bakeoff.wings.run.racing.pair_evidence import log_e_sign, log_e_signed_rank, log_e_two_point

# The test chosen in the question, on one pair's differences over the problems, and the e-process that goes with it.
#
# On problem j the difference is φ_j = x̄_b − x̄_a (simple) or that divided by a reference (percent), with the sign
# turned
# so that it is positive where a is better: (7) and (13) of Campelo & Takahashi (2019). Percent differences are
# differences of scores divided by the reference, so the tests on tables, and their tolerance for ties, serve both.


METHOD_NAME = "The test of an experiment"
TestResult = PairedTResult | WilcoxonResult | SignTestResult


def compared_scores(scores: Scores, question: Question) -> Scores:
    """The scores that the tests compare: for percent differences every score divided by its problem's reference.

    The reference is the mean of the control, of the first of two algorithms, or of all means where all pairs of three
    or more are compared. A problem whose reference is not positive has no percent differences and is dropped.
    """
    if question.differences == "simple":
        return scores
    means = scores.values
    if question.control is not None:
        reference = means[:, scores.index(question.control)]
    else:
        with np.errstate(over="ignore"):
            reference = means[:, 0] if means.shape[1] == 2 else means.mean(axis=1)
    usable = (reference > 0) & np.isfinite(reference)
    cells = means[:, :, None] if scores.runs is None else scores.runs
    with np.errstate(over="ignore"):
        divided = cells[usable] / reference[usable, None, None]
    names = np.array(scores.problems, dtype=object)
    return Scores.from_cells(
        divided,
        scores.algorithms,
        names[usable].tolist(),
        better=scores.better,
        dropped=(*scores.dropped, *names[~usable].tolist()),
        source_sha256=scores.source_sha256,
        clusters=None
        if scores.clusters is None
        else [c for c, use in zip(scores.clusters, usable, strict=True) if use],
    )


def pair_differences(scores: Scores, a: int, b: int, question: Question) -> Array:
    """(n,) positive where a is better, exactly 0 where tied; ±1 for the sign test, which bears infinite scores."""
    if question.test == "sign":
        return directions(scores, a, b).astype(np.float64)
    return paired_differences(scores, a, b, METHOD_NAME).values


def chosen_test(scores: Scores, a: int, b: int, question: Question) -> TestResult:
    """The test chosen in advance."""
    if question.test == "t":
        return paired_t(scores, a, b, alternative=question.alternative, confidence_level=1 - question.alpha)
    if question.test == "wilcoxon":
        return wilcoxon(scores, a, b, alternative=question.alternative)
    return sign_test(scores, a, b, alternative=question.alternative)


def log_evidence(x: Array, question: Question) -> Array:
    """(n,) logarithm of the e-process that goes with the test, after 1, 2, …, n differences in their order."""
    if question.test == "t":
        return log_e_two_point(x, question.effect_size)
    return log_e_signed_rank(x) if question.test == "wilcoxon" else log_e_sign(x)


EVERY = 100  # an anytime rule looks after every problem up to 2 EVERY, after every 2nd up to 4 EVERY, …


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One look at the first ``n`` problems."""

    number: int  # 1, 2, …
    n: int
    pvalues: Array  # (n_pairs,) valid however often one looks
    adjusted: Array  # (n_pairs,) the same after Holm
    nominal: Array  # (n_pairs,) group: the test's own p-value at this look; anytime: 1/e now
    threshold: float  # alpha
    stop: bool  # every pair is decided, and problems are left

    @property
    def statistic(self) -> float:
        """The largest adjusted p-value: stop when it is at most the threshold."""
        return float(self.adjusted.max())


def look_sizes(question: Question, n_problems: int) -> tuple[int, ...]:
    """The numbers of problems at which to look; the last is the end."""
    if question.sequential is None:
        return ()
    if question.sequential == "group":
        return tuple(sorted({max(2, math.ceil(f * n_problems)) for f in FRACTIONS if n_problems >= 2} | {n_problems}))
    return tuple(_anytime_sizes(n_problems))


def _anytime_sizes(n_problems: int) -> Iterator[int]:
    n = 2
    while n < n_problems:
        yield n
        step = 1 << max(0, (n // EVERY).bit_length() - 1)
        n = n + step - n % step
    yield n_problems


def look(
    number: int,
    n: int,
    evidence: Sequence[tuple[float, float]],
    question: Question,
    n_problems: int,
    before: Look | None,
) -> Look:
    """``evidence`` holds, for each pair, the p-value valid at all looks and the one of this look alone."""
    pvalues = np.array([p for p, _ in evidence])
    if before is not None:
        pvalues = np.minimum(pvalues, before.pvalues)
    adjusted = adjust(pvalues, "holm") if len(pvalues) > 1 else pvalues.copy()
    return Look(
        number=number,
        n=n,
        pvalues=read_only(pvalues),
        adjusted=read_only(adjusted),
        nominal=read_only(np.array([nominal for _, nominal in evidence])),
        threshold=question.alpha,
        stop=bool(adjusted.max() <= question.alpha) and n < n_problems,
    )


def group_evidence(
    ordered: Scores | None, n: int, question: Question, n_pairs: int, n_problems: int
) -> list[tuple[float, float]]:
    """``ordered`` holds what can be compared of the first n problems; 1 where a test cannot be computed."""
    if ordered is None:
        return [(1.0, 1.0)] * n_pairs
    evidence = []
    for a, b in question.pairs(ordered.algorithms):
        try:
            test = chosen_test(compared_scores(ordered, question), a, b, question)
        except BakeoffError:
            evidence.append((1.0, 1.0))
        else:
            p = group_pvalue(test.log_pvalue, n, question, n_problems)
            evidence.append((p, test.pvalue))
    return evidence


def anytime_evidence(differences: Sequence[Array | None], question: Question) -> list[tuple[float, float]]:
    """``differences`` of each pair, in the order of drawing; None where they cannot be computed."""
    evidence = []
    for x in differences:
        log_e = np.zeros(1) if x is None or not len(x) else log_evidence(x, question)
        evidence.append((_p_of(float(np.max(log_e, initial=0.0))), _p_of(float(log_e[-1]))))
    return evidence


def _p_of(log_e: float) -> float:
    return math.exp(min(0.0, -log_e))


def group_pvalue(log_pvalue: float, n: int, question: Question, n_problems: int) -> float:
    """The smallest alpha whose O'Brien–Fleming test, planned for ``n_problems``, rejects with this p-value after n."""
    one_sided = question.alternative != "two-sided"
    tail = log_pvalue if one_sided else log_pvalue - math.log(2.0)
    if tail == -math.inf:
        return 0.0
    z = -float(special.ndtri_exp(min(tail, -1e-300)))
    fractions = fractions_of(question, n_problems)
    reach = z * math.sqrt(n / n_problems)
    if reach <= 0:
        return 1.0
    p = float(crossing(fractions, reach / np.sqrt(fractions)).sum())
    return min(1.0, p / 2 if one_sided else p)


def fractions_of(question: Question, n_problems: int) -> Array:
    """The share of problems that each look really has: 18/35, 27/35 and 1."""
    return np.array(look_sizes(question, n_problems), dtype=np.float64) / n_problems
