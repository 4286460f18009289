"""Advice on what to type: after a usage error, and for ``bakeoff FILE``."""

from __future__ import annotations

import os
import re
import shlex
from typing import TYPE_CHECKING

import click
import numpy as np

from bakeoff.dataclass import dataclass
from bakeoff.errors import plain
from bakeoff.inputs import format_of, is_store, scores_from
from bakeoff.report.sections import read_line
from bakeoff.shipped import shipped
from bakeoff.wing import provided
from bakeoff.words import named_direction

if TYPE_CHECKING:
    from bakeoff.scores import Scores

# Usage errors that end with what would work: options by other names, names without quotes, several files.

# options of other programs -> what it is called here
_INSTEAD = {
    **dict.fromkeys(("--higher", "--max", "--maximize", "--maximise", "--higher-is-better"), "--better higher"),
    **dict.fromkeys(("--lower", "--min", "--minimize", "--minimise", "--lower-is-better"), "--better lower"),
    **dict.fromkeys(("--baseline", "--reference", "--ref", "--against"), "--control NAME"),
    **dict.fromkeys(("--test", "--method"), "--pairwise NAME"),
    **dict.fromkeys(("--correction", "--correct", "--adjust", "--post-hoc"), "--posthoc NAME"),
    **dict.fromkeys(("--output", "--out", "-o", "--save", "--html"), "--report report.html"),
    **dict.fromkeys(("--pdf", "--plot", "--figure", "--diagram"), "--report diagram.pdf"),
    **dict.fromkeys(("--latex", "--tex"), "--report report.tex"),
    **dict.fromkeys(("--significance", "--level", "--significance-level"), "--alpha X"),
    **dict.fromkeys(("--exclude", "--ignore", "--skip", "--remove"), "--drop NAME"),
    **dict.fromkeys(("--include", "--select", "--algorithms"), "--only NAME"),
    **dict.fromkeys(("--na", "--nan"), "--missing drop"),
    **dict.fromkeys(("--jobs", "--threads", "-j", "-n"), "--workers N"),
    "--width": "--look width=N",
    "--highlight": "--look highlight=NAME",
    "--width-mm": "--look width-mm=N",
    "--no-caption": "--look caption=no",
    "--no-script": "--look script=no",
    **dict.fromkeys(("--force", "--overwrite", "--restart", "--reset"), "--fresh"),
}
_INSTEAD_IN = {
    ("serve", "--max-mb"): "say --limit mb=N",
    ("serve", "--uploads"): "say --limit uploads=N",
    ("serve", "--seconds"): "say --limit seconds=N",
    ("cite", "--recipe"): "say bakeoff cite NAME",
    ("export", "--attempts"): "say bakeoff export RUNS.sqlite attempts -o PATH",
    **dict.fromkeys((("compare", name) for name in ("--rope", "--prior", "--gamma")), "it belongs to bakeoff bayes"),
}
"""Advice for an option that a command had, or that another command has."""
_GONE = {
    "--call": "reports call algorithms and problems as the heads of the table do (model, solver, dataset, question …)",
    "--sensitivity": "it is bakeoff sensitivity FILE; bakeoff report A.json B.json -o FILE joins several results",
    "--leaderboard": "it is bakeoff leaderboard FILE; bakeoff report A.json B.json -o FILE joins several results",
}
_NOT_A_NUMBER = re.compile(r"'(.*)' is not a valid (float|integer)")


def explained(error: click.UsageError) -> str:
    """The message, with the command or option that would work where it can be told."""
    if isinstance(error, click.NoSuchOption):
        return _no_such_option(error)
    if isinstance(error, click.BadParameter) and error.param is not None:
        match = _NOT_A_NUMBER.search(error.message)
        if match:
            kind = "a whole number" if match[2] == "integer" else "a number"
            name = error.param.opts[0]
            parts = match[1].split(",")
            if isinstance(error.param, click.Option) and error.param.multiple and len(parts) > 1:
                each = " ".join(f"{name} {part.strip()}" for part in parts)
                return f"{name} must be {kind}, once for each; got {match[1]!r}: say {each}"
            return f"{name} must be {kind}; got {match[1]!r}{_meant(match[1])}"
    if error.message.startswith("Got unexpected extra argument"):
        return _extra(error) or error.format_message()
    return error.format_message()


def _no_such_option(error: click.NoSuchOption) -> str:
    name = error.option_name
    known = {option for param in error.ctx.command.params for option in param.opts} if error.ctx else set()
    command = str(error.ctx.info_name) if error.ctx else ""
    instead = _INSTEAD.get(name, "")
    known_here = f"say {instead}" if instead.split(" ")[0] in known else ""
    advice = _INSTEAD_IN.get((command, name)) or known_here or _GONE.get(name)
    return f"there is no option {name}: {advice}" if advice else error.format_message()


def _meant(text: str) -> str:
    """``: 5 % is 0.05``; ``: did you mean 0.05?``."""
    percent = re.fullmatch(r"(\d+(?:\.\d+)?)\s*%", text)
    if percent:
        return f": {percent[1]} % is {float(percent[1]) / 100:g}"
    return f": did you mean {text.replace(',', '.')}?" if re.fullmatch(r"\d*,\d+", text) else ""


def _extra(error: click.UsageError) -> str:
    """Explain a second file, or a name with spaces that stands without quotes."""
    command = error.ctx.obj.get("command", "") if error.ctx is not None and isinstance(error.ctx.obj, dict) else ""
    args = shlex.split(command)
    extra = re.findall(r"\((.*)\)", error.message)[-1:]
    for i, word in enumerate(args):
        if not extra or word != extra[0].split(" ")[0] or i < 2:
            continue
        if not args[i - 1].startswith("-") and args[i - 2].startswith("--"):
            whole = shlex.quote(f"{args[i - 1]} {extra[0]}")
            return f"a name with spaces needs quotes: {args[i - 2]} {whole}"
        if os.path.exists(word):
            return (
                f"one table at a time: {word!r} is a second file. Put all algorithms into one table, a column each, or "
                "a row per score with the columns problem, algorithm, score"
            )
    return ""


# ``bakeoff FILE``: what the file is, and the commands to type.

Typed = tuple[tuple[str, ...], str]
"""A command, and what it answers."""
_GOOD = {"lower": "errors, costs, times", "higher": "accuracies, rewards"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstCommands:
    """A sentence about a file, and commands to type, each with what it answers; the likeliest first."""

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
    """Advise on a file or folder that exists; one that cannot be read is refused as by the command."""
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
    """Advise on what another program wrote."""
    if format_of(file) is None:
        return None
    typed: tuple[str, tuple[Typed, ...]] = provided("formats").what_to_type(file)
    return typed


def _of_table(file: str) -> tuple[str, tuple[Typed, ...]]:
    """Advise on scores in rows and columns. Their direction changes nothing of what is read."""
    known = shipped(file)
    scores = scores_from(file, known.better if known else "higher", {"missing": "keep"})
    direction = known.better if known else named_direction(scores.metric)
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
