"""The number of pairs of runs that a check needs, from a pilot in which both sides are the same."""

import math

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.checks import positive, probability
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution, ParameterError, ScoreError
from bakeoff.plan._instances import instances
from bakeoff.plan.options import checked_power
from bakeoff.scores import Scores, check_scores
from bakeoff.scores.margins import read_margin, require_ratio
from bakeoff.special import chdtri

FEW = 8
"""Pairs of a pilot below which its noise is hardly known."""
_SURE = 0.8
_RULE = 'must be a percentage above 0, such as "5%"'


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedPairs:
    """One benchmark of the pilot."""

    problem: str
    n_pilot: int  # pairs of the pilot
    sd: float  # of the log ratios of its pairs
    pairs: int  # so many find the worsening with the power
    pairs_if_noisier: int  # the same for the upper end of a one-sided interval of 80 % for the standard deviation
    pairs_ok: int  # so many show with the power that a benchmark without a change is OK


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckPlan:
    """The result of :func:`bakeoff.plan.check`."""

    n: int  # pairs that are enough for every benchmark
    n_ok: int  # pairs that show every benchmark without a change to be OK, each with the power
    margin: float
    worsening: float  # that is to be found
    power: float
    alpha: float
    rows: tuple[PlannedPairs, ...]
    cautions: tuple[Caution, ...] = ()


def check(
    pilot: Scores, margin: float | str, worsening: float | str | None = None, *, power: float = 0.8, alpha: float = 0.01
) -> CheckPlan:
    """How many pairs of runs does ``bo.check`` need to find a worsening, given the noise of a pilot?

    Use it before the first check, with runs of one program on both sides, measured in turn. Not for
    ``bo.check_commands``, which stops by itself: there ``n`` is about the median number of rounds.

    Parameters
    ----------
    pilot : Scores
        Times of two algorithms that are the same program; runs of one name are pairs.
    margin : str
        The worsening that may pass, such as "5%".
    worsening : str, optional
        The worsening that is to be found; absent: twice the margin.
    power : float
        Probability of finding it.
    alpha : float
        Chance of a false alarm per check; each benchmark gets its share of it.

    Returns
    -------
    CheckPlan
        ``.n`` pairs, ``.n_ok``, and ``.rows`` of each benchmark.

    Raises
    ------
    ScoreError, ParameterError
        Another number of algorithms than two; fewer than three pairs; times not above 0; a worsening within the margin.

    Notes
    -----
    The paired t-test of log ratios at alpha / benchmarks, power by the noncentral t distribution.

    Examples
    --------
    >>> import bakeoff as bo
    >>> times = [[[1.00, 1.03, 0.98, 1.01, 1.02, 0.97, 1.04, 1.00], [1.02, 0.99, 1.01, 0.96, 1.03, 1.00, 0.98, 1.04]]]
    >>> bo.plan.check(bo.Scores(times, ["a", "b"], better="lower"), "5%").n
    11
    """
    pilot = check_scores(pilot, holes=True)
    if pilot.n_algorithms != 2 or pilot.runs is None:
        raise ScoreError("must have two algorithms, the same program twice, with several runs", parameter="pilot")
    limit = _ratio(margin, "margin")
    target = 2.0 * limit if worsening is None else _ratio(worsening, "worsening")
    if target <= limit:
        rule = f"must be above the margin: only what is beyond it is a regression; got {100.0 * target:g} %"
        raise ParameterError(rule, parameter="worsening")
    power, alpha = checked_power(power), probability("alpha", alpha)
    beyond, within = math.log1p(target) - math.log1p(limit), math.log1p(limit)
    rows = []
    for problem, d in zip(pilot.problems, _log_ratios(pilot), strict=True):
        if len(d) < 3:
            raise ScoreError(f"has {len(d)} pairs of {problem!r}; the noise needs three at least", parameter="pilot")
        sd = float(np.std(d, ddof=1))
        noisier = sd * math.sqrt((len(d) - 1) / float(chdtri(len(d) - 1, _SURE)))
        rows.append(
            PlannedPairs(
                problem=problem,
                n_pilot=len(d),
                sd=sd,
                pairs=_pairs(beyond, sd, alpha / pilot.n_problems, power),
                pairs_if_noisier=_pairs(beyond, noisier, alpha / pilot.n_problems, power),
                pairs_ok=_pairs(within, sd, alpha, power),
            )
        )
    fewest = min(row.n_pilot for row in rows)
    return CheckPlan(
        n=max(row.pairs for row in rows),
        n_ok=max(row.pairs_ok for row in rows),
        margin=limit,
        worsening=target,
        power=power,
        alpha=alpha,
        rows=tuple(rows),
        cautions=(caution_of("too-few", "pilot-pairs", pairs=fewest),) if fewest < FEW else (),
    )


def _ratio(text: float | str, parameter: str) -> float:
    try:
        value, percent = read_margin(text, _RULE, "a worsening")
        if not percent:
            require_ratio(value, "of scores that are compared by their ratios", "is not possible here")
    except ParameterError as error:
        raise ParameterError(error.rule, parameter=parameter) from None
    return positive(parameter, value)


def _log_ratios(pilot: Scores) -> list["np.ndarray[tuple[int], np.dtype[np.float64]]"]:
    """The differences of the logarithms of the pairs of each problem."""
    differences = []
    assert pilot.runs is not None
    if not (pilot.runs[~np.isnan(pilot.runs)] > 0).all():
        raise ScoreError("must be above 0: ratios are planned", parameter="pilot")
    for i, (old, new) in enumerate(np.log(pilot.runs)):
        names = [list(range(len(old)))] * 2 if pilot.run_ids is None else [ids.tolist() for ids in pilot.run_ids[i]]
        first, second = (
            dict(zip(each, side.tolist(), strict=True)) for each, side in zip(names, (old, new), strict=True)
        )
        d = np.array([second[run] - x for run, x in first.items() if run is not None and run in second])
        differences.append(d[~np.isnan(d)])
    return differences


def _pairs(distance: float, sd: float, alpha: float, power: float) -> int:
    """At least five: below, p-values are those of the signs (``means.coarse``)."""
    if sd == 0.0:
        return 5
    return max(5, instances(distance / sd, alpha, power, "greater").n)
