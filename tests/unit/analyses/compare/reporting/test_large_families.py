"""Reports of many algorithms: as long as somebody reads, and they say what they leave out and where it is."""

import json

import numpy as np
import pytest

import bakeoff as bo
from bakeoff import report
from bakeoff.analyses.compare.reporting import effects, pair_tables as pair_tables_module, tables
from bakeoff.report import sections
from bakeoff.report.document import Paragraph, Table, plain_text


@pytest.fixture(scope="module")
def wide():
    """12 algorithms in two clear groups: 36 pairs that differ and 30 that do not."""
    rng = np.random.default_rng(5)
    values = rng.normal(size=(40, 12)) + np.repeat([0.0, 9.0], 6)
    return bo.compare(bo.Scores(values, better="higher"), posthoc="holm")


def pair_tables(document):
    return [block for block in document.section("pairs").blocks if isinstance(block, Table)]


@pytest.mark.slow
def test_beyond_the_limit_the_first_are_listed_and_the_rest_is_named(wide, monkeypatch):
    whole = pair_tables(report.document(wide))
    assert [len(table.rows) for table in whole] == [36, 30]
    assert all(table.unlisted == 0 and "Listed are" not in table.note for table in whole)
    terminal = report.render(wide, "txt")

    monkeypatch.setattr(sections, "LISTED", 20)
    cut = pair_tables(report.document(wide))
    assert [list(table.rows) for table in cut] == [list(table.rows[:20]) for table in whole]
    assert [table.unlisted for table in cut] == [16, 10]
    assert cut[0].note.endswith("Listed are the first 20 of 36; JSON, CSV and XLSX have them all.")
    assert cut[1].note.endswith("Listed are the first 20 of 30; JSON, CSV and XLSX have them all.")
    for format in ("html", "md", "tex"):
        assert "Listed are the first 20 of 36; JSON, CSV and XLSX have them all." in report.render(wide, format)
    # the terminal lists fewer than 40 anyway: the same numbers, another file to look into
    shown = report.render(wide, "txt")
    assert "30 pairs without a shown difference are not listed; --report FILE.html" in terminal
    assert "30 pairs without a shown difference are not listed; --report FILE.csv" in shown
    assert len(json.loads(report.render(wide, "json"))["pairs"]) == 66


def test_a_table_of_all_corrections_lists_no_more_than_the_table_of_pairs(monkeypatch):
    found = bo.compare(bo.Scores(np.random.default_rng(5).normal(size=(40, 9)), better="higher"), posthoc="all")
    whole = pair_tables_module.correction_table(found)
    assert (len(whole.rows), whole.note) == (36, "")
    for module in (sections, pair_tables_module):
        monkeypatch.setattr(module, "LISTED", 20)
    cut = pair_tables_module.correction_table(found)
    assert list(cut.rows) == list(whole.rows[:20])
    assert cut.note == "Listed are the first 20 of 36; JSON, CSV and XLSX have them all."


def test_the_terminal_counts_what_is_not_listed(wide, monkeypatch):
    monkeypatch.setattr(sections, "LISTED", 20)
    monkeypatch.setattr("bakeoff.report.formats.terminal.MOST_ROWS", 10)
    assert "… and 26 more that differ; --report FILE.csv has them all." in report.render(wide, "txt")


def test_tables_of_all_against_all_are_left_out_beyond_the_limit(wide, monkeypatch):
    assert isinstance(tables.records(wide), Table)
    monkeypatch.setattr(tables, "SQUARE", 11)
    said = tables.records(wide)
    assert isinstance(said, Paragraph)
    assert plain_text(said.text) == (
        "Left out: the 12 × 12 table of problems won, tied and lost by each pair. "
        "The numbers are in JSON, CSV and XLSX."
    )
    assert plain_text(said.text) in report.render(wide, "html")


def test_the_family_is_not_walked_for_every_pair(wide, monkeypatch):
    """The kinds of effects were collected anew for each cell: minutes for 200 algorithms."""
    calls = []
    kinds = effects.kinds
    monkeypatch.setattr(effects, "kinds", lambda c: calls.append(c) or kinds(c))
    report.render(wide, "md")
    assert 0 < len(calls) < 6
