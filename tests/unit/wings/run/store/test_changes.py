"""What has changed between two starts of an experiment is refused by name, or accepted and recorded (R-A1)."""

import functools
import hashlib
import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import StoreError
from bakeoff.wings.run.design.fingerprints import PYTHON, Fingerprints, changes
from bakeoff.wings.run.design.structural_digest import Digests
from bakeoff.wings.run.store.contents import read_store

RATE = 1.0


def solve(problem: Any, rng: np.random.Generator, lr: Any = 0.0) -> float:
    return float(rng.normal()) + (lr if isinstance(lr, float) else float(np.sum(lr)))


def rated(problem: Any, rng: np.random.Generator) -> float:
    return float(rng.normal()) * RATE


def twin(problem: Any, rng: np.random.Generator) -> float:
    return float(rng.normal())


class Tuned:
    """An algorithm with a setting."""

    def __init__(self, step: float) -> None:
        self.step = step

    def __call__(self, problem: Any, rng: np.random.Generator) -> float:
        return float(rng.normal()) + self.step


def closed(step: Any) -> Callable[[Any, np.random.Generator], float]:
    def inner(problem: Any, rng: np.random.Generator) -> float:
        return float(rng.normal()) + float(np.sum(step))

    return inner


def experiment(algorithm: Any = twin, problems: Any = ("p1", "p2")) -> bo.Experiment:
    return bo.Experiment({"a": algorithm, "b": twin}, problems, better="lower", seed=1)


CHANGES: dict[str, tuple[bo.Experiment, bo.Experiment, str]] = {
    "a problem's value": (
        experiment(problems={"p1": 1.0, "p2": 2.0}),
        experiment(problems={"p1": 1.0, "p2": 1002.0}),
        r"problem 'p2' is 2\.0 in the store and 1002\.0 now",
    ),
    "a path as text": (
        experiment(problems={"p1": "instA/p1.txt"}),
        experiment(problems={"p1": "instB/p1.txt"}),
        r"problem 'p1' is \"instA/p1.txt\" in the store",
    ),
    "an array as problem": (
        experiment(problems={"p1": np.arange(3)}),
        experiment(problems={"p1": np.arange(3) + 1}),
        r"problem 'p1' \(its value\)",
    ),
    "an object as problem": (
        experiment(problems={"p1": Fraction(1, 3)}),
        experiment(problems={"p1": Fraction(1, 2)}),
        r"problem 'p1' \(its value\)",
    ),
    "the function": (experiment(twin), experiment(rated), "algorithm 'a': function is .*:twin.*:rated"),
    "an argument": (
        experiment(functools.partial(solve, lr=0.0)),
        experiment(functools.partial(solve, lr=50.0)),
        r"algorithm 'a': arguments\.lr is 0\.0 in the store and 50\.0 now",
    ),
    "an array as argument": (
        experiment(functools.partial(solve, lr=np.zeros(2))),
        experiment(functools.partial(solve, lr=np.ones(2))),
        r"algorithm 'a' \(argument 'lr'\)",
    ),
    "an attribute": (experiment(Tuned(0.0)), experiment(Tuned(50.0)), r"algorithm 'a' \(attribute 'step'\)"),
    "a bound method's object": (
        experiment(Tuned(0.0).__call__),
        experiment(Tuned(50.0).__call__),
        r"algorithm 'a' \(attribute 'step'\)",
    ),
    "a closure": (experiment(closed(0.0)), experiment(closed(50.0)), r"algorithm 'a' \(closure variable 'step'\)"),
    "a list in a closure": (experiment(closed([0.0])), experiment(closed([5.0])), r"\(closure variable 'step'\)"),
    "a lambda": (
        experiment(lambda problem, rng: 1.0),
        experiment(lambda problem, rng: 2.0),
        r"algorithm 'a' \(function '<lambda>'\)",
    ),
    "a default": (
        experiment(lambda problem, rng, lr=0.0: lr),
        experiment(lambda problem, rng, lr=1.0: lr),
        r"algorithm 'a' \(default of 'lr'\)",
    ),
    "a variable of the environment": (
        experiment(bo.CommandLine("echo 1", environment={"KEY": "1234"})),
        experiment(bo.CommandLine("echo 1", environment={"KEY": "1235"})),
        r"algorithm 'a' \(environment variable 'KEY'\)",
    ),
}


def over_a_set(problem: float, rng: object) -> float:
    return problem + float(",".join({"alpha", "beta"}).startswith("a"))


