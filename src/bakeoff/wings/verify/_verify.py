"""verify(): a report computed again from its scores."""

import os
from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from bakeoff._version import __version__
from bakeoff.analyses import by_schema, functions_of
from bakeoff.errors import Caution, ReportError, WrongTypeError, listing, plain
from bakeoff.reading import read_scores
from bakeoff.report import to_dict
from bakeoff.report.methods import computed_by, versions_here
from bakeoff.report.reading_back import is_number, kind_of_json
from bakeoff.report.repeated import TooManyDraws, added_cautions, computed_again, schema_of
from bakeoff.reportable import Reportable
from bakeoff.scores import Better, Scores
from bakeoff.scores.runs import OK
from bakeoff.wings.verify.command import Typed, command_of
from bakeoff.wings.verify.origin import direction_differences, direction_in_words, stated_better, writing_version
from bakeoff.wings.verify.page import OF_DATA, PageWritten, embedded_report, is_page
from bakeoff.wings.verify.parsing import MOST_BYTES, parsed_report
from bakeoff.wings.verify.results import Difference, ReportVerification
from bakeoff.wings.verify.tables import table_differences, unknown_to
from bakeoff.wings.verify.values import Walk, with_numbers

TOLERANCE = 1e-9  # relative, of numbers that other versions of bakeoff, NumPy or SciPy computed
COMPUTING = ("bakeoff", "numpy", "scipy")
PAGES, TEXTS = (".html", ".htm"), (".json",)
"""Suffixes of files that other programs read as they are read here."""


def verify(
    result: Any, scores: Any = None, *, better: Better | None = None, other_version: bool = False, costly: bool = False
) -> ReportVerification:
    """Is every number and word of this report what its scores give?

    Use it on a report that somebody else made. The JSON of ``bakeoff compare``, ``bayes``, ``evaluate``, ``curves`` and
    every other analysis holds the scores (battles, curves) and the arguments of the call, so that all of it can be
    computed again. A page (HTML) carries the same JSON; it must have the bytes, up to line ends, of the page that is
    written of what was computed. That the scores are right is not said: give them as ``scores`` if you have them from
    another source. A store of runs is verified by ``bakeoff verify``.

    Parameters
    ----------
    result : str, path, dict or result
        What an analysis returned, such as ``bo.compare`` or ``bo.evaluate``; a file written by
        ``result.save("result.json")`` or ``--report result.json``, or ending in ``.html``; or ``result.to_dict()``.
    scores : Scores, or what bo.read_scores reads, optional
        The table that the report claims to be about, in any order of rows and columns.
    better : "lower" or "higher", optional
        Which scores are good: the report must say the same.
    other_version : bool
        Accept a report of another version of bakeoff when its numbers and decisions agree.
    costly : bool
        Also repeat more than ten times the usual number of random draws, which may take hours.

    Returns
    -------
    ReportVerification
        ``.ok``, ``.differences`` (each: ``.where`` in the JSON, ``.said``, ``.found``), ``.checked`` (the number of
        values compared), ``.verdict`` (a sentence), ``.headlines`` (the report's and the one computed), ``.notes``.

    Raises
    ------
    ReportError
        A file that is no such report, lacks what it is computed from, or names a version that is newer or unknown.

    Notes
    -----
    Numbers are compared to the last digit if bakeoff, NumPy and SciPy have the versions that the report names, else to
    1e-9 of their size. Of another version of bakeoff every key, number, decision and the headline is compared, and no
    other sentence: ``.ok`` is then False, unless ``other_version=True``; a page of it is never ``.ok``. ``command`` is
    parsed and compared with the request.

    Examples
    --------
    >>> import bakeoff as bo
    >>> report = bo.compare(bo.datasets.load("demsar_2006")).to_dict()
    >>> bo.verify(report).ok
    True
    >>> report["pairs"][0]["pvalue"] /= 10
    >>> [difference.where for difference in bo.verify(report).differences]
    ['pairs[0].pvalue']
    """
    content, origin, page = _content(result)
    options: dict[str, Any] = {"better": better, "other_version": other_version, "costly": costly}
    return check(content, origin, *_given(scores, content), **options, page=page)


def _other_than_scores(content: Mapping[str, Any], schema: str) -> str | None:
    """The key of what the report is about, unless that is a table of scores."""
    source = by_schema()[schema].source
    return source[0] if source is not None and source[0] in content else None


