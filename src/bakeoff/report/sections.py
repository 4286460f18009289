"""The parts of all reports: cautions, methods, references, provenance, long tables in two."""

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any, Literal, TypeVar

from bakeoff import numerals
from bakeoff.errors import Caution, by_severity
from bakeoff.report.document import (
    Block,
    Code,
    Column,
    ColumnSpec,
    DecidedOnly,
    Document,
    Figure,
    Item,
    Paragraph,
    Points,
    Row,
    Section,
    SectionRole,
    Table,
    Text,
    legends,
    tabulate,
)
from bakeoff.report.methods import joined, measured_first, problem_count, versions
from bakeoff.report.references import bibtex, reference
from bakeoff.report.sentences import fill
from bakeoff.scores import Scores
from bakeoff.scores.design import Estimand

NOTES = "Notes"  # the title of cautions of which none is more than that
WIDEST = 10  # algorithms side by side; a wider square is folded, and left out on paper
WHOLE = 40  # rows; a longer table of pairs is split into the decided ones and the rest, which is folded
LISTED = 2000  # rows of one table of pairs; a report of all 19,900 pairs of 200 algorithms would be read by nobody
FEW_PAIRS = 15  # up to here a terminal shows all pairs; beyond, the decided ones
MOST_NAMED = 5  # algorithms; of more, a sentence says how many

MOST_ROWS = 12  # of what is shown while something runs


def present(*sections: Section | None) -> tuple[Section, ...]:
    """Without those that are None: there is nothing to say in them."""
    return tuple(section for section in sections if section is not None)


def sizes(s: Scores) -> str:
    """The title of a report on scores."""
    named = f"{measured_first(s)} of " if s.metric else ""
    return f"{named}{numerals.count(s.n_algorithms, 'algorithm')} on {problem_count(s)}"


def what_was_read(document: Document, result: object) -> Document:
    """The document, which says what its table was read as before it says what was computed."""
    scores = getattr(result, "scores", None)
    if not isinstance(scores, Scores):
        return document
    rows = getattr(result, "rows_read", None)
    read = f"{rows} × {numerals.count(scores.n_algorithms, 'algorithm')}" if rows else read_line(scores)
    return replace(document, read=f"{read}.")


def with_estimand(document: Document, estimand: Estimand | None) -> Document:
    """The document, which says in its second line and in the methods what its numbers are about."""
    if estimand is None:
        return document
    sentence = f"{numerals.plain(estimand.sentence)}."
    written = tuple(_with_sentence(s, sentence) if s.key == "methods" else s for s in document.sections)
    return replace(document, read=f"{document.read} {sentence}".strip(), sections=written)


def _with_sentence(section: Section, sentence: str) -> Section:
    first, *others = section.blocks
    assert isinstance(first, Paragraph)
    opening, stop, rest = str(first.text[0]).partition("). ")  # the sample, which ends with the direction
    text = (f"{opening}{stop}{sentence} {rest}", *first.text[1:]) if stop else joined((sentence,), first.text)
    return replace(section, blocks=(replace(first, text=text), *others))


def read_line(s: Scores) -> str:
    """``25 problems (rows, from “function”) × 9 algorithms (columns)``."""
    read, of = s.read_as, dict(s.read_as.columns)
    sides = {"problems": ("rows", "columns"), "algorithms": ("columns", "rows")}
    of_problems, of_algorithms = sides.get(read.rows or "problems", ("", ""))
    problems = f"{numerals.count(s.n_problems, 'problem')}{_place(of_problems, of.get('problem'))}"
    if tasks := s.design.task_names:
        problems += f" of {numerals.count(len(tasks), 'task')}{_place('', of.get('task'))}"
    if s.clusters is not None:
        problems += f" in {numerals.count(len(set(s.clusters)), 'cluster')}{_place('', of.get('cluster'))}"
    algorithms = f"{numerals.count(s.n_algorithms, 'algorithm')}{_place(of_algorithms, of.get('algorithm'))}"
    more = [f"{_runs(s)}{_place('', of.get('run'))}"] if s.runs is not None else []
    if s.runs is None and read.n_files > 1 and "run" in of:  # of curves
        more.append(f"runs from {_quoted(of['run'])}")
    if of.get("score", "score").lower() not in ("score", s.metric):
        more.append(f"scores from {_quoted(of['score'])}")
    if of.get("status", "status").lower() not in ("status", of.get("score", "").lower()):
        more.append(f"how runs ended from {_quoted(of['status'])}")
    if s.predicted is not None:
        what = f"predictions of {_quoted(of['truth'])}" if "truth" in of else "predictions"
        more.append(f"{what}: {numerals.plain(s.predicted.about)}" if s.predicted.about else what)
    if read.written:
        more.append(f"scores written as {numerals.plain(read.written)}")
    if read.closest_to is not None:
        more.append(f"each score its distance from {read.closest_to:g}")
    if read.averaged:
        more.append(f"averaged over {numerals.name_list([_quoted(name) for name in read.averaged])} first")
    if read.n_files > 1:
        more.append(f"read from {read.n_files} files")
    if unused := [_quoted(name) for name in read.unused]:
        more.append(f"not clustered by {numerals.name_list(unused)}")
    if read.roles:
        named = [f"{_quoted(name)} ({numerals.plain(why)})" for name, _, why in read.roles]
        others = [f"{len(named) - MOST_NAMED} more"] if len(named) > MOST_NAMED + 1 else []
        more.append(f"left out: {numerals.name_list([*named[: MOST_NAMED if others else None], *others])}")
    line = ", ".join([f"{problems} × {algorithms}", *more])
    return f"{line} ({numerals.plain(read.source)})" if read.source else line


