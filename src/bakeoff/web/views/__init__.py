"""The analyses that the page offers, in its order: one ``View`` each."""

from bakeoff.analyses import all_analyses, of_command
from bakeoff.analyses.compare.view import COMPARE
from bakeoff.places import load
from bakeoff.web.views.fields import view_of
from bakeoff.web.views.further import BAYES, HISTORY, PER_PROBLEM, PLAN, PROFILE, RUNTIMES, SENSITIVITY
from bakeoff.web.views.view import View as View

_LEADERBOARD = of_command("leaderboard")
_ALL: tuple[View, ...] = (
    COMPARE,
    SENSITIVITY,
    BAYES,
    view_of(_LEADERBOARD),
    PER_PROBLEM,
    PROFILE,
    *(view_of(record) for record in all_analyses() if record.tab and record is not _LEADERBOARD),
    RUNTIMES,
    *(load(record.view) for record in all_analyses() if record.view),
    HISTORY,
    PLAN,
)
VIEWS: dict[str, View] = {view.name: view for view in _ALL}
