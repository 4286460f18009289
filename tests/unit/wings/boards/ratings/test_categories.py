"""Ratings by category: a board for each, all at once, and which distances change between two of them."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats
from scipy.optimize import approx_fprime

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.report.formats.glance import LINES

STRENGTHS = np.array([1.0, 0.2, -0.3, -0.9])


def rows(rng: np.random.Generator, sizes: dict[str, int], users: int = 0, turned: str = "") -> dict[str, list[Any]]:
    table: dict[str, list[Any]] = {"a": [], "b": [], "winner": [], "topic": [], **({"user": []} if users else {})}
    taste = rng.normal(size=(max(users, 1), 4))
    for topic, size in sizes.items():
        theta = -STRENGTHS if topic == turned else STRENGTHS
        for _ in range(size):
            i, j = rng.choice(4, 2, replace=False).tolist()
            user = int(rng.integers(users)) if users else 0
            sign = -1.0 if topic == turned else 1.0
            d = theta[i] - theta[j] + (sign * (taste[user, i] - taste[user, j]) if users else 0.0)
            weights = np.array([np.exp(d / 2), np.exp(-d / 2), 0.6])
            outcome = ("a", "b", "tie")[int(rng.choice(3, p=weights / weights.sum()))]
            for key, value in zip(table, (f"m{i}", f"m{j}", outcome, topic, f"u{user}"), strict=False):
                table[key].append(value)
    return table


def only(table: dict[str, list[Any]], topic: str) -> dict[str, list[Any]]:
    kept = [i for i, x in enumerate(table["topic"]) if x == topic]
    return {key: [values[i] for i in kept] for key, values in table.items() if key != "topic"}


def read(table: dict[str, list[Any]], **options: Any) -> bo.Battles:
    cluster = "user" if "user" in table else None
    category = "topic" if "topic" in table else None
    return bo.read_battles(table, cluster=cluster, category=category, **options)


@pytest.mark.parametrize("users", [0, pytest.param(15, marks=pytest.mark.slow)])
def test_a_board_is_the_rating_of_its_battles_at_its_share_of_alpha(users: int) -> None:
    table = rows(np.random.default_rng(3), {"code": 80, "math": 60, "law": 40}, users)
    found = bo.ratings(read(table), n_resamples=100)
    assert found.n_boards == 4
    assert [board.category for board in found.boards] == ["code", "law", "math"]
    for board in found.boards:
        alone = bo.ratings(read(only(table, str(board.category))), n_resamples=100)
        share = bo.ratings(read(only(table, str(board.category))), n_resamples=100, alpha=0.05 / 4)
        np.testing.assert_array_equal(board.strengths, alone.strengths)
        np.testing.assert_array_equal(board.covariance, alone.covariance)
        np.testing.assert_array_equal(board.intervals, alone.intervals)
        np.testing.assert_array_equal(board.rank_intervals, share.rank_intervals)
        assert board.tie_parameter == alone.tie_parameter
        assert board.critical == share.critical
        for pair, of_share, of_alone in zip(board.pairs, share.pairs, alone.pairs, strict=True):
            assert (pair.interval, pair.verdict) == (of_share.interval, of_share.verdict)
            assert pair.adjusted == pytest.approx(min(1.0, 4 * of_alone.adjusted), rel=1e-12)
            assert (pair.adjusted <= 0.05) == (pair.verdict != "no difference shown")


@pytest.mark.parametrize("users", [0, pytest.param(15, marks=pytest.mark.slow)])
def test_the_board_of_all_battles_forgets_categories(users: int) -> None:
    table = rows(np.random.default_rng(4), {"code": 70, "math": 70}, users)
    found = bo.ratings(read(table), n_resamples=100)
    plain = bo.ratings(read({k: v for k, v in table.items() if k != "topic"}), n_resamples=100)
    np.testing.assert_array_equal(found.strengths, plain.strengths)
    np.testing.assert_array_equal(found.covariance, plain.covariance)
    assert plain.boards == plain.unrated == plain.changes == ()
    assert plain.n_boards == 1


def test_changes_are_welchs_t_with_holm() -> None:
    found = bo.ratings(read(rows(np.random.default_rng(5), {"code": 200, "math": 160, "law": 140}, turned="law")))
    tests = {}
    for x, y in itertools.combinations(found.boards, 2):
        for one in x.pairs:
            other = y.pair(one.a, one.b)
            error = np.hypot(one.standard_error, other.standard_error)
            p = 2 * stats.norm.sf(abs(one.difference - other.difference) / error)
            tests[one.a, one.b, x.category, y.category] = (p, error, {one.verdict, other.verdict})
    assert found.n_changes == len(tests) == 18
    ordered, holm, largest = sorted(tests, key=lambda key: tests[key][0]), {}, 0.0
    for i, key in enumerate(ordered):
        largest = max(largest, (len(tests) - i) * tests[key][0])
        holm[key] = min(1.0, largest)
    assert len(found.changes) == 6
    for change in found.changes:
        key = (change.a, change.b, change.first, change.second)
        p, error, verdicts = tests[key]
        assert change.pvalue == pytest.approx(p, rel=1e-10)
        assert change.standard_error == pytest.approx(error, rel=1e-10)
        assert change.adjusted == pytest.approx(holm[key], rel=1e-10)
        turned = verdicts == {"a better", "b better"}
        assert change.verdict == (
            "order changes" if turned else "distance changes" if holm[key] <= 0.05 else "no change shown"
        )
        ours = [tests[k][0] for k in tests if k[:2] == key[:2] and (tests[k][2] == {"a better", "b better"}) == turned]
        assert change.pvalue == pytest.approx(min(ours), rel=1e-10)
    assert {"order changes"} < {change.verdict for change in found.changes}


@pytest.mark.slow
def test_clusters_within_one_category_have_welchs_degrees_of_freedom() -> None:
    table = rows(np.random.default_rng(6), {"code": 90, "math": 60}, users=9)
    table["user"] = [f"{topic}{user}" for topic, user in zip(table["topic"], table["user"], strict=True)]
    found = bo.ratings(read(table), n_resamples=100)
    x, y = found.boards
    for change in found.changes:
        v, w = (board.pair(change.a, change.b).standard_error ** 2 for board in (x, y))
        assert x.df is not None
        assert y.df is not None
        df = (v + w) ** 2 / (v**2 / x.df + w**2 / y.df)
        assert change.standard_error == pytest.approx(np.sqrt(v + w), rel=1e-10)
        assert change.pvalue == pytest.approx(2 * stats.t.sf(abs(change.change) / np.sqrt(v + w), df), rel=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("turned", ["", "math"])
def test_clusters_of_two_categories_can_only_make_a_change_less_sure(turned: str) -> None:
    """The slow twin: scores of clusters by differences of the likelihood as written."""
    table = rows(np.random.default_rng(7), {"code": 300, "math": 300}, users=12, turned=turned)
    found = bo.ratings(read(table), n_resamples=200)
    moved = [slow_influences(read(only(table, topic))) for topic in ("code", "math")]
    wider = 0
    for change in found.changes:
        i, j = (found.algorithms.index(name) for name in (change.a, change.b))
        mine = [of[:, i] - of[:, j] for of in moved]
        r = float(mine[0] @ mine[1] / np.sqrt(mine[0] @ mine[0] * (mine[1] @ mine[1])))
        v, w = (board.pair(change.a, change.b).standard_error ** 2 for board in found.boards)
        error = np.sqrt(v + w + 2 * max(0.0, -r) * np.sqrt(v * w))
        assert change.standard_error == pytest.approx(error, rel=1e-4)
        wider += r < 0
        df = min(board.df for board in found.boards if board.df is not None)
        assert change.pvalue == pytest.approx(2 * stats.t.sf(abs(change.change) / error, df), rel=1e-3)
    assert wider == (6 if turned else 0)


def slow_influences(battles: bo.Battles) -> np.ndarray[Any, np.dtype[np.float64]]:
    """(G, k) by how much each cluster moves the strengths, in first order; users in order of name."""
    found = bo.ratings(battles, n_resamples=100)
    assert found.tie_parameter is not None
    assert battles.clusters is not None
    at = np.append(found.strengths, np.log(found.tie_parameter))
    k = len(found.strengths)

    def log_likelihood(where: Any, rows: Any) -> float:
        d = where[battles.first[rows]] - where[battles.second[rows]]
        logs = np.column_stack([d / 2, -d / 2, np.full(len(d), where[k])])
        return float((battles.counts[rows] * (logs - np.logaddexp.reduce(logs, axis=1, keepdims=True))).sum())

    def score(where: Any, rows: Any) -> Any:
        steps = 1e-5 * np.eye(k + 1)
        return np.array([(log_likelihood(where + s, rows) - log_likelihood(where - s, rows)) / 2e-5 for s in steps])

    every = np.arange(len(battles.first))
    information = -np.array([approx_fprime(at, lambda w, i=i: score(w, every)[i], 1e-5) for i in range(k + 1)])
    information[:k, :k] += 1.0 / k
    order = sorted(range(len(battles.clusters)), key=lambda g: battles.clusters[g])  # type: ignore[index]
    scores = np.array([score(at, every[battles.cluster == g]) for g in order])
    return np.asarray(scores @ np.linalg.inv(information))[:, :k]


def test_no_category_is_dropped_in_silence() -> None:
    table = rows(np.random.default_rng(8), {"code": 60, "few": 9})
    for a, b in (("m0", "m1"), ("m2", "m3")):
        for winner in ("a", "b") * 4:
            for key, value in zip(table, (a, b, winner, "apart"), strict=True):
                table[key].append(value)
    found = bo.ratings(read(table))
    assert [board.category for board in found.boards] == ["code"]
    assert dict(found.unrated) == {
        "few": "9 of 10 battles that are needed",
        "apart": "groups of algorithms that never met, even through others",
    }
    assert found.n_boards == 2
    [caution] = [c for c in found.cautions if c.name == "left-out (categories)"]
    assert "few (9 of 10" in caution.text
    assert "One category alone could be rated by itself. All 2 boards" in found.verdict
    assert "not rated: 9 of 10" in str(found)
    assert found.n_changes == 0


def test_one_cluster_and_a_penalty_that_is_refused_leave_a_category_without_a_board() -> None:
    table = rows(np.random.default_rng(9), {"code": 80, "math": 80}, users=10)
    table["user"] = ["u0" if t == "math" else u for t, u in zip(table["topic"], table["user"], strict=True)]
    found = bo.ratings(read(table), n_resamples=100)
    assert dict(found.unrated) == {"math": "all battles in one cluster"}
    sure = rows(np.random.default_rng(9), {"code": 80})
    for _ in range(10):
        for key, value in zip(sure, ("m0", "m1", "a", "sure"), strict=True):
            sure[key].append(value)
    kept = bo.ratings(read(sure), penalty="none")
    [(name, why)] = kept.unrated
    assert name == "sure"
    assert "infinite without a penalty" in why
    assert kept.n_boards == 3  # it was a board until its fit failed


def test_an_algorithm_without_battles_in_a_category_has_no_rank_there() -> None:
    table = rows(np.random.default_rng(10), {"code": 80, "math": 80})
    gone = [i for i, t in enumerate(table["topic"]) if t == "math" and "m3" in (table["a"][i], table["b"][i])]
    table = {key: [x for i, x in enumerate(values) if i not in gone] for key, values in table.items()}
    found = bo.ratings(read(table), reference="m3")
    code, math = found.boards
    assert math.algorithms == ("m0", "m1", "m2")
    assert math.reference is None
    assert code.reference == "m3"
    assert int(math.rank_intervals.max()) <= 3
    assert {(c.a, c.b) for c in found.changes} == {("m0", "m1"), ("m0", "m2"), ("m1", "m2")}


def test_cautions_of_boards_are_named() -> None:
    table = rows(np.random.default_rng(11), {"code": 120, "math": 40})
    for i, topic in enumerate(table["topic"]):
        if topic == "math":
            table["winner"][i] = "a" if table["a"][i] < table["b"][i] else "b"
    found = bo.ratings(read(table))
    [caution] = [c for c in found.cautions if c.code == "categories-cautioned"]
    assert caution.text.endswith("separated (unbeaten) of math.")
    assert "separated" not in {c.code for c in found.cautions}


@pytest.mark.slow
def test_neither_order_of_rows_nor_names_of_categories_change_a_board() -> None:
    table = rows(np.random.default_rng(12), {"code": 60, "math": 60}, users=8)
    order = np.random.default_rng(0).permutation(len(table["a"])).tolist()
    mixed = {key: [values[i] for i in order] for key, values in table.items()}
    mixed["topic"] = [{"code": "z", "math": "a"}[t] for t in mixed["topic"]]
    one, two = (bo.ratings(read(t), n_resamples=100) for t in (table, mixed))
    for x, y in zip(one.boards, reversed(two.boards), strict=True):
        np.testing.assert_allclose(x.strengths, y.strengths, atol=1e-12)
        np.testing.assert_allclose(x.covariance, y.covariance, rtol=1e-9)
    assert [c.adjusted for c in one.changes] == pytest.approx([c.adjusted for c in two.changes], rel=1e-9)


def test_covariates_have_an_effect_in_each_board_or_a_reason() -> None:
    rng = np.random.default_rng(13)
    table = rows(rng, {"code": 90, "math": 90})
    table["length"] = [
        0.0 if topic == "math" else float(x) for topic, x in zip(table["topic"], rng.normal(size=180), strict=True)
    ]
    found = bo.ratings(read(table, covariates=["length"]))
    assert [board.category for board in found.boards] == ["code"]
    assert len(found.boards[0].covariates) == 1
    assert "cannot be told apart" in dict(found.unrated)["math"]


def test_too_many_categories_are_refused() -> None:
    table = rows(np.random.default_rng(14), {f"t{i}": 1 for i in range(51)})
    with pytest.raises(bo.errors.TooLargeError, match="51 categories, of which ratings takes 50"):
        bo.ratings(read(table))


@pytest.mark.slow
def test_a_report_is_computed_again_from_its_battles(tmp_path: Path) -> None:
    found = bo.ratings(
        read(rows(np.random.default_rng(15), {"code": 60, "math": 60, "few": 3}, users=9)), n_resamples=100
    )
    path = tmp_path / "found.json"
    found.save(path)
    assert bo.verify(path).ok
    content = json.loads(path.read_text())
    assert content["n_boards"] == 3
    assert content["unrated"] == [{"category": "few", "reason": "3 of 10 battles that are needed"}]
    content["boards"][0]["ratings"][0]["strength"] += 0.1
    path.write_text(json.dumps(content))
    assert not bo.verify(path).ok


def test_the_command_takes_a_column_of_battles_alone(tmp_path: Path) -> None:
    path = tmp_path / "battles.csv"
    table = rows(np.random.default_rng(16), {"code": 40, "math": 40})
    path.write_text("\n".join(",".join(row) for row in zip(*([k, *v] for k, v in table.items()), strict=True)) + "\n")
    run = CliRunner().invoke(main, ["ratings", str(path), "--category", "topic"])
    assert run.exit_code == 0
    assert "All 3 boards hold at once at α = 0.05" in " ".join(run.output.split())
    wrong = CliRunner().invoke(main, ["ratings", str(path), "--category", "topics"])
    assert "no column 'topics'; did you mean 'topic'?" in wrong.output
    scores = CliRunner().invoke(main, ["ratings", str(path), "--category", "topic", "--better", "higher"])
    assert "--category is for battles, without --better" in scores.output


@pytest.mark.slow
def test_many_categories_take_a_screen_until_they_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "battles.csv"
    table = rows(np.random.default_rng(18), dict.fromkeys((f"topic {i:02}" for i in range(30)), 25))
    path.write_text("\n".join(",".join(row) for row in zip(*([k, *v] for k, v in table.items()), strict=True)) + "\n")
    options = ["ratings", str(path), "--category", "topic", "--look", "width=80"]
    screen, whole = (CliRunner().invoke(main, [*options, *more]).output for more in ([], ["--details"]))
    assert len(screen.splitlines()) <= LINES
    listed = screen.count("topic ")
    assert whole.count("topic ") > 30 > listed
    assert f"… and {30 - listed} more." in screen
    assert "simultaneous at α = 0.05 over 31 boards" in " ".join(whole.split())


def test_a_battle_without_a_category_is_refused_by_its_place() -> None:
    table = rows(np.random.default_rng(17), {"code": 20})
    table["topic"][4] = ""
    with pytest.raises(bo.errors.ReadingError, match="row 5: there is nothing in column 'topic'"):
        read(table)
