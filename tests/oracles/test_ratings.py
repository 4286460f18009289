"""Bradley–Terry ratings: Agresti's baseball table, slow twins by a general optimiser, separation, clusters, reports."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.optimize import minimize

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import BakeoffError, ParameterError, ScoreError, WrongTypeError
from bakeoff.wings.boards.ratings._read_battles import merged_battles
from bakeoff.wings.boards.ratings.board import bootstrap_covariance
from bakeoff.wings.boards.ratings.fit import bounded, fitted, strongly_connected

DATA = Path(__file__).parent / "data" / "formats"
TEAMS = ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"]
# Agresti (1990), Categorical Data Analysis, Table 10.10: 1987 season, 13 games of each pair, row over column
WINS = [
    [0, 7, 9, 7, 7, 9, 11],
    [6, 0, 7, 5, 11, 9, 9],
    [4, 6, 0, 7, 7, 8, 12],
    [6, 8, 6, 0, 6, 7, 10],
    [6, 2, 6, 7, 0, 7, 12],
    [4, 4, 5, 6, 6, 0, 6],
    [2, 4, 1, 3, 1, 7, 0],
]


def baseball(**options: object) -> bo.bradley_terry.Ratings:
    return bo.ratings(bo.WinTable(WINS, algorithms=TEAMS), reference="Baltimore", **options)  # type: ignore[arg-type]


def test_agrestis_baseball() -> None:
    found = baseball()
    assert found.strengths.round(4).tolist() == [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0]
    assert found.standard_errors.round(4).tolist() == [0.3433, 0.3396, 0.3367, 0.3359, 0.3339, 0.3319, 0]
    assert found.elo.round(2).tolist() == [274.71, 249.53, 224.88, 216.73, 192.43, 118.80, 0]
    assert (round(found.deviance or 0, 4), found.deviance_df) == (15.7365, 15)
    pair = found.pair("Milwaukee", "Detroit")
    assert round(pair.difference, 6) == 0.144947
    assert round(pair.standard_error, 6) == 0.311135
    assert found.errors == "information"
    assert found.rank_intervals.tolist() == [[1, 6]] * 5 + [[1, 7], [6, 7]]
    assert {p.verdict for p in found.pairs if "Baltimore" not in (p.a, p.b)} == {"no difference shown"}


def test_the_reference_changes_no_pair() -> None:
    centred = bo.ratings(bo.WinTable(WINS, algorithms=TEAMS))
    assert centred.pairs == baseball().pairs
    assert centred.strengths.sum() == pytest.approx(0, abs=1e-12)


def test_pairs_and_intervals_agree() -> None:
    for pair in baseball(alpha=0.2).pairs:
        low, high = pair.interval
        assert (pair.adjusted <= 0.2) == (low > 0 or high < 0) == (pair.verdict != "no difference shown")
        assert pair.pvalue <= pair.adjusted <= min(1.0, 21 * pair.pvalue) + 1e-12


def likelihood(at: np.ndarray, wins: np.ndarray, ties: np.ndarray, davidson: bool, firth: bool) -> float:
    """Slow twin: one outcome at a time, the information by differences of expected outcomes."""
    k = len(wins)
    if not davidson:
        wins, ties = wins + ties / 2, 0 * ties

    def outcomes(i: int, j: int) -> np.ndarray:
        nu = math.exp(at[k]) if davidson else 0.0
        weights = np.array([math.exp(at[i]), math.exp(at[j]), nu * math.exp((at[i] + at[j]) / 2)])
        return weights / weights.sum()

    total, information = 0.0, np.zeros((len(at), len(at)))
    for i in range(k):
        for j in range(i):
            p = outcomes(i, j)
            for count, share in zip((wins[i, j], wins[j, i], ties[i, j]), p, strict=True):
                total += count * math.log(share) if count else 0.0
            statistics = np.zeros((3, len(at)))
            statistics[0, i] = statistics[1, j] = 1
            statistics[2, [i, j]] = 0.5
            if davidson:
                statistics[2, k] = 1
            away = statistics - p @ statistics
            information += (wins[i, j] + wins[j, i] + ties[i, j]) * (away.T * p) @ away
    if firth:
        information[:k, :k] += 1.0 / k
        total += np.linalg.slogdet(information)[1] / 2
    return total


@pytest.mark.parametrize("davidson", [False, True])
@pytest.mark.parametrize("firth", [False, True])
def test_the_slow_twin_of_the_estimate(davidson: bool, firth: bool) -> None:
    rng = np.random.default_rng(2)
    wins = rng.integers(1, 9, (4, 4)).astype(float)
    np.fill_diagonal(wins, 0)
    ties = np.triu(rng.integers(0, 5, (4, 4)), 1).astype(float)
    ties = ties + ties.T
    found = fitted(wins[None], ties[None], davidson, firth)

    def cost(free: np.ndarray) -> float:
        theta = np.append(free[:3], -free[:3].sum())
        return -likelihood(np.append(theta, free[3:]), wins, ties, davidson, firth)

    best = minimize(cost, np.zeros(3 + davidson), method="BFGS", options={"gtol": 1e-9})
    np.testing.assert_allclose(found.theta[0, :3], best.x[:3], atol=2e-5)
    if davidson:
        assert found.eta is not None
        assert found.eta[0] == pytest.approx(best.x[3], abs=2e-5)
    if not firth:
        assert found.log_likelihood[0] == pytest.approx(-best.fun, rel=1e-10)


def test_many_tables_at_once_are_the_same_as_one_at_a_time() -> None:
    rng = np.random.default_rng(3)
    wins = rng.integers(0, 4, (20, 5, 5)).astype(float) + np.eye(5, k=1) + np.eye(5, k=-4)
    wins[:, range(5), range(5)] = 0
    ties = np.zeros_like(wins)
    together = fitted(wins, ties, False, False)
    for i in range(20):
        np.testing.assert_allclose(
            fitted(wins[i : i + 1], ties[:1], False, False).theta[0], together.theta[i], atol=1e-9
        )


@pytest.mark.slow
def test_the_slow_twin_of_the_bootstrap() -> None:
    scores = bo.read_scores(
        DATA / "eval_ref_60q_15c_3m_4k.csv", "higher", problem="question", algorithm="model", cluster="passage"
    )
    battles = bo.ratings(scores, n_resamples=100).battles
    assert (battles.n_battles, battles.clusters and len(battles.clusters)) == (180, 15)
    fast, left_out = bootstrap_covariance(battles, 100, True, False, np.random.default_rng(1))
    assert left_out == 0
    weights = np.random.default_rng(1).multinomial(15, np.full(15, 1 / 15), 100)
    wins, ties = (table.toarray() for table in battles.cluster_tables())
    theta = []
    for row in weights:
        one = [
            np.sum([w * t for w, t in zip(row, table, strict=True)], axis=0).reshape(1, 3, 3) for table in (wins, ties)
        ]
        theta.append(fitted(*one, True, False).theta[0])
    np.testing.assert_allclose(fast, np.cov(np.array(theta).T) * 15 / 14, rtol=1e-8, atol=1e-12)


def test_separation_is_found_and_said() -> None:
    table = bo.WinTable([[0, 3, 4], [0, 0, 5], [0, 2, 0]], algorithms=["x", "y", "z"])
    found = bo.ratings(table)
    assert found.penalty == "firth"
    assert found.cautions[0].code == "separated"
    assert np.isfinite(found.strengths).all()
    with pytest.raises(ParameterError, match="infinite without a penalty"):
        bo.ratings(table, penalty="none")
    wins = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0.0]])[None]
    assert strongly_connected(wins, 0 * wins)[0]  # a cycle
    assert not strongly_connected(np.triu(wins), 0 * wins)[0]
    assert strongly_connected(0 * wins, wins + wins.transpose(0, 2, 1))[0]  # ties bound both


def test_firths_estimate_of_one_pair_adds_half_a_win_to_both() -> None:
    """Of one binomial share the penalty is Jeffreys' prior: (x + 1/2)/(n + 1)."""
    found = bo.ratings(bo.WinTable([[0, 7], [0, 0]]))
    assert found.strengths[0] - found.strengths[1] == pytest.approx(math.log(7.5 / 0.5), abs=1e-9)


