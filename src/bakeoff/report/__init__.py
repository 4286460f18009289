"""From a result to a report: one format-free document, one small writer per format."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from bakeoff.checks import choice, integer
from bakeoff.designed import estimand_of
from bakeoff.errors import ParameterError
from bakeoff.files import write_bytes, write_whole
from bakeoff.framed import FramedPage
from bakeoff.protocols.departures import Registered
from bakeoff.report.appearance import APPEARANCE, Appearance
from bakeoff.report.document import Document, Paragraph, plain_text
from bakeoff.report.formats import FORMATS, PICTURES, TABLES, Report
from bakeoff.report.kinds import describing, kind_of, pictured
from bakeoff.reportable import Reportable


def document(result: Reportable, command: str | None = None, look: Appearance = APPEARANCE) -> Document:
    """The report without a format; ``command`` is the command line that asked for it, if one did."""
    return Report(kind_of(result), result, command, look).document


def to_dict(result: Reportable, command: str | None = None) -> dict[str, Any]:
    """The content of ``--json``."""
    return Report(kind_of(result), result, command).data


def json_pieces(result: Reportable, command: str | None = None) -> Iterator[str]:
    """The output of ``--json``, in pieces: that of a large table is never whole in memory."""
    return Report(kind_of(result), result, command).json


def verdict(result: Reportable) -> str:
    """The sentence to remember."""
    inner = result.result if isinstance(result, Registered) else result
    return describing(kind_of(result)).verdict(inner)


def estimand(result: Reportable) -> str:
    """What the numbers are about, as the second line says it; empty of a result that is about no table."""
    about = estimand_of(kind_of(result), result.result if isinstance(result, Registered) else result)
    return "" if about is None else about.sentence


def page(result: Reportable) -> str:
    """The report as a terminal of 80 columns shows it."""
    from bakeoff.report.formats import glance

    return glance.render(document(result), more='More: result.save("report.html")').rstrip("\n")


def fragment(result: Reportable) -> str:
    """The report as a notebook shows it: a piece of HTML."""
    from bakeoff.report.formats import html

    return html.render_fragment(document(result))


def explore(result: Reportable, height: int = 640) -> FramedPage:
    """The page with its script, for a notebook."""
    return FramedPage(render(result, "html"), integer("height", height, 100))


def methods_paragraph(result: Reportable, key: str = "methods") -> str:
    """The paragraph for a paper, as text; empty where there is none. ``key``: of the section that has it."""
    section = document(result).section(key)
    blocks = section.blocks if section else ()
    return " ".join(plain_text(block.text) for block in blocks if isinstance(block, Paragraph))


def plot(result: Reportable, ax: Any = None, **options: Any) -> Any:
    """The diagram in Axes of matplotlib."""
    from bakeoff.figures import diagram

    return diagram(pictured(kind_of(result), result), **options).draw(ax)


def render(result: Reportable, format: str, command: str | None = None, look: Appearance = APPEARANCE) -> str:
    """The report as a string: ``"html"``, ``"md"``, ``"tex"``, ``"json"`` or ``"txt"``.

    Parameters
    ----------
    result : Reportable
        What an analysis returned, such as ``bo.compare`` or ``bo.evaluate``.
    format : {"html", "md", "tex", "json", "txt"}
        Of the report; "txt" is the page of a terminal with all details.
    command : str, optional
        The command line that asked for the report; printed under its provenance.
    look : Appearance, optional
        Title, width and emphasis.

    Examples
    --------
    The two algorithms of which Derrac et al. (2011), Example 3, finds SaDE better, here by Friedman ranks and Holm:

    >>> import bakeoff as bo
    >>> from bakeoff.report import render
    >>> result = bo.compare(bo.datasets.load("derrac_cec2005"), control="SaDE")
    >>> " ".join(render(result, "txt").split()).split(";")[0]
    'SaDE (the control) is better than PSO, CHC and SSGA (3 of 8)'
    """
    return FORMATS[choice("format", format, FORMATS)](Report(kind_of(result), result, command, look))


def save(
    result: Reportable, path: str | os.PathLike[str], command: str | None = None, look: Appearance = APPEARANCE
) -> None:
    """Write a report (.html .md .tex .json .txt), the diagram (.svg .png .pdf .tikz) or the pairs (.csv .xlsx).

    The file appears complete or not at all: it is written beside its place and then moved there. The labels of a .tex
    file begin with its name.

    Raises
    ------
    ParameterError
        An unknown suffix, a folder that does not exist, or a place that cannot be written.
    """
    target = check_path(path)
    kind, suffix = kind_of(result), target.suffix.lower()[1:]
    report = Report(kind, result, command, look, target.stem)
    try:
        if suffix in PICTURES or (kind.tex_is_picture and suffix == "tex"):
            from bakeoff.figures import file_content  # geometry and ink: not at start-up
            from bakeoff.report.formats.pictures import picture_of

            write_bytes(target, file_content(picture_of(pictured(kind, result), look), f".{suffix}"))
        elif suffix in TABLES:
            write_whole(target, lambda draft: TABLES[suffix](report, draft))
        elif suffix == "json":
            write_whole(target, lambda draft: _write_pieces(report.json, draft))
        else:
            write_bytes(target, FORMATS[suffix](report).encode("utf-8", "replace"))
    except OSError as error:
        raise ParameterError(f": cannot write {str(target)!r} ({error.strerror or error})", parameter="path") from None


def _write_pieces(pieces: Iterable[str], target: Path) -> None:
    with target.open("w", encoding="utf-8", errors="replace", newline="") as file:
        file.writelines(pieces)


def suffixes(tex_is_picture: bool = False) -> dict[str, tuple[str, ...]]:
    """The suffixes that a file may have, by what is written into it."""
    tex = ("tex",) if tex_is_picture else ()
    written = {"a report": [name for name in FORMATS if name not in tex], "the diagram": [*PICTURES, *tex]}
    return {what: tuple(f".{name}" for name in names) for what, names in (written | {"the pairs": [*TABLES]}).items()}


def check_path(path: str | os.PathLike[str]) -> Path:
    """``path`` if a report could be written there, as far as can be told before the work is done."""
    target = Path(path)
    known = suffixes()
    if target.suffix.lower() not in [suffix for group in known.values() for suffix in group]:
        got = repr(target.suffix) if target.suffix else "no suffix"
        groups = [f"{', '.join(group)} ({what})" for what, group in known.items()]
        raise ParameterError(
            f"must end in {', '.join(groups[:-1])} or {groups[-1]}; got {got} in {str(target)!r}", parameter="path"
        )
    if target.suffix.lower() == ".xlsx":
        from bakeoff.report.formats.spreadsheet import require_openpyxl

        require_openpyxl()
    if not target.parent.is_dir():
        raise ParameterError(f": the folder {str(target.parent)!r} does not exist; create it first", parameter="path")
    if target.is_dir():
        raise ParameterError(f": {str(target)!r} is a folder; name a file in it", parameter="path")
    if not os.access(target.parent, os.W_OK):
        raise ParameterError(
            f": the folder {str(target.parent)!r} cannot be written to; choose another one", parameter="path"
        )
    return target


def pairs_frame(result: Reportable) -> Any:
    """One row per pair as a data frame (pandas if installed, else polars): the columns of the spreadsheet."""
    from bakeoff.packages import make_frame

    nan = float("nan")
    columns = Report(kind_of(result), result).sheets.main
    return make_frame({name: [nan if x is None else x for x in column] for name, column in columns.items()})
