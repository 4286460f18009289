"""The pages for beginners, of the map of questions, of understanding and for reviewers: all that they show is so."""

from __future__ import annotations

import importlib
import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import click
import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.analyses.compare.statistics.verdicts import Verdict
from bakeoff.cli import main
from bakeoff.errors import InfiniteScoreError
from bakeoff.wings.bayes.statements.verdicts import STATEMENTS
from bakeoff.wings.guard.history.statistics._change_points import BenchmarkHistory
from bakeoff.wings.guard.timing._time_ratios import Verdict as OfRatio

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
DATASETS = ROOT / "src" / "bakeoff" / "datasets"
NEW = [
    *("start/two-commands.md", "start/first-report.md", "questions.md", "reviewers.md"),
    *("how-to/latex.md", "how-to/notebook.md"),
    *(f"understand/{page}.md" for page in ("verdicts", "multiplicity", "margins", "peeking", "never-zero")),
    *(f"understand/{page}.md" for page in ("effects", "ties", "clusters")),
]

pytestmark = pytest.mark.skipif(not DOCS.exists(), reason="the pages are in the repository only")


def text_of(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


def blocks(page: str) -> list[tuple[str, str]]:
    """(language, content) of each fenced block, in order."""
    return re.findall(r"^```(\w+)$\n(.*?)^```$", text_of(page), re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shutil.copy(DATASETS / "demsar_2006.csv", "scores.csv")
    return tmp_path


def said(command: str) -> str:
    """What a command prints, in 80 columns."""
    done = CliRunner().invoke(main, shlex.split(command)[1:], env={"COLUMNS": "80", "NO_COLOR": "1"})
    assert done.exit_code in (0, 1), (command, done.output)
    return done.stdout


# --- the first report


@pytest.mark.slow
def test_two_commands(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install, command = blocks("start/two-commands.md")[0][1].splitlines()
    assert install.endswith("pip install '.[web]'")
    monkeypatch.chdir(ROOT)
    printed = said(command.removeprefix("$ ").replace("report.html", str(folder / "report.html")))
    assert printed.startswith(blocks("start/two-commands.md")[1][1])
    assert (folder / "report.html").exists()
    monkeypatch.chdir(folder)
    text = (DATASETS / "demsar_2006.csv").read_text(encoding="utf-8").replace("C4.5,", "mine,", 1)
    Path("scores.csv").write_text(text, encoding="utf-8")
    for line in blocks("start/two-commands.md")[3][1].splitlines():
        assert "best mean rank" in said(line.removeprefix("$ ")) or "(the control)" in said(line.removeprefix("$ "))
    for language, code in blocks("start/two-commands.md"):
        if language == "python":
            exec(code, {})


def test_every_line_of_the_first_report_is_explained(folder: Path) -> None:
    """The blocks of the page, one after the other, are what the command prints."""
    shutil.copy(DATASETS / "derrac_cec2005.csv", "scores.csv")
    page = "start/first-report.md"
    command = blocks(page)[0][1].splitlines()[1].removeprefix("$ ")
    shown = [line for language, text in blocks(page) if language == "text" for line in text.splitlines()]
    printed = said(command).splitlines()
    assert [line for line in shown if line] == [line for line in printed if line]
    explained = re.split(r"^```(?:text)?$", text_of(page), flags=re.MULTILINE)
    assert len(explained) > 16
    sections = re.findall(r"<h2[^>]*>([^<]+)</h2>", Path("report.html").read_text(encoding="utf-8"))
    page_sections = re.findall(r"^### (.*)$", text_of(page).split("## In the HTML report")[1], re.MULTILINE)
    assert page_sections == sections


# --- the map of questions


def commands() -> set[str]:
    return set(main.list_commands(click.Context(main)))


def test_every_command_is_in_the_map() -> None:
    page = text_of("questions.md")
    table = set(re.findall(r"^\|[^|]*\| `bakeoff ([\w-]+)` \|", page.split("## Every command")[1], re.MULTILINE))
    assert table == commands()
    anywhere = {name for page_ in NEW for name in re.findall(r"`bakeoff ([a-z-]+)", text_of(page_))}
    assert anywhere <= table


def anchors(page: Path) -> set[str]:
    """As MyST and GitHub make them of headings."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE):
        plain = re.sub(r"[^\w\s-]", "", heading.replace("`", "").lower())
        found.add(re.sub(r"\s", "-", plain.strip()))
    return found


@pytest.mark.parametrize("page", NEW)
def test_links_lead_somewhere(page: str) -> None:
    here = (DOCS / page).parent
    links = re.findall(r"\]\((?!http)([^)\s#]*)(?:#([\w-]+))?\)", text_of(page))
    assert links
    for target, anchor in links:
        path = (here / target).resolve() if target else DOCS / page
        assert path.is_relative_to(ROOT), target
        assert path.exists(), target
        if anchor:
            assert anchor in anchors(path), (target, anchor)


# --- understanding


def section(command: str) -> str:
    """Of the page of verdicts."""
    for head, text in re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", text_of("understand/verdicts.md"), re.M | re.S):
        if f"`bakeoff {command}`" in head:
            return str(text)
    raise AssertionError(command)


def words(kind: Any) -> Iterator[str]:
    """Of a Literal, or of a union of them."""
    for one in get_args(kind):
        yield from [one] if isinstance(one, str) else words(one)


def literals() -> Iterator[tuple[str, Any]]:
    """The words of the verdicts that an analysis has of its own: a Literal beside its results."""
    yield "time", OfRatio
    for path in sorted((ROOT / "src" / "bakeoff" / "analyses").glob("*/statistics/results.py")):
        folder = path.parents[1].name
        known = vars(importlib.import_module(f"bakeoff.analyses.{folder}.statistics.results"))
        own = re.findall(r"^(Verdict|State|Decision) = Literal", path.read_text(encoding="utf-8"), re.M)
        yield from ((folder.replace("_", "-"), known[name]) for name in own)


@pytest.mark.parametrize(("command", "kind"), list(literals()))
def test_every_verdict_is_explained(command: str, kind: Any) -> None:
    found = list(words(kind))
    assert found
    for word in found:
        assert f"`{word}`" in section(command), word


def test_the_verdicts_of_compare_and_of_probabilities() -> None:
    shared = text_of("understand/verdicts.md").split("## `bakeoff compare`")[0]
    for word in words(Verdict):
        assert f"`{word}`" in shared + section("compare"), word
    for word in (*STATEMENTS, "undecided", "indeterminate", "different", "no difference shown", "cannot tell"):
        assert f"`{word}`" in section("bayes"), word
    for word in ("changed", "no change shown", "cannot tell"):
        assert word in str(get_type_hints(BenchmarkHistory)["verdict"])
        assert f"`{word}`" in section("history"), word


def test_numbers_of_the_page_of_verdicts() -> None:
    """They are those of examples that the tests compute, or of another page that does."""
    again = re.search(r"In (\d+)\s+% of second experiments", section("sensitivity"))
    assert again
    assert f"in {again[1]} % of second experiments" in text_of("trust/solid.md")
    planned = re.search(r"\*(\d+) problems detect an effect of ([\d.]+) with power ([\d.]+)\*", section("plan"))
    assert planned
    assert bo.plan.instances(float(planned[2]), power=float(planned[3])).n == int(planned[1])
    for ratio in re.findall(r"\*(?:new is|at least) ([\d.]+) times", section("time")):
        assert f"{ratio} times as fast as old" in text_of("how-to/time.md")


def test_every_command_that_judges_has_a_section() -> None:
    named = set(
        re.findall(r"`bakeoff ([\w-]+)`", " ".join(re.findall(r"^## .*$", text_of("understand/verdicts.md"), re.M)))
    )
    others = {
        "baseline",
        "status",
        "rerun",
        "import",
        "export",
        "merge",
        "cite",
        "report",
        "serve",
        "try",
        "demo",
        "datasets",
        "explain",
        "init",
        "docs",
        "protocol",
    }
    assert commands() - others - {"schema", "protocol"} == named


def test_infinite_and_tied_scores_are_treated_as_the_table_says() -> None:
    """Rows of understand/ties.md that a change of the code would make wrong."""
    values = [[float("inf"), 1.0, 2.0], *([float(i), i + 1.5 * (-1) ** i, i + 0.5] for i in range(11))]
    scores = bo.Scores(values, ["a", "b", "c"], better="lower")
    assert bo.compare(scores).choices
    for refused in (bo.wilcoxon, bo.paired_t, bo.bayes.signed_rank):
        with pytest.raises(InfiniteScoreError):
            refused(scores, "a", "b")
    for table in (bo.quade, bo.aligned_friedman, bo.evaluate):
        with pytest.raises(InfiniteScoreError):
            table(scores)
    for taken in (bo.sign_test, bo.hodges_lehmann, bo.bayes.sign_test):
        taken(scores, "a", "b")
    bo.ratings(scores, n_resamples=100)
    tied = bo.Scores([[1.0, 1.0], [1.0, 2.0], [3.0, 2.0]], ["a", "b"], better="lower")
    assert bo.multiple_sign_test(tied, "a").counts.tolist() == [2]
    assert (bo.sign_test(tied, "a", "b").n, bo.sign_test(tied, "a", "b", ties="drop").n) == (2, 2)


# --- what the pages compute


@pytest.mark.few(3)
@pytest.mark.parametrize("page", [page for page in NEW if "```python" in text_of(page)])
def test_python_of_the_page(page: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    """Each block runs, and prints what the block of text after it shows."""
    text = Path("scores.csv").read_text(encoding="utf-8")
    if page == "start/two-commands.md":
        Path("scores.csv").write_text(text.replace("C4.5,", "mine,", 1), encoding="utf-8")
    bo.compare(bo.datasets.load("demsar_2006")).save("result.json")
    monkeypatch.setattr("sys.argv", ["ten_lines.py", "result.json"])
    names: dict[str, Any] = {}
    found = blocks(page)
    for i, (language, code) in enumerate(found):
        if language != "python":
            continue
        exec(compile(code, page, "exec"), names)
        printed = capsys.readouterr().out
        following = found[i + 1] if i + 1 < len(found) else ("", "")
        if following[0] == "text":
            assert following[1] == printed, page


# --- reviewers


def test_what_verify_says(folder: Path) -> None:
    said("bakeoff compare scores.csv --better higher --report result.json")
    report = json.loads(Path("result.json").read_text(encoding="utf-8"))
    report["pairs"][0]["adjusted"]["bergmann-hommel"] = 0.001
    Path("changed.json").write_text(json.dumps(report), encoding="utf-8")
    shown = [text for language, text in blocks("reviewers.md") if language == "console"]
    assert len(shown) == 2
    for text in shown:
        command, _, answer = text.partition("\n")
        assert said(command.removeprefix("$ ")) == answer
    script = (ROOT / "tests" / "oracles" / "ten_lines.py").read_text(encoding="utf-8")
    assert script in text_of("reviewers.md")


# --- a CSV of answers


@pytest.mark.slow
def test_a_csv_of_answers(folder: Path) -> None:
    """Columns question, passage, model: evaluate knows them, check is told; a plan from one answer to each question."""
    rng = np.random.default_rng(5)
    passage = rng.normal(size=40)
    rows = ["question,passage,model,score"]
    for q in range(200):
        level = 0.7 * passage[q // 5] + rng.normal()
        rows += [f"q{q},p{q // 5},{name},{int(level + rng.normal() > 0)}" for name in ("gpt-x", "llama-y")]
    Path("answers.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    own = text_of("how-to/evaluations.md").split("## You have a CSV of answers")[1].split("\n## ")[0]
    commands = [line[2:] for line in own.splitlines() if line.startswith("$ ")]
    assert [command.split()[1] for command in commands] == ["evaluate", "check", "plan", "plan"]
    assert "in 40 clusters" in " ".join(said(commands[0]).split())
    done = CliRunner().invoke(main, shlex.split(commands[1])[1:])
    assert done.exit_code in (0, 1, 3), done.output  # a verdict, not a refusal
    assert "INCONCLUSIVE" in done.output
    for command in commands[2:]:
        planned = CliRunner().invoke(main, shlex.split(command)[1:])
        (n,) = re.findall(r"^(\d+) questions (?:in \d+ clusters )?detect a difference of 0\.03", planned.output)
        assert 1000 < int(n) < 10000


# --- LaTeX


def latex_commands() -> list[str]:
    lines = [
        line for language, text in blocks("how-to/latex.md") if language == "console" for line in text.splitlines()
    ]
    return [line.removeprefix("$ ") for line in lines]


@pytest.mark.slow
def test_the_commands_for_latex_and_the_paper(folder: Path) -> None:
    (look,) = [text for language, text in blocks("how-to/latex.md") if language == "toml"]
    Path("paper.toml").write_text(look, encoding="utf-8")
    for command in latex_commands():
        said(command)
    assert all(Path(name).exists() for name in ("paper.tex", "scores.tex", "ranks.pdf", "ranks.tikz", "result.json"))
    assert {"fig:paper", "tab:paper-ranking", "tab:paper-pairs"} <= set(
        re.findall(r"\\label\{([^}]*)\}", Path("paper.tex").read_text(encoding="utf-8"))
    )
    assert r"\bakeoffcite" in Path("paper.tex").read_text(encoding="utf-8")
    assert "@article{" in said("bakeoff cite result.json")
    if shutil.which("pdflatex") is None:
        pytest.skip("no pdflatex")
    (paper, _) = [text for language, text in blocks("how-to/latex.md") if language == "latex"]
    Path("main.tex").write_text(paper, encoding="utf-8")
    for _ in range(2):
        done = subprocess.run(["pdflatex", "-interaction=nonstopmode", "main.tex"], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-2000:]
    assert "undefined" not in done.stdout