def test_davidsons_ties_of_one_pair() -> None:
    """6 wins, 3 losses, 4 ties: ν = 4/√18, π₁/π₂ = 2; half wins: 8 of 13."""
    table = bo.WinTable([[0, 6], [3, 0]], ties=[[0, 4], [4, 0]])
    found = bo.ratings(table)
    assert found.method == "davidson"
    assert found.tie_parameter == pytest.approx(4 / math.sqrt(18), abs=1e-9)
    assert found.pairs[0].difference == pytest.approx(math.log(2), abs=1e-9)
    assert (found.deviance, found.deviance_df) == (pytest.approx(0, abs=1e-9), 0)
    half = bo.ratings(table, ties="half")
    assert half.pairs[0].difference == pytest.approx(math.log(8 / 5), abs=1e-9)
    assert half.deviance is None


def test_davidsons_strengths_are_infinite_where_no_wins_contradict_each_other() -> None:
    """3 wins, 3 ties, no loss: ν and the lead grow together; ties link both, but bound nothing."""
    one = np.array([[[0, 3.0], [0, 0]]]), np.array([[[0, 3.0], [3.0, 0]]])
    assert strongly_connected(*one)[0]
    assert not bounded(*one, True)[0]
    assert bounded(*one, False)[0]
    assert bounded(one[0] + np.array([[0, 0], [1.0, 0]]), one[1], True)[0]
    found = bo.ratings(bo.WinTable(one[0][0], ties=one[1][0]))
    assert found.penalty == "firth"
    assert np.isfinite(found.strengths).all()
    assert "separated" in {caution.code for caution in found.cautions}


