"""What compare() returns: values only; rendering lives in the report."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from bakeoff.errors import Caution
from bakeoff.reportable import Reportable
from bakeoff.scores import Array, Scores

Verdict = Literal["a better", "b better", "no difference shown", "cannot tell"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """Hodges–Lehmann difference in score units, positive when a is better, with its confidence interval."""

    estimate: float
    low: float
    high: float
    confidence_level: float  # of the interval: 1 − alpha, or less where few problems cannot give more (a caution)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One hypothesis "a and b do not differ": evidence, decision, and size of the difference."""

    a: str
    b: str
    statistic: float  # z = (R_b − R_a)/SE for rankings (positive: a better); the test's own statistic otherwise
    pvalue: float  # two-sided, unadjusted
    log_pvalue: float
    adjusted: Mapping[str, float]  # {method: adjusted p}, primary first
    verdict: Verdict
    effect: Effect | None
    wins: int  # problems where a is better
    ties: int
    losses: int
    rank_biserial: float | None  # matched pairs, positive when a is better
    test: str = ""  # as ``Comparison.pairwise``, or "sign" where a difference is undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Something compare() decided, and why; nothing is chosen silently."""

    parameter: str
    value: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a recipe as it was carried out."""

    name: str
    title: str
    outcome: str  # one sentence with the numbers
    passed: bool | None = None  # of a gate; None where nothing is decided
    result: Any = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)  # arrays inside: == would be ambiguous
class Comparison(Reportable):
    """The result of compare(): ``save`` takes .html .md .tex .json, and .svg .png .pdf for the diagram."""

    kind: ClassVar[str] = "comparison"

    scores: Scores
    alpha: float
    control: str | None
    recipe: str | None
    omnibus: Any  # result of the omnibus test: .name .statistic .df .pvalue .log_pvalue
    companion: Any  # Friedman's chi-squared beside Iman–Davenport; else None
    ranking: str  # "friedman" | "aligned" | "quade": which mean ranks these are
    mean_ranks: Array  # (k,) read-only, in column order
    pairwise: str  # "mean-ranks" | "aligned" | "quade" | "wilcoxon" | "sign" | "t"
    posthoc: tuple[str, ...]  # corrections computed, primary first
    primary: str
    pairs: tuple[Pair, ...]
    groups: tuple[tuple[str, ...], ...]  # maximal sets mutually not different, best first; empty with a control
    standard_error: str | None = None  # of tests on ranks: "permutation" | "papers"
    transform: str | None = None  # of the scores before differences are taken: "log"
    critical_difference: float | None  # on the scale of mean_ranks; only for bonferroni and nemenyi on ranks
    contrasts: Array | None  # (k, k) m_u − m_v in score units; None with infinite scores
    kendall_w: float | None
    steps: tuple[Step, ...]  # of a recipe; else empty
    choices: tuple[Choice, ...]
    cautions: tuple[Caution, ...]
