"""A real Chromium, and a running ``bakeoff serve`` to point it at."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from waiting import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SHOTS = os.environ.get("BAKEOFF_SCREENSHOTS", "")
"""A folder for pictures of what the tests see; none are taken without it."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """One browser, to be shared by the tests of a file; its loop must end with them."""
    from playwright.sync_api import sync_playwright

    options = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=options)
        try:
            yield browser
        finally:
            browser.close()


class Served:
    """A server in a process of its own. ``address`` holds the token."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process, self.address = process, address
        self.bare = address.partition("?")[0].rstrip("/")


@contextmanager
def served(*arguments: str, cwd: Path | None = None, env: dict[str, str] | None = None) -> Iterator[Served]:
    """``bakeoff serve`` on a free port, until the end of the block; it ends by itself as after Ctrl-C."""
    command = [sys.executable, "-m", "bakeoff", "serve", *arguments, "--port", "0", "--no-open"]
    with subprocess.Popen(
        command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found is not None, process.stderr and process.stderr.read()
            yield Served(process, found[0])
        finally:
            process.terminate()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()


class Tab:
    """A page that knows the server, and what it complained of."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.context, self.complaints, self.elsewhere = context, list[str](), list[str]()
        self.bare = address.partition("?")[0].rstrip("/")
        self.page: Page = context.new_page()
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._asked)
        self.page.goto(address)

    def _said(self, message: Any) -> None:
        if message.type in ("error", "warning") and "status of 4" not in message.text:
            self.complaints.append(message.text)

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((self.bare, "data:", "blob:", "about:")):
            self.elsewhere.append(request.url)

    def shot(self, name: str, whole: bool = True) -> None:
        """A picture, if anybody wants to look."""
        if SHOTS:
            Path(SHOTS).mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=Path(SHOTS) / f"{name}.png", full_page=whole)

    def width(self) -> int:
        """How wide the page is, with whatever sticks out of the screen."""
        return int(self.page.evaluate("document.documentElement.scrollWidth"))


@contextmanager
def tab(browser: Browser, address: str, **options: Any) -> Iterator[Tab]:
    """A user of their own, as far as cookies go: a page at ``address`` that must not complain of anything."""
    context = browser.new_context(**options)
    context.set_default_timeout(1000 * PATIENCE)
    try:
        made = Tab(context, address)
        yield made
        assert made.complaints == []
        assert made.elsewhere == [], "a request to another host"
    finally:
        context.close()
