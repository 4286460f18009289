"""Parts of an experiment: in any order, killed and repeated, merged, they are what one machine makes."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError, StoreError
from bakeoff.wings.run.verification import verify_store

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "fork"), reason="coordinators are forked")]
N_PARTS = 40


def steady(problem: float, rng: np.random.Generator) -> float:
    return float(problem + rng.normal())


def fragile(problem: float, rng: np.random.Generator) -> float:
    if rng.random() < 0.1:
        raise ArithmeticError("diverged")
    return float(problem + 0.3 + 2.0 * rng.normal())


def experiment(second: Callable[..., float] = fragile, **more: Any) -> bo.Experiment:
    """Adaptive, in batches, with failures that count as a penalty: everything that a store has to remember."""
    settings = {"repetitions": {"se": 0.6, "nmax": 40, "n0": 5, "batch": 4}, "on_failure": 10.0, "seed": 3} | more
    return bo.Experiment(
        {"steady": steady, "second": second}, {f"p{i}": float(i) for i in range(53)}, better="lower", **settings
    )


def made(scale: float) -> Callable[..., float]:
    """A function whose code does not say the scale."""

    def scaled(problem: float, rng: np.random.Generator) -> float:
        return float(problem + scale * rng.normal())

    return scaled


def killed(path: Path, part: str, e: bo.Experiment) -> None:
    """Begin a part in a process, and kill that after some of its runs."""
    child = os.fork()
    if child == 0:
        bo.run_part(e, part, path)
        os._exit(0)
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
                if connection.execute("SELECT count(*) FROM run").fetchone()[0] >= 3:
                    break
        except sqlite3.Error:
            pass
        time.sleep(0.002)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


@pytest.mark.parametrize("more", [{}, {"repetitions": None, "runs": 4}], ids=["adaptive", "fixed"])
def test_forty_parts_are_one_machine(tmp_path: Path, more: dict[str, object]) -> None:
    e = experiment(**more)
    order = [*range(1, N_PARTS + 1)]
    random.Random(5).shuffle(order)
    stores = {i: tmp_path / f"e.part-{i:02d}-of-{N_PARTS}.sqlite" for i in order}
    for i in order[:3]:
        killed(stores[i], f"{i}/{N_PARTS}", e)
    for i in order:
        assert bo.run_part(e, f"{i}/{N_PARTS}", stores[i]).state == "finished"
    merged = bo.merge_stores([stores[i] for i in order], tmp_path / "e.sqlite")
    assert (merged.unfinished, merged.n_conflicts, merged.n_new) == ((), 0, merged.n_runs)
    together = bo.run(e, tmp_path / "e.sqlite")
    alone = bo.run(e)
    assert together.digest == alone.digest
    for suffix in (".html", ".json"):
        pages = [tmp_path / f"{name}{suffix}" for name in ("together", "alone")]
        for result, page in zip((together, alone), pages, strict=True):
            result.save(page)
        assert pages[0].read_bytes() == pages[1].read_bytes()
    assert verify_store(tmp_path / "e.sqlite", e).ok


def parts(folder: Path, e: bo.Experiment, n: int = 3) -> list[Path]:
    stores = [folder / f"{i}.sqlite" for i in range(1, n + 1)]
    for i, store in enumerate(stores, start=1):
        bo.run_part(e, f"{i}/{n}", store)
    return stores


def test_a_merge_again_changes_nothing_and_what_is_missing_is_made(tmp_path: Path) -> None:
    e, place = experiment(), tmp_path / "e.sqlite"
    stores = parts(tmp_path, e)
    first = bo.merge_stores(stores[:2], place)
    assert len(first.unfinished) == 17
    again = bo.merge_stores(stores[:2], place)
    assert (again.n_new, again.n_runs) == (0, first.n_runs)
    assert bo.run(e, place).digest == bo.run(e).digest
    last = bo.merge_stores(stores, place)
    assert (last.n_new, last.n_conflicts, last.unfinished) == (0, 0, ())


def test_second_results_are_recorded_and_the_first_is_kept(tmp_path: Path) -> None:
    e, place = experiment(repetitions=None, runs=3), tmp_path / "e.sqlite"
    stores = parts(tmp_path, e, 1)
    bo.merge_stores(stores, place)
    with sqlite3.connect(place) as connection:
        connection.execute("DELETE FROM checksum")
        connection.execute("UPDATE instance SET status = 'active' WHERE pos = 0")
        connection.execute("UPDATE run SET value = 99.0 WHERE inst = 0 AND alg = 0 AND rep = 0")
    for _ in range(2):
        merged = bo.merge_stores(stores, place)
        assert merged.n_conflicts == 1
    assert bo.run(e, place).runs[0].score == 99.0


def test_a_killed_merge_leaves_what_was_there(tmp_path: Path) -> None:
    e = experiment(repetitions=None, runs=40)
    stores = parts(tmp_path, e, 4)
    place = tmp_path / "e.sqlite"
    bo.merge_stores(stores[:1], place)
    for delay in (0.0, 0.003, 0.01, 0.03, 0.06):
        child = os.fork()
        if child == 0:
            bo.merge_stores(stores, place)
            os._exit(0)
        time.sleep(delay)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        with sqlite3.connect(place) as connection:
            n = connection.execute("SELECT count(DISTINCT inst) FROM run").fetchone()[0]
        assert n in (14, 53)
    assert bo.merge_stores(stores, place).unfinished == ()
    assert bo.run(e, place).digest == bo.run(e).digest


def test_other_experiments_and_changed_code_are_refused(tmp_path: Path) -> None:
    [store] = parts(tmp_path, experiment(made(1.0)), 1)
    for other, says in (
        (experiment(made(1.0), seed=4), r"another experiment than the store .*: seed is 4 there and 3 in 1\.sqlite"),
        (experiment(made(2.0)), r"different code or data: algorithm 'second' \(closure variable 'scale'\)"),
    ):
        place = tmp_path / "other.sqlite"
        bo.run_part(other, "1/2", place)
        with pytest.raises(StoreError, match=says):
            bo.merge_stores([store, place], tmp_path / "e.sqlite")
        assert not (tmp_path / "e.sqlite").exists()
        place.unlink()


def test_what_has_been_changed_is_refused(tmp_path: Path) -> None:
    [store] = parts(tmp_path, experiment(), 1)
    with sqlite3.connect(store) as connection:
        connection.execute("UPDATE run SET value = value + 1 WHERE inst = 4 AND status = 'ok'")
    with pytest.raises(StoreError, match="has been changed: runs of a finished problem"):
        bo.merge_stores([store], tmp_path / "e.sqlite")


def test_a_store_goes_on_with_its_own_part_only(tmp_path: Path) -> None:
    e = experiment()
    store = parts(tmp_path, e)[0]
    with pytest.raises(StoreError, match=r"holds part 1 of 3, not part 2 of 3; resume it with --part 1/3"):
        bo.run_part(e, "2/3", store)
    with pytest.raises(StoreError, match="holds part 1 of 3, not all of its experiment"):
        bo.run(e, store)
    bo.merge_stores([store], tmp_path / "e.sqlite")
    with pytest.raises(StoreError, match=r"holds all of its experiment, not part 1 of 3; resume it without --part"):
        bo.run_part(e, "1/3", tmp_path / "e.sqlite")


def test_what_cannot_be_divided_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "e.sqlite"
    for part, says in (
        ("0/3", r"must be from 1/3 to 3/3; got '0/3'; number the jobs of an array from 1"),
        ("4/3", r"must be from 1/3 to 3/3"),
        ("three", r"must be I/N, such as 3/40"),
        ("1/54", r"54 parts are more than the experiment has problems; with 53 parts each has 1 problem"),
    ):
        with pytest.raises(ParameterError, match=says):
            bo.run_part(experiment(), part, place)
    with pytest.raises(ParameterError, match="cannot be set for a sequential experiment"):
        bo.run_part(experiment(sequential="anytime", repetitions=None, runs=4), "1/3", place)
    assert not place.exists()
