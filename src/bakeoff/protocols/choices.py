"""What a protocol of a command fixes: the parameters of its analysis, and what the table must be."""

from __future__ import annotations

from bakeoff.analyses import all_analyses, of_command
from bakeoff.parameter import Parameter

DIRECTIONS = ("lower", "higher")
MISSING = ("raise", "drop", "drop-unrun", "worst", "available", "keep", "bounds")
TABLE = {
    "better": 'Which scores are good: lower or higher; of several metrics a table, {seconds = "lower"}.',
    "algorithms": 'Their names, or {at_least = 3}, or "any".',
    "problems": 'Their names, a number, {at_least = 25}, {file = "names.txt"} (a name per line), or "any".',
    "missing": "Missing scores: raise, drop, worst, available, keep or bounds.",
}
"""What is said of the table of scores."""
TEXTS = {"question": "What the analysis is to answer.", "stop": "How the number of problems was chosen; when to stop."}
"""What is kept word for word and held against nothing."""
OF_FILES = ("context", "missing")  # parameters that say what the files were


def planned_commands() -> tuple[str, ...]:
    """Those that take a protocol."""
    return tuple(record.command for record in all_analyses() if record.planned)


def planned_parameters(command: str) -> tuple[Parameter, ...]:
    """Those that decide, by the record of the command's analysis."""
    return tuple(each for each in of_command(command).parameters if each.name not in OF_FILES)


def default(parameter: Parameter) -> object:
    """As a protocol writes it: "default" for what a word stands for, "none" for nothing."""
    if isinstance(parameter.default, tuple):
        return list(parameter.default)
    if parameter.default is None or (parameter.usual and parameter.type is bool):
        return "default" if parameter.usual or (parameter.choices and parameter.repeatable) else "none"
    return parameter.default


def is_default(parameter: Parameter, value: object) -> bool:
    """Is nothing chosen by this word? Of a correction, "none" is a choice."""
    return value is None or value == "default" or (value == "none" and "none" not in parameter.choices)
