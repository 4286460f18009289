"""An experiment is checked when it is made, from Python or from TOML, and has one canonical form."""

from __future__ import annotations

import json
import pickle
from functools import partial
from pathlib import Path

import pytest

import bakeoff as bo
from bakeoff.errors import BakeoffError, ParameterError, ReadingError
from bakeoff.wings.run.design.fingerprints import Fingerprints
from bakeoff.wings.run.design.references import CodeReference
from bakeoff.wings.run.design.specification import first_difference


def steady(problem: float, rng: object) -> float:
    return problem


def noisy(problem: float, rng: object) -> float:
    return problem + rng.normal()  # type: ignore[attr-defined, no-any-return]


TWO = {"a": steady, "b": noisy}
BASE = {"better": "lower", "seed": 1, "runs": 3}


def make(algorithms: object = TWO, problems: object = (1.0, 2.0), **changes: object) -> bo.Experiment:
    return bo.Experiment(algorithms, problems, **{**BASE, **changes})  # type: ignore[arg-type]


def test_lists_are_named_by_their_functions() -> None:
    assert make([steady, noisy]).algorithm_names == ("steady", "noisy")
    assert make(problems=[1, "x", Path("a/b"), noisy]).problem_names == ("P1", "x", "a/b", "noisy")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"algorithms": {"a": steady}}, "at least 2"),
        ({"algorithms": [steady, steady]}, "unique.*steady"),
        ({"algorithms": [steady, lambda p, r: 1]}, "no name of its own"),
        ({"algorithms": {"a": steady, "b": 3}}, "'b' must be a function"),
        ({"algorithms": {"a": steady, "b": lambda: 1}}, r"'b' must be callable as f\(problem, rng\)"),
        ({"algorithms": {"a": steady, "b": "solve {seeed}"}}, "seeed"),
        ({"algorithms": {"a": steady, "": noisy}}, "not empty"),
        ({"algorithms": {"a": steady, "\ud800": noisy}}, "UTF-8"),
        ({"algorithms": 3}, "algorithms must be"),
        ({"problems": []}, "problems is empty"),
        ({"problems": {}}, "problems is empty"),
        ({"problems": 5}, "problems must be"),
        ({"problems": [noisy, noisy]}, "unique"),
        ({"problems": "nothing/*.here"}, "no file matches"),
        ({"better": "smaller"}, "better"),
        ({"seed": -1}, "seed"),
        ({"seed": 1.0}, "seed"),
        ({"seed": True}, "seed"),
        ({"runs": 0}, "runs"),
        ({"repetitions": {"se": 1, "nmax": 40}}, "both"),
        ({"runs": None, "repetitions": {"nmax": 40}}, "needs 'se'"),
        ({"runs": None, "repetitions": {"se": 1, "nmax": 40, "n": 3}}, "no setting 'n'"),
        ({"runs": None, "repetitions": {"se": 1, "nmax": 39}}, "at least 40"),
        ({"runs": None, "repetitions": {"se": 1, "nmax": 40, "control": "c"}}, "no algorithm is called 'c'"),
        ({"runs": None, "repetitions": 3}, "repetitions must be"),
        ({"timeout": 0}, "timeout"),
        ({"timeout": "5"}, "timeout"),
        ({"memory": 10}, "memory"),
        ({"budget": float("inf")}, "budget"),
        ({"score": 3}, "score"),
        ({"on_failure": "ignore"}, "on_failure"),
        ({"on_failure": float("nan")}, "on_failure"),
        ({"on_failure": None}, "on_failure"),
        ({"runs": None, "repetitions": {"se": 1, "nmax": 40}, "on_failure": "worst"}, "infinite"),
        ({"retries": -1}, "retries"),
        ({"n_problems": 3}, "n_problems"),
    ],
)
def test_what_cannot_run_is_refused_at_once(changes: dict[str, object], words: str) -> None:
    with pytest.raises(BakeoffError, match=words):
        make(**changes)  # type: ignore[arg-type]


def test_one_run_each_unless_more_is_asked_for() -> None:
    found = make(runs=None)
    assert (found.runs, found.repetitions) == (1, None)
    assert "1 run each" in repr(found)
    assert [c.code for c in bo.run(found).cautions] == ["single-runs"]


def test_three_algorithms_have_no_paper_form_for_all_pairs() -> None:
    three = {**TWO, "c": steady}
    asked = {"se": 0.1, "nmax": 100, "differences": "percent", "method": "paper"}
    with pytest.raises(ParameterError, match="two algorithms"):
        make(three, runs=None, repetitions=asked)
    make(three, runs=None, repetitions={**asked, "comparisons": "control"})


