"""Fingerprints as 0.1.0 kept them, by which its stores are resumed: there a change gives a caution.

A function's is that of its source text, partial arguments and closures left out; a file's that of its first MiB and its
size.
"""

import functools
import hashlib
import inspect
import os
import shlex
import shutil
import textwrap
from pathlib import PurePath
from typing import Any

from bakeoff.running.commands.command_line import CommandLine

MOST_BYTES_HASHED = 1 << 20  # of a file


def of_algorithm(thing: Any) -> str:
    """The hash of a function's source, or of a command's program and every file in its template; empty if unknown."""
    if isinstance(thing, CommandLine):
        return _of_command(thing)
    while isinstance(thing, functools.partial):
        thing = thing.func
    thing = getattr(thing, "function", thing)
    for candidate in (thing, type(thing)):
        try:
            return _sha(textwrap.dedent(inspect.getsource(candidate)).encode())
        except (TypeError, OSError):
            continue
    return ""


def of_problem(thing: Any) -> str:
    """The hash of a file's content; empty for any other object."""
    return _of_file(thing) if isinstance(thing, PurePath) else ""


def _of_command(command: CommandLine) -> str:
    try:
        words = shlex.split(command.template) if isinstance(command.template, str) else list(command.template)
    except ValueError:
        return ""
    here = command.folder or os.curdir
    paths = [os.path.join(here, word) for word in words if "{" not in word]
    if "/" not in words[0] and (program := shutil.which(words[0])) is not None:
        paths[:1] = [program]
    found = [_of_file(path) for path in paths if os.path.isfile(path)]
    return _sha("".join(found).encode()) if any(found) else ""


def _of_file(path: Any) -> str:
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            head = file.read(MOST_BYTES_HASHED)
    except OSError:
        return ""
    return _sha(head + (b"" if size <= MOST_BYTES_HASHED else str(size).encode()))


def _sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
