"""Start-up is part of the interface: what importing bakeoff and comparing a small table may load."""

from __future__ import annotations

import ast
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import bakeoff
from bakeoff.places import load

HEAVY = ("pandas", "polars", "matplotlib", "scipy.stats", "numba", "dask", "narwhals", "rich", "jinja2", "pyarrow")
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
TABLE = "problem,new,old,older\n" + "".join(f"p{i},{i / 7:.3f},{i / 6:.3f},{i / 5 + i % 3:.3f}\n" for i in range(1, 13))


def loaded_by(code: str, cwd: Path) -> set[str]:
    """The modules a fresh interpreter has loaded after ``code``."""
    program = f"import json, sys\n{code}\nsys.stderr.write('\\n' + json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stderr.rsplit("\n", 1)[1]))


def test_importing_bakeoff_loads_nothing_but_the_package(tmp_path: Path) -> None:
    modules = loaded_by("import bakeoff; dir(bakeoff); bakeoff.__version__", tmp_path)
    assert not modules & {*HEAVY, "numpy", "scipy", "click"}
    assert {m for m in modules if m.startswith("bakeoff")} == {"bakeoff", "bakeoff._version", "bakeoff.reportable"}


@pytest.mark.slow
def test_making_scores_loads_numpy_alone(tmp_path: Path) -> None:
    modules = loaded_by("import bakeoff as bo; bo.rank(bo.Scores([[1., 2.]], better='lower'))", tmp_path)
    assert not modules & {*HEAVY, "scipy", "click"}


