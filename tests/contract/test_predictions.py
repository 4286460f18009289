"""Predictions and the truth, through the public doors: what is read, refused, computed and said."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import MissingScoreError, ParameterError, ReadingError, ScoreError

RNG = np.random.default_rng(3)
N = 120
TRUTH = (np.arange(N) % 3 == 0).astype(int)
LOGITS = {name: RNG.normal(size=N) + worth * TRUTH for name, worth in (("weak", 0.8), ("good", 1.6), ("best", 1.8))}
CHANCES = {name: (1 / (1 + np.exp(-x))).round(4).tolist() for name, x in LOGITS.items()}
TABLE: dict[str, Any] = {"item": [f"i{i}" for i in range(N)], "y": TRUTH.tolist(), **CHANCES}


def run(*words: str) -> Any:
    return CliRunner().invoke(main, [*words])


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    head, rows = ",".join(TABLE), zip(*TABLE.values(), strict=True)
    Path("p.csv").write_text("\n".join([head, *(",".join(map(str, row)) for row in rows)]) + "\n")
    return "p.csv"


def long_table() -> dict[str, list[Any]]:
    rows = [(TABLE["item"][i], name, TABLE["y"][i], CHANCES[name][i]) for i in range(N) for name in CHANCES]
    return dict(zip(("item", "model", "truth", "prediction"), map(list, zip(*rows, strict=True)), strict=True))


# What is read.


def test_wide_and_long_are_the_same() -> None:
    wide = bo.read_predictions(TABLE, "y", "auc")
    long = bo.read_predictions(long_table(), "truth", "auc")
    assert wide.algorithms == long.algorithms == ("weak", "good", "best")
    assert wide.problems == long.problems
    np.testing.assert_array_equal(wide.values, long.values)


@pytest.mark.needs("pandas", "polars")
def test_every_source_is_the_same(file: str) -> None:
    import pandas
    import polars

    expected = bo.read_predictions(TABLE, "y", "brier").values
    for source in (file, pandas.read_csv(file), polars.read_csv(file), polars.read_csv(file).lazy()):
        np.testing.assert_array_equal(bo.read_predictions(source, "y", "brier").values, expected)


def test_words_numbers_and_truth_values_are_classes() -> None:
    words = {"y": ["yes", "no", "yes", "no"], "a": ["yes", "yes", "yes", "no"], "b": ["no"] * 4}
    numbers = {"y": [1, 0, 1, 0], "a": [1.0, 1.0, 1.0, 0.0], "b": [False] * 4}
    for metric in ("accuracy", "f1", "recall", "error"):
        first, second = (bo.read_predictions(table, "y", metric).values for table in (words, numbers))
        np.testing.assert_array_equal(first, second)


def test_columns_that_are_no_models_are_left_out_and_said() -> None:
    table = TABLE | {"age": RNG.integers(20, 80, N).tolist(), "fold": (np.arange(N) % 5).tolist()}
    scores = bo.read_predictions(table, "y", "auc")
    assert scores.algorithms == ("weak", "good", "best")
    assert {role.column for role in scores.read_as.roles} == {"age", "fold"}
    assert bo.read_predictions(table, "y", "auc", keep=["age"]).algorithms == ("weak", "good", "best", "age")
    assert bo.read_predictions(table, "y", "auc", only=["best", "weak"]).algorithms == ("best", "weak")
    assert bo.read_predictions(TABLE, "y", "auc", drop=["good"]).algorithms == ("weak", "best")
    lr = bo.read_predictions({"y": TRUTH, "lr": CHANCES["weak"], "rf": CHANCES["best"]}, "y", "auc")
    assert lr.algorithms == ("lr", "rf")


def test_missing_predictions() -> None:
    table = TABLE | {"good": [None, *CHANCES["good"][1:]]}
    with pytest.raises(MissingScoreError, match=r"the prediction of 'good' is missing \(1 of 120 items"):
        bo.read_predictions(table, "y", "auc")
    scores = bo.read_predictions(table, "y", "auc", missing="drop")
    assert scores.dropped == ("i0",)
    assert scores.n_problems == N - 1


def test_a_function() -> None:
    def far(truth: Any, prediction: Any) -> Any:
        return np.abs(truth - prediction) > 0.5

    scores = bo.read_predictions(TABLE, "y", far, better="lower")
    assert (scores.metric, scores.better) == ("far", "lower")
    assert bo.compare(TABLE, truth="y", metric=far, better="lower").scores.metric == "far"
    with pytest.raises(ParameterError, match="better is needed with a function"):
        bo.evaluate(TABLE, truth="y", metric=far)
    with pytest.raises(ParameterError, match=r"one finite number for each of 120 items; got an array of shape \(\)"):
        bo.evaluate(TABLE, truth="y", metric=lambda y, p: 1.0, better="lower")


@pytest.mark.parametrize(
    ("table", "metric", "words"),
    [
        (TABLE, "acuracy", "did you mean 'accuracy'"),
        (TABLE, None, "metric is needed beside the truth"),
        (TABLE, "rmse", "squared-error"),
        (TABLE, "pinball", "pinball:0.9"),
        (TABLE, "auc@0.5", "accuracy@0.5"),
        (TABLE, "accuracy", "metric='accuracy@0.5'"),
        (TABLE, "auc:maybe", "has no class 'maybe'"),
        ({**TABLE, "y": ["ill" if y else "well" for y in TRUTH]}, "auc", "metric='auc:ill' or metric='auc:well'"),
        ({**TABLE, "y": ["ill" if y else "well" for y in TRUTH]}, "f1", "metric='f1:macro'"),
        ({**TABLE, "y": [1] * N}, "auc", "needs two classes"),
        ({**TABLE, "item": [f"i{i // 2}" for i in range(N)]}, "nothing", "must be one of"),
        ({**TABLE, "good": [2 * x for x in CHANCES["good"]]}, "brier", "between 0 and 1"),
        ({**TABLE, "good": [0.0] * N}, "log-loss", "metric='brier'"),
        ({**TABLE, "note": ["a"] * N}, "accuracy@0.5", ""),
        ({"y": TRUTH, "a": TRUTH, "b": ["x"] * N}, "accuracy", "'b' holds 'x', which is no class of 'y'"),
        ({"y": [0.0, 1, 2], "a": [1, 2, 3], "b": [3, 2, 1]}, "ape", "a percentage of 0"),
        ({"y": [0.0, 1, 2], "a": [1, 1, 1], "b": [3, 2, 1]}, "pearson", "drop='a'"),
        ({"y": [0.0, 1, 2], "a": [1, 2, 3]}, "abs-error", "needs two models"),
    ],
)
def test_mistakes_have_a_way_out(table: dict[str, Any], metric: Any, words: str) -> None:
    if not words:
        assert bo.read_predictions(table, "y", metric).algorithms == ("weak", "good", "best")
        return
    with pytest.raises((ParameterError, ReadingError)) as refused:
        bo.read_predictions(table, "y", metric)
    assert words in str(refused.value)


def test_a_patient_with_several_rows_is_a_cluster() -> None:
    table = TABLE | {"item": [f"i{i // 2}" for i in range(N)]}
    with pytest.raises(ReadingError, match="cluster='item'"):
        bo.read_predictions(table, "y", "auc", problem="item")
    assert bo.read_predictions(table, "y", "auc", cluster="item").design.has_clusters


# What is computed.


def test_the_published_example_of_delong() -> None:
    """DeLong, DeLong & Clarke-Pearson (1988): data as printed in the SAS/STAT 14.1 User's Guide, example "Comparing
    Receiver Operating Characteristic Curves"; AUCs, covariance and differences by pairs of patients, one by one."""
    rows = np.loadtxt(Path(__file__).parent.parent / "oracles" / "data" / "delong_1988.csv", delimiter=",", skiprows=1)
    bad = rows[:, 3] == 0
    tests = {"albumin": -rows[:, 0], "total protein": -rows[:, 1], "K-G": rows[:, 2]}
    found = bo.evaluate({"failed": bad.astype(int), **tests}, truth="failed", metric="auc", control="K-G")
    v10, v01 = [], []
    for x in tests.values():
        above = (x[bad][:, None] > x[~bad]) + 0.5 * (x[bad][:, None] == x[~bad])
        v10.append(above.mean(axis=1))
        v01.append(above.mean(axis=0))
    covariance = np.cov(v10) / bad.sum() + np.cov(v01) / (~bad).sum()
    for j, estimate in enumerate(found.estimates):
        assert estimate.mean == pytest.approx(v10[j].mean(), rel=1e-13)
        assert estimate.standard_error == pytest.approx(covariance[j, j] ** 0.5, rel=1e-12)
    assert [round(e.mean, 4) for e in found.estimates] == [0.7366, 0.6478, 0.7258]
    for name, contrast in (("albumin", [1, 0, -1]), ("total protein", [0, 1, -1])):
        pair = found.pair(name, "K-G")
        variance = np.array(contrast) @ covariance @ contrast
        assert pair.standard_error == pytest.approx(variance**0.5, rel=1e-12)
        parts = [np.array(contrast) @ np.cov(v) @ contrast / n for v, n in ((v10, bad.sum()), (v01, (~bad).sum()))]
        welch = variance**2 / (parts[0] ** 2 / (bad.sum() - 1) + parts[1] ** 2 / ((~bad).sum() - 1))
        assert pair.df == pytest.approx(welch, rel=1e-12)


