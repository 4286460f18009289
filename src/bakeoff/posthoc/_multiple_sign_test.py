"""The multiple sign test: which algorithms does the control beat, by counting signs only?"""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from bakeoff.cautions import caution_of
from bakeoff.checks import choice, probability
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution, ParameterError, counted
from bakeoff.nulls.multiple_sign import cdf_of_smallest
from bakeoff.paired.differences import counts as counts_of, directions
from bakeoff.ranks import Ints
from bakeoff.scores import Array, Scores, check_scores, read_only
from bakeoff.scores.clusters import by_cluster, of_units, row_unit
from bakeoff.takes_table import takes_table

# The printed table of critical counts for the multiple sign test.
#
# Rhyne & Steel (1965), as in Derrac et al. (2011), table A.21, and García et al. (2010), table A.1, which are
# identical. One-sided, experimentwise. 30 of its 416 entries are one smaller than the exact distribution allows
# (conservative).

COMPARISONS = (2, 3, 4, 5, 6, 7, 8, 9)
LEVELS = (0.1, 0.05)

CRITICAL: dict[tuple[int, float, int], int | None] = {}
for _line in Path(__file__).with_name("rhyne_steel_1965.txt").read_text(encoding="utf-8").splitlines()[1:]:
    _n, *_cells = _line.split()
    for _i, _cell in enumerate(_cells):
        _level, _m = LEVELS[_i // 8], COMPARISONS[_i % 8]
        CRITICAL[int(_n), _level, _m] = None if _cell == "-" else int(_cell)


def printed_critical_value(n: int, m: int, alpha: float) -> int | None:
    """The largest count at which to reject, None where there is none; outside the table an error."""
    if (n, alpha, m) in CRITICAL:
        return CRITICAL[n, alpha, m]
    raise ParameterError(
        f"must be 'exact' for n = {n}, {m} algorithms beside the control and alpha = {alpha:g}: the printed table has "
        "n in 5 to 25, 30, 35, 40, 45 and 50 problems, 2 to 9 algorithms and alpha 0.05 or 0.1",
        parameter="law",
    )


# The multiple sign test: which algorithms does the control beat, by counting signs only?


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MultipleSignResult:
    """Result of :func:`bakeoff.multiple_sign_test`; arrays are in column order without the control."""

    control: str
    algorithms: tuple[str, ...]  # the others, in column order
    counts: Ints  # signs against the claim, and ties, which is compared with the critical value
    wins: Ints  # problems where the other beats the control (of "less" the control the other): the papers' r_j
    ties: Ints  # problems where neither does
    critical_value: int | None  # the largest count at which the claim is accepted; None: no count would do
    pvalues: Array  # P(min of the m counts <= this count), exact
    log_pvalues: Array
    rejected: npt.NDArray[np.bool_]  # counts <= critical_value: the control is better, of "less" worse
    alpha: float
    method: str  # "exact" or "table": the law behind critical_value
    alternative: str  # "greater": the control is better; "less": worse
    n_problems: int
    n_algorithms: int
    n_dropped: int  # problems left out when the scores were read
    cautions: tuple[Caution, ...]


@takes_table
def multiple_sign_test(
    scores: Scores,
    control: str | int,
    alpha: float = 0.05,
    law: Literal["exact", "table"] = "exact",
    *,
    alternative: Literal["greater", "less"] = "greater",
) -> MultipleSignResult:
    """Which algorithms does the control beat on significantly many problems, all comparisons taken together?

    Use it for a first glance, or when scores of different problems cannot be compared in any way and some runs
    failed. It has little power: nothing but the direction of each difference counts. It is one-sided: whether the
    control is *worse* than something is another claim, ``alternative="less"``.

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms); of clusters the means of the scores are taken.
    control : str or int
        The algorithm all others are compared with, chosen before looking at the results.
    alpha : float
        The chance of any false claim if no two algorithms differ.
    law : {"exact", "table"}
        "exact": the null distribution itself. "table": the printed critical counts of Rhyne & Steel, as in the papers.
        It exists for n = 5..25, 30, 35, 40, 45, 50 problems, 2 to 9 algorithms besides the control, and alpha 0.05 or
        0.1. In 30 of its 416 entries it rejects one count too late.
    alternative : {"greater", "less"}
        The claim: the control is better, or it is worse (the papers' second rule). Each at ``alpha``, chosen before
        looking at the results.

    Returns
    -------
    MultipleSignResult
        ``.counts`` (``.wins`` against the claim, and ``.ties``, which count as those), ``.critical_value``,
        ``.pvalues`` (of the exact distribution, whichever ``law``), ``.rejected``, in column order without the control.

    Raises
    ------
    ParameterError
        ``law="table"`` outside the table.
    TooLargeError
        The exact distribution beyond about 1000 problems with up to 3 other algorithms, 80 with 9, 20 with 19.

    Notes
    -----
    S_j = number of problems where j beats the control or ties with it (the papers' r_j counts signs only: wins).
    Rejected for S_j ≤ c, the largest c with P(min_j S_j ≤ c) ≤ α when all m + 1 algorithms are exchangeable. Steel
    (1959), Rhyne & Steel (1965); Derrac et al. (2011), section 4.1, García et al. (2010), section 3.2. More in
    docs/methods/multiple-sign.md.

    Examples
    --------
    >>> import bakeoff as bo
    >>> errors = [[1, 2, 3], [2, 1, 3], [1, 2, 3], [1, 3, 2], [1, 2, 2], [1, 3, 4], [1, 4, 2], [2, 3, 1]]
    >>> test = bo.multiple_sign_test(bo.Scores(errors, ["ours", "x", "y"], better="lower"), "ours", alpha=0.1)
    >>> test.counts, test.critical_value, test.rejected  # Derrac et al. (2011), table A.21: n = 8, m = 2 has 1
    (array([1, 1]), 1, array([ True,  True]))
    """
    original = check_scores(scores)
    scores = by_cluster(original)
    c = scores.index(control, "control")
    level = probability("alpha", alpha)
    choice("law", law, ("exact", "table"))
    choice("alternative", alternative, ("greater", "less"))
    others = [j for j in range(scores.n_algorithms) if j != c]
    n, m = scores.n_problems, len(others)
    critical = printed_critical_value(n, m, level) if law == "table" else None
    cdf = cdf_of_smallest(n, m)
    if law == "exact" and (below := int(np.searchsorted(cdf, level, side="right"))):
        critical = below - 1
    wins, losses, ties = np.array([counts_of(directions(scores, j, c)) for j in others], dtype=np.int64).T
    wins = wins if alternative == "greater" else losses
    counts = wins + ties
    pvalues = cdf[counts]
    return MultipleSignResult(
        control=scores.algorithms[c],
        algorithms=tuple(scores.algorithms[j] for j in others),
        counts=read_only(counts),
        wins=read_only(wins),
        ties=read_only(ties),
        critical_value=critical,
        pvalues=read_only(pvalues),
        log_pvalues=read_only(np.log(pvalues)),
        rejected=read_only(counts <= (-1 if critical is None else critical)),
        alpha=level,
        method=law,
        alternative=alternative,
        n_problems=n,
        n_algorithms=scores.n_algorithms,
        n_dropped=len(scores.dropped),
        cautions=of_units(tuple(_cautions(ties, critical, n)), row_unit(original)),
    )


def _cautions(ties: Ints, critical: int | None, n: int) -> Iterator[Caution]:
    if total := int(ties.sum()):
        yield caution_of("ties", "signs", ties=counted(total, "tie"), s="s" if total == 1 else "")
    if critical is None:
        yield caution_of("out-of-reach", "control", n=n)
