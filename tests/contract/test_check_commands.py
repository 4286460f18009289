"""check_commands() and bakeoff check --run: verdicts, margins, acceptances, going on from a file, refusals."""

from __future__ import annotations

import math
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli._main import main
from bakeoff.errors import BakeoffError
from bakeoff.means.betting import anytime_pvalues, log_stakes, lower_bounds


def measuring(slower: dict[str, float], noise: float = 0.03) -> Callable[[str, str], dict[str, float]]:
    rng = np.random.default_rng(1)
    return lambda name, side: {"time": math.exp(noise * rng.normal()) * (slower[name] if side == "new" else 1.0)}


def test_three_verdicts_and_decided_benchmarks_rest() -> None:
    found = bo.check_commands(
        ["same", "worse", "edge"], "5%", measure=measuring({"same": 1.0, "worse": 1.2, "edge": 1.05}), rounds=40
    )
    rows = {row.problem: row for row in found.rows}
    assert [rows[name].verdict for name in ("same", "worse", "edge")] == ["ok", "regressed", "inconclusive"]
    assert rows["edge"].runs == (40, 40) > rows["same"].runs
    assert found.decision == "regressed"


@pytest.mark.parametrize(("factor", "decision"), [(1.0, "ok"), (0.8, "regressed"), (0.95, "inconclusive"), (1.2, "ok")])
def test_of_throughputs_more_is_better_and_their_reciprocals_say_the_same(factor: float, decision: str) -> None:
    """A fall by 5 % is a rise of the reciprocal by 1/0.95 - 1: the same difference of logarithms, the same bets."""

    def checked(reciprocal: bool) -> bo.Check:
        rng = np.random.default_rng(2)

        def measured(_: str, side: str) -> dict[str, float]:
            x = 100.0 * math.exp(0.03 * rng.normal()) * (factor if side == "new" else 1.0)
            return {"ops": 1.0 / x if reciprocal else x}

        margin, better = (f"{100.0 * (1.0 / 0.95 - 1.0)!r}%", "lower") if reciprocal else ("5%", "higher")
        return bo.check_commands(["a"], margin, metrics=["ops"], measure=measured, better=better, rounds=40)

    there, here = checked(reciprocal=True), checked(reciprocal=False)
    assert (there.decision, here.decision) == (decision, decision)
    row, other = here.rows[0], there.rows[0]
    assert row.runs == other.runs
    assert row.effect == pytest.approx(1.0 - 1.0 / (1.0 + other.effect), rel=1e-9)
    assert (row.pvalue, row.p_ok) == pytest.approx((other.pvalue, other.p_ok), rel=1e-9)
    assert bo.verify(here.to_dict()).ok


def test_the_report_is_verified(tmp_path: Path) -> None:
    found = bo.check_commands(["a", "b"], "5%", measure=measuring({"a": 1.0, "b": 1.3}), margins={"b": "50%"})
    found.save(tmp_path / "check.json")
    assert found.decision == "ok"
    assert bo.verify(tmp_path / "check.json").ok


def test_an_accepted_regression_passes_until_its_day() -> None:
    asked = {"measure": measuring({"a": 1.3})}
    assert bo.check_commands(["a"], "5%", accept={"a": "2999-12-31 known"}, **asked).decision == "ok"
    found = bo.check_commands(["a"], "5%", accept={"a": "2000-12-31"}, **asked)
    assert found.decision == "regressed"
    assert "accepted-regression" in {caution.code for caution in found.cautions}


def test_stakes_are_those_of_a_slow_twin() -> None:
    rng = np.random.default_rng(3)
    d, margin = rng.normal(0.05, 0.1, 12), 0.05
    total = 0.0
    for distance, sd, df, weight in ((1.0, 0.9, 2.0, 0.45), (1.0, 2.0, 2.0, 0.45), (0.5, 1.5, 2.0, 0.1)):
        stake = weight
        for i, x in enumerate(d):
            spread = float(((d[:i] - d[:i].mean()) ** 2).sum()) if i else 0.0
            variance = (spread + df * (sd * margin) ** 2) / (max(i - 1, 0) + df)
            stake *= 1 + 0.999 * math.tanh(distance * margin * (x - 0.02) / variance)
        total += stake
    assert log_stakes(d[None], 0.02, np.array([margin]))[0, -1] == pytest.approx(math.log(total), abs=1e-12)


def test_the_bound_is_where_the_pvalue_is_alpha() -> None:
    d, margin = np.random.default_rng(4).normal(0.1, 0.05, (5, 30)), np.full(5, 0.05)
    low = lower_bounds(d, 0.01, margin)
    assert (anytime_pvalues(d, low - 1e-6, margin) <= 0.01).all()
    assert (anytime_pvalues(d, low + 1e-6, margin) > 0.01).all()


@pytest.mark.slow
def test_the_stake_of_any_mirrored_pairs_has_expectation_one() -> None:
    """Over all 2¹² signs of given distances: Ville's inequality needs no more."""
    x = np.abs(np.random.default_rng(5).standard_t(2, 12)) * 0.1
    signs = 1 - 2 * ((np.arange(4096)[:, None] >> np.arange(12)) & 1)
    logs = log_stakes(signs * x + 0.05, 0.05, np.full(4096, 0.05))
    assert np.exp(logs[:, -1]).mean() == pytest.approx(1.0, abs=1e-10)
    assert (logs.max(axis=1) >= math.log(20)).mean() <= 0.05


