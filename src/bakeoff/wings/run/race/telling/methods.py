"""The methods paragraph of a race's report, ready to paste, and whom to cite."""

from bakeoff.report.document import Cite, Text
from bakeoff.report.methods import joined, software
from bakeoff.wings.run.race.telling import sentences
from bakeoff.wings.run.racing.results import STOPPED, RaceResult
from bakeoff.wings.run.racing.rule_options import rule_of


def race_keys(result: RaceResult) -> tuple[str, ...]:
    """Keys of the bibliography."""
    return rule_of(result.method).cite


def methods(result: RaceResult) -> Text:
    """The paragraph as text with citations."""
    parts: list[Text] = [
        (
            f"{len(result.algorithms)} candidates were raced on {sentences.available(result)} "
            f"(order: {result.order}{sentences.metric_phrase(result)}) by {sentences.rule_phrase(result)} ",
            Cite(race_keys(result)),
            ".",
        ),
        (
            f"The race ended because {STOPPED[result.stopped]}, after {sentences.used(result)} "
            f"and {sentences.spent(result)}.",
        ),
    ]
    if result.n_clusters is not None:
        parts.append(
            ("A cluster counted as one problem; its evidence on a pair: the share of problems won minus that lost.",)
        )
    if result.anytime:
        parts.append((f"The rule guarantees that {result.guarantee}.",))
    return joined(*parts, software())
