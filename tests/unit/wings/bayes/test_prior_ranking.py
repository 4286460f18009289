"""A prior ranking equals problems that have this ranking: aggregation of the Dirichlet distribution is the oracle."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import ParameterError

NAMES = ["SaDE", "my tuner", "CMA, restarts", "R", "GA"]


def table(k: int, n: int = 12, seed: int = 0, *, ties: bool = False, clusters: bool = False) -> bo.Scores:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 4, (n, k)).astype(float) if ties else rng.normal(size=(n, k)) + np.arange(k) / 3
    labels = [f"c{i // 2}" for i in range(n)] if clusters else None
    return bo.Scores(values, NAMES[:k], better="lower", clusters=labels)


def with_problems(scores: bo.Scores, ranking: list[str], s: int) -> bo.Scores:
    """The table with s problems more, each in a cluster of its own, that have this ranking."""
    row = [float(ranking.index(name)) for name in scores.algorithms]
    values = np.vstack([scores.values, *[row] * s])
    clusters = None if scores.clusters is None else [*scores.clusters, *(f"prior {i}" for i in range(s))]
    return bo.Scores(values, list(scores.algorithms), better="lower", clusters=clusters)


def ranking_of(scores: bo.Scores, seed: int) -> list[str]:
    return [scores.algorithms[i] for i in np.random.default_rng(seed).permutation(scores.n_algorithms)]


TABLES: list[tuple[int, dict[str, Any]]] = [
    (k, {"ties": ties, "clusters": clusters}) for k in (2, 3, 5) for ties in (False, True) for clusters in (False, True)
]


@pytest.mark.parametrize("s", [1, 3])
@pytest.mark.parametrize(("k", "kind"), TABLES)
def test_the_prior_is_as_many_problems(k: int, kind: dict[str, Any], s: int) -> None:
    for seed in range(3):
        scores = table(k, seed=seed, **kind)
        ranking = ranking_of(scores, seed)
        more = with_problems(scores, ranking, s)
        ours = bo.bayes.compare(scores, s, prior=ranking, n_draws=40_000)
        theirs = bo.bayes.compare(more, 0.0, prior="flat", n_draws=40_000, rng=7)
        assert (ours.prior, ours.prior_ranking) == ("ranking", tuple(ranking))
        by_pair = {(x.better, x.worse): x for x in theirs.statements}
        same_order = list(by_pair) == [(x.better, x.worse) for x in ours.statements]
        assert same_order or kind["clusters"]  # there rounding orders statements that are equally probable
        for one in ours.statements:
            other = by_pair[one.better, one.worse]
            assert one.probability == pytest.approx(other.probability, abs=1e-12)
            error = np.hypot(one.joint_standard_error, other.joint_standard_error)
            if same_order:
                assert one.joint == pytest.approx(other.joint, abs=1e-12 + 5 * error)
            assert (one.verdict == "indeterminate") == (other.verdict == "indeterminate")
            pair = bo.bayes.sign_test(
                scores, one.better, one.worse, s, prior=(1, 0, 0) if _before(ranking, one) else (0, 0, 1)
            )
            same = bo.bayes.sign_test(more, one.better, one.worse, 0.0)
            assert pair.p_better == pytest.approx(one.probability, abs=1e-12)
            assert (pair.p_better, *pair.interval) == pytest.approx((same.p_better, *same.interval), abs=1e-9)
            assert (pair.verdict, pair.interval_decided is None) == (same.verdict, same.interval_decided is None)
        mine = bo.bayes.rank_probabilities(scores, s, 40_000, prior=ranking)
        other_ranks = bo.bayes.rank_probabilities(more, 0.0, 40_000, rng=7)
        assert mine.mean_ranks == pytest.approx(other_ranks.mean_ranks, abs=1e-12)
        assert mine.standard_deviations == pytest.approx(other_ranks.standard_deviations, abs=1e-12)
        for name, error_name in (("p_rank", "rank_standard_error"), ("expected_loss", "loss_standard_error")):
            errors = np.hypot(getattr(mine, error_name), getattr(other_ranks, error_name))
            assert (np.abs(getattr(mine, name) - getattr(other_ranks, name)) <= 1e-9 + 5 * errors).all(), name


def _before(ranking: list[str], statement: Any) -> bool:
    return ranking.index(statement.better) < ranking.index(statement.worse)


@pytest.mark.parametrize("s", [0.3, 1.0, 2.5])
def test_a_statement_has_the_probability_of_theorem_2(s: float) -> None:
    """I_½(wins + s, losses) for the one that the ranking favours; SciPy's incomplete beta function is the oracle."""
    scores = table(5, seed=4, ties=True)
    ranking = ranking_of(scores, 2)
    for one in bo.bayes.compare(scores, s, prior=ranking).statements:
        own = (s, 0.0) if _before(ranking, one) else (0.0, s)
        wins, losses = one.wins + own[0], one.losses + own[1]
        assert one.probability == pytest.approx(stats.beta.sf(0.5, wins, losses), abs=1e-12)
        assert one.probability >= 0.5


