"""Questions of ``bakeoff serve``: what is in a table, what a command says of it, and the files it writes."""

from __future__ import annotations

import base64
import gc
import os
import shlex
import shutil
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from bakeoff.analyses import of_command
from bakeoff.cli._main import in_one_line, main, message_of
from bakeoff.cli.analyses import made_command
from bakeoff.cli.options import in_option_words
from bakeoff.errors import BakeoffError, ReadingError
from bakeoff.inputs import scores_from
from bakeoff.wings.page.page_words import in_page_words
from bakeoff.wings.page.uploads import file_argument, uploaded

KEPT = 4  # tables of which files and results are kept
NOT_ALONE = ("ioh", "coco")
"""Formats whose files name others: as an upload there are none, and a made-up one could name any."""


class AnswersOnTables:
    """The tables at hand, and answers on them."""

    def __init__(self, store: Path, folder: Path) -> None:
        self._store, self._folder = store, folder
        self._tables: OrderedDict[str, dict[Any, Any]] = OrderedDict()  # what was read of each
        self._names: dict[str, str] = {}

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """``{"refused": …}`` holds the line that the command line would print."""
        answers: dict[str, Callable[..., dict[str, Any]]] = {"facts": self.facts, "page": self.page, "save": self.save}
        kind = answers[question.pop("ask")]
        try:
            return kind(**question)
        except MemoryError:
            return {"refused": "this needs more memory than a computation of this page may have"}
        except Exception as error:
            return {"refused": in_page_words(message_of(error), "compare")}

    def facts(self, source: str, reading: dict[str, Any], cells: int = 0) -> dict[str, Any]:
        """Summarise a table, before anything is computed."""
        from bakeoff.wings.page.table_summary import column_names, facts_of, sheets_of

        name = self._go_to(source)
        try:
            return facts_of(name, lambda better, options: self._read(source, name, better, options), reading, cells)
        except (BakeoffError, OSError, click.ClickException) as error:
            message = (
                in_option_words(error, made_command(of_command("compare")))
                if isinstance(error, BakeoffError)
                else message_of(error)
            )
            message = in_page_words(in_one_line(message), "compare")
            return {"refused": message, "columns": column_names(name), "sheets": sheets_of(name)}

    def page(self, source: str, arguments: Sequence[str], brief: bool = False) -> dict[str, Any]:
        """Give the answer of a command as fragments of a page."""
        from bakeoff.wings.page.table_summary import fragments_of

        results: list[Any] = []
        self._run(source, arguments, results.append)
        return fragments_of(results[-1], brief, arguments[0])

    def save(self, source: str, arguments: Sequence[str], path: str) -> dict[str, Any]:
        """The bytes of the file that the command writes."""
        try:
            self._run(source, [*arguments, "--report", path], lambda result: None)
            return {"content": base64.b64encode(Path(path).read_bytes()).decode()}
        finally:
            Path(path).unlink(missing_ok=True)

    def _run(self, source: str, arguments: Sequence[str], keep: Callable[[Any], None]) -> None:
        """By the command itself, which hands its result over in place of printing it."""
        self._go_to(source)
        gc.unfreeze()  # what the command before this one has frozen
        answer = {"command": shlex.join(["bakeoff", *arguments]), "keep": keep, "tables": self._tables[source]}
        main.main(list(arguments), standalone_mode=False, obj=answer)

    def _read(self, source: str, name: str, better: str | None, options: dict[str, Any]) -> Any:
        known, key = self._tables[source], (name, better, repr(sorted(options.items())))
        if key not in known:
            known[key] = scores_from(name, better, dict(options))
        return known[key]

    def _go_to(self, source: str) -> str:
        """Into the folder of a table, which is written there the first time; its name."""
        place = self._folder / source
        if source in self._tables:
            self._tables.move_to_end(source)
        else:
            upload = uploaded(self._store, source)
            if upload is None:
                raise ReadingError("this file is no longer available: choose it again")
            place.mkdir(exist_ok=True)
            (place / upload.name).write_bytes(upload.content)
            refuse_not_alone(str(place / upload.name), upload.name)
            self._tables[source], self._names[source] = {}, file_argument(upload.name)
            while len(self._tables) > KEPT:
                shutil.rmtree(self._folder / self._tables.popitem(last=False)[0], ignore_errors=True)
        os.chdir(place)
        return self._names[source]


def refuse_not_alone(path: str, name: str) -> None:
    """A file that says where its data are could name any file of this machine."""
    from bakeoff.wings.formats.formats import recognised
    from bakeoff.wings.formats.source_file import SourceFile

    try:
        form = recognised(SourceFile(path))
    except (BakeoffError, OSError):
        return
    if form is not None and form.name in NOT_ALONE:
        raise ReadingError(
            f"{name!r} is from {form.title}, and the scores are in other files that it names; give the folder to the "
            "command line: bakeoff compare FOLDER"
        )
