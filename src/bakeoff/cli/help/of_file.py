"""``bakeoff FILE``: what the file is, and the commands to type."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bakeoff.cli.sources import format_of, scores_from
from bakeoff.cli.stores import is_store
from bakeoff.errors import plain
from bakeoff.report.sections import read_line
from bakeoff.scores.named_direction import named_direction
from bakeoff.wing import provided

if TYPE_CHECKING:
    from bakeoff.scores import Scores

Typed = tuple[tuple[str, ...], str]
"""A command, and what it answers."""
_GOOD = {"lower": "errors, costs, times", "higher": "accuracies, rewards"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstCommands:
    """What a file is, in a sentence, and what to type, each with what it answers; the likeliest first."""

    file: str
    what: str
    commands: tuple[Typed, ...]

    @property
    def likeliest(self) -> tuple[str, ...]:
        return self.commands[0][0]

    def __str__(self) -> str:
        typed = [(shlex.join(("bakeoff", *words)), answers) for words, answers in self.commands]
        widest = max(len(words) for words, _ in typed)
        lines = [f"  {words.ljust(widest)}  {answers}".rstrip() for words, answers in typed]
        return "\n".join([f"{plain(self.file)}: {self.what}.", "", "Type", *lines])


def what_to_type(file: str) -> FirstCommands:
    """Of a file or folder that exists; one that cannot be read is refused as by the command."""
    typed: tuple[str, tuple[Typed, ...]]
    if file.lower().endswith(".toml"):
        typed = "an experiment", ((("run", file), "run it, or resume it"),)
    elif is_store(file):
        typed = (
            "the runs of an experiment",
            ((("compare", file), "which algorithm is better?"), (("status", file), "how far is it?")),
        )
    elif _is_report(file):
        typed = "a report of bakeoff", ((("verify", file), "are its numbers right?"),)
    else:
        typed = _of_results(file) or _of_table(file)
    return FirstCommands(file=file, what=typed[0], commands=typed[1])


def _is_report(file: str) -> bool:
    if not os.path.isfile(file) or not file.lower().endswith((".json", ".html")):
        return False
    with open(file, "rb") as opened:
        head = opened.read(4096)
    return b'"bakeoff.' in head or b'content="bakeoff' in head


def _of_results(file: str) -> tuple[str, tuple[Typed, ...]] | None:
    """Of what another program wrote."""
    if format_of(file) is None:
        return None
    typed: tuple[str, tuple[Typed, ...]] = provided("formats").what_to_type(file)
    return typed


def _of_table(file: str) -> tuple[str, tuple[Typed, ...]]:
    """Of scores in rows and columns. Their direction changes nothing of what is read."""
    scores = scores_from(file, "higher", {"missing": "keep"})
    direction = named_direction(scores.metric)
    answers = _are_answers(scores)
    directions = [direction] if direction else ["higher", "lower"] if answers else ["lower", "higher"]
    command, reads = ("evaluate", "answers right or wrong: ") if answers else ("compare", "")
    return f"{reads}{read_line(scores)}", tuple(
        ((command, file, "--better", better), f"if {better} is better ({_GOOD[better]})") for better in directions
    )


def _are_answers(scores: Scores) -> bool:
    """Are all of them 0 or 1?"""
    values = scores.values if scores.runs is None else scores.runs
    return bool(np.isin(values[~np.isnan(values)], (0.0, 1.0)).all())
