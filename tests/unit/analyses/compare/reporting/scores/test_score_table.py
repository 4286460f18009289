"""The table of scores as papers print it: digits, bold cells, rows that sum up, in every format to the letter."""

from __future__ import annotations

import csv
import math
import re
from pathlib import Path

import numpy as np
import pytest

import bakeoff as bo
from bakeoff import report
from bakeoff.analyses.compare.reporting.scores.table import score_rows
from bakeoff.report.document import Row, Table
from bakeoff.report.formats import terminal
from document_tables import table_in
from pages import without_script
from unit.report.test_report_formats import EVIL, parsed

TINY = bo.Scores(
    [[0.925, 0.8, 0.925], [0.5, 0.615, 0.25], [0.7, 0.65, 0.7125]],
    ["ours", "a_1", "b|c"],
    ["iris", "x & y", "<i>"],
    better="higher",
)


def rows(s: bo.Scores, **options: object) -> list[Row]:
    return list(score_rows(bo.score_table(s, **options)).rows)  # type: ignore[arg-type]


def row(values: list[float], better: str = "lower") -> tuple[tuple[str, ...], list[int]]:
    """The first row of a table of one problem: its numbers, and which are bold."""
    first = rows(bo.Scores([values], better=better))[0]  # type: ignore[arg-type]
    return first.cells[1:], sorted(j - 1 for j in first.bold)


# --- the numbers ------------------------------------------------------------------------------------------------


def test_a_table_of_single_scores() -> None:
    found = rows(TINY, control="ours", ranks=True)
    assert [r.cells for r in found] == [
        ("iris", "0.925 (1.5)", "0.800 (3)", "0.925 (1.5)"),
        ("x & y", "0.500 (2)", "0.615 (1)", "0.250 (3)"),
        ("<i>", "0.700 (2)", "0.650 (3)", "0.713 (1)"),  # half up, whatever the binary digits
        ("average", "0.708", "0.688", "0.629"),
        ("mean rank", "1.833", "2.333", "1.833"),
        ("won/tied/lost", "–", "2/0/1", "1/1/1"),
    ]
    assert [sorted(r.bold) for r in found] == [[1, 3], [2], [3], [1], [1, 3], []]
    assert [r.ruled for r in found] == [False] * 3 + [True, False, False]


def test_wins_are_counted_from_the_control_as_in_compare() -> None:
    s = bo.datasets.load("derrac_cec2005")
    t = bo.score_table(s, control="SaDE")
    assert t.wins is not None
    assert t.ties is not None
    assert t.losses is not None
    for pair in bo.compare(s, control="SaDE").pairs:
        j = s.index(pair.b)
        assert (t.wins[j], t.ties[j], t.losses[j]) == (pair.wins, pair.ties, pair.losses)


def test_runs_have_a_mean_and_a_standard_deviation() -> None:
    runs = np.array([[[1.0, 2.0, 3.0], [4.0, 4.0, 4.0]], [[10.0, 12.0, 14.5], [11.0, 11.5, 12.0]]])
    t = bo.score_table(bo.Scores(runs, ["a", "b"], ["p", "q"], better="lower"))
    assert t.standard_deviations is not None
    assert t.standard_deviations == pytest.approx(np.std(runs, axis=2, ddof=1), rel=1e-15)
    table = score_rows(t)
    assert table.caption == "Scores: mean ± standard deviation over 3 runs; lower is better"
    assert [r.cells for r in table.rows][:2] == [("p", "2.0 ± 1.0", "4.0 ± 0.0"), ("q", "12.2 ± 2.3", "11.5 ± 0.5")]


def test_cells_with_one_run_or_an_infinite_one_have_no_deviation() -> None:
    cells = np.array([[[1.0, math.nan, math.nan], [4.0, math.inf, 4.5]], [[2.0, 2.5, 3.0], [1.0, 1.5, math.nan]]])
    t = bo.score_table(bo.Scores.from_cells(cells, ["a", "b"], ["p", "q"], better="lower"))
    table = score_rows(t)
    assert "over 1 to 3 runs" in table.caption
    assert [r.cells for r in table.rows][:3] == [
        ("p", "1.00", "∞"),
        ("q", "2.50 ± 0.50", "1.25 ± 0.35"),
        ("average", "1.750", "∞"),
    ]


