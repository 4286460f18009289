"""How often a racing rule eliminates a best candidate, simulated."""

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy import special

from bakeoff.checks import choice, integer, number
from bakeoff.errors import Caution
from bakeoff.nulls.tails import share_error
from bakeoff.wings.run.racing.rules.rule import Elimination, make_rule
from benchmarks.races.simulated import NOISES, Progress, run_race, seeded_rule, simulated, studied, with_length


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceErrors:
    """What :func:`race_errors` returns."""

    method: str
    n_candidates: int
    n_best: int  # equally good best candidates
    chance: float  # probability that a best one beats another on a problem
    n_problems: int  # problems of a race
    lost: float  # share of races in which a given best candidate was ever eliminated
    lost_error: float  # standard error; not 0 where no race, or every one, lost
    any_lost: float  # in which any best one was
    any_lost_error: float  # standard error of any_lost
    n_late: int  # candidates that join later
    late_after: int  # after so many problems
    noise: str  # of the scores
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
    n_late: int = 0,
    late_after: int = 50,
    noise: Literal["normal", "t2"] = "normal",
    alpha: float = 0.05,
    rng: int | np.random.Generator | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> RaceErrors:
    """How often does a racing rule eliminate a best candidate, with a look after every block?

    Use it to see what repeated looks do to a nominal level. Not for what a rule costs, which is ``races.race``.

    Parameters
    ----------
    method : str
        A racing rule, as for ``bo.race.replay``.
    n_candidates : int
        Number of candidates.
    n_best : int, optional
        Of those that are equally good and best: the first ones. Default: all.
    chance : float
        Probability that a best one beats one of the others on a problem, from 0.5 to below 1.
    n_problems : int
        Largest number of problems.
    block : int
        Problems between two looks.
    repetitions : int
        Simulated races.
    n_late : int
        The last ones of the candidates that join late; default: none.
    late_after : int
        After how many problems they join.
    noise : {"normal", "t2"}
        Distribution of the scores; with "t2" (heavy tails) ``chance`` still refers to the normal shift.
    alpha : float
        The level of the rule.
    **options
        Further options of the rule.
    rng : int or numpy.random.Generator, optional
        Seed 0 if absent. Every race has its own stream.
    progress : callable, optional
        Called with the numbers of races done and to do.

    Returns
    -------
    RaceErrors
        ``.lost`` (a given best one), ``.any_lost``, and their standard errors.

    Raises
    ------
    ParameterError
        A value outside its rule.

    Notes
    -----
    An elimination as equivalent counts as lost unless it is true: to a best one, or one within the margin of 1/2.

    Examples
    --------
    >>> from benchmarks import races
    >>> races.race_errors("e-sign", 2, n_problems=50, repetitions=100).lost <= 0.05
    True
    """
    q = integer("n_candidates", n_candidates, 2, 2000)
    best = q if n_best is None else integer("n_best", n_best, 1, q)
    win = number("chance", chance, least=0.5, below=1.0, what="at least 0.5 and below 1")
    shift = math.sqrt(2.0) * float(special.ndtri(win))
    n, races = integer("n_problems", n_problems, 1, 1_000_000), integer("repetitions", repetitions, 1, 10_000_000)
    integer("block", block, 1, 10_000)
    starting = q - integer("n_late", n_late, 0, q - 2)
    integer("late_after", late_after, 1, 1_000_000)
    if n_late:
        make_rule(studied(method), starting, alpha, **with_length(method, options, n)).refuse_late()
    draw = NOISES[choice("noise", noise, NOISES)]
    options = with_length(method, options, n)

    def one_race(stream: np.random.Generator) -> tuple[bool, bool]:
        rule = seeded_rule(method, starting, alpha, options, stream)
        costs = draw(stream, (n, q))
        costs[:, best:] += shift
        run_race(rule, costs, block, late_after)
        lost = {left.candidate for left in rule.eliminations if not _truly_equivalent(left, best, win, options)}
        return 0 in lost, any(i < best for i in lost)

    shares = simulated(one_race, races, rng, progress).mean(axis=0)
    (p, p_any), (p_error, p_any_error) = shares.tolist(), share_error(shares, races).tolist()
    return RaceErrors(
        method=method,
        n_candidates=q,
        n_best=best,
        chance=win,
        n_problems=n,
        lost=p,
        lost_error=p_error,
        any_lost=p_any,
        any_lost_error=p_any_error,
        n_late=n_late,
        late_after=late_after,
        noise=noise,
        block=block,
        repetitions=races,
        cautions=make_rule(studied(method), q, alpha, **options).cautions(),
    )


def _truly_equivalent(left: Elimination, n_best: int, chance: float, options: dict[str, Any]) -> bool:
    """Whether a candidate was called equivalent to one that is equivalent."""
    if left.reason != "equivalent" or left.by is None:
        return False
    return left.by < n_best or chance - 0.5 < options.get("margin", 0.05)
