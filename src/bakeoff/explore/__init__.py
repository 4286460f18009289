"""What the page of a report can do by itself: a second implementation of its statistics, run by the reader's browser.

The modules beside this file are plain JavaScript, written from the papers; ``docs/generate/explore.py`` joins and
shortens them.
"""

import hashlib
from base64 import b64encode
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent


@cache
def page_script() -> str:
    """What a page carries, between the tags."""
    return (HERE / "report.min.js").read_text(encoding="utf-8")


@cache
def style() -> str:
    """The rules for what the script adds to a page."""
    return (HERE / "panel.css").read_text(encoding="utf-8")


@cache
def policy() -> str:
    """The source by which a content security policy allows the script, and no other."""
    return f"'sha256-{b64encode(hashlib.sha256(page_script().encode()).digest()).decode()}'"
