"""autorank's table of populations: centre, spread, interval, and sizes of effects in words."""

import math
from typing import Any

import numpy as np
from scipy.special import stdtrit

from bakeoff.cautions import caution_of
from bakeoff.effects._median_difference import median_cut
from bakeoff.errors import Caution
from bakeoff.ranks import TIE_ULPS
from bakeoff.scores import Array

WORDS = ("negligible", "small", "medium", "large")
LIMITS = {
    "cohen_d": (0.2, 0.5, 0.8),  # Cohen (1988)
    "akinshin_gamma": (0.2, 0.5, 0.8),
    "cliff_delta": (0.147, 0.33, 0.474),  # Romano et al. (2006)
}
NORMAL_SCALE = 1.4826  # of the median absolute deviation, to be like a standard deviation


def spread_of_medians(x: Array) -> float:
    """The median absolute deviation, unscaled."""
    return float(np.median(np.abs(x - np.median(x))))


def pooled_sd(x: Array, y: Array) -> float:
    return math.sqrt((float(x.var(ddof=1)) + float(y.var(ddof=1))) / 2.0)


def pooled_mad(x: Array, y: Array) -> float:
    return NORMAL_SCALE * math.sqrt((spread_of_medians(x) ** 2 + spread_of_medians(y) ** 2) / 2.0)


def effect_size(x: Array, y: Array, measure: str) -> float:
    """Of x over y as if they were independent samples of one size; positive where x is larger."""
    if measure == "cliff_delta":
        return float(np.sign(x[:, None] - y[None, :]).mean())
    centre, spread = (np.mean, pooled_sd) if measure == "cohen_d" else (np.median, pooled_mad)
    one, two, unit = float(centre(x)), float(centre(y)), spread(x, y)
    difference = 0.0 if abs(one - two) <= TIE_ULPS * math.ulp(max(abs(one), abs(two))) else one - two
    return difference / unit if unit > 0.0 else math.copysign(math.inf, difference) if difference else 0.0


def magnitude(size: float, measure: str) -> str:
    """ "negligible" to "large"."""
    return WORDS[sum(abs(size) >= limit for limit in LIMITS[measure])]


def centre_interval(x: Array, level: float, parametric: bool) -> tuple[float, float]:
    """Of the mean by Student's t, or of the median by order statistics: exact, and unbounded where n is too small."""
    n = len(x)
    if parametric:
        half = float(stdtrit(n - 1, (1.0 + level) / 2.0)) * float(x.std(ddof=1)) / math.sqrt(n)
        return float(x.mean()) - half, float(x.mean()) + half
    cut, reached = median_cut(n, level)
    if reached < level * (1.0 - 1e-12):
        return -math.inf, math.inf
    ordered = np.sort(x)
    return float(ordered[cut]), float(ordered[n - 1 - cut])


def their_interval(x: Array, level: float) -> tuple[float, float]:
    """Of the median as autorank 1.3.0 has it: n/2 ± z·√(n/2), the root of twice the variance n/4 of a count."""
    n, ordered = len(x), np.sort(x)
    reach = -float(stdtrit(1e12, (1.0 - level) / 2.0)) * math.sqrt(n / 2.0)
    low, high = max(0.0, n / 2.0 - reach), min(n - 1.0, 1.0 + n / 2.0 + reach)
    return float(ordered[round(low)]), float(ordered[round(high)])


def too_wide(x: Array, name: str, level: float) -> list[Caution]:
    """What differs in the intervals of medians, by the first population's."""
    own, theirs = centre_interval(x, level, False), their_interval(x, level)
    if own == theirs:
        return []
    few = " (too few rows for a bound)" if math.isinf(own[0]) else ""
    return [
        caution_of(
            "peer-median-interval",
            n=len(x),
            half=len(x) / 2,
            quarter=len(x) / 4,
            their_low=theirs[0],
            their_high=theirs[1],
            name=name,
            low=own[0],
            high=own[1],
            few=few,
        )
    ]


def rank_table(
    values: dict[str, Array],
    mean_ranks: dict[str, float],
    *,
    parametric: bool,
    normal: bool,
    level: float,
    measure: str,
) -> dict[str, list[Any]]:
    """Columns, in the order of ``values``; effects are against the first of them, and against the one above."""
    names = list(values)
    first, above = values[names[0]], [values[names[max(0, i - 1)]] for i in range(len(names))]
    centre, spread = ("mean", "std") if parametric else ("median", "mad")
    ends = [centre_interval(values[name], level, normal) for name in names]
    sizes = [effect_size(first, values[name], measure) for name in names]
    next_sizes = [effect_size(x, values[name], measure) for x, name in zip(above, names, strict=True)]
    return {
        "meanrank": [mean_ranks[name] for name in names],
        centre: [float(np.mean(x) if parametric else np.median(x)) for x in values.values()],
        spread: [float(x.std(ddof=1)) if parametric else spread_of_medians(x) for x in values.values()],
        "ci_lower": [low for low, _ in ends],
        "ci_upper": [high for _, high in ends],
        "effect_size": sizes,
        "magnitude": [magnitude(size, measure) for size in sizes],
        "effect_size_above": next_sizes,
        "magnitude_above": [magnitude(size, measure) for size in next_sizes],
    }