@pytest.mark.needs("sklearn")
def test_every_metric_is_that_of_scikit_learn() -> None:
    from sklearn import metrics as sk

    classes = {name: [int(p > 0.5) for p in column] for name, column in CHANCES.items()}
    numbers = {name: column.tolist() for name, column in LOGITS.items()}
    truth = (RNG.normal(size=N) + LOGITS["best"]).tolist()
    for metric, y, columns, of in (
        ("auc", TRUTH, CHANCES, sk.roc_auc_score),
        ("average-precision", TRUTH, CHANCES, sk.average_precision_score),
        ("log-loss", TRUTH, CHANCES, sk.log_loss),
        ("brier", TRUTH, CHANCES, sk.brier_score_loss),
        ("accuracy", TRUTH, classes, sk.accuracy_score),
        ("balanced-accuracy", TRUTH, classes, sk.balanced_accuracy_score),
        ("f1", TRUTH, classes, sk.f1_score),
        ("f1:macro", TRUTH, classes, lambda y, p: sk.f1_score(y, p, average="macro")),
        ("recall:0", TRUTH, classes, lambda y, p: sk.recall_score(y, p, pos_label=0)),
        ("precision", TRUTH, classes, sk.precision_score),
        ("mcc", TRUTH, classes, sk.matthews_corrcoef),
        ("r2", truth, numbers, sk.r2_score),
        ("mae", truth, numbers, sk.mean_absolute_error),
        ("squared-error", truth, numbers, sk.mean_squared_error),
        ("pinball:0.2", truth, numbers, lambda y, p: sk.mean_pinball_loss(y, p, alpha=0.2)),
    ):
        found = bo.evaluate({"y": list(y), **columns}, truth="y", metric=metric, n_resamples=99)
        for estimate in found.estimates:
            assert estimate.mean == pytest.approx(of(y, columns[estimate.algorithm]), rel=1e-12), metric
    cut = bo.evaluate(TABLE, truth="y", metric="f1@0.5", n_resamples=99)
    assert cut.estimate("best").mean == pytest.approx(sk.f1_score(TRUTH, classes["best"]))


