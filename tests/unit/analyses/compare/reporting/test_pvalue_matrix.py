"""The triangle of adjusted p-values: every pair once, with an arrow to the better algorithm."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import bakeoff as bo
from bakeoff import report
from bakeoff.analyses.compare.reporting.pair_tables import pvalue_matrix
from bakeoff.report.document import Table
from bakeoff.report.formats import terminal
from unit.report.report_cases import comparison

CEC = bo.datasets.load("derrac_cec2005")


def matrix_of(k: int, **changes: object) -> Table | None:
    return pvalue_matrix(comparison(tuple(f"a{j}" for j in range(k)), **changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(("k", "shown"), [(2, False), (4, False), (5, True), (30, True), (31, False)])
def test_from_five_algorithms_to_thirty(k: int, shown: bool) -> None:
    assert (matrix_of(k) is not None) == shown


def test_not_against_a_control() -> None:
    assert matrix_of(8, control="a0") is None


def test_every_pair_once_best_first() -> None:
    c = bo.compare(CEC, pairwise="mean-ranks", posthoc="nemenyi")
    table = pvalue_matrix(c)
    assert table is not None
    ranked = [row.cells[1] for row in table.rows]
    assert ranked == sorted(CEC.algorithms, key=dict(zip(CEC.algorithms, c.mean_ranks, strict=True)).__getitem__)
    assert [column.title for column in table.columns] == ["#", "algorithm", *map(str, range(1, 9))]
    for pair in c.pairs:
        i, j = sorted((ranked.index(pair.a), ranked.index(pair.b)))
        row, column = table.rows[j], i + 2
        text = row.cells[column]
        p = pair.adjusted["nemenyi"]
        assert float(text.split()[0].lstrip("<>")) == pytest.approx(p, abs=0.0011)
        decided = pair.verdict in ("a better", "b better")
        assert (column in row.bold) == decided
        if decided:  # by mean ranks the better one has the lower rank, which is the column
            assert text.endswith(" ↑")
        else:
            assert text[-1].isdigit()
    assert [sum(cell == "" for cell in row.cells) for row in table.rows] == [8, 7, 6, 5, 4, 3, 2, 1, 0]


def test_the_arrow_follows_the_verdict_not_the_ranks() -> None:
    base = comparison(("A", "B", "C", "D", "E"))
    pairs = tuple(
        dataclasses.replace(p, verdict="b better", adjusted={"holm": 0.01, "finner": 0.01})
        if (p.a, p.b) == ("A", "B")
        else p
        for p in base.pairs
    )
    table = pvalue_matrix(dataclasses.replace(base, pairs=pairs))
    assert table is not None
    assert table.rows[1].cells == ("2", "B", "0.010 ←", "", "", "")
    assert table.rows[4].cells == ("5", "E", "0.011 ↑", "0.700", "0.700", "0.700")


def test_small_and_near_p_values_are_never_misplaced() -> None:
    shown = {1e-9: "<0.001 ↑", 0.00099: "<0.001 ↑", 0.0500004: "0.0500004", 0.05: "0.050 ↑", 1.0: "1.000"}
    shown |= {0.9999: ">0.999", 0.0014999: "0.001 ↑"}
    base = comparison(("A", "B", "C", "D", "E"))
    for p, text in shown.items():
        changed = dataclasses.replace(
            base.pairs[0], adjusted={"holm": p, "finner": p}, verdict="a better" if p <= 0.05 else "no difference shown"
        )
        table = pvalue_matrix(dataclasses.replace(base, pairs=(changed, *base.pairs[1:])))
        assert table is not None
        assert table.rows[1].cells[2] == text


def test_what_cannot_be_told_is_marked() -> None:
    s = bo.Scores(np.random.default_rng(0).random((3, 6)), better="lower")
    table = pvalue_matrix(bo.compare(s))
    assert table is not None
    assert all(cell.endswith(" ?") for row in table.rows for cell in row.cells[2:] if cell)
    assert "?: no outcome could have reached this level." in table.note


def test_every_format_has_it(tmp_path: object) -> None:
    c = bo.compare(CEC)
    assert "All pairs at a glance" in report.render(c, "html")
    assert "| **0.014 ↑** |" in report.render(c, "md")
    assert '<td class="best s1">0.014 ↑</td>' in report.render(c, "html")


def test_a_terminal_shows_it_whole_or_not_at_all() -> None:
    document = report.document(bo.compare(CEC))
    assert "*0.014 ↑" in terminal.render(document, terminal.Page(width=80))
    assert "*0.014 ^" in terminal.render(document, terminal.Page(width=80, ascii=True))
    assert "the algorithm with the number" not in terminal.render(document, terminal.Page(width=60))
    few = report.document(bo.compare(CEC.select(algorithms=range(6))))  # all pairs are listed already
    assert "the algorithm with the number" not in terminal.render(few, terminal.Page(width=200))


def test_smaller_p_values_are_darker_on_a_page() -> None:
    """A tint said that a pair differs, not how small its p is (U-C: scikit-posthocs' heat map)."""
    values = np.random.default_rng(0).normal(size=(30, 7)) + 0.3 * np.arange(7)
    c = bo.compare(bo.Scores(values, [f"a{j}" for j in range(7)], better="lower"))
    table = pvalue_matrix(c)
    assert table is not None
    shades = [shade for row in table.rows for _, shade in row.shades]
    p = [pair.adjusted[c.primary] for pair in c.pairs if pair.verdict in ("a better", "b better")]
    assert sorted(shades) == sorted(3 if x < 0.001 else 2 if x < 0.01 else 1 for x in p)
    assert set(shades) == {1, 2, 3}
    assert all({i for i, _ in row.shades} == set(row.bold) for row in table.rows)
    page = report.render(c, "html")
    assert all(page.count(f'<td class="best s{level}">') == shades.count(level) for level in (1, 2, 3))
