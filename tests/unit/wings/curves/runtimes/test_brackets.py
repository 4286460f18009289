"""Brackets by hardness: the problems that a literal rule takes, and their sums."""

from __future__ import annotations

import math

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.report import render


def table(seed: int, n: int = 30, k: int = 3, r: int = 1) -> bo.Scores:
    rng = np.random.default_rng(seed)
    times = np.round(np.exp(rng.normal(size=(n, 1, 1)) * 2 + 1 + rng.normal(size=(n, k, r))), 3) + 0.001
    return bo.Scores(np.where(times > 90, np.inf, times)[:, :, 0] if r == 1 else times, better="lower")


@pytest.mark.parametrize("seed", range(4))
def test_brackets_are_those_of_a_literal_rule(seed: int) -> None:
    scores = table(seed)
    found = bo.runtimes(scores, cap=90, n_resamples=100)
    seen: list[int] = []
    for bracket in found.brackets:
        rows = [
            row for row in scores.values.tolist() if min(row) < math.inf and (max(row) >= bracket.least or not seen)
        ]
        assert bracket.n_problems == len(rows)
        for j, name in enumerate(scores.algorithms):
            assert bracket.solved[name] == sum(row[j] < math.inf for row in rows)
            logs = [math.log(min(row[j], 90.0) + 10) for row in rows]
            assert bracket.sgm[name] == pytest.approx(math.exp(math.fsum(logs) / len(logs)) - 10, rel=1e-12)
        seen.append(len(rows))
    assert seen == sorted(set(seen), reverse=True)
    assert found.brackets[0].least == 0
    assert all(math.log10(bracket.least).is_integer() for bracket in found.brackets[1:])


def test_no_algorithm_is_favoured_by_its_name_or_column() -> None:
    scores = table(1)
    turned = bo.Scores(scores.values[:, ::-1], scores.algorithms[::-1], better="lower")
    for one, two in zip(
        *(bo.runtimes(each, cap=90, n_resamples=100).brackets for each in (scores, turned)), strict=True
    ):
        assert (one.least, one.n_problems) == (two.least, two.n_problems)
        assert one.solved == two.solved
        assert one.sgm == two.sgm


def test_runs_without_a_cap_and_tables_without_a_solution() -> None:
    found = bo.runtimes(table(2, r=2), n_resamples=100)
    assert found.brackets[0].n_problems == 30
    assert found.brackets[0].sgm
    unsolved = bo.Scores([[1.0, np.inf], [20.0, 30.0], [np.inf, np.inf]], better="lower")
    counted = bo.runtimes(unsolved, n_resamples=100)
    assert [(b.least, b.n_problems, b.sgm) for b in counted.brackets] == [(0.0, 2, {})]
    assert bo.runtimes(bo.Scores(np.full((3, 2), np.inf), better="lower"), n_resamples=100).brackets == ()


def test_pages_have_a_column_for_each() -> None:
    found = bo.runtimes(table(1), cap=90, n_resamples=100)
    page = render(found, "md")
    for bracket in found.brackets[1:]:
        assert f"≥ {bracket.least:g} ({bracket.n_problems})" in page
    assert "By hardness" not in render(
        bo.runtimes(bo.Scores([[1.0, 2], [3, 4]], better="lower"), n_resamples=100), "md"
    )
