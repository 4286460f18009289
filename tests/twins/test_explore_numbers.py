"""The statistics in JavaScript, run by node, against those in Python: numbers, verdicts and sentences of reports."""

from __future__ import annotations

import copy
import json
import math
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.wing import PACKAGE
from explore_reports import comparison, means_report, runs_report

NODE = shutil.which("node") or shutil.which("nodejs")
RUNNER = Path(__file__).with_name("explore.mjs")

pytestmark = pytest.mark.skipif(NODE is None, reason="no node here; tests/browser runs the same script in Chromium")

BESIDE = {
    "the detectable difference",
    "the omnibus p-value, which is exact",
    "p-values adjusted by rom",
    "p-values adjusted by shaffer-dynamic",
    "p-values adjusted by nemenyi",
    "the critical difference",
}
"""What the script leaves out of these reports, each as it says it."""


def examined(reports: list[dict[str, Any]]) -> list[dict[str, Any]]:
    lines = "\n".join(json.dumps(report) for report in reports)
    # with V8's background threads node 20 may wait for one of them for ever when it begins or ends
    command = [str(NODE), "--single-threaded", str(RUNNER), str(PACKAGE / "wings" / "page" / "script")]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, timeout=300)
    return [json.loads(line) for line in done.stdout.splitlines()]


def agree(seeds: range, largest: int) -> None:
    reports = [comparison(seed, largest).to_dict() for seed in seeds]
    numbers = 0
    for seed, report, found in zip(seeds, reports, examined(reports), strict=True):
        assert "beyond" not in found, (seed, found)
        assert found["differences"] == [], (seed, report["request"], found["differences"][:5])
        assert set(found["skipped"]) <= BESIDE, (seed, found["skipped"])
        assert found["sha256"] == report["scores"]["sha256"], seed
        if len(report["pairs"]) > 1:
            assert found["sentence"] == report["verdict"], seed
        numbers += found["numbers"]
    assert numbers > 100 * len(reports)


def test_both_normalise_scores_alike() -> None:
    rng = np.random.default_rng(3)
    scores = bo.Scores(rng.normal(5.0, 3.0, (20, 4)) * 10.0 ** rng.integers(-6, 7, size=(20, 1)), better="lower")
    for pairwise in ("wilcoxon", "t"):
        found = examined([bo.compare(scores, transform="minmax", pairwise=pairwise).to_dict()])[0]
        assert (found["differences"], set(found["skipped"]) - BESIDE) == ([], set())


@pytest.mark.slow
def test_both_agree_on_random_tables() -> None:
    agree(range(10), largest=40)


@pytest.mark.slow
def test_both_agree_on_larger_tables() -> None:
    agree(range(10, 40), largest=40)
    agree(range(100, 110), largest=200)


@pytest.mark.exhaustive
def test_both_agree_on_two_thousand_tables() -> None:
    for start in range(1000, 3000, 100):
        agree(range(start, start + 100), largest=200)


NEEDS_FLIPS = {"p-values of sign flips", "p-values adjusted by the largest t", "p-values of pairs that need sign flips"}
NEEDS_FLIPS |= {"the differences that so many units find"}


def others_agree(seeds: range) -> None:
    for make, beside in ((runs_report, set[str]()), (means_report, NEEDS_FLIPS)):
        reports = [make(seed).to_dict() for seed in seeds]
        for seed, report, found in zip(seeds, reports, examined(reports), strict=True):
            assert found.get("differences") == [], (make.__name__, seed, report["request"], found)
            assert set(found["skipped"]) <= beside, (make.__name__, seed, found["skipped"])


@pytest.mark.slow
def test_per_problem_and_evaluate_agree() -> None:
    others_agree(range(4))


def test_means_of_scores_that_cancel_agree() -> None:
    """Page and program had −7.8e-17 and −7.2e-19 for a mean of which nothing but rounding is left."""
    reports = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        values = rng.normal(size=(40, 3)) * 10.0 ** rng.integers(-3, 4, size=(40, 1))
        values -= values.mean(axis=0)
        report = bo.evaluate(bo.Scores(values, better="higher"), n_resamples=99).to_dict()
        exact = [math.fsum(column) / 40 for column in values.T.tolist()]
        assert [e["mean"] for e in report["estimates"]] == pytest.approx(exact, rel=1e-12, abs=0)
        reports.append(report)
    for report, found in zip(reports, examined(reports), strict=True):
        assert found["differences"] == [], (report["estimates"], found["differences"])


