"""Processes that calculate: one question at a time each, within a time limit, while the server answers others.

A process runs the command line's own commands (``calculator``), so that a page says what the command says.
Questions and answers are lines of JSON: a process that read a malicious file can send nothing but text.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from bakeoff.errors import BakeoffError
from bakeoff.wings.page.settings import Settings

PROGRAM = ("-P", "-m", "bakeoff.wings.page.calculator")  # -P: no module is taken from the folder of the uploads


class NoAnswerError(BakeoffError):
    """The computation took too long, or its process ended."""


class Calculator:
    """One process."""

    def __init__(self, folder: Path, store: Path, memory: int) -> None:
        self._asked = threading.Lock()
        place = tempfile.mkdtemp(prefix="calculator-", dir=folder)
        self._process = subprocess.Popen(
            [sys.executable, *PROGRAM, str(store), str(os.getpid()), str(memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=place,
            start_new_session=True,  # Ctrl-C is for the server, which ends its processes itself
        )

    def ask(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The answer; the process is ended if it takes longer than ``seconds``."""
        late = threading.Event()

        def end() -> None:
            late.set()
            self.kill()

        timer = threading.Timer(seconds, end)
        timer.daemon = True
        timer.start()
        try:
            with self._asked:
                answer = self._answer(question)
        finally:
            timer.cancel()
        if answer is not None:
            return answer
        self.close()
        if late.is_set():
            raise NoAnswerError(
                f"this took longer than {seconds:g} s, the limit of this page, and was stopped; "
                "the command below has no limit"
            )
        raise NoAnswerError(
            "the process that computes this ended, perhaps because it ran out of memory; the command below may show why"
        )

    def _answer(self, question: dict[str, Any]) -> dict[str, Any] | None:
        """None if the process has ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(question).encode() + b"\n")
            self._process.stdin.flush()
            answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        except (OSError, ValueError):
            return None
        return answer

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        """End the process at once, also in the middle of a question."""
        with contextlib.suppress(OSError):
            self._process.kill()

    def close(self) -> None:
        """End the process, and close its pipes once nobody waits for an answer."""
        self.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        with self._asked:
            for pipe in (self._process.stdin, self._process.stdout):
                with contextlib.suppress(OSError):
                    assert pipe is not None
                    pipe.close()


class Calculators:
    """As many processes as allowed, started when needed; the one used last is asked first: it knows the table."""

    def __init__(self, settings: Settings, folder: Path, store: Path) -> None:
        self._settings, self._folder, self._store = settings, folder, store
        self._free: list[Calculator] = []
        self._places = threading.Semaphore(settings.processes)
        self._slow = threading.Semaphore(max(settings.processes - 1, 1))
        self._lock, self._closed = threading.Lock(), False
        self._starter = ThreadPoolExecutor(1)
        self._all: set[Calculator] = set()

    def ask(self, question: dict[str, Any], slow: bool = False) -> dict[str, Any]:
        """The answer. Of ``slow`` questions one process fewer is asked, so that quick ones do not wait for them."""
        with self._slow if slow else contextlib.nullcontext(), self._places:
            calculator = self._take()
            try:
                return calculator.ask(question, self._settings.seconds)
            finally:
                self._give_back(calculator)

    def warm_up(self, number: int = 1) -> None:
        """Start processes ahead of the first question."""
        with self._lock:
            self._free += [self._start() for _ in range(number)]

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            self._closed = True
            for calculator in self._all:
                calculator.close()
        self._starter.shutdown()

    def _start(self) -> Calculator:
        """In a thread that lives as long as the server: a process ends with the thread that started it."""
        calculator = self._starter.submit(Calculator, self._folder, self._store, self._settings.memory).result()
        self._all.add(calculator)
        return calculator

    def _take(self) -> Calculator:
        with self._lock:
            if self._closed:
                raise NoAnswerError("the server is closing")
            while self._free:
                calculator = self._free.pop()
                if calculator.alive:
                    return calculator
                self._all.discard(calculator)
            return self._start()

    def _give_back(self, calculator: Calculator) -> None:
        with self._lock:
            if calculator.alive and not self._closed:
                self._free.append(calculator)
            else:
                self._all.discard(calculator)
