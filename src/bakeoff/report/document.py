"""A report without a format: what is said, in which order. Every writer renders this one model.

Text is plain Unicode; a citation inside a sentence is a :class:`Cite`, so that a writer can set it its own way.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, Protocol, TypedDict, TypeVar, Unpack

from bakeoff import numerals
from bakeoff.dataclass import KW_ONLY, dataclass, replace
from bakeoff.report.references import reference

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Cite:
    """A citation in parentheses, by keys of the bibliography."""

    keys: tuple[str, ...]

    def __str__(self) -> str:
        return f"({'; '.join(reference(key).label for key in self.keys)})"


Text = tuple[str | Cite, ...]


def plain_text(text: Text) -> str:
    """The sentence with its citations written out."""
    return "".join(map(str, text))


ColumnRole = Literal["", "first", "second", "third", "pair", "name", "p", "verdict", "standing"]
ROLES: dict[str, ColumnRole] = {
    "a": "first",
    "b": "second",
    "third": "third",
    "pair": "pair",
    "against": "standing",
    "algorithm": "name",
    "name": "name",
    "problem": "name",
    "test": "name",
    "pvalue": "p",
    "verdict": "verdict",
}
"""Keys of columns that name the row (``first`` to ``third``, or ``pair``) or what is shown (``standing``: of it)."""


@dataclass(frozen=True, slots=True)
class Column:
    """``numeric`` columns align right; ``rank`` is the order in which a narrow page gives columns up (0: never).

    ``legend`` is a sentence that says how to read the column. ``wraps``: a narrow page has
    its words in two lines, before it clips them. ``in_paper``: a paper has it, although a narrow page gives it up.
    """

    key: str
    title: str
    _: KW_ONLY
    numeric: bool = False
    strong: bool = False
    rank: int = 0
    legend: str = ""
    wraps: bool = False
    in_paper: bool = False

    @property
    def role(self) -> ColumnRole:
        """The role of the column for a writer: its key, if that is a word of ``ROLES``."""
        return ROLES.get(self.key, "")


@dataclass(frozen=True, slots=True)
class Row:
    """Cells in the order of the columns; the first one names the row. ``tone`` is how much it matters.

    ``bold``: single cells, by column, whatever the tone. ``ruled``: a line above, as before the rows of a summary.
    ``shades``: how dark a cell's ground is on a page in colour, by column: 1 to 3. ``pinned``: never left out.
    """

    cells: tuple[str, ...]
    tone: Literal["", "strong", "muted"] = ""
    bold: frozenset[int] = frozenset()
    ruled: bool = False
    shades: tuple[tuple[int, int], ...] = ()
    pinned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedOnly:
    """A long table where there is little room: only its strong rows, under another title."""

    title: str
    more: str  # "… and 7 more ‹that differ›"
    rest: str  # "12 pairs ‹without a shown difference› are not listed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """``folded``: long or secondary, shown on demand where the format can do that.

    ``wide``: one column per algorithm; formats made for paper leave it out beyond what a page holds.
    ``square``: a column per algorithm, none of which may be left out; a narrow page has them below each other.
    ``unlisted``: how many rows at the end are left out, as the note says; ``rest``: where it does. ``on_screen``: a
    terminal says its first row in a line below the verdict, or the titles of its columns, which are too many.
    """

    key: str
    caption: str
    columns: tuple[Column, ...]
    rows: Sequence[Row]
    note: str = ""
    folded: bool = False
    wide: bool = False
    square: bool = False
    unlisted: int = 0
    rest: str = ""
    brief: DecidedOnly | None = None
    on_screen: Literal["", "line", "titles"] = ""

    def selected(self, columns: Sequence[int]) -> "Table":
        """Some of the columns, in the order given."""
        place = {i: at for at, i in enumerate(columns)}
        rows = [
            replace(
                row,
                cells=tuple(row.cells[i] for i in columns),
                bold=frozenset(place[i] for i in row.bold if i in place),
                shades=tuple((place[i], shade) for i, shade in row.shades if i in place),
            )
            for row in self.rows
        ]
        return replace(self, columns=tuple(self.columns[i] for i in columns), rows=rows)

    def is_bold(self, row: Row, i: int) -> bool:
        """Whether a cell is set in bold: by itself, or as the strong column of a strong row."""
        return i in row.bold or (self.columns[i].strong and row.tone == "strong")


ColumnSpec = tuple[Column, Callable[[Item], str]]  # a column and how it writes the cell of an item


class Traits(TypedDict, total=False):
    """Options of a column: see :class:`Column`."""

    strong: bool
    rank: int
    legend: str
    wraps: bool
    in_paper: bool


def text_column(key: str, title: str, write: Callable[[Item], str], **traits: Unpack[Traits]) -> ColumnSpec[Item]:
    """A column of names and words."""
    return Column(key, title, **traits), write


def number_column(key: str, title: str, write: Callable[[Item], str], **traits: Unpack[Traits]) -> ColumnSpec[Item]:
    """A column of numbers."""
    return Column(key, title, numeric=True, **traits), write


def p_column(
    key: str, title: str, value: Callable[[Item], float | None], alpha: float, **traits: Unpack[Traits]
) -> ColumnSpec[Item]:
    """A column of p-values, whose digits do not misplace ``alpha``; empty in a row that has none."""

    def write(item: Item) -> str:
        p = value(item)
        return "" if p is None else numerals.pvalue(p, None, alpha)

    return number_column(key, title, write, **traits)


def equal_column(
    key: str,
    title: str,
    items: Iterable[Item],
    value: Callable[[Item], float | None],
    *,
    digits: int = 4,
    **traits: Unpack[Traits],
) -> ColumnSpec[Item]:
    """A column of numbers with the same decimals in the rows of these items; a missing one has none."""
    known = [(item, number) for item in items if (number := value(item)) is not None]
    texts = numerals.equal_decimals([number for _, number in known], digits)
    written = {id(item): text for (item, _), text in zip(known, texts, strict=True)}  # a row need not be hashable
    return number_column(key, title, lambda item: written.get(id(item), numerals.MISSING), **traits)


def interval_column(
    key: str,
    title: str,
    items: Iterable[Item],
    interval: Callable[[Item], tuple[float, float] | None],
    *,
    digits: int = 4,
    **traits: Unpack[Traits],
) -> ColumnSpec[Item]:
    """A column of intervals whose ends have the same decimals in the rows of these items."""
    listed = [(item, interval(item)) for item in items]
    ends = iter(numerals.equal_decimals([end for _, each in listed if each is not None for end in each], digits))
    written = {id(item): numerals.MISSING if each is None else f"{next(ends)} to {next(ends)}" for item, each in listed}
    return number_column(key, title, lambda item: written[id(item)], **traits)


class TwoNamed(Protocol):
    """A row about two algorithms."""

    @property
    def a(self) -> str: ...
    @property
    def b(self) -> str: ...
    @property
    def verdict(self) -> str: ...


def two_names(pair: TwoNamed) -> str:
    """``A – B``."""
    return f"{numerals.plain(pair.a)} – {numerals.plain(pair.b)}"


def better_of(pair: TwoNamed, verdict: str = "") -> str:
    """``A better``, or the verdict as it is; without one, that of the pair."""
    words = verdict or pair.verdict
    name = {"a better": pair.a, "b better": pair.b}.get(words)
    return words if name is None else f"{numerals.plain(name)} better"


def winner_of(pair: TwoNamed) -> str:
    """The name of the better one, or the verdict as it is."""
    return numerals.plain({"a better": pair.a, "b better": pair.b}.get(pair.verdict, pair.verdict))


def legends(shown: Iterable[ColumnSpec[Item]]) -> str:
    """Sentences on how to read the columns."""
    return " ".join(column.legend for column, _ in shown if column.legend)


def tabulate(
    key: str,
    caption: str,
    shown: Sequence[ColumnSpec[Item]],
    items: Iterable[Item],
    *,
    strong: Callable[[Item], bool] = lambda item: False,
    muted: Callable[[Item], bool] = lambda item: False,
    pinned: Callable[[Item], bool] = lambda item: False,
    note: str | None = None,
    folded: bool = False,
    brief: DecidedOnly | None = None,
    on_screen: Literal["", "line", "titles"] = "",
    most: int | None = None,
    more: str = "pairs are in JSON and CSV",
) -> Table:
    """A table with a row per item; its note, if none is given, is the legends of the columns.

    Of more than ``most`` items the first ones are listed, and the note says where the others are.
    """
    columns = tuple(column for column, _ in shown)
    note, rest = legends(shown) if note is None else note, ""
    if most is not None:
        items = list(items)
        rest = f"{len(items) - most} more {more}." if len(items) > most else ""
        note, items = f"{note} {rest}".strip(), items[:most]
    rows = [
        Row(
            tuple(write(item) for _, write in shown),
            "strong" if strong(item) else "muted" if muted(item) else "",
            pinned=pinned(item),
        )
        for item in items
    ]
    table = Table(key=key, caption=caption, columns=columns, rows=rows, note=note, rest=rest, folded=folded)
    return replace(table, brief=brief, on_screen=on_screen)


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: Text


@dataclass(frozen=True, slots=True)
class Points:
    """A list: term (may be empty), text, and a small tag such as a caution's code."""

    items: tuple[tuple[str, str, str], ...]

    def lines(self, mark: str) -> list[str]:
        """``- term: text (tag)``, a line each."""
        named = ((f"{term}: {text}" if term else text, f" ({tag})" if tag else "") for term, text, tag in self.items)
        return [f"{mark} {text}{tag}" for text, tag in named]


