"""The numbers of a report from its JSON alone, by ten lines without bakeoff; docs/guides/compare.md prints them."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff as bo

HERE = Path(__file__).parent
SCRIPT = HERE / "ten_lines.py"
PAGE = HERE.parents[1] / "docs" / "guides" / "compare.md"


def by_ten_lines(path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[Any, Any]:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "argv", ["ten_lines.py", str(path)])
        patch.setitem(sys.modules, "bakeoff", None)
        found: dict[Any, Any] = runpy.run_path(str(SCRIPT))["found"]
    return found


def test_the_script_needs_nothing_of_bakeoff_and_the_page_prints_it() -> None:
    text = SCRIPT.read_text(encoding="utf-8")
    assert "bakeoff" not in text
    assert len([line for line in text.splitlines() if line and "import" not in line]) <= 12
    assert text in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize(("control", "seed"), [("SaDE", None), (None, 1), ("SaDE", 1), (None, 2)])
def test_ten_lines_find_the_numbers_of_the_report(
    control: str | None, seed: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without zero or tied differences, which bakeoff finds to the precision of the scores."""
    scores = bo.datasets.load("derrac_cec2005")
    if seed is not None:
        drawn = np.random.default_rng(seed).normal(size=(17, 4)) + np.arange(4) / 3
        scores = bo.Scores(drawn, ["a", "b", "SaDE", "d"], better="higher")
    report = bo.compare(scores, control=control).to_dict()
    bo.compare(scores, control=control).save(tmp_path / "r.json")
    found = by_ten_lines(tmp_path / "r.json", monkeypatch)
    assert found["mean_ranks"] == pytest.approx([*report["mean_ranks"].values()], rel=1e-12)
    assert found["F"] == pytest.approx(report["omnibus"]["statistic"], rel=1e-9)
    for pair in report["pairs"]:
        pvalue, estimate = found[pair["a"], pair["b"]]
        assert pvalue == pytest.approx(pair["pvalue"], rel=1e-9)
        assert estimate == pytest.approx(pair["effect"]["estimate"], rel=1e-9, abs=1e-12)
