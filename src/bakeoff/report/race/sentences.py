"""What a race showed, in sentences: the verdict, what it rests on, what is promised, what it cost."""

from __future__ import annotations

from typing import Any

from bakeoff import numerals
from bakeoff.racing.results import STOPPED


def verdict(result: Any) -> str:
    """The sentence to remember; without a promise behind it, nothing is said to be worse."""
    q, best = len(result.algorithms), numerals.plain(result.best)
    left = result.survivors
    if len(left) == 1:
        if all(e.reason == "not selected" for e in result.eliminated):
            return f"{best} was selected from {q} candidates; that the others are worse was not shown."
        return f"{best} is the one left of {q} candidates."
    if len(left) == q:
        return f"None of {q} candidates was removed; {best} has the best mean rank: no proof that it is best."
    return (
        f"{len(left)} of {q} candidates are left: {numerals.names(left)}. {best} has the best mean rank, which does "
        "not show that it beats the others."
    )


def basis(result: Any) -> str:
    """Which rule, on what, and why it ended."""
    return (
        f"{rule(result)}; {numerals.count(result.n_problems, 'problem')}, {spent(result)}; {STOPPED[result.stopped]}."
    )


def rule(result: Any) -> str:
    """``e-sign at α = 0.05, looked at every 5 problems``; halving has a plan of its own and no level."""
    if result.measure == "mean rank":
        return f"{result.method} with a budget of {numerals.score(result.budget or result.evaluations)} evaluations"
    every = "problem" if result.block == 1 else f"{result.block} problems"
    return f"{result.method} at α = {result.alpha:g}, looked at every {every}"


def spent(result: Any) -> str:
    """``855 of 1200 evaluations (28.7 % saved)``; of the cost, where problems cost different amounts."""
    said = f"{result.evaluations} of {result.full_evaluations} evaluations"
    if result.full_cost != result.full_evaluations:
        said += f", {numerals.score(result.cost)} of {numerals.score(result.full_cost)} in cost"
    return f"{said} ({share_saved(result)} saved)"


def share_saved(result: Any) -> str:
    return f"{numerals.decimals(100.0 * result.saved, 1)} %"


def promises(result: Any) -> tuple[tuple[str, str, str], ...]:
    """What the rule promises, and what it does not."""
    guarantee = numerals.plain(result.guarantee)
    if not result.anytime:
        return (("", f"Nothing: {guarantee.removeprefix('none: ')}.", ""),)
    found = [f"{guarantee[0].upper()}{guarantee[1:]}."]
    found.append(
        "It is about removals only: that a survivor is good, or better than another, is not claimed, and those that "
        "left are not ordered among themselves."
    )
    if result.discoveries is not None and result.eliminated:
        found.append(_list_at_once(result))
    return tuple(("", text, "") for text in found)


def _list_at_once(result: Any) -> str:
    n, worse = len(result.discoveries), sum(e.reason == "worse" for e in result.eliminated)
    if not n:
        return (
            f"Of the removed candidates as a list nothing is promised: by e-BH none of the {worse} is taken at "
            f"a false discovery rate of {result.alpha:g}."
        )
    which = "all of them" if n == worse else numerals.names(result.discoveries)
    return (
        f"As a list: of {numerals.count(n, 'removed candidate')} ({which}) at most a share {result.alpha:g} are bests, "
        "on average (e-BH)."
    )


def costs(result: Any) -> tuple[tuple[str, str, str], ...]:
    """What was run, and what was not."""
    items = [("evaluations", spent(result), ""), ("problems", _problems(result), ""), ("order", result.order, "")]
    if result.budget is not None:
        items.append(("budget", numerals.score(result.budget), ""))
    runs = getattr(result, "n_runs", None)
    if runs is not None:
        each = f", {result.runs_per_cell} for each evaluation" if result.runs_per_cell > 1 else ""
        failed = f", {result.n_failed_runs} failed" if result.n_failed_runs else ""
        again = f", {result.n_retried} attempts made again" if result.n_retried else ""
        items.append(("runs", f"{runs}{each}{failed}{again}", ""))
    if result.n_ties:
        items.append(("ties", f"{numerals.count(result.n_ties, 'pair')} of scores; they count for neither", ""))
    if result.n_failed:
        items.append(("infinitely bad scores", str(result.n_failed), ""))
    return tuple(items)


def _problems(result: Any) -> str:
    said = f"{result.n_problems} of {result.n_available}"
    return said + (f"; {result.n_dropped} more were left out beforehand" if result.n_dropped else "")
