"""García et al. (2010): Tables 9 to 11 and the numbers in equations and text."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

import bakeoff as bo
from bakeoff.adjusting.step_up import critical_values
from bakeoff.nulls.tails import chi2_sf, f_sf, normal_two_sided
from oracles import published
from oracles.demsar_tables import Computed
from oracles.garcia_tables import CONTROL, FROM_TABLE_3, accuracies, printed_columns
from oracles.reproduction import PrintedTable, Value, compare

# rows of Tables 9-11 and our names
METHODS = {
    "Bonf": "bonferroni",
    "Holm": "holm",
    "Hoch": "hochberg",
    "Hommel": "hommel",
    "Holl": "holland",
    "Rom": "rom",
    "Finn": "finner",
    "Li": "li",
}
ROM_ROUTE = '`method="rom-printed"`'


def table9() -> PrintedTable:
    methods = [*METHODS.values(), "rom-printed"]
    result = bo.compare(accuracies(), control=CONTROL, pairwise="mean-ranks", standard_error="papers", posthoc=methods)
    raw = {pair.b: pair.pvalue for pair in result.pairs}
    adjusted = {method: {pair.b: pair.adjusted[method] for pair in result.pairs} for method in methods}
    return _adjusted("García T9", "Friedman", f"`bo.compare` of {FROM_TABLE_3}", raw, adjusted)


def table10() -> PrintedTable:
    totals = published.cells("garcia_table7_totals")
    se = math.sqrt(4 * (4 * 24 + 1) / 6)  # equation (21) with the sign F2
    z = {
        a: (float(totals["Total", a]) - float(totals["Total", CONTROL])) / 24 / se for a in accuracies().algorithms[1:]
    }
    return _from_z(
        "García T10", "aligned ranks", "the totals printed in Table 7, eq. (21) corrected (F2), `bo.adjust`", z
    )


def table11() -> PrintedTable:
    sums = published.cells("garcia_table8_totals")
    se = math.sqrt(4 * 5 * 49 * 3 / (18 * 24 * 25))  # equation (22)
    z = {a: (float(sums["S", a]) - float(sums["S", CONTROL])) / 300 / se for a in accuracies().algorithms[1:]}
    return _from_z("García T11", "Quade", "the sums S printed in Table 8, eq. (22), `bo.adjust`", z)


def _from_z(label: str, test: str, source: str, z: Mapping[str, float]) -> PrintedTable:
    raw = {name: float(normal_two_sided(value)[0]) for name, value in z.items()}
    adjusted = {
        method: dict(zip(raw, bo.adjust(list(raw.values()), method).tolist(), strict=True))
        for method in [*METHODS.values(), "rom-printed"]
    }
    return _adjusted(label, test, source, raw, adjusted)


def _adjusted(
    label: str, test: str, source: str, raw: Mapping[str, float], adjusted: Mapping[str, Mapping[str, float]]
) -> PrintedTable:
    printed = published.cells(f"garcia_table{label.split('T')[1]}_apv")
    computed: Computed = {}
    for row, column in printed:
        computed[row, column] = raw[column] if row == "Unadjusted p" else adjusted[METHODS[row]][column]
    by_route: Computed = {("Rom", name): value for name, value in adjusted["rom-printed"].items()}
    title = f"Adjusted p-values, {test} (control PDFC)"
    return compare(label, title, source, printed, computed, by_route=by_route, route=ROM_ROUTE)


def text() -> PrintedTable:
    values = {**_basic(), **_contrast(), **_aligned(), **_quade()}
    values |= {"family-wise error of 9 tests": 1 - 0.95**9}
    values |= rom_ratios()
    routes = rom_ratios_as_printed()
    routes["p Quade"] = f_sf(21.967, 3, 69)[0]
    printed = published.text("garcia")
    return compare(
        "García text",
        "Equations and worked examples, sections 3 to 5",
        "Table 3 for section 3; the printed figures of Tables 5, 7 and 8 for sections 3.3 and 4",
        printed,
        {key: values[key[1]] for key in printed},
        by_route={key: routes[key[1]] for key in printed if key[1] in routes},
        route='the misprinted F (its p) and `method="rom-printed"` (r)',
    )


def rom_ratios() -> dict[str, Value]:
    """r_i = α/c_i at α = 0.05, from Rom's critical values c."""
    levels = critical_values(np.array([0.05]), 7)[0]
    return {f"Rom r{i}": 0.05 / float(c) for i, c in enumerate(levels, 1)}


