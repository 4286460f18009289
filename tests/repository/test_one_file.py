"""A procedure is one function and one record: compare, the command line, the reports and the citations find it there.

Each test registers a toy in one place and looks for it everywhere.
"""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.adjusting import CONTROL_METHODS, PAIRWISE_METHODS, ControlCorrection, PairwiseCorrection
from bakeoff.adjusting.arithmetic import Arithmetic, Pairs
from bakeoff.analyses import of_command
from bakeoff.analyses.compare.reporting.citations import citations
from bakeoff.cli.analyses import made_command
from bakeoff.cli.commands.lookup import cite_command as cite
from bakeoff.omnibus import OMNIBUS, OmnibusTest

compare = made_command(of_command("compare"))

ROWS = np.random.default_rng(3).normal([0.0, 0.5, 3.0, 4.0], size=(12, 4))


def scores() -> bo.Scores:
    return bo.Scores(ROWS, ["new", "old", "older", "oldest"], better="lower")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class ToyResult:
    name: str = "toy"
    statistic: float = 1.25
    df: tuple[float, ...] = (3.0,)
    pvalue: float = 0.0123
    log_pvalue: float = float(np.log(0.0123))
    n_problems: int = 14
    cautions: tuple[bo.Caution, ...] = ()


def toy_test(scores: bo.Scores) -> ToyResult:
    return ToyResult()


def halved(p: np.ndarray, on: Arithmetic) -> np.ndarray:
    """Below p, so that the family keeps p itself: no real correction of several p-values does that."""
    return p / 2


def halved_pairs(pairs: Pairs) -> np.ndarray:
    return pairs.upper / 2


@pytest.fixture
def toy_omnibus(monkeypatch: pytest.MonkeyPatch) -> None:
    record = OmnibusTest(
        name="toy", function=toy_test, short="Toy", phrase="the toy test", cite=("quade1979",), symbol="T",
        takes_ties=False,
    )  # fmt: skip
    monkeypatch.setitem(OMNIBUS, "toy", record)


@pytest.fixture
def toy_corrections(monkeypatch: pytest.MonkeyPatch) -> None:
    words = {"name": "toy", "short": "Toy", "phrase": "the toy correction", "cite": ("finner1993",)}
    monkeypatch.setitem(CONTROL_METHODS, "toy", ControlCorrection(function=halved, **words))
    monkeypatch.setitem(PAIRWISE_METHODS, "toy", PairwiseCorrection(function=halved_pairs, **words))


def shown_by(command: object, *arguments: str) -> str:
    done = CliRunner().invoke(command, list(arguments), obj={"command": "bakeoff"}, catch_exceptions=False)  # type: ignore[arg-type]
    assert done.exit_code == 0, done.output
    return re.sub(r"-\s+", "-", " ".join(done.output.split()))


def csv(folder: Path) -> str:
    lines = ["problem,new,old,older,oldest", *(f"p{i},{','.join(map(str, row))}" for i, row in enumerate(ROWS))]
    (folder / "scores.csv").write_text("\n".join(lines))
    return str(folder / "scores.csv")


def saved(result: bo.Comparison, folder: Path, name: str) -> str:
    result.save(folder / name)
    return (folder / name).read_text(encoding="utf-8")


def test_an_omnibus_test_is_one_record(toy_omnibus: None, tmp_path: Path) -> None:
    result = bo.compare(scores(), omnibus="toy")
    assert (result.omnibus.name, result.omnibus.pvalue) == ("toy", 0.0123)
    with pytest.raises(bo.BakeoffError, match=r"omnibus must be one of .*'toy'"):
        bo.compare(scores(), omnibus="toi")
    assert "skillings-mack, toy" in shown_by(compare, "--help")
    shown = shown_by(compare, csv(tmp_path), "--better", "lower", "--omnibus", "toy", "--details")
    assert "T = 1.25" in shown
    for name in ("r.html", "r.md", "r.tex"):
        page = saved(result, tmp_path, name)
        assert "the toy test" in page, "the methods paragraph"
        assert "Toy" in page, "the table of the omnibus test"
        assert "Quade" in page, "the references"
    assert result.to_dict()["omnibus"]["name"] == "toy"
    assert citations("toy") == ("quade1979",)
    assert "@article{quade1979," in shown_by(cite, "toy")


@pytest.mark.parametrize("control", [None, "new"])
def test_a_correction_is_one_record(control: str | None, toy_corrections: None, tmp_path: Path) -> None:
    result = bo.compare(scores(), control=control, posthoc="toy")
    assert result.primary == "toy"
    assert [pair.adjusted["toy"] for pair in result.pairs] == [pair.pvalue for pair in result.pairs]
    assert "toy" in bo.compare(scores(), control=control, posthoc="all").posthoc
    with pytest.raises(bo.BakeoffError, match=r"posthoc must be .*\btoy\b"):
        bo.compare(scores(), control=control, posthoc="toi")
    help_text = shown_by(compare, "--help")
    assert len(re.findall(r"\btoy\b", help_text)) == 2, "with a control and for all pairs"
    shown = shown_by(compare, csv(tmp_path), "--better", "lower", "--posthoc", "toy")
    assert "Toy over 6 pairs, family-wise" in shown
    for name in ("r.html", "r.md", "r.tex"):
        page = saved(result, tmp_path, name)
        assert "the toy correction" in page, "the methods paragraph"
        assert "Finner" in page, "the references"
    assert list(result.to_dict()["pairs"][0]["adjusted"]) == ["toy"]
    assert "@article{finner1993," in shown_by(cite, "toy")


def test_a_correction_of_lists_serves_adjust(toy_corrections: None) -> None:
    assert bo.adjust([0.02, 0.01], "toy").tolist() == [0.02, 0.01]
