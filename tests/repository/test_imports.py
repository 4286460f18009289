"""Who may import whom: layers, imports by name, imports inside functions, and no circles."""

from __future__ import annotations

import functools
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis_examples import examples
from sources import FILES, SRC, source_file

ROOT = Path(__file__).parents[2]


def relative(path: Path) -> str:
    return str(path.relative_to(SRC))


@functools.cache
def layers() -> dict[str, dict[str, int]]:
    """Package -> room in it -> its layer in the contracts of pyproject.toml, the lowest is 0."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    return {
        container: {
            room.strip(): height
            for height, line in enumerate(reversed(contract["layers"]))
            for room in line.replace("|", ":").split(":")
        }
        for contract in contracts
        if contract["type"] == "layers"
        for container in contract["containers"]
    }


# --- imports by name --------------------------------------------------------------------------------------------

BY_NAME = {
    "packages.py": "optional third-party packages",
    "wings/run/design/references.py": "the modules that a user's experiment names",
    "places.py": "what the records of analyses name, and commands: imported when they are needed",
}
TO_GO: set[str] = {"report/formats/spreadsheet.py"}


def test_modules_are_imported_by_name_in_three_places() -> None:
    by_name = {
        relative(path)
        for path in FILES
        if {"import_module", "__import__", "exec_module", "find_spec"} & set(source_file(path).called)
    }
    assert by_name - TO_GO == set(BY_NAME)


def test_public_names_are_lazy_by_stubs_only() -> None:
    """``lazy_loader`` imports by name too; the names stand in a stub that type checkers read."""
    for path in FILES:
        if "lazy_loader" in path.read_text():
            called = {"attach", "attach_stub", "load"} & set(source_file(path).called)
            assert called == {"attach_stub"}, relative(path)
            assert path.name == "__init__.py"
            assert path.with_suffix(".pyi").exists()


# --- one engine for means -----------------------------------------------------------------------------------------

OF_MEANS = ("analyses/compare/statistics/", "effects/", "paired/")


def test_t_of_a_mean_is_that_of_the_engine() -> None:
    """Errors, degrees of freedom, p-values and intervals of means are those of ``means/``."""
    of_their_own = [
        relative(path)
        for path in FILES
        if relative(path).startswith(OF_MEANS) and {"stdtrit", "t_sf", "t_two_sided"} & set(source_file(path).called)
    ]
    assert of_their_own == []


# --- imports inside functions -----------------------------------------------------------------------------------

UPWARD = {("__init__.py", "bakeoff.report"): "installs the writer of results; the root is above every room"}


def test_imports_inside_functions_point_down() -> None:
    upward = []
    for path in FILES:
        module = "bakeoff." + relative(path).removesuffix(".py").replace("/", ".")
        for name in source_file(path).inside:
            for package, heights in layers().items():
                room, target = (node_in(package, m).rpartition(".")[2] for m in (module, name))
                if room in heights and target in heights and room != target and (relative(path), name) not in UPWARD:
                    upward += [] if heights[target] < heights[room] else [f"{name} is above {module}"]
    assert upward == []


# --- one engine of means ----------------------------------------------------------------------------------------

PAIRED = {"cluster_t": ("paired/_cluster_t.py", "unit_mean"), "paired_t": ("paired/_paired_t.py", "assumptions")}
MEANS = PAIRED | {folder: each.engine for folder, each in examples().items() if each.engine}
"""Where each analysis of means over units calls the engine, and which part of it."""


@pytest.mark.parametrize("analysis", MEANS)
def test_analyses_of_means_call_the_one_engine(analysis: str) -> None:
    file, parts = MEANS[analysis]
    imported = set(source_file(SRC / file).imported)
    assert {f"bakeoff.means.{part}" for part in parts.split()} <= imported


def test_units_are_drawn_again_by_the_engine_alone() -> None:
    """But for draws of a Bayesian posterior."""
    drawing = {relative(path) for path in FILES if "multinomial" in source_file(path).called}
    assert drawing == {"means/strata.py", "wings/bayes/mcmc/plackett_luce_model.py"}


# --- circles ----------------------------------------------------------------------------------------------------

HARMLESS = [
    {
        "wings.run.design.experiment",
        "wings.run.design.toml",
        "wings.run.design.specification",
    },  # a classmethod and types
    # a registry names the type of what it holds
    {
        "wings.run.racing.rules",
        "wings.run.racing.rules.__init__",
        "wings.run.racing.rules.rule",
    },  # a registry names its type
    # an analysis has a part on each of these floors; pyproject.toml says which part may import which floor
    {"analyses", "cli", "figures", "protocols", "report", "wings"},
    {"reading.recognition", "reading.table"},  # roles of a table's columns; whether a header names rows
]
# circles among the files and folders that lie side by side; break one and delete its line
KNOWN: list[set[str]] = [{"wings.run.race", "wings.run.run"}]
KNOWN_AMONG_FILES: list[set[str]] = []
Graph = dict[str, set[str]]


@pytest.fixture(scope="module")
def imports() -> Graph:
    """Module -> modules it imports, at the top, inside functions, or for types."""
    import grimp

    graph = grimp.build_graph("bakeoff", cache_dir=None)
    return {m: set(graph.find_modules_directly_imported_by(m)) for m in graph.modules}


def circles(graph: Graph) -> list[set[str]]:
    """Strongly connected components of more than one node: mutually reachable nodes."""

    def reached(start: str) -> set[str]:
        found: set[str] = set()
        waiting = [start]
        while waiting:
            new = graph.get(waiting.pop(), set()) - found
            found |= new
            waiting += new
        return found

    reach = {node: reached(node) for node in graph}
    components = {frozenset({n, *(m for m in reach[n] if n in reach[m])}) for n in graph if n in reach[n]}
    return [set(c) for c in components if len(c) > 1]


def side_by_side(imports: Graph) -> Iterator[Graph]:
    """For each folder the imports among its files and subfolders, a subfolder being one node."""
    for folder in {m.rpartition(".")[0] for m in imports if "." in m}:
        graph: Graph = defaultdict(set)
        for module, others in imports.items():
            start = node_in(folder, module)
            ends = {node_in(folder, other) for other in others} - {"", start}
            if start:
                graph[start] |= ends
        yield graph


def node_in(folder: str, module: str) -> str:
    if module == folder:
        return "" if folder == "bakeoff" else f"{folder}.__init__"  # the root is above the rooms and may be imported
    return f"{folder}.{module[len(folder) + 1 :].split('.')[0]}" if module.startswith(f"{folder}.") else ""


def assert_only_known(found: list[set[str]], known: list[set[str]]) -> None:
    found = [{name.removeprefix("bakeoff.") for name in c} for c in found]
    new = [sorted(c) for c in found if not any(c <= k for k in [*known, *HARMLESS])]
    assert new == [], "a new circle"
    gone = [sorted(k) for k in known if not any(c <= k for c in found)]
    assert gone == [], "broken: delete it from the list"


@pytest.mark.slow
@pytest.mark.needs("grimp")
def test_no_circles_among_files(imports: Graph) -> None:
    assert_only_known(circles(imports), KNOWN_AMONG_FILES)


@pytest.mark.slow
@pytest.mark.needs("grimp")
def test_no_circles_among_neighbours(imports: Graph) -> None:
    assert_only_known([c for graph in side_by_side(imports) for c in circles(graph)], KNOWN)


def test_circles_are_found() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set()}
    assert circles(graph) == [{"b", "c"}]
    modules = {"bakeoff.x.y.one": {"bakeoff.x.z"}, "bakeoff.x.z": {"bakeoff.x.y.two"}, "bakeoff.x.y.two": set()}
    assert [c for g in side_by_side(modules) for c in circles(g)] == [{"bakeoff.x.y", "bakeoff.x.z"}]
