"""The one assembly of reports: from what an analysis says of its results to their document, JSON and sheets."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution, plain
from bakeoff.report import sections
from bakeoff.report.data import Grid, Sheets, finite, origin, plain_data, scores_data
from bakeoff.report.document import Document, Section, Text
from bakeoff.report.methods import cited
from bakeoff.scores import Scores

R = TypeVar("R")
Key = str | tuple[str, str | Callable[[R], Any]]
Columns = dict[str, list[Any]]
Rows = list[tuple[Any, ...]]

SIZES = ("scores.better", "scores.n_problems", "scores.n_algorithms")


def name_of(key: Key[Any]) -> str:
    """Under which a value is written: of ``scores.better``, ``better``."""
    return key.rpartition(".")[2] if isinstance(key, str) else key[0]


def getter(key: Key[Any]) -> Callable[[Any], Any]:
    """Get the attribute of that name, with dots one of an attribute, with a number one of its entries; or as
    computed. None where the way there ends in None.
    """
    where = key if isinstance(key, str) else key[1]
    if not isinstance(where, str):
        return where
    steps = [int(part) if part.isdigit() else part for part in where.split(".")]

    def value_of(item: Any) -> Any:
        for step in steps:
            if item is None:
                return None
            item = item[step] if isinstance(step, int) else getattr(item, step)
        return item

    return value_of


def values_of(item: R, keys: Iterable[Key[R]]) -> dict[str, Any]:
    """As JSON knows it."""
    return {name_of(key): plain_data(getter(key)(item)) for key in keys}


def sheet_columns(items: Iterable[R], *keys: Key[R]) -> Columns:
    """A list for each key, with an entry for each item."""
    rows = list(items)
    return {name_of(key): [*map(getter(key), rows)] for key in keys}


def rows_of(items: Iterable[R], *keys: Key[R]) -> Rows:
    """The same row by row, below the names of the keys."""
    getters = [getter(key) for key in keys]
    return [tuple(map(name_of, keys)), *(tuple(get(item) for get in getters) for item in items)]


def ends(key: str, low: str = "low", high: str = "high") -> tuple[tuple[str, str], tuple[str, str]]:
    """The keys of the two ends of an interval."""
    return (low, f"{key}.0"), (high, f"{key}.1")


def _sizes(result: Any) -> str:
    return sections.sizes(result.scores)


def _table(result: Any) -> Scores | None:
    return getattr(result, "scores", None)


def _source(result: Any) -> dict[str, Any]:
    return {"scores": scores_data(result.scores)}


def _cautions(result: Any) -> Sequence[Caution]:
    cautions: Sequence[Caution] = result.cautions
    return cautions


def _nothing_said(result: Any) -> str:
    return ""


def nothing(result: Any) -> tuple[()]:
    """Say no more about a result."""
    return ()


@dataclass(frozen=True, kw_only=True)
class Reporting(Generic[R]):
    """The description of an analysis's results.

    Attributes
    ----------
    schema : str
        What JSON calls this kind of report, if not by the schema of its record.
    title, verdict, basis : function of a result
        The head of the report. Without ``title``: the sizes of the table.
    body : function of a result
        The sections in their order. Cautions, methods, references and provenance follow, as far as they are not there.
    on_screen : tuple of str, or function of a result
        The sections that a terminal shows before the cautions; those that the report does not have are passed over.
    brief, brief_basis : function of a result
        What a terminal shows until it is asked for details: sections, and a line on what the verdict rests on. Without
        them: all that belongs on a screen.
    methods : function of a result, optional
        The paragraph for a paper.
    works : function of a result, optional
        Whom to cite. Without it: whom the paragraph cites.
    keys : sequence, or function of a result
        What JSON says of the result: the names of attributes, or pairs of a name and what computes it.
    table : function of a result
        The scores that provenance and JSON describe, or None.
    checksum : function of a result, optional
        Of the input, where it is not a table of scores.
    more : function of a result
        Lines of the provenance.
    source : function of a result, or None
        What JSON keeps, beside the call, to compute the report again; None: it is not computed again.
    cautions : function of a result
        Without it, those of the result.
    infinite : function of a dict
        What becomes of infinite numbers in JSON.
    main, second, grids : function of a result
        Columns of the file .csv, rows of the second sheet of a workbook, and its other sheets.
    whole : function of a result, optional
        All that JSON says, where it does not end as usual.
    bare : bool
        A terminal prints the tables alone.
    """

    schema: str = ""
    title: Callable[[R], str] = _sizes
    verdict: Callable[[R], str]
    basis: Callable[[R], str]
    body: Callable[[R], Iterable[Section | None]]
    on_screen: Sequence[str] | Callable[[R], Sequence[str]]
    brief: Callable[[R], Iterable[Section]] = nothing
    brief_basis: Callable[[R], str] = _nothing_said
    methods: Callable[[R], Text] | None = None
    works: Callable[[R], Sequence[str]] | None = None
    keys: Sequence[Key[R]] | Callable[[R], Mapping[str, Any]] = ()
    table: Callable[[R], Scores | None] = _table
    checksum: Callable[[R], str] | None = None
    more: Callable[[R], Iterable[tuple[str, str]]] = nothing
    source: Callable[[R], Mapping[str, Any]] | None = _source
    cautions: Callable[[R], Sequence[Caution]] = _cautions
    infinite: Callable[[dict[str, Any]], dict[str, Any]] = finite
    main: Callable[[R], Columns]
    second: Callable[[R], Sequence[tuple[Any, ...]]] = nothing
    grids: Callable[[R], tuple[Grid, ...]] = nothing
    whole: Callable[[R], dict[str, Any]] | None = None
    bare: bool = False

    @property
    def of_table(self) -> bool:
        """Whether its results are about one table of scores."""
        return self.table is _table

    def cited(self, result: R) -> Sequence[str]:
        """The works that the report cites."""
        if self.works is not None:
            return self.works(result)
        return cited(self.methods(result)) if self.methods is not None else ()

    def _end(self, result: R, command: str | None) -> dict[str, Callable[[], Section | None]]:
        """The sections that every report ends with, made when they are not there yet."""
        methods = self.methods
        end: dict[str, Callable[[], Section | None]] = {
            "cautions": lambda: sections.cautions(self.cautions(result)),
            "methods": lambda: None if methods is None else sections.methods(methods(result)),
            "references": lambda: None if methods is None else sections.references(self.cited(result)),
            "provenance": lambda: sections.provenance(self.table(result), command, *self.more(result)),
        }
        return end

    def document(self, result: R, command: str | None = None) -> Document:
        """The report without a format; ``command`` is the command line that asked for it, if one did."""
        body = sections.present(*self.body(result))
        there = {section.key for section in body}
        end = (made() for key, made in self._end(result, command).items() if key not in there)
        whole = (*body, *sections.present(*end))
        named = {section.key for section in whole}
        shown = self.on_screen(result) if callable(self.on_screen) else self.on_screen
        return Document(
            title=self.title(result),
            verdict=self.verdict(result),
            basis=self.basis(result),
            sections=whole,
            on_screen=tuple(key for key in (*shown, *(() if self.bare else ("cautions",))) if key in named),
            doubts=sections.doubts(self.cautions(result)),
            brief=lambda: self.brief(result),
            brief_basis=self.brief_basis(result),
            names=tuple(map(plain, getattr(self.table(result), "algorithms", getattr(result, "algorithms", ())))),
            bare=self.bare,
        )

    def to_dict(self, result: R, command: str | None = None) -> dict[str, Any]:
        """The content of ``--json``."""
        if self.whole is not None:
            return {"schema": self.schema, **self.whole(result)}
        own = self.keys(result) if callable(self.keys) else values_of(result, self.keys)
        known = {"schema": self.schema, "verdict": self.verdict(result), **own}
        known |= origin(
            self.table(result),
            self.cautions(result),
            self.cited(result),
            command,
            None if self.checksum is None else self.checksum(result),
        )
        if self.source is None:
            return self.infinite(known)
        call = values_of(result, ("request", ("added_cautions", "added")))
        return self.infinite(known | call | dict(self.source(result)))

    def sheets(self, result: R) -> Sheets:
        """The result as columns."""
        return Sheets(
            main=self.main(result),
            second=[*self.second(result)],
            cautions=self.cautions(result),
            grids=self.grids(result),
        )
