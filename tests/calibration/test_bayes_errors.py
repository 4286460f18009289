"""The page of errors of Bayesian statements: what is stored says what the page says, and some of it again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from calibration import bayes_errors

STORED = Path(__file__).parents[2] / "docs" / "trust" / "bayes-errors.json"


def rows() -> list[dict[str, Any]]:
    stored: list[dict[str, Any]] = json.loads(STORED.read_text(encoding="utf-8"))["rows"]
    return stored


def slack(share: float, tables: int) -> float:
    """Four standard errors."""
    return 4.0 * float((share * (1.0 - share) / tables) ** 0.5)


def test_every_cell_is_stored() -> None:
    named = [(cell.truth, cell.noise, cell.algorithms, cell.n) for cell in bayes_errors.cells()]
    assert [(row["truth"], row["noise"], row["algorithms"], row["n"]) for row in rows()] == named


def test_the_joint_list_is_part_of_the_one_by_one() -> None:
    """Neither more true statements nor more false ones."""
    for row in rows():
        for name in ("recipe", "flat"):
            assert row["true"][name] <= row["true"]["each by itself"]
            assert row["false"][name] <= row["false"]["each by itself"]


def test_holm_keeps_the_error_of_the_family() -> None:
    assert all(row["false"]["Holm"] / row["tables"] <= 0.05 + slack(0.05, row["tables"]) for row in rows())


@pytest.mark.slow
def test_a_cell_again() -> None:
    again = bayes_errors.measure(next(bayes_errors.cells()), tables=60)
    [stored, *_] = rows()
    for name in bayes_errors.LISTS:
        before = stored["false"][name] / stored["tables"]
        assert abs(again["false"][name] / 60 - before) <= slack(max(before, 0.05), 60)


@pytest.mark.exhaustive
@pytest.mark.parametrize("place", range(len([*bayes_errors.cells()])))
def test_all_cells_again(place: int) -> None:
    cell, stored = [*bayes_errors.cells()][place], rows()[place]
    again = bayes_errors.measure(cell, tables=100)
    for name in bayes_errors.LISTS:
        before = stored["false"][name] / stored["tables"]
        assert abs(again["false"][name] / 100 - before) <= slack(max(before, 0.05), 100)
