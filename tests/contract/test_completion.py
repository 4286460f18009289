"""Completion in bash, zsh and fish: click's own, with what there is to complete."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.analyses import by_schema, of_command
from bakeoff.analyses.plan.parameters import OF_PILOT, TESTING
from bakeoff.cli import _main, main
from bakeoff.cli.completion import CHOICES, VARIABLE
from bakeoff.errors import ReportError
from bakeoff.parameter import Parameter
from bakeoff.wings.curves.curves.parameters import ALONG
from bakeoff.wings.formats import FORMATS
from bakeoff.wings.run.race import OF_RULES
from bakeoff.wings.study.analysis.parameters import OF_POWER
from every_kind import RESULTS

TABLE = str(Path(bo.__file__).parent / "datasets" / "demsar_2006.csv")
ROOT = Path(__file__).parents[2]


def completed(line: str) -> list[str]:
    """What click answers to the shell: a type and a value each."""
    words = line.split(" ")
    environment = {VARIABLE: "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    return CliRunner(env=environment).invoke(main, [], prog_name="bakeoff").stdout.split()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("bakeoff comp", ["plain,compare"]),
        ("bakeoff compare --standard", ["plain,--standard-error"]),
        ("bakeoff compare --better ", ["plain,lower", "plain,higher"]),
        ("bakeoff compare t.csv --better lower --posthoc ber", ["plain,bergmann-hommel"]),
        ("bakeoff compare --recipe d", ["plain,demsar-2006", "plain,derrac-2011"]),
        ("bakeoff race e.toml --method e-", ["plain,e-sign", "plain,e-choose"]),
        ("bakeoff import hyper", ["plain,hyperfine"]),
        ("bakeoff compare res", ["file,res"]),
        ("bakeoff compare t.csv --report rep", ["file,rep"]),
        ("bakeoff verify r", ["file,r"]),
        ("bakeoff check base/ ne", ["file,ne"]),
        ("bakeoff baseline up", ["plain,update"]),
        ("bakeoff baseline show --store b", ["file,b"]),
        ("bakeoff compare t.csv --control ", []),
    ],
)
def test_what_is_completed(line: str, expected: list[str]) -> None:
    assert completed(line) == expected


def test_every_command_is_completed() -> None:
    assert [word for word in completed("bakeoff ") if not word.startswith("plain,-")] == [
        f"plain,{name}" for name in _main.commands()
    ]


FORMAT_NAMES = ("import FORMAT|auto", "--format")
WITH_KEYS = ("--look", "--read")
NAMES = [name for name in CHOICES if name not in (*FORMAT_NAMES, *WITH_KEYS)]
OF_RECORDS = [
    (record.kind, parameter)
    for record in by_schema().values()
    for parameter in record.parameters
    if parameter.choices and parameter.name not in ("posthoc", "suites", "missing")
]


@pytest.mark.parametrize("name", NAMES)
def test_the_names_are_those_that_the_command_accepts(name: str) -> None:
    """By its own words when it is given another one."""
    *command, option = name.split(" ", 1) if " " in name else ("compare", name)
    done = CliRunner().invoke(main, [*command, TABLE, "--better", "higher", option, "zzz"])
    assert accepted(done.stderr) | ({"bounds", "common"} if name == "compare --missing" else set()) == set(
        CHOICES[name]
    )


@pytest.mark.parametrize(("option", "word"), [(name, word) for name in WITH_KEYS for word in CHOICES[name]])
def test_the_keys_and_values_are_those_that_the_command_accepts(option: str, word: str) -> None:
    done = CliRunner().invoke(main, ["compare", TABLE, "--better", "higher", option, word])
    assert f"{option} has no key" not in done.stderr
    assert f"{option} {word.split('=')[0]} must be" not in done.stderr


def test_the_formats_are_those_of_the_adapters() -> None:
    """Too many for an error to name."""
    assert all({"auto", *CHOICES[name]} == {"auto", *FORMATS} for name in FORMAT_NAMES)


OF_COMMANDS = {
    "plan": (["plan", "--effect", "0.5"], [one for one in TESTING if one.name != "claim"]),
    "plan of a margin": (["plan", "--margin", "0.6"], [one for one in TESTING if one.name == "claim"]),
    "plan of a pilot": (["plan", "--pilot", "runs.csv", "--better", "higher"], OF_PILOT),
    "race": (["race", TABLE, "--better", "higher"], OF_RULES),
    "study power": (["study", "power", TABLE, "--better", "higher", "--a", "C4.5", "--b", "C4.5+m"], OF_POWER),
    "curves": (["curves", "curves.csv", "--better", "lower"], ALONG),
}


@pytest.mark.parametrize(
    ("command", "parameter"),
    [(command, one) for command, (_, listed) in OF_COMMANDS.items() for one in listed if one.choices],
    ids=lambda value: getattr(value, "name", value),
)
def test_the_choices_of_a_command_are_those_that_it_accepts(
    command: str, parameter: Parameter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [
        f"p{i},{a},{r},{b},{i * 7 % 5 + r + (a == 'B') + 1 / b}"
        for i in range(6)
        for a in "AB"
        for r in (1, 2)
        for b in (1, 2)
    ]
    Path("curves.csv").write_text("\n".join(["problem,algorithm,run,budget,score", *rows]))
    at_first = [row.split(",") for row in rows if row.split(",")[3] == "1"]
    Path("runs.csv").write_text(
        "\n".join(["problem,algorithm,run,score", *(",".join((*r[:3], r[4])) for r in at_first)])
    )
    done = CliRunner().invoke(main, [*OF_COMMANDS[command][0], parameter.flag, "zzz"])
    assert accepted(done.stderr) == set(parameter.choices)


def accepted(error: str) -> set[str]:
    listed = error.split("must be one of ")[-1].split("; got")[0]
    return {word.strip("'\"") for word in re.split(", | or ", listed)}


@pytest.mark.few(4)
@pytest.mark.parametrize(("kind", "parameter"), OF_RECORDS, ids=lambda value: getattr(value, "name", value))
def test_the_choices_of_a_record_are_those_that_the_function_accepts(kind: str, parameter: Parameter) -> None:
    content = RESULTS[kind]().to_dict()
    content["request"][parameter.name] = "zzz"
    with pytest.raises(ReportError) as error:
        bo.verify(content)
    assert accepted(str(error.value)) == set(parameter.choices)


def test_the_corrections_are_those_of_both_families() -> None:
    from bakeoff.analyses.compare.statistics.catalogue import corrections

    known = {method.name for control in (True, False) for method in corrections(control)}
    posthoc = of_command("compare").parameter("posthoc")
    assert posthoc is not None
    assert set(posthoc.choices) - {"all"} == known


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_clicks(shell: str) -> None:
    done = CliRunner().invoke(main, ["--completion", shell])
    assert done.exit_code == 0
    assert f"{VARIABLE}={shell}_complete" in done.stdout


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes(tmp_path: Path) -> None:
    """The function that the script defines, called as bash calls it."""
    (tmp_path / "bakeoff").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bakeoff "$@"\n')
    (tmp_path / "bakeoff").chmod(0o755)
    program = (
        'eval "$(bakeoff --completion bash)"; COMP_WORDS=(bakeoff compare --recipe gar); COMP_CWORD=3; '
        '_bakeoff_completion bakeoff; echo "${COMPREPLY[@]}"'
    )
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", program], env=environment, capture_output=True, text=True)
    assert done.stdout.split() == ["garcia-2010"], done.stderr


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "line", ["bakeoff comp", "bakeoff compare t.csv --posthoc h", "bakeoff race e.toml --method i"]
)
def test_completing_loads_no_numbers(line: str) -> None:
    """It is asked at every key: only click and the command are loaded."""
    program = (
        "import atexit, json, sys\n"
        "atexit.register(lambda: sys.stderr.write('\\n' + json.dumps(sorted(sys.modules))))\n"
        "from bakeoff.cli import main\nmain()"
    )
    environment = {VARIABLE: "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **environment}, capture_output=True, text=True
    )
    assert done.stdout.startswith("plain,"), done.stderr
    loaded = set(json.loads(done.stderr.rsplit("\n", 1)[1]))
    assert not loaded & {"numpy", "scipy", "matplotlib", "rich", "jinja2", "starlette", "narwhals"}
    others = {name for name in loaded if name.startswith("bakeoff.cli.commands.")}
    assert len(others) <= 2, others
