"""What a page does with a table that its window does not quite hold."""

import re
from collections.abc import Callable

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.report.document import Table
from bakeoff.report.formats import html
from bakeoff.reportable import Reportable

WIDTHS = re.compile(r'<table class="cards cards-(\d+) tight-(\d+) pairs"')
TABLE = bo.Scores(
    np.random.default_rng(3).normal(np.array([0.0, 0.0, 1.0, 2.0]), size=(20, 4)),
    ["ours", "kNN", "XGBoost", "RandomForest"][::-1],
    better="lower",
)


def test_letters_are_smaller_before_rows_take_several_lines() -> None:
    cards, tight = map(int, WIDTHS.findall(html.render(bo.report.document(bo.compare(TABLE))))[0])
    assert cards < tight


def test_a_head_and_its_column_take_equally_many_places() -> None:
    page = html.render(bo.report.document(bo.evaluate(TABLE)))
    table = page[page.index('id="t2"') :]
    rows = [re.findall(r"<t[hd]([^>]*)>", row) for row in re.findall(r"<tr.*?</tr>", table[: table.index("</table>")])]
    broad = {tuple(["broad" in cell for cell in row]) for row in rows}
    assert len(rows) == 7
    assert len(broad) == 1
    assert 0 < sum(broad.pop()) < len(rows[0])


@pytest.mark.parametrize("rate", [bo.ratings, bo.interquartile_mean])
@pytest.mark.slow_cases("ratings")
def test_the_name_in_bold_is_the_better_one(rate: Callable[[bo.Scores], Reportable]) -> None:
    document = bo.report.document(rate(TABLE))
    section = document.section("pairs")
    assert section is not None
    (pairs,) = section.blocks
    assert isinstance(pairs, Table)
    shown = [row.cells for row in pairs.rows if row.tone == "strong"]
    assert shown
    assert all(cells[0] == cells[-1] for cells in shown)
    assert not any(cells[2].startswith("−") for cells in shown)
