"""The battles that a report holds, every entry checked."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from bakeoff.errors import BakeoffError, ReportError
from bakeoff.report.reading_back import entry_list, entry_number, entry_rows, refuse
from bakeoff.scores import Array
from bakeoff.wings.boards.ratings.statistics.battles import Battles, merged_battles


def rebuilt_battles(content: Mapping[str, Any]) -> Battles:
    """``battles`` of a report, every entry checked."""
    data, source = content["battles"], content.get("input_sha256")
    if not isinstance(data, dict):
        refuse("battles", "an object", data)
    names = [str(x) for x in entry_list(data.get("algorithms"), "battles.algorithms", "a list of names")]
    rows = entry_list(data.get("pairs"), "battles.pairs", "a list of pairs of places")
    counts = entry_rows(data.get("counts"), "battles.counts", len(rows))
    places, table = [], []
    for i, (row, three) in enumerate(zip(rows, counts, strict=True)):
        for place in entry_rows(row, f"battles.pairs[{i}]", 2):
            if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place < len(names):
                refuse(f"battles.pairs[{i}]", f"two whole numbers from 0 to {len(names) - 1}", row)
        places.append(row)
        values = [entry_number(x, f"battles.counts[{i}]") for x in entry_rows(three, f"battles.counts[{i}]", 3)]
        if not all(np.isfinite(x) and x >= 0 for x in values):
            refuse(f"battles.counts[{i}]", "three counts", three)
        table.append(values)
    clusters, categories = (
        None if data.get(key) is None else [str(x) for x in entry_rows(data[key], f"battles.{key}", len(rows))]
        for key in ("clusters", "categories")
    )
    first, second = np.array(places, dtype=np.int64).reshape(-1, 2).T
    covariates, differences = _rebuilt_covariates(data, len(rows))
    try:
        counted = np.array(table).reshape(-1, 3)
        digest = str(source or "")
        return merged_battles(names, first, second, counted, clusters, digest, covariates, differences, categories)
    except BakeoffError as error:
        raise ReportError(f"battles: {error}") from None


def _rebuilt_covariates(data: Mapping[str, Any], rows: int) -> tuple[list[str], Array | None]:
    """Their names, and the differences of each row."""
    if "covariates" not in data:
        return [], None
    names = [str(x) for x in entry_list(data["covariates"], "battles.covariates", "a list of names")]
    differences = [
        [entry_number(x, f"battles.differences[{i}]") for x in entry_rows(row, f"battles.differences[{i}]", len(names))]
        for i, row in enumerate(entry_rows(data.get("differences"), "battles.differences", rows))
    ]
    table = np.array(differences, dtype=np.float64).reshape(rows, len(names))
    if not names or not (np.abs(table) <= 1e101).all():
        refuse("battles.differences", "finite numbers of one covariate or more", data["covariates"])
    return names, table
