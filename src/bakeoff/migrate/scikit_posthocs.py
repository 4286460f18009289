"""scikit-posthocs' tests of blocked data: ``from bakeoff.migrate import scikit_posthocs as sp``."""

from typing import Any, Literal

import numpy as np
from scipy.special import ndtr

from bakeoff.cautions import caution_of
from bakeoff.checks import choice, flag
from bakeoff.migrate._critical_difference_diagram import critical_difference_diagram as critical_difference_diagram
from bakeoff.migrate._posthoc_wilcoxon import posthoc_wilcoxon as posthoc_wilcoxon
from bakeoff.migrate.blocked import Blocked, of_blocks
from bakeoff.migrate.delivery import PANDAS, square_frame, with_cautions
from bakeoff.migrate.rank_tests import (
    by_mean_ranks,
    by_pooled_error,
    miller,
    nemenyi,
    pool,
    siegel,
    single_step,
    square_table,
    tied_ranks,
    unadjusted,
    with_adjustment,
)
from bakeoff.migrate.refused import REFUSED, refusing
from bakeoff.packages import optional
from bakeoff.posthoc.pairs import pair_tests
from bakeoff.ranks import rank, rank_weighted
from bakeoff.scores import Array
from bakeoff.scores.pair_family import family_of


def __getattr__(name: str) -> object:
    if name in REFUSED:
        return refusing(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)


@of_blocks()
def posthoc_nemenyi_friedman(blocks: Blocked) -> Any:
    """Nemenyi's test of all pairs by mean ranks, with the arguments and the answer of scikit-posthocs.

    The numbers are those of scikit-posthocs, but where ranks are tied (``peer-ignores-ties``).

    Parameters
    ----------
    a : DataFrame or array
        One row per problem and one column per algorithm; with ``melted`` one row per score.
    y_col, group_col, block_col, block_id_col : str, optional
        With ``melted``: the columns of scores, algorithms and problems; ``block_id_col`` tells problems apart.
    melted, sort : bool
        ``a`` is long; sort the algorithms.

    Returns
    -------
    DataFrame
        (k, k) adjusted p-values, 1 on the diagonal; cautions in ``.attrs["cautions"]``.

    Examples
    --------
    >>> from bakeoff.migrate import posthoc_nemenyi_friedman
    >>> p = posthoc_nemenyi_friedman([[1, 2, 3], [1, 3, 2], [1, 2, 3], [1, 2, 3], [2, 1, 3], [1, 2, 3]])
    >>> p.round(4)[0].tolist()  # scikit-posthocs 0.17.1
    [1.0, 0.3186, 0.0109]
    """
    return by_mean_ranks(blocks, nemenyi, None, True)


@of_blocks()
def posthoc_siegel_friedman(blocks: Blocked, p_adjust: str | None = None) -> Any:
    """Normal tests of all pairs by mean ranks (Siegel & Castellan 1988), as scikit-posthocs has them.

    The numbers are those of scikit-posthocs, but where ranks are tied. Without ``p_adjust`` nothing is adjusted.

    Parameters
    ----------
    a, y_col, group_col, block_col, block_id_col, melted, sort
        As for :func:`posthoc_nemenyi_friedman`.
    p_adjust : str, optional
        "bonferroni", "sidak", "holm", "holm-sidak", "simes-hochberg", "hommel", "fdr_bh" or "fdr_by".

    Returns
    -------
    DataFrame
        (k, k) p-values, 1 on the diagonal.

    Examples
    --------
    >>> from bakeoff.migrate import posthoc_siegel_friedman
    >>> rows = [[1, 2, 3], [1, 3, 2], [1, 2, 3], [1, 2, 3], [2, 1, 3], [1, 2, 3]]
    >>> posthoc_siegel_friedman(rows, p_adjust="holm").round(4)[0].tolist()
    [1.0, 0.2978, 0.0117]
    """
    return by_mean_ranks(blocks, siegel, p_adjust, False)


