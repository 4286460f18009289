"""Wheel and source distribution, conda recipe, citation, llms.txt: built alike anywhere, and of one version."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.cli._main import commands
from bakeoff.report.references import reference

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PAPERS = ("demsar2006", "garcia2010", "derrac2011", "benavoli2015", "campelotakahashi2019")


# --- what is built ----------------------------------------------------------------------------------------------


def build(tree: Path, target: Path, mask: int, **environment: str) -> dict[str, bytes]:
    """Wheel and source distribution of a tree, by name."""
    program = f"import os, sys; os.umask({mask}); from hatchling.cli import hatchling; sys.exit(hatchling())"
    command = [sys.executable, "-c", program, "build", "-d", str(target)]
    subprocess.run(command, cwd=tree, env={**os.environ, **environment}, check=True, capture_output=True)
    return {path.name: path.read_bytes() for path in target.iterdir() if path.suffix in (".whl", ".gz")}


def cloned(target: Path) -> Path:
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", str(ROOT), str(target)], check=True)
    return target


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, bytes], Path]:
    """From a clone of the last commit, as `make dist` builds them."""
    if not (ROOT / ".git").exists():
        pytest.skip("the history is in the repository only")
    folder = tmp_path_factory.mktemp("dist")
    tree = cloned(folder / "one")
    return build(tree, folder / "out", 0o022, SOURCE_DATE_EPOCH=epoch(tree), TZ="UTC"), tree


def epoch(tree: Path) -> str:
    log = ["git", "log", "-1", "--format=%ct"]
    return subprocess.run(log, cwd=tree, check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.slow
@pytest.mark.needs("hatchling")
def test_two_builds_are_the_same_bytes(built: tuple[dict[str, bytes], Path], tmp_path: Path) -> None:
    """Another folder, umask, time zone, language, and file times."""
    first, one = built
    assert sorted(name.rpartition("-")[2] for name in first) == [f"{bo.__version__}.tar.gz", "any.whl"]
    other = cloned(tmp_path / "a folder" / "of another depth")
    for path in other.rglob("*"):
        if ".git" not in path.parts:
            os.utime(path, (10**9, 10**9))
            path.chmod(path.stat().st_mode & 0o700)
    second = build(
        other, tmp_path / "out", 0o077, SOURCE_DATE_EPOCH=epoch(one), TZ="Asia/Kolkata", LC_ALL="C", PYTHONHASHSEED="7"
    )
    assert {name: hashlib.sha256(each).hexdigest() for name, each in second.items()} == {
        name: hashlib.sha256(each).hexdigest() for name, each in first.items()
    }


@pytest.mark.slow
@pytest.mark.needs("hatchling")
def test_the_wheel_of_the_source_distribution_is_that_of_the_tree(
    built: tuple[dict[str, bytes], Path], tmp_path: Path
) -> None:
    first, tree = built
    (sdist,) = (name for name in first if name.endswith(".tar.gz"))
    (tmp_path / sdist).write_bytes(first[sdist])
    with tarfile.open(tmp_path / sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    unpacked = tmp_path / sdist.removesuffix(".tar.gz")
    again = build(unpacked, tmp_path / "out", 0o022, SOURCE_DATE_EPOCH=epoch(tree))
    (wheel,) = (name for name in first if name.endswith(".whl"))
    assert again[wheel] == first[wheel]


@pytest.mark.slow
@pytest.mark.needs("hatchling")
def test_the_wheel_holds_the_package_and_the_manual_and_nothing_else(
    built: tuple[dict[str, bytes], Path], tmp_path: Path
) -> None:
    first, tree = built
    (name,) = (name for name in first if name.endswith(".whl"))
    (tmp_path / name).write_bytes(first[name])
    listed = subprocess.run(
        ["git", "ls-files", "src", "man", "docs/*.md"], cwd=tree, check=True, capture_output=True, text=True
    )
    tracked = listed.stdout.split("\n")[:-1]
    stem = f"bakeoff-{bo.__version__}"
    with zipfile.ZipFile(tmp_path / name) as wheel:
        inside = set(wheel.namelist())
        metadata = message_from_bytes(wheel.read(f"{stem}.dist-info/METADATA"))
    expected = {path.removeprefix("src/") for path in tracked if path.startswith("src/")}
    expected |= {f"bakeoff/pages/{path.removeprefix('docs/')}" for path in tracked if path.startswith("docs/")}
    expected |= {f"{stem}.data/data/share/man/man1/{Path(path).name}" for path in tracked if path.startswith("man/")}
    expected |= {f"{stem}.dist-info/{each}" for each in ("METADATA", "RECORD", "WHEEL", "entry_points.txt")}
    assert inside == expected | {f"{stem}.dist-info/licenses/LICENSE"}
    assert {each.split("/")[0] for each in inside} == {"bakeoff", f"{stem}.dist-info", f"{stem}.data"}
    needed = ("py.typed", "__init__.pyi", "datasets/demsar_2006.csv", "schemas/compare.json", "report/bibliography.bib")
    assert {f"bakeoff/{each}" for each in needed} < inside
    assert any(each.endswith(".j2") for each in inside)
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert (metadata["Name"], metadata["Version"]) == ("bakeoff", bo.__version__)
    assert metadata["License-Expression"] == PROJECT["license"]


@pytest.mark.slow
@pytest.mark.needs("hatchling")
def test_the_source_distribution_holds_what_the_tests_need(
    built: tuple[dict[str, bytes], Path], tmp_path: Path
) -> None:
    first, tree = built
    (name,) = (name for name in first if name.endswith(".tar.gz"))
    (tmp_path / name).write_bytes(first[name])
    with tarfile.open(tmp_path / name) as archive:
        inside = {member.name.split("/", 1)[1] for member in archive.getmembers()}
        owners = {(member.uid, member.gid, member.uname, member.mtime) for member in archive.getmembers()}
    tracked = subprocess.run(["git", "ls-files"], cwd=tree, check=True, capture_output=True, text=True).stdout.split(
        "\n"
    )
    assert set(tracked[:-1]) - inside <= {".gitignore"}
    assert inside - set(tracked) == {"PKG-INFO"}
    assert owners == {(0, 0, "", float(epoch(tree)))}


# --- one version, one set of dependencies -----------------------------------------------------------------------


def loaded(path: Path) -> Any:
    import yaml

    return yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)  # numbers and dates stay text


CONDA = {"matplotlib": "matplotlib-base"}  # without a window


def requirement(line: str) -> str:
    name, rest = re.fullmatch(r"([\w.-]+)(.*)", line.split("[")[0]).groups()  # type: ignore[union-attr]
    return f"{CONDA.get(name, name)} {rest}".strip()


@pytest.mark.needs("yaml")
def test_the_conda_recipe_says_what_the_project_says() -> None:
    recipe = loaded(ROOT / "conda" / "recipe.yaml")
    python = PROJECT["requires-python"].removeprefix(">=")
    assert recipe["schema_version"] == "1"
    assert recipe["context"] == {"version": bo.__version__, "python_min": python}
    assert recipe["package"]["name"] == PROJECT["name"]
    build_with = ["python ${{ python_min }}.*", "pip", "hatchling >=1.25"]
    assert recipe["requirements"]["host"] == build_with
    assert (
        requirement(tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"][0]) in build_with
    )
    run = ["python >=${{ python_min }}", *map(requirement, PROJECT["dependencies"])]
    assert recipe["requirements"]["run"] == run
    extras = PROJECT["optional-dependencies"]
    (everything,) = extras["all"]
    names = re.fullmatch(r"bakeoff\[(.*)\]", everything)[1].split(",")  # type: ignore[index]
    assert recipe["requirements"]["run_constraints"] == list(
        dict.fromkeys(requirement(line) for name in names for line in extras[name])
    )
    (script,) = recipe["build"]["python"]["entry_points"]
    assert script == f"bakeoff = {PROJECT['scripts']['bakeoff']}"
    assert recipe["about"]["license"] == PROJECT["license"]
    assert recipe["about"]["license_file"] in PROJECT["license-files"]
    assert recipe["about"]["summary"] == PROJECT["description"]
    lines = [line for test in recipe["tests"] for line in test.get("script", ())]
    assert all(line.split()[1].startswith("--") or line.split()[1] in commands() for line in lines)


@pytest.mark.needs("yaml")
def test_the_citation_is_of_this_version_and_names_the_five_papers() -> None:
    citation = loaded(ROOT / "CITATION.cff")
    assert citation["cff-version"] == "1.2.0"
    preferred = citation["preferred-citation"]
    for key in ("title", "authors", "version", "date-released", "license", "type"):
        assert preferred[key] == citation[key]
    assert citation["version"] == bo.__version__
    assert citation["license"] == PROJECT["license"]
    assert preferred["year"] == citation["date-released"][:4]
    assert [entry["name"] for entry in citation["authors"]] == [author["name"] for author in PROJECT["authors"]]
    assert len(citation["references"]) == len(PAPERS)
    for said, key in zip(citation["references"], PAPERS, strict=True):
        known = reference(key).fields
        assert said["title"] == known["title"].replace("{", "").replace("}", "")
        authors = [f"{author['family-names']}, {author['given-names']}" for author in said["authors"]]
        assert " and ".join(authors) == known["author"]
        assert said["year"] == known["year"]
        assert said.get("doi") == known.get("doi")
        assert (said["start"], said["end"]) == tuple(known["pages"].split("--"))
        assert said["volume"] == known["volume"]
        assert said.get("journal", said.get("collection-title")) == known.get("journal", known.get("booktitle"))
        assert said["type"] == ("article" if "journal" in known else "conference-paper")
    entry_keys = {
        "type",
        "title",
        "authors",
        "journal",
        "collection-title",
        "volume",
        "issue",
        "start",
        "end",
        "year",
        "doi",
    }
    assert all(set(said) <= entry_keys for said in citation["references"])


def test_the_files_of_the_project_are_named_in_it() -> None:
    assert PROJECT["license-files"] == ["LICENSE"]
    assert all((ROOT / name).is_file() for name in ("LICENSE", "SECURITY.md", "CHANGELOG.md", PROJECT["readme"]))
    assert sorted(set(PROJECT["classifiers"])) == PROJECT["classifiers"]
    versions = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)]
    assert versions[0] == PROJECT["requires-python"].removeprefix(">=")
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    tested = re.findall(r'"(3\.\d+)"', workflow)
    assert set(tested) <= set(versions)
    assert {versions[0], versions[-1]} <= set(tested), "the oldest and the newest"


PINNED = re.compile(r"\S+@(?:[0-9a-f]{40} # v\d+(?:\.\d+)+|COMMIT # .+)")  # COMMIT: a page cannot know its own


def test_actions_are_pinned_by_commit() -> None:
    """A tag can be moved to other code, which then runs with the rights of the workflow."""
    files = [*(ROOT / ".github" / "workflows").iterdir(), *(ROOT / "action").rglob("*.yml"), *ROOT.glob("docs/*/*.md")]
    uses = [use for path in files for use in re.findall(r"^ *(?:- )?uses: (.+)$", path.read_text("utf-8"), re.M)]
    assert len(uses) >= 3
    assert [use for use in uses if not PINNED.fullmatch(use)] == []


# --- llms.txt and the manual ------------------------------------------------------------------------------------


def test_llms_txt_names_what_exists() -> None:
    text = (ROOT / "llms.txt").read_text(encoding="utf-8")
    first, _, third = text.split("\n")[:3]
    assert first == "# bakeoff"
    assert third.startswith("> ")
    sections = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert sections == ["Start", "Questions and commands", "Reference", "Optional"]
    for line in text.split("\n## ", 1)[1].split("\n")[1:]:
        assert re.fullmatch(r"- \[[^]]+\]\([^)]+\): .+|## .+|", line), line
    for target in re.findall(r"\]\(([^)#]+)(?:#[\w-]+)?\)", text):
        assert (ROOT / target).is_file(), target
    named = set(re.findall(r"`bakeoff ([a-z-]+)", text))
    assert named <= set(commands())
    assert len(named) > 20


@pytest.mark.slow
@pytest.mark.needs("sphinx")
def test_on_the_site_llms_txt_links_to_its_pages() -> None:
    spec = importlib.util.spec_from_file_location("llms_of_the_site", ROOT / "docs" / "_ext" / "llms.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    text = (ROOT / "llms.txt").read_text(encoding="utf-8")
    linked = module.linked_to_pages(text)
    targets = re.findall(r"\]\(([^)#]+)(?:#[\w-]+)?\)", linked)
    assert len(targets) == text.count("](")
    assert all((ROOT / "docs" / target.replace(".html", ".md")).is_file() for target in targets)


@pytest.mark.parametrize("name", commands())
def test_help_of_a_command_names_its_documentation(name: str) -> None:
    assert CliRunner().invoke(main, [name, "--help"]).stdout.endswith(f"\n  At length: bakeoff docs {name}\n")


def test_a_manual_page_is_of_a_command() -> None:
    pages = {path.name for path in (ROOT / "man").iterdir()}
    assert pages <= {"bakeoff.1", *(f"bakeoff-{name}.1" for name in commands())}
    assert len(pages) > 20
    for path in (ROOT / "man").iterdir():
        text = path.read_text(encoding="utf-8")
        assert text.startswith(f'.TH "{path.stem.upper()}" "1" ')
        assert f"bakeoff {bo.__version__}" in text.split("\n")[0]
        assert [line for line in text.split("\n") if line.startswith((".SH NAME", ".SH SYNOPSIS"))] == [
            ".SH NAME",
            ".SH SYNOPSIS",
        ]


@pytest.mark.slow
def test_the_paper_cites_what_its_bibliography_has_and_is_current() -> None:
    text = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8")
    entries = set(re.findall(r"^@\w+\{(\w+),", (ROOT / "paper" / "paper.bib").read_text(encoding="utf-8"), re.M))
    assert set(re.findall(r"@([a-z]+\d{4})", text)) == entries
    assert 750 <= len(text.split()) <= 1750  # what the journal asks for
    for heading in ("Summary", "Statement of need", "State of the field", "References"):
        assert f"\n# {heading}\n" in text
    subprocess.run([sys.executable, ROOT / "paper" / "figure.py", "--check"], check=True, timeout=120)
