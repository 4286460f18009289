"""What of a report goes into a paper, and under which labels."""

import re
from pathlib import Path

import numpy as np
import pytest

import bakeoff as bo
from bakeoff import report
from bakeoff.figures import diagram
from bakeoff.figures.geometry.notes import caption_of, uncaptioned
from bakeoff.report.document import Column, Row, Table
from bakeoff.report.formats import latex, latex_tables
from bakeoff.scores import Scores


def scores(k: int = 4, n: int = 12) -> Scores:
    values = np.random.default_rng(4).normal(size=(n, k)) + 3.0 * np.arange(k)
    return bo.Scores(values, [f"alg{j}" for j in range(k)], better="lower")


def printed(tex: str) -> str:
    return "\n".join(line for line in tex.splitlines() if not line.startswith("%"))


def test_one_figure_one_ranking_one_table_of_pairs() -> None:
    """U-A5: 28 pairs were four floats, the first of which had no numbers; headings stood empty."""
    tex = printed(report.render(bo.compare(scores(8, 40)), "tex"))
    floats = re.findall(r"\\bakeofffloat\{(\w+)\}", tex)
    assert floats == ["figure", "table", "table"]
    assert "section" not in tex
    assert "longtable" not in tex
    head = tex.split(r"\toprule")[2].split(r"\midrule")[0]
    assert re.sub(r"\s+", " ", head).startswith(" first & second & ")
    for secondary in ("verdict", "rank-biserial", "raw p", "first better"):
        assert secondary not in head


def test_labels_begin_with_the_name_of_the_file(tmp_path: Path) -> None:
    result = bo.compare(scores())
    for name in ("paper.tex", "other run_2.tex"):
        result.save(tmp_path / name)
    first, second = (
        re.findall(r"\\label\{(.*?)\}", (tmp_path / name).read_text()) for name in ("paper.tex", "other run_2.tex")
    )
    assert first == ["fig:paper", "tab:paper-ranking", "tab:paper-pairs"]
    assert not set(first) & set(second)
    assert second[2] == "tab:other-run-2-pairs"
    tex = (tmp_path / "paper.tex").read_text()
    assert all(rf"\ref{{{label}}}" in tex for label in first)


def test_bold_is_bold_in_mathematics_too() -> None:
    """U-B4: the five smallest p-values were printed plain, the eleven weaker ones bold."""
    tex = report.render(bo.compare(scores(4, 40)), "tex")
    powers = [line for line in tex.splitlines() if r"\times10^{" in line and " & " in line]
    assert powers
    assert all(r"\textbf{\boldmath " in line for line in powers)


def test_what_is_not_printed_stands_in_comments() -> None:
    result = bo.compare(scores(), control=0, posthoc="li")
    tex = report.render(result, "tex", "bakeoff compare x.csv")
    comments = "\n".join(line for line in tex.splitlines() if line.startswith("%"))
    for caution in result.cautions:
        assert f"% - {caution.name}: " in comments
    assert "bakeoff compare x.csv" in comments
    assert "@article{" in comments
    assert r"\usepackage{lmodern}" in comments
    assert "Read this before quoting" not in printed(tex)


def test_the_caption_is_printed_once() -> None:
    result = bo.compare(scores())
    drawing = diagram(result)
    assert (
        caption_of(drawing) == "4 algorithms on 12 problems; pairs are decided by Wilcoxon signed-rank tests; "
        "Bergmann–Hommel, α\u00a0=\u00a00.05. All pairs differ."
    )
    bare = uncaptioned(drawing)
    assert caption_of(bare) == ""
    assert bare.height < drawing.height
    assert uncaptioned(bare) == bare
    tex = printed(report.render(result, "tex"))
    assert tex.count("on 12 problems; pairs are decided by") == 1


