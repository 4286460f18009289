"""The result of verify()."""

from typing import Any

from bakeoff.dataclass import dataclass
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
    number: bool = False  # both are numbers, beyond the tolerance

    def __str__(self) -> str:
        return f"{self.where}: {self.said} in the report, {self.found} {self.source}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportVerification:
    """The result of :func:`bakeoff.verify`; ``str`` is what the command line prints."""

    report: str  # the file
    kind: str  # "compare", "sensitivity", "bayes", "per-problem", "time" or "history"
    scores: str  # what its scores were compared with, if anything was given
    better: str  # which scores are good in the report, in words; empty for battles
    written_by: str  # version of bakeoff
    accepted: bool  # this version wrote it, or sentences of another one need not be compared
    headlines: tuple[str, str]  # of the report, and computed again
    checked: int  # values compared
    differences: tuple[Difference, ...]
    tolerance: float  # relative, of numbers: 0 where the report was made by the same versions
    notes: tuple[str, ...]  # what was not checked, and why numbers may differ
    page: str = ""  # the headline of the page, if the report is one: in the words that its writer chose

    @property
    def ok(self) -> bool:
        """Is everything as the scores give it, and compared?"""
        return self.accepted and not self.differences

    @property
    def verdict(self) -> str:
        """One sentence."""
        start, values = plain(self.report), counted(self.checked, "value")
        open_ = "" if self.accepted else f"NOT CHECKED in full, as bakeoff {plain(self.written_by)} wrote it: "
        if self.differences:
            places = listing([plain(d.where) for d in self.differences], 3)
            verb = "differs" if len(self.differences) == 1 else "differ"
            return f"{start}: {open_}{len(self.differences)} of {values} {verb} from the scores: {places}."
        also = f", whose scores are those of {plain(self.scores)}" if self.scores else ""
        how = f"within {self.tolerance:g} of their size" if self.tolerance else "to the last digit"
        digits = "NOT to the last digit: " if self.tolerance else ""
        read = f", read as: {self.better}" if self.better else ""
        agreement = f"all {values} agree {how} when computed again from the scores{read}"
        if not self.accepted:
            left = "page was not compared" if self.page else "sentences were not compared"
            accept = "" if self.page else " (other_version=True accepts that)"
            return f"{start}{also}: {digits}{open_}{agreement}, but its {left}{accept}."
        bytes_ = "; the page, written again, has the same bytes" if self.page else ""
        return f"{start}{also}: {digits}OK: {agreement}{bytes_}."

    def __str__(self) -> str:
        lines = [self.verdict, *(f"  {plain(str(d))}" for d in self.differences[:LISTED])]
        if len(self.differences) > LISTED:
            lines.append(f"  and {len(self.differences) - LISTED} more")
        stated, computed = (plain(text) for text in self.headlines)
        shown = [f"Headline, computed again: {computed}"]
        if stated != computed:
            shown.insert(0, f"Headline in the report: {stated}")
        if self.page and self.page != self.headlines[1]:
            shown.insert(0, f"Headline of the page: {plain(self.page)}")
        return "\n".join([*lines, *shown, *map(plain, self.notes)])

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, strings and lists, as written by ``--json``."""
        first = ("ok", "verdict", "report", "kind", "scores", "better", "written_by")
        return {
            "schema": SCHEMA,
            **{name: getattr(self, name) for name in first},
            "headline": {"said": self.headlines[0], "found": self.headlines[1]},
            "checked": self.checked,
            "tolerance": self.tolerance,
            "differences": [{"where": d.where, "said": d.said, "found": d.found} for d in self.differences],
            "notes": list(self.notes),
        }