def test_the_specification_holds_everything_and_only_that() -> None:
    one, same = make(), make()
    assert one.spec_json == same.spec_json
    assert one.spec_hash == same.spec_hash
    for change in ({"seed": 2}, {"runs": 4}, {"better": "higher"}, {"timeout": 5}, {"on_failure": 3}, {"retries": 1}):
        assert make(**change).spec_hash != one.spec_hash  # type: ignore[arg-type]
    assert first_difference(one.spec_json, make(seed=2).spec_json) == "seed is 1 in the store and 2 now"
    renamed = make({"a": steady, "c": noisy})
    assert first_difference(one.spec_json, renamed.spec_json) == ('algorithms[2].name is "b" in the store and "c" now')
    longer = make(problems=(1.0, 2.0, 3.0))
    assert first_difference(one.spec_json, longer.spec_json) == 'problems[3] is absent in the store and "P3" now'


def test_secrets_of_the_environment_are_not_written_down() -> None:
    command = bo.CommandLine("solve {instance}", environment={"TOKEN": "hunter2"})
    assert "hunter2" not in make({"a": command, "b": steady}).spec_json


def test_problems_are_drawn_in_an_order_of_their_own() -> None:
    names = [f"p{i}" for i in range(30)]
    one, turned = make(problems=names), make(problems=names[::-1])
    drawn = [one.problem_names[i] for i in one.order]
    assert drawn == [turned.problem_names[i] for i in turned.order] != names
    assert drawn != [one.problem_names[i] for i in make(problems=names, seed=2).order]
    few = make(problems=names, n_problems=7)
    assert [few.problem_names[i] for i in few.order] == drawn[:7]


def test_functions_are_known_by_name_and_partials_are_welcome() -> None:
    assert make({"a": partial(steady), "b": noisy}).algorithm_names == ("a", "b")


def test_files_by_pattern(tmp_path: Path) -> None:
    for name in ("deep/x.txt", "deep/er/y.txt", "z.txt", "other.csv"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    found = make(problems="**/*.txt", folder=tmp_path)
    assert found.problem_names == ("deep/er/y.txt", "deep/x.txt", "z.txt")
    assert found.problems[0] == (tmp_path / "deep/er/y.txt").resolve()
    assert make(problems=str(tmp_path / "deep" / "*")).problem_names == ("x.txt",)


GOOD = """
better = "lower"
seed = 3
repetitions = { se = 0.5, n0 = 5, nmax = 40 }
memory = "1.5 GB"
on_failure = 100.0
[algorithms]
mine = { python = "solvers:mine" }
shell = "./solve.sh {instance} --seed {seed}"
other = { command = ["prog", "{instance}"], score = "json:cost", exit_codes = [0, 10] }
[problems]
files = ["data/*.txt"]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    name = f"solvers_{abs(hash(str(tmp_path)))}"
    (tmp_path / f"{name}.py").write_text("def mine(problem, rng):\n    return 1.0\n\nPROBLEMS = {'x': 1, 'y': 2}\n")
    (tmp_path / "data").mkdir()
    for i in range(3):
        (tmp_path / "data" / f"{i}.txt").write_text(str(i))
    (tmp_path / "good.toml").write_text(GOOD.replace("solvers:", f"{name}:"))
    return tmp_path


def test_toml(folder: Path) -> None:
    found = bo.Experiment.from_toml(folder / "good.toml")
    assert found.algorithm_names == ("mine", "shell", "other")
    assert found.problem_names == ("0.txt", "1.txt", "2.txt")
    assert found.memory == 1_500_000_000
    assert found.on_failure == 100.0
    assert found.repetitions == bo.Repetitions(se=0.5, n0=5, nmax=40)
    assert found.algorithms[2].exit_codes == (0, 10)
    assert found.algorithms[1].folder == str(folder.resolve())
    sent = pickle.loads(pickle.dumps(found.algorithms[0]))
    assert isinstance(sent, CodeReference)
    assert sent(None, None) == 1.0


def test_toml_can_be_moved(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No path of this machine is part of the experiment."""
    text = (folder / "good.toml").read_text().replace('mine = { python = "', 'mine = "echo 1" # ')
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    for place in (folder, elsewhere):
        (place / "data").mkdir(exist_ok=True)
        for i in range(3):
            (place / "data" / f"{i}.txt").write_text(str(i))
        (place / "moved.toml").write_text(text)
    specs = [bo.Experiment.from_toml(place / "moved.toml").spec_json for place in (folder, elsewhere)]
    assert specs[0] == specs[1]
    assert str(folder) not in specs[0]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('better = "lower"', "", 'better is missing.*say better = "lower"'),
        ("seed = 3", "", "seed is missing"),
        ("seed = 3", "sede = 3", "no setting 'sede'; did you mean 'seed'"),
        ("seed = 3", "seed = ", "not valid TOML.*line 3"),
        ("nmax = 40", "nmax = 4", "at least 15"),
        ('"1.5 GB"', '"much"', "memory must be"),
        (":mine", ":yours", "has no 'yours'"),
        ("solvers", "no_such_module_here", "there is no no_such_module_here"),
        (":mine", "", "module:function"),
        ("{instance} --seed", "{instanz} --seed", "instanz.*did you mean 'instance'"),
        ('score = "json:cost"', 'scores = "json:cost"', "algorithms.other has no setting 'scores'"),
        ('["prog", "{instance}"]', "3", "algorithms.other: a command is"),
        ('files = ["data/*.txt"]', "", "exactly one of"),
        ("data/*.txt", "data/*.cnf", "no file matches"),
        ("on_failure = 100.0", 'on_failure = "skip"', "on_failure"),
    ],
)
def test_toml_mistakes_name_the_file_and_the_entry(folder: Path, old: str, new: str, words: str) -> None:
    text = (folder / "good.toml").read_text()
    assert old in text or old == "solvers"
    (folder / "bad.toml").write_text(text.replace(old, new, 1))
    with pytest.raises(BakeoffError, match=words) as caught:
        bo.Experiment.from_toml(folder / "bad.toml")
    assert "bad.toml" in str(caught.value)


