"""A running experiment or race as a Document: its state, its live table, what failed, and what to do next."""

from bakeoff import numerals
from bakeoff.errors import plain
from bakeoff.report import sections
from bakeoff.report.document import (
    Code,
    ColumnSpec,
    Document,
    Paragraph,
    Section,
    Table,
    number_column,
    tabulate,
    text_column,
)
from bakeoff.report.sections import MOST_ROWS, one_block
from bakeoff.wings.run.progress import ActiveProblem
from bakeoff.wings.run.race.telling.tables import eliminated, survivors
from bakeoff.wings.run.run.telling.progress.sentences import footline, headline
from bakeoff.wings.run.run.telling.progress.status import (
    coordinator_line,
    failure_lines,
    files_lines,
    next_command,
    progress_line,
)
from bakeoff.wings.run.store.status import AlgorithmStatus
from bakeoff.wings.run.stored_progress import StoredProgress

SO_FAR = (
    "Mean ranks cover the problems finished so far, and fast ones finish first. They are no verdict, and no test is "
    "made before the end."
)


def document(result: StoredProgress) -> Document:
    """What is known at this moment."""
    state, name = result.status.state, plain(result.status.store.name)
    race = result.race is not None and result.race.n_problems > 0
    return Document(
        title=f"{name}: {'at work' if state == 'running' else state}",
        verdict=headline(result.progress),
        basis=footline(result.progress),
        sections=sections.present(
            one_block("algorithms", "Standing", None if race else _algorithms(result)),
            one_block("survivors", "Standing", survivors(result.race) if race and result.race is not None else None),
            one_block("eliminated", "Eliminated", eliminated(result.race) if result.race is not None else None),
            one_block("active", "Under way", _active(result)),
            _lines("errors", "Failed runs", failure_lines(result.status)),
            _lines("store", "Store", _store_lines(result)),
            _next(result),
        ),
    )


def _lines(key: str, title: str, lines: list[str]) -> Section | None:
    return Section(key, title, tuple(Paragraph((plain(line),)) for line in lines)) if lines else None


def _next(result: StoredProgress) -> Section | None:
    """The command for a shell; nothing while the work goes on."""
    if result.status.state == "running":
        return None
    return Section("next", "Next", (Code(plain(next_command(result.status)).removesuffix(" (resumes)"), "sh"),))


def _store_lines(result: StoredProgress) -> list[str]:
    return [progress_line(result.status), coordinator_line(result.status), *files_lines(result.status)]


def _algorithms(result: StoredProgress) -> Table:
    """Best mean rank so far first."""
    from bakeoff.ranks import rank

    scores = result.scores
    ranks = {} if scores is None else dict(zip(scores.algorithms, rank(scores).mean(axis=0).tolist(), strict=True))
    rows = sorted(result.status.algorithms, key=lambda a: ranks.get(a.name, 0.0))
    over = result.status.state == "finished"
    title = "mean rank" if over else "mean rank so far"
    standing: ColumnSpec[AlgorithmStatus] = number_column(
        "mean_rank", title, lambda a: numerals.as_rank(ranks[a.name]), strong=True
    )
    shown: list[ColumnSpec[AlgorithmStatus]] = [
        text_column("algorithm", "algorithm", lambda a: numerals.plain(a.name)),
        *([standing] if ranks else []),
        number_column("n_runs", "runs", lambda a: str(a.n_runs)),
        number_column("n_failed", "failed", lambda a: str(a.n_failed)),
        number_column("n_attempts", "tried again", lambda a: str(a.n_attempts)),
    ]
    return tabulate("algorithms", "Runs by algorithm", shown, rows, note=SO_FAR if ranks and not over else "")


def _active(result: StoredProgress) -> Table | None:
    """The problems under way, with the runs of each algorithm that are there."""
    rows = result.progress.active[:MOST_ROWS]
    if not rows:
        return None
    shown: list[ColumnSpec[ActiveProblem]] = [text_column("problem", "problem", lambda p: numerals.plain(p.name))]
    for k, a in enumerate(result.status.algorithms[:MOST_ROWS]):
        shown.append(number_column(str(k), numerals.plain(a.name), lambda p, k=k: str(p.counts[k])))  # type: ignore[misc]
    shown.append(number_column("waiting", "waiting", lambda p: str(p.waiting)))
    if any(p.standard_error is not None for p in rows):
        shown.append(
            number_column(
                "se", "se", lambda p: "" if p.standard_error is None else numerals.significant(p.standard_error, 3)
            )
        )
    return tabulate("active", "Problems under way", shown, rows, note="")
