"""The corrected resampled t-test: do two algorithms differ on one problem, seen through overlapping resamples?"""

import math
from typing import Literal

import numpy.typing as npt

from bakeoff.cautions import caution_of
from bakeoff.checks import choice, number
from bakeoff.dataclass import dataclass
from bakeoff.errors import ScoreError
from bakeoff.means.folds import fold_cautions
from bakeoff.means.unit_mean import UnitMean
from bakeoff.paired._paired_t import t_statistic
from bakeoff.paired.alternatives import PairTestResult, of_pair
from bakeoff.paired.run_differences import resampled_pair, summarise
from bakeoff.scores import Better
from bakeoff.scores.two_samples import TwoSamples, scores_of_two
from bakeoff.takes_table import of_two

NAME = "The corrected resampled t-test"
REFERENCE = "Nadeau & Bengio (2003), Machine Learning 52, 239–281"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResampledTResult(PairTestResult):
    """Result of :func:`bakeoff.resampled_t`; ``statistic``: t, positive where a is better. ``n_problems`` is 1."""

    df: int  # resamples − 1
    estimate: float  # mean difference, positive where a is better, in score units
    standard_error: float  # corrected
    test_fraction: float
    problem: str | None  # None: the rows of the table were the resamples
    n_runs: int  # resamples
    zeros: int  # resamples without a difference


@of_two
def resampled_t(
    scores: TwoSamples,
    a: str | int | npt.ArrayLike,
    b: str | int | None = None,
    test_fraction: float | None = None,
    *,
    repeats: Literal["each", "once"] = "each",
    problem: str | int | None = None,
    better: Better | None = None,
) -> ResampledTResult:
    """Is the mean difference between a and b on *one* problem zero, judged by resamples that share training data?

    Use it for the folds or random splits of one data set, on which both algorithms were run. An ordinary paired t-test
    takes them for independent and rejects far too often. For several problems compare their means (``bo.compare``). Not
    for independent runs with seeds of their own: ``bo.mann_whitney``.

    Parameters
    ----------
    scores : Scores
        Several runs per cell, run r of both from the same resample; or one score per cell, and then the rows
        are the resamples. Or the sample x of a: ``bo.resampled_t(x, y, better="higher", test_fraction=0.1)``.
    a : str or int
        The first algorithm, by name or column; or the sample y of b, or one number.
    b : str or int, optional
        The second algorithm; absent with two samples.
    test_fraction : float
        Share of the data in each test set, n_test/(n_test + n_train): 0.1 for ten-fold cross-validation.
    repeats : {"each", "once"}
        Of a repeated cross-validation: every fold counts as a further one, as published, or repeats count once, as in
        ``bo.compare``. Published, ten folds repeated err more often than stated, and a caution says so.
    problem : str or int, optional
        Which problem, if the table has several.
    better : {"lower", "higher"}, optional
        With two samples only: x are the scores of a and y those of b, one per resample.

    Returns
    -------
    ResampledTResult
        ``.statistic``, ``.df``, ``.pvalue`` (two-sided), ``.log_pvalue``, ``.estimate``, ``.standard_error``.

    Raises
    ------
    ParameterError, ScoreError, InfiniteScoreError
        A fraction outside 0 to 1; fewer than two resamples, different numbers or different names of them; infinity.

    Notes
    -----
    t = d̄ / sqrt((1/J + n_test/n_train)·s²) with J − 1 degrees of freedom over J resamples (Nadeau & Bengio 2003; of
    repeats Bouckaert & Frank 2004). The correlation of two resamples is taken to be ``test_fraction``, which is an
    approximation. Repeats that count once: (1/k + n_test/n_train)·s², k = 1/test_fraction, since they test the same
    items again. Equal differences do not say how they vary: p is 1.

    Examples
    --------
    >>> import bakeoff as bo
    >>> new, old = [0.84, 0.86, 0.83, 0.88, 0.85], [0.81, 0.84, 0.84, 0.85, 0.83]  # five-fold cross-validation
    >>> found = bo.resampled_t(new, old, better="higher", test_fraction=0.2)
    >>> round(found.statistic, 4), found.df, round(found.pvalue, 4)  # 0.018/sqrt((1/5 + 0.2/0.8)·0.00027)
    (1.633, 4, 0.1778)
    """
    rule = "a number above 0 and below 1, the share of the data in each test set"
    scores, i, j = scores_of_two(scores, a, b, better)
    fraction = number("test_fraction", test_fraction, above=0.0, below=1.0, what=rule)
    choice("repeats", repeats, ("each", "once"))
    name, first, second = resampled_pair(scores, (i, j), problem, NAME, "bo.compare (their means)")
    summary = summarise(first, second, scores.better, "the table" if name is None else f"problem {name!r}", NAME)
    if summary.n < 2:
        where = "" if name is None else f"; problem {name!r} has {summary.n}"
        raise ScoreError(f"{NAME} needs at least 2 resamples{where}. For one score per problem use bo.wilcoxon.")
    share = max(1.0 / summary.n, fraction if repeats == "once" else 0.0)
    error = math.sqrt(share + fraction / (1.0 - fraction)) * summary.sd
    mean = UnitMean(
        estimate=summary.mean, error=error, df=summary.n - 1.0, n=summary.n, n_units=summary.n, subsets=None
    )
    p, log_p = mean.pvalue()
    cautions = () if error > 0.0 else (caution_of("no-variation", "resamples", n=summary.n),)
    return ResampledTResult(
        **(of_pair(scores, i, j) | {"n_problems": 1}),
        statistic=t_statistic(mean),
        pvalue=p,
        log_pvalue=log_p,
        method="t",
        alternative="two-sided",
        df=summary.n - 1,
        estimate=summary.mean,
        standard_error=error,
        test_fraction=fraction,
        problem=name,
        n_runs=summary.n,
        zeros=summary.ties,
        cautions=(*cautions, *(fold_cautions(summary.n, fraction) if repeats == "each" else ())),
    )
