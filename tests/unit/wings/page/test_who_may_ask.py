"""The guard by itself: which names are the server's own, and bodies that are too long."""

import asyncio
from typing import Any

import pytest

from bakeoff.wings.page.guard import BESIDE, Guard
from bakeoff.wings.page.settings import Settings

OWN, FOREIGN = 403, 421  # without its token; by another name


def asked(
    settings: Settings, app: Any = None, *, headers: dict[str, str], method: str = "GET", body: int = 0, query: str = ""
) -> list[Any]:
    """What the guard sends."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b"x" * body, "more_body": True}

    given = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": method, "path": "/", "query_string": query.encode(), "headers": given}
    asyncio.run(Guard(app, settings)(scope, receive, send))
    return sent


@pytest.mark.parametrize(
    ("own", "host", "status"),
    [
        ("127.0.0.1", "127.0.0.1:8421", OWN),
        ("127.0.0.1", "LocalHost:8421", OWN),
        ("localhost", "[::1]:8421", OWN),
        ("127.0.0.1", "192.168.0.9:8421", FOREIGN),
        ("::1", "192.168.0.9:8421", FOREIGN),
        ("127.0.0.1", "0.0.0.0:8421", FOREIGN),
        ("127.0.0.1", "localhost:8422", FOREIGN),
        ("127.0.0.1", "localhost", FOREIGN),
        ("0.0.0.0", "192.168.0.9:8421", OWN),
        ("0.0.0.0", "[fe80::1]:8421", OWN),
        ("0.0.0.0", "localhost:8421", OWN),
        ("0.0.0.0", "192.168.0.9:80", FOREIGN),
        ("0.0.0.0", "evil.example:8421", FOREIGN),
        ("0.0.0.0", "192.168.0.9.evil.example:8421", FOREIGN),
        ("box.example", "Box.Example:8421", OWN),
        ("box.example", "10.0.0.1:8421", OWN),
        ("box.example", "evil.box.example:8421", FOREIGN),
        ("box.example", "box.example", FOREIGN),
        ("192.168.0.9", "192.168.0.9:8421", OWN),
        ("192.168.0.9", "", FOREIGN),
    ],
)
def test_names_of_the_server(own: str, host: str, status: int) -> None:
    start, _ = asked(Settings(host=own, token="secret"), headers={"host": host})
    assert start["status"] == status


def test_a_refusal_gives_its_length() -> None:
    start, body = asked(Settings(token="secret"), headers={"host": "127.0.0.1:8421"})
    assert dict(start["headers"])[b"content-length"] == str(len(body["body"])).encode()


def test_a_browser_leaves_out_the_usual_port() -> None:
    for host, status in (("127.0.0.1", OWN), ("[::1]", OWN), ("::1", OWN), ("127.0.0.1:8421", FOREIGN)):
        start, _ = asked(Settings(port=80, token="secret"), headers={"host": host})
        assert start["status"] == status, host


SMALL = Settings(token="secret", megabytes=0.001)
FORM = {"host": "127.0.0.1:8421", "origin": "http://127.0.0.1:8421", "cookie": "bakeoff-8421=secret"}


async def reading(scope: Any, receive: Any, send: Any) -> None:
    for _ in range(2):
        await receive()
    await send({"type": "http.response.start", "status": 200})


async def answering_first(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200})
    await receive()


def test_a_body_that_is_too_long_is_refused() -> None:
    start, body = asked(SMALL, reading, headers=FORM, method="POST", body=1000 + BESIDE)
    assert start["status"] == 413
    assert body["body"] == b"This file is larger than 0.001 MB, the limit of this page.\n"


def test_a_body_as_long_as_allowed_is_read() -> None:
    (start,) = asked(SMALL, reading, headers=FORM, method="POST", body=(1000 + BESIDE) // 2)
    assert start["status"] == 200


def test_an_answer_that_has_begun_is_not_begun_again() -> None:
    (start,) = asked(SMALL, answering_first, headers=FORM, method="POST", body=1001 + BESIDE)
    assert start["status"] == 200


def test_the_token_becomes_a_cookie_and_the_rest_of_the_address_stays() -> None:
    start, body = asked(SMALL, headers={"host": "127.0.0.1:8421"}, query="a=&token=secret&b=1+2&a=x")
    found = dict(start["headers"])
    assert (start["status"], body["body"]) == (303, b"")
    assert found[b"location"] == b"/?a=&b=1+2&a=x"
    assert found[b"set-cookie"] == b"bakeoff-8421=secret; Path=/; HttpOnly; SameSite=Strict"


def test_what_is_no_request_over_http_gets_no_answer() -> None:
    """A web socket; but what starts and ends the application passes, without a Host or a token."""
    passed: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        passed.append(scope["type"])

    for kind in ("websocket", "lifespan"):
        asyncio.run(Guard(app, SMALL)({"type": kind}, None, None))  # type: ignore[arg-type]
    assert passed == ["lifespan"]
