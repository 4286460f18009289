"""``bakeoff serve`` against requests that no browser of its user sends, as bytes on a socket where needed."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import pickle
import re
import select
import socket
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from browser.browsing import Served, served
from waiting import PATIENCE

TABLE = b"p,a,b\nx,1,2\ny,2,3\nz,2,4\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served("--limit", "mb=2", cwd=tmp_path_factory.mktemp("served")) as found:
        yield found


@pytest.fixture(scope="module")
def user(server: Served) -> Iterator[httpx.Client]:
    """With the cookie, and the headers of a browser's own form."""
    own = {"origin": server.bare, "sec-fetch-site": "same-origin"}
    with httpx.Client(base_url=server.bare, headers=own, timeout=PATIENCE) as client:
        assert client.get(server.address).status_code == 303
        yield client


def place(server: Served) -> tuple[str, int]:
    return "127.0.0.1", int(server.bare.rpartition(":")[2])


def token(server: Served) -> str:
    return server.address.partition("token=")[2]


def raw(server: Served, target: str, host: str) -> bytes:
    """The answer to one request, byte by byte as given here."""
    with socket.create_connection(place(server), timeout=PATIENCE) as line:
        line.sendall(f"GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode("latin-1"))
        return b"".join(iter(lambda: line.recv(65536), b""))


def upload(user: httpx.Client, name: str, content: bytes) -> httpx.Response:
    return user.post("/upload", files={"file": (name, content)})


def said(user: httpx.Client, answer: httpx.Response) -> tuple[int, str]:
    """Where the answer leads, and its headline."""
    while answer.status_code == 303:
        answer = user.get(answer.headers["location"])
    found = re.search(r"<h1[^>]*>(.*?)</h1>", answer.text, re.DOTALL)
    return answer.status_code, "" if found is None else found[1]


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1.evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:{port}@evil:80",
        "",
    ],
)
def test_another_name_for_this_address_is_refused_even_with_the_token(server: Served, host: str) -> None:
    """DNS rebinding: a page of another site makes its own name point here."""
    answer = raw(server, f"/?token={token(server)}", host.format(port=place(server)[1]))
    assert answer.startswith(b"HTTP/1.1 421 ")
    assert b"set-cookie" not in answer.lower()


def test_nothing_is_said_without_the_token(server: Served) -> None:
    with httpx.Client(base_url=server.bare) as stranger:
        for path in ("/", "/?token=", "/?token=guess", "/?token=%E2%82%AC%00", "/static/serve.js", "/live", "/table/x"):
            answer = stranger.get(path)
            assert answer.status_code == 403, path
            assert "set-cookie" not in answer.headers
        assert stranger.post(f"/upload?token={token(server)}", files={"file": ("a.csv", TABLE)}).status_code == 403


@pytest.mark.parametrize(
    "path",
    ["//evil.example/x", "/\\evil.example/x", "/%0d%0aset-cookie:%20evil=1", "/%E2%82%AC", "/%2f%2fevil.example"],
)
def test_the_address_with_the_token_leads_nowhere_else(server: Served, path: str) -> None:
    """A path beyond Latin-1, or with a line break, was an internal error."""
    answer = raw(server, f"{path}?token={token(server)}", server.bare.removeprefix("http://"))
    assert answer.startswith(b"HTTP/1.1 303 ")
    (location,) = re.findall(rb"(?mi)^location: ([^\r]*)", answer)
    assert re.match(rb"/[^/\\]", location)
    assert re.findall(rb"(?mi)^set-cookie: ([^=]*)=", answer) == [f"bakeoff-{place(server)[1]}".encode()]


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null", "sec-fetch-site": "cross-site"},
        {"origin": "null", "sec-fetch-site": "none"},
        {"origin": "OWN", "sec-fetch-site": "cross-site"},
        {},
    ],
)
def test_a_form_of_another_site_is_refused(server: Served, user: httpx.Client, headers: dict[str, str]) -> None:
    with httpx.Client(base_url=server.bare, cookies=dict(user.cookies)) as browser:
        sent = {name: server.bare if value == "OWN" else value for name, value in headers.items()}
        assert browser.post("/upload", files={"file": ("a.csv", TABLE)}, headers=sent).status_code == 403


@pytest.mark.parametrize(
    "name",
    [
        "../../etc/passwd.csv",
        "..\\..\\x.csv",
        "/etc/x.csv",
        "a\x00b.csv",
        "a\r\nX: y.csv",
        "--report=evil.html.csv",
        "%2e%2e%2fx.csv",
    ],
)
def test_names_of_files_lead_nowhere(user: httpx.Client, name: str) -> None:
    first = upload(user, name, TABLE)
    assert said(user, first)[1].startswith("3 problems × 2 algorithms")
    saved = user.get(f"{first.headers['location']}/compare/save/csv?better=lower")
    assert saved.status_code == 200
    assert saved.headers["content-disposition"] in (
        'attachment; filename="compare.csv"',
        'attachment; filename="compare-report.csv"',
    )


