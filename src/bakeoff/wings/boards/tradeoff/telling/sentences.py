"""What several metrics say in words."""

from bakeoff import numerals
from bakeoff.report import sections
from bakeoff.report.document import Text
from bakeoff.report.methods import problem_count, text
from bakeoff.wings.boards.tradeoff.statistics import Tradeoff


@sections.unless_one_process
def verdict(result: Tradeoff) -> str:
    """Who is on the frontier, and who is dominated."""
    k = len(result.positions)
    if k == 2:
        shown = [pair for pair in result.pairs if pair.verdict == "a better trade-off"]
        if len(shown) == 1:
            a, b = (numerals.plain(name) for name in (shown[0].a, shown[0].b))
            better = [m for m, p in shown[0].p_better.items() if len(result.metrics) * p <= result.alpha]
            return (
                f"{a} is a better trade-off than {b}: better in {numerals.name_list(better)}, and not worse in any "
                "metric by its margin."
            )
        if len(shown) == 2:
            return (
                "Each is a better trade-off than the other: within the margins, choosing between them is a matter of "
                "preference."
            )
    parts = []
    for names, one, many in (
        (result.frontier, "is on the frontier", "are on the frontier"),
        (result.dominated, "is dominated", "are dominated"),
    ):
        if names:
            named = numerals.name_list([numerals.plain(n) for n in names]) if len(names) <= sections.MOST_NAMED else ""
            parts.append(f"{named or f'{len(names)} of {k} algorithms'} {one if len(names) == 1 else many}")
    if not parts:
        return f"None of the {k} algorithms is shown to be on the frontier, or dominated."
    if rest := result.cannot_tell:
        few = len(rest) <= sections.MOST_NAMED
        named = numerals.name_list([numerals.plain(n) for n in rest]) if few else f"the other {len(rest)}"
        parts.append(f"the data cannot tell for {named}")
    return "; ".join(parts) + "."


def basis(result: Tradeoff) -> str:
    """On what the verdict rests."""
    each = "; ".join(
        f"{numerals.plain(name)} ({s.better} is better, margin {result.margins[name]})"
        for name, s in result.metrics.items()
    )
    return f"{each}; {problem_count(result.scores)}; α = {result.alpha:g} for each of the two families."


def methods(result: Tradeoff) -> Text:
    """The sentences for a paper."""
    unit = result.unit
    ratios = [name for name, margin in result.margins.items() if margin.endswith("%")]
    margins = numerals.name_list([f"{margin} in {numerals.plain(name)}" for name, margin in result.margins.items()], 20)
    logs = ""
    if ratios:
        logs = f" Logarithms of {numerals.name_list([numerals.plain(name) for name in ratios], 20)} were compared."
    clustered = " over clusters of problems [@mackinnon2023]" if unit == "cluster" else " over problems"
    m, k = len(result.metrics), len(result.positions)
    answers = answered(result)
    if answers:
        logs += f" In {numerals.name_list([numerals.plain(name) for name in answers], 20)}, right and wrong answers, "
        logs += (
            "non-inferiority is by the score test of a difference of paired shares [@tango1998], and superiority by "
        )
        logs += "the exact one-sided test of McNemar [@mcnemar1947]."
    return text(
        f"{numerals.count(k, 'algorithm')} were compared in {numerals.count(m, 'metric')} on "
        f"{problem_count(result.scores)}. An algorithm is a better trade-off than another if it is not worse by the "
        f"margin in any metric ({margins}) and better in at least one. It was tested by intersection–union "
        f"[@berger1982;@bloch2001] of one-sided t-tests of mean differences{clustered}. P is the larger of the "
        f"largest p of non-inferiority and {m} times the smallest p of superiority, with Holm's correction "
        f"[@holm1979] over the {k * (k - 1)} ordered pairs. An algorithm is dominated if another one was shown to be "
        "a better trade-off and not the reverse. It is on the frontier if it is not dominated and was shown to be "
        f"better than each other one in at least one metric (Holm over {k} algorithms).{logs} The probability of "
        "being Pareto-optimal is by the Bayesian bootstrap [@rubin1981] with the same weights for all metrics "
        f"({result.n_draws} draws). α = {result.alpha:g} for each of the two families."
    )


def answered(result: Tradeoff) -> list[str]:
    """The metrics that are right and wrong answers, and are tested as such."""
    alone = result.n_clusters == result.scores.n_problems
    return [
        name
        for name, s in result.metrics.items()
        if alone and s.runs is None and not result.margins[name].endswith("%") and set(s.values.flat) <= {0.0, 1.0}
    ]
