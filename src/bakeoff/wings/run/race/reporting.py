"""The result of a race as the format-free Document, and as JSON."""

from typing import Any, cast

from bakeoff import numerals
from bakeoff.report import sections
from bakeoff.report.data import all_but, null_for_infinity, plain_data
from bakeoff.report.document import (
    Block,
    Cite,
    ColumnSpec,
    Figure,
    Section,
    Table,
    Text,
    equal_column,
    number_column,
    tabulate,
    text_column,
)
from bakeoff.report.methods import joined, software
from bakeoff.report.reporting import Reporting, Rows, rows_of
from bakeoff.report.sections import one_block
from bakeoff.wings.run._race import RunRaceResult
from bakeoff.wings.run.race.figure import SurvivorsPlot
from bakeoff.wings.run.racing.results import STOPPED, EliminatedCandidate, RaceResult, Standing
from bakeoff.wings.run.racing.rules.rule import rule_of

# What a race showed, in sentences: the verdict, what it rests on, what is guaranteed, what it cost.


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
    """Name the rule, what it saw, and why the race ended."""
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
    return f"{words} ({numerals.decimals(100.0 * result.saved, 1)} % saved)"


def promises(result: RaceResult) -> list[tuple[str, str]]:
    """State what the rule guarantees, and what it does not."""
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
    """State how far the claim reaches."""
    sentence = f"{claim[0].upper()}{claim[1:]}."
    if "no other candidate" in claim:
        return f"{sentence} This covers the eliminated candidates too. It does not say that the chosen one is best."
    return (
        f"{sentence} If candidates can be ordered by strength, so that a better one beats any third one at least as "
        "often, no other candidate does either. It does not say that the chosen one is best."
    )


def _whole_list(result: RaceResult, discoveries: tuple[str, ...]) -> str:
    """State what e-BH says of all eliminated candidates."""
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
    """List what was run, and what was not."""
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
    """Count the runs of a race that was run, not replayed over a table."""
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


# The tables of a race's report: the survivors, and who was eliminated when, by whom, with which evidence.


FOLDED = 25  # rows; a longer table is shown on demand
_MEASURES = {
    "e-value": ("e-value", "e-value: evidence against being a best one; at {threshold} a candidate is eliminated."),
    "1 - p": ("1 − p", "1 − p of the test against the leader, as if there had been one look."),
    "posterior": ("posterior", "posterior: probability that another candidate is better."),
}


def survivors(result: RaceResult) -> Table:
    """Best mean rank first, beside the best one."""
    best, (name, legend) = numerals.plain(result.best), _measure(result)
    last = {path.algorithm: float(path.evidence[-1]) for path in result.paths if len(path.evidence)}
    evidence: ColumnSpec[Standing] = equal_column(
        "evidence", name, result.standings, lambda s: last.get(s.algorithm, 0.0), rank=2, legend=legend
    )

    def wins(s: Standing) -> str:
        ties = f" ({s.ties} ties)" if s.ties else ""
        return numerals.MISSING if s.algorithm == result.best else f"{s.wins} – {s.losses}{ties}"

    def interval(s: Standing) -> str:
        if s.p_low is None or s.p_high is None:
            return numerals.MISSING
        return f"{numerals.decimals(s.p_low, 3)} … {numerals.decimals(s.p_high, 3)}"

    shown: list[ColumnSpec[Standing]] = [
        text_column("algorithm", "candidate", lambda s: numerals.plain(s.algorithm)),
        number_column("mean_rank", "mean rank", lambda s: numerals.as_rank(s.mean_rank), strong=True),
        evidence,
        number_column("wins", "wins – losses", wins, rank=1),
        number_column("interval", "P(win)", interval, rank=3, in_paper=True),
    ]
    shares = "" if result.n_clusters is None else " of the problems of a cluster, on average over clusters,"
    note = (
        f"On the problems that all survivors were run on. {legend} Wins and losses are those "
        f"of {best}. P(win): the chance that it wins{shares} where they differ, valid at every look and for all pairs "
        f"at once, with probability {1 - result.alpha:g}."
    )
    items, folded = result.standings, len(result.standings) > FOLDED
    return tabulate(
        "ranking", "Survivors", shown, items, strong=lambda s: s.algorithm == result.best, note=note, folded=folded
    )