@dataclass(frozen=True, slots=True)
class Code:
    """Text to copy as it is."""

    text: str
    language: str


@dataclass(frozen=True, slots=True)
class Figure:
    """The diagram of this result; each writer draws it in its own way. ``key`` tells several ones apart.

    ``kind``: which of its diagrams, if not the usual one. ``in_characters``: a power curve that a terminal draws as
    well. ``small``: two fit beside each other.
    """

    result: Any
    caption: str
    key: str = ""
    kind: str | None = None
    in_characters: bool = False
    small: bool = False


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file inside of a page, to be saved from it; formats that cannot hold one leave it out.

    ``instead`` is said where the file would be too large for a browser.
    """

    name: str
    media_type: str
    content: Callable[[], str]
    text: str
    instead: str


SectionRole = Literal["", "figure", "cautions", "doubts", "steps", "aside", "table"]
Block = Table | Paragraph | Points | Code | Figure | Attachment


@dataclass(frozen=True, slots=True)
class Section:
    """``role``: what a writer does with it, whatever it is called.

    figure, cautions, doubts: the drawing of the result, and what to know of it, which a page places by itself.
    steps: a list that is printed in a paper, where others are a comment. aside: for the author; in a paper the methods
    paragraph or another table says it. table: the scores themselves, of which a paper has a file of its own.
    """

    key: str
    title: str
    blocks: tuple[Block, ...]
    _: KW_ONLY
    role: SectionRole = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A whole report; ``verdict`` is the sentence to remember, ``basis`` says what it rests on, ``read`` what was read.

    ``doubts`` stand above the verdict. ``on_screen``: the sections that a terminal shows, in its order. ``bare``: the
    tables of these sections are all that a terminal and formats made for papers print, without headings. ``brief``:
    what a terminal shows until it is asked for details, below ``brief_basis``. ``names``: of the algorithms.
    """

    title: str
    verdict: str
    basis: str
    sections: tuple[Section, ...]
    on_screen: tuple[str, ...] = ()
    doubts: Section | None = None
    bare: bool = False
    brief: Callable[[], Iterable[Section]] = tuple
    brief_basis: str = ""
    names: tuple[str, ...] = ()
    read: str = ""

    @property
    def below_verdict(self) -> tuple[str, ...]:
        """Lines on what was read, and on what the verdict rests."""
        return (*([self.read] if self.read else []), *self.basis.splitlines())

    @property
    def shown(self) -> list[Section]:
        """The sections that a terminal shows."""
        return [section for key in self.on_screen if (section := self.section(key)) is not None]

    @property
    def shown_tables(self) -> list[Table]:
        """The tables in these sections."""
        return _tables(self.shown)

    def section(self, key: str) -> Section | None:
        """The section called so, or None."""
        return next((section for section in self.sections if section.key == key), None)

    def of_role(self, role: SectionRole) -> Section | None:
        """The first section with this role, or None."""
        return next((section for section in self.sections if section.role == role), None)

    def summarised(self, how: str) -> Table | None:
        """The table that a terminal says in this way (``Table.on_screen``), or None."""
        return next((table for table in _tables(self.sections) if table.on_screen == how), None)


def _tables(sections: Iterable[Section]) -> list[Table]:
    return [block for section in sections for block in section.blocks if isinstance(block, Table)]


@dataclass(frozen=True, slots=True, kw_only=True)
class JointDocument:
    """Several reports in one: ``read`` says what they are from, ``end`` what they have in common."""

    title: str
    read: str
    parts: tuple[Document, ...]
    end: tuple[Section, ...]
