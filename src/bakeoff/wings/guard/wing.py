"""The wing *guard*: is a new build worse? Two builds, commands timed side by side, a history of builds."""

from bakeoff.wing import CommandPlace, Wing

WING = Wing(
    about="check, time, history, baseline",
    imports=("formats",),
    analyses=("wings.guard.check", "wings.guard.time", "wings.guard.history"),
    commands={
        "baseline": CommandPlace(
            group="Guard a build",
            help="Keep baselines for check: last commit, a pinned release.",
            place="wings.guard.baseline:command",
        )
    },
)
