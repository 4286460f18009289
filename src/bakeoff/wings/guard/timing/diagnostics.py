"""Does the place in a round, or the hour, change the times? Diagnostics at a fixed number of rounds."""

import math
from collections.abc import Sequence

import numpy as np
from scipy import special

from bakeoff.scores.cells import Array
from bakeoff.wings.guard.timing.results import Change

LEVEL = 0.95
FAR = 5.0  # scaled median absolute deviations
_MAD = 1.4826022185056018  # 1/Φ⁻¹(3/4)


def order_effect(logs: Array, places: Array) -> Change | None:
    """The factor by which a run takes longer for each place later in its round.

    Least squares on log times of complete rounds (rounds, commands) with an effect for each round and each command;
    for two commands it is half of the difference of the log ratios between the two orders.
    """
    rounds, k = logs.shape
    df = (rounds - 1) * (k - 1) - 1
    if rounds < 2 or df < 1:
        return None
    y, x = _centred(logs), _centred(places)
    squares = float((x * x).sum())
    if squares <= 1e-12 * rounds:  # the same order in all rounds: not to be told from the commands
        return None
    slope = float((x * y).sum()) / squares
    error = math.sqrt(max(0.0, float(((y - slope * x) ** 2).sum())) / df / squares)
    return _change(slope, error, df)


def _centred(table: Array) -> Array:
    """Less the means of rows and of columns."""
    rows, columns = table.mean(axis=1, keepdims=True), table.mean(axis=0, keepdims=True)
    return np.asarray(table - rows - columns + table.mean())


def ratio_drift(values: Sequence[float]) -> Change | None:
    """The later half of the log ratios against the earlier half: Welch's t."""
    half = len(values) // 2
    if half < 4:
        return None
    first, second = np.array(values[:half]), np.array(values[-half:])
    parts = [float(np.var(part, ddof=1)) / half for part in (first, second)]
    total = sum(parts)
    if total <= 0.0:
        return None
    df = total**2 / sum(part**2 / (half - 1) for part in parts)
    return _change(float(second.mean() - first.mean()), math.sqrt(total), df)


def _change(estimate: float, error: float, df: float) -> Change:
    reach = float(special.stdtrit(df, 0.5 + LEVEL / 2.0)) * error
    return Change(factor=_exp(estimate), low=_exp(estimate - reach), high=_exp(estimate + reach))


def _exp(value: float) -> float:
    return math.exp(min(max(value, -700.0), 700.0))


def level_change(logs: Array) -> float | None:
    """Median time of the rounds in the later half over that in the earlier half."""
    half = len(logs) // 2
    if half < 2:
        return None
    means = logs.mean(axis=1)
    return _exp(float(np.median(means[-half:]) - np.median(means[:half])))


def far_rounds(values: Sequence[float]) -> int:
    """Rounds more than ``FAR`` scaled median absolute deviations from the median."""
    if len(values) < 5:
        return 0
    away = np.abs(np.array(values) - np.median(values))
    spread = _MAD * float(np.median(away))
    return int((away > FAR * spread).sum()) if spread > 0 else 0
