"""Looks of sequential experiments: what they see, what they decide, and that nobody's speed can change it."""

from __future__ import annotations

import contextlib
import itertools
import math
import random
import sqlite3
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.wings.run.cell import Outcome, Task
from bakeoff.wings.run.design.settings import DEFAULT, Question
from bakeoff.wings.run.design.work import Work
from bakeoff.wings.run.executors.perform import perform
from bakeoff.wings.run.racing.group_boundaries import group_design
from bakeoff.wings.run.racing.pair_evidence import log_e_sign, log_e_signed_rank, log_e_two_point
from bakeoff.wings.run.sequential.interim_looks import LookSequence, fractions_of, group_pvalue, look_sizes
from bakeoff.wings.run.verification import verify_store

# --- when to look -----------------------------------------------------------------------------------------------

GROUP, ANYTIME = replace(DEFAULT, sequential="group"), replace(DEFAULT, sequential="anytime")


def test_when_to_look() -> None:
    assert look_sizes(DEFAULT, 35) == ()
    assert look_sizes(GROUP, 35) == (18, 27, 35)
    assert look_sizes(GROUP, 36) == (18, 27, 36)
    assert [look_sizes(GROUP, n) for n in (1, 2, 3, 4)] == [(1,), (2,), (2, 3), (2, 3, 4)]
    assert look_sizes(ANYTIME, 6) == (2, 3, 4, 5, 6)
    assert look_sizes(ANYTIME, 1) == (1,)
    many = look_sizes(ANYTIME, 1000)
    assert many[:99] == tuple(range(2, 101))
    assert many[-1] == 1000
    assert all(b - a in (1, 2, 4, 8) for a, b in itertools.pairwise(many))


def test_the_nominal_levels_are_those_of_the_boundaries() -> None:
    """f = (1/2, 3/4, 1): p .004201 .019422 .042950, from the recursive integral and a published table."""
    design = group_design(fractions_of(GROUP, 36).tolist(), alpha=0.05)
    assert design.pvalues == pytest.approx([0.004201, 0.019422, 0.042950], abs=5e-7)


@cache
def nominal_of(alpha: float) -> list[float]:
    return group_design((0.5, 0.75, 1), alpha=alpha).pvalues.tolist()  # type: ignore[no-any-return]


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_p_value_is_the_smallest_level_at_which_the_design_rejects(alternative: Any) -> None:
    question = replace(GROUP, alternative=alternative)
    sides = 2 if alternative == "two-sided" else 1
    for n, k in ((18, 0), (27, 1), (36, 2)):
        for level in (0.001, 0.05):
            nominal = nominal_of(level * 2 / sides)[k] * sides / 2
            assert group_pvalue(math.log(nominal), n, question, 36) == pytest.approx(level, rel=1e-9)
    assert group_pvalue(-math.inf, 18, question, 36) == 0.0
    assert group_pvalue(0.0, 18, question, 36) == 1.0
    assert 0 <= group_pvalue(-5000.0, 18, question, 36) < 1e-300


# --- the looks --------------------------------------------------------------------------------------------------


def looking(question: Question, rows: np.ndarray, order: list[int] | None = None) -> LookSequence:
    names = tuple(f"a{j}" for j in range(rows.shape[1]))
    found = LookSequence(question, names, "mean", "lower", len(rows))
    for i in order or range(len(rows)):
        found.add(i, [[x] for x in rows[i].tolist()])
        list(found.due())
    return found


LEVELS = group_design((0.5, 0.75, 1.0)).pvalues


def slow_group(question: Question, rows: np.ndarray) -> list[tuple[int, bool]]:
    """The design as a textbook has it: at each look the t-test's p against the nominal level; two algorithms."""
    n = len(rows)
    sizes, levels = (18, 27, 36), LEVELS
    seen = []
    for size, level in zip(sizes, levels, strict=True):
        scores = bo.Scores(rows[:size], better="lower")
        p = {"t": bo.paired_t, "wilcoxon": bo.wilcoxon, "sign": bo.sign_test}[question.test](scores, 0, 1).pvalue
        stop = p <= level and size < n
        seen.append((size, stop))
        if stop:
            break
    return seen


@pytest.mark.few(1)
@pytest.mark.parametrize("test", ["t", "wilcoxon", "sign"])
def test_group_looks_decide_as_the_textbook(test: Any) -> None:
    rng = np.random.default_rng(4)
    question = replace(GROUP, test=test)
    stops = 0
    for _ in range(24):
        rows = np.round(
            rng.normal(size=(36, 2)) + np.array([0, rng.choice([0, 0.7, 1.2])]), rng.integers(0, 3)
        )  # ties too
        found = looking(question, rows)
        assert [(x.n, x.stop) for x in found.looks] == slow_group(question, rows)
        stops += found.stopped_at is not None
    assert 3 < stops < 21


