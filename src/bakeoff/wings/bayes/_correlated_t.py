"""The correlated t-test: is a better than b on one problem, seen through overlapping resamples?"""

import math

from bakeoff.cautions import caution_of
from bakeoff.checks import probability
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution, ScoreError
from bakeoff.paired.run_differences import RunSummary, check_correlation, resampled_pair, summarise
from bakeoff.scores import Scores, check_scores
from bakeoff.special import betainc, stdtr, stdtrit
from bakeoff.takes_table import takes_table
from bakeoff.wings.bayes.dirichlet.weights import check_rope
from bakeoff.wings.bayes.statements.verdicts import ThreeWay, pair_fields, three_way_verdict

_NAME = "The correlated t-test"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelatedTPosterior(ThreeWay):
    """The result of :func:`bakeoff.bayes.correlated_t`.

    ``p_better`` is P(mean difference > rope), ``p_equivalent`` P(|mean difference| ≤ rope). Ties count runs, and
    ``n_problems`` is 1. ``method`` is "student", or "point" if all runs differ by the same amount.
    """

    estimate: float  # location of the posterior: the mean difference, positive if a is better
    scale: float  # of the posterior's Student distribution; 0 if all runs differ by the same amount
    df: int
    interval: tuple[float, float]  # contains the mean difference with probability 1 − gamma
    correlation: float
    problem: str | None  # None: the rows of the table were the resamples
    n_runs: int

    @property
    def turned(self) -> "CorrelatedTPosterior":
        """The same pair as b against a."""
        return self._turned(estimate=0.0 - self.estimate)


@takes_table
def correlated_t(
    scores: Scores,
    a: str | int,
    b: str | int,
    rope: float = 0.0,
    *,
    correlation: float | None = None,
    folds: int | None = None,
    problem: str | int | None = None,
    gamma: float = 0.05,
) -> CorrelatedTPosterior:
    """How probable is it that a is better than b on one problem, given resampled (cross-validated) scores?

    Use it for cross-validation or random splits of one data set: their runs share training data, so an ordinary t-test
    is overconfident. With ``correlation=0`` (independent runs) it is the ordinary t-test. For several problems use
    ``bo.bayes.hierarchical`` or ``bo.bayes.signed_rank``. Exact, after Corani & Benavoli (2015): docs/guides/bayes.md.

    Parameters
    ----------
    scores : Scores
        Several runs per cell; or one score per cell, and then the rows are the resamples. Run r of a and run r of b
        must come from the same resample.
    a : str or int
        The first algorithm (or model), by name or column.
    b : str or int
        The second one.
    rope : float
        Half the width of the region of practical equivalence, in the unit of the scores.
    correlation : float, optional
        ρ between two runs: the share of the data in a test set, n_test / (n_test + n_train). Default: as of scores
        that were read with ``folds=``.
    folds : int, optional
        Instead of ``correlation``: the folds of the cross-validation, repeated or not; ρ = 1/folds.
    problem : str or int, optional
        Which problem, if the table has several.
    gamma : float
        A verdict needs a probability above 1 − gamma; the interval contains 1 − gamma.

    Returns
    -------
    CorrelatedTPosterior
        ``.p_better``, ``.p_equivalent``, ``.p_worse`` (of a), ``.estimate``, ``.interval``, ``.verdict``.

    Raises
    ------
    ParameterError, ScoreError, InfiniteScoreError
        Not exactly one of ``correlation`` and ``folds``; fewer than two runs, or unequal numbers; an infinite score.

    Examples
    --------
    >>> import bakeoff as bo
    >>> folds = [[0.84, 0.81], [0.86, 0.84], [0.83, 0.84], [0.88, 0.85], [0.85, 0.83]]  # five-fold cross-validation
    >>> s = bo.Scores([list(zip(*folds))], ["new", "old"], better="higher")
    >>> found = bo.bayes.correlated_t(s, "new", "old", rope=0.01, folds=5)
    >>> # R 4.2.2: d <- c(.03,.02,-.01,.03,.02); s <- sqrt((1/5+.2/.8)*var(d)); pt((mean(d)-.01)/s, 4)
    >>> round(found.p_better, 4), round(found.p_equivalent, 4), round(found.p_worse, 4)
    (0.7459, 0.2221, 0.032)
    """
    scores = check_scores(scores)
    i, j = scores.pair(a, b)
    rope, gamma = check_rope(rope), probability("gamma", gamma)
    rho = check_correlation(correlation, folds, _NAME, scores.folds)
    instead = "bo.bayes.hierarchical (their runs) or bo.bayes.signed_rank (their means)"
    name, first, second = resampled_pair(scores, (i, j), problem, _NAME, instead)
    summary = summarise(first, second, scores.better, "the table" if name is None else f"problem {name!r}", _NAME)
    _refuse_single(summary.n, name)
    scale = math.sqrt(1.0 / summary.n + rho / (1.0 - rho)) * summary.sd
    p = t_shares(summary.mean, scale, summary.n - 1, rope, summary.tolerance)
    reach = -float(stdtrit(summary.n - 1, gamma / 2.0)) * scale
    return CorrelatedTPosterior(
        **pair_fields(scores, i, j, p, rope, gamma),
        estimate=summary.mean,
        scale=scale,
        df=summary.n - 1,
        interval=(summary.mean - reach, summary.mean + reach),
        verdict=three_way_verdict(p, gamma),
        correlation=rho,
        problem=name,
        n_runs=summary.n,
        ties=summary.ties,
        n_problems=1,
        n_dropped=len(scores.dropped),
        method="student" if scale > 0 else "point",
        cautions=_cautions(summary, name),
    )