def _quoted(column: str) -> str:
    return f"“{numerals.plain(column)}”"


def _place(side: str, column: str | None) -> str:
    """`` (rows, from “function”)``."""
    named = [f"from {_quoted(column)}" if side else _quoted(column)] if column else []
    place = ", ".join([side, *named] if side else named)
    return f" ({place})" if place else ""


def _runs(s: Scores) -> str:
    least, most = int(s.n_runs.min()), int(s.n_runs.max())
    noun = "run" if s.folds is None else "fold"
    return f"{numerals.count(most, noun)} each" if least == most else f"{least} to {most} {noun}s each"


def of_others(names: Sequence[str], m: int) -> str:
    """Names out of ``m`` others, while they are few enough to read; else how many."""
    if len(names) == m:
        return fill("others.all", m=m)
    if len(names) > MOST_NAMED:
        return fill("others.many", n=len(names), m=m)
    return fill("others.named", names=numerals.name_list(list(names)), n=len(names), m=m)


def better_and_worse(better: Sequence[str], worse: Sequence[str], m: int) -> str:
    """``better than A and B (2 of 8) and worse than C (1 of 8)``, of ``m`` others."""
    parts = [("better", better), ("worse", worse)]
    return " and ".join(fill("standing", how=how, others=of_others(names, m)) for how, names in parts if names)


def if_few(pairs: Sequence[object], key: str = "pairs") -> tuple[str, ...]:
    """The section of pairs, where a terminal can show them all."""
    return (key,) if len(pairs) <= FEW_PAIRS else ()


def algorithm_columns(title: str, names: Iterable[str]) -> tuple[Column, ...]:
    """The head of a table with a column for each algorithm; ``title`` is that of the rows' names."""
    numbered = (Column(str(j), numerals.plain(name), numeric=True) for j, name in enumerate(names))
    return (Column("name", title), *numbered)


def square(key: str, caption: str, names: Sequence[str], cell: Callable[[str, str], str], note: str = "") -> Table:
    """Every algorithm against every other one, in the order of ``names``; a large one is folded."""
    rows = [Row((numerals.plain(a), *("·" if a == b else cell(a, b) for b in names))) for a in names]
    wide = len(names) > WIDEST
    return Table(
        key=key,
        caption=caption,
        columns=algorithm_columns("", names),
        rows=rows,
        note=note,
        folded=wide,
        wide=wide,
        square=True,
    )


def one_block(key: str, title: str, block: Block | None, role: SectionRole = "") -> Section | None:
    """A section of one block, if there is one."""
    return None if block is None else Section(key, title, (block,), role=role)


def figure(title: str, drawn: Figure | None, key: str = "diagram") -> Section | None:
    """The drawing of the result, if there is one; pages show it before any table."""
    return None if drawn is None else Section(key, title, (drawn,), role="figure")


def points(key: str, title: str, items: Iterable[tuple[str, str]]) -> Section | None:
    """A section that is a list of terms and sentences; None if there are none."""
    listed = tuple((term, text, "") for term, text in items)
    return Section(key, title, (Points(listed),)) if listed else None


Result = TypeVar("Result")
ONE_PROCESS = "Cannot tell: one process per side."


def unless_one_process(sentence: Callable[[Result], str]) -> Callable[[Result], str]:
    """Where every pair has one process a side, a verdict says that and nothing else."""

    @wraps(sentence)
    def verdict(result: Result) -> str:
        return ONE_PROCESS if one_process_alone(result) else sentence(result)

    return verdict