def refuse_a_table(content: Mapping[str, Any], origin: str) -> None:
    """Curves, battles and tables of several metrics are compared with no file."""
    schema = content.get("schema")
    if isinstance(schema, str) and schema in by_schema() and (source := _other_than_scores(content, schema)):
        raise ReportError(
            f"{origin} is about {source}, which it holds and is computed from; they are compared with no file: leave "
            "the scores out"
        )


def check(
    content: Mapping[str, Any],
    origin: str,
    table: Scores | None = None,
    source: str = "",
    from_source: tuple[Caution, ...] | None = None,
    *,
    better: str | None = None,
    other_version: bool = False,
    costly: bool = False,
    page: str | None = None,
) -> ReportVerification:
    """``given`` are the scores of ``source``; ``from_source`` the cautions that it gives rise to, where it has any.

    ``page`` is the page that carries ``content``, if one does.
    """
    schema = schema_of(content, origin)
    written_by = writing_version(content, origin)
    record = by_schema()[schema]
    other_source = _other_than_scores(content, schema)
    if table is not None:
        refuse_a_table(content, origin)
    try:
        computed, source_of = computed_again(content, origin, costly)
    except TooManyDraws as error:
        raise ReportError(f"{error}; costly=True (--costly) repeats them all") from None
    added = added_cautions(content)
    typed = command_of(content, record)
    other = _other_versions(content)
    with computed_by(content["versions"]):
        again = _Again(content, computed, source_of, other_source or "scores", bool(other), typed.text)
        of_page, chosen, headline = ([], [], "") if page is None else _of_page(page, again, content, typed)
    differences, checked = [*typed.differences, *again.differences, *of_page], again.checked
    notes = [*([other] if other else []), *again.notes, *typed.notes, *chosen]
    if table is not None:
        more, n_scores = table_differences(source_of, table)
        differences, checked = [*more, *differences], checked + n_scores
        if not more and source_of.source_sha256 != table.source_sha256:
            notes.append("The scores given are the same, but from another file than those of the report (by SHA-256).")
        if unknown := unknown_to(table, source_of):
            notes.append(f"Not checked, as the scores given do not say it: {listing(unknown)}.")
    if from_source is not None:
        about = Walk(0.0, False)
        about.compare([asdict(c) for c in added], [asdict(c) for c in from_source], "added_cautions")
        differences, checked = [*differences, *about.differences], checked + about.checked
    elif added:
        codes = ", ".join(caution.name for caution in added)
        notes.append(f"Not checked: cautions about the store of runs ({codes}); give the store as the scores.")
    return ReportVerification(
        report=origin,
        kind=record.kind,
        scores=source,
        better=direction_in_words(source_of),
        written_by=written_by,
        accepted=written_by == __version__ or (other_version and page is None),
        headlines=(stated_headline(content), stated_headline(again.data)),
        checked=checked,
        differences=(*direction_differences(source_of, other_source or "scores", better), *differences),
        tolerance=TOLERANCE if other else 0.0,
        notes=tuple(notes),
        page=headline,
    )


class _Again:
    """``result`` is computed again; ``data`` is its JSON, with the numbers of the report where they are near enough."""

    def __init__(
        self, content: Mapping[str, Any], computed: Any, source: Any, key: str, tolerant: bool, command: str | None
    ) -> None:
        reworded = content["versions"]["bakeoff"] != __version__
        compared = partial(Walk, TOLERANCE if tolerant else 0.0, reworded, _given_numbers(content, key), key)
        walk = compared()
        self.result, self.data = computed, walk.compare(content, to_dict(computed, command))
        self.differences, self.checked = walk.differences, walk.checked
        if (kept := with_numbers(computed, walk.told, source)) is not computed:
            words = compared()
            self.result, self.data = kept, words.compare(content, to_dict(kept, command))
            beyond = [difference for difference in walk.differences if difference.number]
            same = {difference.where for difference in beyond}
            self.differences = [*beyond, *(each for each in words.differences if each.where not in same)]
        self.notes = []
        if any(difference.where == "scores.sha256" for difference in self.differences):
            self.notes.append("By their checksum, the scores in the report are not those that it was made from.")
        if places := walk.reworded:
            few = ", ".join(places[:5]) + (f" and {len(places) - 5} more" if len(places) > 5 else "")
            self.notes.append(f"Not compared, as another version wrote them: {few}.")


