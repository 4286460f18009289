"""Folders, files and settings as strangers have them."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import bakeoff as bo
from bakeoff.wings.run.design.naming import matching_files
from bakeoff.wings.run.store.contents import read_store
from bakeoff.wings.run.verification import verify_store


def test_a_folder_may_be_called_like_a_pattern(tmp_path: Path) -> None:
    folder = tmp_path / "try[1]*"
    (folder / "data" / "deep").mkdir(parents=True)
    for name in ("one.txt", "deep/two.txt"):
        (folder / "data" / name).write_text("1")
    assert sorted(matching_files("data/**/*.txt", folder)) == ["deep/two.txt", "one.txt"]
    assert list(matching_files("data/one.*", folder)) == ["one.txt"]
    assert list(matching_files(str(tmp_path / "try*" / "data" / "one.txt"), folder)) == ["try[1]*/data/one.txt"]
    with pytest.raises(bo.errors.ParameterError, match="no file matches"):
        matching_files("none/*.txt", folder)


PROGRAMS = """
better = "lower"
seed = 1
[algorithms]
talks = "echo hello"
counts = "echo 1"
[problems.values]
one = 1
"""


def experiment(folder: Path, text: str = PROGRAMS) -> bo.Experiment:
    (folder / "experiment.toml").write_text(text)
    return bo.Experiment.from_toml(folder / "experiment.toml")


@pytest.mark.slow
def test_a_failed_run_is_named_once(tmp_path: Path) -> None:
    with pytest.raises(bo.errors.RunFailedError) as caught:
        bo.run(experiment(tmp_path))
    assert str(caught.value).count("'talks' on 'one'") == 1
    assert "stdout: 'hello' is not a number" in str(caught.value)


def test_an_absent_store_is_named_once(tmp_path: Path) -> None:
    with pytest.raises(bo.errors.StoreError, match=r"^there is no store '/"):
        read_store(tmp_path / "none.sqlite")


def test_an_option_of_another_executor_is_refused_in_our_words(tmp_path: Path) -> None:
    with pytest.raises(bo.errors.ParameterError) as caught:
        bo.run(experiment(tmp_path), address="tcp://localhost:1")
    assert "no such option: address" in str(caught.value)
    assert 'executor="dask"' in str(caught.value)
    assert "__init__" not in str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        "UPDATE instance SET draw_order = draw_order + 100",
        "UPDATE instance SET draw_order = NULL WHERE draw_order = 2",
        "UPDATE instance SET draw_order = -1 - draw_order",
        "UPDATE algorithm SET name = 'other' WHERE pos = 1",
    ],
)
def test_verify_knows_names_and_the_order_of_drawing(tmp_path: Path, change: str) -> None:
    """Which problems a look sees is up to the seed, not to whoever edits the store."""
    text = PROGRAMS.replace("one = 1", "one = 1\ntwo = 2\nthree = 3").replace("echo hello", "echo 2")
    bo.run(experiment(tmp_path, text), tmp_path / "runs.sqlite")
    assert verify_store(tmp_path / "runs.sqlite").ok
    with closing(sqlite3.connect(tmp_path / "runs.sqlite")) as connection:
        connection.execute(change)
        connection.commit()
    assert not verify_store(tmp_path / "runs.sqlite").ok


CODE = """
better = "lower"
seed = 1
[algorithms]
one = { python = "ALGORITHM" }
two = "echo 2"
[problems]
python = "PROBLEMS"
"""


def named(folder: Path, algorithm: str = "sound:f", problems: str = "sound:problems") -> bo.Experiment:
    return experiment(folder, CODE.replace("ALGORITHM", algorithm).replace("PROBLEMS", problems))


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Python code beside an experiment; forgotten afterwards."""
    sources = {
        "sound": "def f(problem, rng): return 1\nproblems = {'p': 1}\ndef fails(): raise KeyError('x')\n"
        "def two(a, b): return {}\n",
        "no_syntax": "def f(\n",
        "raises": "raise ValueError('boom')\n",
        "ends": "import sys\nsys.exit(3)\n",
    }
    for name, source in sources.items():
        (tmp_path / f"{name}.py").write_text(source)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "modules", {**sys.modules})
    return tmp_path


