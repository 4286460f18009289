"""ratings(): how strong is each algorithm, and which differences of strength are shown?"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Literal

import numpy as np

from bakeoff.checks import FEWER_RESAMPLES, choice, integer, probability
from bakeoff.errors import TooLargeError, UnknownNameError, listing
from bakeoff.randomness import integer_seed
from bakeoff.ranks.cautions import input_cautions
from bakeoff.scores import Scores
from bakeoff.scores.design import Estimand
from bakeoff.scores.win_table import WinTable
from bakeoff.takes_table import takes_table
from bakeoff.wings.boards.ratings.statistics.battles import Battles, battles_of
from bakeoff.wings.boards.ratings.statistics.board import How, rated_board
from bakeoff.wings.boards.ratings.statistics.categories import rated_categories
from bakeoff.wings.boards.ratings.statistics.results import Ratings

MOST_ALGORITHMS = 500


@takes_table
def ratings(
    battles: Battles | Scores | WinTable,
    ties: Literal["auto", "davidson", "half"] = "auto",
    penalty: Literal["auto", "firth", "none"] = "auto",
    reference: str | None = None,
    alpha: float = 0.05,
    *,
    n_resamples: int = FEWER_RESAMPLES["ratings"],
    rng: int | np.random.Generator | None = None,
) -> Ratings:
    """How strong is each algorithm, by who beat whom, and which differences of strength are shown?

    Use it for matches and for comparisons by judges or users. For scores it counts who was better and forgets by how
    much: ``bo.compare`` assumes less.

    Parameters
    ----------
    battles : Battles, Scores or WinTable
        What ``bo.read_battles`` returned; scores, where every pair meets once on each problem, a battle that its runs
        share before any average; a ``bo.WinTable``.
    ties : {"auto", "davidson", "half"}
        Model ties by Davidson's parameter, or count each as half a win of both; "auto": Davidson if there are any.
    penalty : {"auto", "firth", "none"}
        Firth's penalty keeps strengths finite; "auto": only where some algorithms never lost to the others.
    reference : str, optional
        The algorithm whose strength is 0; else strengths sum to 0.
    alpha : float
        Simultaneous level of pairs and ranks, and level of each single interval.
    n_resamples : int
        Of the cluster bootstrap, where battles are in clusters: problems, users, prompts.
    rng : int or numpy.random.Generator, optional
        The same seed gives the same answer.

    Returns
    -------
    Ratings
        ``.strengths``, ``.elo`` (of this fit, not sequential), ``.pairs``, ``.rank_intervals``, ``.tie_parameter``,
        ``.covariates``; of battles with categories ``.boards`` (at α/B each) and ``.changes``.

    Raises
    ------
    ScoreError, ParameterError, TooLargeError
        Groups that never met; ``penalty="none"`` where the estimate is infinite; one cluster; more than 500 algorithms.

    Notes
    -----
    Bradley & Terry (1952). A pair's error comes from the whole covariance: of the information, or in clusters of the
    bootstrap, times G/(G − 1) and more where sizes differ, with t(G* − 1), G* = 1/Σ w². Simultaneous by max-|t| over
    all pairs: docs/guides/ratings.md.
    Covariates z add β·(z_a − z_b) to the log odds, each scaled to root mean square 1; errors in clusters are then of
    the jackknife. Strengths are those of sides that do not differ in them.

    Examples
    --------
    >>> import bakeoff as bo
    >>> found = bo.ratings(bo.WinTable([[0, 7, 9], [6, 0, 7], [4, 6, 0]], algorithms=["x", "y", "z"]))
    >>> round(found.pair("x", "z").difference, 3), found.pair("x", "z").verdict
    (0.631, 'no difference shown')
    """
    choice("ties", ties, ("auto", "davidson", "half"))
    choice("penalty", penalty, ("auto", "firth", "none"))
    alpha, n_resamples = probability("alpha", alpha), integer("n_resamples", n_resamples, 100, 10**6)
    table = battles_of(battles)
    if (k := len(table.algorithms)) > MOST_ALGORITHMS:
        raise TooLargeError(f"ratings is limited to {MOST_ALGORITHMS} algorithms; got {k}. Select some of them.")
    if reference is not None and reference not in table.algorithms:
        rule = f"must be one of {listing(table.algorithms, 20)}; got {reference!r}"
        raise UnknownNameError(rule, parameter="reference")
    seed = integer_seed(rng)
    how = How(ties=ties, penalty=penalty, reference=reference, alpha=alpha, n_resamples=n_resamples, seed=seed)
    scores = battles if isinstance(battles, Scores) else None
    parts = rated_categories(table, how)
    board, _ = rated_board(table.pooled(), replace(how, boards=parts.n_boards), scores)
    known = {field.name: getattr(board, field.name) for field in fields(board)}
    own = () if scores is None else input_cautions(scores)
    known |= {field.name: getattr(parts, field.name) for field in fields(parts)}
    known |= {"battles": table, "cautions": (*own, *board.cautions, *parts.cautions)}
    arguments = {name: getattr(how, name) for name in ("ties", "penalty", "reference", "alpha", "n_resamples")}
    return Ratings(**known, scores=scores, alpha=alpha, request={**arguments, "rng": seed})


def estimand(result: Ratings) -> Estimand | None:
    """Each problem is one battle of each pair; battles that were read are about no table."""
    if result.scores is None:
        return None
    shared = "" if result.scores.runs is None else "its runs share one battle of each pair"
    return Estimand(weights="problems", runs=shared)
