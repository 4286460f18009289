"""scikit-posthocs' ``posthoc_wilcoxon()``: signed-rank tests of all pairs."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.checks import choice, flag
from bakeoff.errors import Caution, ParameterError
from bakeoff.migrate.blocked import paired_lists
from bakeoff.migrate.delivery import square_frame
from bakeoff.migrate.rank_tests import square_table, unadjusted, with_adjustment
from bakeoff.paired import wilcoxon
from bakeoff.scores import Array
from bakeoff.scores.pair_family import family_of


def posthoc_wilcoxon(
    a: Any,
    val_col: str | None = None,
    group_col: str | None = None,
    method: str = "auto",
    zero_method: str = "wilcox",
    correction: bool = False,
    p_adjust: str | None = None,
    sort: bool = False,
) -> Any:
    """Wilcoxon's signed-rank test of all pairs, as scikit-posthocs has it.

    The p-values are exact, ties included; SciPy's, which scikit-posthocs passes on, are so only for few differences
    (``peer-normal-approximation``). Without ``p_adjust`` nothing is adjusted, which a warning says.

    Parameters
    ----------
    a : list of lists, or DataFrame
        One list per algorithm (not per problem), in the same order of problems; or a long frame with
    val_col, group_col : str, optional
        the columns of scores and of algorithms, in the same order of problems for each.
    method : {"auto", "exact", "approx", "asymptotic"}
        "auto" is exact here up to 1000 differences.
    zero_method : {"wilcox", "pratt", "zsplit"}
        Differences of zero are left out, ranked and left out, or (the papers') ranked and shared.
    correction : bool
        Must be False: bakeoff has no continuity correction, exact p-values need none.
    p_adjust, sort : str or None, bool
        As for :func:`posthoc_siegel_friedman`.

    Returns
    -------
    DataFrame
        (k, k) p-values, 1 on the diagonal.

    Examples
    --------
    >>> from bakeoff.migrate import posthoc_wilcoxon
    >>> posthoc_wilcoxon([[1, 2, 3, 4, 5], [2, 4.5, 6.2, 8, 9.9], [9, 1, 1.3, 1.7, 2.1]], p_adjust="holm")[1].tolist()
    [1.0, 0.1875, 0.875]
    """
    blocks = paired_lists(a, val_col, group_col, sort)
    zeros: dict[str, Literal["split", "pratt", "drop"]] = {"wilcox": "drop", "pratt": "pratt", "zsplit": "split"}
    laws: dict[str, Literal["auto", "exact", "normal"]] = {
        "auto": "auto",
        "exact": "exact",
        "approx": "normal",
        "asymptotic": "normal",
    }
    choice("zero_method", zero_method, zeros)
    law = laws[choice("method", method, laws)]
    if flag("correction", correction):
        rule = "must be False: there is no continuity correction here. method='auto' gives exact p-values; got True"
        raise ParameterError(rule, parameter="correction")
    family = family_of(blocks.scores.n_algorithms, None)
    tests = [wilcoxon(blocks.scores, i, j, zeros[zero_method], law) for i, j in family]
    other = sum(r.method == "exact" and (r.ties > 0 or r.zeros > 0 or r.n > 50) for r in tests)
    tied = sum(r.method == "exact" and (r.ties > 0 or r.zeros > 0) for r in tests)
    cautions = []
    if law == "auto" and other:
        cautions.append(caution_of("peer-normal-approximation", "auto", other=other, found=len(tests)))
    if law == "exact" and tied:
        cautions.append(caution_of("peer-normal-approximation", "exact", tied=tied, found=len(tests)))
    if zero_method == "zsplit" and (shared := sum(r.zeros > 0 for r in tests)):
        cautions.append(caution_of("peer-shared-zeros", shared=shared, found=len(tests)))
    cautions += _ties_of_decimals(blocks.scores.values, family, [r.ties for r in tests])
    p = with_adjustment(np.array([r.pvalue for r in tests]), p_adjust)
    cautions += unadjusted(p_adjust, len(family))
    return square_frame(square_table(blocks.scores.n_algorithms, family, p), blocks.labels, cautions)


def _ties_of_decimals(values: Array, family: Sequence[tuple[int, int]], ties: Sequence[int]) -> list[Caution]:
    """Differences that are equal as the decimals they were given as, but not in binary."""
    n_ties = 0
    for (a, b), here in zip(family, ties, strict=True):
        sizes = np.abs(values[:, a] - values[:, b])
        _, counts = np.unique(sizes[sizes > 0.0], return_counts=True)
        n_ties += here > int(counts[counts > 1].sum())
    if not n_ties:
        return []
    return [caution_of("peer-decimal-ties", found=n_ties, family=len(family))]
