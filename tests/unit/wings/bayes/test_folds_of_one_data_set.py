"""The correlated t-test of all pairs on one data set: R's numbers, one pair at a time, and through the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import ScoreError, UnknownNameError

A = [0.84, 0.86, 0.83, 0.88, 0.85]
B = [0.81, 0.84, 0.84, 0.85, 0.83]


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "folds.csv"
    lines = [f"{i},{a},{b}" for i, (a, b) in enumerate(zip(A, B, strict=True), 1)]
    path.write_text("\n".join(["fold,new,old", *lines]) + "\n", encoding="utf-8")
    return str(path)


def test_the_command_has_the_numbers_of_r(table: str, tmp_path: Path) -> None:
    """As in test_correlated_t.py: R 4.2.2, pt((mean(d)-.01)/s, 4) and pt((-.01-mean(d))/s, 4) with rho = .2."""
    report = tmp_path / "folds.json"
    call = ["bayes", table, "--better", "higher", "--folds", "fold", "--rope", "0.01", "--report", str(report)]
    done = CliRunner().invoke(main, call, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    content = json.loads(report.read_text(encoding="utf-8"))
    assert content["schema"] == "bakeoff.bayes-folds/1"
    assert (content["correlation"], content["n_folds"], content["decision"]) == (0.2, 5, "none")
    (pair,) = content["pairs"]
    assert pair["p_better"] == pytest.approx(0.745917335374544, rel=1e-12)
    assert pair["p_worse"] == pytest.approx(0.0319832652894859, rel=1e-12)
    assert pair["interval"] == pytest.approx([0.018 - 0.0306039321296215, 0.018 + 0.0306039321296215], rel=1e-12)
    assert CliRunner().invoke(main, ["verify", str(report)]).exit_code == 0


@pytest.mark.parametrize("option", ["--prior", "--recipe", "--draws", "--seed", "--prior-strength"])
def test_options_of_several_problems_are_refused(table: str, option: str) -> None:
    value = {"--prior": "flat", "--recipe": "benavoli-2015"}.get(option, "7")
    done = CliRunner().invoke(main, ["bayes", table, "--better", "higher", "--folds", "fold", option, value])
    assert done.exit_code == 2
    assert f"{option} is of several problems" in done.output
    assert "leave it out" in done.output


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_each_pair_is_that_of_correlated_t(better: Literal["higher", "lower"]) -> None:
    cells = np.random.default_rng(3).normal(size=(1, 4, 12)) + np.arange(4)[:, None] / 2
    scores = bo.Scores(cells, list("abcd"), better=better, folds=0.25)
    found = bo.bayes.folds(scores, rope=0.1)
    assert len(found.pairs) == 6
    for pair in found.pairs:
        alone = bo.bayes.correlated_t(scores, pair.a, pair.b, rope=0.1)
        assert (pair.shares, pair.interval, pair.verdict) == (alone.shares, alone.interval, alone.verdict)
        turned = bo.bayes.correlated_t(scores, pair.b, pair.a, rope=0.1)
        assert found.pair(pair.b, pair.a).estimate == turned.estimate
        assert found.pair(pair.b, pair.a).interval == pytest.approx(turned.interval, rel=1e-12)
        assert found.pair(pair.b, pair.a).shares == pytest.approx(turned.shares, rel=1e-12)
    assert len(bo.bayes.folds(scores, control="b").pairs) == 3
    with pytest.raises(UnknownNameError):
        bo.bayes.folds(scores, control="z")


def test_verdicts_in_words() -> None:
    noise = np.random.default_rng(1).normal(0, 0.001, size=(1, 3, 10))
    scores = bo.Scores(np.array([0.9, 0.8, 0.8])[:, None] + noise, list("abc"), better="higher", folds=0.1)
    found = bo.bayes.folds(scores, rope=0.01)
    assert found.decision == "difference"
    assert "One algorithm is better in 2 of 3 pairs, and 1 of 3 pairs is practically equivalent" in found.verdict
    two = bo.bayes.folds(scores.select(algorithms=["b", "c"]), rope=0.01)
    assert two.decision == "equal"
    assert two.verdict.startswith("b and c are practically equivalent (within ±0.01) with probability")
    assert (
        "a is better than c by more than 0.01"
        in bo.bayes.folds(scores.select(algorithms=["c", "a"]), rope=0.01).verdict
    )


def test_repeats_of_ten_folds_are_cautioned() -> None:
    rng = np.random.default_rng(1)
    for runs, fraction, warned in ((30, 0.1, True), (10, 0.1, False), (25, 0.2, False)):
        scores = bo.Scores(rng.normal(size=(1, 2, runs)), better="higher", folds=fraction)
        names = [caution.name for caution in bo.bayes.folds(scores).cautions]
        assert ("dependence (folds-posterior)" in names) == warned


def test_other_tables_are_refused_with_the_way_out() -> None:
    values = np.random.default_rng(1).normal(size=(3, 2, 5))
    for scores in (bo.Scores(values, better="higher", folds=0.2), bo.Scores(values[:1], better="higher")):
        with pytest.raises(ScoreError, match=r"folds=.*bo\.bayes\.overview"):
            bo.bayes.folds(scores)
    with pytest.raises(ScoreError, match=r"bo\.bayes\.folds"):
        bo.bayes.overview(bo.Scores(values[:1], better="higher", folds=0.2))
