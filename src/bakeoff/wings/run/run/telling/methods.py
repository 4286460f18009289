"""The methods paragraph of an experiment's report, ready to paste, and whom to cite."""

from bakeoff import numerals
from bakeoff.paired import PAIRED
from bakeoff.report.document import Text
from bakeoff.report.methods import cited, joined, mark, software, text
from bakeoff.wings.run.results import RunResult
from bakeoff.wings.run.run.telling import sentences


def methods(result: RunResult) -> Text:
    """The paragraph as text with citations."""
    q, analysis = result.analysis.question, result.analysis
    parts: list[Text] = [_sample(result), _runs(result)]
    who = "the control with each other one" if q.control is not None else "all pairs"
    pairs = f"; {who}, with Holm's correction [@holm1979]" if analysis.correction == "holm" else ""
    test = f"a {sentences.SIDES[q.alternative]} {PAIRED[q.test].noun} at α = {q.alpha:g} on the "
    test += f"{'percent' if q.differences == 'percent' else 'simple'} differences of {result.statistic}s"
    parts.append(text(f"Before the first run {test} was chosen{mark(PAIRED[q.test])}{pairs}."))
    if q.sequential is not None:
        how = {
            "group": "O'Brien–Fleming boundaries at half, three quarters and all of the problems [@obrienfleming1979]",
            "anytime": "an e-process of the differences, looked at after every problem [@ville1939]",
        }[q.sequential]
        parts.append(text(f"The experiment could stop early by {how}, with the problems in an order drawn in advance."))
    if any(p.checks is not None and p.checks.shapiro is not None for p in analysis.pairs):
        checks = "quantile plots, the Shapiro–Wilk test [@shapirowilk1965] and the bootstrapped mean"
        parts.append(text(f"Normality was checked by {checks}; the test did not depend on it."))
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
    repetitions = result.contents.repetitions
    if repetitions is None:
        return (f"Every algorithm had {numerals.count(result.contents.spec['runs'], 'run')} on every problem.",)
    unit = f"{100 * repetitions.se:g} %" if repetitions.differences == "percent" else f"{repetitions.se:g}"
    return text(
        f"On each problem, starting with {repetitions.n0} runs of each algorithm, runs were made until the standard "
        f"error of the difference was {unit} or {repetitions.nmax} runs were spent [@campelotakahashi2019], with "
        f"{result.method} standard errors."
    )


def cited_keys(result: RunResult) -> tuple[str, ...]:
    """Keys of the bibliography; the procedure as a whole is that of Campelo & Takahashi."""
    return tuple(dict.fromkeys(["campelotakahashi2019", *cited(methods(result))]))
