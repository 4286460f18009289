"""All that is written about a result, as text in which nothing varies from one installation to another."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import bakeoff as bo
from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.figures import to_svg
from bakeoff.report.formats import FORMATS, TABLES, Report, terminal
from bakeoff.report.formats.html import render_fragment, render_strict
from bakeoff.report.formats.pictures import picture_of
from bakeoff.report.formats.terminal import Page
from bakeoff.report.kinds import kind_of, pictured
from bakeoff.reportable import Reportable

WIDTHS = (80, 140)
COMMAND = "bakeoff golden scores.csv"
STYLE = "style.css"
DIAGRAMS = {"compare": ("line", "list"), "bayes": ("statements", "ridges"), "evaluate": ("means", "differences")}
WRITTEN = ("txt", "md", "tex", "json", "html", "csv", "svg")
ELSEWHERE = ("xlsx", "png", "pdf", "tikz")  # the cells of .csv and the drawing of .svg, in bytes; TikZ is in .tex

_VERSION = r"\d+\.\d+(?:\.\w+)*"
_MASKS = (
    (re.compile(rf'("(?:bakeoff|python|numpy|scipy)": )"{_VERSION}"'), r'\1"#"'),
    (re.compile(rf"\b(bakeoff|[Pp]ython|NumPy|numpy|SciPy|scipy) {_VERSION}"), r"\1 #"),
    (re.compile(r'(?<="platform": ")[^"]*'), "#"),
    (re.compile(r'(?<=")([td])[0-9a-f]{10}(?=")'), r"\1#"),
    (re.compile(r"(?<='sha256-)[\w+/]{43}=(?=')"), "#"),
    (re.compile(r"(?<=docs checker; SHA-256 )[0-9a-f]{64}"), "#"),
    (re.compile(r"(?<=<script>).*?(?=</script>)", re.DOTALL), "#"),  # written from src/bakeoff/wings/page/script
    (re.compile(r'(?<="bakeoff-data">)[^<]*'), "#"),  # the JSON
)
_SVG = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
_STYLE = re.compile(r"(?<=<style>\n).*?(?=</style>)", re.DOTALL)


def masked(text: str) -> str:
    """Without the machine and the versions of the programs that computed it, and the names of drawings, which are sums
    of all of it.
    """
    for pattern, instead in _MASKS:
        text = pattern.sub(instead, text)
    return text


def rendered(name: str, result: Reportable) -> dict[str, str]:
    """By name of a file: what every format says of ``result``; a format that it does not have is left out."""
    return {f"{name}.{end}": masked(text) for end, text in _written(name, result)}


def _written(name: str, result: Any) -> Iterator[tuple[str, str]]:
    """In full for one result of a kind and for names that need escaping; of the others, what differs from them."""
    kind, full = kind_of(result), name.endswith(("/plain", "/names"))
    report = Report(kind, result, COMMAND, stem=name.rpartition("/")[2])
    for width in WIDTHS if full else WIDTHS[:1]:
        yield f"{width}.txt", terminal.render(report.document, Page(width=width, wider="--look width=N"))
    for suffix in ("md", "json", "tex") if full and not kind.tex_is_picture else ("md", "json"):
        yield suffix, FORMATS[suffix](report)
    drawings = dict(_drawings(report, full))
    yield from drawings.items()
    if name.startswith("check/"):  # the core is rendered without the wing, too
        from bakeoff.wings.guard.check.reporting import junit, summary

        yield "junit.xml", junit(result)
        yield "summary.md", summary(result)
    if not full:
        return
    with tempfile.TemporaryDirectory() as folder:
        TABLES["csv"](report, Path(folder) / "pairs.csv")
        yield "csv", (Path(folder) / "pairs.csv").read_bytes().decode()
    pages = {"html": FORMATS["html"](report), "notebook.html": render_fragment(report.document)}
    pages["serve.html"] = "\n<hr>\n".join(render_strict(report.document))
    known = {_SVG.findall(drawing)[0]: f"[{name}.{end}]" for end, drawing in drawings.items()}
    for end, page in pages.items():
        yield end, _without(page, f"{name}.{end}", known)


def _drawings(report: Report, full: bool) -> Iterator[tuple[str, str]]:
    try:
        usual = to_svg(picture_of(pictured(report.kind, report.result), report.look))
    except (ParameterError, WrongTypeError):
        return  # there is none: a file that is recorded would be missed
    yield "svg", usual
    for form in DIAGRAMS.get(report.result.kind, ()) if full else ():
        if (drawing := to_svg(bo.diagram(report.result, kind=form))) != usual:
            yield f"{form}.svg", drawing


def _without(page: str, name: str, known: dict[str, str]) -> str:
    """A page in which each drawing that stands elsewhere is only named."""

    def named(found: re.Match[str]) -> str:
        if (drawing := found[0]) in known:
            return known[drawing]
        known[drawing] = f"[drawing {len(known) + 1}, {name}]"
        return drawing

    return _SVG.sub(named, page)


def apart(contents: dict[str, str]) -> dict[str, str]:
    """The style of the pages in a file of its own; a page with another style keeps it."""
    pages = {name: style[0] for name, text in contents.items() if (style := _STYLE.search(text)) is not None}
    if not pages:
        return contents
    common = pages[min(pages)]
    short = {name: _STYLE.sub(f"[{STYLE}]\n", contents[name]) for name, style in pages.items() if style == common}
    return {STYLE: common} | contents | short


def everything(cases: Mapping[str, Callable[[], Reportable]]) -> dict[str, str]:
    """All files of all cases; of a case that fails, the error in the place of its page."""
    contents: dict[str, str] = {}
    for name, make in cases.items():
        try:
            contents |= rendered(name, make())
        except Exception as error:  # the other cases are still compared
            contents[f"{name}.80.txt"] = f"{type(error).__name__}: {error}\n"
    return apart(contents)
