"""The table of pairs that iqm and ratings share: the most certain first, a long one cut."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from bakeoff import numerals
from bakeoff.report.document import ColumnSpec, Table, tabulate, text_column, winner_of
from bakeoff.scores.pair_family import OfTwo

LISTED = 40  # pairs that a page shows
P = TypeVar("P", bound=OfTwo)


def listed_pairs(ordered: Sequence[P], turn: Callable[[P], bool]) -> list[P]:
    """Those that a page shows, turned where that puts the better one first."""
    return [pair.turned if turn(pair) else pair for pair in ordered[:LISTED]]


def pairs_table(
    ordered: Sequence[P], listed: Sequence[P], shown: Sequence[ColumnSpec[P]], verdict: str, note: str
) -> Table:
    """``shown``: columns between both names and the verdict."""
    names: list[ColumnSpec[P]] = [
        text_column("a", "a", lambda pair: numerals.plain(pair.a)),
        text_column("b", "b", lambda pair: numerals.plain(pair.b)),
    ]
    return tabulate(
        "pairs",
        "Pairs, most certain first",
        [*names, *shown, text_column("verdict", verdict, winner_of)],
        [*listed, *ordered[LISTED:]],
        most=LISTED,
        strong=lambda pair: pair.verdict != "no difference shown",
        note=note,
    )
