"""What a reader must know of where the scores came from, whatever is computed from them: every analysis says it."""

from bakeoff.errors import Caution, counted, listing
from bakeoff.scores._scores import Better, Scores
from bakeoff.scores.named_direction import named_direction


def source_cautions(scores: Scores) -> list[Caution]:
    """Of the direction, of tasks that are not compared, and of columns that are called like runs."""
    found = (direction_doubtful(scores.metric, scores.better), tasks_left_out(scores), runs_as_algorithms(scores))
    return [caution for caution in found if caution]


def direction_doubtful(metric: str | None, better: Better) -> Caution | None:
    """The name of the metric says that the other direction is good."""
    usual = named_direction(metric)
    if usual in (None, better):
        return None
    return Caution(
        code="direction-doubtful",
        text=f"{better.capitalize()} {metric} was taken as better, but the name suggests that {usual} is. If so, every "
        f"verdict here is reversed; say better={usual!r}. If {better} really is better, rename the metric "
        "(metric='NAME') so that no reader is misled.",
        severity="stop",
    )


def tasks_left_out(scores: Scores) -> Caution | None:
    """Tasks that do not have the metric that is compared."""
    tasks = scores.read_as.left_out
    if not tasks:
        return None
    lost = sum(count for _, count in tasks)
    named = listing([f"{task} ({counted(count, 'problem')})" for task, count in tasks], 20)
    return Caution(
        code="tasks-left-out",
        text=f"Not compared, as they lack {scores.metric or 'the metric'}: {named}. The verdict is on "
        f"{scores.n_problems} of {scores.n_problems + lost} problems. To compare tasks by metrics of their own, name "
        "these, or leave metric= out.",
        severity="stop",
    )


def runs_as_algorithms(scores: Scores) -> Caution | None:
    """A wide table with columns 0, 1, 2, …: repetitions of one algorithm rather than algorithms."""
    if not scores.read_as.numbered:
        return None
    names = scores.algorithms
    return Caution(
        code="runs-as-algorithms",
        text=f"The columns are called {', '.join(names[:2])} … {names[-1]}: this looks like runs of one algorithm "
        "(seeds, folds), and not like algorithms. To compare algorithms by their runs, give a table with the columns "
        "problem, algorithm, run and score. If the columns are algorithms, say rows='problems'.",
        severity="stop",
    )