def test_runs_of_two_hash_seeds_are_not_mixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that was begun with one order of sets and resumed with another one mixed both, without a word."""
    store = tmp_path / "runs.sqlite"
    monkeypatch.setenv("PYTHONHASHSEED", "1")
    given = bo.Experiment({"a": over_a_set, "b": solve}, {"x": 1.0, "y": 2.0}, better="lower", seed=1, runs=2)
    bo.run(given, store, executor="serial")
    bo.run(given, store, executor="serial")
    monkeypatch.setenv("PYTHONHASHSEED", "2")
    with pytest.raises(StoreError, match=r"algorithm 'a' \(the order of its sets: PYTHONHASHSEED\)\. Undo that"):
        bo.run(given, store, executor="serial")
    found = bo.run(given, store, executor="serial", accept_changed=True)
    assert "changed (code)" in [caution.name for caution in found.cautions]


def test_a_file_named_behind_an_equals_sign_is_part_of_a_program(tmp_path: Path) -> None:
    """--config=data.cfg was changed without a word; data.cfg as a word of its own was refused."""
    config = tmp_path / "data.cfg"
    given = bo.CommandLine(f"cat --number={config}")
    config.write_text("one")
    first = Fingerprints().of_algorithm(given)
    config.write_text("two")
    assert "file 'data.cfg'" in json.loads(first)["parts"]
    assert changes(first, Fingerprints().of_algorithm(given)) == (["file 'data.cfg'"], [])


@pytest.mark.slow
def test_a_secret_is_in_no_store_and_no_two_stores_hash_it_alike(tmp_path: Path) -> None:
    """R-S7: variables were kept as 64 bits of unsalted SHA-256, so that one table of short passwords served for all."""
    secret = "correct horse"
    kept = []
    for name in ("one.sqlite", "two.sqlite"):
        bo.run(experiment(bo.CommandLine("echo 1", environment={"KEY": secret})), tmp_path / name)
        whole = b"".join(path.read_bytes() for path in tmp_path.glob(f"{name}*"))
        assert secret.encode() not in whole
        assert hashlib.sha256(secret.encode()).hexdigest()[:16].encode() not in whole
        with sqlite3.connect(tmp_path / name) as connection:
            dump = "\n".join(connection.iterdump())
        connection.close()
        found = re.findall(r"[0-9a-f]{32}\$[0-9a-f]{32}", dump)
        assert len(set(found)) == 1
        kept.append(found[0])
    assert kept[0] != kept[1]


@pytest.mark.slow
@pytest.mark.parametrize("what", CHANGES)
def test_a_change_is_refused_by_name(what: str, tmp_path: Path) -> None:
    before, after, said = CHANGES[what]
    store = tmp_path / "runs.sqlite"
    first = bo.run(before, store)
    assert bo.run(before, store).digest == first.digest
    with pytest.raises(StoreError, match=said):
        bo.run(after, store)
    if " (" in said or r"\(" in said:  # what has no plain value may be accepted, and is then told for good
        for accept in (True, False):
            codes = [c.code for c in bo.run(after, store, accept_changed=accept).cautions]
            assert codes[0 if "single-runs" not in codes else 1] in ("changed", "changed")
        with pytest.raises(StoreError):
            bo.run(before, store)


class Parent:
    """Its methods and attributes are its children's."""

    offsets: ClassVar = {"x": 0.0}

    @functools.cached_property
    def table(self) -> float:
        return 1.0

    def shift(self) -> float:
        return self.table + self.offsets["x"]


class Child(Parent):
    """An algorithm."""

    pattern = re.compile("a+")

    def __call__(self, problem: Any, rng: np.random.Generator) -> float:
        return float(rng.normal()) + self.shift() + (self.pattern.match("a") is not None)


