"""From the result of a race to the format-free Document."""

from __future__ import annotations

from bakeoff import numerals
from bakeoff.figures.geometry.race.survivors import SurvivorsPlot
from bakeoff.racing.results import RaceResult
from bakeoff.report.document import Block, Document, Figure, Section
from bakeoff.report.race import sentences, tables
from bakeoff.report.race.data import to_dict as to_dict
from bakeoff.report.race.methods import methods, race_keys
from bakeoff.report.race.tables import sheets as sheets
from bakeoff.report.sections import (
    cautions_section,
    methods_section,
    one_block,
    points,
    present,
    provenance_section,
    references_section,
)


def document(result: RaceResult, command: str | None = None) -> Document:
    """The whole report; ``command`` is the command line that asked for it, if one did."""
    survivors: list[Block] = [tables.survivors(result)]
    if len(result.standings) > 1:
        survivors.append(Figure(SurvivorsPlot(race=result), "The survivors beside the best one.", key="survivors"))
    drawn = Figure(result, "The race: evidence against each candidate over the evaluations spent.")
    digest = getattr(result, "digest", None)  # of a race that was run
    sections = [
        one_block("diagram", "The race", drawn if result.problems else None),
        cautions_section(result.cautions),
        points("promise", "What is guaranteed", sentences.promises(result)),
        Section(key="survivors", title="Survivors", blocks=tuple(survivors)),
        one_block("eliminated", "Eliminated", tables.eliminated(result)),
        points("cost", "What it cost", sentences.costs(result)),
        methods_section(methods(result)),
        references_section(race_keys(result)),
        provenance_section(command=command, more=[] if digest is None else [("SHA-256 of all runs", digest)]),
    ]
    return Document(
        title=f"A race of {len(result.algorithms)} candidates on {numerals.count(result.n_available, 'problem')}",
        verdict=sentences.verdict(result),
        basis=sentences.basis(result),
        sections=present(sections),
        on_screen=("promise", "survivors", "eliminated", "cautions"),
    )
