"""The analyses that the page offers, in its order: one ``View`` each, of those that are there."""

from bakeoff.analyses import all_analyses, by_command
from bakeoff.places import load
from bakeoff.wings.page.views.fields import view_of
from bakeoff.wings.page.views.view import Facts, View as View

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

SHORT = {
    "compare": "Which is better?",
    "evaluate": "How good is each?",
    "curves": "From which budget on?",
    "tradeoff": "Which trade-off?",
    "history": "When did it change?",
    "per-problem": "On which problems?",
    "sensitivity": "How firm is the verdict?",
    "plan": "How many problems?",
    "bayes": "How probable is it?",
    "leaderboard": "How sure is each rank?",
    "iqm": "How good without extremes?",
    "ratings": "Who beats whom?",
    "profile": "How near to the best?",
    "runtimes": "Which is faster, with a limit?",
}
"""The question of each analysis in a few words."""

_FIRST = ("compare", "evaluate", "curves")
_NEXT = ("tradeoff", "history", "per-problem", "sensitivity")
"""One of these, the first that the table allows, and the number of problems stand beside them."""


def offered_first(facts: Facts) -> list[str]:
    """The four questions that this table can answer and that users ask first, or fewer."""
    there = [name for name, view in VIEWS.items() if not view.why_not(facts)]
    several = [name for name in _NEXT if name in there][:1]
    return [name for name in (*_FIRST, *several, "plan") if name in there]