@pytest.mark.parametrize("metric", ["auc", "average-precision", "f1@0.5", "mcc@0.5", "balanced-accuracy@0.5"])
def test_errors_are_those_of_a_bootstrap(metric: str) -> None:
    """Of items within classes, by the reader's own means: another route to the same errors."""
    found = bo.evaluate(TABLE, truth="y", metric=metric, n_resamples=99)
    rng, classes = np.random.default_rng(5), [np.flatnonzero(side == TRUTH) for side in (0, 1)]
    stratified = metric in ("auc", "average-precision", "balanced-accuracy@0.5")
    drawn = []
    for _ in range(400):
        rows = np.concatenate([rng.choice(c, len(c)) for c in classes]) if stratified else rng.integers(0, N, N)
        part = {name: [TABLE[name][i] for i in rows] for name in ("y", *CHANCES)}
        drawn.append(bo.read_predictions(part, "y", metric).values.mean(axis=0))
    means = np.array(drawn)
    for j, estimate in enumerate(found.estimates):
        assert estimate.standard_error == pytest.approx(means[:, j].std(), rel=0.17)
    for pair in found.pairs:
        a, b = (found.scores.index(name) for name in (pair.a, pair.b))
        assert pair.standard_error == pytest.approx((means[:, a] - means[:, b]).std(), rel=0.17)


