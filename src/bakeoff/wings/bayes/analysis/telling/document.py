"""From an Overview to the format-free Document: what a Bayesian report says, in which order."""

from bakeoff.analyses.compare.telling.scores.attachment import scores_section
from bakeoff.report import sections
from bakeoff.report.document import Figure, Section
from bakeoff.report.sections import one_block
from bakeoff.report.telling import Telling
from bakeoff.wings.bayes import Overview
from bakeoff.wings.bayes.analysis.telling import sentences, tables
from bakeoff.wings.bayes.analysis.telling.data import CONTENT, pair_columns, ranking
from bakeoff.wings.bayes.analysis.telling.methods import cited_keys, methods
from bakeoff.wings.bayes.analysis.telling.readings import readings
from bakeoff.wings.bayes.analysis.telling.sentences import verdict as verdict

TRIANGLES = 6  # pairs: of more, none is drawn


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


def _body(o: Overview) -> list[Section | None]:
    several = len(o.joint.algorithms) > 2
    ridges = Figure(o.ranks, "Posterior mean ranks, best first.", key="ranks")
    return [
        sections.figure("Diagram", Figure(o, sentences.basis(o))),
        sections.cautions(o.cautions),
        sections.points("readings", "What the probabilities say", readings(o)),
        Section("best", "Who is best", (tables.ranking(o), ridges)),
        Section("pairs", "Who is better than whom", tuple(tables.pairs(o))),
        _triangles(o) if several else None,
        one_block("friedman", "Are all equal?", tables.friedman(o)) if several else None,
        scores_section(o.scores, o.control),
    ]


TELLING = Telling[Overview](
    schema="bakeoff.bayes/1",
    verdict=verdict,
    basis=sentences.basis,
    body=_body,
    on_screen=("readings", "best", "pairs"),
    methods=methods,
    works=cited_keys,
    keys=CONTENT,
    main=pair_columns,
    second=ranking,
)
