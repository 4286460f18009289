"""What can be changed in a function, and a random choice of it."""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SWAPS = """
Lt: LtE Gt; LtE: Lt GtE; Gt: GtE Lt; GtE: Gt LtE; Eq: NotEq; NotEq: Eq; Is: IsNot; IsNot: Is; In: NotIn; NotIn: In;
Add: Sub; Sub: Add; Mult: Div; Div: Mult; FloorDiv: Mult; Mod: Mult; Pow: Mult; BitAnd: BitOr; BitOr: BitAnd;
And: Or; Or: And"""
OPERATORS = {name.strip(): new.split() for name, new in (swap.split(":") for swap in SWAPS.split(";"))}
PAIRS = ("min max", "any all", "argmin argmax", "floor ceil", "minimum maximum")
OPPOSITE = {a: b for pair in PAIRS for a, b in (pair.split(), pair.split()[::-1])}
NEVER_NEGATED = ("isinstance", "issubclass", "len", "str", "tuple", "list")
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
LITERAL = (ast.JoinedStr, ast.Match)  # texts, and patterns, which have a grammar of their own


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one function: bytes ``start`` to ``end`` of a file become ``after``."""

    file: str  # below src
    line: int
    function: str
    start: int
    end: int
    before: str
    after: str


def drawn(package: Path, room: str, seed: int, n: int) -> list[Mutant]:
    """``n`` mutants of a room, one per line at most; a room is a folder or a file of the package, or several with +."""
    by_line: dict[tuple[str, int], list[Mutant]] = {}
    for place in room.split("+"):
        for path in sorted((package / place).rglob("*.py")) or [package / f"{place}.py"]:
            if not path.stem.endswith("_compiled"):
                for mutant in mutants(path.read_text(encoding="utf-8"), path.relative_to(package.parent).as_posix()):
                    by_line.setdefault((mutant.file, mutant.line), []).append(mutant)
    dice = random.Random(f"{room} {seed}")
    return [dice.choice(by_line[line]) for line in sorted(dice.sample(sorted(by_line), min(n, len(by_line))))]


def mutants(text: str, file: str) -> list[Mutant]:
    """Every change of every function of a file."""
    offsets = [0]
    for line in text.encode().splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line))
    found: list[Mutant] = []

    def walk(function: str, inside: ast.AST) -> None:
        for child in _children(inside):
            for node, new in [*((child, new) for new in _changed(child)), *_conditions(child)]:
                start = offsets[node.lineno - 1] + node.col_offset
                end = offsets[node.end_lineno - 1] + node.end_col_offset
                after = ast.unparse(ast.fix_missing_locations(new))
                after = f"({after})" if isinstance(node, ast.expr) else after
                found.append(Mutant(file, node.lineno, function, start, end, ast.unparse(node), after))
            walk(function, child)

    for name, function in functions(ast.parse(text)):
        walk(name, function)
    return found


def functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Every function that Python runs (compiled ones cannot be traced), by its qualified name."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if any("jit" in ast.unparse(decorator) for decorator in node.decorator_list):
                continue
            yield prefix + node.name, node
        yield from functions(node, f"{prefix}{node.name}." if isinstance(node, SCOPES) else prefix)


def _children(node: ast.AST) -> Iterator[Any]:
    """Without annotations, decorators and ``zip(strict=)``; an axis changes with its call."""
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns", "decorator_list"):
            for child in value if isinstance(value, list) else [value]:
                left_out = isinstance(child, (*SCOPES, *LITERAL)) or getattr(child, "arg", "") in ("strict", "axis")
                if isinstance(child, ast.AST) and not left_out:
                    yield child


def _conditions(node: ast.AST) -> Iterator[tuple[Any, ast.expr]]:
    """Conditions that decide what runs, with what they become: false, or their opposite."""
    tests = [node.test] if isinstance(node, ast.If | ast.IfExp | ast.While) else getattr(node, "ifs", [])
    for test in tests:
        if not isinstance(node, ast.comprehension):
            yield test, ast.Constant(False)
        yield test, ast.UnaryOp(ast.Not(), test)


def _changed(node: Any) -> Iterator[ast.AST]:
    """The node with one thing otherwise."""
    match node:
        case ast.Compare(ops=ops):
            for i, op in enumerate(ops):
                for kind in OPERATORS[type(op).__name__]:
                    yield _other(node, ops=[*ops[:i], getattr(ast, kind)(), *ops[i + 1 :]])
        case ast.BinOp() if any(isinstance(getattr(x, "value", 0), str) for x in ast.walk(node)):
            pass  # texts put together
        case ast.BinOp(op=op) | ast.BoolOp(op=op) if (name := type(op).__name__) in OPERATORS:
            yield _other(node, op=getattr(ast, OPERATORS[name][0])())
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert()):
            yield node.operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield ast.Constant(value + 1)
        case ast.Call():
            yield from _changed_calls(node)
        case ast.Raise() | ast.AugAssign() | ast.Continue() | ast.Break() | ast.Expr(value=ast.Call() | ast.Await()):
            yield ast.Pass()
        case ast.Assign(targets=targets) if all(isinstance(t, ast.Attribute | ast.Subscript) for t in targets):
            yield ast.Pass()


def _changed_calls(call: ast.Call) -> Iterator[ast.AST]:
    key = "attr" if isinstance(call.func, ast.Attribute) else "id"
    name = getattr(call.func, key, "")
    if name in OPPOSITE:
        yield _other(call, func=_other(call.func, **{key: OPPOSITE[name]}))
    for i, word in enumerate(call.keywords):
        if word.arg == "axis" and isinstance(word.value, ast.Constant) and word.value.value in (0, 1):
            axis = ast.keyword("axis", ast.Constant(1 - word.value.value))
            yield _other(call, keywords=[*call.keywords[:i], axis, *call.keywords[i + 1 :]])
    for i, given in enumerate(call.args):
        if isinstance(given, ast.Name) and name not in NEVER_NEGATED:
            yield _other(call, args=[*call.args[:i], ast.UnaryOp(ast.USub(), given), *call.args[i + 1 :]])


def _other(node: Any, **fields: Any) -> Any:
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new
