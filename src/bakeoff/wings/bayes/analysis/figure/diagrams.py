"""The diagrams of Bayesian results: which form, and the narrowest width in which every name is whole."""

from collections.abc import Callable
from functools import partial

from bakeoff.figures.geometry.primitives import Drawing, Width, narrowest, width_of, widths
from bakeoff.wings.bayes import JointComparison, Overview, RankPosterior, SignedRankPosterior
from bakeoff.wings.bayes.analysis.figure.blocks import order_of
from bakeoff.wings.bayes.analysis.figure.dominance_graph import dominance_graph
from bakeoff.wings.bayes.analysis.figure.dominance_list import dominance_list
from bakeoff.wings.bayes.analysis.figure.ridges import ridge_diagram
from bakeoff.wings.bayes.analysis.figure.triangle import shares_diagram

_SHORTER = (120.0, 80.0, 60.0, 35.0)  # points of a name


def draw_overview(overview: Overview, width_mm: Width) -> Drawing:
    """Of several algorithms who is better than whom; of two the posterior shares, or where there are none the ranks."""
    if len(overview.joint.algorithms) > 2:
        return draw_joint(overview.joint, width_mm)
    signed_rank = overview.pairs[0].signed_rank
    return draw_ranks(overview.ranks, width_mm) if signed_rank is None else draw_shares(signed_rank, width_mm)


def draw_joint(joint: JointComparison, width_mm: Width) -> Drawing:
    """The dominance graph while it can be followed by eye, else the list with the matrix of all statements."""
    order = order_of(joint)
    page = widths(width_mm)
    tries = [(None, width) for width in page] + [(longest, page[-1]) for longest in _SHORTER]
    for longest, width in tries:
        drawing = dominance_graph(order, width, longest)
        if drawing is not None:
            return drawing
    return dominance_list(order, page[-1])


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
