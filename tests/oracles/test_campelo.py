"""Campelo & Takahashi: what can be recomputed; docs/trust/reproduction.md shows the same."""

from __future__ import annotations

import pytest

from oracles import all_tables
from oracles.reproduction import unexpected


@pytest.mark.parametrize("label", all_tables.labels("Campelo"))
def test_printed_numbers_reproduce(label: str) -> None:
    """Agree to half a unit in the last printed digit, or are listed with an erratum and then really differ."""
    table = all_tables.table(label)
    assert table.records
    assert unexpected(table) == []
