"""What a comparison says it chose, and why."""

import math
from typing import Any

import numpy as np
import pytest

import bakeoff as bo

EXACT = "quick to compute for this table"
SAMPLED = "a seed was given"
LONG = "the exact one takes long to compute here; a seed samples it"
TIES = ("ties", "tie-corrected", "tied ranks shrink the variance of the omnibus statistic")


def chosen(scores: bo.Scores, **options: Any) -> dict[str, tuple[str, str]]:
    found = bo.compare(scores, **options).choices
    assert len({one.parameter for one in found}) == len(found)
    return {one.parameter: (one.value, one.reason) for one in found}


def table(n: int = 12, k: int = 3) -> bo.Scores:
    return bo.Scores(np.random.default_rng(0).normal(size=(n, k)), better="lower")


def gaps(r: int = 4) -> bo.Scores:
    """A cell of two runs only, and an empty one."""
    values = np.random.default_rng(0).normal(size=(12, 3, r))
    values[3, 1, 2:] = math.nan
    values[1, 1] = math.nan
    return bo.Scores(values, better="lower", missing="keep")


def test_the_default() -> None:
    found = chosen(table())
    assert list(found) == ["omnibus", "distribution", "ties", "pairwise", "posthoc"]
    assert found["distribution"] == ("exact", EXACT)
    assert found["ties"] == TIES[1:]


@pytest.mark.parametrize(
    ("n", "k", "options", "law"),
    [
        (40, 14, {"omnibus": "friedman"}, ("χ²", LONG)),
        (40, 14, {"omnibus": "friedman", "rng": 1}, ("sampled permutations", SAMPLED)),
        (20, 3, {"omnibus": "quade"}, ("F", LONG)),
    ],
)
@pytest.mark.slow_cases("40-14-options1-law1")
def test_the_law_of_the_omnibus_test(n: int, k: int, options: dict[str, Any], law: tuple[str, str]) -> None:
    assert chosen(table(n, k), **options)["distribution"] == law


def test_anova_has_no_law_and_no_ties() -> None:
    assert list(chosen(table(), omnibus="anova")) == ["omnibus", "pairwise", "posthoc"]


def test_a_recipe_has_the_papers_choices() -> None:
    found = chosen(table(), recipe="demsar-2006")
    assert list(found) == ["omnibus", "ties", "pairwise", "standard_error", "posthoc"]
    assert found["ties"] == ("uncorrected", "as the paper prints it")
    assert found["standard_error"] == ("papers", "as the papers print it")


def test_ranks_have_a_standard_error() -> None:
    found = chosen(table(), pairwise="mean-ranks")
    assert found["standard_error"] == ("permutation", "from the observed ranks, ties included")


def test_runs_are_averaged() -> None:
    scores = bo.Scores(np.random.default_rng(0).normal(size=(12, 3, 4)), better="lower")
    assert chosen(scores)["runs"] == ("averaged", "4 runs per cell; problems are the sample")
    fewer = np.array(scores.runs)
    fewer[3, 1, 2:] = math.nan
    unequal = bo.Scores(fewer, better="lower", missing="keep")
    assert chosen(unequal)["runs"] == ("averaged", "2 to 4 runs per cell; problems are the sample")


@pytest.mark.parametrize("missing", [None, "bounds"])
def test_with_missing_scores(missing: str | None) -> None:
    found = chosen(gaps(), missing=missing) if missing else chosen(gaps())
    assert list(found) == ["omnibus", "distribution", "pairwise", "posthoc", "missing", "runs"]
    assert found["distribution"] == ("exact", EXACT)
    assert (
        found["missing"]
        == {
            None: ("pairs on common problems", "each pair is compared on the problems that both have"),
            "bounds": ("bounds", "requested: which verdicts hold whatever the missing scores are"),
        }[missing]
    )
    assert found["runs"] == ("averaged", "2 to 4 runs per cell; problems are the sample")


def test_empty_cells_have_no_number_of_runs() -> None:
    values = np.random.default_rng(0).normal(size=(12, 3, 4))
    values[1, 1] = math.nan
    found = chosen(bo.Scores(values, better="lower", missing="keep"))
    assert found["runs"] == ("averaged", "4 runs per cell; problems are the sample")


def test_clusters_are_the_unit() -> None:
    clusters = [f"c{i // 2}" for i in range(24)]
    scores = bo.Scores(np.random.default_rng(0).normal(size=(24, 3)), better="lower", clusters=clusters)
    value, reason = chosen(scores)["unit"]
    assert (value, reason) == (
        "cluster",
        "the table has clusters (24 problems in 12 clusters): means over their problems are tested, and clusters "
        "count equally",
    )