def test_deviations_of_huge_and_of_offset_scores_are_right() -> None:
    runs = np.array([[[1e200, 3e200], [2e200, 2e200]], [[2.0**50, 2.0**50 + 1], [2.0**50 + 1, 2.0**50 + 3]]])
    t = bo.score_table(bo.Scores(runs, better="lower"))
    assert t.standard_deviations == pytest.approx(np.array([[2e200, 0.0], [1.0, 2.0]]) / math.sqrt(2), rel=1e-12)


# --- digits -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ([0.76, 0.8, 0.9], ("0.76", "0.80", "0.90")),  # no more than the scores have
        ([0.7612345678, 0.8112345678, 0.9], ("0.761", "0.811", "0.900")),
        ([0.9981, 0.99812, 0.998], ("0.99810", "0.99812", "0.99800")),
        ([0.1434, 2.5, 12.0], ("0.1", "2.5", "12.0")),
        ([0.143, 2.5, 12.0], ("0.143", "2.500", "12.000")),  # as given: five digits at most
        ([14.3, 25.0, 1200.0], ("14.3", "25.0", "1200.0")),
        ([0.0, 1.0, 1.0], ("0", "1", "1")),
        ([51740.123, 269900.7, 42.0], ("51740", "269901", "42")),
        ([1.234e-9, 2.5e-9, 1.8e-9], ("1.23×10⁻⁹", "2.50×10⁻⁹", "1.80×10⁻⁹")),
        ([1.234e-9, 731.46, 0.0161], ("1.23×10⁻⁹", "7.31×10²", "1.61×10⁻²")),
        ([12345678.0, 12345679.0, 12345680.0], ("1.23456780×10⁷", "1.23456790×10⁷", "1.23456800×10⁷")),
        ([math.inf, 1.0, -math.inf], ("∞", "1", "−∞")),
        ([-0.5, 0.25, -0.0], ("−0.50", "0.25", "0.00")),
        ([1.7e308, -1.7e308, 0.0], ("1.70×10³⁰⁸", "−1.70×10³⁰⁸", "0")),
        ([5e-324, 0.0, 0.0], ("4.94×10⁻³²⁴", "0", "0")),
    ],
)
def test_digits_of_a_row(values: list[float], shown: tuple[str, ...]) -> None:
    assert row(values)[0] == shown


def test_rows_of_one_scale_share_their_decimals_and_others_have_their_own() -> None:
    values = [[0.81, 0.852, 0.9], [0.5, 0.6, 0.755], [0.9991, 0.9995, 0.9997], [1200.0, 3400.0, 900.0]]
    table = score_rows(bo.score_table(bo.Scores(values, better="higher")))
    assert [r.cells[1] for r in table.rows][:4] == ["0.810", "0.500", "0.9991", "1200"]
    assert "Rows on different scales have different numbers of decimals." in table.note
    assert "decimals" not in score_rows(bo.score_table(TINY)).note
    short = score_rows(bo.score_table(bo.Scores([[0.8, 0.9], [0.999, 0.99], [12.0, 14.5]], better="higher")))
    assert [r.cells[1] for r in short.rows][:3] == ["0.800", "0.999", "12.000"]


def test_averages_of_right_and_wrong_answers_have_digits() -> None:
    answers = (np.random.default_rng(1).random((800, 3)) < [0.68, 0.67, 0.56]).astype(float)
    found = rows(bo.Scores(answers, better="higher"))
    assert set(found[0].cells[1:]) <= {"0", "1"}
    assert [float(x) for x in found[-2].cells[1:]] == pytest.approx(answers.mean(axis=0), abs=0.0006)


def test_an_average_over_scales_is_printed_with_a_caution_and_never_bold() -> None:
    t = bo.score_table(bo.datasets.load("derrac_cec2005"))
    assert [c.name for c in t.cautions] == ["scales-differ (average)"]
    table = score_rows(t)
    average = table.rows[-2]
    assert average.cells[:4] == ("average", "2418", "450", "67850")
    assert not average.bold
    assert "problems with large numbers dominate the average" in table.note


