"""Fingerprints of algorithms and problems, by which changes between two starts are detected and named.

A fingerprint is a JSON object: the Python whose bytecode it holds, and a digest for each part (an argument, a closure
variable, a function, a module, the content of a file). The store keeps it.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import secrets
import shlex
import shutil
import sys
import types
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import Any

from bakeoff.processes.command_line import CommandLine
from bakeoff.wings.run.design.references import CodeReference, resolved
from bakeoff.wings.run.design.specification import is_plain, named_file
from bakeoff.wings.run.design.structural_digest import (
    Digests,
    attributes_of,
    closure_of,
    defaults_of,
    globals_of,
    is_empty_container,
    is_own,
    own_file,
    uses_sets,
)

PYTHON = f"{sys.implementation.cache_tag}{'-O' * sys.flags.optimize}"  # bytecode of another one cannot be compared
_CODE = ("function ", "module ", "class ")  # parts that are bytecode
_SEED = "the order of its sets: PYTHONHASHSEED"
_VARIABLE = "environment variable "
_INSTALLED = "installed program "  # another one may stand on another machine: a caution

Parts = dict[str, str]


class Fingerprints:
    """Makes the fingerprints of one experiment; each file, class and module is read once."""

    def __init__(self, folder: Path | None = None, hash_seed: str = "") -> None:
        """``hash_seed``: PYTHONHASHSEED where the runs are made; empty: not compared."""
        self._digests = Digests()
        self._folder = folder
        self._hash_seed = hash_seed

    def of_algorithm(self, thing: Any, before: str = "") -> str:
        """``before``: the stored fingerprint, whose salts are used again."""
        if isinstance(thing, CommandLine):
            return _written(self._command(thing, _read(before)["parts"]))
        parts = self._callable(thing)
        if self._hash_seed and uses_sets(thing):
            parts[_SEED] = self._hash_seed
        return _written(parts)

    def of_problem(self, thing: Any) -> str:
        """Empty for a plain value, which is part of the experiment's description."""
        path = named_file(thing, self._folder) if isinstance(thing, str) else thing
        if isinstance(path, str | PurePath) and path:
            return _written({"the content of its file": self._digests.file(path)})
        if is_plain(thing):
            return ""
        parts: Parts = {}
        if callable(thing) and not isinstance(thing, type):
            parts = self._callable(thing)
        return _written(parts | {"its value": self._digests.value(thing)})

    # --- programs

    def _command(self, command: CommandLine, before: Parts) -> Parts:
        """The program, the files named in the template, and the values of environment variables."""
        try:
            words = shlex.split(command.template) if isinstance(command.template, str) else list(command.template)
        except ValueError:
            words = []
        parts: Parts = {}
        for i, word in enumerate(words):
            installed = shutil.which(word) if i == 0 and "/" not in word else None
            if installed is not None:
                parts[f"{_INSTALLED}{word!r}"] = self._digests.file(installed)
            elif "{" not in word:
                for named in dict.fromkeys([word, word.partition("=")[2]]):  # --config=data.cfg
                    path = os.path.join(command.folder or os.curdir, named)
                    if named and os.path.isfile(path):
                        parts[f"file {os.path.basename(named)!r}"] = self._digests.file(path)
        for name, value in command.environment.items():
            part = f"{_VARIABLE}{name!r}"
            parts[part] = salted(value, before.get(part, "").partition("$")[0])
        return parts

    # --- functions

    def _callable(self, thing: Any) -> Parts:
        parts: Parts = {}
        queue = [thing]
        seen: dict[int, object] = {}
        while queue:
            one = queue.pop()
            if id(one) not in seen:
                seen[id(one)] = one
                for name, value in self._parts_of(one, queue):
                    both = parts[name] + value if name in parts else value  # two lambdas have the same name
                    parts[name] = hashlib.sha256(both.encode()).hexdigest() if name in parts else both
        return parts

    def _parts_of(self, thing: Any, queue: list[Any]) -> Iterator[tuple[str, str]]:
        """The parts of one callable; the callables among them are added to the queue."""
        if isinstance(thing, CodeReference):
            yield from self._modules_in(thing.folder)
            queue.append(resolved(thing))
        elif isinstance(thing, functools.partial):
            named = {str(i): value for i, value in enumerate(thing.args, start=1)} | thing.keywords
            yield from self._named("argument", named, queue)
            queue.append(thing.func)
        elif isinstance(thing, types.MethodType):
            queue += [thing.__func__, thing.__self__]
        elif isinstance(thing, types.FunctionType):
            yield from self._function(thing, queue)
        elif isinstance(wrapped := getattr(thing, "__wrapped__", None), types.FunctionType):
            queue.append(wrapped)
        elif isinstance(thing, type):
            yield f"class {thing.__qualname__!r}", self._digests.of_class(thing)
        elif not isinstance(thing, types.BuiltinFunctionType):
            yield f"class {type(thing).__qualname__!r}", self._digests.of_class(type(thing))
            yield from self._named("attribute", dict(attributes_of(thing)), queue)

    def _function(self, function: types.FunctionType, queue: list[Any]) -> Iterator[tuple[str, str]]:
        if not is_own(function):
            return
        yield f"function {function.__qualname__!r}", self._digests.code(function)
        yield from self._named("default of", defaults_of(function), queue)
        yield from self._named("closure variable", closure_of(function), queue)
        yield from self._named("global variable", globals_of(function), queue)

    def _named(self, kind: str, values: dict[str, Any], queue: list[Any]) -> Iterator[tuple[str, str]]:
        for name, value in values.items():
            if isinstance(value, types.FunctionType | types.MethodType | functools.partial | CodeReference):
                queue.append(value)
            elif isinstance(value, types.ModuleType):
                if path := own_file(value):
                    yield f"module {value.__name__!r}", self._digests.module(path)
            elif isinstance(value, type):
                if is_own(value):
                    yield f"class {value.__qualname__!r}", self._digests.of_class(value)
            else:
                yield f"{kind} {name!r}", "" if is_empty_container(value) else self._digests.value(value)

    def _modules_in(self, folder: str) -> Iterator[tuple[str, str]]:
        """The loaded modules of a folder, those of packages installed below it excepted."""
        above = f"{os.path.realpath(folder)}{os.sep}"
        for module in list(sys.modules.values()):
            path = own_file(module) if isinstance(module, types.ModuleType) else ""
            if path.startswith(above):
                yield f"module {module.__name__!r}", self._digests.module(path)


