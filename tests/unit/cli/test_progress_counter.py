"""The counter on stderr: for a terminal only, patient, and gone at the end."""

from __future__ import annotations

import io

import pytest

import bakeoff as bo
from bakeoff.cli import terminal as module
from bakeoff.cli.terminal import counter


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_nothing_is_counted_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert counter("pairs tested") is None


def test_quick_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    show = counter("pairs tested")
    assert show is not None
    for done in range(1, 4):
        show(done, 3)
    assert terminal.getvalue() == ""


def test_long_work_is_counted_on_one_line_and_wiped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    seconds = iter([0.0, 2.0, 2.1, 3.0, 4.0])
    monkeypatch.setattr(module.time, "monotonic", lambda: next(seconds))
    show = counter("pairs tested")
    assert show is not None
    for done in range(1, 5):
        show(done, 4)
    assert terminal.getvalue() == "\rpairs tested: 1 of 4\x1b[K\rpairs tested: 3 of 4\x1b[K\r\x1b[K"


@pytest.mark.parametrize("pairwise", ["wilcoxon", "sign", "t"])
def test_compare_tells_how_many_pairs_are_done(pairwise: str) -> None:
    scores = bo.Scores([[1.0, 2.0, 4.0], [2.0, 1.0, 5.0], [0.0, 3.0, 1.0]], better="lower")
    steps: list[tuple[int, int]] = []
    told = bo.compare(scores, pairwise=pairwise, progress=lambda *step: steps.append(step))
    assert steps[-1] == (3, 3)
    assert [p.pvalue for p in told.pairs] == [p.pvalue for p in bo.compare(scores, pairwise=pairwise).pairs]
