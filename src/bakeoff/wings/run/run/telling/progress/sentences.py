"""One-line summaries of a running experiment or race."""

from bakeoff.errors import counted, plain
from bakeoff.numerals import duration
from bakeoff.report.sections import MOST_ROWS
from bakeoff.wings.run.progress import Progress, RaceProgress


def done(progress: Progress) -> float:
    """Runs done as a share of the runs expected."""
    return progress.runs_done / max(progress.runs_expected, 1.0)


def headline(progress: Progress) -> str:
    """``12 of 40 problems · 810 of about 2500 runs · 1 min 20 s left``; of a race, :func:`race_headline`."""
    if progress.race is not None:
        return race_headline(progress)
    about = "" if progress.runs_expected == int(progress.runs_expected) else "about "
    parts = [
        f"{progress.problems_done} of {progress.n_problems} problems",
        f"{progress.runs_done} of {about}{progress.runs_expected:.0f} runs",
    ]
    if progress.seconds_left is not None and not progress.finished:
        parts.append(f"{duration(progress.seconds_left)} left")
    return " · ".join(parts)


def footline(progress: Progress) -> str:
    """Why problems stopped, what failed, and whether the run is stopping; of a race, :func:`race_footline`."""
    if progress.race is not None:
        return race_footline(progress)
    return " · ".join([*(f"{count} {reason}" for reason, count in progress.reasons.items()), *trouble(progress)])


def trouble(progress: Progress) -> list[str]:
    """Failed and retried runs, and whether the run is stopping."""
    parts = [f"{counted(progress.failed, 'run')} failed"] if progress.failed else []
    if progress.retried:
        parts.append(f"{progress.retried} tried again")
    if progress.stopping:
        parts.append("stopping when the current runs end; Ctrl-C again stops at once")
    return parts


def race_of(progress: Progress) -> RaceProgress:
    assert progress.race is not None, "the progress of a race"
    return progress.race


def rows(survivors: tuple[tuple[str, float], ...]) -> list[tuple[str, float | None]]:
    """Survivors by evidence; of many, those with the least and the most."""
    ordered: list[tuple[str, float | None]] = [*sorted(survivors, key=lambda one: one[1])]
    if len(ordered) <= MOST_ROWS:
        return ordered
    half = MOST_ROWS // 2
    return [*ordered[:half], (f"… {len(ordered) - 2 * half} more", None), *ordered[-half:]]


def race_headline(progress: Progress) -> str:
    """``7 of 12 candidates · 45 of 100 problems · 430 of 1200 evaluations · at most 1 min 20 s left``"""
    race = race_of(progress)
    parts = [
        f"{len(race.survivors)} of {race.n_candidates} candidates",
        f"{race.n_problems} of {progress.n_problems} problems",
        f"{race.evaluations} of {race.full_evaluations} evaluations",
    ]
    if progress.seconds_left is not None and not progress.finished:
        parts.append(f"at most {duration(progress.seconds_left)} left")
    return " · ".join(parts)


def race_footline(progress: Progress) -> str:
    """Who was eliminated last, what failed, and whether the race is stopping."""
    out = [f"{plain(name)} ({reason}, {counted(n, 'problem')})" for name, reason, n in race_of(progress).last_out]
    return " · ".join([*([f"last eliminated: {', '.join(out)}"] if out else []), *trouble(progress)])
