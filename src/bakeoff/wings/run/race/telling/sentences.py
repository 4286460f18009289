"""What a race showed, in sentences: the verdict, what it rests on, what is guaranteed, what it cost."""

from typing import cast

from bakeoff import numerals
from bakeoff.wings.run._race import RunRaceResult
from bakeoff.wings.run.racing.results import STOPPED, RaceResult


def verdict(result: RaceResult) -> str:
    """The sentence to remember; without a guarantee, nothing is said to be worse."""
    q, best = len(result.algorithms), numerals.plain(result.best)
    survivors = result.survivors
    if result.claim:
        return f"{best} was chosen from {q} candidates: {result.claim}."
    if len(survivors) == 1:
        return f"{best} is the only survivor of {q} candidates."
    if len(survivors) == q:
        return (
            f"None of {q} candidates was eliminated; {best} has the best mean rank, which does not show that it is "
            "best."
        )
    return (
        f"{len(survivors)} of {q} candidates survive: {numerals.name_list(survivors)}. {best} has the best mean rank, "
        "which does not show that it beats the others."
    )


def basis(result: RaceResult) -> str:
    """Which rule, on what, and why it ended."""
    return f"{rule_phrase(result)}; {used(result)}, {spent(result)}; {STOPPED[result.stopped]}{metric_phrase(result)}."


def used(result: RaceResult) -> str:
    """``30 problems``, or ``10 clusters (30 problems)``."""
    return in_clusters(result.n_problems, result.n_clusters)


def available(result: RaceResult) -> str:
    return in_clusters(result.n_available, result.n_available_clusters)


def in_clusters(n_problems: int, n_clusters: int | None) -> str:
    problems = numerals.count(n_problems, "problem")
    return problems if n_clusters is None else f"{numerals.count(n_clusters, 'cluster')} ({problems})"


def metric_phrase(result: RaceResult) -> str:
    """``; metric: accuracy``, if the table said so."""
    return f"; metric: {numerals.plain(result.metric)}" if result.metric else ""


def rule_phrase(result: RaceResult) -> str:
    """``e-sign at α = 0.05, looked at every 5 problems``."""
    unit = "problem" if result.n_clusters is None else "cluster"
    every = unit if result.block == 1 else f"{result.block} {unit}s"
    return f"{result.method} at α = {result.alpha:g}, looked at every {every}"


def spent(result: RaceResult) -> str:
    """``855 of 1200 evaluations (28.7 % saved)``; of the cost, where problems cost different amounts."""
    words = f"{result.evaluations} of {result.full_evaluations} evaluations"
    if result.full_cost != result.full_evaluations:
        words += f", {numerals.score(result.cost)} of {numerals.score(result.full_cost)} in cost"
    return f"{words} ({share_saved(result)} saved)"


def share_saved(result: RaceResult) -> str:
    return f"{numerals.decimals(100.0 * result.saved, 1)} %"


def promises(result: RaceResult) -> list[tuple[str, str]]:
    """What the rule guarantees, and what it does not."""
    guarantee = numerals.plain(result.guarantee)
    if not result.anytime:
        return [("", f"Nothing: {guarantee.removeprefix('none: ')}.")]
    promised = [f"{guarantee[0].upper()}{guarantee[1:]}."]
    if result.claim:
        promised.append(_about_the_chosen(result.claim))
    else:
        promised.append(
            "The guarantee covers eliminations only: it does not say that a survivor is good, or better than another, "
            "and it does not order the eliminated candidates."
        )
    if result.discoveries is not None and result.eliminated:
        promised.append(_whole_list(result, result.discoveries))
    return [("", text) for text in promised]


def _about_the_chosen(claim: str) -> str:
    """How far the claim reaches."""
    sentence = f"{claim[0].upper()}{claim[1:]}."
    if "no other candidate" in claim:
        return f"{sentence} This covers the eliminated candidates too. It does not say that the chosen one is best."
    return (
        f"{sentence} If candidates can be ordered by strength, so that a better one beats any third one at least as "
        "often, no other candidate does either. It does not say that the chosen one is best."
    )


def _whole_list(result: RaceResult, discoveries: tuple[str, ...]) -> str:
    """What e-BH says of the eliminated candidates together."""
    n, worse = len(discoveries), sum(e.reason == "worse" for e in result.eliminated)
    if not n:
        return (
            "No guarantee covers the eliminated list as a whole (e-BH confirms 0 of "
            f"{numerals.count(worse, 'candidate')} at a false discovery rate of {result.alpha:g})."
        )
    which = "" if n == worse else f": {numerals.name_list(discoveries)}"
    return (
        f"As a list: e-BH confirms {n} of {numerals.count(worse, 'eliminated candidate')} at a false discovery rate "
        f"of {result.alpha:g}{which}. On average, at most that share of the confirmed ones are best candidates."
    )


def costs(result: RaceResult) -> list[tuple[str, str]]:
    """What was run, and what was not."""
    items = [("evaluations", spent(result)), ("problems", _problems(result)), ("order", result.order)]
    if result.budget is not None:
        items.append(("budget", numerals.score(result.budget)))
    if hasattr(result, "n_runs"):
        items.append(("runs", _runs(cast("RunRaceResult", result))))
    if result.n_ties:
        items.append(("ties", f"{numerals.count(result.n_ties, 'pair')} of equal scores; they count for neither"))
    if result.n_failed:
        items.append(("infinitely bad scores", str(result.n_failed)))
    return items


def _runs(result: RunRaceResult) -> str:
    """Of a race that was run, not replayed over a table."""
    each = f", {result.runs_per_cell} per evaluation" if result.runs_per_cell > 1 else ""
    failed = f", {result.n_failed_runs} failed" if result.n_failed_runs else ""
    again = f", {numerals.count(result.n_retried, 'attempt')} repeated" if result.n_retried else ""
    return f"{result.n_runs}{each}{failed}{again}"


def _problems(result: RaceResult) -> str:
    words = f"{result.n_problems} of {result.n_available}"
    if result.n_clusters is not None:
        words += (
            f", in {result.n_clusters} of {result.n_available_clusters} clusters; a whole cluster counts as one problem"
        )
    return words + (f"; {result.n_dropped} more were dropped when the scores were read" if result.n_dropped else "")
