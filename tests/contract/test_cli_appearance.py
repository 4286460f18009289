"""The options on how reports look: --title and --look."""

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
    for name, options in (("plain", ()), ("bold", ("--look", "highlight=Theirs"))):
        ran(table, *options, *(f"--report={tmp_path / name}.{suffix}" for suffix in ("tex", "svg", "md")))
    assert r"\textbf{Theirs}" in (tmp_path / "bold.tex").read_text()
    assert r"\textbf{Theirs}" not in (tmp_path / "plain.tex").read_text()
    assert "**Theirs**" in (tmp_path / "bold.md").read_text()
    assert (tmp_path / "bold.svg").read_text() != (tmp_path / "plain.svg").read_text()
    assert "there are Ours, Theirs, Other" in refused(table, "--look", "highlight=Their").replace("'", "")


def test_figures_have_the_width_asked_for_and_no_caption(table: str, tmp_path: Path) -> None:
    ran(table, "--look", "width-mm=88", "--report", str(tmp_path / "a.svg"))
    ran(table, "--look", "caption=no", "--report", str(tmp_path / "b.svg"), "--report", str(tmp_path / "b.tikz"))
    assert 'width="88mm"' in (tmp_path / "a.svg").read_text()
    captions = [
        len(re.findall("<text[^>]*>[^<]*on 12 problems", (tmp_path / f).read_text())) for f in ("a.svg", "b.svg")
    ]
    assert captions == [1, 0]
    tikz = (tmp_path / "b.tikz").read_text()
    assert tikz.startswith("% needs \\usepackage{tikz}")
    assert "on 12 problems" not in tikz
    assert "from 60 to 2000" in refused(table, "--look", "width-mm=20")


def test_the_answer_itself_does_not_change(table: str) -> None:
    plain, styled = (
        json.loads(ran(table, "--json", *options)) for options in ((), ("--title", "T", "--look", "highlight=Ours"))
    )
    plain.pop("command"), styled.pop("command")
    assert plain == styled


def test_a_file_says_how_reports_look_and_the_printed_command_says_it_too(table: str, tmp_path: Path) -> None:
    look = tmp_path / "look.toml"
    look.write_text('highlight = "Ours"\nwidth-mm = 88\ncaption = "no"\n')
    ran(table, "--look", str(look), "--look", "width-mm=99", "--report", str(tmp_path / "a.svg"))
    assert 'width="99mm"' in (tmp_path / "a.svg").read_text()
    command = json.loads(ran(table, "--json", f"--look={look}"))["command"]
    assert "--look highlight=Ours --look width-mm=88 --look caption=no" in command
    assert str(look) not in command


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (["--look", "with-mm=80"], "'with-mm'; did you mean 'width-mm'? The keys are highlight, width, width-mm,"),
        (["--look", "caption=maybe"], "--look caption must be yes or no; got 'maybe'"),
        (["--look", "highlight="], "must be the name of an algorithm"),
        (["--look", "nothing"], "must be KEY=VALUE or a TOML file of such lines; there is no file 'nothing'"),
        (["--highlight", "Ours"], "say --look highlight=NAME"),
        (["--width-mm", "88"], "say --look width-mm=N"),
        (["--no-caption"], "say --look caption=no"),
        (["--no-script"], "say --look script=no"),
        (["--call", "algorithms=methods"], "as the heads of the table do"),
        (["--sensitivity"], "it is bakeoff sensitivity FILE; bakeoff report"),
    ],
)
def test_what_no_look_is_is_refused_with_what_to_say(table: str, asked: list[str], answer: str) -> None:
    assert answer in refused(table, *asked)


@pytest.mark.parametrize("text", ["with-mm = 80", "highlight = 3", "width-mm", 'script = "never"'])
def test_a_file_that_holds_something_else_is_refused_by_name(table: str, tmp_path: Path, text: str) -> None:
    look = tmp_path / "look.toml"
    look.write_text(text)
    assert f"--look file {str(look)!r}" in refused(table, "--look", str(look))
