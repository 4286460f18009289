"""One public name, one meaning: a function or class name defined in two modules is a family that is listed here."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections import defaultdict

from sources import FILES, SRC, source_file

FAMILIES = {  # name -> why several modules define it
    "best": "report: sentence on the best algorithm, per kind of result",
    "Drawing": "a diagram's shapes, and the same with what users do with them",
    "basis": "report: sentence on what a verdict rests on, per kind of result",
    "check": "bo.check, and the check of a report by verification",
    "cited_keys": "report: bibliography keys, per kind of result",
    "command": "cli: a click command per file",
    "compare": "bo.compare and its Bayesian counterpart",
    "content": "report: what JSON says, per kind of result",
    "diagrams": "figures: the diagrams to choose from, per kind of result",
    "document": "report: the document of a result, per kind of result",
    "estimand": "what the numbers of a result are about, per kind of result",
    "escape": "text for one output format",
    "friedman": "bo.friedman, its Bayesian counterpart and their table",
    "load": "bo.datasets.load, and what a place names",
    "isf": "a null distribution, by SciPy's name",
    "log_sf": "a null distribution, by SciPy's name",
    "read": "adapters: a reader per format; nulls: the cache on disk",
    "read_curves": "adapters: a reader of whole runs per format",
    "recognise": "adapters: the signature of a format, one per format",
    "format_of": "what the core asks of the wing formats, and its answer",
    "logs_of_runs": "what the core asks of the wing formats, and its answer",
    "what_to_type": "bakeoff FILE, and what the wing formats says of its files",
    "scores_in": "what the core asks of the wings formats and run: the scores in a file",
    "render_joint": "report: several results in one output format",
    "methods": "report: the methods paragraph, per kind of result",
    "order": "report: algorithms in the order of a table, per kind of result",
    "pairs": "report: the tables of pairs, per kind of result",
    "pair_columns": "report: the columns of pairs, per kind of result",
    "power": "bo.plan.power, bo.study.power and the command for it",
    "ranking": "report: the table of algorithms, per kind of result",
    "render": "report: a writer per format",
    "save": "figures and reports, by suffix",
    "sf": "a null distribution, by SciPy's name",
    "sign_test": "bo.sign_test and its Bayesian counterpart",
    "verdict": "report: sentence on the outcome, per kind of result",
}


PARTICIPLES = {"asked", "found", "given", "said", "told", "wanted"}


def defined() -> dict[str, list[str]]:
    """Public top-level functions and classes, and the modules that define them."""
    found = defaultdict(list)
    for path in FILES:
        for name in source_file(path).top:
            if name[0] != "_":
                found[name].append(path.relative_to(SRC).as_posix())
    return found


def test_unrelated_things_have_different_names() -> None:
    shared = {name: where for name, where in defined().items() if len(set(where)) > 1}
    assert {n: where for n, where in shared.items() if n not in FAMILIES} == {}


def test_every_family_has_members() -> None:
    found = defined()
    assert [name for name in FAMILIES if len(set(found[name])) < 2] == []


def test_results_and_functions_of_analyses_say_their_types() -> None:
    """``Any`` in a public signature or field switches a user's type checker off."""
    loose = []
    for room in sorted((SRC / "analyses").glob("*/statistics/__init__.py")):
        module = importlib.import_module("bakeoff." + ".".join(room.parent.relative_to(SRC).parts))
        for name, thing in vars(module).items():
            if name.startswith("_") or not (inspect.isfunction(thing) or inspect.isclass(thing)):
                continue
            written = thing.__annotations__ if inspect.isclass(thing) else inspect.unwrap(thing).__annotations__
            kinds = {
                what: re.sub(r"(tuple|dtype)\[typing\.Any(, \.\.\.)?\]", "", str(kind))
                for what, kind in written.items()
            }
            loose += [f"{name}.{what}" for what, kind in kinds.items() if "Any" in kind]  # but for shapes of arrays
    assert loose == []


def test_a_variable_is_called_by_what_it_holds() -> None:
    """``found`` and its kin say how a value came, not what it is; a field beside ``planned`` or ``computed`` may."""
    vague = []
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        if not re.search(rf"\b({'|'.join(PARTICIPLES)})\b\s*(=|,|:|\||in\b)", text):
            continue  # a quick look first
        functions = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef)]
        bound = {
            (name.lineno, name.arg if isinstance(name, ast.arg) else name.id)
            for function in functions
            for name in ast.walk(function)
            if isinstance(name, ast.arg) or (isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store))
        }
        vague += [f"{path.relative_to(SRC)}:{line} {name}" for line, name in sorted(bound) if name in PARTICIPLES]
    assert vague == []