def test_a_joint_probability_is_that_of_dirichlet_weights() -> None:
    scores, s = table(3, seed=1), 2.5
    ranking = ["CMA, restarts", "SaDE", "my tuner"]
    found = bo.bayes.compare(scores, s, prior=ranking, n_draws=200_000)
    rows = with_problems(scores, ranking, 1)
    weights = np.random.default_rng(5).dirichlet(np.append(np.ones(12), s), size=200_000)
    columns = [(scores.index(x.better, ""), scores.index(x.worse, "")) for x in found.statements]
    signs = np.array([np.sign(rows.values[:, b] - rows.values[:, a]) for a, b in columns]).T
    held = np.logical_and.accumulate(weights @ signs > 0, axis=1).mean(axis=0)
    assert [x.joint for x in found.statements] == pytest.approx(held, abs=6e-3)


@pytest.mark.parametrize("clusters", [False, True])
def test_strength_0_is_flat_with_0(clusters: bool) -> None:
    scores = table(3, ties=True, clusters=clusters)
    ranking = ranking_of(scores, 1)
    ours, flat = (bo.bayes.overview(scores, prior_strength=0, prior=prior) for prior in (ranking, "flat"))
    assert ours.joint.statements == flat.joint.statements
    assert (ours.ranks.p_rank == flat.ranks.p_rank).all()
    assert (ours.ranks.expected_loss == flat.ranks.expected_loss).all()
    assert ours.friedman.probability == flat.friedman.probability
    assert [p.sign.shares for p in ours.pairs] == [p.sign.shares for p in flat.pairs]


@pytest.mark.parametrize(("prior", "atom"), [("flat", 1.5), (["A", "B"], 1.0), (["B", "A"], 2.0)])
def test_quantiles_reach_as_far_as_the_prior(prior: Any, atom: float) -> None:
    """A is first on three problems: its mean rank is 1 + (atom − 1) w₀, w₀ ~ Beta(s, 3)."""
    scores = bo.Scores([[0.0, 1.0]] * 3, ["A", "B"], better="lower")
    found = bo.bayes.rank_probabilities(scores, 1.0, 200_000, prior=prior)
    w = stats.beta.ppf(found.quantile_levels, 1.0, 3.0)
    assert found.quantiles[0] == pytest.approx(1.0 + (atom - 1.0) * w, abs=5e-3)


def test_ties_on_every_problem_leave_the_prior_alone() -> None:
    scores = bo.Scores(np.ones((6, 2)), ["A", "B"], better="lower")
    for s, accepted in ((1.0, False), (6.0, True)):
        result = bo.bayes.overview(scores, prior=["B", "A"], prior_strength=s)
        (one,) = result.joint.statements
        assert (one.better, one.probability, one.accepted) == ("B", 1.0, accepted)
        assert (result.pairs[0].verdict == "b better") == accepted
        assert not any(c.code == "nothing-differs" and c.object in ("pair", "statements") for c in result.cautions)


