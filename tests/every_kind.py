"""A small result of every kind that can be reported, by kind."""

from __future__ import annotations

from collections.abc import Callable

from analysis_examples import joined
from bakeoff.reportable import Reportable

RESULTS: dict[str, Callable[[], Reportable]] = joined("results")
DECISIONS: dict[str, str | None] = joined("decisions")
"""The word for scripts of each of these results."""
ON_THE_PAGE: dict[str, str] = joined("on_the_page")
"""What is chosen in each tab of the local page, as its address says it."""
