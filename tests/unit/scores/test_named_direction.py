"""Names that have a direction, and the doubt above the verdict where --better contradicts one."""

import io
from collections.abc import Callable
from typing import Any

import pytest

import bakeoff as bo
from bakeoff.scores.source_cautions import direction_doubtful
from bakeoff.wings.formats.directions import DIRECTIONS, EVERY_OTHER
from bakeoff.words import named_direction

LONG = "problem,algorithm,{}\n" + "".join(f"p{i},{a},{v + i}\n" for i in range(8) for a, v in (("a", 1), ("b", 2.5)))


@pytest.mark.parametrize(
    "name",
    [
        *(
            "accuracy",
            "Accuracy",
            "test_acc",
            "acc,none",
            "acc@1",
            "AUC",
            "f1_macro",
            "F1-score",
            "reward",
            "return",
            "R2",
        ),
        *("solved", "success rate", "balancedAccuracy", "mean reward", "accuracy (%)", "exact_match"),
    ],
)
def test_higher(name: str) -> None:
    assert named_direction(name) == "higher"


@pytest.mark.parametrize(
    "name",
    [
        *(
            "error",
            "error_rate",
            "val_loss",
            "ValLoss",
            "wall time [s]",
            "time",
            "runtime_ms",
            "mean rank",
            "RMSE",
            "regret",
        ),
        *("accuracy_loss", "loss (test)", "latency p99", "log10_error"),
    ],
)
def test_lower(name: str) -> None:
    assert named_direction(name) == "lower"


@pytest.mark.parametrize(
    "name",
    [
        *(
            "time_limit",
            "error_free",
            "timestamp",
            "lossless",
            "errorbar",
            "uptime",
            "survival_time",
            "neg_mse",
            "score",
        ),
        *("rank_correlation", "value", "one minus accuracy", "neg_log_loss", "time saved", "", None),
    ],
)
def test_names_that_say_nothing(name: str | None) -> None:
    assert named_direction(name) is None


def test_the_published_list_agrees() -> None:
    """The fixed directions of the formats, and what the names alone say."""
    said = {name: better for listed in DIRECTIONS.values() for name, better in listed.items() if name != EVERY_OTHER}
    wrong = {name for name, better in said.items() if named_direction(name) not in (None, better)}
    assert wrong == set()


def table(metric: str, better: Any) -> bo.Scores:
    return bo.read_scores(io.StringIO(LONG.format(metric)), better)


ANALYSES: list[Callable[[bo.Scores], Any]] = [
    *(bo.compare, bo.evaluate, bo.leaderboard, bo.profile, bo.ratings, bo.interquartile_mean, bo.bayes.compare),
    lambda scores: bo.tradeoff({"x": scores, "accuracy": scores}, margins={"x": 0.1, "accuracy": 0.1}),
]


@pytest.mark.parametrize("analyse", ANALYSES, ids=lambda analyse: analyse.__name__)
def test_a_contradiction_stands_above_the_verdict(analyse: Callable[[bo.Scores], Any]) -> None:
    found = {c.code: c.severity for c in analyse(table("accuracy", "lower")).cautions}
    assert found["doubtful-reading"] == "stop"


@pytest.mark.parametrize("analyse", ANALYSES, ids=lambda analyse: analyse.__name__)
def test_agreement_is_no_caution(analyse: Callable[[bo.Scores], Any]) -> None:
    found = {c.code for c in analyse(table("accuracy", "higher")).cautions}
    assert "doubtful-reading" not in found


def test_the_column_says_what_the_scores_are() -> None:
    assert table("error", "lower").metric == "error"
    assert table("value", "lower").metric is None


def test_the_sentence() -> None:
    caution = direction_doubtful("accuracy", "lower")
    assert caution is not None
    assert caution.text.startswith("Lower accuracy was taken as better, but the name suggests that higher is.")
