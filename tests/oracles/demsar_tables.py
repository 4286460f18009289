"""Demšar (2006), JMLR 7, 1–30: every printed number that follows from printed data."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy import special

import bakeoff as bo
from bakeoff.ranks import doubled_tied_ranks
from bakeoff.wings.study.power_measures import replicability
from oracles import published
from oracles.reproduction import PrintedTable, Value, compare

Computed = dict[tuple[str, str], Value]


def table2() -> PrintedTable:
    both = published.scores("demsar_table6", "higher").select(["C4.5", "C4.5+m"])
    gain = both.values[:, 1] - both.values[:, 0]
    ranks = doubled_tied_ranks(np.abs(gain), both.scales.max(axis=1)) / 2
    computed: Computed = {}
    for i, problem in enumerate(both.problems):
        computed[problem, "difference"], computed[problem, "rank"] = float(gain[i]), float(ranks[i])
    printed = {key: cell for key, cell in published.cells("demsar_table2").items() if key[1] in ("difference", "rank")}
    return compare(
        "Demšar T2",
        "Differences of AUC and their ranks",
        "the printed AUCs; differences and the mid-ranks of their absolute values that `bo.wilcoxon` sums",
        printed,
        computed,
    )


def sign_points(label: str) -> PrintedTable:
    """Demšar's Table 3, reprinted as Derrac's Table 4."""
    two_sided: Computed = {}
    one_sided: Computed = {}
    for alpha in ("0.05", "0.10"):
        for n in published.columns("sign_critical_wins"):
            two_sided[alpha, n] = critical_wins(int(n), float(alpha), "two-sided")
            one_sided[alpha, n] = critical_wins(int(n), float(alpha), "greater")
    printed = published.cells("sign_critical_wins")
    agree = {key: value for key, value in one_sided.items() if key not in (("0.05", "23"), ("0.05", "24"))}
    return compare(
        label,
        "Critical wins of the two-tailed sign test",
        "the smallest number of wins in n (columns) with p ≤ α (rows) by `bo.sign_test`, two-sided",
        printed,
        two_sided,
        by_route=agree,
        route='`alternative="greater"`: the printed points are one-tailed',
    )


def critical_wins(n: int, alpha: float, alternative: str) -> float | None:
    for wins in range(n // 2 + 1, n + 1):
        values = [[1.0, 0.0]] * wins + [[0.0, 1.0]] * (n - wins)
        scores = bo.Scores(values, ["a", "b"], better="higher")
        if bo.sign_test(scores, "a", "b", alternative=alternative).pvalue <= alpha:  # type: ignore[arg-type]
            return float(wins)
    return None


def table5() -> PrintedTable:
    computed: Computed = {}
    for row in published.rows("demsar_table5"):
        method, alpha = row.lower().split()
        for k in published.columns("demsar_table5"):
            size = int(k)
            distance = bo.critical_difference(size, 1, alpha=float(alpha), method=method)  # type: ignore[arg-type]
            computed[row, k] = distance / math.sqrt(size * (size + 1) / 6)
    return compare(
        "Demšar T5",
        "Critical values of the Nemenyi and Bonferroni–Dunn tests",
        "`bo.critical_difference(k, n)` over sqrt(k(k+1)/(6n)), for k algorithms (columns)",
        published.cells("demsar_table5"),
        computed,
    )


def table6() -> PrintedTable:
    scores = published.scores("demsar_table6", "higher")
    computed = grid(bo.rank(scores), scores.problems, scores.algorithms)
    return compare(
        "Demšar T6",
        "Ranks by AUC",
        "`bo.rank` of the printed AUCs",
        published.cells("demsar_table6_ranks"),
        computed,
        notes=("The averages of these ranks, and all that follows from them, are in the next section (M1).",),
    )


def table7() -> PrintedTable:
    """The counts themselves rest on 40 × 7 accuracies that are not printed."""
    counts = published.cells("demsar_table7_counts")
    return compare(
        "Demšar T7",
        "Replicability R(e) of four tests",
        "the numbers of rejections in 1000 experiments printed beside them, by `study.replicability`",
        published.cells("demsar_table7"),
        {key: replicability(int(count), 1000) for key, count in counts.items()},
    )


def text() -> PrintedTable:
    values = {**_two_algorithms(), **_omnibus(), **_all_pairs(), **_with_control()}
    printed = published.text("demsar")
    return compare(
        "Demšar text",
        "Worked examples, sections 3.1.3 to 3.2.2",
        "the AUCs of Table 2 (two classifiers); the ranks printed in Table 6 (four classifiers, M1)",
        printed,
        {key: values[key[1]] for key in printed},
    )


def _two_algorithms() -> dict[str, Value]:
    pair = published.scores("demsar_table6", "higher").select(["C4.5", "C4.5+m"])
    signed = bo.wilcoxon(pair, "C4.5+m", "C4.5")
    signs = bo.sign_test(pair, "C4.5+m", "C4.5")
    return {
        "R for C4.5+m": signed.r_plus,
        "R for C4.5": signed.r_minus,
        "critical T at 0.05": critical_rank_sum(14, 0.05),
        "wins of C4.5+m": signs.statistic,
        "p of the wins": signs.pvalue,
    }


def critical_rank_sum(n: int, alpha: float) -> float:
    """The largest T with a two-sided exact p ≤ alpha, without ties."""
    largest = -1
    while True:
        left, losses = largest + 1, set()
        for size in range(n, 0, -1):  # some set of ranks with the wanted sum
            if size <= left:
                losses.add(size)
                left -= size
        values = [[0.0, -size if size in losses else size] for size in range(1, n + 1)]
        if bo.wilcoxon(bo.Scores(values, better="higher"), 0, 1).pvalue > alpha:
            return float(largest)
        largest += 1


def printed_ranks() -> bo.Scores:
    """The ranks of Table 6, used as scores: ranking them changes nothing."""
    return published.scores("demsar_table6_ranks", "lower")


def _omnibus() -> dict[str, Value]:
    chi2 = bo.friedman(printed_ranks(), ties="none")
    f = bo.iman_davenport(printed_ranks(), ties="none")
    df1, df2 = f.df
    return {
        **{
            f"average rank {name}": float(r)
            for name, r in zip(printed_ranks().algorithms, chi2.mean_ranks, strict=True)
        },
        "chi-squared": chi2.statistic,
        "F": f.statistic,
        "df 1": float(df1),
        "df 2": float(df2),
        "critical F at 0.05": float(special.fdtri(df1, df2, 0.95)),
    }


def _all_pairs() -> dict[str, Value]:
    found: dict[str, Value] = {}
    for alpha in (0.05, 0.10):
        found[f"CD Nemenyi {alpha:.2f}"] = bo.critical_difference(4, 14, alpha=alpha, method="nemenyi")
        result = bo.compare(printed_ranks(), posthoc="nemenyi", alpha=alpha)
        found[f"pairs differing by Nemenyi {alpha:.2f}"] = differing(result)
    return found


def differing(result: bo.Comparison) -> float:
    return float(sum(pair.verdict in ("a better", "b better") for pair in result.pairs))


def _with_control() -> dict[str, Value]:
    methods = ["bonferroni", "holm", "hochberg", "hommel"]
    result = bo.compare(
        printed_ranks(), control="C4.5", posthoc=methods, pairwise="mean-ranks", standard_error="papers", alpha=0.05
    )
    best = dict(zip(result.scores.algorithms, result.mean_ranks.tolist(), strict=True))
    found: dict[str, Value] = {
        "CD Bonferroni-Dunn 0.05": bo.critical_difference(4, 14, alpha=0.05, method="bonferroni-dunn"),
        "differing by Bonferroni-Dunn 0.05": differing(result),
        "standard error": (best["C4.5"] - best["C4.5+m"]) / -result.pairs[0].statistic,
        "level of the first": 0.05 / 3,
        "level of the second": 0.05 / 2,
        "level of the third": 0.05,
        "Hommel's largest j": hommel_index([pair.pvalue for pair in result.pairs], 0.05),
    }
    for pair in result.pairs:
        found[f"distance {pair.b}"] = best["C4.5"] - best[pair.b]
        found[f"z {pair.b}"] = -pair.statistic  # Demšar: (R_control − R_i)/SE
        found[f"p {pair.b}"] = pair.pvalue
    for method in methods[1:]:
        found[f"rejected by {method.title()}"] = float(sum(pair.adjusted[method] <= 0.05 for pair in result.pairs))
    return found


def hommel_index(pvalues: list[float], alpha: float) -> float:
    """The largest j with p_(m−j+i) > i·α/j for all i = 1..j (Demšar, section 3.2.2)."""
    p, m = sorted(pvalues), len(pvalues)
    fits = [j for j in range(1, m + 1) if all(p[m - j + i - 1] > i * alpha / j for i in range(1, j + 1))]
    return float(max(fits, default=0))


def grid(values: np.ndarray, rows: tuple[str, ...], columns: tuple[str, ...], suffix: str = "") -> Computed:
    """{(row, column): value} of a matrix."""
    return {
        (row, column + suffix): float(values[i, j]) for i, row in enumerate(rows) for j, column in enumerate(columns)
    }


TABLES: dict[str, Callable[[], PrintedTable]] = {
    "Demšar T2": table2,
    "Demšar T3": lambda: sign_points("Demšar T3"),
    "Demšar T5": table5,
    "Demšar T6": table6,
    "Demšar T7": table7,
    "Demšar text": text,
}
