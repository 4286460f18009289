"""From the result of a race to the format-free Document."""

from __future__ import annotations

from typing import Any

from bakeoff import numerals
from bakeoff.figures.geometry.race.survivors import SurvivorsPlot
from bakeoff.racing.results import STOPPED
from bakeoff.report.comparison.document import cautions_section, references_section
from bakeoff.report.comparison.methods import joined, software, versions
from bakeoff.report.document import Cite, Document, Figure, Paragraph, Points, Section, Text
from bakeoff.report.race import sentences, tables
from bakeoff.report.race.data import race_keys


def document(result: Any, command: str | None = None) -> Document:
    """The whole report; ``command`` is the command line that asked for it, if one did."""
    left: list[Any] = [tables.survivors(result)]
    if len(result.standings) > 1:
        left.append(Figure(SurvivorsPlot(race=result), "The survivors beside the best one.", key="survivors"))
    gone = tables.eliminated(result)
    drawn = Figure(result, "The race: evidence against each candidate over the evaluations spent.")
    sections = [
        Section(key="diagram", title="The race", blocks=(drawn,)) if result.problems else None,
        cautions_section(result.cautions),
        Section(key="promise", title="What is promised", blocks=(Points(sentences.promises(result)),)),
        Section(key="survivors", title="Who is left", blocks=tuple(left)),
        None if gone is None else Section(key="eliminated", title="Who left", blocks=(gone,)),
        Section(key="cost", title="What it cost", blocks=(Points(sentences.costs(result)),)),
        Section(key="methods", title="Methods, ready to paste", blocks=(Paragraph(methods(result)),)),
        references_section(race_keys(result)),
        _provenance(result, command),
    ]
    return Document(
        title=f"A race of {len(result.algorithms)} candidates on {numerals.count(result.n_available, 'problem')}",
        verdict=sentences.verdict(result),
        basis=sentences.basis(result),
        sections=tuple(section for section in sections if section is not None),
        read_first=("promise",),
    )


def methods(result: Any) -> Text:
    """The paragraph as text with citations."""
    parts: list[Text] = [
        (
            f"{len(result.algorithms)} candidates were raced on {numerals.count(result.n_available, 'problem')} "
            f"(order: {result.order}) by {sentences.rule(result)} ",
            Cite(race_keys(result)),
            ".",
        ),
        (
            f"The race ended because {STOPPED[result.stopped]}, after {numerals.count(result.n_problems, 'problem')} "
            f"and {sentences.spent(result)}.",
        ),
    ]
    if result.anytime:
        parts.append((f"The rule promises that {result.guarantee}.",))
    return joined([*parts, software()])


def _provenance(result: Any, command: str | None) -> Section:
    items = [("versions", ", ".join(f"{name} {version}" for name, version in versions().items()), "")]
    if (digest := getattr(result, "digest", None)) is not None:
        items.append(("SHA-256 of all runs", digest, ""))
    if command:
        items.append(("command", numerals.plain(command), ""))
    return Section(key="provenance", title="Provenance", blocks=(Points(tuple(items)),))
