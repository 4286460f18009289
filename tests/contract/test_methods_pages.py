"""docs/methods: a page per procedure, with all its sections, formulas that convert, snippets and commands that run."""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from bakeoff.adjusting.methods import CONTROL_METHODS, PAIRWISE_METHODS
from bakeoff.analyses.compare.reporting.citations import ALSO_USED
from bakeoff.analyses.compare.statistics.catalogue import POSTHOC
from bakeoff.analyses.compare.statistics.recipes import RECIPES
from bakeoff.cli import main
from bakeoff.effects import EFFECTS
from bakeoff.omnibus import OMNIBUS
from bakeoff.paired import OF_ONE_PAIR, PAIRED
from bakeoff.posthoc import OF_FOLDS, PAIRWISE, RANKINGS
from bakeoff.report.references import bibliography
from bakeoff.wings.run.racing.rules import METRIC_RULES, RULES

ROOT = Path(__file__).parents[2]
METHODS = ROOT / "docs" / "methods"
DATASETS = ROOT / "src" / "bakeoff" / "datasets"
OTHERS = {"index", "bibliography", "effects-of-compare"}
PAGES = sorted(path.stem for path in METHODS.glob("*.md") if path.stem not in OTHERS)
SECTIONS = [
    "Question",
    "When to use it",
    "Formula",
    "Assumptions",
    "Exactness, ties, missing scores",
    "Cost",
    "Call",
    "Example",
    "Paper",
]
REGISTRIES = {
    "OMNIBUS": OMNIBUS,
    "PAIRED": PAIRED,
    "PAIRWISE": {name: test for name, test in PAIRWISE.items() if name not in RANKINGS},
    "RANKINGS": RANKINGS,
    "OF_FOLDS": {name: test for name, test in OF_FOLDS.items() if name not in OF_ONE_PAIR},
    "OF_ONE_PAIR": OF_ONE_PAIR,
    "CONTROL_METHODS": CONTROL_METHODS,
    "PAIRWISE_METHODS": PAIRWISE_METHODS,
    "POSTHOC": POSTHOC,
    "EFFECTS": EFFECTS,
    "ALSO_USED": {name: term for name, term in ALSO_USED.items() if name != "greenhouse"},  # on the page of ANOVA
    "RECIPES": RECIPES,
    "RULES": RULES,
    "METRIC_RULES": METRIC_RULES,
}
"""Of each registry the records that a page must name."""

pytestmark = pytest.mark.skipif(not METHODS.exists(), reason="the pages are in the repository only")


def text(name: str) -> str:
    return (METHODS / f"{name}.md").read_text(encoding="utf-8")


def sections(name: str) -> dict[str, str]:
    parts = re.split(r"^## (.+)$", text(name), flags=re.MULTILINE)
    return {head: body.strip() for head, body in zip(parts[1::2], parts[2::2], strict=True)}


def field(name: str, key: str) -> list[str]:
    found = re.search(rf"^{key}: \[(.*)\]$", text(name).split("\n---\n")[0], re.MULTILINE)
    return [one for one in found[1].split(", ") if one] if found else []


def test_every_record_has_its_page() -> None:
    named = {record: name for name in PAGES for record in field(name, "records")}
    wanted = {f"{registry}/{name}": name for registry, records in REGISTRIES.items() for name in records}
    assert named.keys() == wanted.keys()
    for record, name in wanted.items():
        assert named[record] == (f"race-{name}" if "RULES" in record else name), record
    assert len(PAGES) >= 80


@pytest.mark.parametrize("name", PAGES)
def test_a_page_says_all(name: str) -> None:
    found = sections(name)
    assert list(found)[: len(SECTIONS)] == SECTIONS
    assert all(found[heading] for heading in SECTIONS), name
    for line in text(name).split("\n---\n")[0].splitlines()[1:]:
        assert line.split(": ", 1)[1].count('"') in (0, 2), line  # YAML
    assert set(field(name, "cite")) <= bibliography().keys()
    assert "$$" in found["Formula"]
    assert "`bo." in found["Call"]
    assert ">>> " in found["Example"]
    assert "bibliography.md#" in found["Paper"] or name == "a12"


def formulas(name: str) -> Iterator[str]:
    without_code = re.sub(r"^```.*?^```$", "", text(name), flags=re.MULTILINE | re.DOTALL)
    without_code = re.sub(r"`[^`\n]+`", "", without_code)
    yield from re.findall(r"^\$\$\n(.*?)\n\$\$$", without_code, re.MULTILINE | re.DOTALL)
    rest = re.sub(r"^\$\$\n.*?\n\$\$$", "", without_code, flags=re.MULTILINE | re.DOTALL)
    yield from re.findall(r"\$([^$]+)\$", rest)
    assert rest.count("$") % 2 == 0


@pytest.mark.slow
@pytest.mark.needs("latex2mathml")
def test_formulas_convert() -> None:
    """The site writes them as MathML; a command that the converter does not know would stand there as text."""
    from latex2mathml.converter import convert

    total = 0
    for name in PAGES:
        for formula in formulas(name):
            html = convert(formula)
            assert "\\" not in html.replace("&#x0005C;", ""), (name, formula)
            assert html.startswith("<math"), (name, formula)
            total += 1
    assert total > 500


