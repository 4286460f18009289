"""What cannot be printed changes no exit code: 1 is "regressed", or "not verified", and nothing else."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import bakeoff

BAKEOFF = (sys.executable, "-m", "bakeoff")
SOURCE = Path(bakeoff.__file__).parent
TIMES = "problem,algorithm,run,score\n" + "".join(
    f"sort,{name},{run},{seconds + run / 1000}\n" for name, seconds in (("old", 1.0), ("new", 1.5)) for run in range(8)
)
GATE = ("check", "times.csv", "--label", "old", "--label", "new", "--margin", "5%", "--better", "lower")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "times.csv").write_text(TIMES)
    return tmp_path


@pytest.mark.few(2)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize(
    ("command", "code"),
    [(("check", "absent.json", "other.json", "--margin", "3%"), 2), (("compare", "absent.csv"), 2), ((), 2), (GATE, 1)],
    ids=["check", "compare", "help", "regressed"],
)
def test_an_error_that_cannot_be_printed(folder: Path, command: tuple[str, ...], code: int) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*BAKEOFF, *command], cwd=folder, stdout=subprocess.DEVNULL, stderr=full)
    assert done.returncode == code


@pytest.mark.few(1)
@pytest.mark.parametrize("more", [(), ("--json",), ("--markdown",)])
def test_a_verdict_that_nobody_reads(folder: Path, more: tuple[str, ...]) -> None:
    """``bakeoff check … | head -1`` with pipefail passed a regression."""
    with subprocess.Popen([*BAKEOFF, *GATE, *more], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as gate:
        assert gate.stdout is not None
        assert gate.stderr is not None
        gate.stdout.close()
        assert (gate.stderr.read(), gate.wait()) == (b"", 1)


def test_what_goes_to_stderr_goes_through_one_function() -> None:
    direct = re.compile(r"\berr=True|sys\.stderr\.write|print_exc")
    files = {str(path.relative_to(SOURCE)) for path in SOURCE.rglob("*.py") if direct.search(path.read_text("utf-8"))}
    assert files <= {
        "cli/terminal.py",
        "cli/commands/protocol.py",
        "wings/run/executors/worker_main.py",
    }  # a prompt; a process of its own
