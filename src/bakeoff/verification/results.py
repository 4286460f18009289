"""What verify() returns."""

from dataclasses import dataclass
from typing import Any

from bakeoff.errors import counted, listing, plain

SCHEMA = "bakeoff.verify-report/1"
LISTED = 20  # differences in the text; all are in ``differences``


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One value of a report that is not what its scores give."""

    where: str  # place in the JSON: ``pairs[3].pvalue``
    said: str  # what the report has there, as JSON, shortened
    found: str  # what was computed from the scores, or is in the scores given
    source: str = "recomputed"

    def __str__(self) -> str:
        return f"{self.where}: {self.said} in the report, {self.found} {self.source}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportVerification:
    """The result of :func:`bakeoff.verify`; ``str`` is what the command line prints."""

    report: str  # the file
    kind: str  # "comparison", "sensitivity", "bayes", "per-problem", "timing" or "history"
    scores: str  # what its scores were compared with, if anything was given
    checked: int  # values compared
    differences: tuple[Difference, ...]
    tolerance: float  # relative, of numbers: 0 where the report was made by the same versions
    notes: tuple[str, ...]  # what was not checked, and why numbers may differ

    @property
    def ok(self) -> bool:
        """Is everything as the scores give it?"""
        return not self.differences

    @property
    def verdict(self) -> str:
        """One sentence."""
        values = counted(self.checked, "value")
        if self.differences:
            places = listing([plain(d.where) for d in self.differences], 3)
            verb = "differs" if len(self.differences) == 1 else "differ"
            return f"{plain(self.report)}: {len(self.differences)} of {values} {verb} from the scores: {places}."
        also = f", whose scores are those of {plain(self.scores)}" if self.scores else ""
        how = f"within {self.tolerance:g} of their size" if self.tolerance else "to the last digit"
        return f"{plain(self.report)}{also}: OK: all {values} agree {how} when computed again from the scores."

    def __str__(self) -> str:
        lines = [self.verdict, *(f"  {plain(str(d))}" for d in self.differences[:LISTED])]
        if len(self.differences) > LISTED:
            lines.append(f"  and {len(self.differences) - LISTED} more")
        return "\n".join([*lines, *map(plain, self.notes)])

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, strings and lists, as written by ``--json``."""
        return {
            "schema": SCHEMA,
            "ok": self.ok,
            "verdict": self.verdict,
            "report": self.report,
            "kind": self.kind,
            "scores": self.scores,
            "checked": self.checked,
            "tolerance": self.tolerance,
            "differences": [{"where": d.where, "said": d.said, "found": d.found} for d in self.differences],
            "notes": list(self.notes),
        }
