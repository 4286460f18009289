"""Carries out a demonstration of a caution: its files in a folder of their own, its command in this process."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shlex
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bakeoff.cautions import read_by
from bakeoff.errors import BakeoffError, Caution, caution_name
from bakeoff.files import write_bytes

MARKS = {"stop": "!", "warning": "!", "note": "-"}
"""As pages of results print them."""


def copied(run: str, folder: Path, *, force: bool = False) -> list[Path]:
    """Write the files of a demonstration; one that is there is left alone, and an error."""
    contents = read_by(run)
    there = [name for name in contents if (folder / name).exists()]
    if there and not force:
        raise BakeoffError(f"{str(folder / there[0])!r} already exists; name another folder")
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in contents.items():
        write_bytes(folder / name, text.encode())
    return [folder / name for name in contents]


@contextlib.contextmanager
def inside(run: str) -> Iterator[None]:
    """In a temporary folder with the files of the demonstration."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="bakeoff-demo-", ignore_cleanup_errors=True) as folder:
        copied(run, Path(folder))
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def carry_out(line: str) -> None:
    """One command line of bakeoff, in this process; its exit code says nothing here."""
    from bakeoff.cli import main

    with contextlib.suppress(SystemExit):
        main.main(shlex.split(line)[1:])


def python_cautions(code: str) -> list[Caution]:
    """Those of what a few lines of Python call ``result``."""
    import bakeoff

    names: dict[str, Any] = {"bo": bakeoff}
    exec(code, names)  # shipped with bakeoff
    return list(names["result"].cautions)


def fired(run: str) -> list[dict[str, str]]:
    """The cautions that a demonstration gives, each with code, severity and text."""
    with inside(run):
        if not run.startswith("bakeoff "):
            return [_shown(asdict(caution)) for caution in python_cautions(run)]
        *before, last = run.splitlines()
        with contextlib.redirect_stdout(io.StringIO()):
            for line in before:
                carry_out(line)
        with_json = last if "--json" in last.split() else f"{last} --json"
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            carry_out(with_json)
        cautions = json.loads(printed.getvalue())["cautions"]
        # null in place of an infinite number is of the JSON alone
        kept = [c for c in cautions if c["code"] != "not-finite" or with_json == last]
        return [_shown(caution) for caution in kept]


def _shown(caution: Mapping[str, Any]) -> dict[str, str]:
    return {key: str(caution[key]) for key in ("code", "object", "severity", "text")}


def line_of(caution: Mapping[str, str]) -> str:
    """A caution as pages of results print it."""
    return f"{MARKS[caution['severity']]} {caution_name(caution['code'], caution['object'])}: {caution['text']}"