def test_toml_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ReadingError, match="cannot read"):
        bo.Experiment.from_toml(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes("better = 'größer'".encode("latin-1"))
    with pytest.raises(ReadingError, match="UTF-8"):
        bo.Experiment.from_toml(tmp_path / "latin.toml")


def test_toml_problems_in_python_and_by_value(folder: Path) -> None:
    text = (folder / "good.toml").read_text()
    module = next(folder.glob("solvers_*.py")).stem
    (folder / "python.toml").write_text(text.replace('files = ["data/*.txt"]', f'python = "{module}:PROBLEMS"'))
    assert bo.Experiment.from_toml(folder / "python.toml").problem_names == ("x", "y")
    (folder / "values.toml").write_text(text.replace('files = ["data/*.txt"]', "values = { p = 1, q = 'two' }"))
    assert bo.Experiment.from_toml(folder / "values.toml").problems == (1, "two")


def test_the_specification_is_plain_json() -> None:
    found = json.loads(make(runs=None, repetitions={"se": 1, "nmax": 60, "statistic": sorted}).spec_json)
    assert found["repetitions"]["statistic"] == "builtins:sorted"
    assert found["algorithms"] == [
        {"kind": "function", "name": name, "function": f"{__name__}:{function}"}
        for name, function in (("a", "steady"), ("b", "noisy"))
    ]


def of_algorithm(thing: object) -> str:
    return Fingerprints().of_algorithm(thing)


def test_a_programs_fingerprint_is_its_content_wherever_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "solver.sh").write_text("#!/bin/sh\necho 1\n")
    (tmp_path / "settings.ini").write_text("a = 1")
    command = bo.CommandLine("./solver.sh {instance} settings.ini", folder=str(tmp_path))
    first = of_algorithm(command)
    assert [*json.loads(first)["parts"]] == ["file 'solver.sh'", "file 'settings.ini'"]
    monkeypatch.chdir("/")
    assert of_algorithm(command) == first
    (tmp_path / "settings.ini").write_text("a = 2")
    second = of_algorithm(command)
    (tmp_path / "solver.sh").write_text("#!/bin/sh\necho 2\n")
    assert len({first, second, of_algorithm(command)}) == 3
    assert of_algorithm(bo.CommandLine("sh -c 'echo {seed}'")) != of_algorithm(bo.CommandLine("no-such-program-here"))
    assert json.loads(of_algorithm(bo.CommandLine("no-such-program-here")))["parts"] == {}
    assert of_algorithm(steady) != of_algorithm(noisy)


@pytest.mark.slow
def test_a_program_beside_the_file_is_found_from_fresh_folders(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = """
    better = "lower"
    seed = 1
    [algorithms]
    a = { command = "./solver.sh {seed}", fresh_folder = true, score = "file:out.txt" }
    b = "echo {seed}"
    [problems.values]
    p = 1
    """
    specs = []
    for place in (tmp_path, tmp_path_factory.mktemp("other place")):
        (place / "solver.sh").write_text("#!/bin/sh\necho $1 > out.txt\n")
        (place / "solver.sh").chmod(0o755)
        (place / "fresh.toml").write_text(text)
        monkeypatch.chdir("/")
        found = bo.Experiment.from_toml(place / "fresh.toml")
        specs.append(found.spec_json)
        assert bo.run(found).n_runs == 2
        assert not (place / "out.txt").exists()
    assert specs[0] == specs[1]
