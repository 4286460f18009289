"""The analyses that the page offers, in its order: one ``View`` each."""

from bakeoff.web.views.compare import COMPARE
from bakeoff.web.views.curves import CURVES
from bakeoff.web.views.further import (
    BAYES,
    EVALUATE,
    HISTORY,
    IQM,
    LEADERBOARD,
    PER_PROBLEM,
    PLAN,
    PROFILE,
    RATINGS,
    RUNTIMES,
    SENSITIVITY,
)
from bakeoff.web.views.tradeoff import TRADEOFF
from bakeoff.web.views.view import View as View

_ALL = (
    COMPARE,
    SENSITIVITY,
    BAYES,
    LEADERBOARD,
    PER_PROBLEM,
    PROFILE,
    EVALUATE,
    IQM,
    RATINGS,
    RUNTIMES,
    TRADEOFF,
    CURVES,
    HISTORY,
    PLAN,
)
VIEWS: dict[str, View] = {view.name: view for view in _ALL}