@pytest.mark.parametrize(
    ("algorithm", "words"),
    [("no_syntax:f", "SyntaxError"), ("raises:f", "ValueError: boom"), ("ends:f", "SystemExit: 3")],
)
def test_a_module_that_cannot_be_imported_is_the_experiments_mistake(modules: Path, algorithm: str, words: str) -> None:
    with pytest.raises(bo.errors.ParameterError, match=words) as caught:
        named(modules, algorithm)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("problems", "words"), [("sound:fails", "KeyError: 'x'"), ("sound:two", "TypeError")])
def test_problems_that_cannot_be_made_are_the_experiments_mistake(modules: Path, problems: str, words: str) -> None:
    with pytest.raises(bo.errors.ParameterError, match=words):
        named(modules, problems=problems)


@pytest.mark.parametrize("name", ["os:abort", "antigravity:geohash", "os.path:join", "numpy:sum"])
def test_an_experiment_names_only_code_that_came_with_it(modules: Path, name: str) -> None:
    """Nothing is imported or called to find that out: os.abort() would end this test, and all others."""
    named(modules)
    for where in ({"problems": name}, {"algorithm": name}):
        with pytest.raises(bo.errors.ParameterError, match=r"beside the experiment's file"):
            named(modules, **where)
    assert "antigravity" not in sys.modules