def test_clusters_that_are_all_alike_are_not_certain() -> None:
    found = bo.ratings(bo.Scores([[1.0, 2.0]] * 5, better="lower"), n_resamples=100)
    assert found.pairs[0].standard_error > 1
    assert {"no-variation", "too-few", "separated"} == {caution.code for caution in found.cautions}


@pytest.mark.slow
def test_small_tables_of_every_kind_have_finite_errors() -> None:
    rng = np.random.default_rng(0)
    for at in range(40):
        k, n = int(rng.integers(2, 6)), int(rng.integers(2, 12))
        scores = bo.Scores(rng.integers(0, int(rng.integers(2, 5)), (n, k)).astype(float), better="higher")
        found = bo.ratings(scores, n_resamples=100, ties=("auto", "half", "davidson")[at % 3])  # type: ignore[arg-type]
        assert np.isfinite(found.covariance).all()
        assert all(pair.standard_error > 0 and 0 <= pair.adjusted <= 1 for pair in found.pairs)
        assert "not-converged" not in {caution.code for caution in found.cautions}


def test_groups_that_never_met_are_refused() -> None:
    wins = np.zeros((4, 4))
    wins[0, 1] = wins[1, 0] = wins[2, 3] = wins[3, 2] = 2
    with pytest.raises(ScoreError, match=r"2 groups of algorithms that never met.*A1.*A3"):
        bo.ratings(bo.WinTable(wins))


