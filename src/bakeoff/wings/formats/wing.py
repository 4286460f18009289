"""The wing *formats*: the files of other programs, read as scores, and ``import``."""

from bakeoff.wing import CommandPlace, Wing

WING = Wing(
    about="results of other programs: 34 formats, one file each, and import",
    commands={
        "import": CommandPlace(
            group="Compare",
            help="Results of other programs as one table, a row per score.",
            place="wings.formats.import_command:command",
        )
    },
    provides={"formats": "wings.formats.result_files"},
)