@pytest.mark.slow
def test_commands_in_turn_going_on_from_the_file(tmp_path: Path) -> None:
    store, words = tmp_path / "pairs.jsonl", [sys.executable, "-S", "-c", "print('9 units')"]
    slow = [*words[:3], "print('12 units')"]
    asked = {"metrics": ["count units=([0-9]+) units"], "file": store}
    first = bo.check_commands({"a b": (words, slow)}, "5%", rounds=3, **asked)
    assert (first.decision, first.rows[0].runs) == ("inconclusive", (3, 3))
    with store.open("ab") as file:  # a pair that was killed
        file.write(b'{"problem": "a b", "round"')
    second = bo.check_commands({"a b": (words, slow)}, "5%", **asked)
    assert second.decision == "regressed"
    assert len(store.read_text().splitlines()) == 1 + second.rows[0].runs[0]
    assert "12 units" in str(second.request["context"])


def test_a_new_command_that_fails_has_regressed_and_a_baseline_that_fails_is_an_error() -> None:
    good, bad = [sys.executable, "-S", "-c", ""], [sys.executable, "-S", "-c", "raise SystemExit(3)"]
    found = bo.check_commands({"a": (good, bad)}, "5%", rounds=3)
    assert (found.decision, found.rows[0].effect) == ("regressed", None)
    with pytest.raises(BakeoffError, match="the baseline of 'a'"):
        bo.check_commands({"a": (bad, good)}, "5%")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--run", "seed", "--margin", "5%"], "column of runs is --run-column"),
        (["x.csv", "--run", "a", "b", "--margin", "5%"], "column of runs is --run-column"),
        (["--run", "a", "b", "--run", "c", "d", "--margin", "5%"], "--name must be given"),
        (["--run", "a", "b", "--margin", "0%"], "must be above 0"),
        (["--run", "a", "b", "--margin", "5"], "percentage"),
        (["--run", "a", "b", "--margin", "5%", "--metric", "size"], "time, user, memory, or NAME=PATTERN"),
        (["--run", "a", "b", "--margin", "5%", "--better", "higher"], "of time less is; check a number that"),
        (["--run", "a", "b", "--margin", "5%", "--accept", "x=2030-01-01"], "names 'x'"),
        (["x.csv", "y.csv", "--rounds", "3", "--margin", "5%"], "--rounds needs --run"),
        (["--margin", "5%"], "BASELINE is missing"),
    ],
)
def test_refusals_name_the_option(words: list[str], said: str) -> None:
    found = CliRunner().invoke(main, ["check", *words])
    assert found.exit_code == 2
    assert said in " ".join(found.output.split())


@pytest.mark.slow
@pytest.mark.parametrize(("printed", "code", "verdict"), [(800, 1, "REGRESSED"), (1200, 0, "OK")])
def test_commands_print_a_score_of_which_more_is_better(printed: int, code: int, verdict: str) -> None:
    words = [f"{sys.executable} -S -c 'import os; print({n} + os.getpid() % 7)'" for n in (1000, printed)]
    asked = ["--margin", "5%", "--metric", "ops=([0-9]+)", "--better", "higher"]
    found = CliRunner().invoke(main, ["check", "--run", *words, *asked])
    assert found.exit_code == code, found.output
    assert verdict in found.output


def test_without_a_verdict_the_next_command_is_named_and_every_file_is_listed(tmp_path: Path) -> None:
    store, summary = tmp_path / "pairs.jsonl", tmp_path / "summary.md"
    word = f"{sys.executable} -S -c 'print(9)'"
    words = ["check", "--run", word, word, "--margin", "5%", "--rounds", "3", "--metric", "n=([0-9]+)"]
    found = CliRunner().invoke(main, [*words, "--store", str(store), "--markdown", str(summary)])
    assert found.exit_code == 3
    lines = found.stdout.splitlines()
    assert f"Written: {summary}" in lines
    (following,) = [line.removeprefix("Next: ") for line in lines if line.startswith("Next: ")]
    assert shlex.split(following) == ["bakeoff", "plan", "check", str(store), "--margin", "5%"]
    assert CliRunner().invoke(main, shlex.split(following)[1:]).exit_code == 0


@pytest.mark.slow
def test_a_file_of_benchmarks(tmp_path: Path) -> None:
    file = tmp_path / "gate.toml"
    python = f"'{sys.executable}' -S -c"
    file.write_text(
        'metrics = ["count n=n ([0-9]+)"]\n[benchmarks.small]\n'
        f'baseline = "{python} \'print(\\"n 4\\")\'"\nnew = "{python} \'print(\\"n 5\\")\'"\nmargin = \'90%\'\n'
    )
    found = CliRunner().invoke(main, ["check", str(file), "--margin", "5%", "--json"])
    assert found.exit_code == 0, found.output


def test_plan_check() -> None:
    rng = np.random.default_rng(2)
    pilot = bo.Scores(np.exp(0.05 * rng.normal(size=(2, 2, 30))), ["a", "b"], better="lower")
    found = bo.plan.check(pilot, "5%")
    sd = max(row.sd for row in found.rows)
    assert found.n == bo.plan.instances(math.log(1.1 / 1.05) / sd, 0.005, 0.8, "greater").n
    with pytest.raises(BakeoffError, match="above the margin"):
        bo.plan.check(pilot, "5%", "4%")


def test_history_exit_code(tmp_path: Path) -> None:
    names = [f"v{i}" for i in range(12)]
    for rise, code in ((2.0, 1), (0.5, 0)):
        values = [1.0, 1.01, 1.02, 1.0, 1.01, 1.03] + [rise * x for x in (1.0, 1.02, 1.01, 1.0, 1.03, 1.01)]
        file = tmp_path / "history.csv"
        file.write_text("\n".join([",".join(["benchmark", *names]), ",".join(["sort", *map(str, values)])]) + "\n")
        assert CliRunner().invoke(main, ["history", str(file), "--better", "lower", "--exit-code"]).exit_code == code
