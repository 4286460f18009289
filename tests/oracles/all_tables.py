"""Every reproduced table, by label, in the order of the papers; each is computed once."""

from __future__ import annotations

from functools import cache

from oracles import (
    benavoli_tables,
    campelo_tables,
    demsar_tables,
    derrac_posthoc_tables,
    derrac_tables,
    garcia_posthoc_tables,
    garcia_tables,
)
from oracles.reproduction import PrintedTable

_BUILDERS = {
    **demsar_tables.TABLES,
    **garcia_tables.TABLES,
    **garcia_posthoc_tables.TABLES,
    **derrac_tables.TABLES,
    **derrac_posthoc_tables.TABLES,
    **benavoli_tables.TABLES,
    **campelo_tables.TABLES,
}


def labels(paper: str = "") -> list[str]:
    """The labels of the tables of a paper ("Demšar" … "Campelo"), or all, in the order of print."""
    return sorted((label for label in _BUILDERS if label.startswith(paper)), key=_place)


def _place(label: str) -> tuple[int, int, int]:
    """Papers by year, tables by number, the appendix and the text last."""
    paper, kind = label.split(" ", 1)
    papers = ["Demšar", "García", "Derrac", "Benavoli", "Campelo"]
    if kind.startswith("T"):
        return papers.index(paper), 0, int(kind.split()[0][1:])
    return papers.index(paper), 1 if kind.startswith("A.") else 2, 0


@cache
def table(label: str) -> PrintedTable:
    return _BUILDERS[label]()
