"""From the result of a race to the format-free Document, and to JSON."""

from typing import Any

from bakeoff.figures.geometry.race.survivors import SurvivorsPlot
from bakeoff.racing.results import RaceResult
from bakeoff.report import sections
from bakeoff.report.data import all_but, null_for_infinity, plain_data
from bakeoff.report.document import Block, Document, Figure, Section
from bakeoff.report.methods import versions
from bakeoff.report.race import sentences, tables
from bakeoff.report.race.methods import methods, race_keys
from bakeoff.report.race.sentences import verdict as verdict
from bakeoff.report.race.tables import sheets as sheets
from bakeoff.report.sections import one_block

SCHEMA = "bakeoff.race/1"


def document(result: RaceResult, command: str | None = None) -> Document:
    """The whole report; ``command`` is the command line that asked for it, if one did."""
    survivors: list[Block] = [tables.survivors(result)]
    if len(result.standings) > 1:
        survivors.append(Figure(SurvivorsPlot(race=result), "The survivors beside the best one.", key="survivors"))
    drawn = Figure(result, "The race: evidence against each candidate over the evaluations spent.")
    digest = getattr(result, "digest", None)  # of a race that was run
    return Document(
        title=f"A race of {len(result.algorithms)} candidates on {sentences.available(result)}",
        verdict=verdict(result),
        basis=sentences.basis(result),
        sections=sections.present(
            sections.figure("The race", drawn if result.problems else None),
            sections.cautions(result.cautions),
            sections.points("promise", "What is guaranteed", sentences.promises(result)),
            Section("survivors", "Survivors", tuple(survivors)),
            one_block("eliminated", "Eliminated", tables.eliminated(result)),
            sections.points("cost", "What it cost", sentences.costs(result)),
            sections.methods(methods(result)),
            sections.references(race_keys(result)),
            sections.provenance(None, command, *([("SHA-256 of all runs", digest)] if digest else [])),
        ),
        on_screen=("promise", "survivors", "eliminated", "cautions"),
        doubts=sections.doubts(result.cautions),
    )


def to_dict(result: RaceResult, command: str | None = None) -> dict[str, Any]:
    """The fields of the result under their own names; infinite evidence is null."""
    unsaid = () if result.metric else ("metric",)
    keys = {
        type(result): all_but(type(result), "contents", *unsaid)
    }  # without the single runs of a race that made them
    content = {"schema": SCHEMA, "verdict": sentences.verdict(result), **plain_data(result, keys)}
    content |= {"saved": result.saved, "references": list(race_keys(result)), "versions": versions()}
    return null_for_infinity(content | ({"command": command} if command else {}))
