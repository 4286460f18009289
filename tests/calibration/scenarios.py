"""Tables of scores whose truth is known: which pairs do not differ, and by how much the others do.

A scenario draws (n problems, k algorithms) of scores, lower is better. Two algorithms of one group do not differ, in
the sense that ``null`` says:

    exchangeable   swapping the two algorithms' scores within a problem changes no distribution
    symmetric      their difference is symmetric about 0 (true of exchangeable ones, and of unequal spreads)
    median         their difference has median 0 but is skewed: the sign test's null, not that of signed ranks
    mean           their difference has mean 0 but is skewed: neither's null
    dependent      exchangeable, but problems come in families: they are not independent, which every test assumes
    intransitive   exchangeable with the first, which is all: the others differ from each other, so there are no groups
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

Table = npt.NDArray[np.float64]
Rng = np.random.Generator
Null = Literal["exchangeable", "symmetric", "median", "mean", "dependent", "intransitive"]


@dataclass(frozen=True)
class Scenario:
    """``groups(k)``: algorithms of one group do not differ. ``location(k, n)``: differences are shifts by these, NaN
    where an algorithm is no shift of the others (then only differences within its group, 0, are known)."""

    name: str
    draw: Callable[[Rng, int, int], Table]
    groups: Callable[[int], list[int]]
    location: Callable[[int, int], list[float]]
    null: Null
    data: str  # in a sentence of the page

    def alike(self, k: int) -> npt.NDArray[np.bool_]:
        """(k, k) which pairs do not differ."""
        group = np.array(self.groups(k))
        found = np.asarray(group[:, None] == group[None, :])
        if self.null == "intransitive":
            found[0, :] = found[:, 0] = True
        return found

    def differences(self, n: int, k: int) -> Table:
        """(k, k) by how much the row's algorithm is better than the column's; NaN where that is not a shift."""
        location = np.array(self.location(k, n), dtype=np.float64)
        return np.where(self.alike(k), 0.0, location[None, :] - location[:, None])

    def all_alike(self, k: int) -> bool:
        return bool(self.alike(k).all())


def one_group(k: int) -> list[int]:
    return [0] * k


def nowhere(k: int, n: int) -> list[float]:
    """No two algorithms of different groups are shifts of each other."""
    return [math.nan] * k


def first_two(k: int) -> list[int]:
    """The first two equal, each other one a group of its own."""
    return [0, 0, *range(2, k)]


def last_apart(k: int) -> list[int]:
    return [0] * (k - 1) + [1]


def halves(k: int) -> list[int]:
    return [0] * ((k + 1) // 2) + [1] * (k // 2)


def two_and_rest(k: int) -> list[int]:
    return [0, 0] + [1] * (k - 2)


def at(groups: Callable[[int], list[int]], step: float) -> Callable[[int, int], list[float]]:
    """Group g lies at g · step."""
    return lambda k, n: [step * group for group in groups(k)]


def shifted(
    noise: Callable[[Rng, int, int], Table], groups: Callable[[int], list[int]], step: float
) -> Callable[[Rng, int, int], Table]:
    """Independent noise, a difficulty of each problem, and the group's location."""
    return lambda rng, n, k: noise(rng, n, k) + rng.normal(size=(n, 1)) + step * np.array(groups(k), dtype=float)


# --- noise --------------------------------------------------------------------------------------------------------


def normal(rng: Rng, n: int, k: int) -> Table:
    return rng.normal(size=(n, k))


def t2(rng: Rng, n: int, k: int) -> Table:
    return rng.standard_t(2, size=(n, k))


def cauchy(rng: Rng, n: int, k: int) -> Table:
    return rng.standard_cauchy(size=(n, k))


def lognormal(rng: Rng, n: int, k: int) -> Table:
    return rng.lognormal(size=(n, k))


def t2_of_many_scales(rng: Rng, n: int, k: int) -> Table:
    """Scales of problems differ by up to six orders of magnitude."""
    return t2(rng, n, k) * 10.0 ** rng.uniform(-3, 3, size=(n, 1))


