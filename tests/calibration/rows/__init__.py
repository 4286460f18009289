"""Every promise beside the verdicts of compare(), as rows: door, data, what is promised, and how it is counted.

docs/trust/calibration.md prints them with many tables, tests/calibration/test_rows.py tries each with few.
"""

from __future__ import annotations

from calibration.rows import (
    bands,
    categories,
    cells,
    commands,
    covariates,
    equal_times,
    experiments,
    gates,
    looks,
    margins,
    means,
    models,
    null_values,
    over_both,
    over_runs,
    pairs,
    posteriors,
    run_scores,
    sample_efficiency,
    skewed,
    skewed_margins,
    spreads,
    tables,
    times,
    times_over_both,
    times_over_runs,
    two_tasks,
    views,
    winners,
)
from calibration.rows.row import Row

FAMILIES: dict[str, tuple[Row, ...]] = {
    "pairs": pairs.ROWS,
    "tables": tables.ROWS,
    "cells": cells.ROWS,
    "spreads": spreads.ROWS,
    "margins": margins.ROWS,
    "means": means.ROWS,
    "skewed": skewed.ROWS,
    "skewed_margins": skewed_margins.ROWS,
    "models": models.ROWS,
    "views": views.ROWS,
    "winners": winners.ROWS,
    "two_tasks": two_tasks.ROWS,
    "times": times.ROWS,
    "equal_times": equal_times.ROWS,
    "bands": bands.ROWS,
    "over_runs": over_runs.ROWS,
    "over_both": over_both.ROWS,
    "times_over_runs": times_over_runs.ROWS,
    "times_over_both": times_over_both.ROWS,
    "run_scores": run_scores.ROWS,
    "sample_efficiency": sample_efficiency.ROWS,
    "looks": looks.ROWS,
    "covariates": covariates.ROWS,
    "categories": categories.ROWS,
    "commands": commands.ROWS,
    "gates": gates.ROWS,
    "experiments": experiments.ROWS,
    "null_values": null_values.ROWS,
    "posteriors": posteriors.ROWS,
}
"""A section of the record each."""

BY_NAME = {row.name: row for rows in FAMILIES.values() for row in rows}
