"""An option added to compare, in a copy of the package: what its folder needs, and who then knows it by itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from package_copies import copied, edited, ran

pytestmark = pytest.mark.slow  # starts Python nine times
FOLDER = "analyses/compare/"
EDITS = {
    "__init__.py": [
        (
            '            Parameter(\n                "intervals",',
            '            Parameter("silent", "Leave all verdicts out", choices={"yes": ""}),\n'
            '            Parameter(\n                "intervals",',
        )
    ],
    "statistics/_compare.py": [
        (
            "    margin: float | str | None = None,\n",
            '    margin: float | str | None = None,\n    silent: Literal["yes"] | None = None,\n',
        ),
        ("    unit : {", '    silent : "yes", optional\n        Leave all verdicts out.\n    unit : {'),
        ("    stages.add_bounds,\n", "    stages.add_bounds,\n    stages.silence,\n"),
    ],
    "statistics/state.py": [
        ("    margin: float | str | None\n", "    margin: float | str | None\n    silent: str | None\n")
    ],
    "statistics/stages.py": [
        (
            "def add_sizes(c: Comparing)",
            "def silence(c: Comparing) -> None:\n    if c.request.silent:\n"
            '        c.verdicts = ["no difference shown"] * len(c.family)\n\n\ndef add_sizes(c: Comparing)',
        )
    ],
}
"""The record, the signature with its docstring, the request, one stage."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("option")
    package = copied(made)
    for name, edits in EDITS.items():
        for old, new in edits:
            edited(package / FOLDER / name, old, new)
    rows = [f"p{i},{i},{i + 1},{i + 5 + i % 3}" for i in range(20)]
    (made / "whole.csv").write_text("\n".join(["problem,A,B,C", *rows]), encoding="utf-8")
    rows[3] = "p3,3,,9"
    (made / "holes.csv").write_text("\n".join(["problem,A,B,C", *rows]), encoding="utf-8")
    return made


def program(folder: Path, *words: str) -> str:
    return ran(folder, "-m", "bakeoff", *words, codes=(0, 1))


def test_help_knows_it(copy: Path) -> None:
    assert "--silent" in program(copy, "compare", "--help", "--details")


@pytest.mark.parametrize(
    ("table", "more"), [("whole.csv", []), ("holes.csv", ["--missing", "keep"]), ("holes.csv", ["--missing", "bounds"])]
)
def test_every_table_obeys_it(copy: Path, table: str, more: list[str]) -> None:
    """Complete, with missing scores, with bounds over these: there is one pipeline."""
    call = ("compare", table, "--better", "lower", *more, "--json")
    usual, silent = json.loads(program(copy, *call)), json.loads(program(copy, *call, "--silent", "yes"))
    assert "silent" in silent["request"]
    assert {pair["verdict"] for pair in usual["pairs"]} != {"no difference shown"}
    assert {pair["verdict"] for pair in silent["pairs"]} == {"no difference shown"}


def test_a_report_with_it_is_verified(copy: Path) -> None:
    program(copy, "compare", "whole.csv", "--better", "lower", "--silent", "yes", "--report", "r.json")
    content = json.loads((copy / "r.json").read_text(encoding="utf-8"))
    assert content["request"]["silent"] == "yes"
    assert program(copy, "verify", "r.json").startswith("r.json: OK")
