"""Weighted ranks (Quade): the ranks within a problem times the rank of the problem's importance."""

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from bakeoff.errors import ParameterError
from bakeoff.ranks._rank import doubled_ranks, doubled_row_ranks
from bakeoff.ranks.ties import Ints, doubled_tied_ranks, refuse_overflow
from bakeoff.scores import Array, Scores, check_scores, read_only
from bakeoff.takes_table import takes_table


@takes_table
def rank_weighted(scores: Scores, weights: npt.ArrayLike | None = None) -> Array:
    """Ranks within each problem times the rank Q_i of the problem's importance (Quade).

    Parameters
    ----------
    scores : Scores
    weights : array_like (n_problems,), optional
        Your own order of importance, fixed before looking at the results (García et al. 2010, section 4.2);
        only its ranks are used. Default: the range of the scores in each problem.

    Returns
    -------
    ndarray, shape (n_problems, n_algorithms)
        W_ij = Q_i · r_ij, not centred.

    Examples
    --------
    >>> import bakeoff as bo
    >>> s = bo.Scores([[2.711, 3.147, 2.515, 2.612], [7.832, 9.828, 7.832, 7.921],
    ...                [0.012, 0.532, 0.122, 0.005], [3.431, 4.111, 3.401, 3.401]], better="lower")
    >>> bo.rank_weighted(s)[1]  # Derrac et al. (2011), Table 10
    array([ 6., 16.,  6., 12.])
    """
    scores = check_scores(scores)
    return read_only(doubled_problem_ranks(scores, weights)[:, None] * doubled_ranks(scores) / 4.0)


def doubled_problem_ranks(scores: Scores, weights: npt.ArrayLike | None = None) -> Ints:
    """(n,) twice Q_i: mid-ranks of the problems' ranges, or of the user's weights."""
    if weights is not None:
        return doubled_row_ranks(_weights(weights, scores.n_problems)[None, :]).ravel()
    scores.require_finite("Quade's test")
    with np.errstate(over="ignore"):
        ranges = scores.values.max(axis=1) - scores.values.min(axis=1)
    refuse_overflow(ranges, "Quade's ranks of problems by range")
    return doubled_tied_ranks(ranges, scores.scales.max(axis=1))


def _weights(weights: npt.ArrayLike, n: int) -> Array:
    try:
        values: npt.NDArray[Any] = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"must be finite numbers: {error}", parameter="weights") from None
    if values.shape != (n,):
        raise ParameterError(
            f"must have one value per problem, shape ({n},); got shape {values.shape}", parameter="weights"
        )
    if not np.isfinite(values).all():
        raise ParameterError("must be finite numbers", parameter="weights")
    return cast(Array, values)
