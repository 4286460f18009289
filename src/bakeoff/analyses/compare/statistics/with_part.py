"""A comparison with the result of another analysis beside it."""

from __future__ import annotations

from dataclasses import dataclass

from bakeoff.analyses.compare.statistics.results import Comparison
from bakeoff.reportable import Reportable
from bakeoff.scores import Scores


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class WithComparison(Reportable):
    """A comparison whose report takes in that of another analysis."""

    comparison: Comparison

    @property
    def decision(self) -> str | None:
        """That of the comparison."""
        return self.comparison.decision

    @property
    def scores(self) -> Scores:
        return self.comparison.scores

    @property
    def control(self) -> str | None:
        return self.comparison.control
