"""The wing *page*: the local page of ``serve``, pages of running experiments, the sources of a report's script."""

from bakeoff.wing import CommandPlace, Wing

WING = Wing(
    about="serve, live pages, the script of a report",
    imports=("curves", "formats", "run"),
    commands={
        "serve": CommandPlace(
            group="Compare",
            help="Compare in the browser: a local page with all of this.",
            place="wings.page.serve_command:command",
        ),
        "try": CommandPlace(
            group="Compare",
            help="Compare in any browser: one page that needs no installation.",
            place="wings.page.serve_command:try_page",
        ),
    },
)
