"""The whole of ``compare``, as a user calls it, and its report."""

from __future__ import annotations

import tempfile
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

import bakeoff as bo
from bakeoff.scores import Scores
from benchmarks.model import Benchmark, Case, Peer, Run, at_most
from benchmarks.timing import load


@lru_cache(maxsize=2)
def _table(n: int, k: int) -> Scores:
    """Normal scores, all different, of algorithms that do differ."""
    values = np.random.default_rng(n + k).normal(size=(n, k)) + np.linspace(0.0, 1.0, k)
    return bo.Scores(values, [f"algorithm {j + 1}" for j in range(k)], better="higher")


def _compare(n: int, k: int) -> Run:
    return partial(bo.compare, _table(n, k))


def _compare_rounded(n: int, k: int) -> Run:
    return partial(bo.compare, bo.Scores(_table(n, k).values.round(1), better="higher"))


def _nemenyi(n: int, k: int) -> Run:
    """The test alone: no omnibus test, no effects, no intervals."""
    return partial(load("scikit_posthocs").posthoc_nemenyi_friedman, _table(n, k).values)


@lru_cache(maxsize=1)
def _result() -> bo.Comparison:
    return bo.compare(_table(60, 200), posthoc="holm")


def _written(suffix: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"report{suffix}"
        _result().save(path)
        return path.stat().st_size


def _report(suffix: str) -> Run:
    _result()
    return partial(_written, suffix)


CASES = (
    Case(
        name="797 problems × 58 algorithms",
        make=partial(_compare, 797, 58),
        goals=(at_most(6.0),),
        why="selection among the Walsh averages of 1653 pairs, and one tail each",
        rounds=3,
    ),
    Case(
        name="797 problems × 58 algorithms, ties",
        make=partial(_compare_rounded, 797, 58),
        goals=(at_most(6.0),),
        why="selection among the Walsh averages of 1653 pairs, and as many patterns of ties as pairs",
        rounds=3,
    ),
    Case(
        name="30 problems × 20 algorithms",
        make=partial(_compare, 30, 20),
        goals=(at_most(0.01),),
        peers=(
            Peer(
                name="scikit-posthocs",
                package="scikit_posthocs",
                make=partial(_nemenyi, 30, 20),
                note="Nemenyi's test alone",
            ),
        ),
        why="every pair has an effect with a simultaneous interval",
        short=True,
    ),
    Case(
        name="30 problems × 10 algorithms, with ties",
        make=partial(_compare_rounded, 30, 10),
        goals=(at_most(0.08),),
        why="the signed-rank test of every pair is inverted, given its ties",
        short=True,
    ),
    Case(
        name="200 problems × 300 algorithms, NumPy alone",
        make=partial(_compare, 200, 300),
        goals=(at_most(5.0),),
        accelerator=False,
        rounds=1,
        why="44,850 signed-rank tests, most of the time",
    ),
    Case(
        name="100 problems × 1000 algorithms",
        make=partial(_compare, 100, 1000),
        goals=(at_most(30.0),),
        rounds=1,
        why="half a million signed-rank tests",
    ),
    Case(
        name="report of 200 algorithms on 60 problems, HTML",
        make=partial(_report, ".html"),
        goals=(at_most(5.0),),
        rounds=3,
    ),
    Case(name="size of that report", measure=lambda: float(_written(".html")), unit="B", goals=(at_most(5e6),)),
    Case(name="the same as JSON, complete", make=partial(_report, ".json"), rounds=1),
)

BENCHMARK = Benchmark(
    name="compare",
    item=18,
    title="All of compare, and its report",
    about="`bo.compare(scores)` with its defaults on untied scores; `result.save(...)` of a comparison that was made "
    "before.",
    cases=CASES,
)
