"""Derrac et al. (2011), Swarm and Evolutionary Computation 1, 3–18: Tables 4 to 15, 19, A.21 and the text."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np

import bakeoff as bo
from bakeoff.nulls.tails import chi2_sf, f_sf
from bakeoff.posthoc._multiple_sign_test import printed_critical_value
from bakeoff.ranks import doubled_problem_ranks
from oracles import published
from oracles.demsar_tables import Computed, grid, sign_points
from oracles.reproduction import PrintedTable, compare

CONTROL = "SaDE"
FROM_TABLE_1 = "the reconstructed Table 1 (D1)"


def errors() -> bo.Scores:
    """Table 1 with its seven lost exponents restored (D1)."""
    return published.scores("derrac_table1_reconstructed", "lower")


def errors_with_tie() -> bo.Scores:
    """The data Table 11's Friedman column follows from: DE-Exp ties with SSGA on F1 (D2)."""
    values = errors().values.copy()
    values[0, errors().index("DE-Exp")] = values[0, errors().index("SSGA")]
    return bo.Scores(values, errors().algorithms, errors().problems, better="lower")


def others() -> list[str]:
    return [name for name in errors().algorithms if name != CONTROL]


def table5() -> PrintedTable:
    computed: Computed = {}
    for other in others():
        test = bo.sign_test(errors(), CONTROL, other)
        computed["wins", other], computed["losses", other] = float(test.wins), float(test.losses)
        found = "0.05" if test.pvalue <= 0.05 else "0.1" if test.pvalue <= 0.1 else None
        computed["detected", other] = found if test.wins > test.losses else None
    return compare(
        "Derrac T5",
        "Sign tests of SaDE",
        f"`bo.sign_test` (exact, two-sided) of {FROM_TABLE_1}; the level at which SaDE is better",
        published.cells("derrac_table5"),
        computed,
    )


def table6() -> PrintedTable:
    computed: Computed = {}
    for other in others():
        test = bo.wilcoxon(errors(), CONTROL, other)
        computed[other, "R+"], computed[other, "R-"], computed[other, "p"] = test.r_plus, test.r_minus, test.pvalue
    return compare(
        "Derrac T6",
        "Wilcoxon tests of SaDE",
        f"`bo.wilcoxon` (exact, D4) of {FROM_TABLE_1}",
        published.cells("derrac_table6"),
        computed,
    )


def toy() -> bo.Scores:
    return published.scores("derrac_table7_toy", "lower")


def table8() -> PrintedTable:
    return _toy_ranks("Derrac T8", "ranks", "bo.rank", bo.rank(toy()), "derrac_table8_toy")


def table9() -> PrintedTable:
    return _toy_ranks("Derrac T9", "aligned ranks", "bo.rank_aligned", bo.rank_aligned(toy()), "derrac_table9_toy")


def _toy_ranks(label: str, what: str, function: str, ranks: np.ndarray, name: str) -> PrintedTable:
    computed = grid(ranks, toy().problems, toy().algorithms)
    computed |= grid(ranks.mean(axis=0)[None, :], ("Average",), toy().algorithms)
    source = f"`{function}` of Table 7"
    return compare(label, f"Toy example: {what}", source, published.cells(name), computed, decimals=3)


def table10() -> PrintedTable:
    weight = doubled_problem_ranks(toy())[:, None] / 2
    s, w = weight * (bo.rank(toy()) - 2.5), bo.rank_weighted(toy())
    computed = grid(s, toy().problems, toy().algorithms, "_S") | grid(w, toy().problems, toy().algorithms, "_W")
    computed |= grid(s.sum(axis=0)[None, :], ("S_j",), toy().algorithms, "_S")
    computed |= grid(bo.quade(toy(), ties="none").mean_ranks[None, :], ("T_j",), toy().algorithms, "_S")
    printed = {key: cell for key, cell in published.cells("derrac_table10_toy").items() if cell}
    source = "S = Q(r − 2.5), W = `bo.rank_weighted` and T = `bo.quade(...).mean_ranks` of Table 7"
    return compare("Derrac T10", "Toy example: Quade's ranks", source, printed, computed, decimals=2)


def table11() -> PrintedTable:
    computed, by_route = _three_tests(errors()), _three_tests(errors_with_tie())
    printed = published.cells("derrac_table11")
    also = {("SSGA", "quade"), ("DE-Exp", "aligned")}
    route = {key: by_route[key] for key in printed if key[1] == "friedman" or key in also}
    route["p-value", "aligned"] = chi2_sf(21.31479, 8)[0]
    route["Statistic", "quade"] = f = quade_from_printed_ranks()
    route["p-value", "quade"] = f_sf(f, 8, 192)[0]
    return compare(
        "Derrac T11",
        "Mean ranks and tests of nine algorithms",
        f'`bo.friedman`, `bo.aligned_friedman`, `bo.quade` (`ties="none"`) of {FROM_TABLE_1}',
        printed,
        computed,
        by_route=route,
        route="a tie of DE-Exp and SSGA on F1 (D2), the printed statistic (p, aligned) or the printed "
        "mean ranks (F and p, Quade)",
        decimals={"friedman": 2, "aligned": 2, "quade": 4},
    )


