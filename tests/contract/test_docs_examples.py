"""The examples of README and docs run as they stand: Python blocks, and the commands of the tutorial."""

from __future__ import annotations

import ast
import builtins
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
TABLE = ROOT / "src" / "bakeoff" / "datasets" / "demsar_2006.csv"

pytestmark = pytest.mark.skipif(not DOCS.exists(), reason="the pages are in the repository only")


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}$\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def results_of_other_programs() -> None:
    """In the working folder, under the names that the page of formats has."""
    files = ROOT / "tests" / "oracles" / "data" / "formats"
    shutil.copy(files / "hyperfine.json", "commands.json")
    for name in ("old.json", "new.json"):
        shutil.copy(files / "pytest_benchmark.json", name)
    for name in ("coco", "cma"):
        shutil.copytree(files / "coco", name)


def given(page: str) -> dict[str, Any]:
    """What a page takes for granted: ``scores``, two samples, a pilot, a data frame, matplotlib."""
    rng = np.random.default_rng(1)
    names: dict[str, Any] = {"bo": bo, "x": rng.random(20), "y": rng.random(20) + 0.2}
    if page == "guides/diagrams.md":
        import matplotlib.pyplot

        names["matplotlib"] = matplotlib
        names["scores"] = bo.Scores(rng.random((20, 3)), ["my method", "b", "c"], better="higher")
    if page == "guides/compare.md":
        names["scores"] = bo.Scores(rng.random((20, 3)), ["new", "old", "c"], better="higher")
        from matplotlib.figure import Figure

        names["ax"] = Figure().subplots()
    if page == "guides/planning.md":
        names["pilot"] = bo.Scores(rng.random((10, 2, 5)), ["new", "old"], better="lower")
    if page == "how-to/formats.md":
        results_of_other_programs()
    if page == "how-to/input.md":
        import pandas

        rows = [(p, a, rng.random()) for p in "pqrs" for a in "ab"]
        names["frame"] = pandas.DataFrame(rows, columns=["problem", "algorithm", "accuracy"])
        Path("runs").mkdir(exist_ok=True)
        names["frame"].to_parquet("runs/1.parquet")
    return names


@pytest.mark.few(8)
@pytest.mark.parametrize(
    "page",
    [
        "README.md",
        "guides/bayes.md",
        "understand/cautions.md",
        "how-to/check.md",
        "guides/compare.md",
        "how-to/formats.md",
        pytest.param("how-to/input.md", marks=pytest.mark.needs("pyarrow")),
        "guides/interquartile.md",
        "how-to/migrate.md",
        "guides/planning.md",
        "guides/plackett-luce.md",
        "guides/profile.md",
        "trust/racing.md",
        "guides/ratings.md",
        "trust/solid.md",
        "start/tutorial.md",
    ],
)
@pytest.mark.slow_cases("guides/compare.md", "how-to/input.md", "guides/plackett-luce.md")
def test_python_blocks_run(page: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = TABLE.read_text(encoding="utf-8")
    (folder / "scores.csv").write_text(text.replace("C4.5,", "my method,", 1) if page == "README.md" else text)
    shutil.copy(TABLE, folder / "results.csv")
    bo.compare(bo.datasets.load("demsar_2006")).save("result.json")
    monkeypatch.setattr(sys, "argv", ["ten_lines.py", "result.json"])  # of compare.md
    found = blocks(ROOT / page if page == "README.md" else DOCS / page, "python")
    assert found
    for block in found:
        code = block.replace(".pdf", ".svg")  # drawn with another library, in seconds
        exec(compile(code, page, "exec"), given(page))


TAKEN = {
    "guides/compare.md": {"scores", "ax", "x", "y"},
    "guides/diagrams.md": {"scores", "matplotlib"},
    "guides/planning.md": {"pilot"},
    "how-to/input.md": {"frame"},
    "how-to/notebook.md": {"result"},
    "how-to/running.md": {"easy", "hard", "solve_new", "solve_old"},
    "how-to/tuning.md": {"scores"},
}
"""What the reader of a page has, beside ``bo``."""


def taken(block: str) -> set[str]:
    """Names that a block uses and does not make."""
    made, used = set(dir(builtins)), set()
    for node in ast.walk(ast.parse(block)):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else made).add(node.id)
        elif isinstance(node, ast.alias):
            made.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            made.add(node.name)
        elif isinstance(node, ast.arg):
            made.add(node.arg)
    return used - made