def rom_ratios_as_printed() -> dict[str, Value]:
    """What method="rom-printed" multiplies the smallest of i p-values by, the others being 1."""
    tiny = 1e-9
    return {f"Rom r{i}": float(bo.adjust([tiny] + [1.0] * (i - 1), "rom-printed")[0]) / tiny for i in range(1, 8)}


def _basic() -> dict[str, Value]:
    chi2 = bo.friedman(accuracies(), ties="none")
    f = bo.iman_davenport(accuracies(), ties="none")
    signs = bo.multiple_sign_test(accuracies(), CONTROL, alpha=0.05, law="table")
    return {
        "chi-squared": chi2.statistic,
        "F Iman-Davenport": f.statistic,
        "df 1": float(f.df[0]),
        "df 2": float(f.df[1]),
        "p Iman-Davenport": f.pvalue,
        "critical r at 0.05": None if signs.critical_value is None else float(signs.critical_value),
        "rejected by the multiple sign test": float(np.sum(signs.rejected)),
    }


def _contrast() -> dict[str, Value]:
    """From the differences printed in Table 5."""
    columns = published.columns("garcia_table5_differences")
    table = published.cells("garcia_table5_differences")
    rows = published.rows("garcia_table5_differences")
    z = {name: float(np.median([float(table[row, name]) for row in rows])) for name in columns}
    printed = {item: float(cell) for (_, item), cell in published.text("garcia").items() if item.startswith("Z")}
    m1 = (printed["Z12"] + printed["Z13"] + printed["Z14"]) / 4  # the text goes on with its rounded medians
    m2 = (-printed["Z12"] + printed["Z23"] + printed["Z24"]) / 4
    found: dict[str, Value] = {"Z" + name[1:]: value for name, value in z.items()}
    return found | {"m1": m1, "m2": m2, "m1 - m2": m1 - m2}


def _aligned() -> dict[str, Value]:
    """Equations (8)-(10), from the ranks printed in Table 7."""
    ranks = printed_columns("garcia_table7_aligned", "_rank")
    k, n = 4, 24
    totals, rows = ranks.sum(axis=0), ranks.sum(axis=1)
    over_algorithms, over_problems = math.fsum(totals**2), math.fsum(rows**2)
    spread = k * n * (k * n + 1) * (2 * k * n + 1) / 6 - over_problems / k
    statistic = (k - 1) * (over_algorithms - k * n**2 / 4 * (k * n + 1) ** 2) / spread
    found: dict[str, Value] = {
        "expected rank total": n * (k * n + 1) / 2,
        "sum over algorithms": over_algorithms,
        "sum over data sets": over_problems,
        "T aligned": statistic,
        "p aligned": chi2_sf(statistic, k - 1)[0],
    }
    found |= {f"addend {name}": float(r) for name, r in zip(accuracies().algorithms, totals, strict=True)}
    return found | {f"addend {name}": float(r) for name, r in zip(accuracies().problems, rows, strict=True)}


def _quade() -> dict[str, Value]:
    """Equations (17)-(19), from the sums printed in Table 8."""
    s = printed_columns("garcia_table8_quade", "_S").sum(axis=0)
    a = 24 * 25 * 49 * 4 * 5 * 3 / 72
    b = math.fsum(s**2) / 24
    f = 23 * b / (a - b)
    return {
        "A2": a,
        "B": b,
        "T3 Quade": f,
        "p Quade": f_sf(f, 3, 69)[0],
        "T of FH-GBML": float(printed_columns("garcia_table8_quade", "_W").sum(axis=0)[3]) / 300,
    }


TABLES: dict[str, Callable[[], PrintedTable]] = {
    "García T9": table9,
    "García T10": table10,
    "García T11": table11,
    "García text": text,
}