def test_parts_and_words_name_the_ranking() -> None:
    scores = table(3)
    ranking = ["my tuner", "CMA, restarts", "SaDE"]
    result = bo.bayes.overview(scores, prior=ranking)
    assert (result.prior, result.prior_ranking) == ("ranking", tuple(ranking))
    assert result.friedman.prior_ranks.tolist() == [3.0, 1.0, 2.0]
    assert all(pair.signed_rank is None for pair in result.pairs)
    assert [c.object for c in result.cautions if c.code == "not-computed"] == ["signed-ranks-of-a-ranking"]
    words = "counts as 1 problem on which my tuner is better than CMA, restarts; CMA, restarts than SaDE"
    assert words in " ".join(str(result).split())
    assert words in " ".join(result.methods.split())
    content = result.to_dict()
    assert (content["prior"], content["prior_ranking"], content["request"]["prior"]) == ("ranking", ranking, ranking)
    bo.verify(json.loads(json.dumps(content)))


def test_strange_rankings_are_refused() -> None:
    scores = table(3)
    wrong: list[tuple[object, str]] = [
        (NAMES[:2], "lacks 'CMA, restarts'"),
        ([*NAMES[:3], "SaDE"], "names 'SaDE' twice"),
        ([*NAMES[:2], "sade"], "no algorithm is called 'sade'; did you mean 'SaDE'"),
        (["SaDE"], "lacks 'my tuner'"),
        ("SaDE", "a ranking: the names of all algorithms, best first"),
        ([], "best first"),
        (3, "best first"),
        ("flt", "did you mean 'flat'"),
    ]
    for prior, message in wrong:
        for call in (bo.bayes.overview, bo.bayes.compare):
            with pytest.raises(ParameterError, match="prior") as error:
                call(scores, prior=prior)  # type: ignore[operator]
            assert message in str(error.value)
    with pytest.raises(ParameterError, match="leave out the ranking, or the rope"):
        bo.bayes.overview(scores, rope=0.1, prior=NAMES[:3])
    with pytest.raises(ParameterError, match="recipe"):
        bo.bayes.overview(scores, recipe="benavoli-2015", prior=NAMES[:3])
    with pytest.raises(ParameterError, match="must be 'rank' with a prior ranking"):
        bo.bayes.rank_probabilities(scores, loss="score", prior=NAMES[:3])


def test_the_command_takes_a_name_after_the_other(tmp_path: Path) -> None:
    scores, file = table(3), tmp_path / "scores.csv"
    rows = [f"p{i}," + ",".join(map(repr, row)) for i, row in enumerate(scores.values.tolist())]
    file.write_text("\n".join(['problem,SaDE,my tuner,"CMA, restarts"', *rows]))
    ranking = ["my tuner", "CMA, restarts", "SaDE"]

    def run(*names: str, more: tuple[str, ...] = ("--json",)) -> Any:
        options = [word for name in names for word in ("--prior", name)]
        return CliRunner().invoke(main, ["bayes", str(file), "--better", "lower", *options, *more])

    ours = json.loads(run(*ranking, more=("--prior-strength", "2", "--json")).stdout)
    expected = bo.bayes.overview(scores, prior=ranking, prior_strength=2)
    assert ours["prior_ranking"] == ranking
    assert [x["probability"] for x in ours["statements"]] == [x.probability for x in expected.joint.statements]
    assert json.loads(run("flat").stdout)["prior"] == "equal"
    assert "--prior must be" in run("SaDE").stderr
    assert "lacks 'SaDE'" in run(*ranking[:2]).stderr
    assert "leave out the ranking, or the rope" in run(*ranking, more=("--rope", "0.1")).stderr
