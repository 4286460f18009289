"""The analyses that the page offers, in its order: one ``View`` each, of those that are there."""

from bakeoff.analyses import all_analyses, by_command
from bakeoff.places import load
from bakeoff.wings.page.views.fields import view_of
from bakeoff.wings.page.views.view import View as View

_OWN = {
    "compare": "wings.page.views.more_views:COMPARE",
    "sensitivity": "wings.page.views.more_views:SENSITIVITY",
    "bayes": "wings.page.views.more_views:BAYES",
    "leaderboard": "",
    "per-problem": "wings.page.views.more_views:PER_PROBLEM",
    "profile": "wings.page.views.more_views:PROFILE",
    "": "",
    "runtimes": "wings.page.views.more_views:RUNTIMES",
    "tradeoff": "wings.page.views.tradeoff:TRADEOFF",
    "curves": "wings.page.views.more_views:CURVES",
    "history": "wings.page.views.more_views:HISTORY",
    "plan": "wings.page.views.more_views:PLAN",
}
"""By command, the views that a form alone does not make; "" stands for the other records that have a ``Tab``."""


def _views() -> list[View]:
    views: list[View] = []
    for command, place in _OWN.items():
        if command in by_command():
            views.append(load(place) if place else view_of(by_command()[command]))
        elif not command:
            views += [view_of(record) for record in all_analyses() if record.tab and record.command not in _OWN]
    return views


VIEWS: dict[str, View] = {view.name: view for view in _views()}
