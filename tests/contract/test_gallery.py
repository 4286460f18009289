"""docs/gallery: every script runs without a warning and ends in a picture."""

from __future__ import annotations

import ast
import warnings
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

GALLERY = Path(__file__).parents[2] / "docs" / "gallery"
SCRIPTS = sorted(GALLERY.glob("*/plot_*.py"))

pytestmark = pytest.mark.skipif(not GALLERY.exists(), reason="the scripts are in the repository only")


def pictures(script: Path) -> list[str]:
    """The SVG of each expression that draws one, as the gallery shows it."""
    names: dict[str, Any] = {"__name__": "__main__"}
    found = []
    for node in ast.parse(script.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Expr):
            shown = eval(compile(ast.Expression(node.value), script.name, "eval"), names)
            if hasattr(shown, "_repr_svg_"):
                found.append(shown._repr_svg_())
        else:
            exec(compile(ast.Module([node], []), script.name, "exec"), names)
    return found


def test_there_is_a_script_for_each_task() -> None:
    assert len(SCRIPTS) >= 22
    for folder in {script.parent for script in SCRIPTS} | {GALLERY}:
        assert (folder / "GALLERY_HEADER.rst").exists(), folder


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_script_begins_with_its_task(script: Path) -> None:
    said = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8")))
    assert said is not None
    title, rule, *_ = said.splitlines()
    assert rule == "=" * len(title)


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_script_runs_and_draws(script: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = pictures(script)
    assert found
    for svg in found:
        ET.fromstring(svg)
