"""The scores inside of an HTML report: every bit of them, whatever the names, and no way out of the page."""

from __future__ import annotations

import csv
import io
import re
from html.parser import HTMLParser
from urllib.parse import unquote

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import bakeoff as bo
from bakeoff.analyses.compare.reporting.scores.table import scores_csv
from bakeoff.report import render
from pages import without_script

RNG = np.random.default_rng(3)
HOSTILE = [
    "=cmd|'/C calc'!A0",
    'a"b,c;d',
    '"><script>alert(1)</script>',
    "two\nlines",
    "\u202eturned",
    "#1",
    "1.5",
    "a'onload=alert(1) x='",
    "data:text/html,x",
]


class Links(HTMLParser):
    """Every tag and every address of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.links: list[dict[str, str | None]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag == "a":
            self.links.append(dict(attrs))


def attached(page: str) -> str:
    (link,) = Links(page).links
    address = str(link["href"])
    assert address.startswith("data:text/csv;charset=utf-8,")
    assert re.fullmatch(r"[\w.:;,()+\-*!@%/=]+", address, re.ASCII)
    assert link["download"] == "scores.csv"
    return unquote(address.split(",", 1)[1])


@pytest.mark.slow
def test_the_file_in_the_page_is_read_to_the_same_bits() -> None:
    for result in (bo.compare(TABLE), bo.compare(TABLE, control="new"), bo.bayes.overview(TABLE, n_draws=200)):
        again = bo.read_scores(io.StringIO(attached(render(result, "html"))), "lower")
        assert np.array_equal(again.values, TABLE.values)
        assert (again.problems, again.algorithms) == (TABLE.problems, TABLE.algorithms)
        assert bo.verify(result, again).ok


TABLE = bo.Scores(
    RNG.normal(size=(8, 3)) * 10.0 ** RNG.integers(-300, 300, (8, 3)), ["new", "old", "x y"], better="lower"
)


def test_all_runs_are_in_the_file() -> None:
    cells = RNG.normal(size=(5, 2, 4))
    cells[1, 0, 2:] = cells[3, 1, 3:] = np.nan
    cells[2, 1, 0] = np.inf
    scores = bo.Scores.from_cells(cells, ["a", "b"], list("pqrst"), better="higher")
    again = bo.read_scores(io.StringIO(attached(render(bo.compare(scores), "html"))), "higher")
    assert np.array_equal(np.asarray(again.runs), cells, equal_nan=True)
    assert bo.verify(bo.compare(scores), again).ok


def test_hostile_names_stay_names() -> None:
    problems = [*(f"{name} {i}" for i, name in enumerate(HOSTILE)), "-", "NA", "</details>"]
    scores = bo.Scores(RNG.normal(size=(len(problems), len(HOSTILE))), HOSTILE, problems, better="lower")
    result = bo.compare(scores)
    page = render(result, "html")
    assert not Links(without_script(page)).tags & {"script", "iframe", "img", "object", "form"}
    text = attached(page)
    assert all(
        line[0] not in "=+-@\t" for line in re.findall(r'(?:^|,|\n)"?([^",\n]+)', text) if not line[1:2].isdigit()
    )
    again = bo.read_scores(io.StringIO(text), "lower")
    assert np.array_equal(again.values, scores.values)
    assert bo.verify(result, again).ok  # names as the file has them: an apostrophe before a formula


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    names=st.lists(
        st.text(st.characters(codec="utf-8"), min_size=1, max_size=8), min_size=2, max_size=4, unique_by=str.strip
    ),
    values=st.lists(st.floats(allow_nan=False), min_size=8, max_size=8),
)
def test_any_names_and_numbers_come_back(names: list[str], values: list[float]) -> None:
    kept = [name + "." for name in names]
    scores = bo.Scores(np.array(values[: 2 * len(names)]).reshape(2, -1)[:, : len(names)], kept, better="lower")
    text = scores_csv(scores)
    names = next(csv.reader(io.StringIO(text, newline="")))  # of the file: an apostrophe before a formula
    again = bo.read_scores(io.StringIO(text, newline=""), "lower", keep=names[1:])  # 1. may look like a counter
    assert np.array_equal(again.values, scores.values)


@pytest.mark.parametrize("name", ["algorithm", "score", "method", "run", "value", "problem", "Seed", "accuracy"])
def test_columns_that_would_be_taken_for_something_else(name: str) -> None:
    scores = bo.Scores(RNG.normal(size=(4, 3)), ["a", name, "c"], better="lower")
    again = bo.read_scores(io.StringIO(scores_csv(scores)), "lower")
    assert again.algorithms == ("a", name, "c")
    assert np.array_equal(again.values, scores.values)


@pytest.mark.slow
def test_a_large_table_is_not_in_the_page_and_the_page_says_where_it_is() -> None:
    scores = bo.Scores(RNG.normal(size=(12_501, 4)), better="lower")
    result = bo.compare(scores, control=0)
    page = render(result, "html")
    assert Links(page).links == []
    assert "50004 scores with all digits are too many for this page; a report in JSON" in page.replace(",", "")
    assert len(page) < 100_000
    assert len(result.to_dict()["scores"]["values"]) == 12_501
    (link,) = Links(render(bo.compare(scores.select(problems=range(12_500)), control=0), "html")).links
    assert len(str(link["href"])) < 2_000_000


def test_formats_without_files_leave_it_out() -> None:
    for format in ("md", "tex", "txt"):
        assert "scores.csv" not in render(bo.compare(TABLE), format)
