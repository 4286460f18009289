"""Ratings of scores with several runs: runs meet before anything is averaged, so that their number changes nothing."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import ScoreError
from bakeoff.wings.boards.ratings._read_battles import shares_won

SPLITS = ["x", "y", "z"]


def drawn(runs: int, n: int = 150, seed: int = 0) -> bo.Scores:
    """The better one wins 57 % of single runs on each problem."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n, 2, runs)) + np.array([0.25, 0.0])[:, None]
    return bo.Scores(values, ["a", "b"], better="higher")


def elo(scores: bo.Scores) -> float:
    found = bo.ratings(scores, n_resamples=100)
    return float(found.elo[0] - found.elo[1])


@pytest.mark.parametrize("kind", ["seed", "split"])
def test_repeated_runs_change_nothing(kind: str) -> None:
    """To the last digit: strengths, errors, ranks."""
    scores = bo.Scores(drawn(5).runs, ["a", "b"], better="higher", run_kind=kind, run_ids=[*"vwxyz"])
    assert scores.runs is not None
    twice = np.concatenate([scores.runs, scores.runs], axis=2)
    repeated = bo.Scores(twice, ["a", "b"], better="higher", run_kind=kind, run_ids=[*"vwxyzVWXYZ"])
    one, two = bo.ratings(scores, n_resamples=200), bo.ratings(repeated, n_resamples=200)
    assert one.strengths.tolist() == two.strengths.tolist()
    assert one.covariance.tolist() == two.covariance.tolist()
    assert one.pairs == two.pairs


def test_more_runs_do_not_stretch_the_scale() -> None:
    """TabArena's pull request 226: 53, 166 and 318 Elo of the same two with 1, 9 and 30 splits averaged first.

    The truth here is 400·log10(Φ(.25/√2)/Φ(−.25/√2)) = 49.3.
    """
    few, many = elo(drawn(9)), elo(drawn(30))
    assert few == pytest.approx(49.3, abs=4 * 8.0)
    assert many == pytest.approx(49.3, abs=4 * 5.0)
    runs = drawn(30).runs
    assert runs is not None
    assert elo(bo.Scores(runs.mean(axis=2), ["a", "b"], better="higher")) > 200  # averaged first


def test_shares_by_hand() -> None:
    """Runs 1, 2, 3 against 2, 3, 4, less is better: 6 of 9 won, 2 tied; paired by split 3 of 3 won, or by its name."""
    cells = np.array([[[1.0, 2.0, 3.0], [2.0, 3.0, 4.0]]])
    free = shares_won(bo.Scores(cells, better="lower"))[0]
    assert free.tolist() == [[3 / 9, 6 / 9], [1 / 9, 3 / 9]]
    ids = np.array([[["x", "y", "z"], ["y", "z", "x"]]])
    split = shares_won(bo.Scores(cells, better="lower", run_ids=ids, run_kind="split"))[0]
    assert (split[0, 1], split[1, 0]) == (1 / 3, 0.0)  # x: 1 and 4; y: 2 and 2; z: 3 and 3
    same = bo.Scores(cells, better="lower", run_ids=SPLITS, run_kind="split")
    assert shares_won(same)[0, 0, 1] == 1.0
    assert bo.ratings(many_of(same), n_resamples=100).pairs[0].battles == 4.0


def many_of(scores: bo.Scores) -> bo.Scores:
    assert scores.runs is not None
    return bo.Scores(np.repeat(scores.runs, 4, axis=0), better="lower", run_ids=SPLITS, run_kind="split")


def test_against_a_loop() -> None:
    """Unequal numbers of runs, ties, infinite scores, both directions."""
    rng = np.random.default_rng(4)
    values = rng.integers(0, 4, (5, 3, 4)).astype(float)
    values[0, 0, 0], values[2, 1, 2:] = np.inf, np.nan
    for better in ("lower", "higher"):
        scores = bo.Scores(values, better=better, missing="keep")
        found = shares_won(scores)
        for i, a, b in np.ndindex(found.shape):
            x, y = (v[~np.isnan(v)] for v in (values[i, a], values[i, b]))
            won = [(p < q) if better == "lower" else (p > q) for p in x for q in y]
            assert found[i, a, b] == sum(won) / len(won)


def test_splits_that_differ_are_refused() -> None:
    ids = np.array([[["x", "y"], ["x", "z"]]] * 3)
    with pytest.raises(ScoreError, match="Give both the same folds"):
        bo.ratings(bo.Scores(np.ones((3, 2, 2)), better="lower", run_ids=ids, run_kind="split"))


def test_the_report_says_how_runs_met(tmp_path: Path) -> None:
    found = bo.ratings(drawn(5), n_resamples=100)
    found.save(tmp_path / "r.md")
    said = (tmp_path / "r.md").read_text(encoding="utf-8")
    assert "mean of 5 runs" not in said
    assert "each run of the one met each of the other" in said
    assert bo.verify(found).ok


@pytest.mark.slow
def test_the_command_has_one_door_for_each_model(tmp_path: Path) -> None:
    def rated(*options: str) -> Result:
        return CliRunner().invoke(main, ["ratings", str(file), *options])

    rows = [f"p{i},{i % 5},{i % 3},{(2 * i) % 7}" for i in range(12)]
    (file := tmp_path / "s.csv").write_text("\n".join(["problem,x,y,z", *rows]) + "\n")
    usual, named, elo = (
        json.loads(rated("--better", "higher", "--json", *more).stdout)
        for more in ((), ("--method", "bradley-terry"), ("--method", "elo"))
    )
    assert usual.pop("command") != named.pop("command") != elo.pop("command")
    assert usual == named == elo
    assert all(row["elo"] is not None for row in usual["ratings"])
    ranked = json.loads(rated("--better", "higher", "--method", "plackett-luce", "--json").stdout)
    ranked.pop("command")
    assert ranked == bo.bayes.plackett_luce(bo.read_scores(file, "higher")).to_dict()
    for options, message in (
        (("--method", "plackett-luce"), "needs --better"),
        (("--method", "plackett", "--better", "higher"), "did you mean --method plackett-luce"),
        (("--method", "plackett-luce", "--better", "higher", "--covariate", "x"), "--covariate belongs to --method"),
        (("--method", "plackett-luce", "--better", "higher", "--alpha", "0.1"), "--alpha belongs to --method"),
    ):
        refused = rated(*options)
        assert refused.exit_code == 2
        assert message in refused.stderr
