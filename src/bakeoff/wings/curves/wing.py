"""The wing *curves*: scores along a budget, shares of problems solved, run times with timeouts."""

from bakeoff.wing import Wing

WING = Wing(
    about="curves, profile, runtimes",
    imports=("formats",),
    analyses=("wings.curves.profile", "wings.curves.runtimes", "wings.curves.curves"),
)
