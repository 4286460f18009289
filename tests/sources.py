"""What is in the package's files, read once for all tests that look at them; the syntax trees are not kept."""

from __future__ import annotations

import ast
import functools
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SRC = Path(__file__).parents[1] / "src" / "bakeoff"
FILES = sorted(SRC.rglob("*.py"))
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    imported: list[str]  # anywhere: modules, and names from them
    loaded: set[str]  # the same at import, type-checking blocks aside
    inside: list[str]  # names imported inside functions
    called: list[str]  # names of functions and methods
    printed: int  # calls of print
    warned: int  # uses of warnings.warn
    lengths: list[tuple[str, int]]  # of functions, in lines without the docstring
    defined: set[str]  # functions and classes, anywhere
    top: list[str]  # the same at the top of the file
    classes: list[str]  # at the top of the file


@functools.cache
def source_file(path: Path) -> SourceFile:
    tree = ast.parse(path.read_text())
    of: dict[type, list[Any]] = defaultdict(list)
    for node in ast.walk(tree):
        of[type(node)].append(node)
    importing = [*of[ast.Import], *of[ast.ImportFrom]]
    outside = {id(node) for node in outside_functions(tree)}
    calls = [n.func for n in of[ast.Call]]
    return SourceFile(
        imported=[module for node in importing for module in imports(node)],
        loaded={module for node in at_import(tree) for module in imports(node)},
        inside=[name for node in importing if id(node) not in outside for name in names_imported(node)],
        called=[f.attr if isinstance(f, ast.Attribute) else getattr(f, "id", "") for f in calls],
        printed=sum(isinstance(f, ast.Name) and f.id == "print" for f in calls),
        warned=sum(n.attr == "warn" and getattr(n.value, "id", "") == "warnings" for n in of[ast.Attribute]),
        lengths=[(f.name, length(f)) for f in of[ast.FunctionDef]],
        defined={n.name for kind in DEFINITIONS for n in of[kind]},
        top=[n.name for n in tree.body if isinstance(n, DEFINITIONS)],
        classes=[n.name for n in tree.body if isinstance(n, ast.ClassDef)],
    )


def outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    """Statements, those in classes and blocks included."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.ExceptHandler):
            yield child
            if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from outside_functions(child)


def imports(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [a.name for a in node.names]
    if isinstance(node, ast.ImportFrom) and node.module:
        return [node.module, *(f"{node.module}.{a.name}" for a in node.names)]
    return []


def names_imported(node: ast.AST) -> list[str]:
    assert getattr(node, "level", 0) == 0, "relative imports are for stubs"
    return imports(node)[isinstance(node, ast.ImportFrom) :]


def at_import(tree: ast.Module) -> list[ast.stmt]:
    """Statements run when a module is loaded, type-checking blocks aside."""
    found = []
    for node in tree.body:
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            continue
        found += [node, *(n for n in getattr(node, "body", []) if not isinstance(node, ast.FunctionDef))]
    return found


def length(function: ast.FunctionDef) -> int:
    doc = ast.get_docstring(function, clean=False) or ""
    return (function.end_lineno or 0) - function.lineno - doc.count("\n")