def quade_from_printed_ranks() -> float:
    """F, equations (9)-(11), from the weighted rank sums (whole numbers or halves) that the printed T_j determine."""
    n, k = 25, 9
    means = published.column("derrac_table11", "quade", skip=("Statistic", "p-value"))
    sums = [round(float(mean) * n * (n + 1)) / 2 for mean in means.values()]
    a = n * (n + 1) * (2 * n + 1) * k * (k + 1) * (k - 1) / 72
    b = math.fsum((w - n * (n + 1) * (k + 1) / 4) ** 2 for w in sums) / n
    return (n - 1) * b / (a - b)


def _three_tests(scores: bo.Scores) -> Computed:
    computed: Computed = {}
    tests = {
        "friedman": bo.friedman(scores, ties="none"),
        "aligned": bo.aligned_friedman(scores, ties="none"),
        "quade": bo.quade(scores, ties="none"),
    }
    for name, test in tests.items():
        computed |= grid(np.asarray(test.mean_ranks)[:, None], scores.algorithms, (name,))
        computed["Statistic", name], computed["p-value", name] = test.statistic, test.pvalue
    return computed


def four() -> bo.Scores:
    """Example 6."""
    return errors().select(["IPOP-CMA-ES", "CHC", "SS-BLX", "SaDE"])


def table12() -> PrintedTable:
    tests = _three_tests(four())
    printed = published.cells("derrac_table12")
    return compare(
        "Derrac T12",
        "Mean ranks of four algorithms",
        f"`bo.friedman`, `bo.aligned_friedman`, `bo.quade` of {FROM_TABLE_1}, four columns",
        printed,
        {key: tests[key] for key in printed},
        decimals={"friedman": 2, "aligned": 2, "quade": 4},
    )


def z_and_p(number: int, pairwise: str) -> PrintedTable:
    result = bo.compare(four(), control=CONTROL, pairwise=pairwise, standard_error="papers")
    computed: Computed = {}
    for pair in result.pairs:
        computed[pair.b, "z"], computed[pair.b, "p"] = pair.statistic, pair.pvalue
    return compare(
        f"Derrac T{number}",
        f"z and p against SaDE, {pairwise}",
        f'`bo.compare(..., control="SaDE", pairwise="{pairwise}", standard_error="papers")` of {FROM_TABLE_1}, '
        "four columns",
        published.cells(f"derrac_table{number}"),
        computed,
    )


def table19() -> PrintedTable:
    computed = grid(bo.contrast_estimation(errors()).estimates, errors().algorithms, errors().algorithms)
    source = f"`bo.contrast_estimation` of {FROM_TABLE_1}"
    printed = published.cells("derrac_table19_contrast")
    return compare("Derrac T19", "Contrast estimation", source, printed, computed, decimals=3)


def multiple_sign_points(label: str) -> PrintedTable:
    """García's Table A.1 and Derrac's Table A.21 are the same."""
    return compare(
        label,
        "Critical values of the multiple sign test",
        '`bo.multiple_sign_test(..., law="exact")`: the largest c with P(min of the m counts ≤ c) ≤ α (40 values with '
        "n ≥ 30 and m ≥ 6 are recorded ones, which a slow test computes again)",
        published.cells("multiple_sign_critical"),
        exact_points(),
        by_route={where: shipped_point(*where) for where in published.cells("multiple_sign_critical")},
        route='`law="table"`',
    )


@cache
def exact_points() -> Computed:
    """All 416 critical values; each of the slow ones would take about a second."""
    recorded = published.cells("multiple_sign_exact")
    computed: Computed = {}
    for (row, column), value in recorded.items():
        if is_slow(row, column):
            computed[row, column] = float(value) if value else None
        else:
            computed[row, column] = critical_count(row, column, law="exact")
    return computed


def is_slow(row: str, column: str) -> bool:
    n, _, m = place(row, column)
    return n >= 30 and m >= 6


def place(row: str, column: str) -> tuple[int, float, int]:
    """("n=25, alpha=0.05", "m=8") as (n, alpha, m)."""
    n, alpha = (part.split("=")[1] for part in row.split(", "))
    return int(n), float(alpha), int(column[2:])


def shipped_point(row: str, column: str) -> float | None:
    """What law="table" looks up (without computing the exact p-values beside it)."""
    n, alpha, m = place(row, column)
    value = printed_critical_value(n, m, alpha)
    return None if value is None else float(value)


def critical_count(row: str, column: str, law: str) -> float | None:
    """What bo.multiple_sign_test compares the counts with."""
    n, alpha, m = place(row, column)
    scores = bo.Scores(np.tile(np.arange(m + 1.0), (n, 1)), better="lower")
    value = bo.multiple_sign_test(scores, 0, alpha=alpha, law=law).critical_value  # type: ignore[arg-type]
    return None if value is None else float(value)


TABLES: dict[str, Callable[[], PrintedTable]] = {
    "García A.1": lambda: multiple_sign_points("García A.1"),
    "Derrac T4": lambda: sign_points("Derrac T4"),
    "Derrac T5": table5,
    "Derrac T6": table6,
    "Derrac T8": table8,
    "Derrac T9": table9,
    "Derrac T10": table10,
    "Derrac T11": table11,
    "Derrac T12": table12,
    "Derrac T13": lambda: z_and_p(13, "mean-ranks"),
    "Derrac T14": lambda: z_and_p(14, "aligned"),
    "Derrac T15": lambda: z_and_p(15, "quade"),
    "Derrac T19": table19,
    "Derrac A.21": lambda: multiple_sign_points("Derrac A.21"),
}
