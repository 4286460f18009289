"""Several results in one report: each with its headline, tables, figures and cautions; once what all rest on."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bakeoff import numerals
from bakeoff.files import write_bytes
from bakeoff.report import sections
from bakeoff.report.document import Document, JointDocument, Points, Section
from bakeoff.report.formats import Report, drawing_format, markdown, terminal
from bakeoff.report.methods import versions
from bakeoff.scores import Scores

ONCE = ("references", "provenance")
"""Keys of the sections that a report of several results has once."""


def joint_document(
    reports: Sequence[Report], names: Sequence[str], title: str | None = None, command: str | None = None
) -> JointDocument:
    """The reports in one; ``names`` are those of the files that they were read from, ``command`` asked for all."""
    documents = [report.document for report in reports]
    keys = dict.fromkeys(key for report in reports for key in report.content["references"])
    return JointDocument(
        title=numerals.plain(title) if title else _title(reports),
        read=f"Computed again from what {files_read(reports, names)} hold.",
        parts=tuple(
            replace(
                document,
                title=f"Result {i} of {len(documents)} – {document.title} ({numerals.plain(Path(name).name)})",
                sections=tuple(section for section in document.sections if section.key not in ONCE),
            )
            for i, (document, name) in enumerate(zip(documents, names, strict=True), 1)
        ),
        end=sections.present(sections.references(list(keys)), _provenance(documents, command)),
    )


def files_read(reports: Sequence[Report], names: Sequence[str]) -> str:
    """``a.json (compare), b.json (sensitivity) and c.json (evaluate)``."""
    kinds = [report.kind.command or report.kind.kind for report in reports]
    return numerals.name_list([f"{numerals.plain(name)} ({kind})" for name, kind in zip(names, kinds, strict=True)])


def _title(reports: Sequence[Report]) -> str:
    """``3 results: 9 algorithms on 25 problems``, if all are about one table."""
    counted = numerals.count(len(reports), "result")
    tables = [getattr(report.result, "scores", None) for report in reports]
    first = tables[0]
    if isinstance(first, Scores) and all(getattr(s, "source_sha256", "") == first.source_sha256 for s in tables):
        return f"{counted}: {sections.sizes(first)}"
    return counted


def _provenance(documents: Sequence[Document], command: str | None) -> Section | None:
    """Versions and the command of this report; below them what all results share, and what is of one."""
    lines = [[line for line in _lines(document) if line[0] != "versions"] for document in documents]
    shared = [line for line in lines[0] if all(line in others for others in lines[1:])]
    own = [
        (f"{term}, result {i}", text)
        for i, each in enumerate(lines, 1)
        for term, text in each
        if (term, text) not in shared
    ]
    once = [("versions", ", ".join(f"{name} {version}" for name, version in versions().items()))]
    once += [("command", numerals.plain(command))] if command else []
    return sections.points("provenance", "Provenance", [*once, *shared, *own])


def _lines(document: Document) -> Iterator[tuple[str, str]]:
    section = document.section("provenance")
    for block in section.blocks if section else ():
        if isinstance(block, Points):
            yield from ((term, text) for term, text, _ in block.items)


FORMATS: dict[str, Callable[[JointDocument, str], str]] = {
    "html": lambda document, stem: drawing_format("html").render_joint(document),
    "md": lambda document, stem: markdown.render_joint(document),
    "tex": lambda document, stem: drawing_format("latex").render_joint(document, stem),
    "txt": lambda document, stem: terminal.render_joint(document),
}


def save_joint(document: JointDocument, path: Path) -> None:
    """Write the report; its suffix is one of ``FORMATS``."""
    text = FORMATS[path.suffix.lower()[1:]](document, path.stem)
    write_bytes(path, text.encode("utf-8", "replace"))
