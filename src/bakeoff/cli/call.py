"""The command line of an analysis, and the answer to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bakeoff.cli.options import read_table
from bakeoff.cli.sources import with_store_cautions
from bakeoff.cli.terminal import counter
from bakeoff.dataclass import dataclass
from bakeoff.places import load

if TYPE_CHECKING:
    from bakeoff.analysis import Analysis
    from bakeoff.reportable import Reportable
    from bakeoff.scores import Scores


@dataclass(slots=True, kw_only=True)
class Call:
    """A command line of an analysis.

    Attributes
    ----------
    ctx : click.Context
        For refusals of a combination of options.
    record : Analysis
        What was called.
    source : Source, str or tuple of str
        The files, the file of an experiment, or the commands.
    better : str or None
        The direction, if it was given.
    arguments : dict of str to object
        The other options that were given, by the library's names.
    """

    ctx: click.Context
    record: Analysis
    source: Any
    better: str | None
    arguments: dict[str, Any]

    @property
    def progress(self) -> Callable[[int, int], None] | None:
        """The line of a terminal that counts what the record says."""
        return counter(self.record.progress, self.record.patience)

    @property
    def store(self) -> Path | None:
        """Where runs are kept: ``--store``, or beside the file of the experiment."""
        if "store" in self.arguments:
            return Path(self.arguments["store"])
        return Path(self.source).with_suffix(self.record.store) if self.record.store else None

    def scores(self) -> Scores:
        """Read the table; its options of reading leave ``arguments``."""
        return read_table(self.source, self.better, self.arguments)

    def result(self, scores: Scores | None = None, analyse: Callable[..., Any] | None = None, **more: Any) -> Any:
        """The analysis of the scores with the arguments, and the cautions of a store."""
        scores = self.scores() if scores is None else scores
        if self.record.progress and analyse is None:
            more["progress"] = self.progress
        analyse = analyse or load(self.record.computes)
        return with_store_cautions(self.source, analyse(scores, **self.arguments, **more))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The answer of a hook that has more to say than a result.

    Attributes
    ----------
    result : Reportable
        What reports hold.
    last : str
        The line below it on a terminal.
    page : Reportable or None
        What a terminal shows instead of it.
    note : str
        The line on stderr after it.
    exit_code : int
        Of the program.
    """

    result: Reportable
    last: str = ""
    page: Reportable | None = None
    note: str = ""
    exit_code: int = 0
