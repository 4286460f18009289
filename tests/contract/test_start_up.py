"""Start-up is part of the interface: what importing bakeoff and comparing a small table may load."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bakeoff.places import load

HEAVY = ("pandas", "polars", "matplotlib", "scipy.stats", "numba", "dask", "narwhals", "rich", "jinja2", "pyarrow")
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
    formats = {name for name in modules if name.startswith("bakeoff.wings.formats")}
    assert formats <= {"bakeoff.wings.formats", "bakeoff.wings.formats.wing"}  # a table is not another program's file


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
