"""House rules that a machine can check, and what a wheel must contain."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import bakeoff as bo
from sources import FILES, SRC, source_file

ROOT = Path(__file__).parents[2]
MODULES = [
    "bakeoff",
    *(
        m.name
        for m in pkgutil.walk_packages(bo.__path__, "bakeoff.")
        if not m.name.endswith(("__main__", "_compiled"))  # the compiled twins need an optional package
    ),
]


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


NAMESPACES = [name for name in bo.__all__ if isinstance(getattr(bo, name), ModuleType)]  # bo.bayes and its like

# --- the public list --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", bo.__all__)
def test_public_names_load_and_say_where_they_live(name: str) -> None:
    thing = getattr(bo, name)
    assert getattr(bo, name) is thing
    if inspect.isfunction(thing) or inspect.isclass(thing):
        assert thing.__name__ == name


def public_functions() -> dict[str, Any]:
    found = {n: getattr(bo, n) for n in bo.__all__}
    for room in ("bayes", "plan", "study"):
        found |= {f"{room}.{n}": getattr(getattr(bo, room), n) for n in getattr(bo, room).__all__}
    return {n: thing for n, thing in found.items() if inspect.isfunction(thing)}


SIBLINGS = {"plan.detectable": "_power", "plan.significance": "_power"}  # the same equation, solved for another letter


@pytest.mark.parametrize("name", public_functions())
def test_a_public_function_lives_in_the_file_of_its_name(name: str) -> None:
    file = Path(inspect.getfile(inspect.unwrap(public_functions()[name])))
    assert file.stem == SIBLINGS.get(name, f"_{name.split('.')[-1]}")


def test_scores_and_experiment_have_their_own_files() -> None:
    assert [c.__name__ for c in classes_of(SRC / "scores" / "_scores.py")] == ["Scores"]
    assert [c.__name__ for c in classes_of(SRC / "wings" / "run" / "design" / "experiment.py")] == ["Experiment"]


def classes_of(path: Path) -> list[type]:
    module = importlib.import_module(str(path.relative_to(SRC.parent).with_suffix("")).replace("/", "."))
    return [getattr(module, n) for n in source_file(path).classes]


@pytest.mark.parametrize("room", NAMESPACES)
def test_a_namespace_shows_its_functions_and_nothing_else(room: str) -> None:
    namespace = getattr(bo, room)
    shown = [n for n in dir(namespace) if not n.startswith("__")]
    assert shown
    assert all(inspect.isfunction(getattr(namespace, n)) for n in shown)


# --- docstrings -------------------------------------------------------------------------------------------------

PUBLIC = {n: getattr(bo, n) for n in bo.__all__}
PUBLIC |= {f"{room}.{n}": getattr(PUBLIC[room], n) for room in NAMESPACES for n in getattr(PUBLIC[room], "__all__", ())}
DOCUMENTED = [n for n, thing in PUBLIC.items() if inspect.isfunction(thing) or n in ("Scores", "Experiment")]


@pytest.mark.parametrize("name", DOCUMENTED)
def test_public_docstrings_have_the_sections_of_the_house(name: str) -> None:
    thing = PUBLIC[name]
    doc = inspect.getdoc(thing)
    assert doc
    sections = re.findall(r"^([A-Z]\w+)\n-{3,}$", doc, flags=re.M)
    assert "Examples" in sections
    assert ">>>" in doc.split("Examples\n", 1)[1]
    order = ["Parameters", "Attributes", "Returns", "Raises", "Notes", "References", "Examples"]
    assert [s for s in order if s in sections] == sections, "numpydoc's order"
    if inspect.isfunction(thing):
        assert "Returns" in sections
        described = set(re.findall(r"^\**([\w, ]+?)(?: : |$)", _section(doc, "Parameters"), flags=re.M))
        named = {w.strip() for line in described for w in line.split(",")}
        missing = {p for p in inspect.signature(thing).parameters if p != "scores"} - named
        assert not missing, f"{name} does not describe {missing}"


LONGEST = 45


def test_public_docstrings_are_short() -> None:
    """Derivations belong into docs. A parameter takes the lines that it needs."""
    documented = {n: thing for n, thing in PUBLIC.items() if inspect.isfunction(thing) or inspect.isclass(thing)}
    docs = {n: inspect.getdoc(thing) or "" for n, thing in documented.items()}
    lengths = {n: len(doc.splitlines()) - len(_section(doc, "Parameters").splitlines()) for n, doc in docs.items()}
    assert {n: lines for n, lines in lengths.items() if lines > LONGEST} == {}


@pytest.mark.parametrize("name", DOCUMENTED)
def test_each_parameter_has_an_entry_of_its_own(name: str) -> None:
    """Schemas and forms quote them."""
    heads = re.findall(r"^\S.*$", _section(inspect.getdoc(PUBLIC[name]) or "", "Parameters"), flags=re.M)
    assert [head for head in heads if "," in head.partition(" : ")[0]] == []


def _section(doc: str, title: str) -> str:
    found = re.search(rf"^{title}\n-+\n(.*?)(?=^\w+\n-+$|\Z)", doc, flags=re.M | re.S)
    return found.group(1) if found else ""


def test_every_module_says_what_it_is() -> None:
    loaded = [importlib.import_module(module) for module in MODULES]
    silent = [m.__name__ for m in loaded if Path(str(m.__file__)).stat().st_size > 0 and not m.__doc__]
    assert silent == []


WITH_EXAMPLES = [m for m in MODULES if ">>>" in Path(str(importlib.import_module(m).__file__)).read_text()]


@pytest.mark.few(6)
@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_examples_are_true(module: str) -> None:
    failures, _ = doctest.testmod(importlib.import_module(module), verbose=False)
    assert failures == 0


@pytest.mark.parametrize("name", DOCUMENTED)
def test_every_public_example_is_run(name: str) -> None:
    """Doctest finds an example only in the module that defines it: it must be one of those walked above."""
    assert PUBLIC[name].__module__ in WITH_EXAMPLES
    assert doctest.DocTestFinder(recurse=False).find(PUBLIC[name])[0].examples


# --- sources ----------------------------------------------------------------------------------------------------

FORBIDDEN_EVERYWHERE = {"scipy.stats", "statsmodels", "scikit_posthocs", "autorank", "baycomp", "rpy2"}
FORBIDDEN_AT_IMPORT = {"pandas", "polars", "matplotlib", "numba", "narwhals", "dask", "rich", "jinja2", "pyarrow"}


def test_source_files_keep_the_house_rules() -> None:
    assert {relative(path): broken for path in FILES if (broken := broken_rules(path))} == {}


def broken_rules(path: Path) -> list[str]:
    """One file, one thing; nothing prints; a caution is data on the result; little is loaded at import."""
    found = ["more than 600 lines"] if path.read_text().count("\n") > 600 else []
    source = source_file(path)
    found += [
        f"imports {m}" for m in source.imported if any(m == f or m.startswith(f + ".") for f in FORBIDDEN_EVERYWHERE)
    ]
    found += ["prints"] * (0 if "cli" in path.parts else source.printed) + ["warns"] * source.warned
    allowed = {"numba"} if path.stem.endswith("_compiled") else set()  # itself loaded only by the accelerator
    early = FORBIDDEN_AT_IMPORT - allowed
    return found + [f"{m} is loaded at import" for m in source.loaded if m.split(".")[0] in early]


def test_broken_rules_are_found(tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    path.write_text(
        "import scipy.stats\nfrom pandas import DataFrame\nimport warnings\nprint(1)\nwarnings.warn('x')\n" + "\n" * 600
    )
    assert sorted(broken_rules(path)) == [
        "imports scipy.stats",
        "more than 600 lines",
        "pandas is loaded at import",
        "pandas.DataFrame is loaded at import",
        "prints",
        "warns",
    ]


def test_functions_are_short() -> None:
    lengths = {f"{relative(path)}: {name}": n for path in FILES for name, n in source_file(path).lengths}
    assert {name: n for name, n in lengths.items() if n > 90} == {}


def test_nothing_names_a_path_of_one_machine() -> None:
    kept = [*FILES, *(ROOT / "tests").rglob("*.py"), *(ROOT / "docs").rglob("*.*"), ROOT / "README.md"]
    pattern = re.compile(r"/(work|home|root|opt|Users)/\w+/\w")
    found = [relative(p) for p in kept if p.suffix in (".py", ".md") and pattern.search(p.read_text())]
    assert not found


def test_test_modules_have_names_of_their_own() -> None:
    counts = Counter(p.name for p in (ROOT / "tests").rglob("test_*.py"))
    assert [name for name, times in counts.items() if times > 1] == []


def test_unit_tests_mirror_the_package() -> None:
    unit = ROOT / "tests" / "unit"
    folders = {str(p.parent.relative_to(unit)) for p in unit.rglob("test_*.py")}
    rooms = {str(p.parent.relative_to(SRC)) for p in FILES} | {"benchmarks"}
    assert folders <= rooms


@pytest.mark.slow
def test_imports_point_down_the_layers() -> None:
    tool = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([tool], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


# --- README and packaging ---------------------------------------------------------------------------------------


def test_the_readme_has_at_most_600_words_before_its_links() -> None:
    """It had 1 079, with ten names before the first command."""
    before, _, more = (ROOT / "README.md").read_text().partition("\n## More\n")
    assert len(before.split()) <= 600
    assert "## Plan an experiment" in more


def test_the_readme_has_two_commands_before_its_first_usage_section() -> None:
    readme = (ROOT / "README.md").read_text()
    blocks = re.findall(r"^```sh$(.*?)^```$", readme, flags=re.M | re.S)
    assert len(blocks) == 2
    job, tests = (b.strip() for b in blocks)
    assert "\n" not in job
    assert "\n" not in tests
    assert "bakeoff compare src/bakeoff/datasets/derrac_cec2005.csv" in job
    assert "'.[web]'" in job  # what the README shows works after this
    assert tests.endswith("pytest -n auto")
    assert readme.rindex("```sh\n") < readme.index("\n## Your table\n")


def test_the_readme_links_to_what_exists() -> None:
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)(?:#[\w-]+)?\)", page.read_text()):
            if not target.startswith(("http", "mailto")):
                assert (page.parent / target).exists(), f"{page.name} links to {target}"


def places() -> list[tuple[str, str]]:
    """(file, function or class) of the list in CONTRIBUTING.md."""
    text = (ROOT / "CONTRIBUTING.md").read_text().split("## Find it in ten seconds\n")[1].split("\n## ")[0]
    return re.findall(r"`(src/[\w/]+\.py)`: `(\w+)`", text)


def test_every_row_of_the_list_of_places_names_one() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text().split("## Find it in ten seconds\n")[1].split("\n## ")[0]
    rows = [line for line in text.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == 17
    assert all(re.search(r"`src/[\w/]+\.py`: `\w+`", row) for row in rows)


@pytest.mark.parametrize(("file", "name"), places())
def test_the_list_of_places_is_true(file: str, name: str) -> None:
    assert name in source_file(ROOT / file).defined


def test_the_layout_names_every_room() -> None:
    layout = (ROOT / "CONTRIBUTING.md").read_text().split("## Layout\n")[1].split("Beside the package")[0]
    rooms = {p.parent.name + "/" for p in SRC.glob("*/__init__.py")} | {p.name for p in SRC.glob("*.py")}
    first_cells = "".join(line.split("|")[1] for line in layout.splitlines() if line.startswith("| "))
    named = set(re.findall(r"`([\w./]+)`", first_cells)) - {"src/bakeoff/"}
    assert named == rooms - {"__init__.py", "__main__.py"}


GENERATORS = sorted(p for p in (ROOT / "docs" / "generate").glob("*.py") if "__main__" in p.read_text())


def test_ci_checks_every_generated_page() -> None:
    pages = re.search(r'^pages="([\w\s]+)"', (ROOT / ".ci" / "run").read_text(), re.MULTILINE)
    assert pages
    assert {script.stem for script in GENERATORS} == set(pages[1].split())


@pytest.mark.slow
@pytest.mark.parametrize("script", GENERATORS, ids=relative)
@pytest.mark.few(3)
def test_a_generator_of_pages_starts(script: Path) -> None:
    done = subprocess.run([sys.executable, script, "--unknown"], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr.split(" [")[0]) == (2, f"usage: python {relative(script)}")


def packaged() -> list[str]:
    """Files of the package that are no modules: they must be in the wheel too."""
    data = [
        p for p in SRC.rglob("*") if p.is_file() and p.suffix not in (".py", ".pyc") and "__pycache__" not in p.parts
    ]
    return sorted(str(p.relative_to(SRC.parent)) for p in data)


def test_data_files_exist_and_are_packaged() -> None:
    files = packaged()
    assert "bakeoff/py.typed" in files
    for name in bo.datasets.names():
        assert f"bakeoff/datasets/{name}.csv" in files
    assert any(f.endswith(".j2") for f in files)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] == ["src/bakeoff"]
    assert (ROOT / project["project"]["readme"]).exists()
    assert project["project"]["scripts"]["bakeoff"] == "bakeoff.cli:main"


def test_the_source_distribution_names_files_that_exist() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    included = project["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    assert [name for name in included if not (ROOT / name).exists()] == []
    kept = {p.name for p in ROOT.iterdir() if p.suffix in (".md", ".cff") or p.name in ("LICENSE", "Makefile")}
    assert kept <= set(included)


@pytest.mark.slow
def test_pytest_starts_without_xdist() -> None:
    target = str(ROOT / "tests" / "unit" / "test_randomness.py")
    command = [sys.executable, "-m", "pytest", "-p", "no:xdist", "-p", "no:cacheprovider", "--collect-only", target]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_versions_and_dates_agree() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text()
    citation = dict(re.findall(r"^([a-z-]+): (\S+)$", (ROOT / "CITATION.cff").read_text(), flags=re.M))
    headings = re.findall(r"^## (.+)$", changes, flags=re.M)
    released = [h for h in headings if h != "Unreleased"]
    assert headings[0] == "Unreleased" or headings == released
    assert all(re.fullmatch(r"\d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)", h) for h in released), "version and date"
    assert released[0] == f"{citation['version']} ({citation['date-released']})"
    assert bo.__version__ == citation["version"]


def test_modules_are_found() -> None:
    assert isinstance(importlib.import_module("bakeoff.scores"), ModuleType)
    assert len(MODULES) > 30
