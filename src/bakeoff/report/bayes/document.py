"""From an Overview to the format-free Document: what a Bayesian report says, in which order."""

from bakeoff.bayes import Overview
from bakeoff.report import sections
from bakeoff.report.bayes import sentences, tables
from bakeoff.report.bayes.data import sheets as sheets, to_dict as to_dict
from bakeoff.report.bayes.methods import cited_keys, methods
from bakeoff.report.bayes.readings import readings
from bakeoff.report.bayes.sentences import verdict as verdict
from bakeoff.report.document import Document, Figure, Section
from bakeoff.report.scores.attachment import scores_section
from bakeoff.report.sections import one_block

TRIANGLES = 6  # pairs: of more, none is drawn


def document(overview: Overview, command: str | None = None) -> Document:
    """The whole report; ``command`` is the command line that asked for it, if one did."""
    o, basis = overview, sentences.basis(overview)
    several = len(o.joint.algorithms) > 2
    ridges = Figure(o.ranks, "Posterior mean ranks, best first.", key="ranks")
    return Document(
        title=sections.sizes(o.scores),
        verdict=verdict(o),
        basis=basis,
        sections=sections.present(
            sections.figure("Diagram", Figure(o, basis)),
            sections.cautions(o.cautions),
            sections.points("readings", "What the probabilities say", readings(o)),
            Section("best", "Who is best", (tables.ranking(o), ridges)),
            Section("pairs", "Who is better than whom", tuple(tables.pairs(o))),
            _triangles(o) if several else None,
            one_block("friedman", "Are all alike?", tables.friedman(o)) if several else None,
            scores_section(o.scores, o.control),
            sections.methods(methods(o)),
            sections.references(cited_keys(o)),
            sections.provenance(o.scores, command),
        ),
        on_screen=("readings", "best", "pairs", "cautions"),
        doubts=sections.doubts(o.cautions),
    )


def _triangles(o: Overview) -> Section | None:
    """With a region of equivalence, the shares of each pair, while they are few."""
    drawn = [pair.signed_rank for pair in o.pairs if pair.signed_rank is not None]
    if not o.rope or not drawn or len(drawn) > TRIANGLES:
        return None
    figures = tuple(
        Figure(posterior, f"Posterior shares of {posterior.a} against {posterior.b}.", key=f"pair-{i}", small=True)
        for i, posterior in enumerate(drawn, start=1)
    )
    return Section("triangles", "Better, practically equivalent, or worse", figures)