def rounded(rng: Rng, n: int, k: int) -> Table:
    """Whole numbers, mostly −1, 0 and 1: many ties."""
    return np.round(rng.normal(size=(n, k)))


def families(rng: Rng, n: int, k: int) -> Table:
    """Five problems a family; an algorithm is good or bad at a whole family."""
    of_family = rng.normal(size=(-(-n // 5), k))
    return np.repeat(of_family, 5, axis=0)[:n] + rng.normal(size=(n, k))


# --- unequal spreads ----------------------------------------------------------------------------------------------


def spread_four_to_one(rng: Rng, n: int, k: int) -> Table:
    return rng.normal(size=(n, k)) * np.where(np.array(halves(k)) == 0, 4.0, 1.0)


def wide_pair(rng: Rng, n: int, k: int) -> Table:
    return rng.normal(size=(n, k)) * np.where(np.array(two_and_rest(k)) == 0, 10.0, 1.0)


def risky_pair(rng: Rng, n: int, k: int) -> Table:
    """The first two are best with probability .7, else worst, each for itself."""
    table = rng.normal(size=(n, k))
    table[:, :2] += np.where(rng.random((n, 2)) < 0.7, -20.0, 20.0)
    return table


def specialists(rng: Rng, n: int, k: int) -> Table:
    """The first is best where the second is worst, and the other way round, each on a random half of the problems."""
    table = rng.normal(size=(n, k)) * 0.1 + np.r_[0, 0, np.arange(k - 2.0)]
    first = rng.random(n) < 0.5
    table[:, 0] = np.where(first, -8, 20) + rng.normal(size=n)
    table[:, 1] = np.where(first, 20, -8) + rng.normal(size=n)
    return table


# --- skewed differences: the first algorithm has no noise of its own -----------------------------------------------


def against_the_first(
    noise: Callable[[Rng, tuple[int, int]], Table], centre: float
) -> Callable[[Rng, int, int], Table]:
    def draw(rng: Rng, n: int, k: int) -> Table:
        table = np.hstack([np.zeros((n, 1)), noise(rng, (n, k - 1)) - centre])
        return table + rng.normal(size=(n, 1))

    return draw


def exponential(rng: Rng, size: tuple[int, int]) -> Table:
    return rng.exponential(size=size)


def wide_lognormal(rng: Rng, size: tuple[int, int]) -> Table:
    return rng.lognormal(sigma=2.0, size=size)


# --- alike in pairs, not in groups ---------------------------------------------------------------------------------

CIRCLE = 40


def round_a_circle(rng: Rng, n: int, k: int) -> Table:
    """All have one distribution. The first is independent; each other one is mostly one place behind the one before,
    and seldom 39 ahead."""
    table = (rng.integers(CIRCLE, size=(n, 1)) + np.arange(k)) % CIRCLE + rng.normal(size=(n, k)) * 0.01
    table[:, 0] = rng.integers(CIRCLE, size=n) + rng.normal(size=n) * 0.01
    return table


# --- right or wrong -----------------------------------------------------------------------------------------------

ACCURACY = 0.703
WORSE = {300: 0.615, 500: 0.633, 800: 0.651}  # the last model's, by the number of questions


def accuracies(k: int, n: int) -> list[float]:
    return [ACCURACY] * (k - 1) + [WORSE.get(n, 0.615)]


def answers(rng: Rng, accuracy: list[float], n: int) -> Table:
    """1 = wrong. Half of the variance behind an answer is the question's, so that models err on the same questions."""
    behind = math.sqrt(0.5) * (rng.normal(size=(n, 1)) + rng.normal(size=(n, len(accuracy))))
    return (behind > ndtri(np.array(accuracy))).astype(np.float64)


def error_rates(k: int, n: int) -> list[float]:
    return [1.0 - accuracy for accuracy in accuracies(k, n)]


# --- all of them --------------------------------------------------------------------------------------------------


def _alike(name: str, draw: Callable[[Rng, int, int], Table], null: Null, data: str) -> Scenario:
    """No algorithm differs from another."""
    return Scenario(name=name, draw=draw, groups=one_group, location=at(one_group, 0.0), null=null, data=data)


def _located(
    name: str, noise: Callable[[Rng, int, int], Table], groups: Callable[[int], list[int]], step: float, data: str
) -> Scenario:
    """Groups that are shifts of each other."""
    draw, location = shifted(noise, groups, step), at(groups, step)
    return Scenario(name=name, draw=draw, groups=groups, location=location, null="exchangeable", data=data)


_EVERY = (
    _alike("equal, normal", shifted(normal, one_group, 0.0), "exchangeable", "all equal, normal"),
    _alike("equal, t2, scales differ", t2_of_many_scales, "exchangeable", "all equal, t with 2 df, scales 1 : 10⁶"),
    _alike("equal, Cauchy", shifted(cauchy, one_group, 0.0), "exchangeable", "all equal, Cauchy"),
    _alike("equal, rounded", rounded, "exchangeable", "all equal, whole numbers from about −2 to 2"),
    _located("one bad", normal, last_apart, 10.0, "one ten standard deviations worse, the others equal"),
    _located("one a little worse", normal, last_apart, 0.8, "one 0.8 standard deviations worse, the others equal"),
    _located("two far clusters", normal, halves, 10.0, "two halves ten standard deviations apart"),
    _located("others far and ordered", normal, first_two, 10.0, "two equal, each other one far behind the one before"),
    _located("near clusters, normal", normal, halves, 1.0, "two halves one standard deviation apart"),
    _located("near clusters, t2", t2, halves, 1.0, "two halves 1 apart, t with 2 df"),
    _located("near clusters, lognormal", lognormal, halves, 1.0, "two halves 1 apart, lognormal"),
    _located("near clusters, Cauchy", cauchy, halves, 2.0, "two halves 2 apart, Cauchy"),
    _alike("spread 4:1", spread_four_to_one, "symmetric", "one mean, half of them four times as variable"),
    _alike("wide pair", wide_pair, "symmetric", "one mean, two of them ten times as variable"),
    Scenario(
        name="risky pair",
        draw=risky_pair,
        groups=two_and_rest,
        location=nowhere,
        null="exchangeable",
        data="two are best with probability .7 and else worst, the others equal",
    ),
    Scenario(
        name="specialists",
        draw=specialists,
        groups=first_two,
        location=nowhere,
        null="exchangeable",
        data="two, each best on a random half of the problems where the other is worst; others between them",
    ),
    _alike("skewed, median 0", against_the_first(exponential, math.log(2)), "median", "median 0, exponential"),
    _alike("very skewed, median 0", against_the_first(wide_lognormal, 1.0), "median", "median 0, lognormal (σ = 2)"),
    _alike("skewed, mean 0", against_the_first(exponential, 1.0), "mean", "mean 0, exponential"),
    _alike("problems in families", families, "dependent", "all equal, but five problems a family"),
    Scenario(
        name="round a circle",
        draw=round_a_circle,
        groups=lambda k: list(range(k)),
        location=nowhere,
        null="intransitive",
        data="the first is exchangeable with each other one; each of these is mostly a little behind the one before",
    ),
    _alike(
        "right or wrong, equal",
        lambda rng, n, k: answers(rng, [ACCURACY] * k, n),
        "exchangeable",
        "right or wrong answers, all models right on 70.3 %",
    ),
    Scenario(
        name="right or wrong, one worse",
        draw=lambda rng, n, k: answers(rng, accuracies(k, n), n),
        groups=last_apart,
        location=lambda k, n: error_rates(k, n),
        null="exchangeable",
        data="right or wrong answers, one model worse (70.3 % against 61.5 % at 300 questions)",
    ),
)
SCENARIOS = {scenario.name: scenario for scenario in _EVERY}
