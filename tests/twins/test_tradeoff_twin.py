"""P(Pareto-optimal): all draws at once, and draw by draw, pair by pair, with clusters of unequal sizes."""

from __future__ import annotations

import numpy as np

import bakeoff as bo
from bakeoff.means.strata import one_stratum
from bakeoff.scores.clusters import cluster_codes
from bakeoff.wings.boards.tradeoff.statistics import metric_tables, undominated


def test_draw_by_draw() -> None:
    rng = np.random.default_rng(2)
    labels = [f"c{i}" for i in np.repeat(np.arange(5), [1, 2, 3, 1, 2])]
    given = {
        "x": bo.Scores(rng.normal(size=(9, 4)), better="higher", clusters=labels),
        "y": bo.Scores(rng.normal(size=(9, 4)).round(), better="lower", clusters=labels),
    }
    tables = metric_tables(given, {"x": 0.1, "y": 0.1})
    codes = cluster_codes(given["x"])
    found = undominated(tables, [one_stratum(codes)], np.random.default_rng(1), 200)
    weights = np.random.default_rng(1).standard_exponential((200, 5))
    counts = [0] * 4
    for draw in weights:
        of_rows = draw[codes] / draw[codes].sum()
        means = [given["x"].values.T @ of_rows, -(given["y"].values.T @ of_rows)]
        for b in range(4):
            beaten = False
            for a in range(4):
                at_least = all(m[a] >= m[b] - 1e-12 for m in means)
                beaten |= at_least and any(m[a] > m[b] + 1e-12 for m in means)
            counts[b] += not beaten
    assert found.tolist() == [(count + 0.5) / 201 for count in counts]
