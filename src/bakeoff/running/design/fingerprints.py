"""What an algorithm or a problem file looked like when it was run: so that a change between two starts is noticed.

A changed fingerprint is a caution and never a reason to run again: code changes for many reasons, and only its author
knows whether the results do.
"""

from __future__ import annotations

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

LARGEST = 1 << 20  # bytes of a file that are read for its fingerprint; of a larger one, beginning and size


def of_algorithm(thing: Any) -> str:
    """Of a function: its source. Of a command: the program and every file its template names. Empty if unknown."""
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
    """Of a file: its content. Of any other object nothing is known."""
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
            head = file.read(LARGEST)
    except OSError:
        return ""
    return _sha(head + (b"" if size <= LARGEST else str(size).encode()))


def _sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
