"""The report of a comparison with that of its sensitivity in it."""

from typing import Any

from bakeoff.analyses.compare.telling.with_part import WithPart
from bakeoff.analyses.sensitivity.statistics import ExaminedComparison
from bakeoff.analyses.sensitivity.telling.document import VARIED, body, of_pairs, on_screen, own_methods
from bakeoff.analyses.sensitivity.telling.sentences import verdict
from bakeoff.report.telling import values_of


def _data(result: ExaminedComparison) -> dict[str, Any]:
    call = {name: result.sensitivity.request[name] for name in ("n_resamples", "rng")}
    return {"verdict": verdict(result.sensitivity), **values_of(result.sensitivity, VARIED), "request": call}


TELLING = WithPart[ExaminedComparison](
    name="sensitivity",
    sections=lambda result: body(result.sensitivity),
    on_screen=lambda result: on_screen(result.sensitivity),
    methods=lambda result: own_methods(result.sensitivity),
    cautions=lambda result: result.sensitivity.own_cautions,
    data=_data,
    columns=lambda result: of_pairs(result.sensitivity),
)