@pytest.mark.slow
def test_per_problem_and_evaluate_agree_on_more_tables() -> None:
    others_agree(range(4, 60))


@pytest.mark.exhaustive
def test_per_problem_and_evaluate_agree_on_hundreds_of_tables() -> None:
    others_agree(range(100, 400))


@pytest.mark.slow
def test_every_changed_number_of_them_is_found() -> None:
    """One leaf after the other, of those that are recomputed."""
    means = bo.evaluate(bo.datasets.load("derrac_cec2005"), control="PSO", correction="holm").to_dict()
    forged = []
    for report, part in ((runs_report(3).to_dict(), "cells"), (means, "pairs"), (means, "estimates")):
        for i, row in enumerate(report[part][:6]):
            for key, value in row.items():
                if isinstance(value, (int, float)) and key not in ("sign_flip", "detectable"):
                    changed = copy.deepcopy(report)
                    changed[part][i][key] = value * (1 + 1e-7) + (value == 0)
                    forged.append((part, i, key, changed))
    found = examined([changed for *_, changed in forged])
    assert len(found) > 60
    assert [one[:3] for one, seen in zip(forged, found, strict=True) if not seen["differences"]] == []


def test_half_infinite_to_either_side_has_no_effect() -> None:
    rows = [[float("inf"), 0.0], [0.0, float("inf")], [float("inf"), 1.0], [1.0, float("inf")]]
    report = bo.compare(bo.Scores(rows, ["a", "b"], better="lower")).to_dict()
    assert report["pairs"][0]["effect"] is None
    assert examined([report])[0]["differences"] == []


def test_both_agree_on_the_smallest_scores() -> None:
    """They tie only if they are equal: 16 units in the last place are no small share of them."""
    rows = [[5e-324 * (1 + (i * j * 7) % 20) for j in range(1, 4)] for i in range(1, 13)]
    report = bo.compare(bo.Scores(rows, ["a", "b", "c"], better="lower"), pairwise="wilcoxon").to_dict()
    (found,) = examined([report])
    assert (found["differences"], found["numbers"] > 50) == ([], True)


@pytest.mark.slow
def test_every_changed_number_is_found() -> None:
    report = bo.compare(bo.datasets.load("derrac_cec2005"), posthoc=["holm", "shaffer"]).to_dict()
    places: list[tuple[Any, ...]] = [
        ("pairs", 7, key) for key in ("statistic", "pvalue", "log_pvalue", "wins", "rank_biserial")
    ]
    places += [("pairs", 3, "adjusted", "shaffer"), ("pairs", 5, "effect", "low"), ("pairs", 5, "interval", "high")]
    places += [
        ("mean_ranks", "PSO"),
        ("means", "CHC"),
        ("omnibus", "pvalue"),
        ("companion", "statistic"),
        ("kendall_w",),
    ]
    forged = []
    for *path, last in places:
        changed = copy.deepcopy(report)
        inner: Any = changed
        for key in path:
            inner = inner[key]
        inner[last] *= 1.0 + 1e-7
        forged.append(changed)
    found = examined([*forged, report])
    assert [len(one["differences"]) for one in found] == [1] * len(places) + [0]


@pytest.mark.slow
def test_what_is_not_known_is_said() -> None:
    s = bo.datasets.load("derrac_cec2005")
    asked = [bo.compare(s, recipe="demsar-2006"), bo.compare(s, pairwise="aligned"), bo.compare(s, posthoc="nemenyi")]
    found = examined([one.to_dict() for one in asked])
    assert found[0]["beyond"] == ["the recipe demsar-2006"]
    assert found[1]["beyond"] == ["the pair test aligned"]
    assert "p-values adjusted by nemenyi" in found[2]["skipped"]
    assert found[2]["differences"] == []
