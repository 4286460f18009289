"""A changed function in place of the one that is loaded, wherever that has been imported to."""

from __future__ import annotations

import ast
import sys
from types import CodeType, FunctionType
from typing import Any

from mutants.drawing import SCOPES, Mutant

WRAPPED = ("fget", "__func__", "func", "callback", "__wrapped__")  # of properties, methods, commands, decorators


def put_in_place(mutant: Mutant, original: bytes, changed: bytes) -> None:
    """Give the function the code and the defaults of the changed file; a module that is not loaded will read it."""
    name = mutant.file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    if (module := sys.modules.get(name)) is None:
        return
    code: Any = compile(changed, str(module.__file__), "exec")
    path, at = mutant.function.split("."), module
    for depth, part in enumerate(path):
        at = _bare(vars(at)[part])
        known = [each for each in code.co_consts if isinstance(each, CodeType) and each.co_name == part]
        line = at.__code__.co_firstlineno if isinstance(at, FunctionType) else known[-1].co_firstlineno
        (code,) = (each for each in known if each.co_firstlineno == line)
        if isinstance(at, FunctionType):
            at.__code__ = code
            if depth == len(path) - 1:
                _give_defaults(at, *(_arguments(ast.parse(text), path, line) for text in (original, changed)))
            return
    raise LookupError(f"{name} has no function {mutant.function}")


def _bare(found: Any) -> Any:
    """Without what is wrapped around it."""
    while not isinstance(found, type) and (inner := [n for n in WRAPPED if getattr(found, n, None) is not None]):
        found = getattr(found, inner[0])
    return found


def _arguments(tree: ast.AST, path: list[str], line: int) -> ast.arguments:
    """Of the function on this path that begins on this line, with its decorators or without."""
    if not path:
        assert isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef)
        return tree.args
    for node in ast.walk(tree):
        if isinstance(node, SCOPES) and node.name == path[0]:
            lines = {node.lineno, *(decorator.lineno for decorator in node.decorator_list)}
            if len(path) > 1 or line in lines:
                return _arguments(node, path[1:], line)
    raise LookupError(path[0])


def _give_defaults(function: FunctionType, before: ast.arguments, after: ast.arguments) -> None:
    if ast.dump(before) == ast.dump(after):
        return

    def value(node: ast.expr) -> Any:
        return eval(compile(ast.Expression(node), function.__code__.co_filename, "eval"), function.__globals__)

    function.__defaults__ = tuple(map(value, after.defaults)) or None
    named = {arg.arg: value(node) for arg, node in zip(after.kwonlyargs, after.kw_defaults, strict=True) if node}
    function.__kwdefaults__ = named or None
