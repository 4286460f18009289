"""Who may ask ``bakeoff serve``, what stays behind, and how it starts and ends."""

from __future__ import annotations

import os
import re
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bakeoff.cli import main
from bakeoff.errors import ParameterError
from bakeoff.processes.os_processes import mark_owner
from bakeoff.wings.page.application import app
from bakeoff.wings.page.calculators import Calculators, NoAnswerError
from bakeoff.wings.page.settings import Settings
from bakeoff.wings.page.uploads import PREFIX, Uploads, file_name, uploaded
from waiting import PATIENCE

pytestmark = pytest.mark.filterwarnings("ignore:Using `httpx` with")
PLACE = "http://127.0.0.1:8421"


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Without a cookie; nothing is computed."""
    from starlette.testclient import TestClient

    with TestClient(app(Settings(token="secret")), base_url=PLACE, follow_redirects=False) as found:
        yield found


WITH = {"cookie": "bakeoff-8421=secret"}


def test_the_token_becomes_a_cookie_and_leaves_the_address(client: Any) -> None:
    assert client.get("/static/serve.css").status_code == 403
    assert client.get("/static/serve.css?token=wrong").status_code == 403
    answer = client.get("/static/serve.css?v=1&token=secret")
    client.cookies.clear()
    assert (answer.status_code, answer.headers["location"]) == (303, "/static/serve.css?v=1")
    assert answer.headers["set-cookie"] == "bakeoff-8421=secret; Path=/; HttpOnly; SameSite=Strict"
    assert client.get("/static/serve.css", headers=WITH).status_code == 200
    assert client.get("//evil.example/?token=secret").headers.get("location", "/x")[:2] != "//"
    client.cookies.clear()


@pytest.mark.parametrize("host", ["evil.example:8421", "127.0.0.1", "127.0.0.1:80", "127.0.0.1.evil.example:8421", ""])
def test_other_host_names_are_refused(client: Any, host: str) -> None:
    """An attacker's name may be made to mean 127.0.0.1 (DNS rebinding)."""
    assert client.get("/static/serve.css", headers={**WITH, "host": host}).status_code == 421


@pytest.mark.parametrize("host", ["127.0.0.1:8421", "localhost:8421", "[::1]:8421"])
def test_own_host_names(client: Any, host: str) -> None:
    assert client.get("/static/serve.css", headers={**WITH, "host": host}).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "null", "sec-fetch-site": "cross-site"}, 403),
        ({"origin": PLACE, "sec-fetch-site": "cross-site"}, 403),
        ({"origin": "http://127.0.0.1:9999"}, 403),
        ({"origin": "null", "sec-fetch-site": "same-origin"}, 422),
        ({"origin": PLACE}, 422),
    ],
)
def test_a_form_comes_from_this_page(client: Any, headers: dict[str, str], status: int) -> None:
    assert client.post("/upload", data={"x": "y"}, headers={**WITH, **headers}).status_code == status


def test_headers_of_every_answer(client: Any) -> None:
    for answer in (client.get("/nowhere", headers=WITH), client.get("/"), client.get("/static/serve.js", headers=WITH)):
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
    assert client.get("/nowhere", headers=WITH).headers["cache-control"] == "no-store"


# --- uploads ----------------------------------------------------------------------------------------------------


def test_uploads_are_private_bounded_and_gone_at_the_end() -> None:
    found = Uploads(most=2)
    assert stat.S_IMODE(found.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(found.path.stat().st_mode) == 0o600
    first = found.add("a.csv", b"1")
    assert found.add("a.csv", b"1") == first, "by content"
    second = found.add("b.csv", b"1")
    found.add("../c.csv", b"2")
    assert found.name(first) is None, "the oldest is forgotten"
    kept = uploaded(found.path, second)
    assert kept is not None
    assert (kept.name, kept.content) == ("b.csv", b"1")
    found.close()
    assert not found.folder.exists()


def test_the_table_that_the_server_was_started_with_is_never_forgotten() -> None:
    """After 50 uploads its first page was: There is no such page. Nor is a file that is still looked at."""
    found = Uploads(most=2)
    first = found.add("t.csv", b"0", kept=True)
    looked_at = found.add("a.csv", b"1")
    found.add("t.csv", b"0")  # the same file again, by a visitor
    for i in range(5):
        found.add(f"{i}.csv", b"2")
        assert found.name(looked_at) == "a.csv"
    assert found.name(first) == "t.csv"
    found.close()


def test_a_file_that_is_gone_is_told_as_such(client: Any) -> None:
    """Every 404 was: There is no such page."""
    assert (
        "This file is no longer available: choose it again." in client.get("/table/0123456789abcdef", headers=WITH).text
    )
    assert "There is no such page." in client.get("/nowhere", headers=WITH).text


def test_what_a_killed_server_left_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    stale, other, reused = (tmp_path / f"{PREFIX}{end}" for end in "xyz")
    for folder in (stale, other, reused):
        folder.mkdir()
    (stale / "owner").write_text(f"{ended.pid} 1")
    mark_owner(str(other))
    (reused / "owner").write_text(f"{os.getpid()} 1")
    Uploads(1).close()
    assert [folder.exists() for folder in (stale, other, reused)] == [False, True, False]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("a.csv", "a.csv"),
        ("C:\\x\\a.csv", "a.csv"),
        ("../../etc/passwd", "passwd"),
        ("a\0b\n.csv", "a_b_.csv"),
        (".csv", "csv"),
        ("ä" * 200 + ".csv.gz", "ä" * 56 + ".csv.gz"),
    ],
)
def test_names_of_files(given: str, kept: str) -> None:
    assert file_name(given) == kept


