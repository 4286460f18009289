"""``bakeoff serve``: the reports as a local page; ``bakeoff try``: a page that needs no server."""

from __future__ import annotations

import contextlib
import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bakeoff.cli.options import Command
from bakeoff.cli.terminal import note
from bakeoff.errors import ParameterError
from bakeoff.files import write_bytes
from bakeoff.inputs import is_store
from bakeoff.shipped import nearby_names, shipped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bakeoff.wings.page.app_state import AppState
    from bakeoff.wings.page.settings import Settings

_ADVICE = (
    "bakeoff serve needs the packages of the extra web: pip install starlette uvicorn python-multipart; in a clone of "
    "the repository: pip install '.[web]'"
)
PORT = 8421
TRY = Path(__file__).parent / "script" / "try.html"
_LIMITS: dict[str, tuple[str, type[int] | type[float]]] = {
    "mb": ("megabytes", float),
    "uploads": ("uploads", int),
    "seconds": ("seconds", float),
}
"""The setting of each key of --limit, and the type of its value."""


def _limits(ctx: click.Context, _: click.Parameter, words: tuple[str, ...]) -> dict[str, Any]:
    """Return the settings that --limit gives."""
    limits: dict[str, Any] = {}
    for word in words:
        key, value = (*word.split("=", 1), "")[:2]
        if key not in _LIMITS:
            raise click.UsageError(f"--limit has no key {key!r}. The keys are {', '.join(_LIMITS)}", ctx)
        name, number = _LIMITS[key]
        try:
            limits[name] = number(value)
        except ValueError:
            what = "a whole number" if number is int else "a number"
            raise click.UsageError(f"--limit {key} must be {what}: --limit {key}=N; got {value!r}", ctx) from None
    return limits


@click.command(name="serve", cls=Command)
@click.argument("file", required=False, metavar="[FILE|STORE]")
@click.option(
    "--better", type=click.Choice(["lower", "higher"]), help="Which scores of FILE are good. Default: the page asks."
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    help=f"Port. Default: {PORT}, or a free one; 0: any free port.",
)
@click.option("--host", default="127.0.0.1", show_default=True, metavar="NAME", help="Address to listen on.")
@click.option("--open/--no-open", "browser", default=None, help="Open a browser. Default: on a terminal with a screen.")
@click.option(
    "--limit",
    "limits",
    metavar="KEY=VALUE",
    multiple=True,
    callback=_limits,
    help="mb=N: largest upload in megabytes (default: 32). seconds=N: longest computation (60). uploads=N: files kept "
    "at once; the oldest is deleted (50). Repeatable.",
)
def command(
    file: str | None, better: str | None, port: int | None, host: str, browser: bool | None, limits: dict[str, Any]
) -> None:
    """Compare in the browser: choose a table, then the options; every choice is in the address.

    Without FILE the page begins with a shipped example. FILE is a table, or what another program wrote; STORE is a
    store of runs (.sqlite) whose experiment or race is shown as it goes on. The page is for this machine alone, and
    for whoever has the address with its token. Uploads are kept in a private temporary file until the server ends
    (Ctrl-C).

    \b
    bakeoff serve
    bakeoff serve results.csv --port 8000
    """
    from bakeoff.packages import optional

    for name in ("starlette", "uvicorn", "python_multipart"):
        optional(name, _ADVICE)
    from bakeoff.wings.page.settings import LOOPBACK, Settings

    if (table := shipped(file)) is not None:
        file, better = table.path, table.better
    if file is not None and not Path(file).is_file():
        raise ParameterError(f"cannot read {file!r}: there is no such file{nearby_names(file)}")
    listening = _listen(host, port)
    with listening:
        store = Path(file) if file is not None and is_store(file) else None
        settings = Settings(host=host, port=listening.getsockname()[1], store=store, **limits)
        if host not in LOOPBACK:
            note(
                f"Warning: {host} can be reached from other machines. The connection is not encrypted: anyone who "
                "reads it, or has the address below, can see and upload tables."
            )
        _serve(settings, listening, file if store is None else None, better, browser)


def _listen(host: str, port: int | None) -> socket.socket:
    """A socket; the usual port may be taken, then a free one."""
    try:
        return _bound(host, PORT if port is None else port)
    except OSError as error:
        if port is None and error.errno is not None and host:
            with contextlib.suppress(OSError):
                return _bound(host, 0)
        what = f"port {port} of {host}" if port else host
        raise ParameterError(
            f"cannot listen on {what} ({error.strerror or error}); is another server running there? Pass --port 0 for "
            "a free one"
        ) from None


def _bound(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    bound = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(place)
        bound.listen(128)
    except OSError:
        bound.close()
        raise
    return bound


def _serve(
    settings: Settings, listening: socket.socket, file: str | None, better: str | None, browser: bool | None
) -> None:
    import asyncio

    import uvicorn

    from bakeoff.wings.page.application import app, rehearse

    with _app_state(settings) as app_state:
        if file is not None:
            app_state.open(Path(file), better)
        application = app(settings, app_state)
        app_state.warm_up()
        with contextlib.suppress(Exception):  # said to whoever asks for the page
            asyncio.run(rehearse(application, settings))
        address = f"{settings.address}?token={settings.token}"
        click.echo(f"bakeoff serve: {address}\nCtrl-C ends it and deletes the uploads.")
        if browser or (browser is None and _has_screen()):
            import webbrowser

            webbrowser.open(address)
        config = uvicorn.Config(
            application,
            log_level="error",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=1,
            lifespan="on",
            ws="none",
            proxy_headers=False,
        )
        with contextlib.suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listening])


@contextlib.contextmanager
def _app_state(settings: Settings) -> Iterator[AppState]:
    """Closed on every way out: Ctrl-C and SIGTERM too."""
    import signal

    from bakeoff.wings.page.app_state import AppState

    def ended(number: int, frame: object) -> None:
        raise SystemExit(128 + number)

    signals = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.signal(number, ended) for number in signals}
    app_state = AppState(settings)
    try:
        yield app_state
    finally:
        app_state.close()
        for number, handler in before.items():
            signal.signal(number, handler)


def _has_screen() -> bool:
    import sys

    seen = (
        os.name == "nt"
        or sys.platform == "darwin"
        or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    )
    return seen and sys.stdout.isatty() and not os.environ.get("CI")


@click.command(name="try", cls=Command)
@click.option("--write", metavar="FILE", help="Copy the page to FILE instead: to keep, to send, to serve.")
def try_page(write: str | None) -> None:
    """Compare a table in any browser: one page, without a server, an installation or a network.

    The page answers a plain table, a column of problems and one for each algorithm, as bakeoff compare does. It
    leaves every other table to the command, and gives it. Nothing is uploaded.

    \b
    bakeoff try
    bakeoff try --write try.html
    """
    if write is not None:
        if Path(write).suffix.lower() not in (".html", ".htm"):
            raise ParameterError(f"must end in .html; got {write!r}", parameter="write")
        write_bytes(Path(write), TRY.read_bytes())
        click.echo(f"Written: {write}")
        return
    click.echo(f"bakeoff try: {TRY.as_uri()}")
    import webbrowser

    if not webbrowser.open(TRY.as_uri()):
        click.echo("No browser was found. Open this address in one, or copy the page: bakeoff try --write try.html")
