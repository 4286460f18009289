"""The analysis of an experiment against loops and scalars."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.wings.run.analysis.analyse import analyse
from bakeoff.wings.run.analysis.results import skewness, standardized
from bakeoff.wings.run.design.settings import DEFAULT, Question
from bakeoff.wings.run.sequential.interim_looks import group_pvalue, look, look_sizes


def slow_differences(cells: list[list[list[float]]], a: int, b: int, question: Question, lower: bool) -> list[float]:
    """φ_j of equations (5) and (13), turned so that positive means a is better; problems without one are left out."""
    found = []
    for row in cells:
        means = [Fraction(sum(map(Fraction, runs))) / len(runs) for runs in row]
        phi = means[b] - means[a] if lower else means[a] - means[b]
        if question.differences == "percent":
            if question.control is not None:
                reference = means[int(question.control[1:])]
            else:
                reference = means[0] if len(means) == 2 else Fraction(sum(means)) / len(means)
            if reference <= 0:
                continue
            phi /= reference
        found.append(float(phi))
    return found


def slow_holm(p: list[float]) -> list[float]:
    order = sorted(range(len(p)), key=p.__getitem__)
    adjusted, largest = [0.0] * len(p), 0.0
    for i, j in enumerate(order):
        largest = max(largest, min(1.0, (len(p) - i) * p[j]))
        adjusted[j] = largest
    return adjusted


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize("differences", ["simple", "percent"])
@pytest.mark.parametrize("test", ["t", "wilcoxon", "sign"])
def test_differences_effects_and_corrections(differences: str, test: str) -> None:
    rng = np.random.default_rng(1)
    for i in range(60):
        k, n, r = int(rng.integers(2, 5)), int(rng.integers(2, 15)), int(rng.integers(1, 4))
        cells = rng.integers(-1, 7, size=(n, k, r)) / 2.0  # ties, zeros, negative references
        better = "lower" if i % 2 else "higher"
        control = None if i % 3 else f"A{int(rng.integers(0, k))}"
        question = replace(DEFAULT, test=test, differences=differences, control=control)  # type: ignore[arg-type]
        scores = bo.Scores(cells, [f"A{j}" for j in range(k)], better=better)  # type: ignore[arg-type]
        found = analyse(scores, question, n)
        assert found.n_problems + found.n_dropped == n
        for p in found.pairs:
            a, b = int(p.a[1:]), int(p.b[1:])
            phi = slow_differences(cells.tolist(), a, b, question, better == "lower")
            if not phi:
                assert p.pvalue is None
                continue
            expected = np.sign(np.round(phi, 12)) if test == "sign" else np.array(phi)
            assert p.differences == pytest.approx(expected, abs=1e-12)
            if test == "t" and p.effect is not None:
                assert p.effect.estimate == pytest.approx(sum(phi) / len(phi), abs=1e-12)
            if test == "sign" and p.effect is not None:
                wins, losses = int((expected > 0).sum()), int((expected < 0).sum())
                assert p.effect.estimate == wins / (wins + losses)
        known = [p.pvalue for p in found.pairs if p.pvalue is not None]
        if len(found.pairs) > 1 and len(known) == len(found.pairs):
            assert [p.adjusted for p in found.pairs] == pytest.approx(slow_holm(known), rel=1e-12)


def test_moments() -> None:
    rng = np.random.default_rng(2)
    for _ in range(300):
        x = (rng.integers(-4, 9, size=rng.integers(3, 12)) / 4.0).tolist()
        n, mean = len(x), sum(map(Fraction, x)) / len(x)
        m2 = sum((Fraction(v) - mean) ** 2 for v in x) / n
        m3 = sum((Fraction(v) - mean) ** 3 for v in x) / n
        if m2 == 0:
            assert standardized(np.array(x)) is None
            assert skewness(np.array(x)) is None
            continue
        assert standardized(np.array(x)) == pytest.approx(float(mean) / math.sqrt(float(m2) * n / (n - 1)), abs=1e-12)
        expected = math.sqrt(n * (n - 1)) / (n - 2) * float(m3) / float(m2) ** 1.5
        assert skewness(np.array(x)) == pytest.approx(expected, abs=1e-10)


def slow_group_pvalue(z: list[float], fractions: list[float]) -> float:
    """1 − P(|W(f_k)| < c for all k), c = max |z_k|√f_k over the looks made: the density of W carried by trapezoids."""
    c = max(abs(v) * math.sqrt(f) for v, f in zip(z, fractions, strict=False))
    grid = np.linspace(-c, c, 1501)
    step = grid[1] - grid[0]
    weights = np.full(len(grid), step)
    weights[[0, -1]] /= 2
    density = np.exp(-(grid**2) / (2 * fractions[0])) / math.sqrt(2 * math.pi * fractions[0])
    for before, after in itertools.pairwise(fractions):
        gap = after - before
        kernel = np.exp(-((grid[:, None] - grid[None, :]) ** 2) / (2 * gap)) / math.sqrt(2 * math.pi * gap)
        density = kernel @ (density * weights)
    return 1 - float(density @ weights)


@pytest.mark.slow
def test_p_values_of_group_looks_by_another_quadrature() -> None:
    rng = np.random.default_rng(3)
    question = replace(DEFAULT, sequential="group")
    for n in (34, 35, 36):
        sizes = look_sizes(question, n)
        fractions = [s / n for s in sizes]
        for made in (1, 2, 3):
            z = np.abs(rng.normal(1.5, 0.7, size=made)).tolist()
            before = None
            for k in range(made):
                log_p = math.log(math.erfc(z[k] / math.sqrt(2)))
                p = group_pvalue(log_p, sizes[k], question, n)
                before = look(k + 1, sizes[k], [(p, p)], question, n, before)
            assert before is not None
            assert before.pvalues[0] == pytest.approx(slow_group_pvalue(z, fractions), abs=2e-6)