def test_text_of_figures_has_sizes_that_every_font_has() -> None:
    """U-A24: 6.5 bp took scaled fonts, or stopped LaTeX."""
    tex = report.render(bo.compare(scores(5), control="alg0"), "tex")
    assert set(re.findall(r"\\fontsize\{(.*?)\}", tex)) == {"7", "8"}


def table(cells: list[list[str]], titles: list[str], **fields: object) -> Table:
    columns = (Column("a", titles[0]), *(Column(f"c{i}", title, numeric=True) for i, title in enumerate(titles[1:])))
    return Table(key="t", caption="T", columns=columns, rows=[Row(tuple(row)) for row in cells], **fields)  # type: ignore[arg-type]


def test_no_column_stands_alone_in_the_last_part() -> None:
    """The scores of 8 classifiers with ranks stood in two tables, of 7 and of 1."""
    eight = table([["adult (sample)", *["0.7513 (7)"] * 8]] * 40, ["problem", *"ABCDEFGH"])
    assert [len(group) for group in latex_tables._fitting(eight)] == [9]
    twelve = table([["adult (sample)", *["0.7513 (7)"] * 12]] * 40, ["problem", *"ABCDEFGHIJKL"])
    assert [len(group) for group in latex_tables._fitting(twelve)] == [7, 7]


def test_long_tables_stand_in_parts_with_one_note() -> None:
    long = table([[f"n{i}", str(i)] for i in range(100)], ["name", "value"], note="A note.")
    parts = latex_tables.render(long, "p", latex.escape)
    assert len(parts) == 3
    assert sum(part.count(r" \\") for part in parts) == 103
    assert [part.count("A note.") for part in parts] == [1, 0, 0]
    assert "(part 2 of 3)" in parts[1]
    assert [re.findall(r"\\label\{(.*?)\}", part) for part in parts] == [["tab:p-t"], ["tab:p-t2"], ["tab:p-t3"]]
    longer = latex_tables.render(table([[f"n{i}", "1"] for i in range(500)], ["name", "value"]), "p", latex.escape)
    assert "The first 160 of 500 rows; the others are in the reports" in longer[0]


def test_long_names_and_titles_stand_in_lines() -> None:
    name = "A rather long name of an algorithm with options_lr=0.1 " + "x" * 40
    (part,) = latex_tables.render(table([[name, "1"]], ["name", "adjusted p (Bergmann–Hommel)"]), "p", latex.escape)
    assert r"\begin{tabular}[b]{@{}r@{}}adjusted p \\ (Bergmann-- \\ Hommel)\end{tabular}" in part
    lines = re.findall(r"\{@\{\}l@\{\}\}(.*?)\\end", part)[0].split(r" \\ ")
    assert max(map(len, lines)) <= latex_tables.LONGEST_NAME + 1  # an escaped underscore
    assert "".join(lines).replace(" ", "").replace(r"\_", "_") == name.replace(" ", "")


@pytest.mark.parametrize("cells", [["first better"] * 2, ["first better", "cannot tell"]])
def test_a_verdict_is_left_out_only_where_bold_type_says_it(cells: list[str]) -> None:
    rows = [
        Row((f"x{i}", cell, "0.01"), tone="strong" if cell == "first better" else "") for i, cell in enumerate(cells)
    ]
    columns = (Column("a", "first"), Column("verdict", "verdict"), Column("p", "p", numeric=True, strong=True))
    (part,) = latex_tables.render(Table(key="t", caption="T", columns=columns, rows=rows), "p", latex.escape)
    said = "cannot tell" in cells
    assert ("verdict" in part) == said
    assert ("Bold: the difference is declared." in part) != said


def test_what_a_paper_has_is_never_secondary() -> None:
    columns = (Column("a", "first"), Column("interval", "interval", rank=3, in_paper=True), Column("z", "z", rank=5))
    (part,) = latex_tables.render(
        Table(key="t", caption="T", columns=columns, rows=[Row(("x", "0 to 1", "2.5"))]), "p", latex.escape
    )
    assert "0 to 1" in part
    assert "2.5" not in part