def test_a_module_beside_an_experiment_may_be_a_link(modules: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "code.py"
    elsewhere.write_text("def f(problem, rng): return 1\n")
    (modules / "linked_code.py").symlink_to(elsewhere)
    assert named(modules, "linked_code:f").algorithm_names == ("one", "two")


def test_a_module_named_like_a_builtin_is_refused(modules: Path) -> None:
    (modules / "sys.py").write_text("def exit(problem, rng): return 1\n")
    with pytest.raises(bo.errors.ParameterError, match="another module 'sys'"):
        named(modules, "sys:exit")


@pytest.mark.parametrize(
    "template",
    [
        "cat '{instance}'",
        'cat "{instance}"',
        'cat "a\\"b{instance}"',
        "echo `cat {instance}`",
        "echo 1 # {instance}",
        "cat <<END\n{instance}\nEND",
        "cat \\{instance}",
        "cat ${instance}",
        "echo 'a\\' '{instance}'",
        "echo $((1 + {instance}))",
        "echo $(((1) + {instance}))",
        "echo ${{x:-{instance}}}",
        'echo "$(cat "{instance}" | wc -c)"',
    ],
)
def test_a_shell_command_with_a_place_in_quotes_is_refused(template: str) -> None:
    """'{instance}' becomes ''name'': the quotes that should protect the name would end before it."""
    with pytest.raises(bo.errors.ParameterError, match=r"quotes of its own: \{instance\}"):
        bo.CommandLine(template, shell=True)


@pytest.mark.few(30)
@pytest.mark.parametrize(
    "template",
    ["cat {instance} | tail -n 1", "cat '#' {instance}", "x={instance}; cat \"$x\"", "echo a#b {instance} '{{seed}}'",
     "# first\ncat {instance}", "echo $(cat {instance})", "cat \\\" {instance}", 'echo "$(cat {instance})"',
     "f() {{ cat \"$1\"; }}; f {instance}", "sh -c 'cat \"$1\"' sh {instance}"],
)  # fmt: skip
@pytest.mark.parametrize("name", ["a b", "'; touch pwned; '", '"; touch pwned; "', "$(touch pwned)", "`touch pwned`",
                                  "x\ntouch pwned", "\\'; touch pwned #", "*", "-n"])  # fmt: skip
def test_no_name_smuggles_a_command_into_a_shell(template: str, name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("7\n")
    if template.startswith("cat '#'") or '\\"' in template:
        (tmp_path / "#").touch()
        (tmp_path / '"').touch()
    words = bo.CommandLine(template, shell=True).words({"instance": f"./{name}"})
    said = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "7" in said.stdout or template.startswith("echo a#b")
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize(
    ("template", "shell"),
    [
        ("eval cat {instance}", True),
        ("sh -c {instance}", True),
        ("true; bash -ec {problem}", True),
        ("ssh host ./solver {instance}", True),
        ("trap {problem} EXIT", True),
        ("echo {instance} | sh", True),
        ('printf "%s\\n" {problem} | bash -s', True),
        ("(echo {problem}; echo b) | sudo python3 -", True),
        ("echo {problem} | xargs -I% sh -c %", True),
        ("echo {problem} | xargs -n1 bash -c", True),
        ("echo {problem} | xargs -I% sh -c 'cat %'", True),
        ("echo {instance} | parallel", True),
        ("echo {instance} | sudo nice -5 ssh host", True),
        ("sh -c 'cat {instance}'", False),
        ("env bash -c 'cat {algorithm}'", False),
        ("python3 -c 'print({instance!r})'".replace("!r", ""), False),
        ("perl -ne 'print {instance}'", False),
        ("timeout 5 ssh host ./solver {instance}", False),
    ],
)
def test_a_name_is_never_read_as_code(template: str, shell: bool) -> None:
    with pytest.raises(bo.errors.ParameterError, match=r"would be (read as code|run) by"):
        bo.CommandLine(template, shell=shell)


def test_a_pipe_into_a_script_is_fine() -> None:
    for template in (
        "cat {instance} | sh solve.sh",
        "cat {instance} | python3 solve.py -v",
        "echo 1 | sh; ./s {problem}",
        "echo {problem} | xargs -n1 sh -c './s \"$1\"' sh",
        "echo {problem} | xargs ./s",
        "echo {problem} | ./s at ssh",
    ):
        bo.CommandLine(template, shell=True)


def test_a_number_may_stand_in_code() -> None:
    assert bo.CommandLine("sh -c 'echo {seed} {run} {budget}'").places == {"seed", "run", "budget"}


def test_a_name_is_never_an_option(tmp_path: Path) -> None:
    """R-S3: sort would write to the file PWNED."""
    (tmp_path / "inst").mkdir()
    (tmp_path / "inst" / "--output=PWNED").write_text("1\n")
    command = "sort {problem} /dev/null {instance}"
    for template in (command, f"nice {command}"):
        with pytest.raises(bo.errors.ParameterError, match=r"would read '--output=PWNED' as an option"):
            bo.Experiment({"a": template, "b": "echo 1"}, "inst/*", better="lower", seed=1, folder=tmp_path).work  # noqa: B018
    for template in ("sort --key={problem}", "sort -- {problem}"):
        bo.Experiment({"a": template, "b": "echo 1"}, "inst/*", better="lower", seed=1, folder=tmp_path).work  # noqa: B018
    with pytest.raises(bo.errors.ParameterError, match=r"rename that algorithm"):
        bo.Experiment({"-a": "echo {algorithm}", "b": "echo 1"}, ["p"], better="lower", seed=1).work  # noqa: B018


SCORE_FILES = [
    ("out-{run}.txt", {"runs": 2}, "run 1 of 'a' on 'p' and of run 1 of 'a' on 'q'"),
    ("out-{run}.txt", {}, "is that of run 1 of 'a' on 'p'"),
    ("{problem}-{run}.txt", {}, "is that of run 1 of 'a' on 'p' and of run 1 of 'b' on 'p'"),
    ("{algorithm}-{problem}.txt", {"runs": 2}, "scores of all its runs on a problem to one file"),
    ("{algorithm}{problem}{run}", {"runs": 11, "problems": ["p", "p1"]}, "'ap10' is that of run 11 of 'a' on 'p'"),
    ("{algorithm}-{problem}-{run}", {"runs": 2}, ""),
    ("{algorithm}-{instance}", {}, ""),
    ("{seed}.txt", {"runs": 5}, ""),
    ("{output}", {"runs": 5}, ""),
    ("{algorithm}-{problem}", {"repetitions": {"se": 0.1, "nmax": 90}}, "scores of all its runs"),
]


@pytest.mark.parametrize(("name", "more", "said"), SCORE_FILES)
def test_every_run_has_a_score_file_of_its_own(name: str, more: dict[str, Any], said: str) -> None:
    """R-A2: with {run} alone, the repetition, eight workers read 73 of 110 scores from another problem's file."""
    commands = {who: bo.CommandLine("solver {instance}", score=f"file:{name}") for who in "ab"}
    settings: dict[str, Any] = {"problems": ["p", "q"], "better": "lower", "seed": 1, **more}
    if not said:
        assert bo.Experiment(commands, **settings).n_problems == 2
        return
    with pytest.raises(bo.errors.ParameterError, match=said) as error:
        bo.Experiment(commands, **settings)
    assert "fresh_folder=True" in str(error.value)


def test_a_score_file_of_a_private_folder_may_have_any_name() -> None:
    commands = {who: bo.CommandLine("solver", score="file:out", fresh_folder=True) for who in "ab"}
    assert bo.Experiment(commands, ["p", "q"], better="lower", seed=1, runs=3).n_problems == 2


@pytest.mark.parametrize("name", ["runs = 3", "timeout = 5.0", "retries = 1", "seed = 3", "memory = 1000000000"])
@pytest.mark.parametrize("table", ["[algorithms]", "[problems.values]", "[repetitions]", "[problems]"])
def test_a_setting_below_a_table_is_told_its_place(tmp_path: Path, name: str, table: str) -> None:
    text = PROGRAMS.replace("[problems.values]\none = 1", "[problems]\nvalues = { one = 1 }")
    text += "" if table != "[repetitions]" else "\n[repetitions]\nse = 1.0\nnmax = 50\n"
    if table == "[problems.values]":
        text = PROGRAMS  # names of problems are the user's own
        assert experiment(tmp_path, text.replace(table, f"{table}\n{name}")).problem_names[0] == name.split(" ")[0]
        return
    with pytest.raises(bo.errors.ParameterError, match=r"above the first \[table\]"):
        experiment(tmp_path, text.replace(table, f"{table}\n{name}"))


def test_what_is_missing_may_stand_below_a_table(tmp_path: Path) -> None:
    text = PROGRAMS.replace('better = "lower"', "").replace("[algorithms]", '[algorithms]\nbetter = "lower"')
    with pytest.raises(bo.errors.ParameterError, match=r"better is missing.* below \[algorithms\]"):
        experiment(tmp_path, text)


def test_no_file_is_two_problems(tmp_path: Path) -> None:
    """Through a link, or by two patterns: the same problem twice would be taken for twice the evidence."""
    (tmp_path / "data" / "small").mkdir(parents=True)
    for name in ("a.txt", "small/b.txt"):
        (tmp_path / "data" / name).write_text("1")
    text = PROGRAMS.replace("[problems.values]\none = 1", "[problems]\nfiles = FILES")
    assert experiment(tmp_path, text.replace("FILES", "['data/**/*.txt', 'data/*.txt']")).problem_names == (
        "a.txt",
        "small/b.txt",
    )
    with pytest.raises(bo.errors.ParameterError, match=r"'small/b\.txt' and 'b\.txt' are the same file"):
        experiment(tmp_path, text.replace("FILES", "['data/**/*.txt', 'data/small/*.txt']"))
    (tmp_path / "data" / "loop").symlink_to(tmp_path / "data")
    with pytest.raises(bo.errors.ParameterError, match="are the same file"):
        matching_files("data/**/*.txt", tmp_path)


@pytest.mark.slow
def test_a_store_is_no_experiment(tmp_path: Path) -> None:
    text = PROGRAMS.replace("echo hello", "echo 2")
    bo.run(experiment(tmp_path, text), tmp_path / "runs.sqlite")
    with pytest.raises(bo.errors.ReadingError, match="is a store of runs"):
        bo.Experiment.from_toml(tmp_path / "runs.sqlite")


@pytest.mark.slow
def test_a_figure_of_a_name_with_control_characters_is_valid(tmp_path: Path) -> None:
    text = PROGRAMS.replace("echo hello", "echo 2").replace("one = 1", 'one = 1\n"\\u001b[31mred\\u0001" = 2')
    bo.run(experiment(tmp_path, text)).save(tmp_path / "differences.svg")
    drawn = (tmp_path / "differences.svg").read_text()
    assert "red" in drawn
    assert not {"\x1b", "\x01"} & set(drawn)
    ElementTree.fromstring(drawn)