@of_blocks()
def posthoc_miller_friedman(blocks: Blocked) -> Any:
    """Miller's test of all pairs by mean ranks (the chi-squared bound for all contrasts), as scikit-posthocs has it.

    The numbers are those of scikit-posthocs, but where ranks are tied. For pairs alone Nemenyi's test is never weaker.

    Parameters
    ----------
    a, y_col, group_col, block_col, block_id_col, melted, sort
        As for :func:`posthoc_nemenyi_friedman`.

    Returns
    -------
    DataFrame
        (k, k) adjusted p-values, 1 on the diagonal; cautions in ``.attrs["cautions"]``.

    Examples
    --------
    >>> from bakeoff.migrate import posthoc_miller_friedman
    >>> rows = [[1, 2, 3], [1, 3, 2], [1, 2, 3], [1, 2, 3], [2, 1, 3], [1, 2, 3]]
    >>> posthoc_miller_friedman(rows).round(4)[0].tolist()
    [1.0, 0.3529, 0.0155]
    """
    return by_mean_ranks(blocks, miller, None, True)


@of_blocks("a y_col block_col block_id_col group_col melted sort p_adjust")
def posthoc_conover_friedman(blocks: Blocked, p_adjust: str | None = None) -> Any:
    """Conover's t-tests of all pairs by rank sums, as scikit-posthocs has them (the columns stand in its order).

    The numbers are those of scikit-posthocs, ties included, but for ``p_adjust="single-step"``, where it forgets the
    degrees of freedom (``peer-degrees-of-freedom``). Without ``p_adjust`` nothing is adjusted, which a warning says.

    Parameters
    ----------
    a, y_col, block_col, block_id_col, group_col, melted, sort
        As for :func:`posthoc_nemenyi_friedman`.
    p_adjust : str, optional
        As for :func:`posthoc_siegel_friedman`, or "single-step": Tukey's test of the ranks.

    Returns
    -------
    DataFrame
        (k, k) p-values, 1 on the diagonal.

    Examples
    --------
    >>> from bakeoff.migrate import posthoc_conover_friedman
    >>> rows = [[1, 2, 3], [1, 3, 2], [1, 2, 3], [1, 2, 3], [2, 1, 3], [1, 2, 3]]
    >>> posthoc_conover_friedman(rows, p_adjust="holm").round(4)[0].tolist()
    [1.0, 0.0767, 0.0023]
    """
    if p_adjust == "single-step":
        return single_step(blocks, rank(blocks.scores))
    return by_pooled_error(blocks, rank(blocks.scores), p_adjust)


@of_blocks()
def posthoc_durbin(blocks: Blocked, p_adjust: str | None = None) -> Any:
    """Durbin's test of all pairs, for complete blocks, where it is Conover's; as scikit-posthocs has it.

    Missing scores are refused; ``bo.skillings_mack`` and ``bo.compare`` take them, read with ``missing="keep"``.

    Parameters
    ----------
    a, y_col, group_col, block_col, block_id_col, p_adjust, melted, sort
        As for :func:`posthoc_siegel_friedman`.

    Returns
    -------
    DataFrame
        (k, k) p-values, 1 on the diagonal.

    Examples
    --------
    >>> from bakeoff.migrate import posthoc_durbin
    >>> rows = [[1, 2, 3], [1, 3, 2], [1, 2, 3], [1, 2, 3], [2, 1, 3], [1, 2, 3]]
    >>> posthoc_durbin(rows, p_adjust="holm").round(4)[0].tolist()
    [1.0, 0.0767, 0.0023]
    """
    return by_pooled_error(blocks, rank(blocks.scores), p_adjust)