def _of_page(
    page: str, again: _Again, content: Mapping[str, Any], typed: Typed
) -> tuple[list[Difference], list[str], str]:
    """Where the page is not the one that is written again; what its writer chose; its headline."""
    by, look = content["versions"]["bakeoff"], typed.look
    if by != __version__:
        return [], [f"Not compared: the page, as bakeoff {by} wrote it. Verify it with that."], stated_headline(content)
    written = PageWritten(again.result, typed.text, look, again.data)
    notes = [] if look.title is None else ["The title of the page was chosen by who wrote it."]
    if words := replace(look, width=None).words:
        notes.append(f"The look of the page was chosen by who wrote it: {plain(', '.join(words))}.")
    differences = written.differences(page)
    if again.differences:  # they are named in the JSON
        differences = [difference for difference in differences if difference.where != OF_DATA]
    return differences, notes, written.headline


def _given_numbers(content: Mapping[str, Any], source: str) -> frozenset[str]:
    """Keys of a report below which no number was computed: what it starts from, and arguments that are numbers."""
    request, record = content["request"], by_schema()[content["schema"]]
    numbers = {each.name for each in record.parameters if is_number(request.get(each.name, each.default))}
    return frozenset({source, "request", "protocol"} | numbers)


def stated_headline(report: Mapping[str, Any]) -> str:
    """The sentence of the verdict; of a check, whose verdict is a word, the sentence beside it."""
    headline = report.get("sentence", report.get("verdict"))
    return headline if isinstance(headline, str) else kind_of_json(headline)


def _content(result: Any) -> tuple[Mapping[str, Any], str, str | None]:
    if isinstance(result, str | os.PathLike):
        content, page = read_report(Path(result))
        return content, str(result), page
    if isinstance(result, Mapping):
        return result, "the report", None
    if isinstance(result, Reportable):
        return result.to_dict(), f"the {type(result).__name__}", None
    raise WrongTypeError(
        "must be the path of a report (JSON or HTML), its content as a dict, or a result of "
        f"{functions_of([record.kind for record in by_schema().values()])}; got {type(result).__name__}",
        parameter="result",
    )


def read_report(path: Path) -> tuple[dict[str, Any], str | None]:
    """The content of a JSON report, or that of a page and the page."""
    try:
        with path.open("rb") as opened:
            content = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise ReportError(f"{str(path)!r} cannot be read: {error.strerror or error}") from None
    return report_in(content, str(path), path.suffix.lower())


def report_in(content: bytes, origin: str, suffix: str = "") -> tuple[dict[str, Any], str | None]:
    """The same of the bytes of a file, which other programs read by its ``suffix``."""
    what, proper = ("a page (HTML)", PAGES) if is_page(content) else ("JSON", TEXTS)
    if suffix and suffix not in proper:
        raise ReportError(
            f"{origin} holds {what}, and is named as something else, which another program would read in it: a report "
            f"as {what} ends in {' or '.join(proper)}"
        )
    return embedded_report(content, origin) if is_page(content) else (parsed_report(content, origin), None)


def _given(scores: Any, content: Mapping[str, Any]) -> tuple[Scores | None, str]:
    """The table, read in the direction of the report if it has to be read."""
    if scores is None or isinstance(scores, Scores):
        return scores, "" if scores is None else "the scores given"
    refuse_a_table(content, "the report")
    better: Any = stated_better(content)
    name = str(scores) if isinstance(scores, str | os.PathLike) else "the scores given"
    return read_scores(scores, better, missing=missing_as_in(content)), name


def missing_as_in(content: Mapping[str, Any]) -> Literal["worst", "drop", "drop-unrun", "keep", "raise"]:
    """The treatment of missing scores in the table of this report, those of single runs included."""
    table = content.get("scores")
    table = table if isinstance(table, dict) else {}

    def entries(key: str) -> list[Any]:
        rows = table.get(key)
        cells = [cell for row in (rows if isinstance(rows, list) else ()) if isinstance(row, list) for cell in row]
        return [entry for cell in cells for entry in (cell if isinstance(cell, list) else [cell])]

    holes = None in entries("values") or any(word not in ("", OK) for word in entries("status"))
    if table.get("filled") or table.get("dropped"):
        return "worst" if table.get("filled") else "drop-unrun" if holes else "drop"
    return "keep" if holes else "raise"


def _other_versions(content: Mapping[str, Any]) -> str:
    """A note, if other versions computed the report."""
    stated, here = content["versions"], versions_here()
    differing = [name for name in COMPUTING if stated[name] != here[name]]
    if not differing:
        return ""
    listed = ", ".join(f"{name} {stated[name][:20]}, here {here[name]}" for name in differing)
    return f"Computed by other versions ({listed}): numbers may differ by {TOLERANCE:g} of their size."
