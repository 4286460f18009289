"""Cost of the decisions of a race."""

from __future__ import annotations

from functools import partial

import numpy as np

from bakeoff.wings.run.racing.rules.rule import make_rule
from benchmarks.model import Benchmark, Case, Goal, Run, at_most

BLOCKS = 20  # of five problems


def _race(method: str, q: int, blocks: int = BLOCKS, **options: object) -> Run:
    """All candidates equal, at a level that eliminates none: every block is decided for the whole field.

    A race before it fills the tables that all races share.
    """
    costs = np.random.default_rng(0).normal(size=(blocks, 5, q))
    run = partial(_decided, method, q, costs, options)
    run()
    return run


def _decided(method: str, q: int, costs: np.ndarray[tuple[int, ...], np.dtype[np.float64]], options: object) -> None:
    assert isinstance(options, dict)
    rule = make_rule(method, q, 1e-9, **options)
    for block in costs:
        rule.observe(block)
    assert len(rule.alive) == q


def _case(method: str, q: int, goals: tuple[Goal, ...] = (), blocks: int = BLOCKS, short: bool = False) -> Case:
    return Case(
        name=f"{method}, {q} candidates",
        make=partial(_race, method, q, blocks),
        goals=goals,
        scale=1 / blocks,
        rounds=5,
        short=short,
    )


CASES = (
    _case("e-sign", 100, (at_most(0.3e-3),), short=True),
    _case("bayes", 100, (at_most(5e-3),), short=True),
    _case("f-race-sign", 100),
    _case("e-sign", 1000, blocks=5),
    _case("bayes", 1000, blocks=5),
)

BENCHMARK = Benchmark(
    name="racing",
    item=17,
    title="Decisions of a race",
    about="The time for a block of five problems and all candidates, from the scores to the eliminations. It is the "
    "mean of the first 20 blocks (5 with 1000 candidates). The Bayesian race draws 1000 times from the "
    "posterior.",
    cases=CASES,
)