def test_no_block_of_a_page_needs_the_one_before_it() -> None:
    """The last block of the page on interquartile means had the generator of the first one."""
    pages = {page.relative_to(DOCS).as_posix(): page for page in DOCS.rglob("*.md")} | {"README.md": ROOT / "README.md"}
    needed = {
        (name, place): taken(block) - {"bo"} - TAKEN.get(name, set())
        for name, page in pages.items()
        for place, block in enumerate(blocks(page, "python"))
    }
    assert len(needed) > 60
    assert {where: names for where, names in needed.items() if names} == {}
    assert taken("rows = [rng.normal() for _ in range(3)]") == {"rng"}


@pytest.mark.slow
def test_python_blocks_with_pictures_run(folder: Path) -> None:
    for block in blocks(DOCS / "guides/diagrams.md", "python"):
        exec(compile(block, "guides/diagrams.md", "exec"), given("guides/diagrams.md"))


def commands(page: str = "start/tutorial.md") -> list[str]:
    """What follows a prompt."""
    return [
        line[2:]
        for block in blocks(DOCS / page, "console")
        for line in block.splitlines()
        if line.startswith("$ bakeoff")
    ]


@pytest.mark.slow
def test_the_commands_of_the_tutorial_run_and_say_what_it_says(folder: Path) -> None:
    """U-A26: a page that begins with a CSV. (What the commands print is checked by the slow test below.)"""
    shutil.copy(TABLE, folder / "scores.csv")
    assert len(commands()) >= 8
    printed: dict[str, str] = {}
    for command in commands():
        words = shlex.split(command.replace(".pdf", ".svg").split(" > ")[0])
        done = CliRunner().invoke(main, words[1:])
        assert done.exit_code == 0, (command, done.output)
        printed[command] = " ".join(done.stdout.split())
    assert all(
        (folder / name).exists() for name in ("ranks.svg", "paper.tex", "scores.tex", "report.html", "result.json")
    )
    page = " ".join((DOCS / "start/tutorial.md").read_text(encoding="utf-8").split())
    assert "In all, 2 of 6 pairs differ." in printed["bakeoff compare scores.csv --better higher"]
    assert "In all, 2 of 6 pairs differ." in page
    assert "agree to the last digit" in printed["bakeoff verify result.json scores.csv"]
    nemenyi = bo.compare(bo.read_scores("scores.csv", better="higher"), posthoc="nemenyi")
    assert {pair.verdict for pair in nemenyi.pairs} == {"no difference shown"}
    assert nemenyi.critical_difference == pytest.approx(1.254, abs=5e-4)
    for said in ("critical difference of 1.254", "here it shows none", "six pairs"):
        assert said in page


@pytest.mark.slow
def test_the_commands_of_the_page_on_solid_verdicts_run(folder: Path) -> None:
    """What they print is checked with that of the tutorial."""
    shutil.copy(TABLE.with_name("derrac_cec2005.csv"), folder / "scores.csv")
    assert len(commands("trust/solid.md")) >= 5
    for command in commands("trust/solid.md"):
        done = CliRunner().invoke(main, shlex.split(command)[1:])
        assert done.exit_code == 0, (command, done.output)
    assert "Would another analysis give another verdict?" in (folder / "report.html").read_text(encoding="utf-8")
    scores = bo.datasets.load("derrac_cec2005")
    wins = {name: int((scores.values[:, 8] < scores.values[:, scores.index(name)]).sum()) for name in ("PSO", "SSGA")}
    assert scores.algorithms[8] == "SaDE"
    assert (
        f"every problem that SaDE wins: {wins['PSO']} and {wins['SSGA']} of them"
        in (DOCS / "trust/solid.md").read_text()
    )
    assert bo.equivalence(scores, "SaDE", "DE-Bin", margin="20%").verdict == "practically equal"


