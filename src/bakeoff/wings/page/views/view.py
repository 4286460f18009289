"""An analysis as the page offers it: its choices, the command for a shell, and the line of Python that does the same.

The choices of a page are the parameters of the library, by name, in its address.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

from bakeoff.analyses import by_command
from bakeoff.dataclass import dataclass

Kind = Literal["text", "number", "flag", "flag off", "number or text"]
Facts = Mapping[str, Any]
"""The content of the table: ``algorithms``, ``problems``, ``columns``, …, as ``facts_of`` says."""
Values = Mapping[str, tuple[str, ...]]
"""The choices, by parameter; several values of those that may be repeated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormField:
    """One control of the form. ``name`` is the parameter of the library; ``option`` is that of the command line,
    whose value begins with ``key=`` if there is one.

    ``offered`` lists (value, text), of which the empty value is the default; without any it is typed.
    ``python``: text, number, or a flag (off: it makes the parameter False); ``each``: may be given several times.
    """

    name: str
    label: str
    option: str = ""
    key: str = ""
    offered: Callable[[Facts], Iterable[tuple[str, str]]] = lambda facts: ()
    python: Kind = "text"
    each: bool = False
    default: str = ""
    hint: str = ""
    example: str = ""
    shown: Callable[[Facts], bool] = lambda facts: True
    start: Callable[[Facts], str] | None = None  # what is chosen before anything is
    further: bool = False  # behind "More choices"
    as_list: bool = False

    @property
    def flag(self) -> str:
        return self.option or f"--{self.name.replace('_', '-')}"

    @property
    def is_flag(self) -> bool:
        return self.python.startswith("flag")

    def arguments(self, values: Sequence[str]) -> list[str]:
        """For the command line."""
        if self.is_flag:
            return [self.flag] if values else []
        return [part for value in values for part in (self.flag, f"{self.key}={value}" if self.key else value)]

    def source_text(self, values: Sequence[str]) -> str:
        """For Python."""
        if self.is_flag:
            return f"{self.name}={self.python == 'flag'}"
        literals = [self.literal(value) for value in values]
        many = self.each and (self.as_list or len(literals) > 1)
        return f"{self.name}=[{', '.join(literals)}]" if many else f"{self.name}={literals[0]}"

    def literal(self, value: str) -> str:
        """A value for Python."""
        if self.python.startswith("number"):
            try:
                number = float(value)
            except ValueError:
                return repr(value)
            return repr(int(value)) if value.strip().lstrip("+-").isdigit() else repr(number)
        return repr(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """``name`` is that of the command.

    ``refused`` says why a table cannot have it, ``lacking`` what must be chosen first; empty: nothing.
    """

    name: str
    title: str
    question: str
    choices: tuple[FormField, ...]
    refused: Callable[[Facts], str] = lambda facts: ""
    lacking: Callable[[Values], str] = lambda values: ""
    slow: bool = True
    directed: bool = True  # takes --better
    missing: str = ""  # the policy of the command itself
    keeps_holes: bool = False  # takes tables with missing scores
    beside: tuple[str, ...] = ()  # views whose verdicts load after this one's
    differs: str = ""  # why its verdict, beside another one, may be another
    of_table: bool = True  # takes FILE
    of_curves: bool = False  # takes a table with a row per budget, and no other
    reads: tuple[str, ...] | None = None  # choices of reading that the command takes; None: all of them
    spelled: Callable[[Values], list[str]] | None = None  # ``choices`` for the command line, if not one by one
    script: Callable[[str, Values, Facts], str] | None = None  # in place of one call of the library's function

    @property
    def controls(self) -> tuple[FormField, ...]:
        """All of the form."""
        taken = [choice for choice in READING if self.reads is None or choice.name in self.reads]
        return (*(taken if self.of_table else ()), *self.choices)

    def why_not(self, facts: Facts) -> str:
        """The reason why this table cannot have it; empty: it can."""
        if self.of_table and self.of_curves != facts.get("curves", False):
            return "needs a column of budgets" if self.of_curves else "needs one score per run: see Curves"
        return self.refused(facts)

    def chosen(self, query: Iterable[tuple[str, str]], facts: Facts) -> dict[str, tuple[str, ...]]:
        """The choices in the address; what is empty, or the default, is not said."""
        known = {choice.name: choice for choice in self.controls}
        by_name: dict[str, tuple[str, ...]] = {}
        query = list(query)
        if not {name for name, _ in query} & {choice.name for choice in self.choices}:
            begun = {choice.name: choice.start(facts) for choice in self.choices if choice.start is not None}
            by_name = {name: (value,) for name, value in begun.items() if value}
        for name, value in query:
            choice = known.get(name)
            if choice is None or not value.strip() or value == choice.default:
                continue
            if choice.each:
                if value not in by_name.get(name, ()):
                    by_name[name] = (*by_name.get(name, ()), value)
            else:
                by_name[name] = (value,)
        return by_name

    def arguments(self, file: str, values: Values, facts: Facts) -> list[str]:
        """The arguments of the command line, without the program's name."""
        words = [self.name, *([file] if self.of_table else [])]
        for choice in self.controls:
            if choice.name == "better" and not (self.directed and facts.get("asks_direction", True)):
                continue
            if self.spelled is None or choice not in self.choices:
                words += choice.arguments(values.get(choice.name, ()))
        return words if self.spelled is None else [*words, *self.spelled(values)]

    def shell(self, file: str, values: Values, facts: Facts) -> str:
        """The command to paste; none while something is lacking."""
        return "" if self.lacking(values) else shlex.join(["bakeoff", *self.arguments(file, values, facts)])

    def python(self, file: str, values: Values, facts: Facts) -> str:
        """Two lines to paste; none while something is lacking, or where only the command line reads the file."""
        if self.lacking(values):
            return ""
        if self.script is not None:
            return self.script(file, values, facts)
        if facts.get("store"):
            return ""
        options = [choice.source_text(values[choice.name]) for choice in self.choices if choice.name in values]
        if values.get("missing") in (("bounds",), ("common",)):
            options.append(f"missing={values['missing'][0]!r}")
            values = {**values, "missing": ("keep",)}
        if self.missing and "missing" not in values:
            values = {**values, "missing": (self.missing,)}
        read = reading_call(file, values, facts, self.directed)
        return f"import bakeoff as bo\nresult = {by_command()[self.name].function}({', '.join([read, *options])})"


def reading_call(file: str, values: Values, facts: Facts, directed: bool) -> str:
    """The call that reads the scores."""
    better = values.get("better", ("lower",))[0] if directed else "lower"
    texts = [choice.source_text(values[choice.name]) for choice in READING if choice.name in values]
    texts = [text for text in texts if not text.startswith("better=")]
    if not facts.get("foreign"):
        return f"bo.read_scores({', '.join([repr(file), repr(better), *texts])})"
    texts = [text for text in texts if not text.startswith("drop=")]  # another program's results are selected from
    if facts.get("asks_direction", True):
        texts.insert(0, f"better={better!r}")
    read = f"bo.read_results({', '.join([repr(file), *texts])})"
    if "drop" not in values:
        return read
    left = [name for name in facts.get("all_problems", ()) if name not in values["drop"]]
    return f"{read}.select({list(facts.get('algorithms', ()))!r}, {left!r})"


def names_in(*which: str, facts: Facts, usual: str | None = None) -> Iterable[tuple[str, str]]:
    """``algorithms``, ``columns`` or the like of the table; the ``usual`` choice is the empty value."""
    names = [name for each in which for name in facts.get(each, ())]
    return [*([] if usual is None else [("", usual)]), *((name, name) for name in names)]


def fixed(*pairs: tuple[str, str]) -> Callable[[Facts], Iterable[tuple[str, str]]]:
    return lambda facts: pairs


def _columns(facts: Facts) -> Iterable[tuple[str, str]]:
    """All, and none at first: a column that is not named is recognised."""
    return names_in("columns", facts=facts, usual="recognised")


def _read(key: str, label: str, *pairs: tuple[str, str], **own: Any) -> FormField:
    """A choice that the command line has as ``--read key=…``."""
    return FormField(name=key, option="--read", key=key, label=label, further=True, offered=fixed(*pairs), **own)


DIRECTIONS = (("lower", "lower is better"), ("higher", "higher is better"))
MISSING = (
    ("", "refuse them"),
    ("keep", "pairs on the problems both have"),
    ("drop", "leave the problem out"),
    ("worst", "count them as lost"),
    ("available", "use the cell’s other runs"),
    ("bounds", "whatever they may be"),
    ("common", "they are missing by chance"),
)
_CELLS = (("", "mean"), ("median", "median"), ("best", "best"))

READING: tuple[FormField, ...] = (
    FormField(name="better", label="Better direction", offered=fixed(*DIRECTIONS)),
    FormField(
        name="missing", label="Missing scores", offered=fixed(*MISSING), shown=lambda facts: bool(facts.get("missing"))
    ),
    FormField(
        name="drop",
        label="Leave out",
        each=True,
        as_list=True,
        offered=lambda facts: names_in("all_algorithms", "all_problems", facts=facts),
    ),
    FormField(
        name="cluster",
        label="Clusters of problems",
        offered=lambda facts: names_in("others", facts=facts, usual="none"),
        shown=lambda facts: bool(facts.get("others")),
        hint="The column that says which problems share a source",
    ),
    FormField(
        name="task",
        label="Task of each question",
        offered=lambda facts: names_in("others", facts=facts, usual="recognised"),
        shown=lambda facts: bool(facts.get("others")),
        further=True,
    ),
    FormField(
        name="weights",
        label="What counts equally",
        offered=fixed(("", "tasks, else problems"), *((name, name) for name in ("tasks", "problems", "clusters"))),
        shown=lambda facts: bool(facts.get("tasks") or facts.get("clusters")),
    ),
    _read("layout", "Layout", ("", "recognised"), ("wide", "wide"), ("long", "long")),
    FormField(
        name="rows",
        label="Rows are",
        offered=fixed(("", "as the names say"), ("problems", "problems"), ("algorithms", "algorithms")),
        further=True,
    ),
    *(
        FormField(name=role, label=f"Column of the {role}", offered=_columns, further=True)
        for role in ("problem", "algorithm", "score", "run", "status")
    ),
    FormField(name="metric", label="Name of the score", example="accuracy", further=True),
    _read("decimal", "Decimal sign", ("", "recognised"), (".", "point"), (",", "comma")),
    FormField(
        name="sheet",
        label="Sheet",
        option="--read",
        key="sheet",
        offered=lambda facts: names_in("sheets", facts=facts, usual="recognised"),
        shown=lambda facts: len(facts.get("sheets", ())) > 1,
    ),
    _read("cell", "Of several runs", *_CELLS, shown=lambda facts: facts.get("runs", 1) > 1),
    FormField(
        name="keep",
        label="Keep as scores",
        each=True,
        as_list=True,
        offered=_columns,
        further=True,
        hint="A row or column that only looks like a summary",
    ),
)
