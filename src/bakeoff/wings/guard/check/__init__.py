"""``check``: is a new build, or model, worse than the one before?"""

from bakeoff.analysis import METRICS, Analysis
from bakeoff.parameter import Parameter, alpha, one_of

RECORDS = (
    Analysis(
        kind="check",
        respects=METRICS | {"series"},
        estimates="wings.guard.check.statistics:mean_estimated",
        function="bo.check",
        command="check",
        planned="raise",
        group="Guard a build",
        help="Is a new build, or model, worse than the one before? For CI.",
        schema="bakeoff.check/1",
        computes="wings.guard.check.statistics:judge",
        describes="wings.guard.check.reporting:REPORT",
        drawn_by={"wings.guard.check.statistics:Check": "wings.guard.check.figure:draw_check"},
        parameters=(
            Parameter(
                "margin",
                'Largest worsening to accept: "5%", or 0.02 in score units. Required',
                float,
                text_too=True,
                metavar="M",
            ),
            alpha("Chance of a false alarm per check", default=0.01),
            one_of(
                "correction",
                "Correction of regressions over problems",
                {"holm": "", "bh": "false discovery rate", "none": ""},
            ),
            Parameter(
                "allow_missing",
                "Accept problems that are missing or failed in NEW; in one mean, in either",
                bool,
                default=False,
            ),
            one_of(
                "level",
                "Verdicts on",
                {"auto": "problem for benchmarks, suite for questions", "problem": "each", "suite": "the mean"},
            ),
            one_of(
                "test",
                "Test",
                {"t": "", "rank": "exact if sides differ by a shift", "anytime": "pairs, tested after each"},
            ),
            one_of("scale", "Scale of the change", {"auto": "", "ratio": "", "difference": "for shares"}),
            Parameter(
                "paired",
                "Pair runs that have the same name, or do not",
                bool,
                default=False,
                usual="as the files suggest",
                negative="--unpaired",
            ),
            Parameter(
                "strict", "Call any detected worsening a regression, even within the margin", bool, default=False
            ),
            Parameter(
                "center", "Subtract the median effect of all problems (a slower or faster machine)", bool, default=False
            ),
            Parameter("run_sd", "Standard deviation between processes (0.05: 5 %), if known", float, metavar="SD"),
            Parameter(
                "margins",
                "Problems with a margin of their own",
                object,
                checked_by="wings.guard.check.request:check_own_margins",
                on_command=False,
            ),
            Parameter(
                "context",
                "What else the files contain: problems missing in new, failed runs, labels",
                object,
                checked_by="wings.guard.check.request:check_context",
                on_command=False,
            ),
        ),
    ),
)
