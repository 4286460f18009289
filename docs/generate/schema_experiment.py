"""The JSON Schema of an experiment in TOML, for editors that complete and check TOML files by one."""

import dataclasses
import functools
import operator
import typing
from typing import Annotated, Any, Literal, NotRequired, Required, TypedDict

from schema_types import More, Schema, Walker, closed, description, has, hint_of, with_words

from bakeoff.processes.command_line import CommandLine
from bakeoff.wings.run.design.experiment import LARGEST_SEED
from bakeoff.wings.run.design.settings import QuestionSettings, Repetitions

STEM = "experiment-file"
Positive = Annotated[Any, More(type="number", exclusiveMinimum=0)]
OpenShare = Annotated[Any, More(type="number", exclusiveMinimum=0, exclusiveMaximum=1)]
Anything = Annotated[Any, More()]
Texts = str | list[str]
OneOrMore = Annotated[dict[str, Any], More(minProperties=1)]
PlainValue = Annotated[Any, More(type=["number", "string", "boolean"])]
Grid = Annotated[dict[str, Annotated[list[PlainValue], More(minItems=1, uniqueItems=True)]], More(minProperties=1)]
AtLeastOne = Annotated[int, More(minimum=1)]


class Settings(TypedDict):
    better: Literal["lower", "higher"]  # which scores are good
    seed: Annotated[int, More(minimum=0, maximum=LARGEST_SEED)]
    """Each run's seed is derived from it, the algorithm, the problem and the repetition."""
    runs: NotRequired[AtLeastOne]  # runs of every algorithm on every problem; 1 unless there is a table [repetitions]
    score: NotRequired[str]
    """The metric compared where an algorithm gives several; of commands: stdout, json:KEY, regex:PATTERN, …"""
    timeout: NotRequired[Positive]  # seconds that a run may take
    memory: NotRequired[Annotated[int, More(minimum=1 << 20)] | Annotated[str, More(examples=["2 GB"])]]
    """Bytes that a run may use, or a text such as '2 GB'."""
    budget: NotRequired[Annotated[Any, More(type="number")]]  # what {budget} in a command stands for
    on_failure: NotRequired[Literal["raise", "worst"] | Annotated[Any, More(type="number")]]
    """What a failed run counts as: raise stops the experiment, worst is infinitely bad, or a score."""
    retries: NotRequired[Annotated[int, More(minimum=0, maximum=1000)]]
    """How often a failed run is repeated with the same seed."""
    n_problems: NotRequired[AtLeastOne | Annotated[Any, More(const="plan")]]
    """Use only so many problems, drawn from the seed; plan: as many as the power needs."""


class Question(TypedDict):
    test: Anything  # the test of the problems' differences, fixed before the first run
    sequential: Anything  # whether the experiment may stop early, and how
    alternative: Anything  # "greater": the control, or the first algorithm, is better
    alpha: OpenShare  # the level of the verdicts
    power: OpenShare  # the probability of finding it
    effect_size: Positive  # the smallest effect worth finding, in standard deviations of the differences
    differences: Anything  # of scores, relative to the first algorithm or the control, or of mean logarithms
    null_value: Annotated[Any, More(type="number")]  # the effect under the null hypothesis, as reports write effects
    control: str  # the algorithm that all others are compared with; without it, all pairs


class Tables(TypedDict):
    cluster: NotRequired[str | dict[str, str]]
    """A pattern whose first group, found in a problem's name, is its cluster; or a table problem = cluster."""
    tasks: NotRequired[str | dict[str, str]]
    """The task of each problem, in the same forms."""
    algorithms: Anything  # a line name = command for each
    problems: Anything  # one of files, python and values
    repetitions: NotRequired[Anything]  # runs until the differences are precise enough, instead of runs


class Program(TypedDict):
    command: Texts
    """The command; {instance}, {problem}, {algorithm}, {seed}, {run}, {budget} and {output} are filled in."""


class OfRepetitions(TypedDict, total=False):
    se: Required[Positive]
    nmax: Required[AtLeastOne]
    n0: AtLeastOne
    statistic: str
    control: str


class Function(TypedDict):
    python: str  # module:function, the module beside the file
    grid: NotRequired[Grid]
    """Lists of values by parameter, one algorithm for each combination: keywords of the function, or filled in for
    {parameter} in the command."""


class Files(TypedDict):
    files: Texts  # patterns of files, relative to the file: each match is a problem


class Mapped(TypedDict):
    python: str  # module:name of a mapping, or of a function that returns one


class Values(TypedDict):
    values: OneOrMore  # a line name = value for each


def document() -> dict[str, Any]:
    """Of the whole file."""
    w = Walker({})
    tables = w.of_hint(Tables, "")["properties"]
    question = {name: from_code(w, QuestionSettings, name, Question) for name in QuestionSettings.__annotations__}
    text = w.of_hint(Texts, "")["anyOf"]
    program = part(w, Program, CommandLine, "template", "A foreign program.")
    function = {"description": "A Python function.", **w.of_hint(Function, "")}
    program["properties"]["grid"] = function["properties"]["grid"]
    tables["algorithms"] |= {
        "type": "object",
        "minProperties": 1,
        "additionalProperties": {"anyOf": [*text, program, function]},
    }
    tables["problems"] |= {"type": "object", "oneOf": [w.of_hint(way, "") for way in (Files, Mapped, Values)]}
    tables["repetitions"] = part(w, OfRepetitions, Repetitions, "", tables["repetitions"]["description"])
    properties = w.of_hint(Settings, "")["properties"] | question | tables
    optional = [name for name in properties if name not in ("better", "seed", "algorithms", "problems")]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:bakeoff:experiment-file:1",
        "title": "Experiment of bakeoff run and bakeoff race, in TOML",
        "$comment": "Generated by docs/generate/schemas.py.",
        **closed(properties, optional),
    }


def from_code(w: Walker, record: type, name: str, own: Any) -> Schema:
    """A setting with the type that the code has, if not its own; TOML has no null: a setting is left out."""
    found = w.of_hint(hint_of(own, name), name) if has(own, name) else {}
    hint = hint_of(record, name)
    if type(None) in typing.get_args(hint):
        hint = functools.reduce(operator.or_, (one for one in typing.get_args(hint) if one is not type(None)))
    words = description(own, name) or description(record, name)
    assert words, f"{record.__name__}.{name} has no description"
    return with_words(found or w.of_hint(hint, name), words)


def part(w: Walker, own: Any, record: type, without: str, words: str) -> Schema:
    """A table with the fields of a class."""
    names = [field.name for field in dataclasses.fields(record) if field.name != without]
    required = own.__required_keys__
    properties = {name: w.attribute(own, name) for name in own.__annotations__ if name not in names}
    properties |= {name: from_code(w, record, name, own) for name in names}
    return closed(properties, [name for name in (*properties, "grid") if name not in required], words)