@pytest.mark.slow
def test_comparing_a_small_csv_loads_no_heavy_package(tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_text(TABLE)
    code = (
        "from bakeoff.cli import main\n"
        "for args in ([], ['--json'], ['--control', 'new'], ['--posthoc', 'all'], ['--report', 'out.md']):\n"
        "    sys.argv = ['bakeoff', 'compare', 'scores.csv', '--better', 'lower', *args]\n"
        "    try:\n"
        "        status = main()\n"
        "    except SystemExit as end:\n"
        "        status = end.code\n"
        "    assert not status, (args, status)\n"
    )
    modules = loaded_by(code, tmp_path)
    assert not modules & {*HEAVY, "scipy", "numpy.polynomial", "numpy.random", "statistics"}
    assert not {name for name in modules if name.startswith("bakeoff.wings.")}  # the core works alone


@pytest.mark.slow
def test_an_svg_in_a_report_needs_no_matplotlib(tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_text(TABLE)
    code = (
        "import bakeoff as bo\n"
        "result = bo.compare(bo.read_scores('scores.csv', better='lower'))\n"
        "result.save('out.svg'); result.save('out.html')"
    )
    assert not loaded_by(code, tmp_path) & ({*HEAVY, "scipy"} - {"jinja2"})


def test_a_check_of_two_lists_loads_neither_formats_nor_experiments(tmp_path: Path) -> None:
    code = "import bakeoff as bo; runs = {'a': [1, 1.1, 1.2, .9, 1]}; bo.check(runs, runs, '50%', better='lower')"
    loaded = {name for name in loaded_by(code, tmp_path) if name.startswith("bakeoff")}
    assert not {name for name in loaded if name.startswith("bakeoff.wings.")} - of_guard(loaded)
    assert len(loaded) <= 120


def of_guard(loaded: set[str]) -> set[str]:
    return {name for name in loaded if name.startswith("bakeoff.wings.guard")}


def test_the_list_of_commands_loads_headers_and_no_numpy(tmp_path: Path) -> None:
    code = "from bakeoff.cli import main; main.main(['--help'], standalone_mode=False)"
    loaded = loaded_by(code, tmp_path)
    assert "numpy" not in loaded
    assert len([name for name in loaded if name.startswith("bakeoff")]) <= 100


@pytest.mark.parametrize(
    "place", ["wings.formats:FORMATS", "wings.run.racing.rules:RULES", "wings.run.racing.rules:METRIC_RULES"]
)
def test_a_registry_lists_names_without_loading_what_they_name(place: str, tmp_path: Path) -> None:
    modules = loaded_by(f"from bakeoff.places import load; assert [*load({place!r})]", tmp_path)
    assert not modules & {"numpy", "click"}
    registry = load(place)
    assert [registry[name].name for name in registry] == [*registry]


WRITTEN = """
import dataclasses, json, sys
from bakeoff.cli import main
sys.argv = ["bakeoff", "compare", "scores.csv", "--better", "lower"]
try:
    main()
except SystemExit:
    pass
kinds = [kind for name, module in [*sys.modules.items()] if name.startswith("bakeoff.")
         for kind in vars(module).values() if isinstance(kind, type) and kind.__module__ == name
         and {"__slots__", "__dataclass_fields__"} <= {*vars(kind)}]
def writes(kind, name):
    code = getattr(vars(kind).get(name), "__wrapped__", vars(kind).get(name))
    return getattr(getattr(code, "__code__", None), "co_filename", "") == "<string>"
written = {name: [kind.__name__ for kind in kinds if writes(kind, name)] for name in ("__init__", "__repr__", "__eq__")}
open("written.json", "w").write(json.dumps(written | {"classes": len(kinds)}))
"""


def test_a_default_compare_writes_no_method_that_it_does_not_call(tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_text(TABLE)
    assert not loaded_by(WRITTEN, tmp_path) & {"logging", "concurrent.futures"}
    written = json.loads((tmp_path / "written.json").read_text())
    assert written["classes"] > 100
    assert 0 < len(written["__init__"]) < 0.7 * written["classes"]
    assert not written["__repr__"]
    assert {*written["__eq__"]} <= {"Caution"}  # which are told apart


def test_every_module_takes_the_dataclass_whose_methods_wait() -> None:
    root = Path(bakeoff.__file__).parent
    for path in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            standard = isinstance(node, ast.ImportFrom) and node.module == "dataclasses"
            if standard and path != root / "dataclass.py":
                assert "dataclass" not in {name.name for name in node.names}, path


def program(*words: str, cwd: Path, **variables: str) -> str:
    """What ``bakeoff`` prints, in an environment that says nothing of threads but ``variables``."""
    kept = {name: value for name, value in os.environ.items() if name not in THREADS}
    kept["PYTHONPATH"] = os.pathsep.join([str(Path(bakeoff.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM, *words],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=kept | variables,
    )
    assert done.returncode in (0, 3), done.stderr  # 3: not decided yet
    return done.stderr


PROGRAM = f"""
import os, sys
class Watch:  # what is set when NumPy is looked for
    def find_spec(self, name, path=None, target=None):
        if name == "numpy":
            print("numpy with", [(each, os.environ[each]) for each in {THREADS} if each in os.environ], file=sys.stderr)
sys.meta_path.insert(0, Watch())
from bakeoff.cli import main
try:
    main()
finally:
    print("left with", [(each, os.environ[each]) for each in {THREADS} if each in os.environ], file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("said", "loading", "left"),
    [
        ({}, [("OPENBLAS_NUM_THREADS", "1")], []),
        ({"OMP_NUM_THREADS": "2"}, [("OMP_NUM_THREADS", "2")], [("OMP_NUM_THREADS", "2")]),
        ({"OPENBLAS_NUM_THREADS": "2"}, [("OPENBLAS_NUM_THREADS", "2")], [("OPENBLAS_NUM_THREADS", "2")]),
    ],
)
def test_a_command_loads_numpy_with_one_thread_unless_the_user_says_how_many(
    said: dict[str, str], loading: list[tuple[str, str]], left: list[tuple[str, str]], tmp_path: Path
) -> None:
    (tmp_path / "scores.csv").write_text(TABLE)
    told = program("compare", "scores.csv", "--better", "lower", cwd=tmp_path, **said)
    assert f"numpy with {loading}" in told
    assert f"left with {left}" in told


CHILD = f"""
import os
with open("seen.txt", "a") as seen:
    seen.write(repr([each for each in {THREADS} if each in os.environ]) + "\\n")
print(1)
"""
EXPERIMENT = """
better = "lower"
runs = 1
on_failure = 5.0
seed = 1
[algorithms]
one = {{ command = {command}, score = "seconds" }}
two = {{ command = {command}, score = "seconds" }}
[problems.values]
p = 1
q = 2
"""


@pytest.mark.slow
@pytest.mark.parametrize("command", ["time", "check", "run"])
def test_a_program_that_a_command_runs_never_inherits_the_number_of_threads(command: str, tmp_path: Path) -> None:
    (tmp_path / "child.py").write_text(CHILD)
    child = shlex.join([sys.executable, str(tmp_path / "child.py")])
    (tmp_path / "e.toml").write_text(EXPERIMENT.format(command=json.dumps(child)))
    words = {
        "time": [child, child, "--name", "a", "--name", "b", "--rounds", "2", "--warmup", "0"],
        "check": ["--run", child, child, "--name", "x", "--margin", "5000%", "--rounds", "6"],
        "run": ["e.toml"],
    }
    told = program(command, *words[command], cwd=tmp_path)
    seen = (tmp_path / "seen.txt").read_text().splitlines()
    assert len(seen) >= 4
    assert "left with []" in told
    if command == "run":  # algorithms may run in its process, which has all threads; its workers ask for one each
        assert "numpy with []" in told
    else:
        assert {*seen} == {"[]"}
