"""What tests and effect sizes of two algorithms have in common."""

from dataclasses import dataclass

from bakeoff.errors import Caution


@dataclass(frozen=True, slots=True, kw_only=True)
class PairResult:
    """Of two algorithms on the problems of a table."""

    a: str
    b: str
    n_problems: int
    n_dropped: int  # problems left out when the scores were read
    cautions: tuple[Caution, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairShiftResult(PairResult):
    """Of an estimate by how much one is better, with its interval."""

    estimate: float  # positive when a is better, in score units
    low: float
    high: float
    confidence_level: float  # asked for
    achieved_confidence: float  # of [low, high], at least the level unless a caution says otherwise
    zeros: int  # problems without a difference


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTestResult(PairResult):
    """Of a test whether they differ."""

    statistic: float
    pvalue: float
    log_pvalue: float  # natural logarithm; never underflows for a finite statistic
    method: str  # the null distribution that was used
    alternative: str
