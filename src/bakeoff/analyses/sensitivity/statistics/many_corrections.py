"""One correction of the p-values of many tables: side by side where that is quick, else one by one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bakeoff.adjusting.many_families import bergmann_hommel_columns, shaffer_dynamic_columns
from bakeoff.analyses.compare.statistics.corrections import QUICK, adjusted_family
from bakeoff.analyses.sensitivity.statistics.analysis import ExaminedAnalysis, ExaminedTable
from bakeoff.analyses.sensitivity.statistics.many_tables import ManyTests
from bakeoff.scores import Array

BY_PARTITIONS = {"bergmann-hommel": bergmann_hommel_columns, "shaffer-dynamic": shaffer_dynamic_columns}


def adjusted_of_many(table: ExaminedTable, analysis: ExaminedAnalysis, tests: ManyTests) -> Array:
    """(B, m) adjusted p-values, as of one table at a time."""
    method, k = analysis.method, table.scores.n_algorithms
    p = tests.pvalue
    if p.shape[1] == 1:
        return p
    adjusted = np.empty_like(p)
    together: npt.NDArray[np.bool_] = np.zeros(len(p), dtype=np.bool_)
    if method in BY_PARTITIONS and k <= QUICK and table.control is None:
        together = np.asarray((p > 0.0).all(axis=1))
        adjusted[together] = BY_PARTITIONS[method](p[together].T, k).T
    for i in np.flatnonzero(~together).tolist():
        one = tests.one(i)
        adjusted[i] = adjusted_family(table.measured, table.family, one, method, table.control, analysis.printed)
    return adjusted
