"""The report of a comparison with a leaderboard in it."""

from typing import Any

from bakeoff.analyses.compare.telling.with_part import WithPart
from bakeoff.report.telling import values_of
from bakeoff.wings.boards.leaderboard.statistics import RankedComparison
from bakeoff.wings.boards.leaderboard.telling.document import STANDING, board_sections
from bakeoff.wings.boards.leaderboard.telling.sentences import methods, verdict


def _data(result: RankedComparison) -> dict[str, Any]:
    board = result.leaderboard
    return {"verdict": verdict(board)} | values_of(board, (*STANDING, "request"))


TELLING = WithPart[RankedComparison](
    name="leaderboard",
    sections=lambda result: board_sections(result.leaderboard),
    on_screen=lambda result: ("standings", "winner"),
    methods=lambda result: methods(result.leaderboard),
    cautions=lambda result: result.leaderboard.cautions,
    data=_data,
)
