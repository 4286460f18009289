"""García et al. (2010), Information Sciences 180, 2044–2064: Tables 3 to 8."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

import bakeoff as bo
from bakeoff.ranks import doubled_problem_ranks
from oracles import published
from oracles.demsar_tables import Computed, grid
from oracles.reproduction import PrintedTable, compare

CONTROL = "PDFC"
FROM_TABLE_3 = "the accuracies printed in Table 3"


def accuracies() -> bo.Scores:
    return published.scores("garcia_table3_accuracy", "higher")


def table3() -> PrintedTable:
    scores = accuracies()
    ranks = bo.rank(scores)
    computed = grid(ranks, scores.problems, scores.algorithms)
    computed |= grid(bo.friedman(scores, ties="none").mean_ranks[None, :], ("Average",), scores.algorithms)
    printed = published.cells("garcia_table3_ranks")
    return compare("García T3", "Ranks", f"`bo.rank` of {FROM_TABLE_3}", printed, computed)


def table4_signs() -> PrintedTable:
    scores = accuracies()
    signs = np.sign(scores.values[:, 1:] - scores.values[:, :1]).astype(int)
    computed: Computed = {
        (problem, algorithm): "-=+"[signs[i, j] + 1]
        for i, problem in enumerate(scores.problems)
        for j, algorithm in enumerate(scores.algorithms[1:])
    }
    printed = published.cells("garcia_table4_signs")
    return compare("García T4 signs", "Signs of the differences from the control PDFC", FROM_TABLE_3, printed, computed)


def table4_counts() -> PrintedTable:
    computed: Computed = {}
    for other in accuracies().algorithms[1:]:
        test = bo.sign_test(accuracies(), other, CONTROL)
        computed["minuses", other], computed["pluses", other] = float(test.losses), float(test.wins)
        computed["r", other] = float(min(test.losses, test.wins))
    return compare(
        "García T4 counts",
        "Numbers of minuses and pluses",
        f"losses and wins of `bo.sign_test` on {FROM_TABLE_3}",
        published.cells("garcia_table4_counts"),
        computed,
    )


def table5() -> PrintedTable:
    scores = accuracies()
    x = scores.values
    pairs = {f"D{u + 1}{v + 1}": (u, v) for u in range(4) for v in range(u + 1, 4)}
    computed: Computed = {
        (problem, name): float(x[i, u] - x[i, v])
        for i, problem in enumerate(scores.problems)
        for name, (u, v) in pairs.items()
    }
    printed = published.cells("garcia_table5_differences")
    return compare("García T5", "Differences of accuracy", FROM_TABLE_3, printed, computed)


def table6() -> PrintedTable:
    scores = accuracies()
    computed = grid(bo.contrast_estimation(scores).estimates, scores.algorithms, scores.algorithms)
    printed = published.cells("garcia_table6_contrast")
    source = f"`bo.contrast_estimation` of {FROM_TABLE_3}"
    return compare("García T6", "Contrast estimation", source, printed, computed)


def table7() -> PrintedTable:
    scores = accuracies()
    aligned = scores.values - np.array([[math.fsum(row) / 4] for row in scores.values.tolist()])
    computed = grid(aligned, scores.problems, scores.algorithms, "_obs")
    computed |= grid(bo.rank_aligned(scores), scores.problems, scores.algorithms, "_rank")
    printed = published.cells("garcia_table7_aligned")
    source = f"aligned observations and `bo.rank_aligned` of {FROM_TABLE_3}"
    return compare("García T7", "Aligned observations and ranks", source, printed, computed)


def printed_columns(name: str, suffix: str) -> np.ndarray:
    """(n, k) a printed sub-table: the columns called ALGORITHM + suffix."""
    table = published.cells(name)
    return np.array([[float(table[p, a + suffix]) for a in accuracies().algorithms] for p in published.rows(name)])


def table7_totals() -> PrintedTable:
    totals = printed_columns("garcia_table7_aligned", "_rank").sum(axis=0)
    computed = grid(np.array([totals, totals / 24]), ("Total", "Average rank"), accuracies().algorithms)
    printed = published.cells("garcia_table7_totals")
    return compare("García T7 totals", "Totals of aligned ranks", "the ranks printed in Table 7", printed, computed)


def table8() -> PrintedTable:
    scores = accuracies()
    size = doubled_problem_ranks(scores) / 2
    spread = scores.values.max(axis=1) - scores.values.min(axis=1)
    computed = grid(np.column_stack([spread, size]), scores.problems, ("range", "Q"))
    computed |= grid(size[:, None] * (bo.rank(scores) - 2.5), scores.problems, scores.algorithms, "_S")
    computed |= grid(bo.rank_weighted(scores), scores.problems, scores.algorithms, "_W")
    printed = published.cells("garcia_table8_quade")
    source = f"ranges, their ranks Q, S = Q(r − 2.5) and W = `bo.rank_weighted` of {FROM_TABLE_3}"
    return compare("García T8", "Quade's weighted ranks", source, printed, computed)


def table8_totals() -> PrintedTable:
    s = printed_columns("garcia_table8_quade", "_S").sum(axis=0)
    t = printed_columns("garcia_table8_quade", "_W").sum(axis=0) / 300
    computed = grid(np.array([s, t]), ("S", "T"), accuracies().algorithms)
    printed = published.cells("garcia_table8_totals")
    return compare("García T8 totals", "Sums and averages", "the S and W printed in Table 8", printed, computed)


TABLES: dict[str, Callable[[], PrintedTable]] = {
    "García T3": table3,
    "García T4 signs": table4_signs,
    "García T4 counts": table4_counts,
    "García T5": table5,
    "García T6": table6,
    "García T7": table7,
    "García T7 totals": table7_totals,
    "García T8": table8,
    "García T8 totals": table8_totals,
}