def eliminated(result: RaceResult) -> Table | None:
    """The eliminated candidates, in their order."""
    if not result.eliminated:
        return None
    name, legend = _measure(result)
    by = "By: the candidate the evidence favours most."
    shown: list[ColumnSpec[EliminatedCandidate]] = [
        text_column("algorithm", "candidate", lambda e: numerals.plain(e.algorithm)),
        text_column("reason", "why", lambda e: e.reason, rank=3),
        text_column(
            "by",
            "by",
            lambda e: numerals.MISSING if e.by is None else numerals.plain(e.by),
            rank=2,
            legend=by,
            in_paper=True,
        ),
        number_column("n_problems", "problems", lambda e: str(e.n_problems)),
        number_column("evaluations", "evaluations", lambda e: str(e.evaluations), rank=1),
        equal_column("evidence", name, result.eliminated, lambda e: e.evidence, strong=True, legend=legend),
    ]
    note = f"{by} Evaluations: spent by the whole race up to then."
    items, folded = result.eliminated, len(result.eliminated) > FOLDED
    return tabulate("eliminated", "Eliminated, in order", shown, items, note=note, folded=folded)


def _measure(result: RaceResult) -> tuple[str, str]:
    name, legend = _MEASURES[result.measure]
    return name, legend.format(threshold="–" if result.threshold is None else f"{result.threshold:g}")


def ranking(result: RaceResult) -> Rows:
    """The survivors."""
    keys = ("algorithm", "mean_rank", ("wins_of_best", "wins"), ("losses_of_best", "losses"), "ties", "p_low", "p_high")
    return rows_of(result.standings, *keys)


def candidates(result: RaceResult) -> dict[str, list[Any]]:
    """A row for each candidate, best first."""
    gone = {e.algorithm: e for e in result.eliminated}
    order = [*result.survivors, *(e.algorithm for e in reversed(result.eliminated))]
    paths = {path.algorithm: path for path in result.paths}
    return {
        "algorithm": order,
        "outcome": [gone[name].reason if name in gone else "survived" for name in order],
        "by": [(gone[name].by if name in gone else None) or "" for name in order],
        "n_problems": [gone[name].n_problems if name in gone else result.n_problems for name in order],
        "evidence": [float(paths[n].evidence[-1]) if len(paths[n].evidence) else 0.0 for n in order],
    }


# The methods paragraph of a race's report, ready to paste, and whom to cite.


def race_keys(result: RaceResult) -> tuple[str, ...]:
    """Keys of the bibliography."""
    return rule_of(result.method).cite


def methods(result: RaceResult) -> Text:
    """The paragraph as text with citations."""
    parts: list[Text] = [
        (
            f"{len(result.algorithms)} candidates were raced on {available(result)} "
            f"(order: {result.order}{metric_phrase(result)}) by {rule_phrase(result)} ",
            Cite(race_keys(result)),
            ".",
        ),
        (f"The race ended because {STOPPED[result.stopped]}, after {used(result)} and {spent(result)}.",),
    ]
    if result.n_clusters is not None:
        parts.append(
            ("A cluster counted as one problem; its evidence on a pair: the share of problems won minus that lost.",)
        )
    if result.anytime:
        parts.append((f"The rule guarantees that {result.guarantee}.",))
    return joined(*parts, software())


def _body(result: RaceResult) -> list[Section | None]:
    drawn = Figure(result, "The race: evidence against each candidate over the evaluations spent.")
    blocks: list[Block] = [survivors(result)]
    if len(result.standings) > 1:
        blocks.append(Figure(SurvivorsPlot(race=result), "The survivors compared with the best one.", key="survivors"))
    return [
        sections.figure("The race", drawn if result.problems else None),
        sections.cautions(result.cautions),
        sections.points("promise", "What is guaranteed", promises(result)),
        Section("survivors", "Survivors", tuple(blocks)),
        one_block("eliminated", "Eliminated", eliminated(result)),
        sections.points("cost", "What it cost", costs(result)),
    ]


def _checksum(result: RaceResult) -> list[tuple[str, str]]:
    digest = getattr(result, "digest", None)  # of a race that was run
    return [("SHA-256 of all runs", digest)] if digest else []


def _content(result: RaceResult) -> dict[str, Any]:
    """The fields of the result under their own names, without the single runs of a race that made them."""
    unsaid = () if result.metric else ("metric",)
    fields = plain_data(result, {type(result): all_but(type(result), "contents", *unsaid)})
    return {**fields, "saved": result.saved}


REPORT = Reporting[RaceResult](
    schema="bakeoff.race/1",
    title=lambda result: f"A race of {len(result.algorithms)} candidates on {available(result)}",
    verdict=verdict,
    basis=basis,
    body=_body,
    on_screen=("promise", "survivors", "eliminated"),
    methods=methods,
    works=race_keys,
    keys=_content,
    table=lambda result: None,
    more=_checksum,
    source=None,
    infinite=null_for_infinity,
    main=candidates,
    second=ranking,
)
