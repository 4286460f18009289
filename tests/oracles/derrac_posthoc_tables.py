"""Derrac et al. (2011): Tables 16 to 18 and 20 from the mean ranks printed in Table 11, and the numbers in the text."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

import bakeoff as bo
from bakeoff.nulls.tails import f_sf, normal_two_sided
from oracles import published
from oracles.derrac_tables import CONTROL, critical_count, errors
from oracles.garcia_posthoc_tables import ROM_ROUTE, rom_ratios, rom_ratios_as_printed
from oracles.reproduction import PrintedTable, Value, compare

BEST = "DE-Exp"  # the control of Tables 16-18
N, K = 25, 9
METHODS = ("bonferroni", "holm", "hochberg", "hommel", "holland", "rom", "finner", "li")
# the column of Table 11, the standard error of a difference of mean ranks (eqs. 12, 13 with the sign F2, 14), and
# what a mean rank times gives a whole number: the printed digits determine the rank sums exactly
RANKINGS = {
    16: ("friedman", math.sqrt(K * (K + 1) / (6 * N)), 2 * N),
    17: ("aligned", math.sqrt(K * (K * N + 1) / 6), 2 * N),
    18: ("quade", math.sqrt(K * (K + 1) * (2 * N + 1) * (K - 1) / (18 * N * (N + 1))), N * (N + 1)),
}
TEST_NAMES = {16: "Friedman", 17: "aligned ranks", 18: "Quade"}


def rank_sums(number: int) -> dict[str, int]:
    """Doubled rank sums (Quade: doubled weighted sums), whole numbers recovered from the printed mean ranks."""
    heading, _, times = RANKINGS[number]
    means = published.column("derrac_table11", heading, skip=("Statistic", "p-value"))
    return {name: round(float(mean) * times) for name, mean in means.items()}


def pvalue(number: int, first: str, second: str) -> float:
    _, se, times = RANKINGS[number]
    sums = rank_sums(number)
    return float(normal_two_sided((sums[first] - sums[second]) / (times * se))[0])


def adjusted_pvalues(number: int) -> tuple[list[str], dict[str, dict[str, float]]]:
    names = [name for name in errors().algorithms if name != BEST]
    raw = [pvalue(number, name, BEST) for name in names]
    columns = {"unadjusted": dict(zip(names, raw, strict=True))}
    for method in (*METHODS, "rom-printed"):
        columns[method] = dict(zip(names, bo.adjust(raw, method).tolist(), strict=True))
    return names, columns


def adjusted(number: int) -> PrintedTable:
    names, columns = adjusted_pvalues(number)
    printed = published.cells(f"derrac_table{number}_apv")
    return compare(
        f"Derrac T{number}",
        f"Adjusted p-values, {TEST_NAMES[number]} (control DE-Exp)",
        "the rank sums that the mean ranks printed in Table 11 determine, and `bo.adjust`",
        printed,
        {(name, method): columns[method][name] for name, method in printed},
        by_route={(name, "rom"): columns["rom-printed"][name] for name in names},
        route=ROM_ROUTE,
        decimals=6,
    )


def pairwise_pvalues() -> tuple[np.ndarray, np.ndarray]:
    names = errors().algorithms
    sums = rank_sums(16)
    p = np.array([[pvalue(16, a, b) for b in names] for a in names])
    return p, np.array([float(sums[name]) for name in names])


def table20() -> PrintedTable:
    names = errors().algorithms
    p, positions = pairwise_pvalues()
    columns = {
        "p": p,
        "nemenyi": bo.adjust_pairwise(p, "nemenyi"),
        "holm": bo.adjust_pairwise(p, "holm"),
        "shaffer": bo.adjust_pairwise(p, "shaffer"),
        "bergmann": bo.adjust_pairwise(p, "bergmann-hommel", positions=positions),
        "monotone": bo.adjust_pairwise(p, "bergmann-hommel", positions=positions, monotone=True),
    }
    lines = published.cells("derrac_table20_apv")
    printed, computed, route = {}, {}, {}
    for number in published.rows("derrac_table20_apv"):
        a, b = lines[number, "first"], lines[number, "second"]
        u, v = names.index(a), names.index(b)
        for column in ("p", "nemenyi", "holm", "shaffer", "bergmann"):
            key = f"{number} {a} – {b}", column
            printed[key], computed[key] = lines[number, column], float(columns[column][u, v])
        if number != "15":  # has the same p as 16, so the same maximum: in print the list's order decided (D10)
            route[f"{number} {a} – {b}", "bergmann"] = float(columns["monotone"][u, v])
    return compare(
        "Derrac T20",
        "Adjusted p-values of all pairs",
        "the rank sums that the mean ranks printed in Table 11 determine, and `bo.adjust_pairwise`",
        printed,
        computed,
        by_route=route,
        route="`monotone=True`",
        decimals=6,
    )


def text() -> PrintedTable:
    values = {**_multiple_sign(), **_iman_davenport(), **rom_ratios(), **_rejections()}
    values["family-wise error of 8 tests"] = 1 - 0.95**8
    routes = rom_ratios_as_printed() | {
        "critical value n=25 m=8 at 0.05": critical_count("n=25, alpha=0.05", "m=8", "table")
    }
    printed = published.text("derrac")
    return compare(
        "Derrac text",
        "Worked examples",
        "the reconstructed Table 1 (Example 3), the rank sums of Table 11 (Examples 5, 7, 9)",
        printed,
        {key: values[key[1]] for key in printed},
        by_route={key: routes[key[1]] for key in printed if key[1] in routes},
        route='`law="table"` (critical value) and `method="rom-printed"` (r)',
    )


def _multiple_sign() -> dict[str, Value]:
    test = bo.multiple_sign_test(errors(), CONTROL, alpha=0.05, law="table")
    return {
        "critical value n=25 m=8 at 0.05": critical_count("n=25, alpha=0.05", "m=8", "exact"),
        "rejected by the multiple sign test": float(np.sum(test.rejected)),
        "critical value n=25 m=5 at 0.1": critical_count("n=25, alpha=0.1", "m=5", "exact"),
    }


def _iman_davenport() -> dict[str, Value]:
    """Equations (2) and (3) from the mean ranks printed in Table 11."""
    means = [total / (2 * N) for total in rank_sums(16).values()]
    chi2 = 12 * N / (K * (K + 1)) * (math.fsum(r * r for r in means) - K * (K + 1) ** 2 / 4)
    f = (N - 1) * chi2 / (N * (K - 1) - chi2)
    return {"F Iman-Davenport": f, "p Iman-Davenport": f_sf(f, K - 1, (K - 1) * (N - 1))[0]}


def _rejections() -> dict[str, Value]:
    """How many hypotheses are rejected at 0.1; several methods in one line must agree."""

    def rejected(number: int, *methods: str) -> float:
        columns = adjusted_pvalues(number)[1]
        counts = {sum(value <= 0.1 for value in columns[method].values()) for method in methods}
        return float(counts.pop()) if len(counts) == 1 else -1.0

    p, positions = pairwise_pvalues()

    def rejected_pairs(*methods: str) -> float:
        counts = {int((bo.adjust_pairwise(p, m, positions=positions) <= 0.1).sum()) // 2 for m in methods}
        return float(counts.pop()) if len(counts) == 1 else -1.0

    no_li = [m for m in METHODS if m not in ("bonferroni", "li")]
    return {
        "Friedman: rejected by Bonferroni at 0.1": rejected(16, "bonferroni"),
        "Friedman: rejected by the seven others at 0.1": rejected(16, *METHODS[1:]),
        "aligned: rejected by Bonferroni and Li at 0.1": rejected(17, "bonferroni", "li"),
        "aligned: rejected by the six others at 0.1": rejected(17, *no_li),
        "Quade: rejected by any at 0.1": rejected(18, *METHODS),
        "rejected by Nemenyi at 0.1": rejected_pairs("nemenyi"),
        "rejected by Holm and Shaffer at 0.1": rejected_pairs("holm", "shaffer"),
        "rejected by Bergmann-Hommel at 0.1": rejected_pairs("bergmann-hommel"),
    }


TABLES: dict[str, Callable[[], PrintedTable]] = {
    "Derrac T16": lambda: adjusted(16),
    "Derrac T17": lambda: adjusted(17),
    "Derrac T18": lambda: adjusted(18),
    "Derrac T20": table20,
    "Derrac text": text,
}