def test_clusters_sum_contributions() -> None:
    """Each item three times: three times as many items, and the error of a third of them."""
    thrice = {name: [x for x in column for _ in range(3)] for name, column in TABLE.items() if name != "item"}
    thrice["patient"] = [f"p{i // 3}" for i in range(3 * N)]
    single = bo.evaluate(TABLE, truth="y", metric="auc", n_resamples=99)
    clustered = bo.evaluate(bo.read_predictions(thrice, "y", "auc", cluster="patient"), n_resamples=99)
    for a, b in zip(single.pairs, clustered.pairs, strict=True):
        assert a.difference == pytest.approx(b.difference, abs=1e-12)
        assert (a.standard_error, a.df) == pytest.approx((b.standard_error, b.df), rel=1e-9)
    both = bo.read_predictions(
        thrice | {"patient": [f"p{i // 9}" for i in range(3 * N)]}, "y", "auc", cluster="patient"
    )
    mixed = bo.evaluate(both, n_resamples=99)  # patients of both classes: no strata
    assert mixed.n_clusters == N // 3
    assert mixed.pairs[0].df == pytest.approx(N // 3 - 1)


def test_tasks_have_a_metric_each() -> None:
    task = ["first" if i < 40 else "second" for i in range(N)]
    found = bo.evaluate(bo.read_predictions(TABLE | {"task": task}, "y", "auc"), n_resamples=99)
    alone = []
    for rows in (slice(0, 40), slice(40, N)):
        part = {name: column[rows] for name, column in TABLE.items()}
        alone.append(bo.evaluate(part, truth="y", metric="auc", n_resamples=99))
    for j, estimate in enumerate(found.estimates):
        each = [one.estimates[j] for one in alone]
        assert estimate.mean == pytest.approx(np.mean([e.mean for e in each]))
        assert estimate.standard_error == pytest.approx(np.hypot(*(e.standard_error for e in each)) / 2)
        assert [suite.means[j] for suite in found.suite_means] == pytest.approx([e.mean for e in each])
        assert [suite.standard_errors[j] for suite in found.suite_means if suite.standard_errors] == pytest.approx(
            [e.standard_error for e in each]
        )
    new = bo.evaluate(bo.read_predictions(TABLE | {"task": task}, "y", "auc"), tasks="new", n_resamples=99)
    assert new.estimates[0].mean == pytest.approx(found.estimates[0].mean)


def test_intervals_stay_in_the_range_of_the_metric() -> None:
    good = [0.9 - 0.001 * i if y else 0.2 + 0.001 * i for i, y in enumerate(TRUTH)]
    good[0] = 0.25  # one positive among the negatives
    for metric, method in (("auc", "logit"), ("mcc@0.5", "atanh"), ("recall@0.5", "logit")):
        found = bo.evaluate(TABLE | {"good": good}, truth="y", metric=metric, n_resamples=99).estimate("good")
        assert found.method == method
        assert 0 < found.interval[0] < found.mean < found.interval[1] < 1


def test_an_auc_of_one_has_an_exact_bound() -> None:
    perfect = [0.9 if y else 0.1 for y in TRUTH]
    found = bo.evaluate(TABLE | {"best": perfect}, truth="y", metric="auc", n_resamples=99)
    best = found.estimate("best")
    assert (best.mean, best.standard_error, best.method) == (1.0, 0.0, "exact")
    assert best.interval == (pytest.approx(0.05 ** (1 / TRUTH.sum())), 1.0)
    assert ("no-variation", "contributions") in {(c.code, c.object) for c in found.cautions}
    board = bo.leaderboard(TABLE | {"best": perfect}, truth="y", metric="auc", n_resamples=99)
    assert board.winner.algorithm == "best"
    assert board.winner.interval is None
    assert "0.9" in str(found)


def test_one_item_of_a_class_decides_nothing() -> None:
    table = {"y": [1] + [0] * 30, "a": np.linspace(0.9, 0.1, 31).tolist(), "b": np.linspace(0.5, 0.3, 31).tolist()}
    table["b"][3] = 0.95
    found = bo.evaluate(table, truth="y", metric="auc", n_resamples=99)
    assert {pair.verdict for pair in found.pairs} == {"cannot tell"}
    assert any(c.code == "too-few" and c.severity == "stop" for c in found.cautions)


def test_the_winner_of_a_leaderboard_stays_below_one() -> None:
    board = bo.leaderboard(TABLE, truth="y", metric="auc", n_resamples=99)
    assert board.winner.interval is not None
    assert board.winner.estimate is not None
    assert 0.5 < board.winner.interval[0] < board.winner.estimate <= board.winner.interval[1] < 1


# What is refused.


@pytest.mark.parametrize(
    "call",
    [
        bo.compare,
        bo.rank,
        bo.friedman,
        bo.interquartile_mean,
        bo.per_problem,
        bo.bayes.compare,
        lambda s: bo.wilcoxon(s, "weak", "best"),
        lambda s: bo.paired_t(s, "weak", "best"),
        lambda s: bo.leaderboard(s, by="mean-rank"),
        lambda s: bo.bayes.signed_rank(s, "weak", "best"),
    ],
)
def test_ranks_of_contributions_are_refused(call: Any) -> None:
    scores = bo.read_predictions(TABLE, "y", "auc")
    with pytest.raises(ScoreError, match=r"contributions of items to the AUC.*bo\.evaluate, bo\.leaderboard"):
        call(scores)


def test_a_part_of_the_items_is_refused() -> None:
    scores = bo.read_predictions(TABLE, "y", "auc")
    assert scores.select(problems=scores.problems[::-1]).predicted is not None
    assert scores.select(["weak", "best"]).algorithms == ("weak", "best")
    with pytest.raises(ScoreError, match="contributions to the AUC of all items"):
        scores.select(problems=scores.problems[:50])
    with pytest.raises(ParameterError, match="task="):
        bo.evaluate(scores, suites=["s"] * 60 + ["t"] * 60)
    assert bo.read_predictions(TABLE, "y", "brier").select(problems=scores.problems[:50]).n_problems == 50


def test_truth_beside_scores_is_refused() -> None:
    with pytest.raises(ParameterError, match="truth must be left out with Scores"):
        bo.evaluate(bo.read_predictions(TABLE, "y", "auc"), truth="y", metric="auc")


# The command line, and the other commands.


def test_the_refusal_names_a_command_that_works(file: str) -> None:
    refused = run("compare", file, "--better", "higher")
    assert refused.exit_code == 2
    words = "--truth y --metric brier"
    assert words in refused.stderr
    assert run("compare", file, *words.split()).exit_code == 0
    classes = Path("c.csv")
    classes.write_text("id,y_true,knn,svm\n" + "".join(f"{i},{i % 2},{i % 2},{i % 3 > 0:d}\n" for i in range(20)))
    refused = run("evaluate", "c.csv", "--better", "higher")
    assert "--truth y_true --metric accuracy" in refused.stderr
    assert run("evaluate", "c.csv", "--truth", "y_true", "--metric", "accuracy").exit_code == 0


def test_a_report_says_the_metric_and_verifies(file: str) -> None:
    done = run("evaluate", file, "--truth", "y", "--metric", "auc")
    assert "predictions of “y”: '1' is positive (40 of 120). AUC over 120 items" in " ".join(done.stdout.split())
    assert "mean" not in done.stdout.partition("AUC, best first")[2].partition("Paired")[0]
    made = run(
        "evaluate", file, "--truth", "y", "--metric", "auc", "--json", "--report", "r.json", "--report", "r.html"
    )
    assert json.loads(made.stdout)["scores"]["predicted"]["scale"] == "logit"
    assert run("verify", "r.json").exit_code == 0
    assert "ROC curves with bands" in Path("r.html").read_text(encoding="utf-8")


def test_check_of_two_files(file: str) -> None:
    rows = [line.split(",") for line in Path(file).read_text().splitlines()]
    for name, column in (("old", 4), ("new", 2)):
        Path(f"{name}.csv").write_text("".join(f"{r[0]},{r[1]},{r[column]}\n" for r in rows))
    done = run("check", "old.csv", "new.csv", "--truth", "y", "--metric", "auc", "--margin", "0.01")
    assert done.exit_code == 1
    assert "new is worse than the baseline in AUC by more than 0.01" in " ".join(done.stdout.split())
    same = bo.check(file, file, 0.01, label=("best", "weak"), truth="y", metric="auc")
    pair = bo.evaluate(file, truth="y", metric="auc").pair("best", "weak")
    assert same.rows[0].effect == pytest.approx(pair.difference)
    Path("other.csv").write_text(Path("new.csv").read_text().replace("i0,1", "i0,0"))
    with pytest.raises(ScoreError, match="new must have the same truth; of item 'i0'"):
        bo.check("old.csv", "other.csv", 0.01, truth="y", metric="auc")
    with pytest.raises(ParameterError, match="level must be left out"):
        bo.check("old.csv", "new.csv", 0.01, truth="y", metric="auc", level="problem")


OF_RUNS = {
    "add": ["new.csv"],
    "add_baseline": ["new.csv"],
    "allow_different": "machine",
    "allow_missing": True,
    "accept": {"i0": "slow"},
    "margins": {"i0": 0.1},
    "center": True,
    "run_sd": 0.1,
    "run": "seed",
    "format": "csv",
    "paired": False,
}


@pytest.mark.parametrize("name", OF_RUNS)
def test_check_of_predictions_has_no_options_of_runs(name: str) -> None:
    with pytest.raises(ParameterError, match=f"^{name} does not go with truth="):
        bo.check(TABLE, TABLE, 0.01, label=("best", "weak"), truth="y", metric="auc", **{name: OF_RUNS[name]})


def test_check_needs_no_predictions_of_models_that_it_does_not_compare() -> None:
    table = {name: [*map(str, column)] for name, column in TABLE.items()}
    whole = bo.check(table, table, 0.01, label=("best", "weak"), truth="y", metric="auc")
    table["good"][3] = ""
    part = bo.check(table, table, 0.01, label=("best", "weak"), truth="y", metric="auc")
    assert part.rows == whole.rows
    table["weak"][3] = ""
    with pytest.raises(MissingScoreError, match=r"Complete the table, or leave these items out$"):
        bo.check(table, table, 0.01, label=("best", "weak"), truth="y", metric="auc")


def test_tradeoff_of_metrics(file: str) -> None:
    found = bo.tradeoff(TABLE, {"auc": 0.02, "brier": 0.01}, truth="y")
    pair, of_auc = found.pair("best", "weak"), bo.evaluate(TABLE, truth="y", metric="auc").pair("best", "weak")
    assert pair.difference["auc"] == pytest.approx(of_auc.difference)
    assert 2 * pair.p_better["auc"] == pytest.approx(of_auc.t_pvalue)
    words = ("--truth", "y", "--metric", "auc:margin=0.02", "--metric", "brier:margin=0.01")
    assert run("tradeoff", file, *words).exit_code == 0
    with pytest.raises(ParameterError, match="in units of the AUC"):
        bo.tradeoff(TABLE, {"auc": "5%", "brier": 0.01}, truth="y")


def test_curves_of_a_report() -> None:
    from bakeoff.wings.boards.evaluate.prediction_curves import GRID, calibration_bins, roc_curves

    scores = bo.read_predictions(TABLE, "y", "auc")
    for curve, mean in zip(roc_curves(scores, 0.05), scores.values.mean(axis=0), strict=True):
        assert (curve.lower <= curve.hits).all()
        assert (curve.hits <= curve.upper).all()
        area = np.sum(np.diff(GRID) * (curve.hits[1:] + curve.hits[:-1])) / 2
        assert area == pytest.approx(mean, abs=0.02)
    bins = calibration_bins(TRUTH.astype(float), np.array(CHANCES["good"]), 0.05)
    assert sum(each.n for each in bins) == N
    assert sum(each.n * each.observed for each in bins) == pytest.approx(TRUTH.sum())
    assert all(a.predicted < b.predicted for a, b in itertools.pairwise(bins))


@pytest.mark.parametrize("function", [bo.evaluate, bo.leaderboard, bo.compare])
def test_items_in_time_are_refused_or_judged_as_a_series(function: Any) -> None:
    """Days whose errors last: an ordinary t takes them for independent (docs/trust/folds-and-series.md)."""
    rng = np.random.default_rng(3)
    n, error = 120, np.zeros((120, 2))
    for day in range(1, n):
        error[day] = 0.85 * error[day - 1] + rng.normal(size=2)
    truth = rng.normal(size=n).cumsum()
    days = (np.datetime64("2026-01-01") + np.arange(n)).astype(str).tolist()
    table = {
        "date": days,
        "y": truth.tolist(),
        "a": (truth + error[:, 0]).tolist(),
        "b": (truth + error[:, 1]).tolist(),
    }
    scores = bo.read_predictions(table, "y", "squared-error")
    assert scores.order == tuple(map(float, range(n)))
    with pytest.raises(ScoreError, match="rows in time whose differences resemble"):
        function(scores)
    if function is not bo.leaderboard:
        assert function(scores.with_design(serial=True)).verdict
    mixed = rng.permutation(n)
    turned = {name: [column[i] for i in mixed] for name, column in table.items()}
    with pytest.raises(ScoreError, match="rows in time whose differences resemble"):
        function(bo.read_predictions(turned, "y", "squared-error"))
    with pytest.raises(ScoreError, match=r"Take a metric that is a mean over items, with serial=True, or give"):
        bo.evaluate(bo.read_predictions(table, "y", "r2"))