@pytest.mark.slow
@pytest.mark.parametrize("test", ["t", "wilcoxon", "sign"])
def test_anytime_looks_are_one_over_the_largest_e(test: Any) -> None:
    rng = np.random.default_rng(5)
    process = {"t": lambda x: log_e_two_point(x, 0.5), "wilcoxon": log_e_signed_rank, "sign": log_e_sign}[test]
    question = replace(ANYTIME, test=test)
    for shift in (0.0, 1.0):
        rows = np.round(rng.normal(size=(40, 2)) + np.array([0, shift]), 1)
        x = np.round(rows[:, 1] - rows[:, 0], 10)
        x = np.sign(x) if test == "sign" else x
        found = looking(question, rows)
        for seen in found.looks:
            largest = max(0.0, float(process(x[: seen.n]).max()))
            assert seen.pvalues[0] == pytest.approx(math.exp(-largest), rel=1e-6)
            assert seen.stop == (math.exp(-largest) <= 0.05 and seen.n < 40)


@pytest.mark.few(1)
@pytest.mark.parametrize("question", [GROUP, ANYTIME])
def test_the_order_of_completion_is_not_seen(question: Question) -> None:
    rng = np.random.default_rng(6)
    for _ in range(2):
        rows = rng.normal(size=(20, 3)) + np.array([0, 1, 2])
        order = rng.permutation(20).tolist()
        one, other = looking(question, rows), looking(question, rows, order)
        assert [(x.n, x.statistic, x.stop) for x in one.looks] == [(x.n, x.statistic, x.stop) for x in other.looks]


def test_several_pairs_stop_when_all_are_decided() -> None:
    rng = np.random.default_rng(7)
    rows = rng.normal(size=(40, 3)) * 0.3 + np.array([0, 1, 2])
    found = looking(GROUP, rows)
    assert found.stopped_at == 20
    assert found.looks[0].adjusted == pytest.approx(bo.adjust(found.looks[0].pvalues, "holm"))
    equal = looking(GROUP, rows[:, [0, 1, 1]])  # the last two never differ
    assert equal.stopped_at is None
    assert [x.n for x in equal.looks] == [20, 30, 40]


def test_percent_looks_skip_problems_without_a_reference() -> None:
    rows = np.array([[1.0, 2.0], [-1.0, 3.0], [2.0, 5.0], [1.0, 2.5], [3.0, 4.0], [1.0, 1.9]])
    for question in (replace(GROUP, differences="percent"), replace(ANYTIME, differences="percent")):
        found = looking(question, rows)  # type: ignore[arg-type]
        assert found.looks[-1].n <= 6
        assert np.all(np.isfinite(found.looks[-1].pvalues))


# --- whole experiments ------------------------------------------------------------------------------------------


def zero(problem: float, rng: np.random.Generator) -> float:
    return 0.0


def noisy(problem: float, rng: np.random.Generator) -> float:
    return problem + rng.normal()


def experiment(shift: float = 1.5, n: int = 40, **changes: Any) -> bo.Experiment:
    given: dict[str, Any] = {"better": "lower", "seed": 3, "runs": 2, "sequential": "group", **changes}
    return bo.Experiment({"zero": zero, "noisy": noisy}, {f"p{i}": shift for i in range(n)}, **given)


class Shuffled:
    """Many workers that finish in a random order."""

    def __init__(self, seed: int, workers: int = 7, dies_after: int | None = None) -> None:
        self.rng, self.workers, self.tasks = random.Random(seed), workers, list[Task]()
        self.left = dies_after
        self.work: Work | None = None

    def open(self, work: Work) -> None:
        self.work = work

    def submit(self, task: Task) -> None:
        self.tasks.append(task)

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise RuntimeError("the coordinator dies")
        assert self.work is not None
        return [perform(self.work, self.tasks.pop(self.rng.randrange(len(self.tasks))))]

    def close(self, now: bool = False) -> None:
        self.tasks.clear()


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [(0,), pytest.param((1, 2, 3), marks=pytest.mark.slow)])
@pytest.mark.parametrize("sequential", ["group", "anytime"])
def test_it_stops_and_everybody_agrees_where(sequential: Any, seeds: tuple[int, ...], tmp_path: Path) -> None:
    e = experiment(sequential=sequential)
    serial = bo.run(e)
    found = serial.analysis
    assert found.stopped_early
    assert found.n_planned == 40
    assert found.n_problems == serial.n_problems == found.looks[-1].n < 40
    assert serial.n_dropped == 40 - serial.n_problems
    assert set(serial.drawn) == {e.problem_names[i] for i in e.order[: serial.n_problems]}
    assert found.pair.verdict == "a better"
    assert found.pair.pvalue == found.looks[-1].statistic <= 0.05
    assert "stopped-early" in [c.code for c in found.cautions]
    for seed in seeds:
        store = tmp_path / f"{seed}.sqlite"
        other = bo.run(e, store, executor=Shuffled(seed))  # type: ignore[arg-type]
        assert (other.digest, other.problems, other.analysis.looks) == (serial.digest, serial.problems, found.looks)
        assert other.n_runs == serial.n_runs
        assert other.n_beyond >= 0  # begun before the look, kept, and in no result
        assert verify_store(store).ok
        assert verify_store(store).digest == serial.digest
        again = bo.run(e, store)  # nothing is begun again
        assert (again.digest, again.n_beyond) == (serial.digest, other.n_beyond)
        assert bo.compare(again.scores).scores.n_problems == serial.n_problems


