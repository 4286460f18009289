"""Failed runs: counted by algorithm, never the ground of a verdict alone, and misread scores are told at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import ParameterError, RunFailedError
from bakeoff.wings.run.run.reporting.sentences import verdict
from bakeoff.wings.run.store.contents import read_store
from faults import misbehaviour


def good(problem: float, rng: object) -> float:
    return problem


def half(problem: float, rng: object) -> float:
    if problem < 5:
        raise ArithmeticError("diverged")
    return problem


def never(problem: float, rng: object) -> float:
    raise ArithmeticError("no such file")


def experiment(on_failure: float | str = "worst", **algorithms: object) -> bo.Experiment:
    problems = {f"p{i}": float(i) for i in range(12)}
    return bo.Experiment(algorithms, problems, better="lower", seed=1, runs=2, on_failure=on_failure, test="sign")


def test_no_verdict_on_an_algorithm_that_never_succeeded(tmp_path: Path) -> None:
    """The headline was "c is better than b", p = 0.0005: the penalty alone."""
    store = tmp_path / "runs.sqlite"
    result = bo.run(experiment(b=never, c=good), store)
    pair = result.analysis.pair
    assert (pair.verdict, pair.pvalue) == ("cannot tell", None)
    assert verdict(result) == (
        "b failed in all 24 runs; the first: run 1 of 'b' on 'p0': raised ArithmeticError: no such file (line 29 of "
        "test_failures.py). There is no verdict on it."
    )
    refused = CliRunner().invoke(main, ["compare", str(store)])
    assert refused.exit_code == 2
    assert "b failed in all 24 runs" in refused.stderr
    assert "--drop b" in refused.stderr


def test_the_other_pairs_keep_theirs(tmp_path: Path) -> None:
    result = bo.run(experiment(a=good, b=never, c=lambda problem, rng: problem + 1))
    assert {(p.a, p.b): p.verdict for p in result.analysis.pairs} == {
        ("a", "b"): "cannot tell",
        ("a", "c"): "a better",
        ("b", "c"): "cannot tell",
    }
    assert verdict(result).startswith("b failed in all 24 runs; the first")
    assert verdict(result).endswith("A difference was shown for 1 of 3 pairs: a beats c.")


def test_failures_are_counted_by_algorithm() -> None:
    caution = next(c for c in bo.run(experiment(a=half, b=never, c=good)).cautions if c.code == "counted-as-worst")
    assert "34 of 72 runs failed (24 of 24 of b, 10 of 24 of a)" in caution.text
    assert "The first: run 1 of 'a' on 'p0': raised ArithmeticError: diverged" in caution.text


@pytest.mark.slow
def test_failures_that_stop_are_counted_by_algorithm() -> None:
    asked = experiment("raise", a=misbehaviour.raises, b=misbehaviour.not_a_number)
    with pytest.raises(RunFailedError, match=r"\(\d+ more failed meanwhile: \d+ of '[ab]'"):
        bo.run(asked, executor="processes", workers=6)


@pytest.mark.slow
def test_an_unreadable_first_score_stops_whatever_a_failure_counts_as(tmp_path: Path) -> None:
    """It is the command that is wrong, not the run; 24 penalties were counted."""
    store = tmp_path / "runs.sqlite"
    programs = {"a": bo.CommandLine("echo 1"), "b": bo.CommandLine("echo cost: {problem}")}
    with pytest.raises(RunFailedError, match=r"'cost: p\d+'.*No score of 'b' has been read.*score= is"):
        bo.run(experiment(**programs), store)
    assert all(row.algorithm == 0 for row in read_store(store).rows)
    assert bo.run(experiment(**programs), store).n_failed == 24  # the second start: it is meant so


@pytest.mark.slow
def test_a_later_one_is_a_failure_like_others(tmp_path: Path) -> None:
    """And so is NaN, by which programs say that they failed."""
    b = bo.CommandLine("case {problem} in p3) echo sorry;; *) echo 2;; esac", shell=True)
    result = bo.run(experiment(a=bo.CommandLine("echo 1"), b=b))
    assert result.n_failed == 2
    assert bo.run(experiment(a=bo.CommandLine("echo 1"), b=bo.CommandLine("echo nan"))).n_failed == 24


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "later", "stops"),
    [
        ("echo 2", "printf '\\377\\001'", False),  # a score was read before
        ("echo 2", "echo 1e999", False),
        ("echo 1e999", "echo 2", False),  # a number, if none that a float can hold
        ("echo -1e-999", "echo 2", False),
        ("echo nan", "echo cost: 2", True),  # failed runs say nothing about the reading of others
        ("printf '\\377\\001'", "echo 2", True),
    ],
)
def test_what_cannot_be_read_stops_until_a_score_has_been_read(first: str, later: str, stops: bool) -> None:
    b = bo.CommandLine(
        f"case {{problem}} in p0) {first};; p3) {later};; *) {first if stops else 'echo 2'};; esac", shell=True
    )
    asked = experiment(99.0, a=bo.CommandLine("echo 1"), b=b)
    if stops:
        with pytest.raises(RunFailedError, match="No score of 'b' has been read"):
            bo.run(asked)
    else:
        result = bo.run(asked)
        assert result.n_failed == 2
        assert result.scores.values[:, 1].tolist().count(99.0) == 1


@pytest.mark.parametrize("command", ["./solver {instance} | tail -c 4", "a > b", "make && ./solver", "a ; b", "a 2>&1"])
def test_what_only_a_shell_understands_is_refused_without_one(command: str) -> None:
    with pytest.raises(ParameterError, match=r"means something to a shell only.*shell = true"):
        bo.CommandLine(command)
    assert bo.CommandLine(command, shell=True)
    assert bo.CommandLine(command.split())
