"""One document, many formats: nothing lost, nothing that a name could break, files whole or not at all."""

import dataclasses
import json
import math
import os
import re
import stat
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
import bakeoff.report as report
from bakeoff.analyses.compare.reporting.document import REPORT
from bakeoff.analyses.compare.statistics import Comparison, Effect
from bakeoff.errors import Caution, ParameterError
from bakeoff.report.document import Column, Row, Table, number_column, tabulate, text_column
from bakeoff.report.formats import html, latex, markdown, terminal
from bakeoff.scores import Scores
from document_tables import table_in
from pages import without_script
from unit.report.report_cases import NAMES, comparison, pair, step

EVIL = ("<script>alert(1)</script>", "a|b`c*d_e", "\\input{x}%$#&~^", "=cmd()", "x\x1b[2Jy\nz", "算法 👩\u200d🔬 Šidák")
VOID = {"meta", "br", "path", "line", "rect", "circle", "link", "polyline", "polygon", "text", "title", "desc"}


class Tags(HTMLParser):
    """Collects the text and checks that elements close in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.seen.append(tag)
        if tag not in ("meta", "link", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def parsed(page: str) -> Tags:
    tags = Tags()
    tags.feed(page)
    tags.close()
    assert not tags.open
    return tags


def tables(found: Comparison) -> list[Table]:
    sections = REPORT.document(found).sections
    return [block for section in sections for block in section.blocks if isinstance(block, Table)]


# --- JSON -------------------------------------------------------------------------------------------------


def test_json_has_the_keys_of_the_contract() -> None:
    content = report.to_dict(comparison())
    required = "schema better n_problems n_algorithms alpha control recipe primary omnibus mean_ranks pairs groups"
    assert {*required.split(), "cautions", "versions", "input_sha256"} <= set(content)
    assert set(content["omnibus"]) >= {"name", "statistic", "df", "pvalue", "log_pvalue"}
    assert content["omnibus"]["df"] == [8, 192]
    assert content["mean_ranks"] == {name: i + 1.0 for i, name in enumerate(NAMES)}
    for one in content["pairs"]:
        assert set(one) >= {"a", "b", "statistic", "pvalue", "log_pvalue", "adjusted", "verdict", "effect"}
        assert set(one["effect"]) == {"estimate", "low", "high", "confidence_level", "kind", "scale"}
    assert content["groups"] == [list(NAMES[:-1]), list(NAMES[1:])]
    assert set(content["cautions"][0]) == {"code", "text", "reference", "severity", "object"}
    assert len(content["input_sha256"]) == 64
    assert set(content["versions"]) >= {"bakeoff", "python", "numpy", "scipy"}


def test_json_keeps_the_order_of_the_pairs_and_the_names_as_they_are() -> None:
    found = comparison(EVIL)
    content = json.loads(report.render(found, "json"))
    assert [(p["a"], p["b"]) for p in content["pairs"]] == [(p.a, p.b) for p in found.pairs]
    assert list(content["mean_ranks"]) == list(EVIL)


def test_json_never_holds_what_is_not_finite() -> None:
    unbounded = Effect(estimate=1.0, low=-math.inf, high=math.inf, confidence_level=0.95)
    test = dataclasses.replace(comparison().omnibus, statistic=math.inf, pvalue=0.0, log_pvalue=-math.inf)
    pairs = (pair("A", "B", effect=unbounded, statistic=-math.inf), *comparison(("A", "B", "C")).pairs[1:])
    found = comparison(("A", "B", "C"), omnibus=test, pairs=pairs)
    written = report.render(found, "json")
    content = json.loads(written, parse_constant=pytest.fail)
    assert content["omnibus"]["statistic"] is None
    effect, interval = content["pairs"][0]["effect"], content["pairs"][0]["interval"]
    assert (effect["estimate"], effect["low"], effect["high"], effect["confidence_level"]) == (1.0, None, None, 0.95)
    assert (interval["low"], interval["high"]) == (None, None)
    caution = content["cautions"][-1]
    assert caution["code"] == "not-finite"
    assert "omnibus.statistic (inf)" in caution["text"]
    assert found.cautions[-1].code != "not-finite"  # the result itself is untouched


def test_json_without_effects() -> None:
    pairs = tuple(dataclasses.replace(p, effect=None, rank_biserial=None) for p in comparison().pairs)
    content = json.loads(report.render(comparison(pairs=pairs, contrasts=None), "json"))
    assert content["pairs"][0]["effect"] is None
    assert content["contrasts"] is None
    assert [c["code"] for c in content["cautions"]] == ["ties"]


# --- one document -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("control", [None, "PSO"])
def test_every_cell_of_every_table_is_in_every_format(control: str | None) -> None:
    found = comparison(control=control)
    page = " ".join(" ".join(parsed(report.render(found, "html")).words).split())
    md, tex = report.render(found, "md"), report.render(found, "tex")
    for table in tables(found):
        for row in table.rows:
            for column, cell in zip(table.columns, row.cells, strict=True):
                assert cell in page
                assert markdown.escape(cell) in md
                if table.key in ("scores", "matrix"):
                    continue  # scores.tex has the scores; the table of pairs the p-values
                assert column.rank >= 2 or column.key == "verdict" or latex.escape(cell) in tex or cell in tex
    for output in (page, md, tex):
        for caution in found.cautions:
            assert caution.code in output


@pytest.mark.parametrize("form", ["html", "md", "tex", "txt", "json"])
def test_the_verdict_opens_every_format(form: str) -> None:
    found = comparison(("Alpha", "Beta", "Gamma"))
    said = REPORT.document(found).verdict
    assert said in " ".join(report.render(found, form).split())


@pytest.mark.parametrize("form", ["html", "md", "tex", "txt"])
@pytest.mark.parametrize("control", [None, EVIL[0]])
def test_names_cannot_break_out(form: str, control: str | None) -> None:
    written = report.render(comparison(EVIL, control), form)
    assert "\x1b" not in written
    if form == "html":
        assert "<script" not in without_script(written)
    if form == "tex":
        printed = [line for line in written.splitlines() if not line.startswith("%")]
        assert r"\input{x}" not in "\n".join(printed)


def test_markdown_tables_have_one_width() -> None:
    for block in report.render(comparison(EVIL), "md").split("\n\n"):
        if block.startswith("| "):
            assert len({len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}) == 1


def test_nothing_is_printed_as_nan_or_none() -> None:
    values = np.array([[np.inf, 1.0, 2.0], [-np.inf, 2.0, 3.0]])
    pairs = tuple(dataclasses.replace(p, effect=None, rank_biserial=None) for p in comparison(("A", "B", "C")).pairs)
    found = comparison(("A", "B", "C"), pairs=pairs, contrasts=None, kendall_w=None, companion=None)
    found = dataclasses.replace(found, scores=Scores(values, algorithms=("A", "B", "C"), better="lower"))
    for form in ("html", "md", "tex", "txt"):
        assert not re.search(r"\b(nan|NaN|None)\b", without_script(report.render(found, form)))


def test_recipe_steps_choices_and_provenance_are_told() -> None:
    found = comparison(recipe="derrac-2011", steps=(step(), step(name="post-hoc", title="Pairs", passed=None)))
    md = report.render(found, "md", "bakeoff compare x.csv")
    assert "## The recipe derrac-2011, step by step" in md
    assert "- **Quade test**: F = 6.6. (passed)" in md
    assert "mean-ranks: follows the omnibus test" in md
    assert found.scores.source_sha256 in md
    assert "bakeoff compare x.csv" in md
    assert "(Derrac et al., 2011)" in md
    assert "quade1979" in md  # a step's test is cited too


# --- HTML -------------------------------------------------------------------------------------------------


def test_the_page_needs_nothing_else() -> None:
    page = without_script(report.render(comparison(EVIL), "html"))
    assert "default-src 'none'" in page
    assert "style-src 'unsafe-inline'" in page
    assert not {"script", "link", "iframe", "img", "object"} & set(parsed(page).seen)
    assert not re.search(r"(src|action)\s*=", page)
    assert re.findall(r"href\s*=\s*(\S{15})", page) == ['"data:text/csv;']  # the scores, inside of the page
    assert "url(" not in page
    assert "@import" not in page


def test_the_page_is_accessible() -> None:
    page = report.render(comparison(), "html")
    tags = parsed(page)
    assert '<html lang="en">' in page
    assert tags.seen.count("caption") == tags.seen.count("table") > 3
    assert 'scope="col"' in page
    assert 'scope="row"' in page
    assert tags.seen.count("h1") == 1
    assert 'name="viewport"' in page
    assert page.index("<h1>") < page.index("<svg") < page.index("ties") < page.index("<table")


@pytest.mark.slow
def test_large_families_are_folded_but_complete() -> None:
    names = tuple(f"algorithm {i}" for i in range(30))
    page = report.render(comparison(names), "html")
    assert page.count("<details") >= 3
    rows = sum(len(t.rows) for t in tables(comparison(names)) if t.key.startswith("pairs"))
    assert rows == 30 * 29 // 2


# --- LaTeX ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("names", [NAMES, EVIL, tuple(f"algorithm number {i}" for i in range(14))])
def test_latex_is_balanced_and_its_tables_fit(names: tuple[str, ...]) -> None:
    tex = report.render(comparison(names), "tex")
    code = "\n".join(re.sub(r"(?<!\\)%.*", "", line) for line in tex.splitlines())
    plain = code.replace(r"\{", "").replace(r"\}", "")
    assert plain.count("{") == plain.count("}")
    assert len(re.findall(r"(?<!\\)\$", code)) % 2 == 0
    begun, ended = re.findall(r"\\begin\{(\w+)\}", code), re.findall(r"\\end\{(\w+)\}", code)
    assert sorted(begun) == sorted(ended)
    for layout, body in re.findall(
        r"\\begin\{tabular\}\{@\{\}(\w+)@\{\}\}\n(.*?)\\bottomrule\n\\end\{tabular\}", code, re.S
    ):
        for line in body.splitlines():
            if line.endswith(r" \\"):
                assert len(re.findall(r"(?<!\\)&", line)) == len(layout) - 1


def test_latex_signs() -> None:
    assert latex.escape("a--b---c") == "a-{}-b-{}-{}-c"
    assert latex.escape("χ² ≤ α") == r"$\chi^2$ $\leq$ $\alpha$"
    assert latex.escape(r"\_{}%&#$^~|<>") == (
        r"$\backslash$\_$\{$$\}$\%\&\#\$\textasciicircum{}\textasciitilde{}$|$$<$$>$"
    )
    tex = report.render(comparison(), "tex")
    assert r"4.50$\times10^{-6}$" in tex
    assert r"\bakeoffcite{holm1979}{(Holm, 1979)}" in tex
    assert r"\begin{tikzpicture}" in tex


def test_latex_has_greek_names_and_breaks_long_words() -> None:
    assert latex.escape("λ=0.1 Ω") == r"$\lambda$=0.1 $\Omega$"
    assert "lualatex" not in report.render(comparison(("é", "λ", "c_1")), "tex")
    assert "lualatex" in report.render(comparison(("名", "b", "c")), "tex")
    assert rf"% - input SHA-256: {comparison().scores.source_sha256}" in report.render(comparison(), "tex")
    name = "a" * 40
    assert rf"{name[:16]}\allowbreak{{}}{name[:16]}" in report.render(comparison((name, "b", "c")), "tex")


# --- text -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
@pytest.mark.parametrize("control", [None, EVIL[0], EVIL[-1]])
def test_no_line_is_wider_than_the_page(width: int, control: str | None) -> None:
    long = (*EVIL, "a name of eighty characters " * 3)
    written = terminal.render(REPORT.document(comparison(long, control)), terminal.Page(width=width))
    names = ("wide" if any(len(word) > width for word in line.split()) else "" for line in written.splitlines())
    for line, wide in zip(written.splitlines(), names, strict=True):
        assert terminal.columns_of(line) <= width or wide


def test_what_a_difference_is_stands_below_it() -> None:
    wide, narrow = (terminal.render(REPORT.document(comparison()), terminal.Page(width=width)) for width in (100, 36))
    assert "Difference: Hodges–Lehmann estimate" in wide
    assert "Difference" not in narrow  # the column is not there either
    assert "Columns left out to fit the page: raw p, difference [interval]," in " ".join(narrow.split())
    assert "left out" not in terminal.render(REPORT.document(comparison()), terminal.Page(width=200))


def test_a_verdict_that_all_rows_share_gives_way_to_the_difference() -> None:
    rows = [Row((f"a{i}", "first better", f"0.0{i}", "1 [0, 2]")) for i in range(1, 5)]
    columns = (
        Column("a", "algorithm"),
        Column("verdict", "verdict"),
        Column("p", "adjusted p (Bergmann–Hommel)", numeric=True),
        Column("effect", "difference [interval]", numeric=True, rank=1),
    )
    table = Table(key="pairs", caption="Pairs", columns=columns, rows=rows)
    lines = terminal.table_lines(table, terminal.Page(width=36))
    assert lines[1:4] == [
        "           adjusted p",
        "           (Bergmann–  difference",
        "algorithm     Hommel)  [interval]",
    ]
    assert lines[-1] == "verdict: first better in every row."
    mixed = replace(table, rows=[Row(("a0", "no difference shown", "0.9", "1 [0, 2]")), *rows])
    assert "·: no difference shown." in "\n".join(terminal.table_lines(mixed, terminal.Page(width=53)))
    assert "[0, 2]" in "\n".join(terminal.table_lines(mixed, terminal.Page(width=53)))


def test_a_verdict_takes_two_lines_before_a_word_of_it_is_lost() -> None:
    """Of four algorithms with names of usual length the page of 80 columns read "no difference sho…"."""
    names = ("Gradient boosting", "Random forest", "Ours", "SVM")
    printed = report.render(comparison(names), "txt")
    assert "sho…" not in printed
    assert "…" not in printed[printed.index("Pairs") :].split("Columns left out")[0]
    assert max(map(len, printed.split("\n"))) <= 80
    rows = [Row(("a0", "nothing can be said", "0.9")), Row(("a1", "first better", "0.01"))]
    columns = (Column("a", "algorithm"), Column("verdict", "verdict", wraps=True), Column("p", "p", numeric=True))
    table = Table(key="pairs", caption="Pairs", columns=columns, rows=rows)
    assert terminal.table_lines(table, terminal.Page(width=30))[3:] == [
        "a0         nothing can     0.9",
        "           be said",
        "a1         first better   0.01",
    ]


def test_the_best_of_a_ranking_is_bold_without_the_colour_of_significance() -> None:
    """Blue means a decided pair elsewhere on the page; the best mean rank decides nothing."""
    html = report.render(comparison(), "html")
    coloured = html.index("tr.strong .key { font-weight: 700; color: var(--accent); }")
    assert html.index("table.ranking tr.strong .key { color: inherit; }") > coloured
    assert re.search(r'<table class="[a-z0-9 -]* ranking"', html)


def test_ascii_is_ascii() -> None:
    written = terminal.render(REPORT.document(comparison(EVIL)), terminal.Page(ascii=True))
    assert written.isascii()
    assert "alpha = 0.05" in written
    assert "Sidak" in written


def test_colour_only_where_it_is_asked_for() -> None:
    assert "\x1b" not in terminal.render(REPORT.document(comparison()), terminal.Page())
    assert "\x1b[1m" in terminal.render(REPORT.document(comparison()), terminal.Page(colour=True))


def test_few_pairs_are_all_shown_and_of_many_those_that_differ() -> None:
    few = report.render(comparison(), "txt")
    assert few.count(" · ") == 9
    assert "·: no difference shown." in few
    many = report.render(comparison(tuple("ABCDEFGHIJ")), "txt")
    assert many.count("·") == 0
    assert "44 pairs without a shown difference are not listed" in many
    control = report.render(comparison(tuple("ABCDEFGHIJKLMNOPQRSTUVW"), control="A"), "txt")
    assert control.count("control better") == 1
    assert control.count("\n") > 2 * 22


def test_a_long_ranking_is_cut_but_keeps_the_control() -> None:
    names = tuple(f"m{i}" for i in range(80))
    written = report.render(comparison(names, control="m79"), "txt")
    assert "… and 39 more" in written
    assert re.search(r"^80 +m79 ", written, re.MULTILINE)


def test_equal_mean_ranks_share_a_place() -> None:
    found = comparison(tuple("ABCD"), mean_ranks=np.array([1.0, 2.5, 2.5, 4.0]))
    table = table_in(REPORT.document(found), "ranking")
    assert table is not None
    assert [row.cells[0] for row in table.rows] == ["1", "2=", "2=", "4"]


def test_the_better_one_stands_first_and_its_difference_is_positive() -> None:
    lost = Effect(estimate=-0.25, low=-0.5, high=-0.125, confidence_level=0.95)
    pairs = (pair("A", "B", verdict="b better", effect=lost, statistic=-3.2, wins=4, losses=20, rank_biserial=-0.5),)
    rest = comparison(("A", "B", "C")).pairs[1:]
    table = table_in(REPORT.document(comparison(("A", "B", "C"), pairs=(*pairs, *rest))), "pairs")
    assert table is not None
    row = next(r.cells for r in table.rows if r.cells[:2] == ("B", "A"))
    assert row[2:] == ("first better", "0.0112", "0.00140", "0.250 [0.125, 0.500]", "20 / 1 / 4", "0.50", "3.200")


# --- files ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("suffix", "start"),
    [
        (".html", b"<!DOCTYPE html>"),
        (".HTML", b"<!DOCTYPE html>"),
        (".md", b"# 5 algorithms"),
        (".tex", b"% Written by bakeoff"),
        (".json", b"{"),
        (".svg", b"<svg"),
    ],
)
def test_the_suffix_picks_the_format(tmp_path: Path, suffix: str, start: bytes) -> None:
    path = tmp_path / f"out{suffix}"
    report.save(comparison(), path)
    content = path.read_bytes()
    assert start in content[:200]
    report.save(comparison(), str(path))  # again, over the old one
    assert path.read_bytes() == content
    assert os.listdir(tmp_path) == [path.name]


def test_files_have_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    report.save(comparison(), tmp_path / "out.json")
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("usual", "out.json")}
    assert len(modes) == 1


def test_a_file_keeps_its_permissions(tmp_path: Path) -> None:
    """A private report became readable by everybody when it was written again."""
    path = tmp_path / "private.json"
    path.touch(mode=0o600)
    report.save(comparison(), path)
    assert (stat.S_IMODE(path.stat().st_mode), path.stat().st_size > 500) == (0o600, True)


def test_what_cannot_be_written_is_said_before_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ParameterError, match=r"\.html, \.md, \.tex, \.json.*\.svg, \.png, \.pdf.*got '\.doc'"):
        report.save(comparison(), tmp_path / "out.doc")
    with pytest.raises(ParameterError, match="no suffix"):
        report.save(comparison(), tmp_path / "out")
    with pytest.raises(ParameterError, match="does not exist"):
        report.save(comparison(), tmp_path / "no" / "out.md")
    (tmp_path / "folder.md").mkdir()
    with pytest.raises(ParameterError, match="is a folder"):
        report.save(comparison(), tmp_path / "folder.md")
    (tmp_path / "old.md").write_text("old")
    monkeypatch.setattr(os, "replace", _full_disk)
    with pytest.raises(ParameterError, match="No space left"):
        report.save(comparison(), tmp_path / "old.md")
    assert (tmp_path / "old.md").read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == ["folder.md", "old.md"]


def _full_disk(*_: object) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.slow
def test_reports_are_the_same_every_time() -> None:
    for form in ("html", "md", "tex", "json", "txt"):
        assert report.render(comparison(EVIL), form) == report.render(comparison(EVIL), form)


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(ParameterError, match="format must be one of 'html', 'md'"):
        report.render(comparison(), "docx")


def test_a_frame_of_the_pairs() -> None:
    found = comparison()
    pairs = (dataclasses.replace(found.pairs[0], effect=None), *found.pairs[1:])
    frame = report.pairs_frame(dataclasses.replace(found, pairs=pairs))
    assert list(frame.columns) == [
        *("a", "b", "statistic", "pvalue", "log_pvalue", "adjusted_holm", "adjusted_finner", "verdict"),
        *(
            "effect",
            "effect_low",
            "effect_high",
            "interval_low",
            "interval_high",
            "rank_biserial",
            "wins",
            "ties",
            "losses",
        ),
    ]
    assert len(frame) == 10
    assert math.isnan(frame["effect"][0])
    assert frame["effect_low"][1] == 0.125


def test_cautions_with_strange_text_stay_on_their_line() -> None:
    found = comparison(cautions=(Caution(code="x", text="line\nbreak | <b>", reference="a & b"),))
    assert "line break \\| \\<b\\> (a \\& b)" in report.render(found, "md")
    assert "line break | &lt;b&gt;" in html.render(REPORT.document(found))


@pytest.mark.parametrize("pairwise", ["sign", "wilcoxon", "t", "mean-ranks"])
def test_a_turned_pair_is_the_pair_tested_the_other_way_round(pairwise: str) -> None:
    """Twin: the statistic shown for (winner, loser) is that of the table with the two columns exchanged."""
    values = np.random.default_rng(5).integers(0, 7, size=(31, 4)) + np.array([6.0, 4.0, 2.0, 0.0])
    names = ("A", "B", "C", "D")
    scores = Scores(values, algorithms=names, better="lower")
    turned = scores.select(algorithms=reversed(names))
    shown = table_in(REPORT.document(bo.compare(scores, pairwise=pairwise, posthoc="holm")), "pairs")
    again = table_in(REPORT.document(bo.compare(turned, pairwise=pairwise, posthoc="holm")), "pairs")
    assert shown is not None
    assert again is not None
    decided = sorted(row.cells for row in shown.rows if row.tone == "strong")
    assert len(decided) >= 3
    assert decided == sorted(row.cells for row in again.rows if row.tone == "strong")


def test_the_examples_are_comparisons() -> None:
    assert comparison().pairs[3].verdict == "a better"
    assert len(comparison(control="SaDE").pairs) == 4


# --- HTML on screens and paper ----------------------------------------------------------------------------


def test_only_what_scrolls_is_a_stop_of_the_tab_key() -> None:
    """Every figure and every table used to be one."""
    page = report.render(comparison(), "html")
    assert "<figure>" in page
    stops = re.findall(r'tabindex="0"[^>]*>\s*<table class="([^"]*)"', page)
    assert page.count("tabindex") == len(stops)
    assert all(kinds.startswith("square") for kinds in stops)


def test_titles_of_columns_that_become_labels_cannot_leave_their_style_sheet() -> None:
    """On a phone a row of pairs is a card; its labels come from a style sheet."""
    table = tabulate(
        "x", "", [number_column(str(i), "</style>'}\\ &", str) for i in "abcd"] + [text_column("n", "n", str)], [1]
    )
    found = str(html._labels(table, "t1"))
    assert found.count("<") == 2
    assert found.count("'") == 8
    assert r"content: '\3c \2f style\3e \27 \7d \5c \20 \26 \20 '" in found


def test_the_page_has_no_boxes_that_cut_figures() -> None:
    style = report.render(comparison(), "html").split("<style>")[1].split("</style>")[0]
    figure = re.search(r"\nfigure \{([^}]*)\}", style)
    assert figure is not None
    assert "max-height" not in figure[1]
    assert "overflow" not in figure[1]
    assert "max-width: 80rem" in style
