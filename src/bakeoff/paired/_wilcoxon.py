"""Wilcoxon's signed-rank test: is one of two algorithms better, by signs and sizes of the differences?"""

import math
from typing import Literal

import numpy as np
import numpy.typing as npt

from bakeoff.checks import choice, number
from bakeoff.dataclass import dataclass
from bakeoff.nulls.signed_rank import EXACT_LIMIT, signed_rank_tail
from bakeoff.paired.alternatives import ALTERNATIVES, PairTestResult, both_sides, normal_tail, of_pair, power_cautions
from bakeoff.paired.differences import Differences, doubled_signed_ranks, less_null, paired_differences
from bakeoff.ranks import TIE_ULPS, Ints
from bakeoff.scores import Better
from bakeoff.scores.two_samples import TwoSamples, rows_of_two
from bakeoff.takes_table import of_two

ZEROS = ("split", "pratt", "drop")
NAME = "The Wilcoxon signed-rank test"


@dataclass(frozen=True, slots=True, kw_only=True)
class WilcoxonResult(PairTestResult):
    """Result of :func:`bakeoff.wilcoxon`; ``statistic``: T = min(r_plus, r_minus)."""

    r_plus: float  # rank sum where a is better
    r_minus: float  # rank sum where b is better
    zstatistic: float | None  # positive: a better; None when the exact distribution was used
    zeros_policy: str
    n: int  # differences ranked: n_problems less what the policy dropped
    zeros: int  # differences equal to zero, before dropping any
    ties: int  # non-zero differences that share their size with another one
    tie_ulps: int  # differences closer than this many units in the last place of their scores are tied