def one_process_alone(result: Any) -> bool:
    """Has each pair of a result a side of one process?"""
    alone = next((caution for caution in result.cautions if caution.code == "one-process"), None)
    pairs = getattr(result, "pairs", ())
    untold = bool(pairs) and all(getattr(pair, "verdict", "") == "cannot tell" for pair in pairs)
    return alone is not None and (alone.severity == "stop" or untold)


def doubts(known: Iterable[Caution]) -> Section | None:
    """List what must be settled before anything else is read, above the verdict. None if there is nothing."""
    return _listed("doubts", "Check this first", (c for c in known if c.severity == "stop"))


def cautions(known: Iterable[Caution], title: str = "Read this before quoting") -> Section | None:
    """List what a reader must know besides the doubts, warnings before notes; None if there is nothing."""
    rest = [caution for caution in by_severity(known) if caution.severity != "stop"]
    return _listed("cautions", title if any(c.severity == "warning" for c in rest) else NOTES, rest)


def _listed(role: Literal["doubts", "cautions"], title: str, listed: Iterable[Caution]) -> Section | None:
    items = tuple((caution.name, numerals.plain(caution.text), caution.reference) for caution in listed)
    return Section(role, title, (Points(items),), role=role) if items else None


def methods(text: Text) -> Section:
    """The paragraph for a paper."""
    return Section("methods", "Methods, ready to paste", (Paragraph(text),))


def references(keys: Sequence[str]) -> Section:
    """The works to cite, as a list and as BibTeX."""
    listed = sorted((reference(key) for key in keys), key=lambda work: (work.surnames, work.fields["year"]))
    works = Points(tuple(("", work.text(), "") for work in listed))
    return Section("references", "References", (works, Code(bibtex(keys, versions()["bakeoff"]), "bibtex")))


def provenance(s: Scores | None, command: str | None, *more: tuple[str, str]) -> Section | None:
    """List the versions, the input and the command."""
    items = [("versions", ", ".join(f"{name} {version}" for name, version in versions().items()))]
    if s is not None:
        items.append(("input SHA-256", s.source_sha256))
    items += more
    if command:
        items.append(("command", numerals.plain(command)))
    if s is not None and s.dropped:
        items.append(("problems left out", _all(s.dropped)))
    if s is not None and s.filled:
        items.append(("cells counted as worst", _all([f"{problem} / {algorithm}" for problem, algorithm in s.filled])))
    return points("provenance", "Provenance", items)


def _all(names: Sequence[str], limit: int = 100) -> str:
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(map(numerals.plain, itertools.islice(names, limit))) + more


DIFFERING = DecidedOnly(title="Pairs that differ", more="that differ", rest="without a shown difference")


def part_of_pairs(n: int, decided: bool) -> str:
    """The caption of a part of the pairs."""
    return f"The {n} pairs {'with' if decided else 'without'} a shown difference"


def unlisted_note(n: int) -> str:
    """Where the rows are that a table of so many leaves out."""
    return f"Listed are the first {LISTED} of {n}; JSON, CSV and XLSX have them all." if n > LISTED else ""


def split_by_decision(
    rows: Sequence[Item],
    shown: Sequence[ColumnSpec[Item]],
    decided: Callable[[Item], bool],
    caption: str,
    note: str | None = None,
    captions: Callable[[int, bool], str] = part_of_pairs,
    brief: DecidedOnly = DIFFERING,
    as_shown: Callable[[Item], Item] = lambda row: row,
) -> list[Table]:
    """One table of pairs; a long one as the decided ones and then the rest, of each part the first ``LISTED``.

    ``captions`` names a part by its size and whether it is the decided one. Without a note: the legends of the columns.
    ``as_shown`` makes what is written of a row that is listed.
    """
    note = legends(shown) if note is None else note

    def table(part: Sequence[Item], key: str, caption: str, folded: bool) -> Table:
        left = f"{note} {unlisted_note(len(part))}".strip()
        rows_shown = [as_shown(row) for row in part[:LISTED]]
        made = tabulate(key, caption, shown, rows_shown, strong=decided, note=left, folded=folded, brief=brief)
        return replace(made, unlisted=len(part) - len(rows_shown))

    if len(rows) <= WHOLE:
        return [table(rows, "pairs", caption, False)]
    first, rest = [row for row in rows if decided(row)], [row for row in rows if not decided(row)]
    tables = []
    if first:
        tables.append(table(first, "pairs", captions(len(first), True), len(first) > 2 * WHOLE))
    if rest:
        tables.append(table(rest, "pairs-rest" if first else "pairs", captions(len(rest), False), True))
    return tables
