"""Log strengths with their intervals, the strongest on top; ranks of each algorithm in each category."""

from collections.abc import Callable, Mapping

import numpy as np

from bakeoff.errors import plain
from bakeoff.figures.geometry.metrics import printable, short_labels, text_width
from bakeoff.figures.geometry.notes import captioned
from bakeoff.figures.geometry.primitives import (
    COLUMN_MM,
    MARGIN,
    MEDIUM_MM,
    PAGE_MM,
    SMALL,
    Box,
    Drawing,
    Item,
    Text,
    Width,
    widths,
)
from bakeoff.figures.geometry.rows import LISTED, Forest, ForestRow, check_first, draw_bands, draw_forest, rows_left_out
from bakeoff.numerals import decimals, percent
from bakeoff.posthoc.groups import rank_words
from bakeoff.wings.boards.ratings.board import RatedBoard, Ratings


def draw_ratings(result: Ratings, width_mm: Width) -> Drawing:
    """Draw the result of ``bo.ratings``; the reference is 0 and has no interval."""
    level = percent(1 - result.alpha)
    caption = (
        f"Log strengths, each with its own {level} interval; ranks with simultaneous confidence {level}. Filled and "
        "bold: may be the strongest."
    )

    def row(i: int) -> ForestRow:
        places = result.rank_intervals[i].tolist()
        name = result.algorithms[i]
        low, high = (None, None) if name == result.reference else result.intervals[i].tolist()
        return ForestRow(
            name=name,
            value=float(result.strengths[i]),
            low=low,
            high=high,
            words=rank_words(places),
            filled=places[0] == 1,
            bold=places[0] == 1,
        )

    reference = result.reference
    order = np.argsort(-result.strengths, kind="stable").tolist()
    zero = "all of them sum to 0" if reference is None else f"{printable(reference)} is 0"
    numbers = "; ".join(f"{plain(result.algorithms[i])} {decimals(float(result.strengths[i]), 3)}" for i in order[:20])
    forest = Forest(
        rows=tuple(row(i) for i in order[:LISTED]),
        unit=f"log strength; {zero}",
        caption=caption + rows_left_out(len(order), "algorithms") + check_first(result.cautions),
        equal=None if reference is None else 0.0,
        column="rank",
        title="Log strengths with intervals",
        spoken=f"{numbers}.",
    )
    return draw_forest(forest, width_mm)


_PITCH = 10.0
_GAP = 6.0
_NAMES = 0.35  # of the width, at most
_HEADS = (62.0, 44.0, 30.0)  # of a column, at most: its name; the first with which all columns fit


def diagrams(result: Ratings) -> Mapping[str, Callable[[Ratings, Width], Drawing]]:
    """Those of a result, by name; the ranks where there are categories."""
    return {"strengths": draw_ratings} | ({"categories": draw_category_ranks} if result.boards else {})


def draw_category_ranks(result: Ratings, width_mm: Width) -> Drawing:
    """A row per algorithm, the strongest of all battles first; a column for all battles and for each category."""
    boards: tuple[RatedBoard, ...] = (result, *result.boards)
    order = [result.algorithms[i] for i in np.argsort(-result.strengths, kind="stable").tolist()]
    of = [dict(zip(board.algorithms, board.rank_intervals.tolist(), strict=True)) for board in boards]
    cells = [[rank_words(each[name]) if name in each else "" for each in of] for name in order[:LISTED]]
    tried = widths(width_mm, (COLUMN_MM, MEDIUM_MM, PAGE_MM))
    longest = max(text_width(plain(name), SMALL, True) for name in order[:LISTED]) + 2
    for most in _HEADS:
        heads, note = short_labels(["all", *(str(board.category) for board in result.boards)], most, SMALL)
        texts = [(head, *(row[j] for row in cells)) for j, head in enumerate(heads)]
        columns = [max(text_width(text, SMALL, True) for text in column) + _GAP for column in texts]
        need = [min(longest, _NAMES * w) + sum(columns) + 3 * MARGIN <= w for w in tried]
        if any(need):
            break
    width = tried[need.index(True)] if any(need) else tried[-1]
    names, key = short_labels(order[:LISTED], _NAMES * width, SMALL, bold=True)
    left = MARGIN + max(text_width(name, SMALL, True) for name in names) + _GAP
    fit = max(1, int((np.cumsum(columns) <= width - left - MARGIN).sum()))
    ends = left + np.cumsum(columns[:fit])
    top = MARGIN + 12
    items: list[Item] = [*draw_bands(len(names), top, _PITCH, float(ends[-1]))]
    for j in range(fit):
        middle = float(ends[j]) - columns[j] / 2
        category = "all battles" if j == 0 else str(boards[j].category)
        items.append(Text(x=middle, y=top - 4, text=heads[j], anchor="middle", colour="grey", role="column",
                          about=(category,), hint=category))  # fmt: skip
        for i, name in enumerate(order[:LISTED]):
            if not (text := cells[i][j]):
                continue
            leads, y = of[j][name][0] == 1, top + i * _PITCH
            if leads:
                items.append(Box(x=middle - columns[j] / 2 + 1, y=y + 0.5, width=columns[j] - 2, height=_PITCH - 1,
                                 fill="tint2", role="leads", about=(name, category)))  # fmt: skip
            items.append(Text(x=middle, y=y + 7.3, text=text, anchor="middle", bold=leads, role="rank",
                              about=(name, category), hint=f"{plain(name)}, {plain(category)}: {text}"))  # fmt: skip
    for i, label in enumerate(names):
        bold = of[0][order[i]][0] == 1
        items.append(Text(x=left - _GAP, y=top + i * _PITCH + 7.3, text=label, anchor="end", bold=bold, role="name",
                          about=(order[i],), hint=order[i]))  # fmt: skip
    caption = (
        f"Ranks by all battles and in each category, all of them at once at α = {result.alpha:g}. Tinted and bold: may "
        f"be the strongest.{rows_left_out(len(order), 'algorithms')}{note}{key}"
    )
    if fit < len(boards):
        caption += f" The first {fit - 1} of {len(boards) - 1} categories."
    led = "; ".join(f"{board.category or 'all'}: {', '.join(map(plain, board.leaders[:5]))}" for board in boards[:fit])
    return captioned(items, caption, top + _PITCH * len(names) + 4, width, form="list", title="Ranks by category",
                     spoken=f"May be the strongest: {led}.")  # fmt: skip