# --- bold -------------------------------------------------------------------------------------------------------


def test_bold_goes_by_all_digits() -> None:
    """Two that print as 0.998 are not both the best."""
    values = [[0.5, 0.6, 0.725], [0.3, 0.355, 0.2], [0.99801234, 0.99804321, 0.8]]
    found = rows(bo.Scores(values, better="higher"), ranks=True)[2]
    assert found.cells[1:] == ("0.998 (2)", "0.998 (1)", "0.800 (3)")
    assert sorted(found.bold) == [2]


def test_bold_respects_the_direction_and_ties() -> None:
    assert row([1.0, 2.0, 1.0])[1] == [0, 2]
    assert row([1.0, 2.0, 1.0], "higher")[1] == [1]
    assert row([1.0, 1.0, 1.0])[1] == []
    assert row([math.inf, 2.0, -math.inf])[1] == [2]
    assert row([math.inf, 2.0, -math.inf], "higher")[1] == [0]


def test_percent_and_decimals() -> None:
    """Papers print 61.5 ± 1.2 for 0.6149 ± 0.0116 (N13)."""
    runs = np.array([[[0.6149, 0.6381], [0.57, 0.57]], [[1.0, 0.0], [0.29, 0.31]]])
    table = bo.score_table(bo.Scores(runs, ["a", "b"], better="higher", metric="accuracy"), percent=True, decimals=1)
    text = str(table)
    assert "Accuracy in percent: mean ± standard deviation" in text
    assert "*62.7 ± 1.6" in text
    assert "57.0 ± 0.0" in text
    assert table.to_dict()["values"][0] == pytest.approx([0.6265, 0.57])
    with pytest.raises(bo.BakeoffError, match=r"percent is for scores from 0 to 1; these go from 0\.2 to 3"):
        bo.score_table(bo.Scores([[0.2, 3.0], [1.0, 2.0]], better="higher"), percent=True)


def test_rows_of_widely_different_scales_are_in_one_style() -> None:
    """0.000009, 6.02×10⁻⁸ and 1863 stood in one column (N15)."""
    values = [[9e-6, 2e-5], [6.02e-8, 0.0], [1863.0, 1900.5]]
    assert [row.cells[1:] for row in rows(bo.Scores(values, better="lower"))[:3]] == [
        ("9.00×10⁻⁶", "2.00×10⁻⁵"),
        ("6.02×10⁻⁸", "0"),
        ("1.863×10³", "1.901×10³"),
    ]


# --- formats ----------------------------------------------------------------------------------------------------


def test_markdown_to_the_letter() -> None:
    assert report.render(bo.score_table(TINY, control="ours"), "md") == (
        "*Scores; higher is better*\n\n"
        "| problem | ours | a\\_1 | b\\|c |\n| :--- | ---: | ---: | ---: |\n"
        "| iris | **0.925** | 0.800 | **0.925** |\n"
        "| x \\& y | 0.500 | **0.615** | 0.250 |\n"
        "| \\<i\\> | 0.700 | 0.650 | **0.713** |\n"
        "| average | **0.708** | 0.688 | 0.629 |\n"
        "| mean rank | **1.833** | 2.333 | **1.833** |\n"
        "| won/tied/lost | – | 2/0/1 | 1/1/1 |\n\n"
        "Bold: the best in a row, by all digits. "
        "Won/tied/lost: problems, by ours against the algorithm of the column.\n"
    )


def test_text_to_the_letter() -> None:
    assert str(bo.score_table(TINY)) == (
        "Scores; higher is better\n"
        "problem      ours     a_1     b|c\n"
        "─────────────────────────────────\n"
        "iris       *0.925   0.800  *0.925\n"
        "x & y       0.500  *0.615   0.250\n"
        "<i>         0.700   0.650  *0.713\n"
        "─────────────────────────────────\n"
        "average    *0.708   0.688   0.629\n"
        "mean rank  *1.833   2.333  *1.833\n"
        "*: the best in a row, by all digits."
    )


