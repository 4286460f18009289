"""What a report says of its table beside the scores, and the table given with it, row by row."""

import json
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ReportError
from bakeoff.wings.verify.tables import table_differences

VALUES = np.random.default_rng(6).normal([0.0, 1.0], size=(8, 2))
NAMES = [f"p{i}" for i in range(8)]


def table(values: np.ndarray = VALUES, names: list[str] = NAMES, **more: Any) -> bo.Scores:
    return bo.Scores(values, ["a", "b"], names, better="lower", **more)


def written(result: Any) -> Any:
    return json.loads(json.dumps(result.to_dict()))


@pytest.mark.parametrize("key", ["metric", "unit"])
def test_the_metric_and_its_unit_are_words(key: str) -> None:
    content = written(bo.compare(table(**{key: "loss"})))
    assert content["scores"][key] == "loss"
    assert bo.verify(content).ok
    content["scores"][key] = 3
    with pytest.raises(ReportError, match=rf"scores\.{key} must be a string; it is 3"):
        bo.verify(content)


def test_the_verdict_names_three_places() -> None:
    content = written(bo.compare(table()))
    for key in ("pvalue", "statistic"):
        content["omnibus"][key] += 0.5
    for key in ("wins", "losses", "ties"):
        content["pairs"][0][key] += 1
    found = bo.verify(content)
    assert len(found.differences) == 5
    first = [each.where for each in found.differences[:3]]
    said = f"5 of {found.checked} values differ from the scores: {', '.join(first)} and 2 more (5 in all)."
    assert found.verdict.endswith(said)


@pytest.mark.parametrize("runs", [["1", 2], [True, 2], [1], 2, [1.0, 2]])
def test_the_fewest_and_the_most_runs_of_curves_are_two_whole_numbers(runs: object) -> None:
    rows = [
        {"problem": p, "algorithm": a, "budget": b, "score": b * len(a + p)}
        for p in "pqr"
        for a in "AB"
        for b in (1, 2)
    ]
    content = written(bo.curves(rows, better="lower", n_resamples=99, rng=1))
    content["curves"]["n_runs"] = runs
    with pytest.raises(ReportError, match=r"curves\.n_runs must be the fewest and the most runs"):
        bo.verify(content)


def test_scores_are_compared_in_any_order_of_rows_columns_and_runs() -> None:
    runs = np.random.default_rng(7).normal(size=(8, 2, 3))
    runs[2, 1, 2] = np.nan
    said = bo.Scores.from_cells(runs, ["a", "b"], NAMES, better="lower")
    given = said.select(algorithms=["b", "a"], problems=[*range(7, -1, -1)])
    assert table_differences(said, given) == ([], 47)
    other = runs.copy()
    other[2, 1, 0] += 1.0
    changed = bo.Scores.from_cells(other, ["a", "b"], NAMES, better="lower")
    (first,), checked = table_differences(said, changed)
    assert first.where.startswith("problem 'p2', algorithm 'b', run ")
    assert first.where.endswith(" in order of size") or "such scores" in first.where
    assert checked == 47


@pytest.mark.parametrize(
    ("given", "where"),
    [
        (table(VALUES[:7], NAMES[:7]), "problem 'p7'"),
        (table(VALUES, [*NAMES[:7], "new"]), "problem 'p7'"),
        (table(np.dstack([VALUES, VALUES])), "most runs of a cell"),
    ],
)
def test_of_other_rows_or_runs_no_score_is_compared(given: bo.Scores, where: str) -> None:
    found, compared = table_differences(table(), given)
    assert (found[0].where, compared) == (where, 0)


def test_clusters_are_compared_by_problem() -> None:
    labels = list("xxyyzzww")
    said = table(clusters=labels)
    assert table_differences(said, table(VALUES[::-1], NAMES[::-1], clusters=labels[::-1])) == ([], 16)
    (none,), _ = table_differences(said, table())
    assert (none.where, none.said, none.found) == ("clusters", "4 clusters", "none")
    (first,), _ = table_differences(said, table(clusters=list("xxyyzwww")))
    assert (first.where, first.said, first.found) == ("cluster of problem 'p5'", "z", "w")


def test_of_many_other_scores_one_is_shown_and_all_are_counted() -> None:
    values = np.random.default_rng(1).normal(size=(6, 2))
    changed = values.copy()
    changed[2, 0] += 1
    changed[4, 1] += 1
    said, given = (bo.Scores(table, better="lower") for table in (values, changed))
    found = bo.verify(bo.compare(said).to_dict(), given).differences
    (only,) = (one for one in found if one.source == "in the scores given")
    assert only.where == "problem 'P3', algorithm 'A1' (2 such scores)"
    assert (only.said, only.found) == (repr(float(values[2, 0])), repr(float(changed[2, 0])))
