"""One worker gives the scores of several to the last bit: threads of BLAS and the order of sets included."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.wings.run.design.structural_digest import uses_sets
from bakeoff.wings.run.executors.serial import _functions, one_blas_thread

MODULE = """
import numpy as np
def dot(problem, rng):
    x = rng.normal(size=400_000)
    return float(np.dot(x, x + 0.1))
def order(problem, rng):
    words = {f"word {i}" for i in range(200)}
    return float(sum(i * len(word.encode()) * ord(word[-1]) for i, word in enumerate(words)))
"""
TOML = """
better = "lower"
seed = 1
runs = 2
[algorithms]
dot = { python = "same_bits_for_tests:dot" }
order = { python = "same_bits_for_tests:order" }
[problems.values]
p = 1
q = 2
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "same_bits_for_tests.py").write_text(MODULE)
    (tmp_path / "e.toml").write_text(TOML)
    return tmp_path


def result(folder: Path, *options: str, **environment: str) -> dict[str, Any]:
    for store in folder.glob("e.sqlite*"):
        store.unlink()
    paths = [str(Path(bo.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONHASHSEED"}
    done = subprocess.run(
        [sys.executable, "-m", "bakeoff", "run", "e.toml", "--json", *options],
        cwd=folder,
        env=inherited | {"PYTHONPATH": os.pathsep.join(filter(None, paths))} | environment,
        capture_output=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.slow
def test_one_worker_gives_the_bits_of_two(folder: Path) -> None:
    """One worker, the default, was the process of the command itself, with a BLAS thread per processor."""
    digests = [result(folder, *options)["digest"] for options in ((), ("--workers", "2"))]
    assert len(set(digests)) == 1


@pytest.mark.slow
def test_the_process_itself_says_that_sets_have_no_order(folder: Path) -> None:
    """Here the threads of BLAS are one as well; the order of sets cannot be set in a running process."""
    two = result(folder, "--workers", "2")
    here = result(folder, "--executor", "serial", PYTHONHASHSEED="0")
    assert here["digest"] == two["digest"]
    assert "not-reproducible" not in {c["code"] for c in here["cautions"]}
    assert "not-reproducible" in {c["code"] for c in result(folder, "--executor", "serial")["cautions"]}


def test_blas_has_one_thread_within_the_block_and_as_many_as_before_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    if sys.platform != "linux":
        pytest.skip("libraries loaded already are asked on Linux only")
    np.dot(np.ones(3), np.ones(3))
    before = [getter() for _, getter in _functions()]
    with one_blas_thread():
        assert [getter() for _, getter in _functions()] == [1] * len(before)
        assert os.environ["OMP_NUM_THREADS"] == "1"
    assert [getter() for _, getter in _functions()] == before
    assert "OMP_NUM_THREADS" not in os.environ
    assert before  # at least NumPy's own


def _words() -> list[str]:
    return [*{"a", "b"}]


def _over_a_literal(problem: str, rng: object) -> list[str]:
    return [word for word in {"alpha", "beta", "gamma"}]  # noqa: C416


def test_a_loop_over_a_literal_set_is_found() -> None:
    """It is compiled to a constant."""
    assert uses_sets(_over_a_literal)


ELSEWHERE = {"alpha", "beta", "gamma"}
NUMBERS = frozenset({1, 2, 3})


def _over_a_global(problem: str, rng: object) -> list[str]:
    return [*ELSEWHERE]


def _over_a_default(problem: str, rng: object, words: frozenset[str] = frozenset("ab")) -> list[str]:
    return list(words)


def test_a_set_that_stands_elsewhere_is_found() -> None:
    """As a global, a default, or in a closure: only sets made by the code itself were seen."""
    inside = {"a", "b"}
    assert uses_sets(_over_a_global)
    assert uses_sets(_over_a_default)
    assert uses_sets(lambda problem, rng: ",".join(inside))
    assert not uses_sets(lambda problem, rng: problem in ELSEWHERE or problem in inside)
    assert not uses_sets(lambda problem, rng: sum(NUMBERS))  # numbers have one order


def test_code_that_makes_sets_is_found() -> None:
    assert uses_sets(lambda problem, rng: len({problem, 1}))
    assert uses_sets(lambda problem, rng: list({str(i) for i in range(3)}))
    assert uses_sets(lambda problem, rng: sorted(frozenset(problem)))
    assert uses_sets(partial(lambda problem, rng, more: more(_words()), more=len))
    assert not uses_sets(lambda problem, rng: {problem: 1})
    assert not uses_sets(lambda problem, rng: problem in {"a", "b"})
    assert not uses_sets(np.mean)
    assert not uses_sets(len)
