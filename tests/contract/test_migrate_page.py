"""docs/how-to/migrate.md: every call that it puts in the place of another tool's runs, and none gives p = 0 by chance.

That the numbers are those of the other tools, where the page says so, is in tests/oracles/test_peers.py.
"""

from __future__ import annotations

import inspect
import re
import shlex
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.wings.run.design.settings import QuestionSettings

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "migrate.md"
pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the pages are in the repository only")
OPTION = re.compile(r"--[a-z-]+")
SECONDS = ("hierarchical", "plackett_luce")


def calls() -> list[str]:
    """What stands as code in the columns "here"."""
    found, place = [], 0
    for line in PAGE.read_text(encoding="utf-8").splitlines() if PAGE.exists() else ():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            place = 0
        elif "here" in cells:
            place = cells.index("here")
        elif place:
            found += re.findall(r"`([^`]+)`", cells[place])
    return list(dict.fromkeys(found))


CALLS = calls()


def test_the_page_has_calls_for_every_tool() -> None:
    sections = re.findall(r"^## (.+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    java_and_r = ["KEEL: CONTROLTEST and MULTIPLETEST", "CAISEr", "irace", "PMCMRplus", "From R", "scmamp"]
    assert sections == ["scikit-posthocs", "autorank", "Orange", "aeon", "baycomp", *java_and_r, "STAC", "critdd"]
    assert len(CALLS) > 50


def names(scores: bo.Scores) -> dict[str, Any]:
    """What the page's calls take for granted; ``scores`` begins with C4.5 and C4.5+m."""
    first, second = scores.values[:, 0], scores.values[:, 1]
    repeated = scores.values[:, :2, None] + np.random.default_rng(1).normal(scale=0.01, size=(len(first), 2, 10))
    return {
        "bo": bo,
        "np": np,
        "scores": scores,
        "result": bo.compare(scores, posthoc="nemenyi"),
        "x": first,
        "y": second,
        "values": scores.values,
        "labels": scores.algorithms,
        "p": [0.01, 0.2, 0.03],
        "square": [[1, 0.01, 0.2], [0.01, 1, 0.03], [0.2, 0.03, 1]],
        "runs": bo.Scores(repeated, scores.algorithms[:2], better="higher"),
    }


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_text("problem,C4.5,C4.5+m\np,1,2\nq,2,4\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "call", [pytest.param(c, marks=[pytest.mark.slow] if any(s in c for s in SECONDS) else []) for c in CALLS]
)
def test_the_call_runs(call: str, folder: Path) -> None:
    eval(call.replace(".pdf", ".svg"), names(bo.datasets.load("demsar_2006")))


# --- little data ------------------------------------------------------------------------------------------------

SAME_ORDER = [[[1, 2, 3.5], [4, 5, 7]], [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]], [[1, 2, 3], [1, 2, 3]]]
"""Two problems that rank three algorithms in the same order, as one of six tables does by chance."""


def pvalues(result: Any) -> Iterator[float]:
    """Those of a test, of pairs, of arrays; raw and adjusted."""
    yield from np.ravel(getattr(result, "pvalue", ())).tolist()
    yield from np.ravel(list(getattr(result, "adjusted", {}).values())).tolist()
    for part in (*getattr(result, "pairs", ()), *filter(None, [getattr(result, "omnibus", None)])):
        yield from pvalues(part)


@pytest.mark.parametrize("values", SAME_ORDER, ids=["ranks", "additive", "identical"])
@pytest.mark.parametrize("better", ["lower", "higher"])
def test_no_call_takes_two_problems_for_a_proof(values: list[list[float]], better: Any, folder: Path) -> None:
    scores = bo.Scores(values, ["C4.5", "C4.5+m", "C4.5+cf"], better=better)
    known, seen = names(scores), 0
    for call in CALLS:
        if any(word in call for word in ("bayes", "diagram", "save", "print", "read_scores", "bo.adjust", "select")):
            continue
        if call.startswith("["):
            continue
        found = list(pvalues(eval(call, known)))
        assert all(0 < p <= 1 for p in found), call
        seen += len(found)
    assert seen > 100


