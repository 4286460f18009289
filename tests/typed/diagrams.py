"""mypy checks this file: ``bo.diagram`` takes what analyses and their parts give. Nothing runs it.

Every result is a ``Reportable``, which the type says: some of them stand for all.
"""

from collections.abc import Iterator

import bakeoff as bo
from bakeoff.figures import Drawing
from bakeoff.wings.run._run import RunResult
from bakeoff.wings.run.racing.results import RaceResult


def drawings(scores: bo.Scores, races: RaceResult, ran: RunResult) -> Iterator[Drawing]:
    yield bo.diagram(bo.compare(scores))
    yield bo.diagram(bo.sensitivity(scores))
    yield bo.diagram(bo.evaluate(scores), "differences")
    yield bo.diagram(bo.check({"sort": [1.0, 1.1]}, {"sort": [1.2, 1.3]}, "5%", better="lower"))
    yield bo.diagram(bo.curves("curves.csv", better="lower"))
    yield bo.diagram(bo.time_ratios(scores))
    yield bo.diagram(bo.plan.curve(20))
    yield bo.diagram(bo.study.power(scores, 0, 1, ["sign"]))
    yield bo.diagram(bo.study.known_truth(scores, 0, 1, ["sign"]))
    yield bo.diagram(bo.bayes.overview(scores))
    yield bo.diagram(bo.bayes.plackett_luce(scores))
    yield bo.diagram(bo.bayes.compare(scores))
    yield bo.diagram(bo.bayes.rank_probabilities(scores))
    yield bo.diagram(bo.bayes.signed_rank(scores, 0, 1))
    yield bo.diagram(races)
    yield bo.diagram(ran)
