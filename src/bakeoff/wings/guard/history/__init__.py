"""``history``: when a benchmark changed its level."""

from bakeoff.analysis import BY_ITSELF, Analysis
from bakeoff.parameter import Parameter, alpha, n_resamples, one_of, seed

ABOUT = """Did a benchmark change over the history of a program, at which version, and by how much?

FILE… are result files of hyperfine, go test -bench and others, one per version, oldest first; or one machine's
folder of asv. Files that a shell sorted as text (bench-1, bench-10, bench-2) are ordered by number. A single file
is a table: a row per benchmark and a column per version, or a row per run (--algorithm names the version's
column). It needs --better.

\b
bakeoff history bench-*.json
bakeoff history nightly.csv --better lower --report history.html
bakeoff history runs.csv --better lower --algorithm version
"""

_FILES = (
    Parameter("label", "Name of the version in a file", usual="the file's name", repeatable=True, metavar="NAME=FILE"),
    Parameter("format", "Format of the files", usual="detected", metavar="NAME"),
    Parameter("metric", "Metric to take, if the files have several", metavar="NAME"),
)
RECORDS = (
    Analysis(
        kind="history",
        respects=BY_ITSELF,
        function="bo.change_points",
        command="history",
        group="Guard a build",
        help="When did a benchmark change its level, over the versions?",
        about=ABOUT,
        reads="files",
        argument="FILE…",
        before=(*_FILES, "columns"),
        after=(
            Parameter(
                "exit_code",
                "Exit with 1 if the latest change of some benchmark is for the worse, or with 3 if no history is long "
                "enough",
                bool,
                default=False,
            ),
        ),
        hook="wings.guard.history.options:call_history",
        title="Change points",
        schema="bakeoff.history/1",
        computes="wings.guard.history.statistics:change_points",
        describes="wings.guard.history.reporting:REPORT",
        drawn_by={"wings.guard.history.statistics:ChangePoints": "wings.guard.history.figure:draw_history"},
        parameters=(
            alpha("Probability of any false alarm"),
            Parameter(
                "min_segment", "Fewest versions at one level", int, default=3, metavar="N", label="Shortest level"
            ),
            one_of("scale", "Scale of a change", {"auto": "", "ratio": "", "difference": ""}),
            one_of(
                "method",
                "p-values",
                {"auto": "exact up to 8 versions", "exact": "", "permutation": ""},
                on_command=False,
            ),
            Parameter(
                "serial",
                "Versions resemble their neighbours (a machine is slow for days): search what is left without that",
                bool,
                default=False,
            ),
            n_resamples("Permutations; all up to 8 versions"),
            seed("Seed of the permutations"),
            Parameter(
                "confidence_level",
                "Confidence level of the intervals of changes",
                float,
                default=0.95,
                on_command=False,
            ),
            Parameter(
                "commits",
                "Commits of the versions, if known",
                object,
                usual="as the files say",
                checked_by="report.reading_back:check_own_words",
                on_command=False,
            ),
        ),
    ),
)
