"""From an Overview to the format-free Document: what a Bayesian report says, in which order."""

from __future__ import annotations

from bakeoff.bayes import Overview
from bakeoff.report.bayes import sentences, tables
from bakeoff.report.bayes.methods import cited_keys, methods
from bakeoff.report.bayes.readings import readings
from bakeoff.report.comparison.document import cautions_section, provenance_section, references_section, sizes
from bakeoff.report.document import Document, Figure, Paragraph, Points, Section

TRIANGLES = 6  # pairs drawn each; a page of more is no longer looked at


def document(overview: Overview, command: str | None = None) -> Document:
    """The whole report; ``command`` is the command line that asked for it, if one did."""
    o = overview
    several = len(o.joint.algorithms) > 2
    drawn = Section(key="diagram", title="Diagram", blocks=(Figure(o, sentences.basis(o)),))
    said = Points(tuple((term, text, "") for term, text in readings(o)))
    sections = [
        drawn,
        cautions_section(o.cautions),
        Section(key="readings", title="What the probabilities say", blocks=(said,)),
        Section(key="best", title="Who is best", blocks=(tables.ranking(o), _ridges(o))),
        Section(key="pairs", title="Who is better than whom", blocks=tuple(tables.pairs(o))),
        _triangles(o) if several else None,
        Section(key="friedman", title="Are all alike?", blocks=(tables.friedman(o),)) if several else None,
        Section(key="methods", title="Methods, ready to paste", blocks=(Paragraph(methods(o)),)),
        references_section(cited_keys(o)),
        provenance_section(o.scores, command),
    ]
    return Document(
        title=sizes(o.scores),
        verdict=sentences.verdict(o),
        basis=sentences.basis(o),
        sections=tuple(section for section in sections if section is not None),
        read_first=("readings",),
    )


def _ridges(o: Overview) -> Figure:
    return Figure(o.ranks, "Posterior mean ranks, best first.", key="ranks")


def _triangles(o: Overview) -> Section | None:
    """With a region of equivalence, the shares of each pair, while they are few."""
    drawn = [pair.signed_rank for pair in o.pairs if pair.signed_rank is not None]
    if not o.rope or not drawn or len(drawn) > TRIANGLES:
        return None
    figures = tuple(
        Figure(posterior, f"Posterior shares of {posterior.a} against {posterior.b}.", key=f"pair-{i}")
        for i, posterior in enumerate(drawn, start=1)
    )
    return Section(key="triangles", title="Better, practically equivalent, or worse", blocks=figures)