def test_a_name_of_nothing_is_refused() -> None:
    with pytest.raises(ParameterError, match="no name"):
        file_name("../")


# --- processes --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_computation_is_stopped_and_the_next_one_answered(tmp_path: Path) -> None:
    store = Uploads(5)
    table = "problem,A,B,C,D\n" + "".join(f"p{i},{i % 7},{i % 5},{i % 3},{i % 11}\n" for i in range(40))
    source = store.add("t.csv", table.encode())
    calculators = Calculators(Settings(seconds=int(PATIENCE), processes=1), store.folder, store.path)
    asked = {"ask": "page", "source": source, "arguments": ["compare", "t.csv", "--better", "lower"]}
    try:
        assert "verdict" in calculators.ask(asked)
        calculators._settings = Settings(
            seconds=0.2, processes=1
        )  # the process is warm: only the long question is late
        slow = ["sensitivity", "t.csv", "--better", "lower", "--resamples", "20000"]
        with pytest.raises(NoAnswerError, match=r"took longer than 0\.2 s"):
            calculators.ask({**asked, "arguments": slow})
        calculators._settings = Settings(seconds=int(PATIENCE), processes=1)
        assert "verdict" in calculators.ask(asked)
    finally:
        calculators.close()
        store.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only there a process ends with the thread that started it")
@pytest.mark.slow
def test_a_process_outlives_the_thread_that_asked_first(tmp_path: Path) -> None:
    """The threads of a server end when they are idle, and their processes were killed while others asked them."""
    store = Uploads(5)
    source = store.add("t.csv", b"problem,A,B\n" + b"".join(b"p%d,1,2\n" % i for i in range(9)))
    calculators = Calculators(Settings(seconds=int(PATIENCE), processes=1), store.folder, store.path)
    asked = {"ask": "page", "source": source, "arguments": ["compare", "t.csv", "--better", "lower"]}
    try:
        first = threading.Thread(target=calculators.ask, args=(asked,))
        first.start()
        first.join()
        (process,) = calculators._all
        assert "verdict" in calculators.ask(asked)
        assert calculators._all == {process}
    finally:
        calculators.close()
        store.close()


# --- the command ------------------------------------------------------------------------------------------------


def start(*options: str) -> tuple[subprocess.Popen[str], str]:
    """A server, and the address it prints."""
    command = [sys.executable, "-m", "bakeoff", "serve", "--no-open", *options]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    found = re.search(r"http://\S+", server.stdout.readline())
    assert found
    return server, found[0]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_server_answers_and_leaves_nothing(
    number: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    server, address = start("--port", "0")
    try:
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        page = opener.open(address).read().decode()
        assert "DE-Exp has the best mean rank" in page
        [folder] = tmp_path.glob(f"{PREFIX}*")
        with sqlite3.connect(f"file:{folder}/uploads.sqlite?mode=ro", uri=True) as database:
            assert database.execute("SELECT count(*) FROM uploads").fetchone() == (1,)
        database.close()
        server.send_signal(number)
        server.wait(PATIENCE)
        assert list(tmp_path.iterdir()) == []
    finally:
        server.kill()
        server.communicate()


def test_a_taken_port_is_said() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ran = CliRunner().invoke(main, ["serve", "--port", str(port), "--no-open"])
    assert ran.exit_code == 2
    assert f"cannot listen on port {port} of 127.0.0.1" in ran.output
    assert "--port 0" in ran.output


def test_a_file_that_is_not_there() -> None:
    ran = CliRunner().invoke(main, ["serve", "nowhere.csv"])
    assert (ran.exit_code, "there is no such file" in ran.output) == (2, True)


def test_without_the_packages_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    ran = CliRunner().invoke(main, ["serve"])
    assert (ran.exit_code, "pip install starlette" in ran.output) == (2, True)