@pytest.mark.parametrize("winner", ["x", "a", "model_a", "MODEL_A"])
def test_battles_are_read(winner: str) -> None:
    rows = {"model_a": ["x", "y", "x"], "model_b": ["y", "x", "y"], "winner": [winner, "tie (bothbad)", "y"]}
    found = bo.read_battles(rows)
    assert found.counts.tolist() == [[1, 1, 1]]
    assert found.algorithms == ("x", "y")
    with pytest.raises(BakeoffError, match="the winner must be 'y', 'x', 'a', 'b' or 'tie'; it is 'z'"):
        bo.read_battles(rows | {"winner": ["x", "z", "y"]})
    with pytest.raises(BakeoffError, match="no column 'user'"):
        bo.read_battles(rows, cluster="user")
    with pytest.raises(ScoreError, match="meets itself in battle 3"):
        bo.read_battles(rows | {"model_b": ["y", "x", "x"], "winner": ["x", "y", "x"]})


def test_what_is_no_battle() -> None:
    for thing in (None, WINS, "battles.csv"):
        with pytest.raises(WrongTypeError, match=r"bo\.read_battles"):
            bo.ratings(thing)  # type: ignore[arg-type]
    one = merged_battles(["x", "y"], np.array([0]), np.array([1]), np.array([[3.0, 2.0, 0.0]]), ["only"])
    with pytest.raises(ScoreError, match="all in one cluster"):
        bo.ratings(one)


def arena(path: Path, questions: int = 30) -> Path:
    rng = np.random.default_rng(4)
    strength = {"gpt": 1.2, "claude": 1.1, "small <b>": -0.5, "tiny_1": -1.5}
    lines = ["model_a,model_b,winner,question_id"]
    for q in range(questions):
        for _ in range(6):
            a, b = rng.choice(list(strength), 2, replace=False)
            d = strength[a] - strength[b]
            weights = np.exp([d / 2, -d / 2, -0.8])
            won = rng.choice(["model_a", "model_b", "tie"], p=weights / weights.sum())
            lines.append(f"{a},{b},{won},q{q}")
    path.write_text("\n".join(lines))
    return path


@pytest.mark.slow
def test_the_command_and_its_report(tmp_path: Path) -> None:
    file = arena(tmp_path / "battles.csv")
    reports = [tmp_path / f"r.{suffix}" for suffix in ("json", "tex", "html", "md", "csv", "xlsx", "txt")]
    words = ["ratings", str(file), "--cluster", "question_id", "--reference", "tiny_1", "--resamples", "200"]
    done = CliRunner().invoke(main, words + [x for report in reports for x in ("--report", str(report))])
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith("claude and gpt may be the strongest;")
    assert "errors from 30 resampled clusters, t" in done.stdout
    assert "&lt;b&gt;" in reports[2].read_text()
    assert r"tiny\_1" in reports[1].read_text()
    content = json.loads(reports[0].read_text())
    assert {"davidson1970", "cameronmiller2015", "hothorn2008"} <= set(content["references"])
    verified = CliRunner().invoke(main, ["verify", str(reports[0])])
    assert verified.exit_code == 0, verified.output
    content["pairs"][0]["difference"] += 0.1
    assert [x.where for x in bo.verify(content).differences] == ["pairs[0].difference"]
    content["battles"]["counts"][0] = [1, 2]
    with pytest.raises(BakeoffError, match=r"battles\.counts\[0\]"):
        bo.verify(content)
    for more, says in (
        (["--problem", "x"], "--problem needs --better"),
        (["--better", "higher", "--a", "x"], "--a is for battles"),
    ):
        refused = CliRunner().invoke(main, ["ratings", str(file), *more])
        assert refused.exit_code == 2
        assert says in refused.stderr


@pytest.mark.slow
def test_a_report_on_scores_is_verified() -> None:
    found = bo.ratings(bo.datasets.load("demsar_2006"), n_resamples=200)
    assert found.df == 13
    assert bo.verify(found).ok
    assert found.to_dict()["scores"]["better"] == "higher"


