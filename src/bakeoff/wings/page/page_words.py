"""Advice in the words of the page's form: “Sheet: Scores”, where a shell says ``--sheet Scores``."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from bakeoff.analyses import by_function, of_command
from bakeoff.cli.analyses import made_command
from bakeoff.cli.options import in_option_words
from bakeoff.report.document import Block, Document, Points, Section
from bakeoff.wings.page.views import VIEWS
from bakeoff.wings.page.views.view import FormField

_OPTION = re.compile(r"--(?:read )?([a-z][a-z-]*)(?:[ =]('[^']*'|[^\s'“”,;:()?]+))?")
_ARGUMENT = re.compile(r"\w=|\bbo\.|scores\.select")
_CALL = re.compile(r"(?<![\w.])(?:bo\.)?([a-z_]+)\(([a-z_]+=[^()]*)\)")
_FUNCTION = re.compile(r"\bbo\.(?:\w+\.)*\w+\b(?!\()")
_OTHERS = re.compile(r"\b([a-z_]+)=(['\"])((?:(?!\2).)*)\2")  # arguments that this command has not
_SENTENCE = re.compile(
    "a|allows|also|and|another|are|as|at|be|both|but|by|can|cannot|chooses|counts|does|fewer|for|from|gives|has|if|in|is|"
    "it|leaves|may|means|more|must|names|needs|not|of|on|once|one|only|or|reads|says|takes|tells|than|that|the|then|to|"
    "twice|which|with|would"
)
"""What follows an option in a sentence and is no value of it."""


@cache
def _fields(command: str) -> dict[str, FormField]:
    """By the name of the option; those of ``command`` before those of other views."""
    views = sorted(VIEWS.values(), key=lambda view: view.name != command)
    fields: dict[str, FormField] = {}
    for each in (field for view in views for field in view.controls):
        for name in {each.name.replace("_", "-"), each.key or each.flag.removeprefix("--")}:
            fields.setdefault(name, each)
    return fields


def in_page_words(text: str, command: str) -> str:
    """``text`` with the labels of the form in place of options and of arguments of Python."""
    text = _FUNCTION.sub(_as_view, _CALL.sub(r"bo.\1 with \2", text))
    worded = in_option_words(text, made_command(of_command(command))) if _ARGUMENT.search(text) else text
    worded = _OTHERS.sub(lambda match: f"--{match[1].replace('_', '-')} '{match[3]}'", worded)

    def as_label(match: re.Match[str]) -> str:
        name, value = match[1], match[2]
        field, rest = _fields(command).get(name), ""
        if value is not None and (_SENTENCE.fullmatch(value) or (field is not None and field.is_flag)):
            value, rest = None, match[0][match.start(2) - match.start() - 1 :]
        if value is not None and value.endswith("."):
            value, rest = value[:-1], "."
        if value is not None and value.isupper():  # which stands for a value
            value = None
        if field is None:
            return f"“{name}” on the command line{rest}"
        offered = dict(field.offered({})) if value is not None else {}
        shown = "" if value is None else f": {offered.get(value.strip(_QUOTE), value.strip(_QUOTE))}"
        return f"“{field.label}{shown}”{rest}"

    return _OPTION.sub(as_label, worded).replace("” “", "”, “")


_QUOTE = "'"


def _as_view(function: re.Match[str]) -> str:
    """The title of the analysis that a function gives."""
    record = by_function().get(function[0])
    view = None if record is None else VIEWS.get(record.command)
    return function[0].rpartition(".")[2].replace("_", " ") if view is None else f"“{view.title}”"


def with_page_words(document: Document, command: str) -> Document:
    """The doubts, cautions and other sentences of a report."""
    doubts = None if document.doubts is None else _section(document.doubts, command)
    return replace(document, doubts=doubts, sections=tuple(_section(section, command) for section in document.sections))


def _section(section: Section, command: str) -> Section:
    return replace(section, blocks=tuple(_block(block, command) for block in section.blocks))


def _block(block: Block, command: str) -> Block:
    if isinstance(block, Points):
        items = [(term, in_page_words(text, command), tag) for term, text, tag in block.items]
        return replace(block, items=tuple(items))
    return block
