"""Photograph the first screens of a report for the README and the page on the first report.

    python docs/generate/report_picture.py            writes docs/figures/report.png (needs Chromium and playwright)
    python docs/generate/report_picture.py --check    exits 1 if the report no longer is the one in the picture

Pixels differ between browsers, so the check is of what was photographed: the picture keeps a checksum of its HTML.
"""

from __future__ import annotations

import hashlib
import io
import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image, PngImagePlugin

import bakeoff as bo

PICTURE = Path(__file__).resolve().parents[1] / "figures" / "report.png"
WIDTH, COLOURS = 1180, 32
AFTER = "<h2>Do the algorithms differ at all?"
"""Where the picture ends; what follows names versions."""


def page() -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        bo.compare(bo.datasets.load("derrac_cec2005"), control="SaDE").save(path)
        return path.read_text(encoding="utf-8")


def checksum(html: str) -> str:
    return hashlib.sha256(html.partition(AFTER)[0].encode()).hexdigest()


def photographed(html: str) -> bytes:
    """The top of the page, down to the pairs, in few colours."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": WIDTH, "height": 900}, color_scheme="light")
        tab.set_content(html)
        end = tab.get_by_role("heading", name="Do the algorithms differ at all?").bounding_box()
        assert end is not None
        clip = {"x": 0, "y": 0, "width": WIDTH, "height": int(end["y"]) - 16}
        shot = tab.screenshot(full_page=True, clip=clip)  # type: ignore[arg-type]
        browser.close()
    image = Image.open(io.BytesIO(shot)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    kept = PngImagePlugin.PngInfo()
    kept.add_text("Source-SHA256", checksum(html))
    data = io.BytesIO()
    image.save(data, "PNG", optimize=True, pnginfo=kept)
    return data.getvalue()


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        sys.stderr.write("usage: python docs/generate/report_picture.py [--check]\n")
        return 2
    html = page()
    if arguments:
        current = PICTURE.exists() and Image.open(PICTURE).info.get("Source-SHA256") == checksum(html)
        if not current:
            sys.stderr.write("report.png is not current: run python docs/generate/report_picture.py\n")
        return 0 if current else 1
    PICTURE.write_bytes(photographed(html))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
