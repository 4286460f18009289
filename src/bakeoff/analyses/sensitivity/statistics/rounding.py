"""The same table with one decimal fewer."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal

import numpy as np

from bakeoff.scores import Array, Scores

MOST = 4
"""Decimals beyond which scores are not taken to be rounded."""

_EXACT = Context(prec=400)  # the largest float has 309 digits before the point


def decimal_places(scores: Scores) -> int | None:
    """The decimals that the scores (of each run) have; None beyond ``MOST``."""
    cells = scores.values if scores.runs is None else scores.runs
    most = 0
    for value in np.unique(cells[np.isfinite(cells)]).tolist():
        exponent = Decimal(repr(value)).normalize().as_tuple().exponent
        most = max(most, -int(exponent))
        if most > MOST:
            return None
    return most


def rounded(scores: Scores, places: int) -> Scores:
    """Every score (of each run) to so many decimals, a half to the even digit."""
    cells = scores.values[:, :, None] if scores.runs is None else scores.runs
    unit = Decimal(1).scaleb(-places)
    flat: Array = cells.copy().ravel()
    for i in np.flatnonzero(np.isfinite(flat)).tolist():
        flat[i] = float(Decimal(repr(float(flat[i]))).quantize(unit, ROUND_HALF_EVEN, _EXACT))
    return Scores.from_cells(
        flat.reshape(cells.shape), scores.algorithms, scores.problems, better=scores.better, clusters=scores.clusters
    )