def t_shares(location: float, scale: float, df: int, rope: float, slack: float = 0.0) -> tuple[float, float, float]:
    """P(above rope), P(within), P(below −rope) of a Student law, each tail computed from its own side.

    A point (scale 0) is within the region up to its very edge (and ``slack``, the scores' tolerance, beyond); at 0 and
    without a region each side gets one half.
    """
    if scale == 0:
        if rope == 0 and location == 0:
            return 0.5, 0.0, 0.5
        if rope > 0 and abs(location) <= rope + slack:
            return 0.0, 1.0, 0.0
        return (1.0, 0.0, 0.0) if location > 0 else (0.0, 0.0, 1.0)
    above, below = (location - rope) / scale, (-rope - location) / scale
    better, worse = float(stdtr(df, above)), float(stdtr(df, below))
    if rope == 0:
        return better, 0.0, worse
    if above > 0:  # most lies above the region: its mass is a difference of two lower tails
        within = float(stdtr(df, -above)) - worse
    elif below > 0:
        within = float(stdtr(df, -below)) - better
    else:
        within = _from_zero(df, -above) + _from_zero(df, -below)
    return better, max(0.0, within), worse


def _from_zero(df: int, t: float) -> float:
    """P(0 < T < t): ½ I(t²/(df + t²); ½, df/2), which keeps its digits in a narrow region; further out, by the tail."""
    if t * t > df:
        return 0.5 - float(stdtr(df, -t))
    return 0.5 * float(betainc(0.5, df / 2.0, t * t / (df + t * t)))


def _refuse_single(n: int, name: str | None) -> None:
    if n < 2:
        raise ScoreError(
            f"{_NAME} needs at least 2 runs of each algorithm; problem {name!r} has {n}. Read the runs "
            "(bo.read_scores(..., run=…)); for one score per problem use bo.bayes.signed_rank or bo.bayes.sign_test."
        )


def _cautions(summary: RunSummary, name: str | None) -> tuple[Caution, ...]:
    out = []
    if name is None:
        out.append(caution_of("rows-as-resamples", n=summary.n))
    if summary.sd == 0:
        out.append(caution_of("no-variation", "resampled-runs", n=summary.n))
    return tuple(out)
