"""What ``bakeoff run`` says when the runs are made: the answer, what was run, and each problem."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from bakeoff.errors import counted
from bakeoff.report import sections
from bakeoff.report.data import plain_data
from bakeoff.report.document import Document, Sheets
from bakeoff.report.experiment import data, sentences, tables
from bakeoff.report.methods import versions
from bakeoff.reportable import Reportable
from bakeoff.running.results import RunResult
from bakeoff.running.schedulers import REASONS

SCHEMA = "bakeoff.run/1"
_RUN = (
    *("algorithms", "n_problems", "n_runs", "n_failed", "n_retried", "reasons"),
    *("differences", "statistic", "method", "allocation", "digest"),
)
_ASKED = ("verdict", "question", "pairs", "looks", "stopped_early", "n_beyond", "power")


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


def document(page: RunPage, command: str | None = None) -> Document:
    """Shorter than the report of the same result."""
    result = page.result
    return Document(
        title=sections.sizes(result.scores),
        verdict=verdict(page),
        basis=sentences.basis(result),
        sections=sections.present(
            sections.points("power", "Was the experiment large enough?", sentences.power_sentence(result)[:1]),
            sections.points("runs", "Runs", _runs(result)),
            sections.one_block("problems", "Problem by problem", tables.problems(result)),
            sections.cautions((*result.analysis.cautions, *result.cautions)),
            sections.provenance(result.scores, command, ("SHA-256 of all runs", result.digest)),
        ),
        on_screen=("power", "runs", "problems", "cautions"),
        doubts=sections.doubts((*result.analysis.cautions, *result.cautions)),
    )


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


def to_dict(page: RunPage, command: str | None = None) -> dict[str, Any]:
    """For scripts: never NaN or infinity."""
    result = page.result
    report = data.to_dict(result)
    return {
        "schema": SCHEMA,
        "store": str(page.store),
        "better": result.scores.better,
        **{name: plain_data(getattr(result, name)) for name in _RUN},
        **{key: report[key] for key in _ASKED},
        "estimates": plain_data(result.estimates, data.KEYS),
        "cautions": report["cautions"],
        "versions": {"bakeoff": versions()["bakeoff"]}
        | {name: version for name, version in result.contents.versions.items() if name != "bakeoff"},
    }


def sheets(page: RunPage) -> Sheets:
    """As of the report."""
    return tables.sheets(page.result)