def changes(before: str, now: str) -> tuple[list[str], list[str]]:
    """The parts that differ between two fingerprints: those that decide about scores, and those to be cautious about.

    Parts known to only one of them do not count: a module may be loaded later, and an attribute be set by the first
    run. Bytecode of another Python cannot be compared.
    """
    old, new = _read(before), _read(now)
    grave: list[str] = []
    light: list[str] = []
    for name, value in old["parts"].items():
        other = new["parts"].get(name, "")
        if value and other and value != other:
            if name.startswith(_CODE) and old["python"] != new["python"]:
                light.append(f"{name} (from {old['python']} to {new['python']}, whose bytecode differs)")
            else:
                (light if name.startswith(_INSTALLED) else grave).append(name)
    return grave, light


def salted(value: str, salt: str = "") -> str:
    """A slow, salted hash of a value that may be secret; a short one can still be found by trying."""
    salt = salt or secrets.token_hex(16)
    return f"{salt}${hashlib.scrypt(value.encode(), salt=salt.encode(), n=1 << 14, r=8, p=1, dklen=16).hex()}"


def without_salts(fingerprint: str) -> str:
    """The fingerprint for a comparison with one that has other salts: without the values that may be secret."""
    if not fingerprint:
        return ""
    record = _read(fingerprint)
    parts = {name: value for name, value in record["parts"].items() if not name.startswith(_VARIABLE)}
    return json.dumps(record | {"parts": parts})


def is_fingerprint(stored: object) -> bool:
    """Whether a value from a store is a fingerprint."""
    if not isinstance(stored, str):
        return False
    try:
        stored_versions = _read(stored)
        return isinstance(stored_versions["python"], str) and all(
            isinstance(one, str) for one in stored_versions["parts"].values()
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return False


def _read(fingerprint: str) -> dict[str, Any]:
    if not fingerprint:
        return {"python": PYTHON, "parts": {}}
    record: dict[str, Any] = json.loads(fingerprint)
    return record


def _written(parts: Parts) -> str:
    return json.dumps({"python": PYTHON, "parts": parts}, separators=(",", ":"), ensure_ascii=False)