@pytest.mark.parametrize("values", SAME_ORDER, ids=["ranks", "additive", "identical"])
@pytest.mark.parametrize("options", [{}, {"posthoc": "nemenyi"}, {"omnibus": "quade", "pairwise": "quade"}], ids=str)
def test_two_problems_cannot_tell(values: list[list[float]], options: dict[str, Any]) -> None:
    result = bo.compare(bo.Scores(values, better="lower"), **options)
    assert {pair.verdict for pair in result.pairs} == {"cannot tell"}
    assert result.omnibus is not None
    assert result.omnibus.pvalue == pytest.approx(1 / 6, rel=1e-12)


# --- settings, commands and recorded numbers of the programs that are not installed here --------------------------


def rows_of(heading: str, head: str) -> list[list[str]]:
    """The rows of the table with this head, below a heading."""
    text = PAGE.read_text(encoding="utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = text.split(f"| {head} |")[1].splitlines()[2:]
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in takewhile(lambda line: line.startswith("|"), lines)
    ]


def test_the_numbers_recorded_with_caiser_are_ours() -> None:
    """CAISEr 1.0.17, calc_instances: see tests/oracles/test_plan_oracles.py."""
    rows = rows_of("CAISEr", "there | here | the number here")
    said = {
        call: int(number[1])
        for _, cell, text in rows
        if (number := re.match(r"the same, (\d+)", text))
        for call in re.findall(r"`([^`]+)`", cell)
    }
    assert list(said.values()) == [40, 45, 47]
    assert {call: eval(call, {"bo": bo}) for call in said} == said


def test_every_argument_of_run_experiment_has_a_setting_that_exists() -> None:
    rows = rows_of("CAISEr", "argument there | the setting | what differs")
    assert [row[0].strip("`").partition(" = ")[0] for row in rows] == [
        *("instances", "algorithms", "d", "se.max", "power", "sig.level", "power.target", "dif", "comparisons"),
        *("alternative", "test", "method", "nstart", "nmax", "force.balanced", "ncpus", "boot.R", "seed"),
        *("save.partial.results", "load.partial.results", "save.final.result"),
    ]
    signatures = [inspect.signature(each).parameters for each in (bo.Experiment, bo.Repetitions, bo.run)]
    known = {name for parameters in signatures for name in parameters} | {*QuestionSettings.__annotations__}
    settings = {name for row in rows for name in re.findall(r"`(\w+)=`", row[1])}
    assert settings <= known
    assert len(settings) >= 16


def test_the_options_for_irace_exist() -> None:
    shown = CliRunner().invoke(main, ["race", "--help-all"]).output
    rows = rows_of("irace", "irace | `bakeoff race` | what differs")
    options = {name for row in rows for name in OPTION.findall(row[1])}
    assert options == {"--budget", "--block", "--method", "--alpha", "--workers", "--store"}
    assert [name for name in options if name not in shown] == []


@pytest.mark.parametrize("line", re.findall(r"^bakeoff .*$", PAGE.read_text("utf-8"), re.M) if PAGE.exists() else [])
def test_the_commands_run(line: str, folder: Path) -> None:
    words = shlex.split(line, comments=True)[1:]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    assert (folder / words[-1]).stat().st_size > 1000


def test_the_programs_tables_are_the_recipes() -> None:
    """Table 9 of García et al. (2010), whose program is CONTROLTEST: PDFC and NNEP."""
    pair = bo.compare("garcia_2010", control="PDFC", recipe="garcia-2010").pair("PDFC", "NNEP")
    printed = {"holm": 0.11469, "hochberg": 0.05735, "hommel": 0.05735, "li": 0.05735}
    assert {name: round(pair.adjusted[name], 5) for name in printed} == printed
    assert round(pair.pvalue, 5) == 0.05735
