"""From a Leaderboard to the format-free Document, to JSON, and to columns."""

from __future__ import annotations

from typing import Any

from bakeoff import numerals
from bakeoff.leaderboards import Leaderboard, LeaderboardRow
from bakeoff.report import methods as shared, sections
from bakeoff.report.data import asked, finite, origin, plain_data
from bakeoff.report.document import (
    Document,
    Figure,
    Paragraph,
    Points,
    Section,
    Sheets,
    Shown,
    Table,
    numeric,
    tabulate,
    words,
)
from bakeoff.report.leaderboard.sentences import (
    basis,
    methods,
    set_words,
    value_texts,
    verdict as verdict,
    winner_words,
)

SCHEMA = "bakeoff.leaderboard/1"


def document(found: Leaderboard, command: str | None = None) -> Document:
    """Standings with their ranks, the winner's corrected value, tied sets."""
    told = shared.joined(shared.sample(found.scores), methods(found), shared.software())
    return Document(
        title=f"Leaderboard: {sections.sizes(found.scores)}",
        verdict=verdict(found),
        basis=basis(found),
        sections=sections.present(
            *board_sections(found),
            sections.cautions(found.cautions),
            sections.methods(told),
            sections.references(shared.cited(told)),
            sections.provenance(found.scores, command),
        ),
        on_screen=("standings", "winner", *(["tied-sets"] if found.groups else []), "cautions"),
        doubts=sections.doubts(found.cautions),
    )


def board_sections(found: Leaderboard) -> list[Section]:
    """What a comparison takes in as well."""
    figure = Figure(found, "Ranks with simultaneous intervals", key="leaderboard")
    made = [
        Section("leaderboard-figure", "Leaderboard", (figure,), role="figure"),
        Section("standings", "Standings", (standings(found),)),
        Section("winner", "What the winner's score is worth", (Paragraph((winner_words(found),)),)),
    ]
    if found.groups:
        said = tuple(("", told, "") for told in set_words(found))
        made.append(Section("tied-sets", "Sets without a shown difference", (Points(said),)))
    return made


def standings(found: Leaderboard) -> Table:
    """A row per algorithm, the best value first."""
    rows, level = found.standings, numerals.percent(1 - found.alpha)
    what = "mean rank" if found.by == "mean-rank" else "mean"
    names = [row.algorithm for row in rows]
    values = dict(zip(names, value_texts(found), strict=True))
    errors = dict(zip(names, numerals.alike([row.standard_error for row in rows], 3), strict=True))
    shown: list[Shown[LeaderboardRow]] = [
        numeric("rank", "rank", lambda row: rank_words(row.rank), strong=True),
        words("name", "algorithm", lambda row: numerals.plain(row.algorithm)),
        numeric("value", what, lambda row: values[row.algorithm]),
        numeric("se", "standard error", lambda row: errors[row.algorithm], rank=2),
        words("candidate", "may be best", lambda row: "yes" if row.candidate else "no"),
        words("leading", "leading group", lambda row: "yes" if row.leading else "no", rank=1),
    ]
    note = (
        f"Ranks with simultaneous confidence {level}: what the pairs decided leave possible. May be best: not shown to "
        "be worse than any other. Leading group: not shown to differ from the first. The value in the first row is the "
        "largest of several and not corrected for that."
    )
    if found.scores.better == "lower" or found.by == "mean-rank":
        note = note.replace("largest", "smallest")
    return tabulate("standings", "Standings, the best value first", shown, rows, note=note)


def rank_words(rank: tuple[int, int]) -> str:
    low, high = rank
    return str(low) if low == high else f"{low}–{high}"


def content(found: Leaderboard) -> dict[str, Any]:
    """What it says, without the scores."""
    return {
        "verdict": verdict(found),
        "alpha": found.alpha,
        "by": found.by,
        "unit": found.unit,
        "n_clusters": found.n_clusters,
        "exact": found.evaluation.exact,
        "critical": found.evaluation.critical,
        "candidates": list(found.candidates),
        "leading": list(found.leading),
        "rank_intervals": {name: list(rank) for name, rank in found.rank_intervals.items()},
        "groups": [list(group) for group in found.groups],
        "winner": plain_data(found.winner),
        "standings": plain_data(list(found.standings)),
        "pairs": plain_data(list(found.pairs)),
    }


def to_dict(found: Leaderboard, command: str | None = None) -> dict[str, Any]:
    """Everything a script may want."""
    s = found.scores
    head = {"schema": SCHEMA, "better": s.better, "n_problems": s.n_problems, "n_algorithms": s.n_algorithms}
    whence = origin(s, found.cautions, shared.cited(methods(found)), command)
    return finite(head | content(found) | whence | asked(found))


def sheets(found: Leaderboard) -> Sheets:
    """A row per pair; the standings as a ranking."""
    keys = ("a", "b", "difference", "standard_error", "df", "pvalue", "adjusted", "sign_flip", "verdict")
    columns: dict[str, list[Any]] = {key: [getattr(p, key) for p in found.pairs] for key in keys}
    head = ("algorithm", "value", "standard error", "best rank", "worst rank", "may be best", "leading")
    listed = [
        (row.algorithm, row.value, row.standard_error, *row.rank, row.candidate, row.leading) for row in found.standings
    ]
    return Sheets(pairs=columns, ranking=[head, *listed], cautions=found.cautions)