@pytest.mark.slow
def test_what_the_tutorial_shows_is_what_is_printed_and_drawn() -> None:
    script = [sys.executable, str(DOCS / "generate" / "tutorial.py"), "--check"]
    done = subprocess.run(script, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_the_picture_of_a_report_is_of_the_report() -> None:
    """Of what was photographed; the pixels are the browser's. It is light: pages with it open at once."""
    script = [sys.executable, str(DOCS / "generate" / "report_picture.py"), "--check"]
    done = subprocess.run(script, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (DOCS / "figures" / "report.png").stat().st_size < 120_000


def test_what_the_readme_says_of_races_is_what_the_page_says() -> None:
    """U-B10: README had "15 to 88 %", its page 14.7 to 86.3."""
    page = (DOCS / "trust/racing.md").read_text(encoding="utf-8")
    table = page.split("## What repeated looks do to the error rate")[1].split("\n\n")[2]
    head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    equal = [place for place, name in enumerate(head) if name.endswith("equal")]
    ours = ("e-sign", "e-rank", "e-choose")
    shares = [float(row[place]) for row in rows if row[0] not in ours for place in equal]
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert len(shares) >= 3 * 9
    assert (
        f"eliminate a given one in {min(shares):.0f} to {max(shares):.0f} % of races in which all are equal" in readme
    )


def test_what_the_readme_says_is_needed_is_what_is_needed() -> None:
    """U-B17: "needs Python 3.11 or newer, nothing else": seven packages from an index, openpyxl for .xlsx."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert "nothing else" not in readme
    assert f"needs Python {project['requires-python'].removeprefix('>=')} or newer and a package index" in readme
    assert "`.xlsx` needs openpyxl, which the extra `web` brings; `.parquet` needs pyarrow, polars or pandas" in readme
    extras = project["optional-dependencies"]
    assert [one.partition(">")[0] for one in extras["excel"]] == ["openpyxl"]
    assert extras["excel"][0] in extras["web"]
    for extra in re.findall(r"\.\[(\w+)\]", readme) + re.findall(r"the extra `(\w+)`", readme):
        assert extra in extras
    for page in (ROOT / "README.md", *DOCS.rglob("*.md"), *(ROOT / "src").rglob("*.py")):  # U-B14: not on the index
        assert "install bakeoff" not in page.read_text(encoding="utf-8").replace('"', ""), page.name
        assert "--upgrade bakeoff" not in page.read_text(encoding="utf-8"), page.name


def test_pictures_are_there_and_are_pictures() -> None:
    for page in [ROOT / "README.md", *DOCS.rglob("*.md")]:
        for target in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).read_bytes().startswith((b"<svg", b"<?xml", b"\x89PNG")), (page.name, target)
    for target in re.findall(r'<img src="([^"]+)"', (ROOT / "README.md").read_text(encoding="utf-8")):
        assert (ROOT / target).read_bytes().startswith(b"\x89PNG"), target
    assert "![" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.needs("distributed")
def test_the_script_for_slurm_runs_on_a_cluster_of_this_machine(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import distributed

    asked: dict[str, Any] = {}

    class SLURMCluster(distributed.LocalCluster):  # type: ignore[misc]
        def __init__(self, **options: Any) -> None:
            asked.update(options)
            super().__init__(n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50)

        def scale(self, n: int | None = None, *, jobs: int | None = None) -> None:
            asked.setdefault("jobs", jobs)
            super().scale(1 if n is None else n)

    (folder / "solvers.py").write_text(
        "def fast(problem, rng):\n    return rng.normal()\n\n\ndef slow(problem, rng):\n    return 5 + rng.normal()\n"
    )
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setitem(sys.modules, "dask_jobqueue", SimpleNamespace(SLURMCluster=SLURMCluster))
    (script,) = blocks(DOCS / "how-to" / "slurm.md", "python")
    names = {"__name__": "__main__"}
    exec(compile(script.replace("range(200)", "range(12)"), "run_on_slurm.py", "exec"), names)
    names["cluster"].close()  # type: ignore[attr-defined]
    sys.modules.pop("solvers")
    assert asked["jobs"] == 40
    assert names["result"].verdict.startswith("fast is better than slow")  # type: ignore[attr-defined]
    assert (folder / "report.html").exists()
