"""From a Leaderboard to the format-free Document, to JSON, and to columns."""

from bakeoff import numerals
from bakeoff.report import methods as shared, sections
from bakeoff.report.document import (
    ColumnSpec,
    Figure,
    Paragraph,
    Section,
    Table,
    equal_column,
    number_column,
    tabulate,
    text_column,
)
from bakeoff.report.telling import SIZES, Telling, ends, rows_of, sheet_columns
from bakeoff.wings.boards.leaderboard.statistics import Leaderboard, LeaderboardRow
from bakeoff.wings.boards.leaderboard.telling.sentences import (
    basis,
    methods,
    set_words,
    value_texts,
    verdict as verdict,
    winner_words,
)


def _body(result: Leaderboard) -> list[Section | None]:
    """Figure, standings, what the winner's score is worth, sets of algorithms not shown to differ."""
    drawn = Figure(result, "Ranks with simultaneous intervals", key="leaderboard")
    sets = [("", words) for words in set_words(result)] if result.groups else []
    return [
        sections.figure("Leaderboard", drawn, "leaderboard-figure"),
        Section("standings", "Standings", (standings(result),)),
        Section("winner", "What the winner's score is worth", (Paragraph((winner_words(result),)),)),
        sections.points("tied-sets", "Sets without a shown difference", sets),
    ]


def standings(result: Leaderboard) -> Table:
    """A row per algorithm, the best value first."""
    rows, level = result.standings, numerals.percent(1 - result.alpha)
    what = "mean rank" if result.by == "mean-rank" else "mean"
    values = dict(zip((row.algorithm for row in rows), value_texts(result), strict=True))
    shown: list[ColumnSpec[LeaderboardRow]] = [
        number_column("rank", "rank", lambda row: rank_words(row.rank), strong=True),
        text_column("name", "algorithm", lambda row: numerals.plain(row.algorithm)),
        number_column("value", what, lambda row: values[row.algorithm]),
        equal_column("se", "standard error", rows, lambda row: row.standard_error, digits=3, rank=2),
        text_column("candidate", "may be best", lambda row: "yes" if row.candidate else "no"),
        text_column("leading", "leading group", lambda row: "yes" if row.leading else "no", rank=1),
    ]
    note = (
        f"Ranks with simultaneous confidence {level}: those that the decided pairs leave possible. May be best: not "
        "shown to be worse than any other. Leading group: not shown to differ from the first. The value in the first "
        "row is the largest of several and not corrected for that."
    )
    if result.scores.better == "lower" or result.by == "mean-rank":
        note = note.replace("largest", "smallest")
    return tabulate("standings", "Standings, best value first", shown, rows, note=note)


def rank_words(rank: tuple[int, int]) -> str:
    low, high = rank
    return str(low) if low == high else f"{low}–{high}"


_OF_PAIRS = ("a", "b", "difference", "standard_error", "df", "pvalue", "adjusted", "sign_flip", "verdict")
_OF_ROWS = (
    *("algorithm", "value", ("standard error", "standard_error"), *ends("rank", "best rank", "worst rank")),
    *(("may be best", "candidate"), "leading"),
)

TELLING = Telling[Leaderboard](
    schema="bakeoff.leaderboard/1",
    title=lambda result: f"Leaderboard: {sections.sizes(result.scores)}",
    verdict=verdict,
    basis=basis,
    body=_body,
    on_screen=("standings", "winner", "tied-sets"),
    methods=lambda result: shared.joined(shared.sample(result.scores), methods(result), shared.software()),
    works=lambda result: shared.cited(methods(result)),
    keys=(
        *(*SIZES, "alpha", "by", "unit", "over", "n_clusters", "evaluation.exact", "evaluation.critical"),
        *("candidates", "leading", "rank_intervals", "groups", "winner", "standings", "pairs"),
    ),
    main=lambda result: sheet_columns(result.pairs, *_OF_PAIRS),
    second=lambda result: rows_of(result.standings, *_OF_ROWS),
)
