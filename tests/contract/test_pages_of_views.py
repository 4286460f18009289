"""The examples of the pages on curves and trade-offs: what they print and draw."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import bakeoff as bo

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(("page", "result"), [("curves", "found"), ("tradeoff", "five")])
def test_the_examples_of_the_page(page: str, result: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = (DOCS / "guides" / f"{page}.md").read_text(encoding="utf-8")
    known: dict[str, Any] = {}
    for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(code, known)
    assert capsys.readouterr().out == "".join(re.findall(r"```text\n(.*?)```", text, re.DOTALL))
    bo.diagram(known[result], width_mm=160).save(tmp_path / "drawn.svg")
    drawn = (tmp_path / "drawn.svg").read_text(encoding="utf-8")
    assert (DOCS / "figures" / f"{page}.svg").read_text(encoding="utf-8") == drawn
