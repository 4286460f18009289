"""The wing *run*: experiments run by bakeoff, races among them, and the store of their runs."""

from bakeoff.wing import CommandPlace, Wing

_COMMANDS = {
    "init": "Write an example experiment that runs unchanged.",
    "status": "How far is an experiment, what failed, is it running?",
    "rerun": "Make one run of a store again, and compare.",
    "export": "Export the runs of a store as CSV or Parquet.",
    "merge": "Merge the parts of an experiment into one store.",
}
WING = Wing(
    about="run, race, the store of runs, executors, status, rerun, export, merge, init",
    imports=("bayes",),  # Bayesian racing rules
    analyses=("wings.run.run", "wings.run.race"),
    commands={
        name: CommandPlace(group="Plan and run", help=help, place=f"wings.run.commands:{name}_command")
        for name, help in _COMMANDS.items()
    },
    provides={"stores": "wings.run.scores_of_stores"},
)
