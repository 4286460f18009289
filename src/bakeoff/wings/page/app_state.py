"""State that the pages share: settings, uploads, the processes that calculate, and answers already given."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from importlib.resources import files
from pathlib import Path
from typing import Any

import anyio.to_thread

from bakeoff.errors import ParameterError
from bakeoff.wings.page import templating
from bakeoff.wings.page.calculators import Calculators
from bakeoff.wings.page.live.pages import streams_of
from bakeoff.wings.page.settings import Settings
from bakeoff.wings.page.uploads import Uploads

EXAMPLE = "derrac_cec2005"
EXAMPLES = {
    "derrac_cec2005": "9 optimisers on the 25 functions of CEC’2005 (mean error, lower is better)",
    "demsar_2006": "4 variants of C4.5 on 14 data sets (AUC, higher is better)",
    "garcia_2010": "4 classifiers on 24 data sets (accuracy, higher is better)",
}


def facts_question(source: str, reading: dict[str, Any], cells: int) -> dict[str, Any]:
    return {"ask": "facts", "source": source, "reading": reading, "cells": cells}


def page_question(source: str, arguments: list[str], brief: bool = False) -> dict[str, Any]:
    return {"ask": "page", "source": source, "arguments": arguments, "brief": brief}


MEMORY = 64_000_000  # characters of answers that are kept


class AppState:
    """Opened with the server, and closed with it: then nothing is left."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.opened: str | None = None  # the table that the server was started with
        self.better: str | None = None  # which of its scores are good
        self.first_analyses: dict[str, str] = {}  # by table, the analysis whose verdict was seen first
        self.uploads = Uploads(settings.uploads)
        self.calculators = Calculators(settings, self.uploads.folder, self.uploads.path)
        self.streams = None if settings.store is None else streams_of(settings.store)
        self._answers: OrderedDict[str, tuple[dict[str, Any], int]] = OrderedDict()
        self._size, self._lock = 0, threading.Lock()

    def open(self, file: Path, better: str | None = None) -> None:
        """The table that the page begins with, and which of its scores are good if that need not be asked."""
        try:
            size = file.stat().st_size
            if size > self.settings.most_bytes:
                raise ParameterError(
                    f"{str(file)!r} is larger than {self.settings.megabytes:g} MB; --limit mb=N allows more"
                )
            self.opened, self.better = self.uploads.add(file.name, file.read_bytes(), kept=True), better
        except OSError as error:
            raise ParameterError(f"cannot read {str(file)!r}: {error.strerror or error}") from None

    def add_example(self, name: str) -> str:
        """A shipped table among the uploads; its identifier."""
        return self.uploads.add(f"{name}.csv", files("bakeoff.datasets").joinpath(f"{name}.csv").read_bytes())

    def _first_questions(self) -> list[dict[str, Any]]:
        """Questions about the table that was named, else about the example with its verdict."""
        if self.settings.store is not None:
            return []
        if self.opened is not None:
            return [facts_question(self.opened, {}, self.settings.cells)]
        source, arguments = self.add_example(EXAMPLE), ["compare", f"{EXAMPLE}.csv", "--better", "lower"]
        return [facts_question(source, {}, self.settings.cells), page_question(source, arguments)]

    def warm_up(self) -> None:
        """Everything that the first page needs is loaded, and its answer computed."""
        self.calculators.warm_up(min(2, self.settings.processes))
        for name in ("view.html.j2", "question.html.j2", "part.html.j2"):
            templating.environment().get_template(name)
        for question in self._first_questions():
            key = json.dumps(question, sort_keys=True)
            self._keep(key, self.calculators.ask(dict(question)))

    async def ask(self, question: dict[str, Any], slow: bool = False) -> dict[str, Any]:
        """The answer, from memory if it was given before; the event loop goes on meanwhile."""
        key = json.dumps(question, sort_keys=True)
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
                return self._answers[key][0]
        answer = await anyio.to_thread.run_sync(self.calculators.ask, question, slow)
        if "content" not in answer:
            self._keep(key, answer)
        return answer

    def _keep(self, key: str, answer: dict[str, Any]) -> None:
        size = len(key) + len(json.dumps(answer))
        with self._lock:
            if key in self._answers or size > MEMORY:
                return
            self._answers[key] = (answer, size)
            self._size += size
            while self._size > MEMORY:
                self._size -= self._answers.popitem(last=False)[1][1]

    def close(self) -> None:
        """End the processes, delete the uploads."""
        if self.streams is not None:
            self.streams.watcher.close()
        self.calculators.close()
        self.uploads.close()
