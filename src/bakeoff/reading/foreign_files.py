"""Does a file that is no table look like what another program wrote? Asked only when it could not be read."""

import json
import os
import re
from collections.abc import Mapping
from typing import Any

from bakeoff.words import read_words

HEAD = 1 << 16


def is_of_results(message: str) -> bool:
    """Does a hint say that ``bo.read_results`` may read the file?"""
    return bool(message == read_words("programs.toml")["results"]["says"])


def hint(source: Any, of_header: bool = False) -> str:
    """Where to go with such a file; nothing where it looks like a table. ``of_header``: by its first lines alone."""
    if not isinstance(source, str | os.PathLike):
        return ""
    try:
        with open(source, "rb") as file:
            head = b"".join(file.readline(HEAD) for _ in range(4)) if of_header else file.read(HEAD)
    except (OSError, ValueError):
        return ""
    programs = read_words("programs.toml")
    known, results = programs["known"], programs["results"]
    if head.startswith(b"SQLite format 3"):
        return str(results["says"])
    if head.startswith(b"PK\x03\x04"):
        is_result = any(name in head for name in (b"summaries.json", b"_journal/", b"header.json"))
        return str(results["says"]) if is_result else ""
    text = head.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    if program := next((each for each in known if re.search(each["mark"], text) and _fits(each, text)), None):
        return str(program["says"])
    if of_header and text[:1] in ("{", "[") and not re.search(r"[:,]\s*[\[{]", text.partition("}")[0]):
        return ""  # flat records are a table
    mark = results["json" if text[:1] in ("{", "[") else "text"].replace("\n", "")
    return str(results["says"]) if re.search(mark, text, re.MULTILINE) else ""


def _fits(program: Mapping[str, Any], text: str) -> bool:
    """Is what begins like an object of objects nothing else? Of a long file its beginning decides."""
    if "objects" not in program or len(text) > HEAD // 2:
        return True
    try:
        return all(isinstance(each, dict) for each in json.loads(text).values())
    except ValueError:
        return False
