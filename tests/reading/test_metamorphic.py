"""Every source is read the same; a column beside the scores, the order of rows and synonyms change nothing."""

from __future__ import annotations

from collections import Counter, namedtuple
from types import SimpleNamespace

import numpy as np
import pytest

import bakeoff as bo
from reading.added_columns import with_added
from reading.known_roles import as_number, known_table
from reading.metamorphic import RELATIONS, SOURCES, failures, left_out, report

pytestmark = pytest.mark.needs("polars", "pyarrow")
FEW, MANY, MOST = 60, 300, 3000
FAILING = {"added": 3, "renamed": 1, "advised": 40}
"""Tables of the most that still fail: a change may lower these numbers and raises none. No added column is misread."""


def held(tables: int) -> None:
    counts: Counter[str] = Counter()
    found = failures(range(tables), counts)
    failing = {relation: len({f.table.seed for f in found if f.relation == relation}) for relation in RELATIONS}
    more = [relation for relation, count in failing.items() if count > FAILING.get(relation, 0) * (tables > FEW)]
    assert not more, f"{failing}\n{report(found, counts)}"
    assert counts["read"] > 0.7 * tables  # a reader that refuses everything would hold every relation


def test_few_tables() -> None:
    held(FEW)


@pytest.mark.slow
def test_many_tables() -> None:
    held(MANY)


@pytest.mark.exhaustive
def test_most_tables() -> None:
    held(MOST)


def test_there_are_ten_sources() -> None:
    assert len(SOURCES) == 10


def test_what_is_left_out_is_named_by_the_record_of_roles_or_by_the_line_of_a_report() -> None:
    role = namedtuple("role", "column role reason")
    recorded = SimpleNamespace(roles=(role("i", "row number", "0, 1, 2"), role("acc", "score", "its name")))
    assert left_out(SimpleNamespace(reading=recorded), ["i", "acc"]) == {"i"}
    records = [{"Rank": i + 1, "dataset": f"d{i}", "a": 0.5, "b": i / 7} for i in range(5)]
    assert left_out(bo.read_scores(records, better="higher"), list(records[0])) == {"Rank"}


def test_a_table_says_what_its_cells_say() -> None:
    for seed in range(200):
        table = known_table(seed)
        numbers = Counter(as_number(x) for c in table.columns if c.role.startswith("score") for x in c.values)
        if not table.missing:
            assert numbers == Counter(x for runs in table.cells.values() for x in runs.values())
        with_column = with_added(table, np.random.default_rng(seed))
        assert with_column is None or with_column.without_added() == table
