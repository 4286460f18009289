"""aeon's critical difference diagram: ``from bakeoff.migrate.aeon import plot_critical_difference``."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.analyses.compare.statistics import Comparison, compare
from bakeoff.cautions import caution_of
from bakeoff.checks import choice, flag, positive
from bakeoff.errors import Caution, ParameterError
from bakeoff.figures import diagram
from bakeoff.migrate.delivery import warn
from bakeoff.migrate.rank_diagram import figure_of
from bakeoff.scores import Array, Scores


def plot_critical_difference(
    scores: npt.ArrayLike,
    labels: Sequence[str],
    highlight: Mapping[str, str] | None = None,
    lower_better: bool = False,
    test: str = "wilcoxon",
    correction: str | None = "holm",
    alpha: float = 0.1,
    width: float = 6,
    textspace: float = 1.5,
    reverse: bool = True,
    return_p_values: bool = False,
) -> Any:
    """Mean ranks with bars over algorithms that were not shown to differ, with the arguments and the answer of aeon.

    Pairs are decided by ``bo.compare``: two-sided tests, and Holm's procedure over all pairs. aeon's tests are
    one-sided in the direction that the ranks show, each at alpha/(k − 1): ``peer-one-sided``. The diagram is
    bakeoff's: the best at the left (whatever ``reverse``), each bar joins what was not shown to differ.

    Parameters
    ----------
    scores : array
        (n_problems, n_algorithms).
    labels : sequence of str
        Names of the algorithms.
    highlight : dict, optional
        Algorithms to emphasise; the colours are not used.
    lower_better : bool
        Direction of the scores.
    test : {"wilcoxon", "nemenyi"}
        Exact signed-rank tests, or the critical difference of mean ranks.
    correction : {"holm", "bonferroni"}
        Of Wilcoxon's tests. aeon's None (every pair at alpha) is refused.
    alpha : float
        Family-wise level; aeon's default is 0.1.
    width, textspace, reverse
        Inches; the other two are not used.
    return_p_values : bool
        Add (k, k) unadjusted p-values, in the order of mean ranks.

    Returns
    -------
    figure, axes[, p_values]
        Of matplotlib. The p-values are two-sided and fill both triangles.

    Examples
    --------
    >>> import bakeoff as bo, warnings
    >>> from bakeoff.migrate import plot_critical_difference
    >>> s = bo.datasets.load("demsar_2006")
    >>> with warnings.catch_warnings(action="ignore"):
    ...     figure, axes = plot_critical_difference(s.values, s.algorithms, test="nemenyi", alpha=0.05)
    """
    table = Scores(scores, list(labels), better="lower" if flag("lower_better", lower_better) else "higher")
    choice("test", test, ("wilcoxon", "nemenyi"))
    if test == "nemenyi" and flag("return_p_values", return_p_values):
        rule = "must be False with test='nemenyi', as in aeon; bo.compare(scores, posthoc='nemenyi').pairs has them"
        raise ParameterError(rule, parameter="return_p_values")
    result = _compared(table, test, correction, alpha)
    inches = positive("width", width)
    drawing = diagram(result, width_mm=25.4 * inches, highlight=list(highlight) if highlight else None)
    figure, axes = figure_of(drawing, inches)
    warn([_one_sided(table.n_algorithms) if test == "wilcoxon" else _one_too_many(table.n_algorithms)])
    warn(caution for caution in result.cautions if caution.severity == "stop")
    return (figure, axes, _pvalues(result)) if flag("return_p_values", return_p_values) else (figure, axes)


def _compared(table: Scores, test: str, correction: str | None, alpha: float) -> Comparison:
    if test == "nemenyi":
        return compare(table, omnibus="friedman", posthoc="nemenyi", alpha=alpha)
    if correction is None:
        raise ParameterError(
            "must be 'holm' or 'bonferroni': with None every pair is tested at alpha, and of many pairs some differ "
            "by chance; the raw p-values are in bo.compare(scores).pairs",
            parameter="correction",
        )
    return compare(
        table, omnibus="friedman", posthoc=choice("correction", correction, ("holm", "bonferroni")), alpha=alpha
    )


def _one_sided(k: int) -> Caution:
    return caution_of("peer-one-sided", "aeon", k=k - 1)


def _one_too_many(k: int) -> Caution:
    return caution_of("peer-quantile", ranges=k + 1, k=k)


def _pvalues(result: Comparison) -> Array:
    """Best mean rank first."""
    names = list(result.ranks)
    table = np.ones((len(names), len(names)))
    for pair in result.pairs:
        i, j = names.index(pair.a), names.index(pair.b)
        table[i, j] = table[j, i] = pair.pvalue
    return table
