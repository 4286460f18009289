"""What every format says of every kind of result is what is recorded in ``files``; ``make golden`` renews them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bakeoff.analyses import by_kind
from bakeoff.figures.dispatch import drawn_kinds
from bakeoff.report.formats import FORMATS, PICTURES, TABLES
from golden.cases import CASES
from golden.changes import differing, summary
from golden.comparing import is_pinned, recorded
from golden.rendering import ELSEWHERE, WRITTEN, everything

RENEW = "Is it meant? `make golden` renews the files; read them with `git diff`, and commit them with the change."


def test_reports_are_as_recorded() -> None:
    if found := differing(recorded(), everything(CASES), exact=is_pinned()):
        pytest.fail(f"{summary(found)}\n\n{RENEW}", pytrace=False)


@pytest.mark.parametrize("kind", by_kind())
def test_every_kind_is_recorded_in_every_format(kind: str) -> None:
    ends = [f"{width}.txt" for width in (80, 140)] + [end for end in WRITTEN if end != "txt"]
    if kind not in drawn_kinds():
        ends.remove("svg")
    if by_kind()[kind].tex_is_picture:
        ends.remove("tex")
    assert [end for end in ends if f"{kind}/plain.{end}" not in recorded()] == []


def test_every_format_is_recorded() -> None:
    assert {*FORMATS, *TABLES, *PICTURES} == {*WRITTEN, *ELSEWHERE}


def test_files_are_of_their_kind() -> None:
    assert {name.partition("/")[0] for name in CASES} == set(by_kind())


@pytest.mark.slow
def test_the_order_of_the_results_changes_nothing() -> None:
    backwards = dict(reversed(CASES.items()))
    assert differing(everything(CASES), everything(backwards), exact=True) == {}


@pytest.mark.slow
@pytest.mark.parametrize(
    "setting",
    [
        {"TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONHASHSEED": "1", "OMP_NUM_THREADS": "1"},
        {"COLUMNS": "50", "TERM": "dumb", "NO_COLOR": "1", "PYTHONHASHSEED": "2", "BAKEOFF_ACCELERATOR": "off"},
    ],
    ids=lambda setting: " ".join(setting),
)
@pytest.mark.few(1)
def test_settings_change_nothing(setting: dict[str, str], tmp_path: Path) -> None:
    check = [sys.executable, str(Path(__file__).parent), "--check"]
    done = subprocess.run(check, env=os.environ | setting, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