def test_html_has_bold_cells_and_says_what_it_is() -> None:
    page = report.render(bo.score_table(TINY), "html")
    parsed(page)
    assert '<th scope="row">iris</th><td class="best">0.925</td><td>0.800</td><td class="best">0.925</td>' in page
    assert page.count('class="best"') == 7
    assert "<h1>Scores; higher is better.</h1>" in page
    assert TINY.source_sha256 in page
    assert "&lt;i&gt;" in page


def test_a_notebook_shows_the_table() -> None:
    assert '<td class="best">0.925</td>' in bo.score_table(TINY)._repr_html_()


def test_latex_is_one_table_and_nothing_else() -> None:
    tex = report.render(bo.score_table(TINY), "tex")
    assert tex.count(r"\begin{tabular}") == 1
    assert r"\subsection" not in tex
    assert r"\itemize" not in tex
    body = tex.split("\\midrule\n", 1)[1].split("\n\\bottomrule")[0].splitlines()
    body = [line.replace(r"\textless{}", "<").replace(r"\textgreater{}", ">") for line in body]
    assert [re.sub(r"\\(?:textbf|boldmath)\b|[{}$]|\\mathbf", "", line) for line in body] == [
        r"iris & 0.925 & 0.800 & 0.925 \\",
        r"x \& y & 0.500 & 0.615 & 0.250 \\",
        r"<i> & 0.700 & 0.650 & 0.713 \\",
        r"\midrule",
        r"average & 0.708 & 0.688 & 0.629 \\",
        r"mean rank & 1.833 & 2.333 & 1.833 \\",
    ]
    assert [line.count("bf") for line in body] == [2, 1, 1, 0, 1, 2]


def test_xlsx_has_numbers_with_the_digits_of_the_table(tmp_path: Path) -> None:
    import openpyxl

    s = bo.Scores(TINY.values, ["=1+1", "a", "b"], ["@x", "y", "z"], better="higher")
    bo.score_table(s, control="a").save(tmp_path / "scores.xlsx")
    book = openpyxl.load_workbook(tmp_path / "scores.xlsx")
    assert book.sheetnames == ["scores", "ranks", "cautions"]
    sheet = book["scores"]
    assert [[cell.value for cell in line] for line in sheet["A1:D3"]] == [
        ["problem", "=1+1", "a", "b"],
        ["@x", 0.925, 0.8, 0.925],
        ["y", 0.5, 0.615, 0.25],
    ]
    assert {cell.data_type for line in sheet.iter_rows() for cell in line} == {"s", "n"}, "no formula"
    assert (sheet["D4"].value, sheet["D4"].number_format) == (0.7125, "0.000")
    assert [[cell.font.b for cell in line] for line in sheet["B2:D4"]] == [
        [True, False, True],
        [False, True, False],
        [False, False, True],
    ]
    assert [sheet[f"A{i}"].value for i in (5, 6, 7)] == ["average", "mean rank", "won/tied/lost by a"]
    assert (sheet["B6"].value, sheet["B7"].value) == (pytest.approx(11 / 6), "1/0/2")
    assert book["ranks"]["B2"].value == 1.5


def test_xlsx_of_runs_has_a_sheet_of_deviations(tmp_path: Path) -> None:
    import openpyxl

    runs = np.array([[[1e-9, 3e-9], [4.0, 4.0]], [[10.0, 12.0], [11.0, math.inf]]])
    bo.score_table(bo.Scores(runs, ["a", "b"], ["p", "q"], better="lower")).save(tmp_path / "scores.xlsx")
    book = openpyxl.load_workbook(tmp_path / "scores.xlsx")
    assert book.sheetnames[:3] == ["scores", "standard deviations", "ranks"]
    assert book["scores"]["B2"].number_format == "0.00E+00"
    assert book["scores"]["C3"].value == "inf"
    assert [cell.value for cell in book["standard deviations"][3]] == ["q", pytest.approx(math.sqrt(2)), None]


