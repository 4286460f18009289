"""``bakeoff cite``, ``explain`` and ``schema``: BibTeX of what was used, what a caution means, and JSON Schemas."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bakeoff._version import __version__
from bakeoff.checks import nearest_or_all
from bakeoff.cli.options import Command
from bakeoff.errors import ReadingError, UnknownNameError
from bakeoff.wing import data_folders

if TYPE_CHECKING:
    from bakeoff.cautions import Explanation, Fact

# ``bakeoff cite``: BibTeX of what was used.


@click.command(name="cite", cls=Command)
@click.argument("names", metavar="[REPORT.json | METHOD]...", nargs=-1)
def cite_command(names: tuple[str, ...]) -> None:
    """BibTeX of the procedures that were used.

    Names are reports saved as .json (what they used), or procedures and recipes as in `bakeoff compare`. Without
    names: the whole bibliography.

    \b
    bakeoff cite report.json >> paper.bib
    bakeoff cite friedman bergmann-hommel
    bakeoff cite demsar-2006
    """
    from bakeoff.report.references import bibliography, bibtex

    keys: Iterable[str] = [key for name in names for key in _keys(name)] if names else bibliography()
    click.echo(bibtex(keys, __version__), nl=False)


def _keys(name: str) -> tuple[str, ...]:
    """The keys of a saved report, or of a procedure."""
    if name.lower().endswith(".json"):
        return _of_report(Path(name))
    from bakeoff.analyses.compare.reporting.citations import citations, known_names

    keys = citations(name)
    if keys is None:
        raise UnknownNameError(
            f"no procedure is called {name!r} (name a report by its .json file){nearest_or_all(name, known_names())}"
        )
    return keys


def _of_report(path: Path) -> tuple[str, ...]:
    """The keys that a saved report lists."""
    from bakeoff.report.references import reference

    try:
        return tuple(reference(key).key for key in _content(path)["references"])
    except (KeyError, TypeError):
        raise _no_report(path) from None


def _content(path: Path) -> dict[str, Any]:
    """The content of a saved report."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ReadingError(f"cannot read {str(path)!r}: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise _no_report(path)
    return content


def _no_report(path: Path) -> ReadingError:
    return ReadingError(
        f"{str(path)!r} is not a report of bakeoff; make one with bakeoff compare FILE --report report.json"
    )


# ``bakeoff explain``: what a caution means, and what to do.

WIDTH = 80


@click.command(name="explain", cls=Command)
@click.argument("code", metavar="CODE", required=False)
@click.argument("about", metavar="OBJECT", required=False)
def explain_command(code: str | None, about: str | None) -> None:
    """What does a caution mean, and what should I do?

    CODE and OBJECT stand before the colon of a caution, as in "! too-few (units): There are ..."; some
    codes have no OBJECT. Without them: all cautions, each with the question it raises.

    \b
    bakeoff explain near-ties
    bakeoff explain too-few units
    bakeoff explain
    """
    from bakeoff.cautions import explanation, fact, sections

    if code is not None:
        code, about = split(code, about)
        known = fact(code)
        alone = len(known.objects) == 1
        click.echo(entry_text(explanation(code, about or "")) if about or alone else fact_text(known))
        return
    for section in sections():
        click.echo(f"{section.title}\n")
        for each in section.facts:
            click.echo("\n".join(lines_of(each)))
        click.echo()
    click.echo("bakeoff explain CODE [OBJECT] says what one means and what to do; bakeoff demo CODE [OBJECT] shows it.")


def split(code: str, about: str | None) -> tuple[str, str | None]:
    """A caution may also be named as it is printed: ``"too-few (units)"``."""
    if about is None and (match := re.fullmatch(r"([\w-]+) \(([\w-]+)\)", code)):
        return match[1], match[2]
    return code, about if about is None else about.strip("()")


def lines_of(known: Fact) -> list[str]:
    """Code and question; below them each object that asks another question."""
    others = [entry for entry in known.objects if not entry.like and entry.question != known.question]
    return [f"  {known.code:30} {known.question}", *(f"    {entry.object:28} {entry.question}" for entry in others)]


def fact_text(known: Fact) -> str:
    """The text that all objects share, and their names."""
    names = ", ".join(entry.object for entry in known.objects)
    lines = [f"{known.code}: {known.question}", "", textwrap.fill(plain_words(known.means), WIDTH), ""]
    if known.do:
        lines += [textwrap.fill(plain_words(f"What to do: {known.do}"), WIDTH), ""]
    lines += [textwrap.fill(f"Objects: {names}", WIDTH, break_on_hyphens=False), ""]
    return "\n".join([*lines, f"More about one of them: bakeoff explain {known.code} OBJECT"])


def entry_text(entry: Explanation) -> str:
    """In the columns of a terminal."""
    lines = [f"{entry.name} ({entry.severity}): {entry.question}", ""]
    lines += [textwrap.fill(plain_words(entry.means), WIDTH), ""]
    lines += [textwrap.fill(plain_words(f"What to do: {entry.do}"), WIDTH)]
    if entry.run:
        lines += ["", f"See it on a tiny table: bakeoff demo {entry.code} {entry.object}".rstrip()]
    return "\n".join(lines)


def plain_words(markdown: str) -> str:
    """Markdown without its marks."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", " ".join(markdown.split()))
    return text.replace("**", "").replace("`", "")


# ``bakeoff schema``: the JSON Schemas of what bakeoff writes and reads.


def schemas() -> dict[str, Path]:
    """The file of each schema, by its name."""
    by_name = {path.stem: path for folder in data_folders("schemas") for path in folder.glob("*.json")}
    return dict(sorted(by_name.items()))


@click.command(name="schema", cls=Command)
@click.argument("name", metavar="[KIND | REPORT.json]", required=False)
def schema_command(name: str | None) -> None:
    """The JSON Schema of a kind of report, or of an experiment file.

    KIND is a report's key "schema" without bakeoff. and /1; a report saved as .json names its own kind. Without it:
    the list of all.

    \b
    bakeoff schema
    bakeoff schema compare > compare.schema.json
    """
    known = schemas()
    if name is None:
        width = max(map(len, known))
        for kind, path in known.items():
            title = json.loads(path.read_text(encoding="utf-8"))["title"]
            click.echo(f"{kind:{width}}  {title}")
        return
    kind = _kind_of(Path(name)) if name.lower().endswith(".json") and name not in known else _kind(name)
    if kind not in known:
        raise UnknownNameError(f"there is no schema of {kind!r}{nearest_or_all(kind, known)}")
    click.echo(known[kind].read_text(encoding="utf-8"), nl=False)


def _kind(name: str) -> str:
    """``bakeoff.compare/1`` is the schema compare."""
    return name.removeprefix("bakeoff.").removesuffix("/1")


def _kind_of(report: Path) -> str:
    """The kind that a saved report states."""
    schema = _content(report).get("schema")
    if not isinstance(schema, str):
        raise _no_report(report)
    return _kind(schema)
