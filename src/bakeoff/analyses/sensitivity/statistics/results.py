"""The result of sensitivity(): values only; rendering lives in the report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from bakeoff.analyses.compare.statistics.results import Comparison, Verdict
from bakeoff.dataclass import dataclass, field
from bakeoff.errors import Caution
from bakeoff.reportable import Reportable
from bakeoff.scores import Scores
from bakeoff.scores.pair_family import Adjusted, WithPairs, turned_verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Fragility:
    """The least number of problems whose removal moves the pair's own p-value across its critical one.

    Attributes
    ----------
    n : int or None
        That number; None where no removal does it.
    problems : tuple of str
        Such a set; others of the same size may do as well.
    exact : bool
        Whether fewer are known not to suffice; else ``n`` is an upper bound.
    """

    n: int | None
    problems: tuple[str, ...]
    exact: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Replicability:
    """The probability that a second experiment on as many problems reaches the same verdict.

    Attributes
    ----------
    estimate, standard_error : float
        The probability, never 0 or 1, and the largest Monte Carlo error that it may have.
    n_resamples : int
        How many second experiments were drawn of each effect.
    """

    estimate: float  # the probability, never 0 or 1
    standard_error: float  # largest Monte Carlo error that the estimate may have
    n_resamples: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SensitivePair(Adjusted):
    """One pair: its verdict, and what would change it.

    Attributes
    ----------
    a, b : str
        The two algorithms.
    verdict : str
        As ``bo.compare`` gives it.
    pvalue, adjusted, critical : float
        Raw and adjusted p-value; the largest raw one that would be rejected, all others staying as they are.
    analyses : mapping of str to str
        Verdict by analysis ("wilcoxon + holm": ``pairwise`` and ``posthoc`` of ``bo.compare``).
    flips_without : tuple of str
        Problems each of whose removal changes the verdict.
    adjusted_range : (float, float) or None
        Smallest and largest adjusted p-value with one problem left out.
    flips_without_algorithm : tuple of str
        Algorithms each of whose removal changes it (never one of the two, nor the control).
    adjusted_range_algorithms : (float, float) or None
        Of the adjusted p-value with one of those left out; None where there is none.
    fragility : Fragility or None
        None where the decision does not rest on a p-value of the pair's own.
    replicability : Replicability or None
        None where nothing was resampled.
    rounded : str or None
        Verdict with one decimal fewer; None for tables of more than 4 decimals, or none.
    """

    a: str
    b: str
    verdict: Verdict
    pvalue: float  # raw p-value
    adjusted: float  # adjusted p-value
    critical: float | None  # largest raw p-value that would be rejected, all others staying as they are
    analyses: Mapping[str, Verdict]
    flips_without: tuple[str, ...]
    adjusted_range: tuple[float, float] | None
    flips_without_algorithm: tuple[str, ...]
    adjusted_range_algorithms: tuple[float, float] | None
    fragility: Fragility | None
    replicability: Replicability | None
    rounded: Verdict | None

    @property
    def contradicting(self) -> tuple[str, ...]:
        """The analyses that decide otherwise; "cannot tell" and "no difference shown" both show none."""
        return tuple(name for name, verdict in self.analyses.items() if decision(verdict) != decision(self.verdict))

    @property
    def solid(self) -> bool:
        """Whether the verdict holds under all analyses, without any one problem or algorithm, and rounded."""
        changed = self.contradicting or self.flips_without or self.flips_without_algorithm
        return not changed and self.rounded in (None, self.verdict)

    @property
    def turned(self) -> SensitivePair:
        """The same pair as b against a."""
        return self._turned(
            analyses={name: turned_verdict(verdict) for name, verdict in self.analyses.items()},
            rounded=self.rounded and turned_verdict(self.rounded),
        )


def decision(verdict: Verdict) -> str:
    """The decision of a verdict: who is better, if anyone."""
    return verdict if verdict in ("a better", "b better") else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Sensitivity(WithPairs[SensitivePair], Reportable):
    """The result of ``bo.sensitivity``: ``print`` it, ``save`` it (.html .md .tex .json .xlsx .csv .svg .pdf), read:

    Attributes
    ----------
    verdict : str
        The sentence that every report begins with.
    pairs : tuple of SensitivePair
        One per pair, in the order of ``comparison.pairs``; ``pair(a, b)`` finds one by its names.
    comparison : Comparison
        The verdicts examined, those on differences.
    analyses : tuple of str
        The multiverse, the analysis examined first.
    left_out : mapping of str to str
        Tests and corrections that are no part of it, and why.
    n_resamples : int
        Second experiments drawn.
    decimals : int or None
        To how many the scores were rounded.
    cautions : tuple of Caution
        What a reader must know before quoting the result; those of the comparison first.
    scores, request, added : Scores, mapping, tuple of Caution
        What was examined, the arguments as given, and those of ``cautions`` that the table does not explain.
    """

    kind: ClassVar[str] = "sensitivity"

    comparison: Comparison
    pairs: tuple[SensitivePair, ...]
    analyses: tuple[str, ...]
    left_out: Mapping[str, str]
    n_resamples: int
    decimals: int | None
    cautions: tuple[Caution, ...]
    added: tuple[Caution, ...] = ()
    request: Mapping[str, object] = field(default_factory=dict)  # sensitivity(scores, **request)

    @property
    def scores(self) -> Scores:
        return self.comparison.scores

    @property
    def control(self) -> str | None:
        return self.comparison.control
