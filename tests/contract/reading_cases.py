"""What the tests of reading share: a table in both layouts, and how to read or refuse text."""

from __future__ import annotations

import io
import re
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ScoreError

INF = float("inf")
WIDE = "problem,A,B\nP1,1,2\nP2,3,5\n"
LONG = "problem,algorithm,score\nP1,A,1\nP1,B,2\nP2,A,3\nP2,B,5\n"

PROGRAMS = re.compile(
    r"(?<![\w'-])(?:(?:awk|csplit|iconv|perl)\b|(?:sed|tr|tail|head|cut|python3?) (?:-|['\"{]))|> new\."
)
"""A program of a Unix shell that is called: advice is an option of bakeoff, or a sentence."""


def read(text: str | bytes, better: Any = "lower", **options: Any) -> bo.Scores:
    return bo.read_scores(io.BytesIO(text.encode() if isinstance(text, str) else text), better, **options)


def refused(text: str | bytes, **options: Any) -> str:
    """The message that a text is refused with; it fits on one line of a terminal log."""
    with pytest.raises(ScoreError) as caught:
        read(text, **options)
    message = str(caught.value)
    assert "\n" not in message
    assert not PROGRAMS.search(message)
    return message


def content(scores: bo.Scores) -> tuple[Any, ...]:
    runs = None if scores.runs is None else np.nan_to_num(scores.runs, nan=1e99).tolist()
    return scores.values.tolist(), scores.algorithms, scores.problems, scores.better, runs, scores.n_runs.tolist()


EXPECTED = content(bo.Scores([[1, 2], [3, 5]], ["A", "B"], ["P1", "P2"], better="lower"))
