"""What the pairs say of places: tied sets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, TooLargeError
from bakeoff.posthoc.groups import maximal_groups
from bakeoff.wings.boards.evaluate.statistics.results import EvaluationPair, ModelEstimate


def tied_sets(
    estimates: Sequence[ModelEstimate], pairs: Sequence[EvaluationPair], direction: str
) -> tuple[tuple[tuple[str, ...], ...], list[Caution]]:
    """Maximal sets of algorithms of which no two were shown to differ, best mean first; a caution if too many."""
    names = [estimate.algorithm for estimate in estimates]
    place = {name: j for j, name in enumerate(names)}
    alike = np.ones((len(names),) * 2, dtype=bool)
    for pair in pairs:
        if pair.verdict in ("a better", "b better"):
            alike[place[pair.a], place[pair.b]] = alike[place[pair.b], place[pair.a]] = False
    sign = -1.0 if direction == "higher" else 1.0
    best_first = [int(j) for j in np.argsort([sign * e.mean for e in estimates], kind="stable")]
    try:
        groups = maximal_groups(alike, best_first)
    except TooLargeError as error:
        return (), [caution_of("not-computed", "tied-sets", error=error)]
    return tuple(tuple(names[j] for j in group) for group in groups), []
