"""The pairs of runs that a check needs."""

from bakeoff import numerals
from bakeoff.analyses.plan.telling.answers import Answer, number_rows
from bakeoff.errors import counted
from bakeoff.plan import CheckPlan
from bakeoff.report.data import plain_data


def check_answer(result: CheckPlan) -> Answer:
    """Pairs, of all benchmarks and of each."""
    size, margin = (f"{100.0 * x:.6g} %" for x in (result.worsening, result.margin))
    heads = [
        ("benchmark", ""),
        ("noise", "Noise: standard deviation of the log ratio of a pair."),
        ("pairs", f"Pairs: detect a worsening of {size} with power {result.power:g}."),
        ("if noisier", "If noisier: the same for the upper end of an 80 % interval for the noise."),
        ("pairs for OK", "Pairs for OK: show with that power that an unchanged benchmark is OK."),
    ]
    rows = [
        (
            numerals.plain(row.problem),
            numerals.in_percent(row.sd, 1),
            str(row.pairs),
            str(row.pairs_if_noisier),
            str(row.pairs_ok),
        )
        for row in result.rows
    ]
    return Answer(
        question="check",
        headline=f"With this noise {counted(result.n, 'pair')} detect a worsening of {size}, beyond a margin of "
        f"{margin}, with power {result.power:g}.",
        promise=f"α = {result.alpha:g} for all of {counted(len(result.rows), 'benchmark')}. If nothing changed, "
        f"{counted(result.n_ok, 'pair')} show with power {result.power:g} that each is OK.",
        table=number_rows("check", "Pairs of runs by benchmark", heads, rows),
        notes=("bakeoff check --run stops by itself, usually after fewer pairs.",),
        cautions=result.cautions,
        data=plain_data(result),
    )
