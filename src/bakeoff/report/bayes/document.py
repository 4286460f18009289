"""From an Overview to the format-free Document: what a Bayesian report says, in which order."""

from __future__ import annotations

from bakeoff.bayes import Overview
from bakeoff.report.bayes import sentences, tables
from bakeoff.report.bayes.data import to_dict as to_dict
from bakeoff.report.bayes.methods import cited_keys, methods
from bakeoff.report.bayes.readings import readings
from bakeoff.report.bayes.tables import sheets as sheets
from bakeoff.report.document import Document, Figure, Section
from bakeoff.report.sections import (
    cautions_section,
    methods_section,
    one_block,
    points,
    present,
    provenance_section,
    references_section,
    sizes,
)

TRIANGLES = 6  # pairs: of more, none is drawn


def document(overview: Overview, command: str | None = None) -> Document:
    """The whole report; ``command`` is the command line that asked for it, if one did."""
    o = overview
    several = len(o.joint.algorithms) > 2
    sections = [
        one_block("diagram", "Diagram", Figure(o, sentences.basis(o))),
        cautions_section(o.cautions),
        points("readings", "What the probabilities say", readings(o)),
        Section(key="best", title="Who is best", blocks=(tables.ranking(o), _ridges(o))),
        Section(key="pairs", title="Who is better than whom", blocks=tuple(tables.pairs(o))),
        _triangles(o) if several else None,
        one_block("friedman", "Are all alike?", tables.friedman(o)) if several else None,
        methods_section(methods(o)),
        references_section(cited_keys(o)),
        provenance_section(o.scores, command),
    ]
    return Document(
        title=sizes(o.scores),
        verdict=sentences.verdict(o),
        basis=sentences.basis(o),
        sections=present(sections),
        on_screen=("readings", "best", "pairs", "cautions"),
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