@of_blocks()
def posthoc_quade(blocks: Blocked, dist: str = "t", p_adjust: str | None = None) -> Any:
    """Quade's tests of all pairs by weighted ranks, as scikit-posthocs has them.

    With ``dist="t"`` the numbers are those of scikit-posthocs. With "normal" they are not: its standard error is too
    small (``peer-standard-error``). Without ``p_adjust`` nothing is adjusted, which a warning says.

    Parameters
    ----------
    a, y_col, group_col, block_col, block_id_col, p_adjust, melted, sort
        As for :func:`posthoc_siegel_friedman`.
    dist : {"t", "normal"}
        The distribution: t by the error of the weighted ranks, or normal by their permutation variance.

    Returns
    -------
    DataFrame
        (k, k) p-values, 1 on the diagonal.

    Examples
    --------
    >>> from bakeoff.migrate import posthoc_quade
    >>> rows = [[1, 2, 9], [1, 3, 2], [1, 2, 5], [1, 4, 7], [2, 1, 3], [1, 2, 8]]
    >>> posthoc_quade(rows, p_adjust="holm").round(4)[0].tolist()
    [1.0, 0.0725, 0.0021]
    """
    if choice("dist", dist, ("t", "normal")) == "t":
        return by_pooled_error(blocks, rank_weighted(blocks.scores), p_adjust)
    family = family_of(blocks.scores.n_algorithms, None)
    p = pair_tests(blocks.scores, family, "quade").pvalue
    cautions = [pool(), caution_of("peer-standard-error"), *unadjusted(p_adjust, len(family))]
    return square_frame(
        square_table(blocks.scores.n_algorithms, family, with_adjustment(p, p_adjust)), blocks.labels, cautions
    )


@of_blocks("a y_col group_col block_col block_id_col control alternative p_adjust melted sort to_matrix")
def posthoc_demsar(
    blocks: Blocked,
    control: str | None = None,
    alternative: Literal["two-sided", "less", "greater"] = "two-sided",
    p_adjust: str | None = None,
    to_matrix: bool = True,
) -> Any:
    """Normal tests of every algorithm against a control by mean ranks (Demšar 2006), as scikit-posthocs has them.

    The numbers are those of scikit-posthocs, but where ranks are tied (``peer-ignores-ties``).

    Parameters
    ----------
    a, y_col, group_col, block_col, block_id_col, p_adjust, melted, sort
        As for :func:`posthoc_siegel_friedman`.
    control : str
        The group that the others are compared with.
    alternative : {"two-sided", "less", "greater"}
        "greater": the other's ranks, and so its scores, are larger than the control's; not "better".
    to_matrix : bool
        A square frame, NaN where nothing was compared; else a series by (control, other).

    Returns
    -------
    DataFrame or Series
        p-values; cautions in ``.attrs["cautions"]``.

    Examples
    --------
    >>> from bakeoff.migrate import posthoc_demsar
    >>> rows = [[1, 2, 3], [1, 3, 2], [1, 2, 3], [1, 2, 3], [2, 1, 3], [1, 2, 3]]
    >>> posthoc_demsar(rows, control=0, p_adjust="holm", to_matrix=False).round(4).tolist()
    [0.1489, 0.0078]
    """
    choice("alternative", alternative, ("two-sided", "less", "greater"))
    place = blocks.place("control", control)
    family = family_of(blocks.scores.n_algorithms, place)

    def law(z: Array) -> Array:
        return siegel(z, 2) if alternative == "two-sided" else np.asarray(ndtr(z if alternative == "less" else -z))

    p = law(pair_tests(blocks.scores, family, "mean-ranks").statistic)
    cautions = [pool(), *tied_ranks(blocks.scores, family, p, law), *unadjusted(p_adjust, len(family))]
    values = with_adjustment(p, p_adjust)
    if flag("to_matrix", to_matrix):
        table = np.where(np.eye(blocks.scores.n_algorithms, dtype=bool), 1.0, np.nan)
        others = [b for _, b in family]
        table[place, others] = table[others, place] = values
        return square_frame(table, blocks.labels, cautions)
    pandas = optional("pandas", PANDAS)
    index = pandas.MultiIndex.from_tuples([(control, blocks.labels[b]) for _, b in family])
    return with_cautions(pandas.Series(values, index=index), cautions)