@pytest.mark.few(3, 72)
@pytest.mark.parametrize("name", PAGES)
def test_the_example_prints_what_the_page_says(name: str) -> None:
    for number, block in enumerate(re.findall(r"^```pycon\n(.*?)^```$", text(name), re.MULTILINE | re.DOTALL)):
        case = doctest.DocTestParser().get_doctest(block, {}, f"{name}.md, block {number}", None, 0)
        said: list[str] = []
        doctest.DocTestRunner().run(case, out=said.append)
        assert not said, "".join(said)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the commands of the pages name."""
    folder = tmp_path_factory.mktemp("methods")
    rng = np.random.default_rng(1)

    def table(name: str, head: str, rows: list[list[object]]) -> None:
        lines = [head, *(",".join(str(cell) for cell in row) for row in rows)]
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")

    shutil.copy(DATASETS / "demsar_2006.csv", folder / "scores.csv")
    shutil.copy(DATASETS / "derrac_cec2005.csv", folder / "cec2005.csv")
    table("holes.csv", "problem,a,b,c", [[f"p{i}", i + 1, i + 2 if i % 3 else "", i + 3] for i in range(12)])
    right = (rng.random((40, 3)) < [0.9, 0.6, 0.5]).astype(int).tolist()
    table(
        "answers.csv", "problem,passage,new,old,older", [[f"q{i}", f"t{i // 2}", *row] for i, row in enumerate(right)]
    )
    table("right.csv", "problem,new,old,older", [[f"q{i}", *row] for i, row in enumerate(right)])
    twice = [
        [f"q{i}", name, r, int(rng.random() < chance)]
        for i in range(40)
        for name, chance in (("new", 0.8), ("old", 0.6))
        for r in (1, 2)
    ]
    table("answers-twice.csv", "problem,algorithm,run,score", twice)
    runs = [
        [f"p{i}", name, r, round(level + rng.normal(0, 0.02), 4), round(cost * float(rng.lognormal(0, 0.1)), 4)]
        for i in range(12)
        for name, level, cost in (("new", 0.80, 1.0), ("old", 0.78, 2.0), ("older", 0.70, 3.0))
        for r in (1, 2, 3, 4, 5)
    ]
    table("runs.csv", "problem,algorithm,run,accuracy,seconds", runs)
    halves = [
        [r, f, *(round(level + rng.normal(0, 0.02), 4) for level in (0.8, 0.78))] for r in range(5) for f in (1, 2)
    ]
    table("folds.csv", "repeat,fold,new,old", halves)
    tenths = [[i // 10, i % 10, *np.round(rng.normal((0.8, 0.78), 0.02), 4)] for i in range(100)]
    table("ten-times-ten.csv", "repeat,fold,new,old", tenths)
    weeks = [[f"2025-W{i:02}", round(20 + rng.normal(), 2), round(21 + rng.normal(), 2)] for i in range(1, 53)]
    table("weeks.csv", "week,ets,arima", weeks)
    table("seconds.csv", "problem,algorithm,run,seconds", [[*row[:3], row[4]] for row in runs if row[1] != "older"])
    table(
        "times.csv",
        "problem,a,b",
        [["p1", 3, 4], ["p2", 12, 30], ["p3", 99, 50], ["p4", 99, 99], ["p5", 8, 7], ["p6", 5, 20]],
    )
    steps = [
        [f"p{p}", name, r, b, round(s * (1 + p) / b, 6)]
        for p in range(8)
        for name, s in (("new", 1.0), ("old", 2.0))
        for r in (1, 2)
        for b in (1, 2, 4, 8)
    ]
    table("curves.csv", "problem,algorithm,run,budget,score", steps)
    battles = [["x", "y", "x"]] * 7 + [["x", "y", "y"]] * 6 + [["x", "z", "x"]] * 9 + [["x", "z", "z"]] * 4
    table("battles.csv", "a,b,winner", [*battles, *[["y", "z", "y"]] * 7, *[["y", "z", "z"]] * 6])
    table("history.csv", "benchmark,v0,v1,v2,v3,v4,v5,v6,v7", [["sort", 10, 11, 9, 10.5, 14, 15, 13, 16]])
    for name, factor in (("base.csv", 1.0), ("new.csv", 1.01)):
        times = [["sort", "build", r, round(factor * (1 + 0.01 * (r % 3)), 3)] for r in range(6)]
        table(name, "problem,algorithm,run,score", times)
    return folder


def commands() -> list[tuple[str, str]]:
    """(page, command), each command once."""
    found: dict[str, str] = {}
    for name in PAGES:
        for block in re.findall(r"^```console\n(.*?)^```$", text(name), re.MULTILINE | re.DOTALL):
            found.update({line[2:]: found.get(line[2:], name) for line in block.splitlines()})
    return [(name, command) for command, name in found.items()]


@pytest.mark.few(5, 32)
@pytest.mark.parametrize(("name", "command"), commands())
def test_the_command_of_a_page_runs(name: str, command: str, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(files)
    done = CliRunner().invoke(main, shlex.split(command)[1:])
    assert done.exit_code == 0, (name, done.output)


@pytest.mark.slow
def test_every_page_is_in_the_index_and_both_lists_are_current() -> None:
    script = [sys.executable, str(ROOT / "docs" / "generate" / "methods_index.py"), "--check"]
    done = subprocess.run(script, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for name in [*PAGES, "effects-of-compare", "bibliography"]:
        assert f"]({name}.md)" in text("index"), name


def anchors(page: Path) -> set[str]:
    """Of its headings, as GitHub and MyST make them."""
    heads = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", re.sub(r"`", "", head).lower()).replace(" ", "-") for head in heads}


@pytest.mark.few(41)
@pytest.mark.parametrize("name", [*PAGES, "index", "bibliography", "effects-of-compare"])
def test_links_lead_somewhere(name: str) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", text(name)):
        if target.startswith("https://doi.org/"):
            continue
        path, _, anchor = target.partition("#")
        page = (METHODS / path).resolve() if path else METHODS / f"{name}.md"
        assert page.exists(), target
        assert not anchor or anchor in anchors(page), target
