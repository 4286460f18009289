"""The diagrams of Bayesian results, and the list of joint statements: counts by algorithm, and a matrix of all."""

from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

from bakeoff.analyses.compare.figure.comparison_view import BETTER, WORSE
from bakeoff.analyses.compare.figure.ranked_list import draw_matrix
from bakeoff.dataclass import dataclass
from bakeoff.errors import counted
from bakeoff.figures.geometry.metrics import printable, text_width
from bakeoff.figures.geometry.notes import Key, captioned, draw_keys
from bakeoff.figures.geometry.primitives import (
    LABEL,
    MARGIN,
    SMALL,
    Drawing,
    Item,
    Text,
    Width,
    narrowest,
    width_of,
    widths,
)
from bakeoff.figures.geometry.rows import SHORTEST_NAME, SMALLEST_CELL, Names, draw_entry
from bakeoff.wings.bayes import JointComparison, Overview, RankPosterior, SignedRankPosterior
from bakeoff.wings.bayes.analysis.figure.ridges import ridge_diagram
from bakeoff.wings.bayes.analysis.figure.triangle import shares_diagram
from bakeoff.wings.bayes.statements.statement import accepted_pairs
from bakeoff.wings.bayes.statements.wording import at_least, chance_phrase

# The accepted joint statements as a list: how many favour each algorithm or speak against it, and a matrix of all.


_LEGIBLE_CELL = 3.0  # points; narrower cells only where the page ends