@pytest.mark.slow
@pytest.mark.parametrize("deaths", [(20,), pytest.param((1, 37, 60), marks=pytest.mark.slow)])
@pytest.mark.parametrize("sequential", ["group", "anytime"])
def test_killed_and_gone_on_with_it_is_the_same(sequential: Any, deaths: tuple[int, ...], tmp_path: Path) -> None:
    e = experiment(sequential=sequential, shift=0.7)
    whole = bo.run(e)
    for dies_after in deaths:
        store = tmp_path / f"{dies_after}.sqlite"
        with contextlib.suppress(RuntimeError):
            bo.run(e, store, executor=Shuffled(dies_after, dies_after=dies_after))  # type: ignore[arg-type]
        result = bo.run(e, store, executor=Shuffled(1))  # type: ignore[arg-type]
        assert (result.digest, result.analysis.looks) == (whole.digest, whole.analysis.looks)
        assert verify_store(store).ok


@pytest.mark.slow
def test_to_the_end_if_nothing_is_found(tmp_path: Path) -> None:
    e = experiment(shift=0.0, n=16)
    store = tmp_path / "runs.sqlite"
    result = bo.run(e, store)
    assert [(x.n, x.verdict) for x in result.analysis.looks] == [(8, "go on"), (12, "go on"), (16, "end")]
    assert not result.analysis.stopped_early
    assert (result.n_problems, result.n_beyond) == (16, 0)
    assert verify_store(store).ok


@pytest.mark.slow
def test_a_changed_look_is_found(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite"
    bo.run(experiment(), store)
    for change in ("UPDATE look SET stat = 0.04", "UPDATE look SET verdict = 'go on'", "DELETE FROM look"):
        copy = tmp_path / "copy.sqlite"
        copy.write_bytes(store.read_bytes())
        connection = sqlite3.connect(copy)
        connection.execute(change)
        connection.commit()
        connection.close()
        assert not verify_store(copy).ok, change


@pytest.mark.slow
def test_failures_beyond_the_stop_do_not_stop_anything() -> None:
    e = experiment(sequential="anytime", shift=4.0)
    assert bo.run(e, executor=Shuffled(3, workers=20)).analysis.stopped_early  # type: ignore[arg-type]


def test_the_reason_of_what_was_not_begun_is_kept(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite"
    result = bo.run(experiment(), store)
    connection = sqlite3.connect(store)
    found = connection.execute("SELECT count(*) FROM instance WHERE reason = 'sequential'").fetchone()
    connection.close()
    assert found == (result.n_dropped,)


@pytest.mark.slow
def test_the_real_executor_of_processes_agrees(tmp_path: Path) -> None:
    e = bo.Experiment.from_toml(Path(__file__).parents[5] / "examples" / "optimisers.toml")
    small = bo.Experiment(
        dict(zip(e.algorithm_names, e.algorithms, strict=True)),
        dict(zip(e.problem_names, e.problems, strict=True)),
        better="lower",
        seed=1,
        runs=2,
        sequential="group",
        n_problems=20,
    )
    serial, two = bo.run(small), bo.run(small, tmp_path / "r.sqlite", executor="processes", workers=2)
    assert (serial.digest, serial.analysis.looks) == (two.digest, two.analysis.looks)


def fails_on_large(sample: np.ndarray) -> float:
    if sample.mean() > 3:
        raise ValueError("no")
    return float(np.median(sample))


@pytest.mark.slow
@pytest.mark.parametrize("sequential", [None, "group", "anytime"])
def test_a_statistic_that_fails_on_some_problems_costs_those_only(sequential: Any) -> None:
    shifts = {f"p{i}": 10.0 if i % 3 == 0 else 1.0 for i in range(12)}
    e = bo.Experiment(
        {"zero": zero, "noisy": noisy},
        shifts,
        better="lower",
        seed=3,
        sequential=sequential,
        repetitions={"se": 0.5, "nmax": 40, "n0": 5, "statistic": fails_on_large, "resamples": 99},
    )
    result = bo.run(e)
    assert result.reasons["error"] == sum(name in result.problems for name, shift in shifts.items() if shift == 10.0)
    assert result.scores.n_problems == result.analysis.n_problems == result.n_problems - result.reasons["error"]
