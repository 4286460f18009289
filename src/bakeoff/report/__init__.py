"""From a result to a report: one format-free document, one small writer per format."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bakeoff.checks import choice
from bakeoff.comparison import Comparison
from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.report.comparison import data as json
from bakeoff.report.comparison import document as comparison_contents
from bakeoff.report.document import Document
from bakeoff.report.formats import markdown, spreadsheet, terminal

if TYPE_CHECKING:
    from bakeoff.bayes import Overview
    from bakeoff.racing.results import RaceResult
    from bakeoff.running.results import RunResult

    Result = Comparison | Overview | RunResult | RaceResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What can be reported of one kind of result."""

    document: Callable[[Any, str | None], Document]
    to_dict: Callable[[Any, str | None], dict[str, Any]]
    sheets: Callable[[Any], spreadsheet.Sheets]


COMPARISON = Kind(document=comparison_contents.document, to_dict=json.to_dict, sheets=spreadsheet.sheets)


def kind_of(result: object) -> Kind:
    """How ``result`` is reported; the Bayesian room is loaded for its own results only."""
    if isinstance(result, Comparison):
        return COMPARISON
    from bakeoff.bayes import Overview

    if isinstance(result, Overview):
        from bakeoff.report.bayes import data as posterior_json
        from bakeoff.report.bayes import document as posterior_contents
        from bakeoff.report.bayes import tables as bayes_tables

        return Kind(document=posterior_contents.document, to_dict=posterior_json.to_dict, sheets=bayes_tables.sheets)
    from bakeoff.running.results import RunResult

    if isinstance(result, RunResult):
        from bakeoff.report.experiment import data as experiment_json
        from bakeoff.report.experiment import document as experiment_contents
        from bakeoff.report.experiment import tables as experiment_tables

        return Kind(
            document=experiment_contents.document, to_dict=experiment_json.to_dict, sheets=experiment_tables.sheets
        )
    from bakeoff.racing.results import RaceResult

    if isinstance(result, RaceResult):
        from bakeoff.report.race import data as race_json
        from bakeoff.report.race import document as race_contents
        from bakeoff.report.race import tables as race_tables

        return Kind(document=race_contents.document, to_dict=race_json.to_dict, sheets=race_tables.sheets)
    raise WrongTypeError(
        f"there is no report of a {type(result).__name__}; give the result of bo.compare, bo.run, bo.race or "
        "bo.bayes.overview"
    )


def document(result: Result, command: str | None = None) -> Document:
    """The report without a format; ``command`` is the command line that asked for it, if one did."""
    return kind_of(result).document(result, command)


def to_dict(result: Result, command: str | None = None) -> dict[str, Any]:
    """The content of ``--json``."""
    return kind_of(result).to_dict(result, command)


def _html(result: Result, command: str | None) -> str:
    from bakeoff.report.formats import html

    return html.render(document(result, command))


def _latex(result: Result, command: str | None) -> str:
    from bakeoff.report.formats import latex

    return latex.render(document(result, command))


# format -> writer; adding a format is one line here and one file
_FORMATS: dict[str, Callable[[Any, str | None], str]] = {
    "html": _html,
    "md": lambda result, command: markdown.render(document(result, command)),
    "tex": _latex,
    "json": lambda result, command: json.dump(to_dict(result, command)),
    "txt": lambda result, command: terminal.render(document(result, command)),
}
REPORTS = (".html", ".md", ".tex", ".json")
DIAGRAMS = (".svg", ".png", ".pdf")
# suffix -> writer of the pairs as a table
TABLES: dict[str, Callable[[spreadsheet.Sheets, Path], None]] = {
    ".csv": spreadsheet.write_csv,
    ".xlsx": spreadsheet.write_xlsx,
}


def render(result: Result, format: str, command: str | None = None) -> str:
    """The report as a string: ``"html"``, ``"md"``, ``"tex"``, ``"json"`` or ``"txt"``.

    Parameters
    ----------
    result : Comparison, Overview, RunResult or RaceResult
    format : str
    command : str, optional
        The command line that asked for the report; printed under its provenance.

    Examples
    --------
    The two algorithms of which Derrac et al. (2011), Example 3, finds SaDE better, here by Friedman ranks and Holm:

    >>> import bakeoff as bo
    >>> from bakeoff.report import render
    >>> result = bo.compare(bo.datasets.load("derrac_cec2005"), control="SaDE")
    >>> " ".join(render(result, "txt").split()).split(";")[0]
    'SaDE (the control) is better than PSO and CHC (2 of 8)'
    """
    return _FORMATS[choice("format", format, _FORMATS)](result, command)


def save(result: Result, path: str | os.PathLike[str], command: str | None = None) -> None:
    """Write a report (.html .md .tex .json), the diagram (.svg .png .pdf) or the pairs as a table (.csv .xlsx).

    The file appears complete or not at all: it is written beside its place and then moved there.

    Raises
    ------
    ParameterError
        An unknown suffix, a folder that does not exist, or a place that cannot be written.
    """
    import tempfile

    from bakeoff import figures  # geometry and ink: not at start-up

    target = check_path(path)
    suffix = target.suffix.lower()
    try:
        with tempfile.TemporaryDirectory(prefix=".bakeoff-", dir=target.parent) as folder:
            draft = Path(folder) / f"draft{suffix}"
            if suffix in DIAGRAMS:
                figures.save(figures.diagram(result), draft)
            elif suffix in TABLES:
                TABLES[suffix](kind_of(result).sheets(result), draft)
            else:
                content = render(result, suffix[1:], command)
                draft.write_text(content, encoding="utf-8", errors="replace", newline="\n")
            os.replace(draft, target)
    except OSError as error:
        raise ParameterError(f"path: cannot write {str(target)!r} ({error.strerror or error})") from None


def check_path(path: str | os.PathLike[str]) -> Path:
    """``path`` if a report could be written there, as far as can be told before the work is done."""
    target = Path(path)
    if target.suffix.lower() not in (*REPORTS, *DIAGRAMS, *TABLES):
        got = repr(target.suffix) if target.suffix else "no suffix"
        raise ParameterError(
            f"path must end in {', '.join(REPORTS)} (report), {', '.join(DIAGRAMS)} (diagram) or {', '.join(TABLES)} "
            f"(the pairs); got {got} in {str(target)!r}"
        )
    if target.suffix.lower() == ".xlsx":
        spreadsheet.require_openpyxl()
    if not target.parent.is_dir():
        raise ParameterError(f"path: the folder {str(target.parent)!r} does not exist; create it first")
    if target.is_dir():
        raise ParameterError(f"path: {str(target)!r} is a folder; name a file in it")
    if not os.access(target.parent, os.W_OK):
        raise ParameterError(f"path: the folder {str(target.parent)!r} cannot be written to; choose another one")
    return target


def pairs_frame(result: Result) -> Any:
    """One row per pair as a data frame (pandas if installed, else polars): the columns of the spreadsheet."""
    from bakeoff.reading import make_frame

    nan = float("nan")
    columns = kind_of(result).sheets(result).pairs
    return make_frame({name: [nan if x is None else x for x in column] for name, column in columns.items()})
