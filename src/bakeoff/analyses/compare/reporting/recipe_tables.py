"""What the papers print of a recipe: mean ranks and adjusted p-values of each ranking, and the multiple sign test."""

from collections.abc import Callable, Mapping
from typing import Any

from bakeoff import numerals
from bakeoff.analyses.compare.statistics import Comparison, Step, catalogue
from bakeoff.report.document import ColumnSpec, Table, number_column, tabulate, text_column
from bakeoff.report.sentences import filler

say = filler(__file__)

RANKINGS = {"iman-davenport": "Friedman", "aligned": "aligned ranks", "quade": "Quade"}
"""{step: the heading of its column}."""
Line = Mapping[str, Any]


def step_tables(c: Comparison) -> tuple[Table, ...]:
    """Below the steps, if the recipe has more than one ranking."""
    steps = {step.name: step for step in c.steps if step.table is not None}
    ranked = [steps[name] for name in RANKINGS if name in steps]
    counted = [_signs(c, steps["multiple-sign"])] if "multiple-sign" in steps else []
    if len(ranked) < 2:
        return tuple(counted)
    return (*counted, _averages(c, ranked), *(_adjusted(c, step) for step in ranked))


def lines(step: Step) -> list[Line]:
    """A dictionary per algorithm."""
    assert step.table is not None
    return [dict(zip(step.table, row, strict=True)) for row in zip(*step.table.values(), strict=True)]


def _name(line: Line) -> str:
    return numerals.plain(line["algorithm"])


def _averages(c: Comparison, ranked: list[Step]) -> Table:
    """Derrac's Table 11: mean ranks of every ranking, best first by Friedman's, then its statistic and p."""
    by_name: dict[str, dict[str, str]] = {}
    for step in ranked:
        for line in lines(step):
            by_name.setdefault(_name(line), {})[step.name] = numerals.as_rank(line["mean_rank"])
    order = sorted(lines(ranked[0]), key=lambda line: line["mean_rank"])
    rows = [{"algorithm": _name(line), **by_name[_name(line)]} for line in order]
    tests = {step.name: step.result for step in ranked}
    if c.companion is not None:
        rows += _evidence(c, "χ²", {ranked[0].name: c.companion} | {k: t for k, t in tests.items() if k == "aligned"})
        rows += _evidence(c, "F", {k: t for k, t in tests.items() if k != "aligned"})
    columns: list[ColumnSpec[Line]] = [text_column("algorithm", "algorithm", lambda row: str(row["algorithm"]))]
    columns += [_cell(step.name, RANKINGS[step.name], say(f"of.{step.name}")) for step in ranked]
    return tabulate("averages", "Mean ranks by each ranking", columns, rows)


def _cell(key: str, title: str, legend: str) -> ColumnSpec[Line]:
    return number_column(key, title, lambda row: str(row.get(key, numerals.MISSING)), legend=legend)


def _evidence(c: Comparison, symbol: str, tests: Mapping[str, Any]) -> list[dict[str, str]]:
    statistics = {name: numerals.statistic(test.statistic) for name, test in tests.items()}
    pvalues = {name: numerals.pvalue(test.pvalue, test.log_pvalue, c.alpha) for name, test in tests.items()}
    return [{"algorithm": symbol, **statistics}, {"algorithm": f"p of {symbol}", **pvalues}]


def _adjusted(c: Comparison, step: Step) -> Table:
    """Derrac's Tables 13 to 18: z, p and each correction, the smallest p first."""
    rows = sorted((line for line in lines(step) if line["z"] is not None), key=lambda line: line["pvalue"])
    columns: list[ColumnSpec[Line]] = [
        text_column("algorithm", "algorithm", _name, wraps=True),
        number_column("z", "z", lambda line: numerals.decimals(line["z"], 3), legend=say(f"z.{step.name}")),
        number_column("pvalue", "raw p", _p(c, "pvalue")),
        *(
            number_column(
                name, catalogue.correction_of(c, name).short, _p(c, name), rank=i + 1 if i else 0, in_paper=True
            )
            for i, name in enumerate(c.posthoc)
        ),
    ]
    caption = f"{numerals.plain(c.control or '')} (the control) against each other algorithm: {RANKINGS[step.name]}"
    return tabulate(f"ranking-{step.name}", caption, columns, rows)


def _p(c: Comparison, key: str) -> Callable[[Line], str]:
    return lambda line: numerals.pvalue(line[key], None, c.alpha)


def _signs(c: Comparison, step: Step) -> Table:
    """Derrac's and García's r_j beside the critical values."""
    columns: list[ColumnSpec[Line]] = [
        text_column("algorithm", "algorithm", _name, wraps=True),
        number_column("wins", "wins", lambda line: str(line["wins"]), legend=say("wins")),
        number_column("ties", "ties", lambda line: str(line["ties"])),
        number_column(
            "critical_value", "critical", lambda line: _count(line["critical_value"]), legend=say("critical")
        ),
        number_column("printed", "critical, printed", lambda line: _count(line["printed_critical_value"])),
        number_column("pvalue", "p", _p(c, "pvalue")),
        text_column("rejected", "control better", lambda line: "yes" if line["rejected"] else "·"),
    ]
    rows = sorted(lines(step), key=lambda line: line["pvalue"])
    caption = (
        f"Multiple sign test: {c.unit}s on which the algorithm beats {numerals.plain(c.control or '')} (the control)"
    )
    return tabulate("multiple-sign", caption, columns, rows)


def _count(critical: int | None) -> str:
    return numerals.MISSING if critical is None else str(critical)
