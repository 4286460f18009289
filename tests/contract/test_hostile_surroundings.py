"""Closed standard streams, full disks, links, characters that a format cannot draw: a result or one clear line."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main

TABLE = "problem,a,b\n1,1,2\n2,2,3\n3,1,4\n4,1,2\n5,2,5\n6,0,3\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "s.csv").write_text(TABLE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shell(command: str) -> subprocess.CompletedProcess[str]:
    paths = [str(Path(bo.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    line = command.replace("bakeoff", f"{sys.executable} -m bakeoff", 1)
    return subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, env=environment)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="streams are closed by a POSIX shell")
def test_closed_streams(folder: Path) -> None:
    """They were an internal error (stdin, stdout), or nothing at all was done (stderr)."""
    done = shell("bakeoff compare s.csv --better lower 2>&-")
    assert (done.returncode, "a is better than b" in done.stdout) == (0, True)
    done = shell("bakeoff compare s.csv --better lower --report r.md >&-")
    assert (done.returncode, done.stderr) == (0, "")
    assert "a is better than b" in (folder / "r.md").read_text()
    done = shell("bakeoff compare - --better lower <&-")
    assert done.returncode == 2
    assert done.stderr.startswith("bakeoff: ")
    assert "internal" not in done.stderr


def test_a_report_goes_through_a_link(folder: Path) -> None:
    """It replaced the link by a file."""
    (folder / "real").mkdir()
    (folder / "real" / "r.md").write_text("old")
    (folder / "r.md").symlink_to(folder / "real" / "r.md")
    assert CliRunner().invoke(main, ["compare", "s.csv", "--better", "lower", "--report", "r.md"]).exit_code == 0
    assert (folder / "r.md").is_symlink()
    assert "a is better than b" in (folder / "real" / "r.md").read_text()


def test_a_loop_of_links_is_no_internal_error(folder: Path) -> None:
    (folder / "r.md").symlink_to(folder / "r.md")
    done = CliRunner().invoke(main, ["compare", "s.csv", "--better", "lower", "--report", "r.md"])
    assert done.exit_code in (0, 2), done.stderr
    assert "internal" not in done.stderr


@pytest.mark.parametrize("suffix", ["tex", "tikz"])
def test_invisible_characters_do_not_reach_latex(folder: Path, suffix: str) -> None:
    """pdfLaTeX stopped at U+200B in a label of the diagram."""
    (folder / "s.csv").write_text(TABLE.replace(",a,", ",al\u200b\u2066pha,"), encoding="utf-8")
    asked = ["compare", "s.csv", "--better", "lower", "--report", f"r.{suffix}"]
    assert CliRunner().invoke(main, asked).exit_code == 0
    text = (folder / f"r.{suffix}").read_text()
    assert not re.search("[\u200b\u2066]", text)
    assert "alpha" in text


@pytest.mark.parametrize("alpha", ["1e-320", "5e-324", "0.9999999999999999"])
def test_levels_at_the_ends(folder: Path, alpha: str) -> None:
    """The level of an interval is 1 in floating point: math domain error."""
    three = "".join(f"{line},{7 * i % 5 if i else 'c'}\n" for i, line in enumerate(TABLE.splitlines()))
    (folder / "s.csv").write_text(three)
    done = CliRunner().invoke(main, ["compare", "s.csv", "--better", "lower", "--alpha", alpha])
    assert done.exit_code == 0, done.stderr


@pytest.mark.few(2)
@pytest.mark.parametrize("suffix", ["pdf", "png", "svg", "html", "tex"])
@pytest.mark.slow_cases("pdf")
def test_invisible_characters_in_names(folder: Path, suffix: str) -> None:
    """U+FEFF was an IndexError of matplotlib's PDF backend, after the experiment had been run."""
    (folder / "s.csv").write_text(TABLE.replace(",a,", ",al\ufeff\u2060pha,"), encoding="utf-8")
    asked = ["compare", "s.csv", "--better", "lower", "--report", f"r.{suffix}"]
    assert CliRunner().invoke(main, asked).exit_code == 0
    assert (folder / f"r.{suffix}").stat().st_size > 500


@pytest.fixture
def no_room() -> Iterator[Path]:
    """A file system of one page."""
    with tempfile.TemporaryDirectory() as place:
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", place], capture_output=True).returncode:
            pytest.skip("no right to mount a file system")
        try:
            yield Path(place)
        finally:
            subprocess.run(["umount", place], check=True)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="mounts a tmpfs")
def test_a_full_disk_is_named_with_the_report(folder: Path, no_room: Path) -> None:
    """A picture named its draft and advised another folder; a workbook added a traceback."""
    for suffix in ("pdf", "xlsx", "html"):
        done = shell(f"bakeoff compare s.csv --better lower --report {no_room}/r.{suffix} --report after.md")
        assert done.returncode == 2
        assert done.stderr == f"bakeoff: --report: cannot write '{no_room}/r.{suffix}' (No space left on device)\n"
        assert "a is better than b" in done.stdout
        (folder / "after.md").unlink()  # a report behind one that failed was not written
