"""The example and the documentation of running: what they say is what happens."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.wings.run.design.settings import Repetitions
from bakeoff.wings.run.design.specification import described
from bakeoff.wings.run.design.toml import _COMMAND, _SETTINGS
from bakeoff.wings.run.verification import verify_store

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "running.md").read_text()
EXAMPLE = ROOT / "examples" / "optimisers.toml"

pytestmark = pytest.mark.skipif(not EXAMPLE.exists(), reason="the example is in the repository only")


@pytest.fixture
def few() -> bo.Experiment:
    """Eight of the forty functions."""
    whole = bo.Experiment.from_toml(EXAMPLE)
    return bo.Experiment(
        dict(zip(whole.algorithm_names, whole.algorithms, strict=True)),
        dict(zip(whole.problem_names, whole.problems, strict=True)),
        better=whole.better,
        seed=whole.seed,
        repetitions=whole.repetitions,
        n_problems=8,
    )


@pytest.mark.slow
def test_the_example_is_the_same_in_any_number_of_processes(few: bo.Experiment, tmp_path: Path) -> None:
    serial = bo.run(few)
    assert serial.n_problems == 8
    assert serial.n_runs >= 8 * 30
    store = tmp_path / "runs.sqlite"
    two = bo.run(few, store, executor="processes", workers=2)
    assert two.digest == serial.digest
    assert two.estimates == serial.estimates
    assert verify_store(store).ok


def test_the_example_functions_are_what_they_say() -> None:
    whole = bo.Experiment.from_toml(EXAMPLE)
    assert len(whole.problems) == 40
    for function in whole.problems:
        assert function(function.centre) == pytest.approx(function.offset)
        assert np.allclose(function.rotation @ function.rotation.T, np.eye(function.dimension))


def test_the_page_names_every_setting() -> None:
    for name in (*_SETTINGS, *_COMMAND):
        assert f"`{name}`" in PAGE or f"`{name} =" in PAGE, name
    for name in Repetitions.__dataclass_fields__:
        assert f"`{name}`" in PAGE or re.search(rf"^{name} = ", PAGE, flags=re.M), name


def test_the_pages_experiment_can_be_read(tmp_path: Path) -> None:
    first, grids, second = re.findall(r"^```toml$(.*?)^```$", PAGE, flags=re.M | re.S)
    (tmp_path / "instances").mkdir()
    for i in range(3):
        (tmp_path / "instances" / f"{i}.txt").write_text("x")
    (tmp_path / "one.toml").write_text(first)
    found = bo.Experiment.from_toml(tmp_path / "one.toml")
    assert found.problem_names == ("0.txt", "1.txt", "2.txt")
    (tmp_path / "two.toml").write_text(re.sub(r"^runs = .*$", "", first, flags=re.M) + second)
    assert bo.Experiment.from_toml(tmp_path / "two.toml").repetitions == Repetitions(
        se=0.05, nmax=200, differences="percent"
    )
    assert described(found)["algorithms"][1]["read"] == "{output}"
    (tmp_path / "solver.py").write_text("def descend(instance, rng, step):\n    return step\n")
    settings, _, rest = first.partition("[algorithms]")
    problems = rest[rest.index("[problems]") :]
    (tmp_path / "grids.toml").write_text(f"{settings}{grids}{problems}")
    names = bo.Experiment.from_toml(tmp_path / "grids.toml").algorithm_names
    assert names[:3] == ("descend step=0.1", "descend step=0.5", "descend step=2.0")
    assert names[3:] == tuple(f"sgd step={step} momentum={m}" for step in (0.1, 0.01) for m in (0, 0.9))
