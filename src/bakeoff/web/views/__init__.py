"""The analyses that the page offers, in its order: one ``View`` each."""

from bakeoff.analyses import of_command
from bakeoff.web.views.compare import COMPARE
from bakeoff.web.views.curves import CURVES
from bakeoff.web.views.fields import view_of
from bakeoff.web.views.further import BAYES, HISTORY, PER_PROBLEM, PLAN, PROFILE, RUNTIMES, SENSITIVITY
from bakeoff.web.views.tradeoff import TRADEOFF
from bakeoff.web.views.view import View as View

_ALL = (
    COMPARE,
    SENSITIVITY,
    BAYES,
    view_of(of_command("leaderboard")),
    PER_PROBLEM,
    PROFILE,
    *(view_of(of_command(name)) for name in ("evaluate", "iqm", "ratings")),
    RUNTIMES,
    TRADEOFF,
    CURVES,
    HISTORY,
    PLAN,
)
VIEWS: dict[str, View] = {view.name: view for view in _ALL}