@pytest.mark.slow
@pytest.mark.parametrize(("strengths", "n"), [([0.8, 0.4, 0, -0.4, -0.8], 20), ([3.5, 0, 0, -0.5, -0.5], 8)])
@pytest.mark.few(1)
def test_simultaneous_coverage_also_near_separation(strengths: list[float], n: int) -> None:
    rng = np.random.default_rng(11)
    theta = np.array(strengths)
    chance = 1 / (1 + np.exp(-(theta[:, None] - theta)))
    low, high = np.triu_indices(len(theta), 1)
    place = np.array([1 + (theta > x).sum() for x in theta]), np.array([(theta >= x).sum() for x in theta])
    held, ranks = [], []
    for _ in range(200):
        wins = np.triu(rng.binomial(n, chance), 1).astype(float)
        found = bo.ratings(bo.WinTable(wins + np.tril(n - wins.T, -1)))
        held.append(
            all(p.interval[0] <= x <= p.interval[1] for p, x in zip(found.pairs, theta[low] - theta[high], strict=True))
        )
        ranks.append(
            bool((found.rank_intervals[:, 0] <= place[0]).all() and (found.rank_intervals[:, 1] >= place[1]).all())
        )
    floor = 0.95 - 4 * math.sqrt(0.05 * 0.95 / 200)
    assert np.mean(held) >= floor
    assert np.mean(ranks) >= floor


def scored(values: object) -> bo.Scores:
    x = np.asarray(values, dtype=float)
    return bo.Scores(x, [chr(65 + j) for j in range(x.shape[1])], better="higher")


@pytest.mark.parametrize("n", [2, 3, 5])
@pytest.mark.slow_cases("5")
def test_a_sweep_of_few_problems_shows_nothing(n: int) -> None:
    """Two equal algorithms sweep n problems with probability 2^(1 − n); resampled problems show no error at all."""
    found = bo.ratings(scored([[0, 1]] * n), n_resamples=100)
    assert found.pairs[0].adjusted > 2.0 ** (1 - n)
    assert {p.verdict for p in bo.ratings(scored([[0, 1, 2]] * n), n_resamples=100).pairs} == {"no difference shown"}


@pytest.mark.slow
def test_a_long_sweep_is_shown() -> None:
    assert bo.ratings(scored([[0, 1]] * 40), n_resamples=100).verdict == "B is stronger than A, by 40 battles."
    assert bo.ratings(scored([[0, 1, 2]] * 40), n_resamples=100).rank_intervals.tolist() == [[3, 3], [2, 2], [1, 1]]


@pytest.mark.slow
def test_an_algorithm_that_lost_everywhere_leaves_the_errors_of_the_others_alone() -> None:
    rng = np.random.default_rng(3)
    others = rng.random((25, 3))
    found = bo.ratings(scored(np.column_stack([others, np.full(25, -1.0)])), n_resamples=400)
    alone = bo.ratings(scored(others), n_resamples=400)
    for a, b in (("A", "B"), ("A", "C"), ("B", "C")):
        assert found.pair(a, b).standard_error == pytest.approx(alone.pair(a, b).standard_error, rel=0.1)
    assert found.pair("A", "D").standard_error > 1  # 25 battles of 25: about that of Firth's estimate


def test_firths_estimate_is_found_with_very_few_battles() -> None:
    """One battle: ln 3."""
    one = bo.ratings(bo.WinTable([[0, 1], [0, 0]], algorithms=["x", "y"]))
    assert one.pairs[0].difference == pytest.approx(math.log(3), abs=1e-9)
    assert one.verdict == "No difference of strength is shown between 2 algorithms by 1 battle."
    assert "not-converged" not in {caution.code for caution in one.cautions}
    rng = np.random.default_rng(4)
    wins = rng.poisson(0.7, (60, 4, 4)) * (1 - np.eye(4))
    linked = [table for table in wins if bool((np.linalg.matrix_power(table + table.T + np.eye(4), 3) > 0).all())]
    assert fitted(np.array(linked), np.zeros((len(linked), 4, 4)), davidson=False, firth=True).converged.all()
