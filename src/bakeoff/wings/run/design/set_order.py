"""Does the code of an algorithm depend on the order of a set, which changes with PYTHONHASHSEED?"""

import contextlib
import dis
import itertools
import types
from collections.abc import Mapping


def uses_sets(algorithm: object) -> bool:
    """Whether the code of an algorithm, or of a function that it calls by its name, makes a set.

    What methods and functions of other modules (``module.function``) do inside is not looked at.
    """
    function = algorithm
    for wrapper in ("func", "function", "func", "__func__"):  # of a partial, a name in TOML (or its partial), a method
        function = getattr(function, wrapper, function)
    if not isinstance(function, types.FunctionType):
        function = vars(type(function)).get("__call__")
    seen: set[types.CodeType] = set()
    if not isinstance(function, types.FunctionType):
        return False
    waiting: list[tuple[types.CodeType, Mapping[str, object]]] = [(function.__code__, _names_of(function))]
    while waiting:
        code, names = waiting.pop()
        if code in seen:
            continue
        seen.add(code)
        if _makes_sets(code) or _goes_through(code, names):
            return True
        waiting += [(inner, names) for inner in code.co_consts if isinstance(inner, types.CodeType)]
        called = (names.get(name) for name in code.co_names)
        waiting += [(f.__code__, _names_of(f)) for f in called if isinstance(f, types.FunctionType)]
    return False


def _makes_sets(code: types.CodeType) -> bool:
    """Also a literal that a loop runs over, which is a constant; not one that is only asked what it contains."""
    steps = list(dis.get_instructions(code))
    if _SET_NAMES & set(code.co_names) or any(step.opname in _SET_STEPS for step in steps):
        return True
    return any(isinstance(a.argval, frozenset) and b.opname != "CONTAINS_OP" for a, b in itertools.pairwise(steps))


_SET_STEPS = frozenset({"BUILD_SET", "SET_ADD", "SET_UPDATE"})
_SET_NAMES = frozenset({"set", "frozenset"})


def _names_of(function: types.FunctionType) -> dict[str, object]:
    """What the names in its code stand for: globals, its closure, and the defaults of its arguments."""
    texts: dict[str, object] = {**function.__globals__}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with contextlib.suppress(ValueError):  # not bound yet
            texts[name] = cell.cell_contents
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    defaults = function.__defaults__ or ()
    return (
        texts | dict(zip(names[len(names) - len(defaults) :], defaults, strict=True)) | (function.__kwdefaults__ or {})
    )


_OTHER_LOADS = ("LOAD_ATTR", "LOAD_METHOD", "LOAD_CONST")


def _goes_through(code: types.CodeType, names: Mapping[str, object]) -> bool:
    """Is a set that stands elsewhere used otherwise than by asking what it contains?"""
    for a, b in itertools.pairwise(dis.get_instructions(code)):
        loaded = a.opname.startswith("LOAD_") and isinstance(a.argval, str) and a.opname not in _OTHER_LOADS
        if loaded and b.opname != "CONTAINS_OP" and _is_set_of_names(names.get(a.argval)):
            return True
    return False


def _is_set_of_names(value: object) -> bool:
    """Numbers have one order, whatever the seed."""
    return isinstance(value, set | frozenset) and not all(isinstance(each, int | float) for each in value)
