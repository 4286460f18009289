"""One thread that reads a store while anybody watches it, and server-sent events that tell every open page of changes.

A stream consists of fragments of a page, each with an identifier that a browser sends when it reconnects.
"""

from __future__ import annotations

import asyncio
import hashlib
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from bakeoff.dataclass import dataclass
from bakeoff.errors import BakeoffError, plain
from bakeoff.report.document import Document

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp, Receive, Scope, Send


STEP = 1.0  # seconds between two looks at the file
AT_LEAST = 5.0  # seconds after which the store is read again though its file has not changed: is anybody at work?
SHARE = 1.0  # a look that took long is followed by a rest of the same length
HEARTBEAT = 15.0  # seconds of silence after which a stream says that it is still there


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A look at the store. ``trouble``: why it could not be read, in which case ``page`` is an earlier one.

    ``share`` of the runs expected that are done; ``finished``: nothing more will come.
    """

    page: Document | None
    share: float
    finished: bool
    race: bool
    at: float  # Unix time of the look that found this
    trouble: str = ""

    @property
    def identifier(self) -> str:
        """Equal for two looks that found the same."""
        text = repr((self.page, round(self.share, 4), self.finished, self.trouble))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def look_at(path: Path) -> Snapshot:
    """Read the store, and say what is in it."""
    from bakeoff.wings.run.run.reporting.progress import document, done
    from bakeoff.wings.run.stored_progress import stored_progress

    progress = stored_progress(path)
    finished = progress.status.state == "finished"
    share = 1.0 if finished else min(1.0, done(progress.progress))
    return Snapshot(document(progress), share, finished, progress.status.race, time.time())


class Watcher:
    """Reads the store at ``path`` while there is at least one reader."""

    def __init__(self, path: Path, look: Callable[[Path], Snapshot] = look_at, step: float = STEP) -> None:
        self.path = path
        self._look, self._step = look, step
        self._lock = threading.Condition()
        self._wakers: list[Callable[[], object]] = []
        self._snapshot: Snapshot | None = None
        self._working = self._closed = False

    async def first(self, seconds: float = 5.0) -> Snapshot | None:
        """The present snapshot, as soon as it is read; None if that takes longer than ``seconds``."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds), aclosing(self.changes(fresh=True)) as changes:
                async for view in changes:
                    if view is not None:
                        return view
        return self._snapshot

    async def changes(
        self, known: str = "", heartbeat: float = HEARTBEAT, fresh: bool = False
    ) -> AsyncGenerator[Snapshot | None]:
        """Every change, beginning with what is there unless it is ``known``; None after a silence.

        ``fresh``: what was read before this call does not count.
        """
        loop, woken = asyncio.get_running_loop(), asyncio.Event()

        def wake() -> None:
            with suppress(RuntimeError):  # the loop has been closed
                loop.call_soon_threadsafe(woken.set)

        since = time.time()
        with self._reading(wake):
            while not self._closed:
                woken.clear()
                seen = self._snapshot
                if seen is not None and (not fresh or seen.at >= since) and seen.identifier != known:
                    known, fresh = seen.identifier, False
                    yield seen
                    continue
                try:
                    await asyncio.wait_for(woken.wait(), heartbeat)
                except TimeoutError:
                    yield None

    def close(self) -> None:
        """End every stream, for the end of the server."""
        with self._lock:
            self._closed = True
            self._lock.notify_all()
            for wake in self._wakers:
                wake()

    @contextmanager
    def _reading(self, wake: Callable[[], object]) -> Iterator[None]:
        with self._lock:
            self._wakers.append(wake)
            if not self._working:
                self._working = True
                threading.Thread(target=self._work, name="bakeoff-watcher", daemon=True).start()
            else:
                self._lock.notify_all()  # a new reader wants to know now
        try:
            yield
        finally:
            with self._lock:
                self._wakers.remove(wake)
                if not self._wakers:
                    self._lock.notify_all()

    def _work(self) -> None:
        """Until nobody reads."""
        signature: object = None
        read = -AT_LEAST
        while True:
            began = time.monotonic()
            now = _signature(self.path)
            if now != signature or began - read >= AT_LEAST or self._snapshot is None:
                signature, read = now, began
                self._keep(self._view())
            took = time.monotonic() - began
            with self._lock:
                if self._wanted() and self._lock.wait(max(self._step, SHARE * took)):
                    signature = None  # somebody new
                if not self._wanted():
                    self._working = False
                    return

    def _wanted(self) -> bool:
        return bool(self._wakers) and not self._closed

    def _view(self) -> Snapshot:
        try:
            return self._look(self.path)
        except (BakeoffError, OSError) as error:
            text = " ".join(plain(str(error)).split())
        except Exception as error:  # a bug in what is shown must not end the thread
            text = f"{type(error).__name__}: {plain(str(error))}"
        last = self._snapshot
        if last is None:
            return Snapshot(None, 0.0, False, False, time.time(), text)
        return Snapshot(last.page, last.share, False, last.race, time.time(), text)

    def _keep(self, view: Snapshot) -> None:
        with self._lock:
            self._snapshot = view
            for wake in self._wakers:
                wake()


def _signature(path: Path) -> object:
    """Changes when the store does: its file, and the one beside it that SQLite writes first."""
    parts: list[object] = []
    for name in (path, path.with_name(f"{path.name}-wal")):
        try:
            facts = name.stat()
            parts.append((facts.st_ino, facts.st_size, facts.st_mtime_ns))
        except OSError:
            parts.append(None)
    return tuple(parts)


AGAIN = 2000  # milliseconds after which a browser reconnects
MOST_STREAMS = 100

_HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


def event(name: str, data: str, identifier: str = "") -> str:
    """One event; every line of its data is a line of the stream, so that no text can begin another event."""
    lines = [f"event: {name}", *([f"id: {identifier}"] if identifier else [])]
    return "\n".join([*lines, *(f"data: {line}" for line in data.splitlines() or [""])]) + "\n\n"


class Streams:
    """The open streams of one watched store."""

    def __init__(self, watcher: Watcher, written: Callable[[Snapshot], str], heartbeat: float = HEARTBEAT) -> None:
        self.watcher, self._written, self._heartbeat = watcher, written, heartbeat
        self.open = 0

    async def __call__(self, request: Request) -> ASGIApp:
        """Endpoint: the stream, from where the browser left off; counted before anything of it is sent."""
        from starlette.responses import PlainTextResponse, StreamingResponse

        if self.open >= MOST_STREAMS:
            return PlainTextResponse("Too many pages are watching this experiment: close one.\n", 503)
        known = request.headers.get("last-event-id") or request.query_params.get("seen", "")
        self.open += 1
        stream = StreamingResponse(self._events(known), media_type="text/event-stream", headers=_HEADERS)

        async def counted(scope: Scope, receive: Receive, send: Send) -> None:
            try:
                await stream(scope, receive, send)
            finally:
                self.open -= 1

        return counted

    async def _events(self, known: str) -> AsyncGenerator[str]:
        yield f"retry: {AGAIN}\n\n"
        async with aclosing(self.watcher.changes(known, self._heartbeat)) as changes:
            async for view in changes:
                yield ": still here\n\n" if view is None else event("state", self._written(view), view.identifier)
