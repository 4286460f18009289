"""Options of ``bakeoff curves`` beside the parameters of its record: how files are read, and which budgets count."""

from bakeoff.parameter import Parameter, one_of

COLUMNS = (
    Parameter("problem", "Column of the problem; of logs some of function,dimension,instance", metavar="COLUMN"),
    Parameter("algorithm", "Column of the algorithm", metavar="COLUMN"),
    Parameter("run", "Column of the run; of seed,episode the episodes of a seed are averaged first", metavar="COLUMN"),
    Parameter("budget", "Column of the budget; of logs evaluations or evaluations/dimension", metavar="COLUMN"),
    Parameter("score", "Column of the score", metavar="COLUMN"),
    Parameter("cluster", "Column that says which problems share a source", metavar="COLUMN"),
    Parameter("task", "Column of the task (suite) that a problem is one of", metavar="COLUMN"),
    Parameter(
        "weights",
        "What counts equally in a mean",
        usual="tasks where there are several, else problems",
        choices={"tasks": "", "problems": "", "clusters": ""},
    ),
)
ALONG = (
    Parameter("grid", "At most N budgets are compared", int, usual="all up to 1000, else 200"),
    Parameter(
        "target",
        "Score at which runs stop; a run that reached it keeps it",
        float,
        usual="for logs as they specify, or 1e-8",
        metavar="Y",
    ),
    Parameter(
        "scale",
        "Scores",
        usual="log for logs that are minimised, else linear",
        choices={"linear": "as they are", "log": "their logarithms"},
    ),
    one_of("spacing", "Of budgets", {"log": "", "linear": ""}),
    one_of("cell", "How to summarise the runs of a cell", {"mean": "", "median": ""}),
    Parameter("latest", "The latest score counts at a budget, not the best so far", bool),
    Parameter("fixed_budget", "Also print the mean scores at this budget", float, option="--at", metavar="B"),
    Parameter("fixed_target", "Also print the running time to this score", float, option="--to", metavar="Y"),
    one_of(
        "missing",
        "What to do with rows without a score, and problems that some algorithm lacks",
        {"raise": "an error", "drop": "they are left out"},
    ),
)
