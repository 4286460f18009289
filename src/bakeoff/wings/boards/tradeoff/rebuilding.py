"""The tables of several metrics that a report holds."""

from collections.abc import Mapping
from typing import Any

from bakeoff.report.reading_back import rebuilt_scores, refuse
from bakeoff.scores import Scores


def rebuilt_tables(content: Mapping[str, Any]) -> dict[str, Scores]:
    """``tables`` of a report of several metrics."""
    data = content["tables"]
    if not isinstance(data, dict) or not data:
        refuse("tables", "an object of tables by their metrics", data)
    return {name: rebuilt_scores(table) for name, table in data.items()}
