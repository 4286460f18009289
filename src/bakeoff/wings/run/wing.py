"""The wing *run*: experiments run by bakeoff, races among them, and the store of their runs."""

from bakeoff.wing import CommandPlace, Wing

WING = Wing(
    about="run, race, the store of runs, executors, status, rerun, export, init",
    imports=("bayes",),  # Bayesian racing rules
    analyses=("wings.run.run", "wings.run.race"),
    commands={
        "init": CommandPlace(
            group="Plan and run",
            help="Write an example experiment that runs unchanged.",
            place="wings.run.commands:init_command",
        ),
        "status": CommandPlace(
            group="Plan and run",
            help="How far is an experiment, what failed, is it running?",
            place="wings.run.commands:status_command",
        ),
        "rerun": CommandPlace(
            group="Plan and run",
            help="Make one run of a store again, and compare.",
            place="wings.run.commands:rerun_command",
        ),
        "export": CommandPlace(
            group="Plan and run",
            help="Export the runs of a store as CSV or Parquet.",
            place="wings.run.commands:export_command",
        ),
    },
    provides={"stores": "wings.run.scores_of_stores"},
)
