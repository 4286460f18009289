"""What a profile counts: the cells of a table, or every run by itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bakeoff.means.run_means import refuse_lone_runs
from bakeoff.scores import Array, Scores
from bakeoff.wings.curves.profile.statistics.distances import (
    Cell,
    Flags,
    Form,
    Over,
    cell_costs,
    check_costs,
    distances,
    run_costs,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ProfileRows:
    """The costs of each problem (n, k, R), lower is better: of its cells R is 1, else the most runs of a cell."""

    scores: Scores
    form: Form
    costs: Array
    failed: Flags
    shares: Array | None  # (n · R, k) of each run in the curve of its algorithm; None of cells, which count equally

    def distances(self, columns: list[int] | None = None) -> Array:
        """(n · R, k) from the best of the problem among these columns; NaN where a cell has fewer runs."""
        chosen = slice(None) if columns is None else columns
        costs, failed = self.costs[:, chosen], self.failed[:, chosen]
        absent = np.isnan(costs)
        scales = np.where(failed | absent, 0.0, self.scores.scales[:, chosen, None])
        n = len(costs)
        each = distances(
            costs.reshape(n, -1), scales.reshape(n, -1), (failed | absent).reshape(n, -1), self.form, self.scores.better
        ).reshape(costs.shape)
        return np.asarray(np.where(absent, np.nan, each).transpose(0, 2, 1).reshape(-1, costs.shape[1]))


def profile_rows(scores: Scores, form: Form, cell: Cell, over: Over) -> ProfileRows:
    """Each cell, or each run."""
    if over == "problems":
        costs = cell_costs(scores, cell)
        failed = check_costs(scores, costs, form)
        return ProfileRows(scores=scores, form=form, costs=costs[:, :, None], failed=failed[:, :, None], shares=None)
    costs = run_costs(scores)
    failed = check_costs(scores, costs, form)
    counts = (~np.isnan(costs)).sum(axis=2)
    if over == "runs":
        refuse_lone_runs(scores, counts, "over='problems'")
    shares = ~np.isnan(costs) / (counts[:, :, None] * len(costs))
    return ProfileRows(
        scores=scores,
        form=form,
        costs=costs,
        failed=failed,
        shares=shares.transpose(0, 2, 1).reshape(-1, costs.shape[1]),
    )
