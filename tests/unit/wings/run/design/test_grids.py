"""A grid of parameters in an experiment's TOML: one algorithm per combination."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.wings.run.design.structural_digest import uses_sets
from bakeoff.wings.run.design.toml import MOST_COMBINATIONS, expanded

MODULE = "grid_solvers_of_a_test"
CODE = """
def descend(problem, rng, step, momentum=0.5):
    return problem + step + momentum + rng.random()

def echo(problem, rng, **parameters):
    return float(len(parameters))

def sets(problem, rng, step):
    return float(len({problem, step}))

constant = 3
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    name = f"{MODULE}_{tmp_path.name}"  # a module of its own: Python keeps those that it knows
    (tmp_path / f"{name}.py").write_text(CODE)
    (tmp_path / "name").write_text(name)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "path", [*sys.path])
    return tmp_path


def written(folder: Path, algorithms: str) -> Path:
    path = folder / "e.toml"
    name = (folder / "name").read_text()
    path.write_text(
        f'better = "lower"\nseed = 1\nruns = 2\n[algorithms]\n{algorithms.replace("MODULE", name)}\n'
        "[problems.values]\na = 1.0\nb = 2.0\nc = 3.0\n"
    )
    return path


def experiment(folder: Path, algorithms: str) -> bo.Experiment:
    return bo.Experiment.from_toml(written(folder, algorithms))


def exported(path: Path) -> str:
    table = path.with_suffix(".csv")
    assert called("export", str(path.with_suffix(".sqlite")), "-o", str(table)).exit_code == 0
    return table.read_text()


def called(*args: str) -> Result:
    return CliRunner().invoke(main, list(args))


def test_names_and_order() -> None:
    grid = {"step": [0.1, 1e-5], "momentum": [0, 0.9], "fast": [True], "mode": ["a b"]}
    assert expanded("sgd", grid, "grid") == {
        "sgd step=0.1 momentum=0 fast=true mode=a b": {"step": 0.1, "momentum": 0, "fast": True, "mode": "a b"},
        "sgd step=0.1 momentum=0.9 fast=true mode=a b": {"step": 0.1, "momentum": 0.9, "fast": True, "mode": "a b"},
        "sgd step=1e-05 momentum=0 fast=true mode=a b": {"step": 1e-5, "momentum": 0, "fast": True, "mode": "a b"},
        "sgd step=1e-05 momentum=0.9 fast=true mode=a b": {"step": 1e-5, "momentum": 0.9, "fast": True, "mode": "a b"},
    }
    assert [*expanded("sgd", grid, "grid")][2].startswith("sgd step=1e-05 momentum=0 ")
    assert len(expanded("x", {"i": [*range(MOST_COMBINATIONS)]}, "grid")) == MOST_COMBINATIONS


@pytest.mark.parametrize(
    ("grid", "said"),
    [
        ("3", "must be a table of lists"),
        ("{}", "must be a table of lists"),
        ("{ step = [] }", "grid.step must have at least one value"),
        ("{ step = 0.1 }", r"grid.step must be a list of values, \[0.1\] for example; got 0.1"),
        ("{ step = [0.1, 0.1] }", "must have different values; repeated: 0.1"),
        ("{ step = [1, 1.0] }", "repeated: 1.0"),
        ('{ step = [1, "1"] }', "repeated: 1"),
        ("{ step = [nan] }", "numbers, texts, true or false"),
        ("{ step = [[1]] }", "numbers, texts, true or false"),
        ('{ "a-b" = [1] }', "a parameter's name has letters"),
        ('{ step = [1], x = ["a y=b", "a"], y = ["c", "b y=c"] }', "two combinations with the name"),
        (f"{{ step = {[*range(40)]}, momentum = {[*range(40)]} }}", "at most 1000 combinations; got 40 × 40 = 1600"),
    ],
)
def test_grids_that_are_refused(folder: Path, grid: str, said: str) -> None:
    with pytest.raises(bo.errors.ParameterError, match=said):
        experiment(folder, f'sgd = {{ python = "MODULE:echo", grid = {grid} }}')


