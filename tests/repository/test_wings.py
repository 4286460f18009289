"""The core works without any wing, and a wing with the core and the wings that its header names, and with no other."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from pathlib import Path

import pytest

from bakeoff.analyses import FOLDERS, by_command, folder_of, folders
from bakeoff.cli._main import commands
from bakeoff.wing import Wing, wings
from package_copies import PACKAGE, copied, ran

ROOT = Path(__file__).parents[2]

GOLDEN = """
import json, sys
from golden.cases import CASES
from golden.rendering import everything
kinds = sys.argv[1].split(",")
of_core = {name: make for name, make in CASES.items() if name.partition("/")[0] in kinds}
json.dump(everything(of_core), sys.stdout)
"""

IMPORT_ALL = """
import importlib, json, pkgutil, sys
import bakeoff
failed = {}
for module in pkgutil.walk_packages(bakeoff.__path__, "bakeoff."):
    if module.name.startswith(sys.argv[1]) and not module.name.endswith(("__main__", "_compiled")):
        try:
            importlib.import_module(module.name)
        except ImportError as error:
            failed[module.name] = str(error)
json.dump(failed, sys.stdout)
"""


def without(folder: Path, kept: tuple[str, ...] = ()) -> Path:
    """A copy of the package with these wings and no other."""
    target = copied(folder)
    for name in set(wings()) - set(kept):
        shutil.rmtree(target / "wings" / name)
    return folder


def run(source: Path, *words: str) -> str:
    """What Python prints with this copy of the package."""
    return ran(source, *words, cwd=ROOT)


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return without(tmp_path_factory.mktemp("core"))


def needed(name: str) -> set[str]:
    """A wing, those that its header names, and those that their headers name."""
    return {name}.union(*(needed(other) for other in wings()[name].imports))


def test_every_wing_has_a_header_that_says_what_it_registers() -> None:
    assert set(wings()) == {"formats", "boards", "curves", "guard", "run", "bayes", "verify", "page", "study"}
    for wing in wings().values():
        assert isinstance(wing, Wing)
        assert wing.about
        assert wing.analyses or wing.commands


def test_the_core_writes_the_same_reports_without_any_wing(core: Path) -> None:
    """To the byte; ``tests/golden`` holds those of the whole package against the recorded files."""
    kinds = ",".join(sorted(record.kind for folder in FOLDERS for record in folders()[folder]))
    alone, whole = (json.loads(run(source, "-c", GOLDEN, kinds)) for source in (core, PACKAGE.parent))
    assert len(alone) > 150
    assert alone == whole


def test_the_core_has_the_same_commands_without_any_wing(core: Path) -> None:
    of_wings = {name for name in by_command() if folder_of(name) not in FOLDERS}
    of_wings |= {name for wing in wings().values() for name in wing.commands}
    expected = run(PACKAGE.parent, "-m", "bakeoff", "--help")
    for name in of_wings:
        expected = re.sub(rf"^  {name} .*\n(?: {{8,}}.*\n)*", "", expected, flags=re.MULTILINE)
    expected = re.sub(r"\n[A-Z][\w ]+:\n(?=\n)", "", expected)  # a heading with nothing below it
    assert run(core, "-m", "bakeoff", "--help") == expected
    for name in set(commands()) - of_wings:
        assert run(core, "-m", "bakeoff", name, "--help") == run(PACKAGE.parent, "-m", "bakeoff", name, "--help")


def test_the_core_imports_every_module_without_any_wing(core: Path) -> None:
    assert json.loads(run(core, "-c", IMPORT_ALL, "bakeoff.")) == {}


def test_a_name_of_a_wing_that_is_not_there_is_refused(core: Path) -> None:
    code = """
import bakeoff as bo
for name in ("bayes", "evaluate"):
    try:
        getattr(bo, name)
    except (AttributeError, ImportError) as error:
        print(type(error).__name__)
"""
    assert len(run(core, "-c", code).splitlines()) == 2


@pytest.mark.parametrize("name", sorted(wings()))
def test_a_wing_imports_the_core_and_what_its_header_names(name: str, tmp_path: Path) -> None:
    source = without(tmp_path, tuple(needed(name)))
    assert json.loads(run(source, "-c", IMPORT_ALL, f"bakeoff.wings.{name}")) == {}


def test_the_contract_lists_what_the_headers_name() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    (ignored,) = (each["ignore_imports"] for each in contracts if each.get("modules") == ["bakeoff.wings.*"])
    pairs = {tuple(re.findall(r"bakeoff\.wings\.(\w+)", line)) for line in ignored}
    assert pairs == {(name, other) for name, wing in wings().items() for other in wing.imports}
