"""What the analysis of an experiment returns."""

from dataclasses import dataclass

from bakeoff import numerals
from bakeoff.errors import Caution, counted
from bakeoff.running.analysis.normality_checks import Checks
from bakeoff.running.analysis.pair_effect import PairEffect
from bakeoff.running.analysis.power_profile import PowerProfile
from bakeoff.running.design.question import Question
from bakeoff.running.sequential.boundaries import Look
from bakeoff.running.sequential.pair_test import TestResult
from bakeoff.running.store.contents import StoredLook
from bakeoff.scores import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class PairAnalysis:
    """One pair over all problems; everything signed is positive where a is better."""

    a: str
    b: str
    differences: Array  # (n_problems,) in the order of ``problems``; signs (±1, 0) for the sign test
    problems: tuple[str, ...]
    test: TestResult | None  # the fixed-size test on all of them; None if it cannot be computed
    pvalue: float | None  # of the test; in a sequential experiment, valid at all looks
    adjusted: float | None  # Holm over the pairs
    verdict: str  # "a better", "b better", "no difference shown", "cannot tell"
    effect: PairEffect | None
    checks: Checks | None  # None for signs, and with more than 66 pairs
    failure: str  # why there is no test


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """The analysis of an experiment."""

    question: Question
    pairs: tuple[PairAnalysis, ...]
    correction: str  # "none" or "holm"
    looks: tuple[StoredLook, ...]  # of a sequential experiment
    last_look: Look | None
    stopped_early: bool
    n_problems: int  # that entered the tests
    n_planned: int  # problems of the experiment
    n_dropped: int  # finished problems without a difference
    power_profile: PowerProfile
    without_success: tuple[str, ...]  # a sentence for each algorithm that failed in all its runs: no verdict on it
    cautions: tuple[Caution, ...]

    @property
    def pair(self) -> PairAnalysis:
        """The only one, or the first."""
        return self.pairs[0]

    def __str__(self) -> str:
        words = {"a better": "{a} is better than {b}", "b better": "{b} is better than {a}"}
        said = [
            words.get(p.verdict, "{a} and {b}: " + p.verdict).format(a=p.a, b=p.b)
            + ("" if p.adjusted is None else f" (p = {numerals.pvalue(p.adjusted)})")
            for p in self.pairs
        ]
        return f"{'; '.join(said)}; {counted(self.n_problems, 'problem')}"
