"""Benavoli et al. (2015), ICML 32: the printed numbers that follow from others in print, which are few."""

from __future__ import annotations

from collections.abc import Callable

from scipy import special

import bakeoff as bo
from oracles import published
from oracles.reproduction import PrintedTable, Value, compare

N = 30
MEAN_RANKS = (1.3, 2.5, 2.9, 3.3)  # Example 1
WINS = {"X2<X3": 20, "X2<X4": 20, "X3<X4": 15}  # of 30; the only ones that give the printed probabilities


def table1() -> PrintedTable:
    computed: dict[tuple[str, str], Value] = {}
    for row, wins in WINS.items():
        scores = bo.Scores([[0, 1]] * wins + [[1, 0]] * (N - wins), ["a", "b"], better="lower")
        computed[row, "p_sign"] = bo.sign_test(scores, "a", "b", alternative="greater").pvalue
        computed[row, "one_minus_p"] = bo.bayes.sign_test(scores, "a", "b").p_worse
    printed = {key: cell for key, cell in published.cells("benavoli_table1").items() if key in computed}
    return compare(
        "Benavoli T1",
        "P-values and posterior probabilities of the sign test",
        "20, 20 and 15 wins of 30, which the paper does not print, but which alone give these numbers; one-sided "
        "`bo.sign_test` and `bo.bayes.sign_test` (Theorem 2)",
        printed,
        computed,
        notes=(
            "The other 12 of 18 numbers cannot be recomputed. Three rows are printed as 0.0000, which 26 or more "
            "wins give. The joint probabilities need the matrix of ranks, which the text promises but does not print. "
            "That of the fifth row, .0595, respects its bound of 2 · .0307. The mean ranks beside the table belong to "
            "other data (B3). Tables 2 and 3 are simulations (B5).",
        ),
    )


def text() -> PrintedTable:
    m = len(MEAN_RANKS)
    q = 12 * N / (m * (m + 1)) * sum((r - (m + 1) / 2) ** 2 for r in MEAN_RANKS)
    return compare(
        "Benavoli text",
        "Example 1",
        "the printed mean ranks, by the χ² distribution with 3 degrees of freedom",
        published.text("benavoli"),
        {("Example 1", "p of the Friedman test"): float(special.chdtrc(m - 1, q))},
    )


TABLES: dict[str, Callable[[], PrintedTable]] = {"Benavoli T1": table1, "Benavoli text": text}
