"""Probabilities far below the smallest floating-point number."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

import bakeoff as bo
from bakeoff.nulls.tails import chi2_sf, normal_sf
from benchmarks.model import Benchmark, Case, Run, at_most
from benchmarks.timing import load

CHI2 = ((1e3, 2), (1e4, 8), (1e6, 99))
NORMAL = (10.0, 100.0, 1e4)
_METHODS = ("bonferroni", "holm", "hochberg", "hommel", "finner", "sidak", "fdr-bh")


def _mp() -> Any:
    mp = load("mpmath").mp.clone()
    mp.dps = 40
    return mp


def _worst_log_error() -> float:
    """Relative error of ln p, against mpmath."""
    mp = _mp()
    worst = 0.0
    for x, df in CHI2:
        reference = mp.log(mp.gammainc(mp.mpf(df) / 2, mp.mpf(x) / 2, regularized=True))
        worst = max(worst, abs(float(float(chi2_sf(x, df)[1]) / reference - 1)))
    for z in NORMAL:
        reference = mp.log(mp.erfc(mp.mpf(z) / mp.sqrt(2)) / 2)
        worst = max(worst, abs(float(float(normal_sf(z)[1]) / reference - 1)))
    return worst


def _not_finite() -> float:
    """Friedman, Iman–Davenport, Wilcoxon and sign test on tables in which one algorithm wins everywhere."""
    missing = 0
    for n in (100, 2000, 100_000):
        values = np.arange(n)[:, None] / 7 + np.arange(3.0)
        values[0] = values[0, [0, 2, 1]]  # not in perfect agreement, where F is infinite
        scores = bo.Scores(values, better="lower")
        results = (
            bo.friedman(scores),
            bo.iman_davenport(scores),
            bo.wilcoxon(scores, 0, 1),
            bo.sign_test(scores, 0, 1),
        )
        missing += sum(not math.isfinite(result.log_pvalue) for result in results)
    return float(missing)


def _log_twin_error() -> float:
    """The largest relative difference of ln(adjusted p) with and without logarithms, where both exist."""
    p = np.random.default_rng(1).random(1000) ** 60
    worst = 0.0
    for method in _METHODS:
        plain, logs = bo.adjust(p, method), bo.adjust(np.log(p), method, log=True)
        both = (plain > 1e-290) & (plain < 0.99)
        worst = max(worst, float(np.max(np.abs(np.log(plain[both]) / logs[both] - 1.0), initial=0.0)))
    return worst


def _adjusted_logs() -> Run:
    logs = np.log(np.random.default_rng(2).random(10_000)) * 1000.0
    return partial(bo.adjust, logs, "hommel", log=True)


CASES = (
    Case(
        name="relative error of ln p against mpmath, χ² and normal, down to 1e-21714724",
        measure=_worst_log_error,
        unit="rel",
        goals=(at_most(1e-12),),
        needs="mpmath",
        short=True,
    ),
    Case(
        name="infinite `.log_pvalue` for a finite statistic, up to 100 000 problems",
        measure=_not_finite,
        unit="",
        goals=(at_most(0.0),),
        short=True,
    ),
    Case(
        name="ln p adjusted by logarithms and by p, largest relative difference",
        measure=_log_twin_error,
        unit="rel",
        short=True,
    ),
    Case(name='`bo.adjust(logs, "hommel", log=True)`, m = 10,000', make=_adjusted_logs),
)


BENCHMARK = Benchmark(
    name="tails",
    item=11,
    title="Tails",
    about="Logarithms of p-values where p itself is 0 in floating point.",
    cases=CASES,
)
