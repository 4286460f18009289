"""The table that papers print: problems × algorithms, with the average, the mean ranks, and what the control won."""

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from bakeoff.analyses.compare.statistics.cautions import WIDE, as_factor, range_of_scales
from bakeoff.analyses.compare.statistics.incomplete.ranks import estimated_mean_ranks, present_ranks
from bakeoff.cautions import caution_of
from bakeoff.checks import flag, integer
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution, ParameterError
from bakeoff.paired.differences import beaten
from bakeoff.ranks import rank
from bakeoff.ranks.cautions import table_cautions
from bakeoff.reportable import Reportable
from bakeoff.scores import Array, Scores, check_scores, read_only
from bakeoff.scores.cells import column_means
from bakeoff.scores.contents import complete_rows
from bakeoff.scores.source_cautions import source_cautions
from bakeoff.takes_table import takes_table

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)  # arrays inside: == would be ambiguous
class ScoreTable(Reportable):
    """The result of score_table(): ``save`` takes .tex .md .html .xlsx .csv .txt .json.

    Attributes
    ----------
    scores : Scores
    ranks : ndarray (n, k)
        Within each problem, 1 is best, from all digits of the scores; ties share the mean of their ranks. NaN where the
        score is missing.
    mean_ranks : ndarray (k,)
        Where scores are missing, estimated (docs/guides/compare.md).
    control : str or None
    wins, ties, losses : ndarray (k,) or None
        Problems that the control won, tied, lost against each algorithm (its own column: all tied).
    with_ranks, percent : bool
        Whether the table prints the ranks in brackets, and scores in percent.
    decimals : int or None
        Of the printed scores; None: as the data need.
    averages, standard_deviations : ndarray (k,), (n, k) or None
        Means over the problems; sample standard deviations over runs (NaN for a single or an infinite run).
    cautions : tuple of Caution
    """

    kind: ClassVar[str] = "scores"

    scores: Scores
    ranks: Array
    mean_ranks: Array
    control: str | None
    wins: Counts | None
    ties: Counts | None
    losses: Counts | None
    with_ranks: bool
    percent: bool
    decimals: int | None
    cautions: tuple[Caution, ...]

    @property
    def averages(self) -> Array:
        """(k,) mean of each column, over the problems with all scores; infinite or NaN where infinite scores leave
        none."""
        return column_means(complete_rows(self.scores))

    @property
    def standard_deviations(self) -> Array | None:
        """(n, k) over the runs of each cell, with n − 1; None without runs."""
        runs, counts = self.scores.runs, self.scores.n_runs
        if runs is None:
            return None
        with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
            size = np.fmax.reduce(np.abs(runs), axis=2, keepdims=True)  # squares of large scores would overflow
            size = np.where((size > 0.0) & np.isfinite(size), size, 1.0)
            shifts = runs / size - np.where(np.isnan(runs), np.nan, self.scores.values[:, :, None] / size)
            squares = np.nansum(np.where(np.isfinite(shifts) | np.isnan(runs), shifts, np.inf) ** 2, axis=2)
            deviations = np.sqrt(squares / (counts - 1)) * size[:, :, 0]
        return read_only(np.where((counts > 1) & np.isfinite(deviations), deviations, np.nan))


@takes_table
def score_table(
    scores: Scores,
    *,
    control: str | int | None = None,
    ranks: bool = False,
    percent: bool = False,
    decimals: int | None = None,
) -> ScoreTable:
    """The table of scores as a paper prints it: mean ± standard deviation over runs, the best of each row in bold.

    For showing what was measured. Which differences can be trusted is answered by :func:`compare`.

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms), of one or several runs; carries the direction.
    control : str or int, optional
        Adds a row: problems that this algorithm won, tied and lost against each other one.
    ranks : bool
        Print the rank within the problem in brackets behind each score.
    percent : bool
        Print scores from 0 to 1 in percent.
    decimals : int, optional
        Print so many; default: as many as the data need.

    Returns
    -------
    ScoreTable
        ``.save("scores.tex")`` (.md .html .xlsx .csv .txt .json), ``print(table)``, ``.to_frame()``; ``.ranks``,
        ``.mean_ranks``, ``.averages``, ``.standard_deviations``, ``.wins``, ``.ties``, ``.losses``.

    Raises
    ------
    UnknownNameError, ParameterError
        A control that is not in the table; ``ranks`` that is no bool; ``percent`` of scores beyond 0 and 1.

    Notes
    -----
    A row has as many decimals as show three digits of its range or, with runs, two of its typical standard deviation.
    Rows of similar scale share the decimals of the typical row, and no row gets more than its scores have. Where rows
    are of widely different or very large scores, all are powers of ten. Bold is the best of its row by all digits (none
    if all are). The average over problems is printed because papers do; where their scales differ a caution says that
    it means little, and none is bold.

    Examples
    --------
    The published errors of nine optimisers on 25 functions; the control's row counts as in :func:`compare`.

    >>> import bakeoff as bo
    >>> table = bo.score_table(bo.datasets.load("derrac_cec2005"), control="SaDE", ranks=True)
    >>> [round(x, 2) for x in table.mean_ranks.tolist()]
    [7.0, 4.84, 6.28, 5.52, 4.64, 5.4, 4.0, 3.44, 3.88]
    """
    scores = check_scores(scores, holes=True)
    with_ranks = flag("ranks", ranks)
    if decimals is not None:
        integer("decimals", decimals, 0, 12)
    if flag("percent", percent):
        _check_shares(scores)
    column = None if control is None else scores.index(control, "control")
    holes = bool(scores.holes.any())
    within = read_only(present_ranks(scores)) if holes else rank(scores)
    wins = ties = losses = None
    if column is not None:
        won = beaten(scores)
        wins, losses = read_only(won[column].copy()), read_only(won[:, column].copy())
        both = (~scores.holes & ~scores.holes[:, [column]]).sum(axis=0)
        ties = read_only(both - wins - losses)
    return ScoreTable(
        scores=scores,
        ranks=within,
        mean_ranks=estimated_mean_ranks(scores) if holes else _mean_ranks(within),
        control=None if column is None else scores.algorithms[column],
        wins=wins,
        ties=ties,
        losses=losses,
        with_ranks=with_ranks,
        percent=percent,
        decimals=decimals,
        cautions=tuple(source_cautions(scores)) if holes else (*table_cautions(scores), *_average(scores)),
    )


def _check_shares(scores: Scores) -> None:
    low, high = float(np.nanmin(scores.values)), float(np.nanmax(scores.values))
    if not 0.0 <= low <= high <= 1.0:
        raise ParameterError(f"is for scores from 0 to 1; these go from {low:g} to {high:g}", parameter="percent")


def _mean_ranks(within: Array) -> Array:
    """From whole numbers, so that the order of problems cannot matter."""
    doubled = np.rint(2.0 * within).astype(np.int64).sum(axis=0)
    return read_only(doubled / (2.0 * len(within)))


def _average(scores: Scores) -> list[Caution]:
    """Do a few problems of large scale decide the average?"""
    factor = range_of_scales(scores.values)
    if factor < np.log10(WIDE):
        return []
    return [caution_of("scales-differ", "average", factor=as_factor(factor))]
