"""``python tests/mutants`` tells a mutant that a test sees from one that none sees."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

MUTANTS = Path(__file__).parents[1] / "mutants"
RULES = """
from functools import lru_cache


def double(a):
    return 2 * a


def heedless(a):
    return a < 0


def half(a):
    return a / 2


@lru_cache
def raised(a, by=1):
    return a + by


class Scale:
    def __init__(self, factor=3):
        self.factor = factor

    @property
    def twice(self):
        def double():
            return 2 * self.factor

        return double()
"""
TESTS = """
import pytest

from toy.rules import Scale, double, half, heedless, raised


def test_double():
    assert double(3) == 6
    heedless(1)
    half(0)


def test_raised():
    assert raised(3) == 4
    assert Scale().twice == 6


@pytest.mark.slow
def test_half():
    assert half(6) == 3


@pytest.mark.slow
@pytest.mark.exhaustive
def test_heedless():
    assert not heedless(0)
"""


@pytest.mark.slow
def test_a_mutant_that_no_test_of_ci_sees_is_printed(tmp_path: Path) -> None:
    for name, text in (("src/toy/__init__", ""), ("src/toy/rules", RULES), ("tests/unit/test_rules", TESTS)):
        path = tmp_path / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    command = [sys.executable, str(MUTANTS), "--root", str(tmp_path), "--room", "rules"]
    quick = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=quick)
    lines = done.stdout.splitlines()
    assert lines[:2] == [f"tracing 1 files of tests ({marked})" for marked in ("not slow", "slow and not exhaustive")]
    assert lines[2] == "rules: seen 7 of 8 = 88%, 1 by slow tests only", done.stderr
    assert [line.split(") ")[0] for line in lines[3:]] == ["  toy/rules.py:10 (heedless", "  toy/rules.py:14 (half"]


def test_the_rooms_exist() -> None:
    text = (MUTANTS / "__main__.py").read_text(encoding="utf-8")
    rooms = text.split('ROOMS = """')[1].split('"""')[0].replace("\\\n", "").split(",")
    package = MUTANTS.parents[1] / "src" / "bakeoff"
    assert len(rooms) == 17
    assert [
        p for r in rooms for p in r.split("+") if not any((package / f"{p}{end}").exists() for end in ("", ".py"))
    ] == []
