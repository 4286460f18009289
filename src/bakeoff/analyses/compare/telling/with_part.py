"""The report of a comparison with that of something else in it: its sensitivity, or a leaderboard."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from bakeoff.analyses.compare.statistics.results import WithComparison
from bakeoff.analyses.compare.telling.document import TELLING
from bakeoff.analyses.compare.telling.methods import cited_keys, methods as comparison_methods
from bakeoff.errors import Caution
from bakeoff.report import methods, sections
from bakeoff.report.data import Sheets, finite, plain_data
from bakeoff.report.document import Document, Section, Text
from bakeoff.report.telling import Columns

R = TypeVar("R", bound=WithComparison)


@dataclass(frozen=True, kw_only=True)
class WithPart(Generic[R]):
    """What is said of a comparison and of a part beside it.

    ``sections`` stand before the methods, and a terminal shows those of ``on_screen``; ``methods`` follow those of the
    comparison in one paragraph. ``data`` is under ``name`` in JSON. ``columns`` come before those of the comparison.
    """

    name: str
    sections: Callable[[R], Sequence[Section | None]]
    on_screen: Callable[[R], Sequence[str]]
    methods: Callable[[R], Text]
    cautions: Callable[[R], Sequence[Caution]]
    data: Callable[[R], dict[str, Any]]
    columns: Callable[[R], Columns] = lambda result: {}

    def verdict(self, result: R) -> str:
        """That of the comparison."""
        return TELLING.verdict(result.comparison)

    def document(self, result: R, command: str | None = None) -> Document:
        """The comparison, then the part, then cautions, methods and references of both."""
        c = result.comparison
        whole = TELLING.document(c, command)
        paragraph = methods.joined(comparison_methods(c), self.methods(result))
        cautions = (*c.cautions, *self.cautions(result))
        new: dict[str, tuple[Section | None, ...]] = {
            "cautions": (),
            "methods": (*self.sections(result), sections.cautions(cautions), sections.methods(paragraph)),
            "references": (sections.references(methods.cited(paragraph, *cited_keys(c))),),
        }
        made = [section for old in whole.sections for section in new.get(old.key, (old,))]
        shown = [key for key in whole.on_screen if key != "cautions"]
        return replace(
            whole,
            sections=sections.present(*made),
            on_screen=(*shown, *self.on_screen(result), "cautions"),
            doubts=sections.doubts(cautions),
        )

    def to_dict(self, result: R, command: str | None = None) -> dict[str, Any]:
        """The content of the comparison, and the part under its name."""
        whole = TELLING.to_dict(result.comparison, command)
        part = self.data(result) | {"cautions": plain_data(list(self.cautions(result)))}
        return whole | {self.name: finite(part)}

    def sheets(self, result: R) -> Sheets:
        """The columns of both, pair by pair."""
        whole = TELLING.sheets(result.comparison)
        cautions = (*whole.cautions, *self.cautions(result))
        return replace(whole, main=self.columns(result) | whole.main, cautions=cautions)
