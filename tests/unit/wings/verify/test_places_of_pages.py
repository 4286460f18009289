"""What differs in a page is named by its place in the page that is written again."""

from __future__ import annotations

import pytest

from bakeoff.wings.verify.page import _PIECE, _named

PAGE = """<html><head><title>T</title></head><body><header><p class="what">A title</p><h1>Old wins.</h1></header>
<main><section id="pairs" class="pairs"><h2>Pairs</h2><table><thead><tr><th>a</th><th>b</th></tr></thead>
<tbody><tr><th>x</th><td>1</td></tr><tr><th>y</th><td>2</td></tr></tbody></table></section></main>
<script type="application/json" id="bakeoff-data">{}</script><script>1</script></body></html>"""


@pytest.mark.parametrize(
    ("there", "instead", "where"),
    [
        ("Old wins", "New wins", "header, verdict"),
        ("A title", "Another", "header, title of the report"),
        (">2<", ">3<", "pairs, row 2, column 2"),
        (">x<", ">z<", "pairs, row 1, column 1"),
        ("<td>1", "<td\u00a0>1", "pairs, row 1, column 2"),
        ("<td>1</td>", "", "pairs, row 1, column 2"),
        ("{}", "{ }", "its numbers (JSON)"),
        ("<script>1", "<script>2", "pairs, script"),
        ("<title>T", "<title>U", "head, title"),
    ],
)
def test_a_difference_has_one_place(there: str, instead: str, where: str) -> None:
    assert there in PAGE
    differences = list(_named(_PIECE.findall(PAGE.replace(there, instead, 1)), _PIECE.findall(PAGE)))
    assert [difference.where for difference in differences] == [f"the page: {where}"]


@pytest.mark.parametrize("page", [PAGE, "<", "a<b", "<<>>", "\u00a0", "<p", "x>y<", PAGE[:-1], PAGE + "\n"])
def test_the_pieces_are_all_of_the_page(page: str) -> None:
    """So pages that differ in a byte differ in a piece."""
    assert "".join(_PIECE.findall(page)) == page
    assert bool(list(_named(_PIECE.findall(page), _PIECE.findall(PAGE)))) == (page != PAGE)
