"""Seeded data for the figures."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr

from bakeoff.scores import Array


def rank_sums(k: int, problems: int = 50, seed: int = 0) -> Array:
    """(k,) sums of the ranks of k algorithms on 50 problems, slightly different: some pairs are significant."""
    rng = np.random.default_rng(k + 1000 * seed)
    noise = rng.normal(size=(problems, k)) - np.linspace(0.0, 1.0, k)
    return np.asarray((noise.argsort(axis=1).argsort(axis=1) + 1).sum(axis=0), dtype=np.float64)


def pvalues_on_line(sums: Array, problems: int = 50) -> Array:
    """(k, k) two-sided p of the differences of rank sums: the z test of Friedman's ranking."""
    k = len(sums)
    z = np.abs(sums[:, None] - sums) / np.sqrt(problems * k * (k + 1) / 6.0)
    return np.asarray(2.0 * ndtr(-z), dtype=np.float64)


def symmetric_pvalues(k: int) -> Array:
    """(k, k) distinct random p-values without an underlying order: the hard case."""
    rng = np.random.default_rng(k)
    p = np.ones((k, k))
    rows, columns = np.triu_indices(k, 1)
    p[rows, columns] = p[columns, rows] = rng.random(len(rows)) ** 3
    return p


def tied_differences(n: int, seed: int = 0, zeros: bool = False) -> Array:
    """(n, 2) scores of two algorithms whose differences are whole numbers: many ties."""
    rng = np.random.default_rng(seed)
    signs = np.where(rng.random(n) < 0.6, 1, -1)
    sizes = rng.integers(0 if zeros else 1, max(6, n // 4), n)
    return np.column_stack([np.zeros(n), sizes * signs]) + 0.0
