"""Overhead per run of each executor."""

from __future__ import annotations

import atexit
from functools import partial

import numpy as np

from bakeoff.processes.command_line import CommandLine
from bakeoff.wings.run.cell import Task
from bakeoff.wings.run.design.work import Work
from bakeoff.wings.run.executors import Executor, make_executor
from benchmarks.model import Benchmark, Case, Goal, Peer, Run, at_most
from benchmarks.timing import load


def idle(problem: object, rng: np.random.Generator) -> float:
    """An algorithm that does nothing."""
    return 1.0


def _runs(executor: Executor, number: int) -> None:
    for repetition in range(number):
        executor.submit(Task(problem=0, algorithm=0, repetition=repetition, seed=repetition))
    left = number
    while ended := executor.wait():
        assert all(outcome.status == "ok" for outcome in ended)
        left -= len(ended)
    assert left == 0


def _opened(place: str, number: int, program: bool = False, **options: object) -> Run:
    """Workers are started and have loaded the work before the timing begins."""
    executor = make_executor(place, **options)  # type: ignore[arg-type]
    algorithm = CommandLine("echo 1") if program else idle
    executor.open(Work(algorithms=(algorithm,), problems=(1,), algorithm_names=("idle",), problem_names=("p",)))
    return partial(_runs, executor, number)


def _pool(number: int, fresh: bool) -> Run:
    """The standard library's pool: no time limit, and a crashed worker breaks it."""
    context = load("multiprocessing").get_context("forkserver")
    pool = context.Pool(1, maxtasksperchild=1 if fresh else None)
    atexit.register(pool.terminate)
    return partial(_mapped, pool, number)


def _mapped(pool: object, number: int) -> None:
    found = pool.imap_unordered(_idle_once, range(number), chunksize=1)  # type: ignore[attr-defined]
    assert sum(found) == number


def _idle_once(seed: int) -> float:
    return idle(1, np.random.default_rng(np.random.SeedSequence(seed)))


def _case(
    name: str,
    number: int,
    goals: tuple[Goal, ...],
    peers: tuple[Peer, ...] = (),
    short: bool = False,
    **options: object,
) -> Case:
    return Case(
        name=name,
        make=partial(_opened, number=number, **options),  # type: ignore[arg-type]
        goals=goals,
        peers=peers,
        scale=1 / number,
        rounds=5,
        short=short,
    )


def _peer(number: int, fresh: bool) -> Peer:
    note = "no time limit, no protection from crashes"
    return Peer(name="multiprocessing.Pool", make=partial(_pool, number, fresh), scale=1 / number, note=note)


CASES = (
    _case("in this process", 2000, (at_most(1e-3),), place="serial"),
    _case("reused worker", 2000, (at_most(1e-3),), (_peer(2000, False),), place="processes", workers=1, short=True),
    _case("two reused workers", 2000, (at_most(1e-3),), place="processes", workers=2),
    _case(
        "a fresh process for every run",
        200,
        (at_most(8e-3),),
        (_peer(5, True),),
        place="processes",
        workers=1,
        isolated=True,
        short=True,
    ),
    _case("a program (`echo 1`)", 200, (), place="command", workers=1, program=True),
)

BENCHMARK = Benchmark(
    name="run-overhead",
    item=14,
    title="Overhead of a run",
    about="An algorithm that returns 1 runs thousands of times, on workers that are already started. The wall time per "
    "run includes seeding, the check of the score, communication in both directions, and the watch over the worker.",
    cases=CASES,
)
