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
    "run": (("run",), ("repetition", "replicate", "rep", "resample", "seed", "trial", "fold")),
    "metric": (("metric", "metricname"), ("indicator", "indicatorname", "evalmetric")),
    "cluster": (("cluster",),),
    "status": (("status",), ("runstatus",)),
}
"""Column names recognised for each role, in any case of letters, spaces and underscores aside; an earlier line wins."""

STATISTIC = re.compile(
    r"average|mean|avg|median|min(imum)?|max(imum)?|q[13]|[lu]q|iqr|p(50|90|95|99)|std(dev|ev|err|error)?|sem"
    r"|var(iance)?|neval|n(wins|draws|losses|total)(base)?"
    r"|standard(deviation|error)|pvalue|(n|num)?(un)?solved|bestknown(solution|value)?|bks|opt(imum|imal)?(value|cost)?"
    r"|(lower|upper)(bound|ci|limit)?|count|n(samples|runs)|samples|iterations?|time|seconds|duration|(avg)?rank|(fit|score)time"
    r"|(global)?steps?|epochs?|(time)?stamp|walltime|(mean|avg|average)winrate"
)
"""Columns that describe one measurement, or its sample, beside the scores."""

COUNTERS = frozenset(("", "id", "idx", "index", "no", "nr", "number", "place", "pos", "position", "rank", "ranking"))
"""A first column of this name counts the rows, where another one names them."""


def plain_name(name: str) -> str:
    """In lower case, without spaces and punctuation."""
    return re.sub(r"[\W_]+", "", name.lower())
