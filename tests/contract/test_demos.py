"""bakeoff explain and bakeoff demo: every caution is shown by its own files, and by no other caution than stated."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from bakeoff.cautions import Explanation, explanations, facts, former
from bakeoff.cli import main
from bakeoff.errors import caution_name

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "understand" / "cautions.md"
ALL = explanations()
EXPLAINED_ONLY = {
    "not-computed (tied-sets)",
    "path-is-no-statement",
    "changed (problems)",
    "network-file-system",
    "not-reproducible (runs)",
    "one-side-first",
    "open-cluster",
    "shell-time",
}
SHOWN = [entry for entry in ALL.values() if entry.run]


def printed(*args: str, code: int = 0) -> str:
    outcome = CliRunner().invoke(main, list(args))
    assert outcome.exit_code == code, outcome.output
    return outcome.stdout if code == 0 else outcome.output


def check(entry: Explanation) -> None:
    found = json.loads(printed("demo", *words(entry), "--json"))["cautions"]
    severities = {caution_name(caution["code"], caution["object"]): caution["severity"] for caution in found}
    assert set(severities) == {entry.name, *(entry.along or {})}, entry.name
    assert severities[entry.name] == entry.severity, entry.name
    if PAGE.exists():  # the sentence on the page is the one that is printed
        key = (entry.code, entry.object)
        sentence = next(" ".join(c["text"].split()) for c in found if (c["code"], c["object"]) == key)
        below = PAGE.read_text(encoding="utf-8").partition(f"### `{entry.code}`\n")[2].partition("\n### ")[0]
        assert f" {entry.name}: {sentence} ```" in " ".join(below.split()), entry.name


def words(entry: Explanation) -> list[str]:
    return [entry.code, *filter(None, [entry.object])]


@pytest.mark.few(4, 44)
@pytest.mark.parametrize("entry", [entry for entry in SHOWN if not entry.seconds], ids=lambda entry: entry.name)
def test_a_demo_gives_its_caution(entry: Explanation) -> None:
    check(entry)


@pytest.mark.slow
@pytest.mark.parametrize("entry", [entry for entry in SHOWN if entry.seconds], ids=lambda entry: entry.name)
def test_a_longer_demo_gives_its_caution(entry: Explanation) -> None:
    check(entry)


def test_the_clean_one_gives_none() -> None:
    assert json.loads(printed("demo", "clean", "--json"))["cautions"] == []
    assert "Read this before quoting" not in printed("demo", "clean")


def test_a_demo_prints_data_command_and_output() -> None:
    shown = printed("demo", "near-ties")
    assert "p4,0.3,0.30000000000000004,3.5" in shown
    assert "$ bakeoff compare near-ties.csv --better lower" in shown
    assert "! near-ties: In 1 problem two scores" in shown


def test_a_demo_in_python_prints_code_and_caution() -> None:
    shown = printed("demo", "out-of-reach", "differences")
    assert '>>> result = bo.wilcoxon(scores, "A", "B")' in shown
    assert "! out-of-reach (differences): With 3 non-zero differences" in shown


def test_files_are_copied_and_never_overwritten(tmp_path: Path) -> None:
    said = printed("demo", "near-ties", "--copy", str(tmp_path / "new"))
    assert "$ bakeoff compare near-ties.csv --better lower" in said
    table = tmp_path / "new" / "near-ties.csv"
    assert "0.30000000000000004" in table.read_text()
    table.write_text("mine")
    assert "already exists" in printed("demo", "near-ties", "--copy", str(tmp_path / "new"), code=2)
    assert table.read_text() == "mine"


def test_lists() -> None:
    shown = printed("explain")
    assert all(f"  {code} " in shown for code in facts())
    shown = printed("demo")
    assert all(f"  {' '.join(words(entry))} " in shown for entry in ALL.values() if entry.run or entry.no_run)


def test_explain() -> None:
    shown = printed("explain", "pool-dependent", "verdicts")
    assert shown.startswith("pool-dependent (verdicts) (warning): Does a verdict depend on the other algorithms?")
    assert "What to do: do not report those" in shown
    assert not re.search(r"[`*]|\]\(", shown)


def test_explain_takes_a_name_as_it_is_printed() -> None:
    assert printed("explain", "too-few (units)") == printed("explain", "too-few", "units")


def test_explain_lists_the_objects_of_a_code() -> None:
    shown = printed("explain", "too-few")
    assert "bakeoff explain too-few OBJECT" in shown
    assert all(entry.object in shown for entry in facts()["too-few"].objects)


@pytest.mark.parametrize("command", ["explain", "demo"])
def test_a_former_code_says_what_it_is_called_now(command: str) -> None:
    assert "'near-ties' is now" not in printed("explain", "near-ties")
    assert "'tied-scores' is now ties (scores)" in printed(command, "tied-scores", code=2)
    assert "too-few has the objects units, " in printed(command, "too-few", "unit", code=2)


def test_former_codes_lead_to_cautions() -> None:
    assert [name for names in former().values() for name in names if name not in ALL] == []
    assert former().keys() & facts().keys() == set()


@pytest.mark.parametrize("command", ["explain", "demo"])
def test_an_unknown_code(command: str) -> None:
    assert "did you mean 'near-ties'" in printed(command, "near-tie", code=2)


def test_every_entry_is_whole() -> None:
    for entry in ALL.values():
        assert entry.question.endswith("?"), entry.name
        assert entry.means, entry.name
        assert entry.do, entry.name
        assert entry.severity in ("stop", "warning", "note"), entry.name
    assert [code for code, fact in facts().items() if not any(e.run or e.no_run for e in fact.objects)] == []


def test_what_is_explained_only() -> None:
    """The rest, each with its reason."""
    assert {entry.name for entry in ALL.values() if entry.no_run} == EXPLAINED_ONLY
    assert {entry.name for entry in ALL.values() if entry.no_run.startswith("takes ")} == EXPLAINED_ONLY


def test_a_code_without_demo_says_so() -> None:
    assert "bakeoff explain open-cluster explains it" in printed("demo", "open-cluster", code=2)


def test_every_file_is_used() -> None:
    folder = ROOT / "src" / "bakeoff" / "cautions" / "files"
    used = {name for entry in SHOWN for name in entry.files} | {"clean.csv"}
    assert {path.name for path in folder.iterdir() if path.is_file()} == used


@pytest.mark.slow
def test_every_code_has_an_entry() -> None:
    path = Path(__file__).with_name("test_cautions_page.py")
    spec = importlib.util.spec_from_file_location("cautions_page", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert set(ALL) == set(module.explanations())


def test_the_page_is_of_the_same_texts() -> None:
    """Headings, questions and texts; the sentences of the demonstrations are compared with what is printed."""
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    for fact in facts().values():
        do = f" **Do:** {fact.do}" if fact.do else ""
        said = [f"### `{fact.code}` *{fact.question}* {fact.means}{do}"]
        own = [entry for entry in fact.objects if not fact.do and not entry.like]
        said += [f"#### `{entry.name}` *{entry.question}* {entry.means} **Do:** {entry.do}" for entry in own]
        assert [text for text in said if " ".join(text.split()) not in page] == []


@pytest.mark.parametrize("code", ["near-ties", "too-few planned-problems"])
@pytest.mark.slow_cases("too-few planned-problems")
def test_a_page_fits_a_terminal_of_80_columns(code: str) -> None:
    assert [line for line in printed("demo", *code.split()).splitlines() if len(line) > 80] == []
