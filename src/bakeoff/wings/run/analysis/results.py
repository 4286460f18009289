"""What the analysis of an experiment returns."""

from dataclasses import dataclass

from bakeoff import numerals
from bakeoff.errors import Caution, counted
from bakeoff.scores import Array
from bakeoff.wings.run.analysis.normality_checks import Checks
from bakeoff.wings.run.analysis.pair_effect import PairEffect
from bakeoff.wings.run.analysis.power_profile import PowerProfile
from bakeoff.wings.run.design.question import Question
from bakeoff.wings.run.sequential.boundaries import Look
from bakeoff.wings.run.sequential.pair_test import TestResult
from bakeoff.wings.run.store.contents import StoredLook


@dataclass(frozen=True, slots=True, kw_only=True)
class PairAnalysis:
    """One pair over all problems; everything signed is positive where a is better.

    Attributes
    ----------
    a, b : str
        The two algorithms.
    verdict : str
        "a better", "b better", "no difference shown" or "cannot tell".
    pvalue, adjusted : float or None
        Of the test, in a sequential experiment valid at all looks; by Holm's correction over the pairs.
    effect : PairEffect or None
        How much better a is, with an interval.
    test : result of a test, or None
        The fixed-size test on all problems; None if it cannot be computed.
    differences, problems : ndarray (n_problems,), tuple of str
        The differences (for the sign test their signs, ±1 and 0), and the problems they belong to.
    checks : Checks or None
        Of normality; None for signs, and with more than 66 pairs.
    failure : str
        Why there is no test.
    """

    a: str
    b: str
    differences: Array
    problems: tuple[str, ...]
    test: TestResult | None
    pvalue: float | None
    adjusted: float | None
    verdict: str
    effect: PairEffect | None
    checks: Checks | None
    failure: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentAnalysis:
    """The analysis of an experiment.

    Attributes
    ----------
    question : Question
        As fixed before the first run: test, alternative, alpha, effect size, power.
    pairs : tuple of PairAnalysis
        Evidence, decision and effect of each pair; ``pair`` is the first.
    correction : str
        "none" or "holm".
    n_problems, n_planned, n_dropped : int
        Problems that entered the tests, problems of the experiment, finished problems without a difference.
    looks, last_look, stopped_early : tuple, Look or None, bool
        Of a sequential experiment.
    power_profile : PowerProfile
        Which effects it could find.
    without_success : tuple of str
        A sentence for each algorithm that failed in all its runs: there is no verdict on it.
    cautions : tuple of Caution
        About the test.
    """

    question: Question
    pairs: tuple[PairAnalysis, ...]
    correction: str
    looks: tuple[StoredLook, ...]  # looks of a sequential experiment, in order
    last_look: Look | None
    stopped_early: bool  # whether a sequential experiment ended before its last look
    n_problems: int  # problems that entered the tests
    n_planned: int  # problems of the experiment
    n_dropped: int  # finished problems without a difference
    power_profile: PowerProfile
    without_success: tuple[str, ...]
    cautions: tuple[Caution, ...]

    @property
    def pair(self) -> PairAnalysis:
        """The only one, or the first."""
        return self.pairs[0]

    def __str__(self) -> str:
        words = {"a better": "{a} is better than {b}", "b better": "{b} is better than {a}"}
        lines = [
            words.get(p.verdict, "{a} and {b}: " + p.verdict).format(a=p.a, b=p.b)
            + ("" if p.adjusted is None else f" (p = {numerals.pvalue(p.adjusted)})")
            for p in self.pairs
        ]
        return f"{'; '.join(lines)}; {counted(self.n_problems, 'problem')}"
