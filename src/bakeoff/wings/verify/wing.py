"""The wing *verify*: a report computed again from what it holds, and compared value by value."""

from bakeoff.wing import CommandPlace, Wing

WING = Wing(
    about="verify",
    commands={
        "verify": CommandPlace(
            group="Check a report",
            help="Reproduce a report from its scores, or a store from its runs.",
            place="wings.verify.verify_command:command",
        )
    },
)
