"""A running experiment or race as a Document: its state, its live table, what failed, and what to do next."""

from __future__ import annotations

from bakeoff import numerals
from bakeoff.errors import plain
from bakeoff.report import sections
from bakeoff.report.document import Code, Document, Paragraph, Section, Shown, Table, numeric, tabulate, words
from bakeoff.report.progress.sentences import MOST_ROWS, footline, headline
from bakeoff.report.progress.status import coordinator_line, failure_lines, files_lines, next_command, progress_line
from bakeoff.report.race.tables import eliminated, survivors
from bakeoff.report.sections import one_block
from bakeoff.running.progress import ActiveProblem
from bakeoff.running.store.status import AlgorithmStatus
from bakeoff.running.stored_progress import StoredProgress

SO_FAR = (
    "Mean ranks are of the problems finished so far, and the fast ones finish first: they are no verdict, and no test "
    "is made before the end."
)


def document(found: StoredProgress) -> Document:
    """What is known at this moment."""
    state, name = found.status.state, plain(found.status.store.name)
    race = found.race is not None and found.race.n_problems > 0
    return Document(
        title=f"{name}: {'at work' if state == 'running' else state}",
        verdict=headline(found.progress),
        basis=footline(found.progress),
        sections=sections.present(
            one_block("algorithms", "Standing", None if race else _algorithms(found)),
            one_block("survivors", "Standing", survivors(found.race) if race and found.race is not None else None),
            one_block("eliminated", "Eliminated", eliminated(found.race) if found.race is not None else None),
            one_block("active", "Under way", _active(found)),
            _lines("errors", "Failed runs", failure_lines(found.status)),
            _lines("store", "Store", _store_lines(found)),
            _next(found),
        ),
    )


def _lines(key: str, title: str, lines: list[str]) -> Section | None:
    return Section(key, title, tuple(Paragraph((plain(line),)) for line in lines)) if lines else None


def _next(found: StoredProgress) -> Section | None:
    """The command for a shell; nothing while the work goes on."""
    if found.status.state == "running":
        return None
    return Section("next", "Next", (Code(plain(next_command(found.status)).removesuffix(" (resumes)"), "sh"),))


def _store_lines(found: StoredProgress) -> list[str]:
    return [progress_line(found.status), coordinator_line(found.status), *files_lines(found.status)]


def _algorithms(found: StoredProgress) -> Table:
    """Best mean rank so far first."""
    from bakeoff.ranks import rank

    scores = found.scores
    ranks = {} if scores is None else dict(zip(scores.algorithms, rank(scores).mean(axis=0).tolist(), strict=True))
    rows = sorted(found.status.algorithms, key=lambda a: ranks.get(a.name, 0.0))
    over = found.status.state == "finished"
    title = "mean rank" if over else "mean rank so far"
    standing: Shown[AlgorithmStatus] = numeric(
        "mean_rank", title, lambda a: numerals.as_rank(ranks[a.name]), strong=True
    )
    shown: list[Shown[AlgorithmStatus]] = [
        words("algorithm", "algorithm", lambda a: numerals.plain(a.name)),
        *([standing] if ranks else []),
        numeric("n_runs", "runs", lambda a: str(a.n_runs)),
        numeric("n_failed", "failed", lambda a: str(a.n_failed)),
        numeric("n_attempts", "tried again", lambda a: str(a.n_attempts)),
    ]
    return tabulate("algorithms", "Runs by algorithm", shown, rows, note=SO_FAR if ranks and not over else "")


def _active(found: StoredProgress) -> Table | None:
    """The problems under way, with the runs of each algorithm that are there."""
    rows = found.progress.active[:MOST_ROWS]
    if not rows:
        return None
    shown: list[Shown[ActiveProblem]] = [words("problem", "problem", lambda p: numerals.plain(p.name))]
    for k, a in enumerate(found.status.algorithms[:MOST_ROWS]):
        shown.append(numeric(str(k), numerals.plain(a.name), lambda p, k=k: str(p.counts[k])))  # type: ignore[misc]
    shown.append(numeric("waiting", "waiting", lambda p: str(p.waiting)))
    if any(p.standard_error is not None for p in rows):
        shown.append(
            numeric("se", "se", lambda p: "" if p.standard_error is None else numerals.significant(p.standard_error, 3))
        )
    return tabulate("active", "Problems under way", shown, rows, note="")
