"""From the result of a race to the format-free Document, and to JSON."""

from typing import Any

from bakeoff.report import sections
from bakeoff.report.data import all_but, null_for_infinity, plain_data
from bakeoff.report.document import Block, Figure, Section
from bakeoff.report.sections import one_block
from bakeoff.report.telling import Telling
from bakeoff.wings.run.race.figure.survivors import SurvivorsPlot
from bakeoff.wings.run.race.telling import sentences, tables
from bakeoff.wings.run.race.telling.methods import methods, race_keys
from bakeoff.wings.run.race.telling.sentences import verdict as verdict
from bakeoff.wings.run.racing.results import RaceResult


def _body(result: RaceResult) -> list[Section | None]:
    drawn = Figure(result, "The race: evidence against each candidate over the evaluations spent.")
    survivors: list[Block] = [tables.survivors(result)]
    if len(result.standings) > 1:
        survivors.append(
            Figure(SurvivorsPlot(race=result), "The survivors compared with the best one.", key="survivors")
        )
    return [
        sections.figure("The race", drawn if result.problems else None),
        sections.cautions(result.cautions),
        sections.points("promise", "What is guaranteed", sentences.promises(result)),
        Section("survivors", "Survivors", tuple(survivors)),
        one_block("eliminated", "Eliminated", tables.eliminated(result)),
        sections.points("cost", "What it cost", sentences.costs(result)),
    ]


def _checksum(result: RaceResult) -> list[tuple[str, str]]:
    digest = getattr(result, "digest", None)  # of a race that was run
    return [("SHA-256 of all runs", digest)] if digest else []


def _content(result: RaceResult) -> dict[str, Any]:
    """The fields of the result under their own names, without the single runs of a race that made them."""
    unsaid = () if result.metric else ("metric",)
    fields = plain_data(result, {type(result): all_but(type(result), "contents", *unsaid)})
    return {**fields, "saved": result.saved}


TELLING = Telling[RaceResult](
    schema="bakeoff.race/1",
    title=lambda result: f"A race of {len(result.algorithms)} candidates on {sentences.available(result)}",
    verdict=verdict,
    basis=sentences.basis,
    body=_body,
    on_screen=("promise", "survivors", "eliminated"),
    methods=methods,
    works=race_keys,
    keys=_content,
    table=lambda result: None,
    more=_checksum,
    source=None,
    infinite=null_for_infinity,
    main=tables.candidates,
    second=tables.ranking,
)
