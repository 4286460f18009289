"""The watcher of a store: one reader for many pages, every state of a store, streams that end with their page."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
import time
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

import bakeoff as bo
from bakeoff.wings.page.live import watching
from bakeoff.wings.page.live.pages import piece, race_report
from bakeoff.wings.page.live.watching import AGAIN, Snapshot, Streams, Watcher, event, look_at
from bakeoff.wings.run.progress import Progress
from document_tables import table_in
from waiting import PATIENCE, wait_until


def experiment(n: int = 6, seconds: float = 0.0) -> bo.Experiment:
    def slow(problem: float, rng: object) -> float:
        time.sleep(seconds)
        return problem

    algorithms = {"a": slow, "b": lambda problem, rng: problem + 1.0}
    return bo.Experiment(algorithms, {f"p{i}": float(i) for i in range(n)}, better="lower", seed=1, runs=2)


def run_stopped(path: Path, after: int) -> None:
    """An experiment that ends in the middle, as by Ctrl-C."""

    def stop(progress: Progress) -> None:
        if progress.runs_done >= after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bo.run(experiment(60, seconds=0.01), store=path, progress=stop)


async def first_of(stream: AsyncGenerator[Snapshot | None], seconds: float = PATIENCE) -> Snapshot | None:
    async with asyncio.timeout(seconds):
        return await anext(stream)


@pytest.mark.slow
def test_a_finished_experiment_is_told_once_and_then_silence(tmp_path: Path) -> None:
    bo.run(experiment(), store=tmp_path / "e.sqlite")

    async def watch() -> None:
        stream = Watcher(tmp_path / "e.sqlite").changes(heartbeat=0.2)
        view = await first_of(stream)
        assert view is not None
        assert view.finished
        assert view.share == 1.0
        assert view.page is not None
        assert view.page.verdict == "6 of 6 problems · 24 of 24 runs"
        table = table_in(view.page, "algorithms")
        assert table is not None
        assert [row.cells[:3] for row in table.rows] == [("a", "1.000", "12"), ("b", "2.000", "12")]
        assert await first_of(stream) is None  # a heartbeat
        await stream.aclose()

    asyncio.run(watch())


@pytest.mark.slow
def test_every_state_of_a_store_is_said_and_watching_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "e.sqlite"

    async def watch() -> None:
        stream = Watcher(path, step=0.02).changes(heartbeat=20)
        view = await first_of(stream)
        assert view is not None
        assert "there is no store" in view.trouble
        assert view.page is None
        sqlite3.connect(path).close()
        path.touch()
        view = await first_of(stream)
        assert view is not None
        assert "no experiment was begun in it" in view.trouble  # half created
        path.write_bytes(b"no database at all, but long enough to be read as one" * 40)
        view = await first_of(stream)
        assert view is not None
        assert "damaged" in view.trouble
        path.unlink()
        await asyncio.to_thread(run_stopped, path, 20)
        while view is None or view.page is None or view.trouble or "at work" in view.page.title:
            view = await first_of(stream)
        assert view.page.title == "e.sqlite: stopped"
        assert not view.finished
        assert "left" not in view.page.verdict
        path.unlink()
        while view is None or not view.trouble:
            view = await first_of(stream)
        assert view.page is not None, "what was there last is still shown"
        await stream.aclose()

    asyncio.run(watch())


def test_many_pages_share_one_reader_which_ends_with_the_last(tmp_path: Path) -> None:
    looks: list[Path] = []
    old, release = threading.enumerate(), threading.Event()

    def look(path: Path) -> Snapshot:
        if looks:
            release.wait(PATIENCE)
        looks.append(path)
        return Snapshot(None, len(looks) / 100.0, False, False, time.time())

    async def watch() -> None:
        watcher = Watcher(tmp_path, look, step=0.05)
        streams = [watcher.changes() for _ in range(20)]
        seen = await asyncio.gather(*map(first_of, streams))
        assert [view and view.share for view in seen] == [0.01] * 20
        assert len(looks) == 1
        release.set()
        named = [thread for thread in threading.enumerate() if thread.name == "bakeoff-watcher" and thread not in old]
        assert len(named) == 1
        for stream in streams:
            await stream.aclose()
        await asyncio.to_thread(wait_until, lambda: not named[0].is_alive())

    asyncio.run(watch())


@pytest.mark.slow
def test_a_slow_store_does_not_block_the_loop_and_close_ends_every_stream(tmp_path: Path) -> None:
    release = threading.Event()

    def look(path: Path) -> Snapshot:
        release.wait(PATIENCE)
        return Snapshot(None, 0.0, False, False, time.time())

    async def watch() -> None:
        watcher = Watcher(tmp_path, look)
        assert await watcher.first(0.1) is None, "the loop waited for the store"
        stream = watcher.changes(heartbeat=0.05)
        assert await first_of(stream) is None
        watcher.close()
        with pytest.raises(StopAsyncIteration):
            await first_of(stream)

    asyncio.run(watch())
    release.set()


def test_an_error_of_the_page_does_not_end_the_reader(tmp_path: Path) -> None:
    def look(path: Path) -> Snapshot:
        raise ZeroDivisionError("a bug\nin two lines")

    async def watch() -> None:
        view = await Watcher(tmp_path, look).first()
        assert view is not None
        assert view.trouble == "ZeroDivisionError: a bug in two lines"

    asyncio.run(watch())


def test_what_is_known_is_not_sent_again() -> None:
    view = Snapshot(None, 0.5, False, False, 1.0)
    assert view.identifier == replace(view, at=2.0).identifier
    assert view.identifier != replace(view, share=0.6).identifier

    async def watch() -> None:
        streams = Streams(Watcher(Path("none"), lambda path: view), lambda v: f"share {v.share}", heartbeat=0.1)
        new, old = streams._events(""), streams._events(view.identifier)
        assert await anext(new) == await anext(old) == f"retry: {AGAIN}\n\n"
        assert await anext(new) == f"event: state\nid: {view.identifier}\ndata: share 0.5\n\n"
        assert await anext(old) == ": still here\n\n"
        await new.aclose()
        await old.aclose()

    asyncio.run(watch())


def test_streams_are_counted_when_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """110 that were opened at once all got one: they were counted when the first piece was sent."""
    monkeypatch.setattr(watching, "MOST_STREAMS", 2)
    view = Snapshot(None, 0.5, False, False, 1.0)
    streams = Streams(Watcher(Path("none"), lambda path: view), lambda v: "", heartbeat=0.1)
    request = Request({"type": "http", "headers": [], "query_string": b""})

    async def gone(message: object) -> None:
        raise OSError("the browser has gone")

    async def nothing() -> dict[str, str]:
        return {"type": "http.disconnect"}

    async def watch() -> None:
        first, second, third = [await streams(request) for _ in range(3)]
        assert streams.open == 2
        assert isinstance(third, Response)
        assert third.status_code == 503
        for stream in (first, second):
            with contextlib.suppress(Exception, BaseExceptionGroup):
                await stream({"type": "http", "asgi": {"spec_version": "2.0"}}, nothing, gone)
        assert streams.open == 0

    asyncio.run(watch())


def test_no_text_begins_another_event() -> None:
    assert event("state", "a\nevent: evil\r\rdata: b\r\n\nid: 0", "7") == (
        "event: state\nid: 7\ndata: a\ndata: event: evil\ndata: \ndata: data: b\ndata: \ndata: id: 0\n\n"
    )


def test_the_piece_of_the_page_is_html_and_nothing_else(tmp_path: Path) -> None:
    """It once was the two parts of a report as a Python tuple."""
    bo.run(experiment(), store=tmp_path / "e.sqlite")
    text = piece(look_at(tmp_path / "e.sqlite"))
    assert "<caption>Runs by algorithm</caption>" in text
    assert '<a href="/live/results">' in text
    assert not [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("<")]


def test_a_finished_race_leads_to_its_report(tmp_path: Path) -> None:
    algorithms = {"good": lambda p, rng: p, "bad": lambda p, rng: p + 9.0}
    problems = {f"p{i}": float(i) for i in range(20)}
    path = tmp_path / "race.sqlite"
    bo.race(bo.Experiment(algorithms, problems, better="lower", seed=1), store=path)
    assert 'href="/live/results">The result of the race<' in piece(look_at(path))
    said = race_report(path)
    assert said["verdict"] == "good is the only survivor of 2 candidates."
    assert "<h2>What is guaranteed</h2>" in said["body"]
    assert said["command"] == f"bakeoff race {path}"
