"""Write docs/trust/reproduction.md: every printed number of five papers beside what bakeoff computes.

    python docs/generate/reproduce.py            writes the page
    python docs/generate/reproduce.py --check    exits 1 if the page is not current

The records are those asserted in tests/oracles, so the page and the tests cannot disagree.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

import page_command  # noqa: E402

from oracles import all_tables  # noqa: E402
from oracles.reproduction import PrintedTable, Record  # noqa: E402

PAGE = ROOT / "docs" / "trust" / "reproduction.md"
PAPERS = {
    "Demšar": "Demšar (2006), Statistical comparisons of classifiers over multiple data sets, JMLR 7, 1–30",
    "García": "García, Fernández, Luengo & Herrera (2010), Information Sciences 180, 2044–2064",
    "Derrac": "Derrac, García, Molina & Herrera (2011), Swarm and Evolutionary Computation 1, 3–18",
    "Benavoli": "Benavoli, Mangili, Corani & Zaffalon (2015), ICML 32, 1264–1272",
    "Campelo": "Campelo & Takahashi (2019), Journal of Heuristics 25, 305–338",
}
WORDS = {"agrees": "agree", "misprint": "misprint", "input": "unprinted digit"}


def render() -> str:
    """The whole page."""
    tables = [all_tables.table(label) for label in all_tables.labels()]
    papers = [
        "\n".join([f"## {title}\n", *(section(table) for table in tables if table.label.startswith(paper))])
        for paper, title in PAPERS.items()
    ]
    return page_command.filled(PAGE, {"overview": overview(tables), "papers": "\n" + "\n".join(papers)})


def overview(tables: list[PrintedTable]) -> str:
    total = count(record for table in tables for record in table.records)
    lines = [
        f"**{sum(total.values())} printed numbers: {total['agrees']} agree, {total['misprint']} are misprints, "
        f"{total['input']} follow from digits that are not printed.**\n"
    ]
    rows = []
    for table in tables:
        by_status = count(table.records)
        numbers = [str(len(table.records)), *(str(by_status[status]) for status in WORDS)]
        rows.append([table.label, *numbers, ", ".join(ids(table.records))])
    heads = ["table", "numbers", "agree", "misprints", "unprinted digits", "ids"]
    return "\n".join([*lines, page_command.table(heads, rows, None)])


def count(records: Iterable[Record]) -> Counter[str]:
    return Counter(record.status for record in records)


def ids(records: Iterable[Record]) -> list[str]:
    found = {record.erratum for record in records if record.erratum}
    return sorted(found, key=lambda erratum: (erratum[0], int(erratum[1:])))


def section(table: PrintedTable) -> str:
    """One table: source, summary, and every number."""
    by_status = count(table.records)
    summary = ", ".join(
        f"{number} {word}{'' if status == 'agrees' else 's' * (number != 1)}"
        for status, word in WORDS.items()
        if (number := by_status[status])
    )
    lines = [f"### {table.label}: {table.title}\n", f"Computed from {table.source}.\n"]
    lines.append(f"{len(table.records)} numbers: {summary}.\n")
    repeated = [r for r in table.records if r.has_route and r.erratum]
    if repeated:
        which = "All" if len(repeated) == len(table.records) - by_status["agrees"] else str(len(repeated))
        verb = "comes out" if which == "1" else "come out"
        lines.append(f"{which} of the numbers that differ {verb} as printed with {table.route}.\n")
    lines += [f"{note}\n" for note in table.notes]
    lines.append(listing(table) if table.label.endswith("text") else matrix(table))
    return "\n".join(lines)


def listing(table: PrintedTable) -> str:
    """Numbers of the running text, one a line."""
    rows = [
        [r.row, r.column, r.printed or "–", computed(r), "yes" if r.status == "agrees" else f"{r.status}, {r.erratum}"]
        for r in table.records
    ]
    return page_command.table(["place", "number", "printed", "computed", "agrees"], rows, None)


def matrix(table: PrintedTable) -> str:
    """The table in its printed shape."""
    rows = list(dict.fromkeys(r.row for r in table.records))
    columns = list(dict.fromkeys(r.column for r in table.records))
    cells = {(r.row, r.column): cell(r) for r in table.records}
    heads = ["", *(column.replace("_", " ") for column in columns)]
    return page_command.table(
        heads, ([row, *(cells.get((row, column), "") for column in columns)] for row in rows), None
    )


def cell(record: Record) -> str:
    printed = record.printed or "–"
    return printed if not record.erratum else f"**{printed} / {computed(record)}** {record.erratum}"


def computed(record: Record) -> str:
    """The computed value with one digit more than printed (two for whole numbers), trailing zeros removed."""
    value, printed = record.computed, record.printed
    if value is None or isinstance(value, str):
        return value or "–"
    if "e" in printed:
        decimals = len(printed.split("e")[0].partition(".")[2])
        mantissa, exponent = f"{value:.{decimals}e}".split("e")
        return f"{mantissa}e{int(exponent)}"
    decimals = len(printed.partition(".")[2])
    digits = max(decimals + (1 if decimals else 2), record.decimals)
    text = f"{value:.{digits}f}"
    while digits > decimals and text.endswith("0"):
        text, digits = text[:-1], digits - 1
    return text.rstrip(".")


if __name__ == "__main__":
    sys.exit(page_command.run(sys.argv[1:], "docs/generate/reproduce.py", lambda: {PAGE: render()}))
