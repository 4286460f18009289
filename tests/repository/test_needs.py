"""A test whose package is missing is counted, not skipped; what the README's tests need is always there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILES = [path for path in (ROOT / "tests").rglob("*.py") if path != Path(__file__)]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
NAMES = {
    "sklearn": "scikit-learn",
    "scikit_posthocs": "scikit-posthocs",
    "grimp": "grimp",
    "check_jsonschema": "check-jsonschema",
    "pandas": "autorank",
    "yaml": "distributed",
    "sphinx_gallery": "sphinx-gallery",
}
"""Import names that are not those of the index, and what brings them."""


def packages(*extras: str) -> set[str]:
    return {re.split(r"[\[>]", line)[0] for extra in extras for line in EXTRAS[extra]}


def test_no_test_is_skipped_where_a_package_is_missing() -> None:
    assert [path.name for path in FILES if "importorskip" in path.read_text(encoding="utf-8")] == []


def test_what_a_test_needs_is_in_the_extra_of_ci_alone() -> None:
    texts = [path.read_text(encoding="utf-8") for path in FILES]
    needed = {
        name
        for text in texts
        for names in re.findall(r"\.needs\(([^)]*)\)", text)
        for name in re.findall(r'"(\w+)"', names)
    }
    assert {"polars", "numba", "distributed"} < needed
    named = {NAMES.get(name, name) for name in needed}
    assert named <= packages("ci", "docs", "peers", "all", "cluster")
    assert not named & packages("test", "web")
    assert not (packages("ci") & packages("test")) - {"bakeoff"}


def test_what_the_list_of_slower_cases_names_exists() -> None:
    cases = (ROOT / "tests" / "slower.txt").read_text(encoding="utf-8").splitlines()
    assert len(cases) > 500
    named = {(case.split("::")[0], case.partition("[")[0].split("::")[-1]) for case in cases}
    assert [f"{file}::{name}" for file, name in named if f"def {name}(" not in (ROOT / file).read_text("utf-8")] == []
