"""The GitHub action: its shell lines as they stand, in a folder of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ACTION = ROOT / "action" / "check" / "action.yml"

pytestmark = pytest.mark.skipif(not ACTION.exists(), reason="the action is in the repository only")


def shell_of(step: str) -> str:
    """The script of a step; the file is simple enough to be read without a YAML parser."""
    text = ACTION.read_text(encoding="utf-8").split(f"- name: {step}\n", 1)[1]
    script = text.split("run: |\n", 1)[1]
    lines = []
    for line in script.splitlines():
        if line.strip() and not line.startswith("        "):
            break
        lines.append(line[8:])
    return "\n".join(lines)


def test_it_installs_the_commit_that_it_is_of() -> None:
    """A name in the package index could be anybody's."""
    text = ACTION.read_text(encoding="utf-8")
    assert """PACKAGE: ${{ inputs.package || format('{0}/../..', github.action_path) }}\n""" in text
    assert 'description: What pip installs; left out, the commit that this action is of.\n    default: ""\n' in text
    assert (ACTION.parent / ".." / ".." / "pyproject.toml").resolve() == (ROOT / "pyproject.toml").resolve()


def test_nothing_is_repeated_from_an_earlier_use(tmp_path: Path) -> None:
    """Where nothing can be compared, there is no verdict and no summary."""
    for kind in ("json", "md", "xml"):
        (tmp_path / f"bakeoff-check.{kind}").write_text('{"verdict": "ok"}')
    command = tmp_path / "bakeoff"
    command.write_text("#!/bin/sh\nexit 2\n")
    command.chmod(0o755)
    outputs = {name: tmp_path / name.lower() for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
    environment = {**os.environ, **{name: str(path) for name, path in outputs.items()}}
    environment |= {"PATH": f"{tmp_path}:{os.environ['PATH']}", "OPTIONS": ""}
    script = ["bash", "-eo", "pipefail", "-c", shell_of("Check")]
    done = subprocess.run(script, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert done.returncode == 2
    assert not any(path.exists() and path.read_text() for path in outputs.values())


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize(("factor", "code", "verdict"), [(1.0, 0, "ok"), (1.3, 1, "regressed")])
def test_its_shell_lines(tmp_path: Path, factor: float, code: int, verdict: str) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    python = programs / "python"
    python.symlink_to(sys.executable)
    command = programs / "bakeoff"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bakeoff "$@"\n')
    command.chmod(0o755)
    for side, scale in (("base", 1.0), ("new", factor)):
        rows = "\n".join(f"sort,{i},{scale * (1 + (i * i if side == 'new' else 7 * i) % 8 / 1000)}" for i in range(8))
        (tmp_path / f"{side} line.csv").write_text(f"problem,run,score\n{rows}\n")
    outputs = {"GITHUB_STEP_SUMMARY": tmp_path / "summary.md", "GITHUB_OUTPUT": tmp_path / "output"}
    environment = {
        **os.environ,
        **{name: str(path) for name, path in outputs.items()},
        "PATH": f"{programs}:{os.environ['PATH']}",
        "BASELINE": "base line.csv",
        "NEW": "new line.csv",
        "MARGIN": "5%",
        "ALPHA": "0.01",
        "INCONCLUSIVE": "fail",
        "OPTIONS": "--better lower",
    }
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", shell_of("Check")],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert outputs["GITHUB_OUTPUT"].read_text() == f"decision={verdict}\n"
    assert verdict.upper() in outputs["GITHUB_STEP_SUMMARY"].read_text()
    assert (tmp_path / "bakeoff-check.xml").exists()
