"""Sentences that program and page both write: ``sentences.json`` has each once, and both fill it.

``docs/generate/explore.py`` puts them into the script of a report.
"""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

SHARED = Path(__file__).with_suffix(".json")


@cache
def templates(file: Path = SHARED) -> dict[str, str]:
    """Every sentence by its name, with the names of what it leaves open in braces."""
    read: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return read


def filler(module: str) -> Callable[..., str]:
    """Return what :func:`fill` is for the sentences of the module of this file, which stand in JSON beside it."""
    own = Path(module).with_suffix(".json")

    def say(template: str, /, **values: object) -> str:
        return templates(own)[template].format(**values)

    return say


def fill(template: str, /, **values: object) -> str:
    """The sentence of this name about these values.

    Examples
    --------
    >>> fill("others.named", names="A and B", n=2, m=5)
    'A and B (2 of 5)'
    """
    return templates()[template].format(**values)
