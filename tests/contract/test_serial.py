"""Rows in time through every door: which judge one series, which refuse it, and that they agree."""

import json
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import BakeoffError, ParameterError, ScoreError
from bakeoff.figures.geometry.primitives import Text

N = 120
DAYS = [f"2024-{1 + i // 28:02d}-{1 + i % 28:02d}" for i in range(N)]


def resembling(n: int = N, k: int = 2, seed: int = 3) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """AR(1) columns, each row much like the one before."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, k))
    for t in range(1, n):
        rows[t] = 0.6 * rows[t - 1] + 0.8 * rows[t]
    return 10.0 + rows


@pytest.fixture
def days(tmp_path: Path) -> str:
    rows = [f"{day},{new:.4f},{old:.4f}" for day, (new, old) in zip(DAYS, resembling(), strict=True)]
    (tmp_path / "days.csv").write_text("\n".join(["day,new,old", *rows]), encoding="utf-8")
    return str(tmp_path / "days.csv")


def test_compare_evaluate_and_check_have_one_interval(days: str) -> None:
    """Of the same averages of the same series; ordinary intervals are too short."""
    scores = bo.read_scores(days, better="lower", serial=True)
    compared, evaluated = bo.compare(scores).pairs[0], bo.evaluate(scores).pairs[0]
    checked = bo.check(scores, scores, 0.5, label=("old", "new"), scale="difference", alpha=0.025)
    assert compared.effect.low is not None
    assert (compared.effect.low, compared.effect.high) == pytest.approx(evaluated.interval, rel=1e-9)
    assert compared.pvalue == pytest.approx(evaluated.pvalue, rel=1e-9)
    low, high = checked.rows[0].interval
    assert (-high, -low) == pytest.approx(evaluated.interval, rel=1e-9)
    assert (checked.unit, checked.test, checked.level) == ("row", "t", "suite")
    usual = bo.evaluate(resembling(), better="lower").pairs[0].interval
    assert usual[1] - usual[0] < 0.75 * (evaluated.interval[1] - evaluated.interval[0])


@pytest.mark.parametrize("turned", [False, True])
def test_the_order_is_that_of_the_days(days: str, turned: bool) -> None:
    """Rows of a file may stand in any order."""
    head, *rows = Path(days).read_text(encoding="utf-8").splitlines()
    mixed = rows[::-1] if turned else [rows[i] for i in np.random.default_rng(1).permutation(N)]
    Path(days).with_name("mixed.csv").write_text("\n".join([head, *mixed]), encoding="utf-8")
    found = [
        bo.compare(str(Path(days).with_name(name)), better="lower", serial=True) for name in ("days.csv", "mixed.csv")
    ]
    assert found[0].pairs[0].pvalue == pytest.approx(found[1].pairs[0].pvalue, rel=1e-9)


@pytest.mark.parametrize(
    "words",
    [
        ["compare"],
        ["evaluate"],
        ["check", "--label", "old", "--label", "new", "--margin", "0.5", "--scale", "difference"],
    ],
    ids=lambda words: words[0],
)
def test_days_are_refused_with_two_ways_out_and_judged_by_serial(words: list[str], days: str) -> None:
    name, *options = words
    typed = [name, days, "--better", "lower", *options]
    refused = CliRunner().invoke(main, typed)
    assert refused.exit_code in (1, 2)
    assert "Say --serial" in refused.output
    assert "--cluster" in refused.output
    assert refused.output.rstrip().endswith("--serial")
    judged = CliRunner().invoke(main, [*typed, "--serial", "--json"])
    content = json.loads(judged.stdout)
    assert content["scores"]["serial"] is True
    assert content["estimand"]["weights"] == "rows"
    assert f"{N} rows in time" in content["estimand"]["over"]


def test_others_name_who_judges_a_series(days: str) -> None:
    refused = CliRunner().invoke(main, ["leaderboard", days, "--better", "lower"])
    assert "bakeoff compare, bakeoff evaluate, bakeoff check with --serial" in refused.output
    scores = bo.read_scores(days, better="lower", serial=True)
    compared = bo.compare(scores)
    for refuse in (lambda: bo.leaderboard(scores), lambda: bo.sensitivity(compared), lambda: bo.bayes.overview(scores)):
        with pytest.raises(ScoreError, match="rows in time, judged as one series"):
            refuse()


def test_a_check_of_ratios_judges_their_series(days: str) -> None:
    """Log ratios, too."""
    found = bo.check(days, days, "20%", label=("old", "new"), better="lower", serial=True)
    assert (found.scale, found.unit, found.decision) == ("ratio", "row", "ok")
    found.save(Path(days).with_name("check.md"))
    assert "independent averages of rows in time" in Path(days).with_name("check.md").read_text(encoding="utf-8")
    assert [(c.code, c.object) for c in found.cautions] == [("dependence", "series")]


def test_forecasts_and_the_truth_are_a_series_of_errors() -> None:
    rng = np.random.default_rng(5)
    y = rng.normal(size=60).cumsum()
    table = {"y": y, "a": y + rng.normal(size=60), "b": y + 2.0 * rng.normal(size=60)}
    found = bo.evaluate(table, truth="y", metric="abs-error", serial=True)
    errors = bo.Scores(np.abs(np.column_stack([table["a"], table["b"]]) - y[:, None]), better="lower", serial=True)
    assert found.pairs[0].pvalue == pytest.approx(bo.evaluate(errors).pairs[0].pvalue, rel=1e-9)
    with pytest.raises(ParameterError, match="is one of all items"):
        bo.evaluate(table, truth="y", metric="r2", serial=True)


@pytest.mark.parametrize(
    ("about", "words"),
    [
        ({"clusters": ["a", "b"] * 20}, "two ways to judge the same rows"),
        ({"tasks": ["a"] * 20 + ["b"] * 20}, "for one series of rows"),
    ],
)
def test_groups_are_no_series(about: dict[str, list[str]], words: str) -> None:
    scores = bo.Scores(resembling(40), better="lower", serial=True, **about)  # type: ignore[arg-type]
    for function in (bo.compare, bo.evaluate):
        with pytest.raises(BakeoffError, match=words):
            function(scores)


def test_ten_rows_are_too_few() -> None:
    with pytest.raises(ScoreError, match="has 10 rows, and a series in time needs 11 or more"):
        bo.compare(bo.Scores(resembling(10), better="lower", serial=True))


def test_missing_rows_are_refused() -> None:
    values = resembling(40)
    values[3, 0] = np.nan
    with pytest.raises(ScoreError, match="missing='drop'"):
        bo.compare(bo.Scores(values, better="lower", serial=True, missing="keep"))


def test_problems_one_by_one_are_no_series(days: str) -> None:
    with pytest.raises(ParameterError, match="the mean over rows in time is judged"):
        bo.check(days, days, "20%", label=("old", "new"), better="lower", serial=True, level="problem")


def test_reports_of_evaluations_speak_of_averages(days: str) -> None:
    bo.evaluate(days, better="lower", serial=True).save(Path(days).with_name("evaluate.md"))
    text = Path(days).with_name("evaluate.md").read_text(encoding="utf-8")
    assert "independent averages of the series" in text
    assert "Lazarus" in text
    assert "more questions" not in text.split("## Methods")[0].replace("What more questions would show", "")


def test_folds_known_to_scores_are_those_of_the_bayesian_test() -> None:
    cells = np.random.default_rng(1).normal(size=(1, 2, 10))
    scores = bo.Scores(cells, ["new", "old"], better="higher", folds=0.1)
    known = bo.bayes.correlated_t(scores, "new", "old")
    assert known.p_better == bo.bayes.correlated_t(scores, "new", "old", folds=10).p_better
    with pytest.raises(ScoreError, match=r"bo\.bayes\.folds"):
        bo.bayes.overview(scores)
    with pytest.raises(ScoreError, match="folds of one data set"):
        bo.sensitivity(bo.compare(scores))


def test_repeated_folds_are_cautioned_by_their_size() -> None:
    rng = np.random.default_rng(1)
    for runs, fraction, warned in ((30, 0.1, True), (10, 0.1, False), (25, 0.2, False), (10, 0.5, False)):
        scores = bo.Scores(rng.normal(size=(1, 2, runs)), better="higher", folds=fraction)
        for test in (None, "resampled-t"):
            codes = [(c.code, c.object) for c in bo.compare(scores, pairwise=test).cautions]
            assert (("dependence", "repeated-folds") in codes) == (warned and test is not None)
        names = [c.name for c in bo.resampled_t(scores, 0, 1, fraction).cautions]
        assert ("dependence (repeated-folds)" in names) == warned
        assert not bo.resampled_t(scores, 0, 1, fraction, repeats="once").cautions


def test_the_methods_say_that_repeats_count_once(tmp_path: Path) -> None:
    scores = bo.Scores(np.random.default_rng(1).normal(size=(1, 2, 30)), better="higher", folds=0.1)
    for test, words in ((None, "So the 3 repeats count once"), ("resampled-t", "therefore (1/30 + n₂/n₁)·s²")):
        bo.compare(scores, pairwise=test).save(tmp_path / "folds.md")
        assert words in " ".join((tmp_path / "folds.md").read_text(encoding="utf-8").split())


@pytest.mark.parametrize("better", ["higher", "lower"])
@pytest.mark.parametrize("rows", ["folds", "series"])
def test_means_order_what_is_judged_by_means(rows: str, better: Literal["higher", "lower"], tmp_path: Path) -> None:
    """One model wins most rows by little and loses one by far: it has the better mean rank, and the worse mean."""
    sign = 1.0 if better == "higher" else -1.0
    little = np.random.default_rng(1).normal(0.01, 0.001, 20)
    little[7] = -5.0
    values = 10.0 + sign * np.stack([little, np.zeros(20), np.full(20, -3.0)], axis=1)
    names = ["often", "steady", "last"]
    if rows == "folds":
        scores = bo.Scores(values.T[None], names, better=better, metric="gain", folds=0.1)
    else:
        scores = bo.Scores(values, names, better=better, metric="gain", serial=True)
    result = bo.compare(scores)
    assert result.mean_ranks.argmin() == 0
    assert result.standing.argmin() == 1
    assert "steady has the best mean gain (10)" in result.verdict
    assert result.groups[0][0] == "steady"
    result.save(tmp_path / "means.md")
    text = (tmp_path / "means.md").read_text(encoding="utf-8")
    assert "best mean first" in text
    assert "mean rank" not in text.split("## Ranking")[1].split("## Which ones differ")[0]
    drawing = bo.diagram(result)
    texts = [item for item in drawing.items if isinstance(item, Text)]
    drawn = [item.text for item in texts if item.role in ("axis title", "tick label")]
    assert drawn[0].startswith("mean gain (best")
    ticks = [float(number.replace("\u2212", "-")) for number in drawn[1:]]
    assert ticks == sorted(ticks, reverse=better == "higher")
    assert len(ticks) > 1
