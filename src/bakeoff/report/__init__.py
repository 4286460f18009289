"""From a Comparison to a report: one format-free document, one small writer per format."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bakeoff.comparison import Comparison
from bakeoff.errors import ParameterError, choice
from bakeoff.report import json, markdown, spreadsheet, text
from bakeoff.report.contents import document
from bakeoff.report.json import to_dict as to_dict

_Writer = Callable[[Comparison, str | None], str]


def _html(comparison: Comparison, command: str | None) -> str:
    from bakeoff.report import html  # it draws: not at start-up

    return html.render(document(comparison, command))


def _latex(comparison: Comparison, command: str | None) -> str:
    from bakeoff.report import latex  # it draws: not at start-up

    return latex.render(document(comparison, command))


# format -> writer; adding a format is one line here and one file
_FORMATS: dict[str, _Writer] = {
    "html": _html,
    "md": lambda comparison, command: markdown.render(document(comparison, command)),
    "tex": _latex,
    "json": json.render,
    "txt": lambda comparison, command: text.render(document(comparison, command)),
}
REPORTS = (".html", ".md", ".tex", ".json")
DIAGRAMS = (".svg", ".png", ".pdf")
# suffix -> writer of the pairs as a table
TABLES: dict[str, Callable[[Comparison, Path], None]] = {
    ".csv": spreadsheet.write_csv,
    ".xlsx": spreadsheet.write_xlsx,
}


def render(comparison: Comparison, format: str, command: str | None = None) -> str:
    """The report as a string: ``"html"``, ``"md"``, ``"tex"``, ``"json"`` or ``"txt"``.

    Parameters
    ----------
    comparison : Comparison
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
    return _FORMATS[choice("format", format, _FORMATS)](comparison, command)


def save(comparison: Comparison, path: str | os.PathLike[str], command: str | None = None) -> None:
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
                figures.save(figures.diagram(comparison), draft)
            elif suffix in TABLES:
                TABLES[suffix](comparison, draft)
            else:
                content = render(comparison, suffix[1:], command)
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
    if not target.parent.is_dir():
        raise ParameterError(f"path: the folder {str(target.parent)!r} does not exist; create it first")
    if target.is_dir():
        raise ParameterError(f"path: {str(target)!r} is a folder; name a file in it")
    if not os.access(target.parent, os.W_OK):
        raise ParameterError(f"path: the folder {str(target.parent)!r} cannot be written to; choose another one")
    return target


def pairs_frame(comparison: Comparison) -> Any:
    """One row per pair as a data frame (pandas if installed, else polars): ``spreadsheet.pair_columns``."""
    from bakeoff.reading import make_frame

    nan = float("nan")
    columns = spreadsheet.pair_columns(comparison)
    return make_frame({name: [nan if x is None else x for x in column] for name, column in columns.items()})
