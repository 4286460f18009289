"""What a report says of categories: a row for each, ranks side by side, and which distances change."""

from typing import Any

import numpy as np

from bakeoff import numerals
from bakeoff.report import sections
from bakeoff.report.document import ColumnSpec, Row, Table, number_column, tabulate, text_column
from bakeoff.wings.boards.ratings.figure.category_ranks import ranks
from bakeoff.wings.boards.ratings.statistics import RatedBoard, RatedChange, Ratings

LISTED = 40  # changes that a page shows
NAMED = 3  # leaders; of more, the table says how many


def categories_sentence(result: Ratings) -> str:
    """What changes between categories, and what holds at once; nothing of battles without them."""
    if not result.battles.categories:
        return ""
    n, of = len(result.boards), len(result.changes)
    if n == 0:
        return "No category could be rated by itself."
    turned = [c for c in result.changes if c.verdict == "order changes"]
    moved = sum(c.verdict == "distance changes" for c in result.changes)
    if n == 1:
        sentence = "One category alone could be rated by itself"
    elif len(turned) == 1:
        (one,) = turned
        a, b, first, second = map(numerals.plain, (one.a, one.b, one.first, one.second))
        sentence = f"The order of {a} and {b} changes between {first} and {second}"
    elif turned:
        sentence = f"Between {n} categories, the order changes in {len(turned)} of {of} pairs"
    elif moved:
        sentence = f"Between {n} categories, {moved} of {of} distances change, but no order is shown to"
    else:
        sentence = f"No change between the {n} categories is shown"
    return f"{sentence}. All {result.n_boards} boards hold at once at α = {result.alpha:g}."


def categories_basis(result: Ratings) -> str:
    """After "pairs and ranks simultaneous at α = 0.05"."""
    if not result.boards:
        return ""
    changes = f"; {result.n_changes} changes between two categories by Welch's t, Holm" if result.n_changes else ""
    return f" over {result.n_boards} boards, each at α/{result.n_boards}{changes}"


def categories_table(result: Ratings) -> Table | None:
    """All battles first; categories without a board say why."""
    b = result.battles
    if b.category is None:
        return None
    counts = np.zeros((len(b.categories), 3))
    np.add.at(counts, b.category, b.counts)
    of = {str(board.category): board for board in result.boards}
    rows: list[tuple[str, Any, RatedBoard | str]] = [("all", b.counts.sum(axis=0), result)]
    reasons = dict(result.unrated)
    rows += [
        (name, n, of.get(name) or f"not rated: {reasons[name]}") for name, n in zip(b.categories, counts, strict=True)
    ]

    def differ(board: RatedBoard | str) -> str:
        if isinstance(board, str):
            return numerals.MISSING
        return f"{sum(p.verdict.endswith('better') for p in board.pairs)} of {len(board.pairs)}"

    def leaders(board: RatedBoard | str) -> str:
        if isinstance(board, str):
            return numerals.plain(board)
        if len(board.leaders) <= NAMED:
            return numerals.name_list([numerals.plain(name) for name in board.leaders])
        return f"{len(board.leaders)} of {len(board.algorithms)}"

    shown: list[ColumnSpec[tuple[str, Any, RatedBoard | str]]] = [
        text_column("category", "category", lambda row: numerals.plain(row[0])),
        number_column("battles", "battles", lambda row: f"{row[1].sum():g}"),
        number_column("tied", "tied", lambda row: numerals.in_percent(row[1][2] / row[1].sum()), rank=4),
        number_column("algorithms", "algorithms",
                      lambda row: numerals.MISSING if isinstance(row[2], str) else str(len(row[2].algorithms)), rank=3),
        number_column("differ", "pairs that differ", lambda row: differ(row[2]), rank=2),
        text_column("leaders", "may be the strongest", lambda row: leaders(row[2]), wraps=True),
    ]  # fmt: skip
    note = "Categories with a board of their own; what differs holds in all boards at once." if result.boards else ""
    return tabulate("categories", "Categories", shown, rows, muted=lambda row: isinstance(row[2], str),
                    pinned=lambda row: row[2] is result, note=note)  # fmt: skip


def ranks_table(result: Ratings) -> Table | None:
    """Rank intervals of each algorithm, a column for each category."""
    if not result.boards:
        return None
    boards = (result, *result.boards)
    of = [dict(zip(board.algorithms, board.rank_intervals.tolist(), strict=True)) for board in boards]
    order = [result.algorithms[i] for i in np.argsort(-result.strengths, kind="stable").tolist()]
    rows = [
        Row(
            (numerals.plain(name), *(ranks(each[name]) if name in each else numerals.MISSING for each in of)),
            bold=frozenset(1 + j for j, each in enumerate(of) if name in each and each[name][0] == 1),
        )
        for name in order
    ]
    return Table(
        key="category-ranks",
        caption="Ranks by category, the strongest of all battles first",
        columns=sections.algorithm_columns("algorithm", ["all", *(str(board.category) for board in result.boards)]),
        rows=rows,
        note="All of them at once. Bold: may be the strongest.",
        folded=True,
        wide=len(boards) > sections.WIDEST,
        square=True,
    )


def changes_table(result: Ratings, shown_ones: bool) -> Table | None:
    """A row per pair whose change is shown, or of the others."""
    rows = [c for c in result.changes if (c.verdict != "no change shown") is shown_ones]
    if not rows:
        return None
    words = {"order changes": "order", "distance changes": "distance", "no change shown": numerals.MISSING}
    shown: list[ColumnSpec[RatedChange]] = [
        text_column("a", "a", lambda c: numerals.plain(c.a)),
        text_column("b", "b", lambda c: numerals.plain(c.b)),
        text_column("first", "in", lambda c: numerals.plain(c.first)),
        number_column("difference_first", "a − b", lambda c: numerals.decimals(c.difference_first, 2)),
        text_column("second", "and in", lambda c: numerals.plain(c.second)),
        number_column("difference_second", "a − b", lambda c: numerals.decimals(c.difference_second, 2)),
        number_column("error", "SE of the change", lambda c: numerals.decimals(c.standard_error, 2), rank=3),
        number_column("p", "adjusted p", lambda c: numerals.pvalue(c.adjusted, alpha=result.alpha)),
        text_column("verdict", "changes", lambda c: words[c.verdict]),
    ]
    caption = f"The {len(rows)} pairs without a shown change, the surest first"
    note = (
        "The two categories in which a pair's distance, the difference of log strengths, differs most surely. Order: "
        "a is shown to be stronger in one, b in the other. Distance: by the test of the change alone."
    )
    return tabulate("changes", "Changes between categories, the surest first", shown, rows, most=LISTED,
                    note=note) if shown_ones else tabulate("changes-rest", caption, shown, rows, most=LISTED,
                    folded=True, note="")  # fmt: skip