def test_csv_is_long_and_can_be_read_again(tmp_path: Path) -> None:
    bo.score_table(TINY).save(tmp_path / "cells.csv")
    with (tmp_path / "cells.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    assert found[0] == {"problem": "iris", "algorithm": "ours", "score": "0.925", "rank": "1.5"}
    assert len(found) == 9
    again = bo.read_scores(tmp_path / "cells.csv", better="higher")
    assert np.array_equal(again.values, TINY.values)
    assert again.algorithms == TINY.algorithms


def test_a_frame_and_json_have_all_digits() -> None:
    t = bo.score_table(bo.datasets.load("derrac_cec2005"), control="SaDE")
    assert len(t.to_frame()) == 25 * 9
    content = t.to_dict()
    assert content["schema"] == "bakeoff.scores/1"
    assert content["values"] == t.scores.values.tolist()
    assert content["wins"]["PSO"] == 20


def test_there_is_no_picture_of_it(tmp_path: Path) -> None:
    with pytest.raises(bo.BakeoffError, match=r"no figure of a table of scores; write \.tex"):
        bo.score_table(TINY).save(tmp_path / "scores.svg")


# --- many, long, hostile ----------------------------------------------------------------------------------------


def test_two_hundred_algorithms_fit_any_page() -> None:
    s = bo.Scores(np.random.default_rng(0).random((5, 200)), [f"algorithm {i}" for i in range(200)], better="lower")
    lines = str(bo.score_table(s)).splitlines()
    assert max(map(len, lines)) <= 80
    assert sum(line.startswith("Scores") for line in lines) > 10
    for name in s.algorithms:
        assert name.split()[1] in " ".join(lines)


@pytest.mark.parametrize("form", ["tex", "md", "html", "txt", "json"])
def test_names_cannot_break_out(form: str) -> None:
    s = bo.Scores(np.random.default_rng(0).random((6, 6)), EVIL, EVIL, better="lower")
    written = report.render(bo.score_table(s, control=EVIL[0], ranks=True), form)
    assert "\x1b" not in written
    if form == "html":
        parsed(written)
        assert "<script" not in without_script(written)


def test_one_problem() -> None:
    found = rows(bo.Scores([[1.0, 2.0]], better="lower"))
    assert [r.cells[1:] for r in found] == [("1", "2"), ("1.00", "2.00"), ("1.000", "2.000")]


def test_a_terminal_with_colour_has_bold_and_one_without_stars() -> None:
    document = report.document(bo.score_table(TINY))
    assert "\x1b[1m0.925\x1b[0m  0.800" in terminal.render(document, terminal.Page(colour=True))
    assert "*0.925   0.800" in terminal.render(document, terminal.Page())


# --- in the report of a comparison ------------------------------------------------------------------------------


def test_the_report_of_a_comparison_shows_problems_problem_by_problem() -> None:
    s = bo.datasets.load("derrac_cec2005")
    found = report.document(bo.compare(s, control="SaDE"))
    section = found.section("scores")
    assert section is not None
    assert section.title == "Problem by problem"
    table = table_in(found, "scores")
    assert isinstance(table, Table)
    assert table.folded
    assert [r.cells[0] for r in table.rows][:25] == list(s.problems)
    page = report.render(bo.compare(s), "html")
    assert "F25" in page
    assert "Wins, ties and losses" in page


def test_a_huge_table_is_a_file_of_its_own() -> None:
    from bakeoff.analyses.compare.reporting.document import REPORT
    from unit.report.report_cases import comparison

    values = np.zeros((5000, 5)) + np.arange(5)
    big = comparison(scores=bo.Scores(values, comparison().scores.algorithms, better="lower"))
    section = REPORT.document(big).section("scores")
    assert section is not None
    assert "--report scores.html" in str(section.blocks[0])


def test_no_small_mean_is_printed_as_zero_beside_a_large_one() -> None:
    """4e-4 ± 2e-4 in a row of 24 ± 7 was 0.0 ± 0.0, as the noise of the largest was taken for that of all."""
    runs = np.random.default_rng(0).normal(1.0, 0.3, size=(6, 3, 10)) * np.array([4e-4, 24.0, 1863.0])[:, None]
    table = score_rows(bo.score_table(bo.Scores(np.abs(runs), ["a", "b", "c"], better="lower")))
    for row in table.rows[:6]:
        assert re.fullmatch(r"\d\.\d+×10⁻\S+ ± \d\.\d+×10⁻\S+", row.cells[1]), row.cells
        assert all("×" in cell for cell in row.cells[1:])
