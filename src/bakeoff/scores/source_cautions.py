"""The source of scores: a direction that its names contradict, and what else a reader must know of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, counted, listing
from bakeoff.scores._scores import Better, Scores
from bakeoff.words import named_direction

# What a reader must know of where the scores came from, whatever is computed from them: every analysis says it.


def source_cautions(scores: Scores) -> list[Caution]:
    """Cautions on the direction, on tasks, files and problems left out, and on names and cells that may mislead."""
    cautions = (
        direction_doubtful(scores.metric, scores.better),
        tasks_left_out(scores),
        runs_as_algorithms(scores),
        of_files(scores),
        means_of_spreads(scores),
        *(by_case(what, names) for what, names in (("algorithms", scores.algorithms), ("problems", scores.problems))),
        dropped(scores),
    )
    return [caution for caution in cautions if caution]


def dropped(scores: Scores) -> Caution | None:
    if not scores.dropped:
        return None
    return caution_of(
        "left-out", "problems", problems=counted(len(scores.dropped), "problem"), names=listing(scores.dropped)
    )


def direction_doubtful(metric: str | None, better: Better) -> Caution | None:
    """The name of the metric says that the other direction is good."""
    usual = named_direction(metric)
    if usual in (None, better):
        return None
    return caution_of(
        "doubtful-reading", "direction", better=better.capitalize(), metric=metric, usual=usual, taken=better
    )


def tasks_left_out(scores: Scores) -> Caution | None:
    """Tasks that do not have the metric that is compared."""
    tasks = scores.read_as.left_out
    if not tasks:
        return None
    lost = sum(count for _, count in tasks)
    each = [task if lost == len(tasks) else f"{task} ({counted(count, 'problem')})" for task, count in tasks]
    named = listing(each, 8) if lost == len(tasks) else listing(each, 20)
    return caution_of(
        "left-out",
        "tasks",
        value=scores.metric or "the metric",
        named=named,
        n_problems=scores.n_problems,
        all_problems=scores.n_problems + lost,
    )


def of_files(scores: Scores) -> Caution | None:
    """Warn of files that a table read from a folder leaves out."""
    return files_not_taken(scores.read_as.n_files, scores.read_as.not_taken)


def files_not_taken(n_files: int, others: Sequence[str]) -> Caution | None:
    """Files of a folder that hold no result of the format that was read."""
    if not others:
        return None
    return caution_of(
        "left-out",
        "files",
        files=counted(n_files, "file"),
        was="was" if n_files == 1 else "were",
        others=counted(len(others), "file"),
        hold="holds" if len(others) == 1 else "hold",
        names=listing(others),
    )


def runs_as_algorithms(scores: Scores) -> Caution | None:
    """A wide table with columns 0, 1, 2, …: repetitions of one algorithm rather than algorithms."""
    if not scores.read_as.numbered:
        return None
    names = scores.algorithms
    return caution_of("doubtful-reading", "runs", names=", ".join(names[:2]), last=names[-1])


def means_of_spreads(scores: Scores) -> Caution | None:
    """Cells such as ``91.7±10.3``, of which the mean was read."""
    count = scores.read_as.spreads
    if not count:
        return None
    return caution_of("averaged", "spreads", cells=counted(count, "cell"), hold="holds" if count == 1 else "hold")


def by_case(what: str, names: Sequence[str]) -> Caution | None:
    """Names that are the same but for capital letters."""
    folded = [name.casefold() for name in names]
    if len(set(folded)) == len(names):
        return None
    counts = Counter(folded)
    alike = [name for name in names if counts[name.casefold()] > 1]
    return caution_of("doubtful-reading", "names", names=listing(alike), what=what)
