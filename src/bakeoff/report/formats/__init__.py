"""The formats of a report. A format is one file here and one line in ``FORMATS`` or ``TABLES``."""

from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from bakeoff.analysis import Analysis
from bakeoff.dataclass import dataclass
from bakeoff.designed import estimand_of
from bakeoff.places import load
from bakeoff.protocols.departures import Registered
from bakeoff.report.appearance import APPEARANCE, Appearance
from bakeoff.report.data import Sheets, characters_at_least, dump, embedded, plain_data
from bakeoff.report.document import Document
from bakeoff.report.formats import markdown, spreadsheet, terminal
from bakeoff.report.json_rows import all_listed
from bakeoff.report.kinds import describing, with_protocol
from bakeoff.report.nouns import names_kept, nouns_of_table, renamed
from bakeoff.report.sections import what_was_read, with_estimand

LARGEST = 1_000_000
"""Characters of data that a page carries."""


@dataclass(frozen=True)
class Report:
    """One result as the formats see it; each part is made when a format asks for it."""

    kind: Analysis
    result: Any
    command: str | None = None
    look: Appearance = APPEARANCE
    stem: str = "bakeoff"  # the name of the file

    @cached_property
    def document(self) -> Document:
        """The report without a format."""
        written = what_was_read(describing(self.kind).document(self._told, self.command), self._told)
        written = with_estimand(written, estimand_of(self.kind, self._told))
        written = written if self._protocol is None else with_protocol(written, self._protocol)
        nouns = {**self.kind.nouns, **nouns_of_table(self.result)}
        return self.look.on(renamed(written, nouns, names_kept(self.result)))

    @property
    def data(self) -> dict[str, Any]:
        """Plain numbers, strings and lists."""
        return all_listed(self.content)

    @property
    def json(self) -> Iterator[str]:
        """The data as text, in pieces."""
        return dump(self.content, self.kind.ascii_json)

    @cached_property
    def content(self) -> dict[str, Any]:
        """The data, long lists not made yet; what it is, what was found and decided come first."""
        reporting, result = describing(self.kind), self._told
        content = reporting.to_dict(result, self.command)
        content |= {} if self._protocol is None else {"protocol": self._protocol}
        first = {"schema": content["schema"], "verdict": reporting.verdict(result), "decision": result.decision}
        estimand = estimand_of(self.kind, result)
        first |= {} if estimand is None else {"estimand": plain_data(estimand)}
        return first | content

    @cached_property
    def embedded(self) -> str:
        """The data for a page that checks itself; empty where they are too large for one."""
        if characters_at_least(self.result) > LARGEST:
            return ""  # of a large family, sizes would be computed for this alone
        text = embedded(self.data, self.kind.ascii_json)
        return text if len(text) <= LARGEST else ""

    @cached_property
    def sheets(self) -> Sheets:
        """Columns for a spreadsheet."""
        return describing(self.kind).sheets(self._told)

    @property
    def _told(self) -> Any:
        return self.result.result if isinstance(self.result, Registered) else self.result

    @property
    def _protocol(self) -> dict[str, Any] | None:
        return self.result.protocol if isinstance(self.result, Registered) else None


def drawing_format(name: str) -> Any:
    """A module that draws the diagram: figures are not loaded at start-up."""
    return load(f"report.formats.{name}")


FORMATS: dict[str, Callable[[Report], str]] = {
    "html": lambda r: drawing_format("html").render(r.document, r.look, r.embedded if r.look.script else None),
    "md": lambda report: markdown.render(report.document),
    "tex": lambda report: drawing_format("latex").render(report.document, report.stem, report.look),
    "json": lambda report: "".join(report.json),
    "txt": lambda report: terminal.render(report.document),
}

TABLES: dict[str, Callable[[Report, Path], None]] = {
    "csv": lambda report, path: spreadsheet.write_csv(report.sheets, path),
    "xlsx": lambda report, path: spreadsheet.write_xlsx(report.sheets, path),
}
PICTURES = ("svg", "png", "pdf", "tikz")
