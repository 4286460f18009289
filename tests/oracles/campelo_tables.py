"""Campelo & Takahashi (2019), Journal of Heuristics 25: what follows from Table 2, and the plans of section 5."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from scipy import stats

import bakeoff as bo
from oracles import published
from oracles.reproduction import PrintedTable, Value, compare

N_MAX = 200  # of section 5.1
DIFFERENCE, LOW, HIGH = 0.361, 0.342, 0.380  # of section 5.2, as printed, without the sign


@cache
def differences() -> bo.Scores:
    """Table 2 as two columns: φ of each instance beside 0, so that a pair test of them is the paper's."""
    table = published.cells("campelo_table2")
    names = published.rows("campelo_table2")
    phi = [float(table[name, "phi"]) for name in names]
    return bo.Scores(np.column_stack([phi, np.zeros(len(phi))]), ["MOEA/D-DE", "MOEA/D"], names, better="lower")


def text() -> PrintedTable:
    table = published.cells("campelo_table2")
    names = published.rows("campelo_table2")
    runs = [int(table[name, "n1"]) + int(table[name, "n2"]) for name in names]
    test = bo.paired_t(differences(), "MOEA/D-DE", "MOEA/D")
    error = (HIGH - LOW) / 2 / float(stats.t.isf(0.025, 199))
    computed: dict[tuple[str, str], Value] = {
        ("(26)", "1/ARE, Wilcoxon"): 1 / 0.86,
        ("(26)", "1/ARE, sign test"): 1 / 0.637,
        ("5.1", "instances of the class: UF1 to UF7 in 10 to 40 dimensions"): 7 * len(range(10, 41)),
        ("5.1", "N* two-sided"): bo.plan.instances(0.5, alpha=0.05, power=0.8).n,
        ("5.1", "degrees of freedom"): test.df,
        ("5.1", "mean of the differences"): -test.estimate,
        ("5.1", "its lower bound"): -test.high,
        ("5.1", "its upper bound"): -test.low,
        ("5.1", "half the width in percent"): 50 * (test.high - test.low),
        ("5.1", "p of the paired t-test"): test.pvalue,
        ("5.1", "instances at n_max"): sum(n >= N_MAX for n in runs),
        ("5.2", "degrees of freedom"): 200 - 1,
        ("5.2", "detectable d with power 0.8"): bo.plan.detectable(200, alternative="greater"),
        ("5.2", "half the width in percent"): 50 * (HIGH - LOW),
        ("5.2", "p of the paired t-test"): float(stats.t.sf(DIFFERENCE / error, 199)),
    }
    return compare(
        "Campelo text",
        "Sections 4.4.2, 5.1 and 5.2",
        "the printed Table 2 by `bo.paired_t`; `bo.plan.instances(0.5)`; "
        '`bo.plan.detectable(200, alternative="greater")`; for 5.2 the printed mean and interval',
        published.text("campelo"),
        computed,
        notes=(
            "Table 2 is input: its runs are not printed. Table 1 lists parameters. Figures 1 and 4 are curves of "
            "`bo.plan.curve`; Figures 2, 3 and 5 need the runs, or the supplement's table. The mean of section 5.2, "
            "-0.361, comes from 200 instances that the supplement lists and the paper does not.",
        ),
    )


TABLES: dict[str, Callable[[], PrintedTable]] = {"Campelo text": text}