@pytest.mark.parametrize(
    ("algorithms", "said"),
    [
        ('s = { python = "MODULE:descend", grid = { stepp = [1, 2] } }', "grid does not fit: .*takes .*step"),
        ('s = { python = "MODULE:descend", grid = { momentum = [1, 2] } }', "missing a required argument: 'step'"),
        ('s = { python = "MODULE:descend", grid = { step = [1], rng = [1] } }', "multiple values for argument 'rng'"),
        ('s = { python = "MODULE:constant", grid = { step = [1, 2] } }', "must be a function"),
        ("s = { grid = { step = [1, 2] } }", "algorithms.s needs command = "),
        ('s = { command = "x {step}", grid = { step = [1], q = [1, 2] } }', "grid.q is not used: write {q}"),
        ('s = { command = "x {step} {moment}", grid = { step = [1, 2] } }', "{moment} has no value; the grid has step"),
        ('s = { command = "x {seed}", grid = { seed = [1, 2] } }', "{seed} is filled in by bakeoff"),
        ('s = { command = "x {m}", grid = { m = ["a", "b; rm"] } }', "stays one word; got 'b; rm'"),
        ('s = { command = "x {m}", grid = { m = ["", "b"] } }', "stays one word; got ''"),
        ('s = { command = "x {m}", fast = 1, grid = { m = [1, 2] } }', "has no setting 'fast'"),
        ('"s m=1" = "x"\ns = { command = "x {m}", grid = { m = [1, 2] } }', "two algorithms with the name 's m=1'"),
        ('s = { command = "x {m}", grid = { m = [1] } }', "at least 2"),
    ],
)
def test_algorithms_that_do_not_fit_their_grid(folder: Path, algorithms: str, said: str) -> None:
    with pytest.raises(bo.errors.ParameterError, match=said):
        experiment(folder, algorithms)


def test_commands_have_their_values_filled_in(folder: Path) -> None:
    made = experiment(
        folder,
        's.command = "./x {flag} --b {beta1} {{beta1}} {instance}"\ns.score = "file:{beta1}-{flag}-{output}"\n'
        's.grid = { flag = ["--fast", "--slow"], beta1 = [0.9, true] }\n'
        't = { command = ["./x", "{p}"], grid = { p = [1, 2] } }',
    )
    assert made.algorithm_names == (
        "s flag=--fast beta1=0.9", "s flag=--fast beta1=true", "s flag=--slow beta1=0.9", "s flag=--slow beta1=true",
        "t p=1", "t p=2",
    )  # fmt: skip
    assert made.algorithms[1].template == "./x --fast --b true {{beta1}} {instance}"
    assert made.algorithms[2].score == "file:0.9---slow-{output}"
    assert made.algorithms[5].template == ("./x", "2")


@pytest.mark.slow
def test_a_command_gets_its_values(folder: Path) -> None:
    path = written(folder, 'add = { command = "echo {step}", grid = { step = [0.25, 7] } }')
    assert called("run", str(path)).exit_code == 0
    scores = exported(path)
    assert "a,add step=0.25,1,0.25,ok" in scores
    assert "c,add step=7,2,7.0,ok" in scores


@pytest.mark.slow
def test_a_store_knows_its_grid_again(folder: Path) -> None:
    line = 'd = { python = "MODULE:descend", grid = { step = [0.5, 1], momentum = [0, 9] } }'
    path = written(folder, line)
    store = str(path.with_suffix(".sqlite"))
    serial = ("--executor", "serial")
    assert called("run", str(path), *serial).exit_code == 0
    assert "24 of 24 runs" in called("status", store).output
    assert "Nothing was left to run" in called("run", str(path), *serial).output
    assert called("verify", store, "--experiment", str(path)).exit_code == 0
    assert "d step=0.5 momentum=0" in called("compare", store).output
    assert "a,d step=1 momentum=9,1,1" in exported(path)  # 1 + 1 + 9 + a share
    written(folder, line.replace("[0, 9]", "[0, 8]"))
    refused = called("run", str(path), *serial)
    assert refused.exit_code == 2
    assert '"d step=0.5 momentum=9" in the store and "d step=0.5 momentum=8" now' in refused.output


def test_what_a_function_gets_is_part_of_the_description(folder: Path) -> None:
    made = experiment(folder, 'd = { python = "MODULE:descend", grid = { step = [0.5, 1] } }')
    assert '"arguments":{"step":0.5}' in made.spec_json
    assert made.spec_hash == experiment(folder, 'd.python = "MODULE:descend"\nd.grid.step = [0.5, 1]').spec_hash


def test_a_set_is_found_behind_its_values(folder: Path) -> None:
    made = experiment(folder, 's = { python = "MODULE:sets", grid = { step = [1] } }\nd.python = "MODULE:descend"')
    assert [uses_sets(algorithm) for algorithm in made.algorithms] == [True, False]


@pytest.mark.slow
def test_a_race_over_a_grid(folder: Path) -> None:
    path = written(folder, 'd = { python = "MODULE:descend", grid = { step = [0.5, 9] } }')
    raced = called("race", str(path), "--executor", "serial", "--store", str(folder / "r.sqlite"))
    assert raced.exit_code == 0, raced.output
    assert "d step=0.5" in raced.output
