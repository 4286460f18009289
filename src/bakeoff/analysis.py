"""The record of an analysis: its function, its parameters, and the modules that describe, draw and verify its result.

A record imports nothing of what it names: a place is "module:name" below ``bakeoff`` (``places``), loaded when it is
needed, so that a command's help loads no NumPy. A test loads every place.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from bakeoff.dataclass import dataclass, field
from bakeoff.parameter import Parameter

GROUPS = ("Compare", "Language models", "Guard a build", "Plan and run", "Check a report", "Learn")
"""Headings of ``bakeoff --help``, in its order."""
RANKS = frozenset(("tasks", "clusters", "runs", "unequal runs", "folds", "sized folds", "runs in time", "missing"))
"""The features that procedures on ranks and signs take into account, or refuse with their own reason: each problem (or
cluster) counts the same, a cell is the mean of its runs."""
MEANS = RANKS | {"weights"}
BY_ITSELF = RANKS | {"order"}
"""Those of an analysis that judges each problem by itself, so that their order does not matter."""
METRICS = MEANS | {"metric"}
"""Those of analyses that also take contributions to a metric that is no mean over items, such as the AUC."""
Reads = Literal["table", "times", "battles", "files", "experiment", "commands"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tab:
    """An analysis on the local page: its name there, its question, and which choices are not folded away."""

    title: str
    question: str
    shown: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """One kind of result.

    Attributes
    ----------
    room : str
        The package of an analysis that is laid out as usual: it has the name of the kind, of the command and, where
        nothing else is said, of the function; ``statistics`` computes, ``reporting`` describes.
    kind : str
        The ``kind`` of the result.
    describes : str
        What has its ``verdict``, ``document``, ``to_dict`` and ``sheets``: a ``Reporting``.
    function : str
        What a user calls, such as ``bo.compare``; empty where only a command gives the result.
    command, help : str
        The command whose record this is, and its line in ``bakeoff --help``; empty where it has none of its own.
    group : str
        The heading it stands under there, one of ``GROUPS``.
    about : str
        What the command's own help says. A record without it has a ``command.py``.
    part : str
        The word after the command, as in ``bakeoff study power``.
    reads : str
        What the command reads: a "table" of scores in a stated direction; a table of "times", of which less is better;
        "battles", or a table; "files" that the hook reads; the file of an "experiment"; "commands" to run.
    argument : str
        What help calls what it reads, if not by the usual word.
    before, after : tuple of Parameter or str
        Options that ``request`` does not keep, above and below those of ``parameters``. A text names what several
        commands share: "details", "target", "columns", "selection", or what a "table" has.
    hook : str
        What turns a ``cli.call.Call`` into the result, where more is to be done than to give one table to ``computes``.
    progress : str
        What ``computes`` counts, if it takes ``progress``.
    patience : float
        Seconds before that is shown.
    store : str
        The suffix of the store beside an experiment.
    writes_scores : bool
        A report named after the table of scores holds it.
    nouns : dict of str to str
        What its reports call algorithms and problems, in the plural, if not so.
    tab : Tab or None
        On the local page, of a command that reads a table and has no hook.
    title : str
        What its reports are, for the list of schemas.
    schema : str
        Of a report that ``bakeoff verify`` computes again: ``bakeoff.compare/1``.
    computes : str
        The function that ``verify`` calls with the scores and the ``request`` of such a report.
    source : (str, str) or None
        Of a report that is not about one table of scores: the key of what it is about, and what rebuilds it.
    parameters : tuple of Parameter
        The arguments of ``computes`` that ``request`` keeps, in the order of the signature.
    drawn_by : dict of str to str
        Of each class of results, or of parts of them, the function that draws it.
    diagrams : str
        A function from the result to its other diagrams by name.
    pictured : str
        A function from the result to what a picture shows instead of it.
    no_picture : str
        Why there is none, and what to write instead.
    tex_is_picture : bool
        A file .tex is the picture alone.
    ascii_json : bool
        Characters beyond ASCII are escaped.
    planned : str
        Of a command that takes a protocol: what becomes of missing scores, where the protocol does not say.
    respects : frozenset of str
        The features of a table (``designed.FEATURES``, "weights") that the analysis takes into account; a table with
        another one is refused.
    estimates : str
        What its numbers are about: "means", "ranks", "ranks of clusters" (where there are any), or the place of a
        function from the result to an ``Estimand``; empty where it is about no table of scores.
    """

    room: str = ""
    kind: str = ""
    describes: str = ""
    function: str = ""
    command: str = ""
    help: str = ""
    group: str = GROUPS[0]
    about: str = ""
    part: str = ""
    reads: Reads = "table"
    argument: str = ""
    before: tuple[Parameter | str, ...] = ()
    after: tuple[Parameter | str, ...] = ()
    hook: str = ""
    progress: str = ""
    patience: float = 1.0
    store: str = ""
    writes_scores: bool = False
    nouns: Mapping[str, str] = field(default_factory=dict)
    tab: Tab | None = None
    title: str = ""
    schema: str = ""
    computes: str = ""
    source: tuple[str, str] | None = None
    parameters: tuple[Parameter, ...] = ()
    drawn_by: Mapping[str, str] = field(default_factory=dict)
    diagrams: str = ""
    pictured: str = ""
    no_picture: str = ""
    tex_is_picture: bool = False
    ascii_json: bool = False
    planned: str = ""
    respects: frozenset[str] = frozenset()
    estimates: str = ""

    def __post_init__(self) -> None:
        if not self.room:
            return
        folder = self.room.rpartition(".")[2]
        kind, function = folder.replace("_", "-"), self.function or f"bo.{folder}"
        usual = {"kind": kind, "command": kind, "schema": f"bakeoff.{kind}/1", "function": function}
        usual["computes"] = f"{self.room}.statistics:{function.removeprefix('bo.')}"
        usual["describes"] = f"{self.room}.reporting:REPORT"
        for name, value in usual.items():
            if not getattr(self, name):
                object.__setattr__(self, name, value)

    def parameter(self, name: str) -> Parameter | None:
        """The one of this name."""
        return next((parameter for parameter in self.parameters if parameter.name == name), None)
