"""Which candidate a race chooses and at what cost, simulated: the experiment of Benavoli et al. (2015), section 7.1."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from bakeoff.checks import integer, positive
from bakeoff.errors import Caution
from bakeoff.scores import Array
from bakeoff.wings.run.racing.rules.rule import Rule, make_rule
from benchmarks.races.simulated import NOISES, Progress, run_race, seeded_rule, simulated, studied, with_length


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceStudy:
    """What :func:`race` returns: means over simulated races, each with its standard error."""

    method: str
    n_candidates: int  # Candidates
    rho: float  # spread of the candidates, relative to the noise
    iterations: float  # ITER: share of the allowed rounds that a race took
    iterations_error: float  # standard error of iterations
    mae: float  # number of candidates better than the one chosen
    mae_error: float  # standard error of mae
    best_lost: float  # share of races that eliminated the best candidate
    n_survivors: float  # candidates at the end
    n_equivalent: float  # candidates eliminated as equivalent or indistinguishable
    false_equivalent: float  # share of those whose probability of a win is outside 1/2 ± 0.05; 0 if there are none
    evaluations: float  # total, divided by the number of candidates
    rounds: int  # rounds that a race may take
    block: int
    repetitions: int  # races simulated
    cautions: tuple[Caution, ...]


def race(
    method: str = "e-sign",
    n_candidates: int = 30,
    rho: float = 1.0,
    *,
    rounds: int = 300,
    block: int = 5,
    repetitions: int = 200,
    alpha: float = 0.05,
    rng: int | np.random.Generator | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> RaceStudy:
    """Which candidate does a race choose, and how long does it take? Benavoli et al. (2015), section 7.1.

    Use it to compare rules before a race, on candidates like yours. Not as the last word on a rule: candidates here
    are independent and normal, and all problems equally difficult.

    Parameters
    ----------
    method : str
        A racing rule, as for ``bo.race.replay``.
    n_candidates : int
        Number of candidates.
    rho : float
        Standard deviation of every score; the candidates' means are uniform on [0, 1].
    rounds : int
        Largest number of rounds.
    block : int
        Problems per round for every survivor.
    repetitions : int
        Simulated races, at least 2: one race has no standard error.
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
    RaceStudy
        ``.iterations`` (ITER), ``.mae`` (candidates better than the one chosen), ``.best_lost`` and more.

    Raises
    ------
    ParameterError
        An unknown method or option, a number outside its range.

    Notes
    -----
    The paper leaves open what M counts. Read as 300 rounds, its tables are reproduced in shape, not in digits: see
    docs/trust/racing.md.

    Examples
    --------
    >>> from benchmarks import races
    >>> found = races.race("e-sign", n_candidates=3, rho=0.1, rounds=40, repetitions=20)
    >>> found.best_lost  # guaranteed: at most 0.05
    0.0
    """
    q = integer("n_candidates", n_candidates, 2, 2000)
    sd = positive("rho", rho)
    n = integer("rounds", rounds, 1, 100_000) * integer("block", block, 1, 10_000)
    races = integer("repetitions", repetitions, 2, 10_000_000)
    options = with_length(method, options, n)

    def one_race(stream: np.random.Generator) -> tuple[float, ...]:
        means = stream.uniform(size=q)
        rule = seeded_rule(method, q, alpha, options, stream)
        scores = means + sd * NOISES["normal"](stream, (n, q))
        spent, used = run_race(rule, -scores, block)
        return (*_judged(rule, means, sd, scores[:used]), used / n, spent / q)

    numbers = simulated(one_race, races, rng, progress)
    mean = numbers.mean(axis=0)
    error = numbers.std(axis=0, ddof=1) / math.sqrt(races)
    return RaceStudy(
        method=method,
        n_candidates=q,
        rho=sd,
        iterations=float(mean[5]),
        iterations_error=float(error[5]),
        mae=float(mean[0]),
        mae_error=float(error[0]),
        best_lost=float(mean[1]),
        n_survivors=float(mean[2]),
        n_equivalent=float(mean[3]),
        false_equivalent=float(mean[4] / mean[3]) if mean[3] else 0.0,
        evaluations=float(mean[6]),
        rounds=rounds,
        block=block,
        repetitions=races,
        cautions=make_rule(studied(method), q, alpha, **options).cautions(),
    )


def _judged(rule: Rule, means: Array, sd: float, scores: Array) -> tuple[float, ...]:
    """Numbers of better candidates than the choice (by mean), bests lost, survivors, equivalences and false ones."""
    chosen = rule.chosen
    if chosen is None:
        chosen = rule.alive[np.argmax(scores[:, rule.alive].mean(axis=0))]
    calls = [e for e in rule.eliminations if e.reason == "equivalent"]
    gaps = [abs(float(special.ndtr((means[c.candidate] - means[c.by]) / (sd * math.sqrt(2.0)))) - 0.5) for c in calls]
    return (
        float((means > means[chosen]).sum()),
        float(int(np.argmax(means)) not in rule.alive.tolist()),
        float(len(rule.alive)),
        float(len(calls)),
        float(sum(gap >= 0.05 for gap in gaps)),
    )
