"""The page that ``bakeoff run`` prints when the runs are made: the answer, what was run, and each problem."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from bakeoff.errors import counted
from bakeoff.report import sections
from bakeoff.report.data import plain_data
from bakeoff.report.document import Section
from bakeoff.report.methods import versions
from bakeoff.report.reporting import Reporting, values_of
from bakeoff.reportable import Reportable
from bakeoff.wings.run.results import RunResult
from bakeoff.wings.run.run.reporting import document, sentences, tables
from bakeoff.wings.run.run.reporting.document import REPORT as RESULT_REPORT
from bakeoff.wings.run.schedulers import REASONS

_RUN = (
    *("algorithms", "n_problems", "n_runs", "n_failed", "n_retried", "reasons"),
    *("differences", "statistic", "method", "allocation", "digest"),
)
_FROM_REPORT = ("verdict", "question", "pairs", "looks", "stopped_early", "n_beyond", "power")


@dataclass(frozen=True, slots=True, repr=False)
class RunPage(Reportable):
    """A finished run and the store that keeps it."""

    kind: ClassVar[str] = "run"
    result: RunResult
    store: Path

    @property
    def decision(self) -> str:
        """As of the result."""
        return self.result.decision


def _runs(result: RunResult) -> list[tuple[str, str]]:
    k, n = len(result.algorithms), result.n_problems
    failed = f", {result.n_failed} failed" if result.n_failed else ""
    size = f"{counted(k, 'algorithm')}, {counted(n, 'problem')}, {counted(result.n_runs, 'run')}{failed}"
    return [
        ("", size),
        *((reason, f"{counted(n, 'problem')}: {REASONS[reason]}") for reason, n in result.reasons.items()),
    ]


def verdict(page: RunPage) -> str:
    """As of the report."""
    return sentences.verdict(page.result)


def _body(page: RunPage) -> list[Section | None]:
    """Shorter than the report of the same result."""
    result = page.result
    return [
        sections.points("power", "Was the experiment large enough?", sentences.power_sentence(result)[:1]),
        sections.points("runs", "Runs", _runs(result)),
        sections.one_block("problems", "Problem by problem", tables.problems(result)),
    ]


def _content(page: RunPage) -> dict[str, Any]:
    result, report = page.result, RESULT_REPORT.to_dict(page.result)
    others = {name: version for name, version in result.contents.versions.items() if name != "bakeoff"}
    return {
        "store": str(page.store),
        "better": result.scores.better,
        **values_of(result, _RUN),
        **{key: report[key] for key in _FROM_REPORT},
        "estimates": plain_data(result.estimates, document.KEYS),
        "cautions": report["cautions"],
        "versions": {"bakeoff": versions()["bakeoff"]} | others,
    }


REPORT = Reporting[RunPage](
    schema="bakeoff.run/1",
    title=lambda page: sections.sizes(page.result.scores),
    verdict=verdict,
    basis=lambda page: sentences.basis(page.result),
    body=_body,
    on_screen=("power", "runs", "problems"),
    cautions=lambda page: document.known_cautions(page.result),
    table=lambda page: page.result.scores,
    more=lambda page: [*document.protocol(page.result), ("SHA-256 of all runs", page.result.digest)],
    whole=_content,
    main=lambda page: tables.pair_columns(page.result),
    second=lambda page: tables.mean_scores(page.result),
)
