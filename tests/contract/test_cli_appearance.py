"""The options on how reports look: --title, --highlight, --width-mm, --no-caption."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from bakeoff.cli import main


@pytest.fixture
def table(tmp_path: Path) -> str:
    rows = [f"p{i},{i + 0.1 * i},{i + 1.5 + 0.2 * i},{i + 1.7}" for i in range(12)]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(["problem,Ours,Theirs,Other", *rows]))
    return str(path)


def ran(*arguments: str) -> str:
    done = CliRunner().invoke(main, ["compare", *arguments, "--better", "lower"])
    assert done.exit_code == 0, done.output
    return done.output


def refused(*arguments: str) -> str:
    done = CliRunner().invoke(main, ["compare", *arguments, "--better", "lower"])
    assert done.exit_code == 2, done.output
    return done.output


def test_a_report_has_the_title_asked_for(table: str, tmp_path: Path) -> None:
    """U-A34: all reports were called "8 algorithms on 40 problems"."""
    ran(table, "--title", "A <study> & more", "--report", str(tmp_path / "r.html"), "--report", str(tmp_path / "r.md"))
    assert "A &lt;study&gt; &amp; more" in re.findall("<title>(.*?)</title>", (tmp_path / "r.html").read_text())[0]
    assert (tmp_path / "r.md").read_text().startswith("# A \\<study\\> \\& more")


def test_one_algorithm_is_emphasised_in_tables_and_figures(table: str, tmp_path: Path) -> None:
    """U-A33: the own method could not be emphasised among all pairs."""
    for name, options in (("plain", ()), ("bold", ("--highlight", "Theirs"))):
        ran(table, *options, *(f"--report={tmp_path / name}.{suffix}" for suffix in ("tex", "svg", "md")))
    assert r"\textbf{Theirs}" in (tmp_path / "bold.tex").read_text()
    assert r"\textbf{Theirs}" not in (tmp_path / "plain.tex").read_text()
    assert "**Theirs**" in (tmp_path / "bold.md").read_text()
    assert (tmp_path / "bold.svg").read_text() != (tmp_path / "plain.svg").read_text()
    assert "there are Ours, Theirs, Other" in refused(table, "--highlight", "Their").replace("'", "")


def test_figures_have_the_width_asked_for_and_no_caption(table: str, tmp_path: Path) -> None:
    ran(table, "--width-mm", "88", "--report", str(tmp_path / "a.svg"))
    ran(table, "--no-caption", "--report", str(tmp_path / "b.svg"), "--report", str(tmp_path / "b.tikz"))
    assert 'width="88mm"' in (tmp_path / "a.svg").read_text()
    captions = [
        len(re.findall("<text[^>]*>[^<]*on 12 problems", (tmp_path / f).read_text())) for f in ("a.svg", "b.svg")
    ]
    assert captions == [1, 0]
    tikz = (tmp_path / "b.tikz").read_text()
    assert tikz.startswith("% needs \\usepackage{tikz}")
    assert "on 12 problems" not in tikz
    assert "60<=x<=2000" in refused(table, "--width-mm", "20")


def test_the_answer_itself_does_not_change(table: str) -> None:
    plain, styled = (
        json.loads(ran(table, "--json", *options)) for options in ((), ("--title", "T", "--highlight", "Ours"))
    )
    plain.pop("command"), styled.pop("command")
    assert plain == styled


@pytest.mark.parametrize("words", ["algorithms=methods", "algorithms=methods,problems=data sets"])
@pytest.mark.slow_cases("algorithms=methods")
def test_a_page_in_other_words_is_verified(table: str, tmp_path: Path, words: str) -> None:
    page = tmp_path / "r.html"
    ran(table, "--call", words, "--title", "Ours", "--report", str(page))
    assert "3 methods" in page.read_text(encoding="utf-8")
    assert CliRunner().invoke(main, ["verify", str(page)]).exit_code == 0
    page.write_text(page.read_text(encoding="utf-8").replace("methods", "algorithms", 1), encoding="utf-8")
    assert CliRunner().invoke(main, ["verify", str(page)]).exit_code == 1
