"""The best candidate against each other survivor: its share of wins where they differ, with confidence sequences."""

from dataclasses import dataclass

from bakeoff.figures.geometry.metrics import printable, shorten
from bakeoff.figures.geometry.primitives import SMALL, Drawing, Width
from bakeoff.figures.geometry.rows import LISTED, Forest, ForestRow, draw_forest
from bakeoff.numerals import decimals
from bakeoff.wings.run.racing.results import RaceResult, Standing

_WIDEST = 90.0  # points of the best one's name


@dataclass(frozen=True, slots=True, kw_only=True)
class SurvivorsPlot:
    """Of the result of a race with at least two survivors."""

    race: RaceResult


def draw_survivors(plot: SurvivorsPlot, width_mm: Width) -> Drawing:
    """A row for each other survivor, while they are few."""
    race = plot.race
    rows = [s for s in race.standings if s.algorithm != race.best][:LISTED]
    more = len(race.standings) - 1 - len(rows)
    caption = (
        f"Dots: on the problems that all survivors ran on. Lines: confidence sequences; all of them contain the true "
        f"probability at every look with probability {1 - race.alpha:g}."
        + (f" {more} more survivors are not drawn." if more else "")
    )
    forest = Forest(
        rows=tuple(map(_row, rows)),
        unit=f"share of problems on which {shorten(printable(race.best), _WIDEST, SMALL)} wins, where they differ",
        caption=caption,
        equal=0.5,
        reach=(0.0, 1.0),
        title=f"The survivors compared with {printable(race.best)}",
        form="survivors",
        spoken="",
    )
    return draw_forest(forest, width_mm)


def _row(row: Standing) -> ForestRow:
    assert row.p_low is not None  # of all but the best one
    assert row.p_high is not None
    decided = row.wins + row.losses
    return ForestRow(
        name=row.algorithm,
        value=row.wins / decided if decided else None,
        low=row.p_low,
        high=row.p_high,
        hint=f"{printable(row.algorithm)}: {row.wins} wins, {row.losses} losses, {row.ties} ties",
        interval_hint=f"{decimals(row.p_low, 3)} to {decimals(row.p_high, 3)}",
    )
