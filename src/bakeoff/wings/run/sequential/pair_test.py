"""The test chosen in the question, on one pair's differences over the problems, and the e-process that goes with it.

On problem j the difference is φ_j = x̄_b − x̄_a (simple) or that divided by a reference (percent), with the sign turned
so that it is positive where a is better: (7) and (13) of Campelo & Takahashi (2019). Percent differences are
differences of scores divided by the reference, so the tests on tables, and their tolerance for ties, serve both.
"""

import numpy as np

from bakeoff.paired import PairedTResult, SignTestResult, WilcoxonResult, paired_t, sign_test, wilcoxon
from bakeoff.paired.differences import directions, paired_differences
from bakeoff.scores import Array, Scores
from bakeoff.wings.run.design.question import Question
from bakeoff.wings.run.racing.e_processes import log_e_sign, log_e_signed_rank, log_e_two_point

METHOD_NAME = "The test of an experiment"
TestResult = PairedTResult | WilcoxonResult | SignTestResult


def compared_scores(scores: Scores, question: Question) -> Scores:
    """What the tests compare: for percent differences every score divided by its problem's reference.

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
