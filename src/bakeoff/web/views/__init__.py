"""The analyses that the page offers, in its order: one ``View`` each."""

from bakeoff.web.views.compare import COMPARE
from bakeoff.web.views.view import View as View

VIEWS: dict[str, View] = {view.name: view for view in (COMPARE,)}
