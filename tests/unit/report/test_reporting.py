"""The one assembly of reports: keys, columns, and what every report ends with."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from bakeoff.errors import Caution
from bakeoff.report import sections
from bakeoff.report.document import Section
from bakeoff.report.methods import text
from bakeoff.report.reporting import Reporting, ends, getter, rows_of, sheet_columns, values_of

STOP = Caution(code="look-here", text="Settle this first.", severity="stop")
NOTE = Caution(code="by-the-way", text="Know this.", severity="note")


@dataclass(frozen=True)
class Row:
    name: str
    interval: tuple[float, float] | None


ROWS = [Row("A", (1.0, 2.0)), Row("B", None)]


def test_a_key_is_an_attribute_a_path_or_what_computes_it() -> None:
    assert getter("name")(ROWS[0]) == "A"
    assert getter("interval.1")(ROWS[0]) == 2.0
    assert getter("interval.1")(ROWS[1]) is None  # the way ends there
    assert values_of(ROWS[0], ("name.0", ("first", "name"), ("long", lambda row: len(row.name)))) == {
        "0": "A",
        "first": "A",
        "long": 1,
    }
    with pytest.raises(AttributeError):
        getter("nothing")(ROWS[0])


def test_columns_and_rows_are_of_the_same_keys() -> None:
    keys = ("name", *ends("interval"))
    assert sheet_columns(ROWS, *keys) == {"name": ["A", "B"], "low": [1.0, None], "high": [2.0, None]}
    assert rows_of(ROWS, *keys) == [("name", "low", "high"), ("A", 1.0, 2.0), ("B", None, None)]


def reporting(*body: Section | None, **more: Any) -> Reporting[Any]:
    return Reporting[Any](
        schema="x/1",
        title=lambda result: "X",
        verdict=lambda result: "V.",
        basis=lambda result: "",
        body=lambda result: body,
        on_screen=("first", "absent"),
        source=None,
        main=lambda result: {},
        **more,
    )


def test_a_report_ends_with_what_its_body_does_not_have() -> None:
    result = SimpleNamespace(cautions=(NOTE, STOP))
    first = Section("first", "First", ())
    usual = reporting(first, methods=lambda result: text("Said [@demsar2006].")).document(result)
    assert [section.key for section in usual.sections] == ["first", "cautions", "methods", "references", "provenance"]
    early = reporting(sections.cautions(result.cautions), None, first).document(result)
    assert [section.key for section in early.sections] == ["cautions", "first", "provenance"]
    assert early.on_screen == ("first", "cautions")  # of the sections that are there
    assert early.doubts is not None
