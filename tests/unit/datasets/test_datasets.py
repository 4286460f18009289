"""The shipped tables are the published ones, and what the papers derive from them follows."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import UnknownNameError
from oracles import published

SIZES = {"derrac_cec2005": (25, 9, "lower"), "demsar_2006": (14, 4, "higher"), "garcia_2010": (24, 4, "higher")}
PRINTED = {
    "derrac_cec2005": "derrac_table1_reconstructed",  # ERRATA D1
    "demsar_2006": "demsar_table6",
    "garcia_2010": "garcia_table3_accuracy",
}


def test_names_and_sizes() -> None:
    assert set(bo.datasets.names()) == set(SIZES)
    for name, (n, k, better) in SIZES.items():
        scores = bo.datasets.load(name)
        assert (scores.n_problems, scores.n_algorithms, scores.better) == (n, k, better)
        assert len(scores.source_sha256) == 64


@pytest.mark.parametrize("name", SIZES)
def test_the_numbers_are_those_of_the_papers(name: str) -> None:
    scores = bo.datasets.load(name)
    printed = published.scores(PRINTED[name], scores.better)
    assert scores.algorithms == printed.algorithms
    # García's Table 3 prints "spambase", Tables 4 to 8 "Spambase"
    assert [p.lower() for p in scores.problems] == [p.lower() for p in printed.problems]
    assert np.array_equal(scores.values, printed.values)


@pytest.mark.parametrize("name", SIZES)
def test_files_are_wide_and_begin_with_problem(name: str) -> None:
    path = Path(bo.datasets.__file__).parent / f"{name}.csv"
    content = path.read_bytes()
    assert content.startswith(b"problem,")
    assert b"\r" not in content
    n, k, _ = SIZES[name]
    with path.open(encoding="utf-8", newline="") as file:
        assert [len(line) for line in csv.reader(file)] == [k + 1] * (n + 1)
    assert name in (path.parent / "README.md").read_text(encoding="utf-8")


def test_exponents_restored_in_the_cec_table() -> None:
    # ERRATA D1: the seven cells whose exponent -1 was lost
    scores = bo.datasets.load("derrac_cec2005")
    restored = {
        ("F13", "CHC"): 0.8297,
        ("F13", "SSGA"): 0.6713,
        ("F13", "SS-BLX"): 0.3245,
        ("F13", "SS-Arit"): 0.5479,
        ("F13", "DE-Exp"): 0.6403,
        ("F13", "SaDE"): 0.7070,
        ("F1", "SS-BLX"): 0.3402,
    }
    for (problem, algorithm), value in restored.items():
        assert scores.values[scores.problems.index(problem), scores.index(algorithm)] == value


def test_wins_of_derrac_table_5() -> None:
    # Derrac et al. (2011), Table 5: wins and losses of SaDE against each algorithm
    scores = bo.datasets.load("derrac_cec2005")
    sade = scores.values[:, scores.index("SaDE")][:, None]
    others = scores.values[:, :-1]
    assert (sade < others).sum(axis=0).tolist() == [20, 15, 20, 18, 16, 17, 13, 9]
    assert (sade > others).sum(axis=0).tolist() == [5, 10, 5, 7, 9, 8, 12, 16]


@pytest.mark.parametrize("name", ["derrac", "", None, 3, "derrac_cec2005.csv", "../README"])
def test_unknown_names(name: object) -> None:
    with pytest.raises(UnknownNameError, match="there are derrac_cec2005, demsar_2006, garcia_2010"):
        bo.datasets.load(name)  # type: ignore[arg-type]


def test_sources_can_be_cited() -> None:
    assert "Demšar, J. (2006)" in bo.datasets.source("demsar_2006")
    assert json.dumps([bo.datasets.source(name) for name in bo.datasets.names()])
    with pytest.raises(UnknownNameError, match="did you mean 'demsar_2006'"):
        bo.datasets.source("demsar_2005")
