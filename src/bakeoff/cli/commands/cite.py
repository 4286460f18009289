"""``bakeoff cite``: BibTeX of what was used."""

import json
from collections.abc import Iterable
from pathlib import Path

import click

from bakeoff._version import __version__
from bakeoff.checks import nearest_or_all
from bakeoff.cli.options import Command
from bakeoff.errors import ReadingError, UnknownNameError


@click.command(name="cite", cls=Command)
@click.argument("names", metavar="[REPORT.json | METHOD]...", nargs=-1)
@click.option("--recipe", metavar="NAME", help="A paper's protocol: demsar-2006, garcia-2010, derrac-2011.")
def command(names: tuple[str, ...], recipe: str | None) -> None:
    """BibTeX of the procedures that were used.

    Names are reports saved as .json (what they used), or procedures as in `bakeoff compare`. Without names: the whole
    bibliography.

    \b
    bakeoff cite report.json >> paper.bib
    bakeoff cite friedman bergmann-hommel
    """
    from bakeoff.report.references import bibliography, bibtex

    requested = [*names, *([recipe] if recipe else [])]
    keys: Iterable[str] = [key for name in requested for key in _keys(name)] if requested else bibliography()
    click.echo(bibtex(keys, __version__), nl=False)


def _keys(name: str) -> tuple[str, ...]:
    """Of a saved report, or of a procedure."""
    if name.lower().endswith(".json"):
        return _of_report(Path(name))
    from bakeoff.analyses.compare.telling.citations import citations, known_names

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
        keys = json.loads(path.read_text(encoding="utf-8"))["references"]
        return tuple(reference(key).key for key in keys)
    except OSError as error:
        raise ReadingError(f"cannot read {str(path)!r}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        if isinstance(error, UnknownNameError):
            raise
        raise ReadingError(
            f"{str(path)!r} is not a report of bakeoff; make one with bakeoff compare FILE --report report.json"
        ) from None
