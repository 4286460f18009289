"""The script that the page of a report carries: it checks the numbers, shows tables, and answers "what if".

Built files. Their sources are the modules in ``wings/page/script``; ``docs/generate/explore.py`` joins and shortens
them: ``report.min.js`` for comparisons, ``others.min.js`` for all other kinds. ``checker.sha256`` is the hash of
``checker.html``, which knows both scripts by theirs: a report names it beside its script, not in it.
"""

import hashlib
from base64 import b64encode
from functools import cache
from pathlib import Path

from bakeoff.dataclass import dataclass

HERE = Path(__file__).parent
_COMPARISON = '{"schema":"bakeoff.compare/'


@dataclass(frozen=True, slots=True)
class PageScript:
    """Script and style of a page, between the tags."""

    text: str
    style: str  # the rules for what the script adds to a page
    checker: str  # the SHA-256 of checker.html, the same script as a page of its own

    @property
    def policy(self) -> str:
        """The source by which a content security policy allows the script, and no other."""
        return f"'sha256-{b64encode(hashlib.sha256(self.text.encode()).digest()).decode()}'"


def script_for(data: str) -> PageScript:
    """The script for a page with this JSON."""
    return _script("report" if data.startswith(_COMPARISON) else "others")


@cache
def _script(name: str) -> PageScript:
    files = (f"{name}.min.js", "panel.css", "checker.sha256")
    text, style, checker = ((HERE / file).read_text(encoding="utf-8") for file in files)
    return PageScript(text, style, checker.strip())
