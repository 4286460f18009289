"""How often a rule loses a best candidate when it looks after every block, simulated."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy import special

from bakeoff.checks import choice
from bakeoff.errors import Caution, ParameterError
from bakeoff.racing.rule import Elimination, whole
from bakeoff.racing.rules.registry import make_rule
from bakeoff.randomness import generator, streams
from bakeoff.study.simulated import NOISES, Progress, positive, run_race, seeded_rule, with_length


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceErrors:
    """What :func:`bakeoff.study.race_errors` returns."""

    method: str
    n_candidates: int
    n_best: int
    chance: float
    n_problems: int
    lost: float  # share of races in which a given best candidate was ever removed
    lost_error: float
    any_lost: float  # in which any best one was removed
    any_lost_error: float
    noise: str
    block: int
    repetitions: int
    cautions: tuple[Caution, ...]


def race_errors(
    method: str = "e-sign",
    n_candidates: int = 10,
    *,
    n_best: int | None = None,
    chance: float = 0.5,
    n_problems: int = 500,
    block: int = 5,
    repetitions: int = 1000,
    noise: Literal["normal", "t2"] = "normal",
    alpha: float = 0.05,
    rng: int | np.random.Generator | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> RaceErrors:
    """How often does a racing rule remove a candidate that is a best one, when it looks after every block?

    Use it to see what looking again and again does to a rule at a nominal level. Not to see what a rule costs
    (``bo.study.race``).

    Parameters
    ----------
    method : str
        A racing rule, as for ``bo.race.replay``.
    n_candidates : int
        q.
    n_best : int, optional
        So many are equally good, and the best; all, if absent.
    chance : float
        How probably a best one beats one of the others on a problem: 0.5 up to below 1.
    n_problems, block : int
        At most so many problems, a look after every block.
    repetitions : int
        Simulated races.
    noise : {"normal", "t2"}
        The law of the scores; with "t2" (heavy tails) ``chance`` is still that of the normal law's shift.
    alpha : float
        The rule's level.
    rng : int or numpy.random.Generator, optional
        Seed 0 if absent. Every race has a stream of its own.
    progress : callable, optional
        Called with the number of races done and their number in all.
    **options
        Of the method.

    Returns
    -------
    RaceErrors
        ``.lost`` (a given best one), ``.any_lost``, and their standard errors.

    Raises
    ------
    ParameterError
        An unknown method, noise or option, a number outside its range.

    Notes
    -----
    Removed as worse or as not selected; or as equivalent, unless that is true: to another best one, or to one that it
    beats with a chance within the rule's margin of 1/2 (of normal scores).

    Examples
    --------
    >>> import bakeoff as bo
    >>> bo.study.race_errors("e-sign", 2, n_problems=50, repetitions=100).lost <= 0.05
    True
    """
    q = whole("n_candidates", n_candidates, 2, 2000)
    best = q if n_best is None else whole("n_best", n_best, 1, q)
    shift = math.sqrt(2.0) * float(special.ndtri(_chance(chance)))
    n, races = whole("n_problems", n_problems, 1, 1_000_000), whole("repetitions", repetitions, 1, 10_000_000)
    whole("block", block, 1, 10_000)
    draw = NOISES[choice("noise", noise, NOISES)]
    options = with_length(method, options, n)
    found = np.empty((races, 2))
    for r, stream in zip(range(races), streams(generator(rng)), strict=False):
        rule = seeded_rule(method, q, alpha, options, stream)
        costs = draw(stream, (n, q))
        costs[:, best:] += shift
        run_race(rule, costs, block)
        lost = {left.candidate for left in rule.eliminations if not _truly_equivalent(left, best, chance, options)}
        found[r] = 0 in lost, any(i < best for i in lost)
        if progress is not None:
            progress(r + 1, races)
    p, p_any = found.mean(axis=0).tolist()
    return RaceErrors(
        method=method,
        n_candidates=q,
        n_best=best,
        chance=chance,
        n_problems=n,
        lost=p,
        lost_error=math.sqrt(p * (1.0 - p) / races),
        any_lost=p_any,
        any_lost_error=math.sqrt(p_any * (1.0 - p_any) / races),
        noise=noise,
        block=block,
        repetitions=races,
        cautions=make_rule(method, q, alpha, **options).cautions(),
    )


def _truly_equivalent(left: Elimination, n_best: int, chance: float, options: dict[str, Any]) -> bool:
    """Whether a best one was called equivalent to one that is."""
    if left.reason != "equivalent" or left.by is None:
        return False
    return left.by < n_best or chance - 0.5 < options.get("margin", 0.05)


def _chance(value: object) -> float:
    number = positive("chance", value)
    if not 0.5 <= number < 1.0:
        raise ParameterError(
            f"chance must be at least 0.5, as the best are not beaten more often, and below 1; got {value!r}"
        )
    return number
