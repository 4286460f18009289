"""What the columns of a long table are called."""

import re

SETTING = re.compile(r"(?<![^\0])(?:config|cfg|params?|hparams?|settings?|args)[./:](?=[^\0])", re.IGNORECASE)
"""What trackers put before the name of a setting: ``config/model``; names stand alone, or between NULs."""

SYNONYMS: dict[str, tuple[tuple[str, ...], ...]] = {
    "problem": (
        ("problem",),
        ("dataset", "instance", "instanceid"),
        ("function", "task", "benchmark", "benchmarkfunction", "question", "testcase"),
        ("block", "domain", "subject"),
    ),
    "algorithm": (
        ("algorithm",),
        ("method", "classifier", "model"),
        ("solver", "optimizer", "optimiser", "learner", "heuristic", "technique", "treatment", "competitor"),
        ("framework", "system"),
    ),
    "score": (
        ("score",),
        ("value",),
        (
            "accuracy",
            "acc",
            "auc",
            "f1",
            "error",
            "errorrate",
            "loss",
            "fitness",
            "fbest",
            "cost",
            "objective",
            "runtime",
            "runningtime",
        ),
        ("performance", "result", "response", "measure", "observation"),
        ("time", "seconds", "cputime", "walltime", "wallclocktime"),
    ),
    "run": (("run",), ("repetition", "replicate", "rep", "seed", "trial", "fold")),
    "metric": (("metric", "metricname"), ("indicator", "indicatorname", "evalmetric")),
    "cluster": (("cluster",),),
    "status": (("status",), ("runstatus",)),
}
"""Column names recognised for each role, in any case of letters, spaces and underscores aside; an earlier line wins."""