def test_choices_are_no_options_and_no_files(user: httpx.Client, tmp_path: Path) -> None:
    table = upload(user, "x.csv", TABLE).headers["location"]
    evil = tmp_path / "evil.html"
    for choice in (f"report={evil}", f"control=--report={evil}", f"margin=--report%3D{evil}", "drop=@/etc/passwd"):
        answer = user.get(f"{table}/compare?better=lower&{choice}")
        assert answer.status_code in (200, 422), choice
        assert "root:" not in answer.text
    assert not evil.exists()
    for path in (f"{table}/compare/save/..%2f..%2fetc%2fpasswd", "/static/..%2fguard.py", "/static/%2e%2e/guard.py"):
        assert user.get(path).status_code == 404, path


class Evil:
    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (str(self.trace),)


@pytest.mark.slow
def test_no_pickle_is_opened(user: httpx.Client, tmp_path: Path) -> None:
    for suffix in ("pkl", "npy", "csv", "json", "parquet", "sqlite", "xlsx"):
        status, _ = said(user, upload(user, f"a.{suffix}", pickle.dumps(Evil(tmp_path / "evil"))))
        assert status == 422, suffix
    assert not (tmp_path / "evil").exists()


@pytest.mark.slow
def test_files_that_unpack_to_much_more_are_refused(user: httpx.Client) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as bomb:
        bomb.writestr("[Content_Types].xml", "<Types/>")
        with bomb.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as sheet:
            for _ in range(300):
                sheet.write(bytes(1_000_000))
    status, text = said(user, upload(user, "bomb.xlsx", packed.getvalue()))
    assert status == 422
    assert "unpacked" in text
    assert said(user, upload(user, "deep.json", b"[" * 200_000))[0] == 422
    assert said(user, upload(user, "cut.csv.gz", gzip.compress(TABLE)[:-9]))[0] == 422


def test_a_body_beyond_the_limit_is_refused(user: httpx.Client) -> None:
    def long() -> Iterator[bytes]:
        yield b'--xx\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
        for _ in range(20):  # without a length that could be refused at once
            yield bytes(1_000_000)

    kind = {"content-type": "multipart/form-data; boundary=xx"}
    with contextlib.suppress(httpx.TransportError):  # the server may close while this is still writing
        assert user.post("/upload", content=long(), headers=kind).status_code == 413
    assert upload(user, "big.csv", bytes(3_000_000)).status_code == 413


def test_uploads_that_break_off_print_nothing(server: Served, user: httpx.Client) -> None:
    """Each printed a traceback; where nobody reads what the server prints, 20 of them stopped it."""
    cookies = "; ".join(f"{name}={value}" for name, value in user.cookies.items())
    head = f"POST /upload HTTP/1.1\r\nHost: {server.bare.removeprefix('http://')}\r\nCookie: {cookies}\r\n"
    head += (
        f"Origin: {server.bare}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 999\r\n\r\n--x\r\n"
    )
    for _ in range(60):
        with socket.create_connection(place(server), timeout=PATIENCE) as line:
            line.sendall(head.encode())
    assert upload(user, "x.csv", TABLE).status_code == 303
    assert server.process.stderr is not None
    assert select.select([server.process.stderr], [], [], 0)[0] == []


@pytest.mark.slow
def test_many_slow_connections_keep_nobody_waiting(server: Served, user: httpx.Client) -> None:
    slow = [socket.create_connection(place(server)) for _ in range(200)]
    try:
        for number, line in enumerate(slow):
            if number % 2:
                line.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nx-slow: ")
            else:
                line.sendall(b"POST /upload HTTP/1.1\r\nHost: 127.0.0.1\r\ncontent-length: 1000\r\n\r\n-")
        assert user.get("/static/serve.js").status_code == 200
    finally:
        for line in slow:
            line.close()


@pytest.mark.slow
def test_every_answer_forbids_what_a_page_of_reports_does_not_need(user: httpx.Client) -> None:
    table = upload(user, "x.csv", TABLE).headers["location"]
    for path in (
        "/",
        table,
        f"{table}/compare?better=lower",
        "/static/serve.js",
        "/none",
        f"{table}/compare/save/svg?better=lower",
    ):
        headers = user.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "no-store" in headers["cache-control"] or path.startswith("/static/"), path
        assert "server" not in headers


@pytest.mark.slow
def test_a_killed_server_leaves_a_private_folder_that_the_next_one_removes(tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    assert tempfile.gettempdir() != str(tmp_path)
    with served(env=environment) as first:
        (folder,) = tmp_path.glob("bakeoff-serve-*")
        assert folder.stat().st_mode & 0o077 == 0
        first.process.kill()
        first.process.wait()
        assert first.process.stderr is not None
        assert token(first) not in first.process.stderr.read()
    assert folder.exists()
    with served(env=environment):
        assert not folder.exists()
    assert list(tmp_path.iterdir()) == []