@pytest.mark.parametrize(
    ("owner", "name", "value"),
    [
        (Parent, "offsets", {"x": 5.0}),
        (Parent, "shift", lambda self: 5.0),
        (Parent, "table", property(lambda self: 5.0)),
        (Child, "pattern", re.compile("b+")),
    ],
)
def test_what_a_class_has_and_inherits_counts(
    owner: type, name: str, value: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bo.run(experiment(Child()), tmp_path / "runs.sqlite")
    bo.run(experiment(Child()), tmp_path / "runs.sqlite")
    monkeypatch.setattr(owner, name, value)
    with pytest.raises(StoreError, match=r"algorithm 'a' \(class 'Child'\)"):
        bo.run(experiment(Child()), tmp_path / "runs.sqlite")


def test_a_global_variable_is_part_of_the_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bo.run(experiment(rated), tmp_path / "runs.sqlite")
    monkeypatch.setattr(sys.modules[__name__], "RATE", 2.0)
    with pytest.raises(StoreError, match=r"algorithm 'a' \(global variable 'RATE'\)"):
        bo.run(experiment(rated), tmp_path / "runs.sqlite")


def test_files_of_equal_names_in_another_folder_are_refused(tmp_path: Path) -> None:
    for name in "AB":
        (tmp_path / f"inst{name}").mkdir()
        (tmp_path / f"inst{name}" / "p1.txt").write_text(name)
    makes = [bo.Experiment([twin, rated], str(tmp_path / f"inst{x}" / "*"), better="lower", seed=1) for x in "AB"]
    bo.run(makes[0], tmp_path / "runs.sqlite")
    with pytest.raises(StoreError, match=r"problem 'p1.txt' \(the content of its file\)"):
        bo.run(makes[1], tmp_path / "runs.sqlite")
    (tmp_path / "instB" / "p1.txt").write_text("A")
    assert bo.run(makes[1], tmp_path / "runs.sqlite").n_runs == 2


def test_the_whole_content_of_a_file_counts(tmp_path: Path) -> None:
    file = tmp_path / "large.bin"
    file.write_bytes(bytes(3 << 20))
    given = experiment(problems={"large": file})
    bo.run(given, tmp_path / "runs.sqlite")
    with file.open("r+b") as opened:
        opened.seek(2 << 20)
        opened.write(b"x")
    with pytest.raises(StoreError, match="problem 'large'"):
        bo.run(given, tmp_path / "runs.sqlite")


TOML = """
better = "lower"
seed = 1
runs = 2
[algorithms]
a = { python = "work:fa" }
b = { python = "work:fb" }
[problems.values]
p1 = 1.0
p2 = 2.0
"""
WORK = """
import helper
from helper import scale

def fa(problem, rng):
    return problem + rng.normal()

def fb(problem, rng):
    return problem + scale * rng.normal()
"""


def start(folder: Path, *more: str, command: str = "run") -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-B", "-m", "bakeoff", command, *more]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, env={**os.environ})


@pytest.mark.slow
def test_modules_beside_the_toml_file(tmp_path: Path) -> None:
    (tmp_path / "e.toml").write_text(TOML)
    (tmp_path / "work.py").write_text(WORK)
    (tmp_path / "helper.py").write_text("scale = 2.0\n")
    assert start(tmp_path, "e.toml").returncode == 0
    (tmp_path / "helper.py").write_text("# a comment changes nothing\n\nscale = 2.0\n")
    assert start(tmp_path, "e.toml").returncode == 0
    (tmp_path / "helper.py").write_text("scale = 3.0\n")
    refused = start(tmp_path, "e.toml")
    assert refused.returncode == 2
    assert "module 'helper'" in refused.stderr
    found = start(tmp_path, "e.sqlite", "--experiment", "e.toml", command="verify")
    assert found.returncode == 2
    assert "changed since the first start: algorithm 'a' (module 'helper')" in found.stderr
    accepted = start(tmp_path, "e.toml", "--accept-changed")
    assert accepted.returncode == 0
    assert "changed" in accepted.stdout


def test_equal_things_have_equal_digests() -> None:
    one: list[Any] = [1]
    one.append(one)
    other: list[Any] = [1]
    other.append(other)
    shared = np.arange(4.0)
    for a, b in (
        ({"x": {1, "two", (3,)}}, {"x": {(3,), "two", 1}}),
        (one, other),
        ([shared, shared], [np.arange(4.0), np.arange(4.0)]),
        (Tuned(1.0), Tuned(1.0)),
        (np.random.default_rng(3), np.random.default_rng(3)),
        (10**5000, 10**5000),
        (iter, iter),
    ):
        assert Digests().value(a) == Digests().value(b)
    kinds = [1, 1.0, True, "1", b"1", np.float64(1), np.int64(1), [1], (1,), {1}, {1: 1}, None, Tuned(1), Tuned(2), 1j]
    assert len({Digests().value(one) for one in kinds}) == len(kinds)
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert len(Digests().value(deep)) == 64


@pytest.mark.slow
def test_digests_are_the_same_in_every_process() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import test_changes as t\n"
        "print(t.Fingerprints().of_algorithm(t.closed({'a', 'b', 'c', 'd'})), t.Digests().value(t.Tuned))"
    )
    root = str(Path(__file__).parent)
    said = {
        subprocess.run(
            [sys.executable, "-c", code, root],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1


def test_bytecode_of_another_python_deserves_a_caution_only() -> None:
    before = Fingerprints().of_algorithm(closed(1.0))
    after = Fingerprints().of_algorithm(closed(2.0))
    assert changes(before, after) == (["closure variable 'step'"], [])
    other = json.loads(before)
    other["python"] = "cpython-39"
    other["parts"] = {name: digest[::-1] for name, digest in other["parts"].items()}
    grave, light = changes(json.dumps(other), before)
    assert "closure variable 'step'" in grave
    assert len(light) == 1
    assert f"from cpython-39 to {PYTHON}" in light[0]


@pytest.mark.slow
def test_a_variable_of_the_environment_cannot_be_read_from_the_store(tmp_path: Path) -> None:
    """Equal values have other hashes in another store, so a table of short passwords made once fits none."""
    given = experiment(bo.CommandLine("echo 1", environment={"KEY": "1234"}))
    for name in ("1.sqlite", "2.sqlite"):
        bo.run(given, tmp_path / name)
        assert read_store(tmp_path / name).spec["algorithms"][0]["environment"] == ["KEY"]
    made = [Fingerprints().of_algorithm(given.algorithms[0]) for _ in range(2)]
    assert made[0] != made[1]
    assert Fingerprints().of_algorithm(given.algorithms[0], made[0]) == made[0]
