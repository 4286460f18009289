"""A real Firefox without a driver beside it: its own protocol, Marionette, is JSON over a socket."""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from browser.browsing import SHOTS
from waiting import PATIENCE, wait_until

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
PREFERENCES = {
    "marionette.port": 0,  # a free one, which it writes into its profile
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.normandy.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
}
COMPLAINTS = """const said = Services.console.getMessageArray().filter((one) => one instanceof Ci.nsIScriptError);
Services.console.reset();
const ofPages = said.filter((one) => one.sourceName.startsWith("file:"));
return ofPages.map((one) => `${one.sourceName}: ${one.errorMessage}`);"""


class Firefox:
    """One window. ``evaluate`` is that of a page of Playwright, so that a test can ask either browser."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self._file = self._socket.makefile("rb")
        self._number = 0
        self._read()  # a greeting
        self.told("WebDriver:NewSession", capabilities={"alwaysMatch": {"timeouts": {"script": int(1000 * PATIENCE)}}})

    def _read(self) -> Any:
        """One message: its length, a colon, JSON."""
        digits = b""
        while (sign := self._file.read(1)) != b":":
            assert sign, "Firefox has ended"
            digits += sign
        return json.loads(self._file.read(int(digits)))

    def told(self, command: str, **parameters: Any) -> Any:
        """What Firefox answers to a command."""
        self._number += 1
        message = json.dumps([0, self._number, command, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _, number, error, result = self._read()
        assert number == self._number
        assert error is None, f"{command}: {error}"
        return result["value"] if isinstance(result, dict) and set(result) == {"value"} else result

    def close(self) -> None:
        """Hang up."""
        self._file.close()
        self._socket.close()

    def goto(self, address: str) -> None:
        self.told("WebDriver:Navigate", url=address)

    def evaluate(self, script: str, argument: Any = None, /) -> Any:
        """The value of an expression, or of a function of one argument; a promise is waited for."""
        text = f"const it = ({script}); return typeof it === 'function' ? it(arguments[0]) : it;"
        return self.told("WebDriver:ExecuteScript", script=text, args=[argument], sandbox=None)

    def in_browser(self, script: str) -> Any:
        """What a script of the browser itself returns, which may look at its console and its network."""
        self.told("Marionette:SetContext", value="chrome")
        try:
            return self.told("WebDriver:ExecuteScript", script=script, args=[], sandbox="system")
        finally:
            self.told("Marionette:SetContext", value="content")

    def complaints(self) -> list[str]:
        """Errors and warnings of pages from the disk, broken policies among them; they are forgotten."""
        return list(self.in_browser(COMPLAINTS))

    def press(self, *keys: str) -> None:
        """Keys of the keyboard, where the focus is."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.told("WebDriver:PerformActions", actions=[{"type": "key", "id": "keys", "actions": actions}])

    def narrow(self, width: int) -> None:
        """The width of the page; a window of Firefox is at least 500 pixels wide."""
        self.in_browser(f"window.gBrowser.selectedBrowser.style.maxWidth = '{width}px';")
        wait_until(lambda: self.evaluate("window.innerWidth") == width)

    def shot(self, name: str) -> None:
        """A picture of the whole page, if anybody wants to look."""
        if SHOTS:
            Path(SHOTS).mkdir(parents=True, exist_ok=True)
            picture = self.told("WebDriver:TakeScreenshot", full=True)
            (Path(SHOTS) / f"{name}.png").write_bytes(base64.b64decode(picture))


@contextmanager
def firefox(profile: Path) -> Iterator[Firefox]:
    """A Firefox with a new profile and without a network."""
    profile.mkdir(parents=True)
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items()]
    (profile / "user.js").write_text("".join(lines), encoding="utf-8")
    command = [str(FIREFOX), "--headless", "--no-remote", "--offline", "--marionette", "--remote-allow-system-access"]
    environment = {**os.environ, "HOME": str(profile)}
    with subprocess.Popen(
        [*command, "--profile", str(profile)],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        port = profile / "MarionetteActivePort"
        try:
            wait_until(lambda: process.poll() is not None or (port.exists() and port.read_text()))
            assert process.poll() is None, f"Firefox ended with {process.returncode}"
            window = Firefox(int(port.read_text()))
            yield window
            window.close()
        finally:
            os.killpg(process.pid, signal.SIGKILL)
