"""The methods paragraph of an experiment's report, ready to paste, and whom to cite."""

from bakeoff import numerals
from bakeoff.paired import PAIRED
from bakeoff.report.document import Cite, Text
from bakeoff.report.experiment import sentences
from bakeoff.report.methods import cited, joined, software
from bakeoff.running.results import RunResult


def methods(result: RunResult) -> Text:
    """The paragraph as text with citations."""
    q, found = result.analysis.question, result.analysis
    parts: list[Text] = [_sample(result), _runs(result)]
    who = "the control with each other one" if q.control is not None else "all pairs"
    pairs = f"; {who}, with Holm's correction " if found.correction == "holm" else ""
    test: list[str | Cite] = [
        f"Before the first run a {sentences.SIDES[q.alternative]} {PAIRED[q.test].noun} at α = {q.alpha:g} on the "
        f"{'percent' if q.differences == 'percent' else 'simple'} differences of {result.statistic}s was chosen ",
        Cite(PAIRED[q.test].cite),
    ]
    test += [pairs, Cite(("holm1979",))] if pairs else []
    parts.append((*test, "."))
    if q.sequential is not None:
        how, key = (
            ("O'Brien–Fleming boundaries at half, three quarters and all of the problems ", "obrienfleming1979")
            if q.sequential == "group"
            else ("an e-process of the differences, looked at after every problem ", "ville1939")
        )
        order = ", on the problems in the order drawn in advance."
        parts.append((f"The experiment could stop early by {how}", Cite((key,)), order))
    if any(p.checks is not None and p.checks.shapiro is not None for p in found.pairs):
        checked = "Normality was checked by quantile plots, the Shapiro–Wilk test "
        parts.append(
            (checked, Cite(("shapirowilk1965",)), " and the bootstrapped mean; the test did not depend on it.")
        )
    return joined(*parts, software())


def _sample(result: RunResult) -> Text:
    n, drawn = result.n_problems, result.n_problems + result.n_dropped
    some = f" of {drawn}" if result.n_dropped else ""
    return (
        f"{numerals.count(len(result.algorithms), 'algorithm')} were run on {n}{some} "
        f"problem{'' if n == 1 and not some else 's'} ({result.scores.better} scores are better), "
        f"{numerals.count(result.n_runs, 'run')} in all.",
    )


def _runs(result: RunResult) -> Text:
    asked = result.contents.repetitions
    if asked is None:
        return (f"Every algorithm had {numerals.count(result.contents.spec['runs'], 'run')} on every problem.",)
    unit = f"{100 * asked.se:g} %" if asked.differences == "percent" else f"{asked.se:g}"
    return (
        f"On each problem runs were made until the standard error of the difference was {unit} or {asked.nmax} runs "
        f"were spent, from {asked.n0} of each algorithm on ",
        Cite(("campelotakahashi2019",)),
        f", with {result.method} standard errors.",
    )


def cited_keys(result: RunResult) -> tuple[str, ...]:
    """Keys of the bibliography; the procedure as a whole is that of Campelo & Takahashi."""
    return tuple(dict.fromkeys(["campelotakahashi2019", *cited(methods(result))]))