@of_two
def wilcoxon(
    scores: TwoSamples,
    a: str | int | npt.ArrayLike,
    b: str | int | None = None,
    zeros: Literal["split", "pratt", "drop"] = "split",
    method: Literal["auto", "exact", "normal"] = "auto",
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    *,
    null_value: float = 0.0,
    better: Better | None = None,
) -> WilcoxonResult:
    """Does a differ from b over the problems, judged by ranked differences?

    Use it for two algorithms, fixed beforehand, on independent problems whose differences can be ordered in size; else,
    or with infinite scores, ``bo.sign_test``. Not for runs of one problem, nor for many pairs (``bo.compare``).

    Parameters
    ----------
    scores : Scores
        A table (n_problems, n_algorithms), of which cell means over runs are used; or the sample x of a.
    a : str or int
        The first algorithm, by name or column; or the sample y of b, or one number.
    b : str or int, optional
        The second algorithm; absent with two samples.
    better : {"lower", "higher"}, optional
        Only in ``bo.wilcoxon(x, y, better="lower")``: x are the scores of a and y those of b, one per problem.
    zeros : {"split", "pratt", "drop"}
        Problems without a difference. "split" (the papers): ranked lowest, the ranks shared evenly by both sums; an
        odd one is dropped. "pratt": ranked, then left out of the sums. "drop": left out before ranking.
    method : {"auto", "exact", "normal"}
        "exact": all signs of the non-zero differences, given the ranks with their ties; "normal": without continuity
        correction, as the papers; "auto": exact up to 1000 non-zero differences.
    alternative : {"two-sided", "greater", "less"}
        "greater": a is better than b, whatever the direction of the scores.
    null_value : float
        The centre of the differences under the null hypothesis, positive where a is better: they are ranked less it.

    Returns
    -------
    WilcoxonResult
        ``.statistic`` = min(``.r_plus``, ``.r_minus``), ``.pvalue``, ``.log_pvalue``, the method used, counts.

    Raises
    ------
    InfiniteScoreError, TooLargeError
        An infinite score has no difference; ``method="exact"`` with more than 2000 non-zero differences.
    UnknownNameError, ParameterError
        An algorithm or option that does not exist.

    Notes
    -----
    R⁺ = Σ_{d>0} rank|d| + ½ Σ_{d=0} rank|d| and T = min(R⁺, R⁻): Demšar (2006), section 3.1.3. As in Derrac et al.
    (2011), section 3.2, R⁺ belongs to the first algorithm. p = min(1, 2·P(W ≤ T)), or z = (R⁺ − R⁻)/sqrt(Σ r²) over
    the non-zero differences. Sizes within 16 units in the last place of their scores are tied. More in
    docs/methods/wilcoxon.md.

    Examples
    --------
    >>> import bakeoff as bo
    >>> result = bo.wilcoxon(bo.datasets.load("demsar_2006"), "C4.5+m", "C4.5")
    >>> result.r_plus, result.r_minus, round(result.pvalue, 5)  # Demšar (2006), Table 2
    (93.0, 12.0, 0.00781)
    """
    scores, i, j = rows_of_two(scores, a, b, better)
    choice("zeros", zeros, ZEROS)
    choice("method", method, ("auto", "exact", "normal"))
    choice("alternative", alternative, ALTERNATIVES)
    differences = less_null(paired_differences(scores, i, j, NAME), number("null_value", null_value))
    sums = signed_rank_sums(differences, zeros)
    used = method if method != "auto" else "exact" if len(sums.ranks) <= EXACT_LIMIT else "normal"
    z = None if used == "exact" else sums.zstatistic
    p, log_p = _evidence(sums, alternative, exact=used == "exact")
    return WilcoxonResult(
        **of_pair(scores, i, j),
        statistic=min(sums.r_plus, sums.r_minus),
        pvalue=p,
        log_pvalue=log_p,
        r_plus=sums.r_plus,
        r_minus=sums.r_minus,
        zstatistic=z,
        method=used,
        zeros_policy=zeros,
        alternative=alternative,
        n=sums.n,
        zeros=sums.zeros,
        ties=sums.ties,
        tie_ulps=TIE_ULPS,
        cautions=power_cautions(len(sums.ranks), "difference", used, alternative, "Demšar (2006), section 3.1.3"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedRankSums:
    """The two rank sums, doubled, and the ranks whose signs the null flips."""

    ranks: Ints  # (m,) twice the ranks of the non-zero differences
    plus: int  # twice their sum where a is better
    minus: int
    half_zeros: int  # twice what each sum gets from split zeros
    n: int
    zeros: int
    ties: int

    @property
    def r_plus(self) -> float:
        return (self.plus + self.half_zeros) / 2

    @property
    def r_minus(self) -> float:
        return (self.minus + self.half_zeros) / 2

    @property
    def zstatistic(self) -> float:
        """(R⁺ − R⁻)/sqrt(Σ r²): the sum of independent ±r has mean 0 and variance Σ r²; 0 if there is no rank."""
        exact = len(self.ranks) <= 10**6  # Σ (2r)² ≤ 4n³ fits an integer of 64 bits; beyond, Python's integers
        squares = int(np.dot(self.ranks, self.ranks)) if exact else sum(r * r for r in self.ranks.tolist())
        return (self.plus - self.minus) / math.sqrt(squares) if squares else 0.0

    @property
    def rank_biserial(self) -> float:
        """(R⁺ − R⁻)/(R⁺ + R⁻), 0 if nothing was ranked."""
        total = self.plus + self.minus + 2 * self.half_zeros
        return (self.plus - self.minus) / total if total else 0.0


def signed_rank_sums(differences: Differences, zeros: str = "split") -> SignedRankSums:
    """Rank |d| and sum the ranks of either sign, treating zeros by the policy."""
    signed = doubled_signed_ranks(differences)
    zero_count = int(np.sum(signed == 0))
    kept = {"split": zero_count - zero_count % 2, "pratt": zero_count, "drop": 0}[zeros]
    nonzero = signed[signed != 0]
    ranks = np.abs(nonzero) + 2 * kept  # zeros have the lowest ranks, 1..kept
    sharing = np.bincount(ranks)
    return SignedRankSums(
        ranks=ranks,
        plus=int(ranks[nonzero > 0].sum()),
        minus=int(ranks[nonzero < 0].sum()),
        half_zeros=kept * (kept + 1) // 2 if zeros == "split" else 0,
        n=len(ranks) + kept,
        zeros=zero_count,
        ties=len(ranks) - int(np.sum(sharing == 1)),
    )


def two_sided(sums: SignedRankSums) -> tuple[float, float]:
    """p and its logarithm as ``method="auto"`` has it."""
    return one_sided(sums, "two-sided")


def one_sided(sums: SignedRankSums, alternative: str) -> tuple[float, float]:
    """The same for any alternative."""
    return _evidence(sums, alternative, exact=len(sums.ranks) <= EXACT_LIMIT)


def _evidence(sums: SignedRankSums, alternative: str, exact: bool) -> tuple[float, float]:
    """p and its logarithm. The null is symmetric: every alternative is a lower tail P(W ≤ w)."""
    if not exact:
        return normal_tail(sums.zstatistic, alternative) if len(sums.ranks) else (1.0, 0.0)  # nothing differs
    lower = {"two-sided": min(sums.plus, sums.minus), "greater": sums.minus, "less": sums.plus}[alternative]
    p, log_p = signed_rank_tail(sums.ranks, lower)
    return both_sides(p, log_p) if alternative == "two-sided" else (p, log_p)
