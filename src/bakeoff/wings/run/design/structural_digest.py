"""Digests of Python objects by structure: equal in every process for equal values, code and data.

Pickle is not used: its bytes depend on object identity and on the order of sets. An object is what ``__reduce_ex__``
says of it; a function is its bytecode, constants, defaults, closure and the globals that it uses; a path is the
content of its file; classes and functions of installed packages are their names.
"""

from __future__ import annotations

import contextlib
import copyreg
import dis
import functools
import hashlib
import itertools
import os
import sys
import sysconfig
import types
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from typing import Any

import numpy as np

PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))
_INSTALLED = tuple(
    f"{os.path.realpath(path)}{os.sep}"
    for path in {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
)
_PACKAGE = f"{Path(__file__).resolve().parents[3]}{os.sep}"
_MARKS = frozenset({"site-packages", "dist-packages"})
_METHODS = (types.FunctionType, classmethod, staticmethod, property)
_MOST_DEEP = 200  # levels of nesting; what is deeper is known by its type only


class Digests:
    """Digests of objects; files, classes and modules are read once."""

    def __init__(self) -> None:
        self._classes: dict[type, str] = {}
        self._content_of = functools.cache(_sha256)
        self.module = functools.cache(self._module)

    def value(self, thing: object) -> str:
        """The digest of an object."""
        walk = _Walk(self)
        walk.add(thing)
        return walk.digest.hexdigest()

    def code(self, function: types.FunctionType) -> str:
        """The digest of a function's own bytecode and constants."""
        walk = _Walk(self)
        walk.code(function.__code__)
        return walk.digest.hexdigest()

    def file(self, path: str | os.PathLike[str]) -> str:
        """sha256 of a file's whole content; empty if it cannot be read."""
        return self._content_of(os.path.realpath(path))

    def _module(self, path: str) -> str:
        """The digest of a module's compiled source: comments and layout do not count. Not Python: of its content."""
        try:
            walk = _Walk(self)
            walk.code(compile(Path(path).read_bytes(), path, "exec", dont_inherit=True))
            return walk.digest.hexdigest()
        except (OSError, SyntaxError, ValueError):
            return self.file(path)

    def of_class(self, kind: type) -> str:
        """The digest of a class's name and, unless it is installed, of the code of its methods and its attributes."""
        if kind not in self._classes:
            name = f"{module_name(kind)}:{kind.__qualname__}"
            self._classes[kind] = name  # for classes that refer to themselves
            if is_own(kind):
                walk = _Walk(self)
                walk.add([name, *self._content(kind)])
                self._classes[kind] = walk.digest.hexdigest()
        return self._classes[kind]

    @staticmethod
    def _content(kind: type) -> Iterator[object]:
        for base in kind.__mro__:
            if not is_own(base):
                yield f"{module_name(base)}:{base.__qualname__}"
                continue
            for name in sorted(vars(base)):
                value = vars(base)[name]
                internal = isinstance(value, types.GetSetDescriptorType | types.MemberDescriptorType)
                made = name.startswith(("__", "_abc")) and not isinstance(value, _METHODS)
                cache = isinstance(value, list | dict | set) and (not value or name.startswith("_"))
                if not internal and not made and not cache:
                    yield name
                    yield value


def _sha256(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


class _Walk:
    """The digest of one object, made of the digests of its parts."""

    def __init__(self, digests: Digests) -> None:
        self.digests = digests
        self.digest = hashlib.sha256()
        self.done: dict[int, tuple[bytes, object]] = {}  # the object is kept, or its id could be used again
        self.above: dict[int, int] = {}  # the objects that contain this one -> their depth

    def feed(self, *parts: bytes | str | int) -> None:
        for part in parts:
            content = part if isinstance(part, bytes) else str(part).encode("utf-8", "surrogatepass")
            self.digest.update(b"%d:" % len(content))
            self.digest.update(content)

    def add(self, thing: Any) -> None:
        if type(thing) in PLAIN:
            text = hex(thing) if isinstance(thing, int) else repr(thing)  # repr refuses very long integers
            self.feed(type(thing).__name__, thing if isinstance(thing, bytes) else text)
            return
        key = id(thing)
        if key in self.above:
            self.feed("above", len(self.above) - self.above[key])
            return
        if key not in self.done:
            outer, self.digest = self.digest, hashlib.sha256()
            self.above[key] = len(self.above)
            if len(self.above) > _MOST_DEEP:
                self.feed("deep", type(thing).__qualname__)
            else:
                self._object(thing)
            del self.above[key]
            self.done[key] = (self.digest.digest(), thing)
            self.digest = outer
        self.feed("part", self.done[key][0])

    def _object(self, thing: Any) -> None:
        if isinstance(thing, PurePath):
            content = self.digests.file(thing)
            self.feed("file", content or str(thing))
        elif type(thing) in (list, tuple):
            self.feed(type(thing).__name__, len(thing))
            for one in thing:
                self.add(one)
        elif type(thing) is dict or isinstance(thing, types.MappingProxyType):
            self.feed("dict", len(thing))
            for key, one in thing.items():
                self.add(key)
                self.add(one)
        elif type(thing) in (set, frozenset):
            self.feed(type(thing).__name__, *sorted(self.digests.value(one) for one in thing))
        elif isinstance(thing, np.ndarray | np.generic):
            self._array(np.asarray(thing))
        elif isinstance(thing, types.ModuleType):
            path = own_file(thing)
            self.feed("module", thing.__name__, self.digests.module(path) if path else "")
        elif isinstance(thing, type):
            self.feed("class", self.digests.of_class(thing))
        elif isinstance(thing, types.CodeType):
            self.code(thing)
        else:
            self._behaviour(thing)

    def _behaviour(self, thing: Any) -> None:
        if isinstance(thing, types.FunctionType):
            self._function(thing)
        elif isinstance(thing, types.MethodType):
            self.feed("method")
            self.add(thing.__func__)
            self.add(thing.__self__)
        elif isinstance(thing, functools.partial):
            self.feed("partial")
            self.add([thing.func, list(thing.args), thing.keywords])
        elif isinstance(thing, classmethod | staticmethod):
            self.feed(type(thing).__name__)
            self.add(thing.__func__)
        elif isinstance(thing, property):
            self.feed("property")
            self.add([thing.fget, thing.fset, thing.fdel])
        elif isinstance(wrapped := getattr(thing, "__wrapped__", None), types.FunctionType):  # a functools.cache
            self.feed("wrapped", type(thing).__qualname__)
            self.add(wrapped)
        else:
            self._reduced(thing)

    def _function(self, function: types.FunctionType) -> None:
        self.feed("function", f"{module_name(function)}:{function.__qualname__}")
        if not is_own(function):
            return
        self.code(function.__code__)
        self.add([function.__defaults__, function.__kwdefaults__])
        for name, value in (closure_of(function) | globals_of(function)).items():
            self.feed(name)
            self.add(None if is_empty_container(value) else value)

    def code(self, code: types.CodeType) -> None:
        """Feed its bytecode, without names of files, line numbers and names of local variables."""
        self.feed("code", code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
        arguments = code.co_argcount + code.co_kwonlyargcount
        self.feed(code.co_code, code.co_exceptiontable, *code.co_names, "|", *code.co_varnames[:arguments])
        self.add(list(code.co_consts))

    def _array(self, array: np.ndarray[Any, Any]) -> None:
        self.feed("array", array.dtype.str, str(array.dtype.descr), str(array.shape))
        if array.dtype.hasobject:
            for one in array.ravel().tolist():
                self.add(one)
        else:
            self.feed(np.ascontiguousarray(array).data.tobytes())

    def _reduced(self, thing: Any) -> None:
        """Any other object, by the values from which pickle would make it again."""
        self.feed("object")
        self.add(type(thing))
        try:
            registered = copyreg.dispatch_table.get(type(thing))
            reduced = thing.__reduce_ex__(4) if registered is None else registered(thing)
        except Exception:  # a lock, an open file, a generator: known by its type only
            return
        if isinstance(reduced, str):
            self.feed(f"{module_name(thing)}:{reduced}")
            return
        made, arguments, state, items, pairs = (*reduced, None, None, None)[:5]
        self.add([made, arguments, state, None if items is None else list(items)])
        self.add(None if pairs is None else list(pairs))


def module_name(thing: Any) -> str:
    """The name of the module that defines something; a script's is that of its file."""
    name = str(getattr(thing, "__module__", "") or "")
    if name != "__main__":
        return name
    main = sys.modules["__main__"]
    spec = getattr(main, "__spec__", None)
    if spec is not None and spec.name:
        return str(spec.name)
    path = getattr(main, "__file__", None)
    return Path(path).stem if path else name


def is_own(thing: Any) -> bool:
    """Whether a function or class is the user's, not of an installed package, Python or bakeoff."""
    module = sys.modules.get(str(getattr(thing, "__module__", "")))
    if module is None:
        return isinstance(thing, types.FunctionType)
    return module.__name__ == "__main__" or bool(own_file(module))


def own_file(module: types.ModuleType) -> str:
    """The file of a module that is the user's own; empty for all others."""
    path = getattr(module, "__file__", None)
    return _own_place(path) if isinstance(path, str) else ""


@functools.cache  # of every loaded module, for every algorithm: following links took most of the time of a small run
def _own_place(path: str) -> str:
    place = os.path.realpath(path)
    installed = place.startswith((*_INSTALLED, _PACKAGE)) or not _MARKS.isdisjoint(Path(place).parts)
    return "" if installed else place


def closure_of(function: types.FunctionType) -> dict[str, Any]:
    """The variables that a function takes from the functions around it."""
    cells = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with contextlib.suppress(ValueError):  # not assigned yet
            cells[name] = cell.cell_contents
    return cells


def defaults_of(function: types.FunctionType) -> dict[str, Any]:
    """The arguments that have a default, with it."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    defaults = function.__defaults__ or ()
    return dict(zip(names[len(names) - len(defaults) :], defaults, strict=True)) | (function.__kwdefaults__ or {})


def globals_of(function: types.FunctionType) -> dict[str, Any]:
    """The global variables that a function names, those of its inner functions included."""
    names: dict[str, None] = {}
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        names |= dict.fromkeys(code.co_names)
        codes += [one for one in code.co_consts if isinstance(one, types.CodeType)]
    there = function.__globals__
    return {name: there[name] for name in sorted(names) if name in there and not name.startswith("__")}


def is_empty_container(value: object) -> bool:
    """Whether it holds nothing yet: a cache or a list of results, which runs fill, and no configuration."""
    return isinstance(value, list | dict | set | bytearray) and not value


def attributes_of(thing: Any) -> Mapping[str, Any]:
    """The attributes of an instance."""
    attributes = dict(getattr(thing, "__dict__", {}))
    for kind in type(thing).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if hasattr(thing, name):
                attributes.setdefault(name, getattr(thing, name))
    return attributes


# Does the code of an algorithm depend on the order of a set, which changes with PYTHONHASHSEED?


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
    """Look for sets that it makes, or that a loop runs over, which are constants; not for those that only contain."""
    steps = list(dis.get_instructions(code))
    if _SET_NAMES & set(code.co_names) or any(step.opname in _SET_STEPS for step in steps):
        return True
    return any(isinstance(a.argval, frozenset) and b.opname != "CONTAINS_OP" for a, b in itertools.pairwise(steps))


_SET_STEPS = frozenset({"BUILD_SET", "SET_ADD", "SET_UPDATE"})
_SET_NAMES = frozenset({"set", "frozenset"})


def _names_of(function: types.FunctionType) -> dict[str, object]:
    """Resolve the names in its code: globals, its closure, and the defaults of its arguments."""
    return function.__globals__ | closure_of(function) | defaults_of(function)


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