_KEYS = [
    Key(words="row better than column", cell="accent"),
    Key(words="row worse", cell="light"),
    Key(words="no statement", cell="white"),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    pitch: float
    names: Names
    counts: tuple[float, float]  # right edges of the two columns
    matrix: float
    cell: float  # 0: no room for the matrix
    whole: bool  # no name is shortened, and each cell can be read


def dominance_list(joint: JointComparison, width: float, whole_names: bool) -> Drawing | None:
    """A row per algorithm, the one with the most statements in its favour first; equal ones in column order.

    None if ``whole_names`` is required and they, or a legible matrix beside them, do not fit.
    """
    labels = tuple(printable(name) for name in joint.algorithms)
    plan = _plan(labels, width)
    if whole_names and not plan.whole:
        return None
    stated = np.zeros((len(labels),) * 2, dtype=bool)
    for i, j in accepted_pairs(joint.statements, joint.algorithms):
        stated[i, j] = True
    better, worse = stated.sum(axis=1), stated.sum(axis=0)
    best_first = sorted(range(len(labels)), key=lambda i: int(worse[i] - better[i]))
    top = MARGIN + 14.0
    items: list[Item] = [
        Text(x=x, y=top - 3, text=word, anchor="end", role="column title")
        for x, word in zip(plan.counts, ("better than", "worse than"), strict=True)
    ]
    for row, i in enumerate(best_first):
        y = top + (row + 0.5) * plan.pitch + 0.34 * plan.names.size
        counts = list(zip(plan.counts, (str(better[i]), str(worse[i])), strict=True))
        items += draw_entry(plan.names, row, joint.algorithms[i], labels[i], y, counts)
    if plan.cell:
        names = tuple(joint.algorithms[i] for i in best_first)
        items += draw_matrix(names, _verdicts(stated, best_first), plan.matrix, top, plan.cell, plan.pitch)
    keys, below = draw_keys(_KEYS if plan.cell else [], top + len(labels) * plan.pitch + 4, width)
    caption = _caption(joint, int(stated.sum()))
    table = "" if plan.cell else " Counts of the accepted statements; who exactly is in the table."
    title = f"Who is better than whom, {len(labels)} algorithms jointly"
    words = _in_words(labels, stated) + caption
    return captioned(items + keys, caption + table, below, width, form="statements", title=title, description=words)


def _verdicts(stated: npt.NDArray[np.bool_], best_first: list[int]) -> npt.NDArray[np.int8]:
    stated = stated[np.ix_(best_first, best_first)]
    verdicts = np.zeros(stated.shape, dtype=np.int8)
    verdicts[stated.T] = WORSE
    verdicts[stated] = BETTER
    return verdicts


def _in_words(labels: tuple[str, ...], stated: npt.NDArray[np.bool_]) -> str:
    """Each algorithm that is better than others, with all of those."""
    worse = [[labels[j] for j in np.flatnonzero(row).tolist()] for row in stated]
    return "".join(f"{label} is better than {', '.join(w)}. " for label, w in zip(labels, worse, strict=True) if w)


def _plan(labels: tuple[str, ...], width: float) -> _Plan:
    k = len(labels)
    size, pitch = (SMALL, 7.6) if k > 60 else (LABEL, 9.0)
    names = MARGIN + text_width(str(k), SMALL) + 4
    counts = (text_width("better than", SMALL) + 6, text_width("worse than", SMALL) + 8)
    overhang = text_width(str(k), SMALL) / 2  # of the number over the matrix' last column
    free = width - MARGIN - overhang - names - sum(counts)
    longest = max(text_width(label, size) for label in labels)
    matrix = SMALLEST_CELL * k + 8 <= free - min(longest, SHORTEST_NAME)
    least = max(SMALLEST_CELL, min(3.0, 0.4 * free / k)) * k + 8 if matrix else 0.0
    length = min(longest, free - least)
    cell = min((free - length - 8) / k, pitch) if matrix else 0.0
    ends = (names + length + counts[0], names + length + sum(counts))
    shown = Names(left=names, right=names + length, size=size, labels=labels)
    whole = length >= longest and cell >= _LEGIBLE_CELL
    return _Plan(pitch=pitch, names=shown, counts=ends, matrix=ends[1] + 8, cell=cell, whole=whole)


def _caption(joint: JointComparison, accepted: int) -> str:
    """Sizes, the number of accepted statements, and their joint probability."""
    n, k = joint.n_problems, len(joint.algorithms)
    sizes = f"{k} algorithms on {counted(n, 'problem')}"
    if not accepted:
        return f"{sizes}: no statement is accepted at joint probability {1 - joint.gamma:g}."
    level = 1 - joint.gamma
    exact = joint.joint_standard_error == 0
    together = "holds" if accepted == 1 else "hold together"
    if joint.joint_bounds is None:
        held, whose = chance_phrase(float(joint.joint), level, exact=exact), ""
    else:
        held = f"P {at_least(joint.joint_bounds[0], level, exact=exact)}"
        whose = " All probabilities are the lowest over all prior rankings."
    cycles = "".join(
        f" {', '.join(map(printable, cycle))}: a cycle, each better than another." for cycle in joint.cycles
    )
    return (
        f"{sizes}; {counted(accepted, 'statement')} {together}, {held} (above {level:g} was requested).{whose}{cycles}"
    )


def draw_overview(overview: Overview, width_mm: Width) -> Drawing:
    """Draw who is better than whom; of two algorithms the posterior shares or, if there are none, the ranks."""
    if len(overview.joint.algorithms) > 2:
        return draw_joint(overview.joint, width_mm)
    signed_rank = overview.pairs[0].signed_rank
    return draw_ranks(overview.ranks, width_mm) if signed_rank is None else draw_shares(signed_rank, width_mm)


def draw_joint(joint: JointComparison, width_mm: Width) -> Drawing:
    """A list with the matrix of all statements."""
    return narrowest(partial(dominance_list, joint), widths(width_mm))


def draw_ranks(ranks: RankPosterior, width_mm: Width) -> Drawing:
    """A density per algorithm."""
    return narrowest(partial(ridge_diagram, ranks), widths(width_mm))


def draw_shares(posterior: SignedRankPosterior, width_mm: Width) -> Drawing:
    """The triangle of one pair."""
    return shares_diagram(posterior, width_of(width_mm))


def diagrams(overview: Overview) -> dict[str, Callable[[Overview, Width], Drawing]]:
    """Those of its parts, by name; the triangle where there is one pair."""
    drawers: dict[str, Callable[[Overview, Width], Drawing]] = {
        "statements": lambda whole, width: draw_joint(whole.joint, width),
        "ridges": lambda whole, width: draw_ranks(whole.ranks, width),
    }
    shares = overview.pairs[0].signed_rank
    if len(overview.pairs) == 1 and shares is not None:
        drawers["triangle"] = lambda _, width: draw_shares(shares, width)
    return drawers
