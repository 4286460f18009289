"""One sentence per pair, and the one to remember."""

from collections import Counter

from bakeoff import numerals
from bakeoff.analyses.compare.statistics import catalogue
from bakeoff.analyses.sensitivity.statistics import SensitivePair, Sensitivity
from bakeoff.analyses.sensitivity.statistics.results import decision
from bakeoff.report.sections import unless_one_process

NAMED = 5  # analyses, or problems, that a sentence names


@unless_one_process
def verdict(result: Sensitivity) -> str:
    """Count the differences shown that survive each change."""
    shown = [pair for pair in result.pairs if decision(pair.verdict)]
    if not shown:
        return _none_shown(result)
    if len(shown) == 1:
        return f"{pair_sentence(result, shown[0])}."
    n, unit = len(shown), result.comparison.unit
    hold = sum(not pair.contradicting for pair in shown)
    parts = [
        f"{_of(hold, n)} differences {'holds' if hold == 1 else 'hold'} under all {len(result.analyses)} analyses",
        f"{_of(sum(not pair.flips_without for pair in shown), n)} without any one {unit}",
    ]
    if any(pair.adjusted_range_algorithms for pair in shown):
        parts.append(f"{_of(sum(not pair.flips_without_algorithm for pair in shown), n)} without any one algorithm")
    shares = [pair.replicability.estimate for pair in shown if pair.replicability is not None]
    again = ""
    if shares:
        low, high = (_percent(share) for share in (min(shares), max(shares)))
        again = f"; each would be found again in {low if low == high else f'{low}–{high}'} % of repeats"
    sentence = f"{', '.join(parts)}{again}."
    return sentence[0].upper() + sentence[1:]


def _percent(share: float) -> str:
    """A probability of which nothing says that it is 0 or 1."""
    return f"{min(max(100 * share, 1), 99):.0f}"


def _of(count: int, n: int) -> str:
    return f"all {n}" if count == n else f"{count or 'none'} of {n}"


def _none_shown(result: Sensitivity) -> str:
    m = len(result.pairs)
    other = sum(bool(pair.contradicting) for pair in result.pairs)
    problem = sum(bool(pair.flips_without) for pair in result.pairs)
    pairs = numerals.count(m, "pair")
    if m == 1:
        pair = result.pairs[0]
        pairs = f"{numerals.plain(pair.a)} and {numerals.plain(pair.b)}"
        would = [f"under some other of {len(result.analyses)} analyses"] if other else []
        would += [f"without some one {result.comparison.unit}"] if problem else []
        if would:
            return f"No difference is shown between {pairs}; they would differ {' and '.join(would)}."
    if not other and not problem:
        whatever = f"under any analysis and without any one {result.comparison.unit}"
        among = pairs if m == 1 else f"any of {pairs}"
        return f"No difference is shown between {among}, {whatever}."
    return (
        f"No difference is shown; {other} of {pairs} would differ under some other of {len(result.analyses)} "
        f"analyses, {problem} without some {result.comparison.unit}."
    )


def pair_sentence(result: Sensitivity, pair: SensitivePair) -> str:
    """``SaDE better than CHC: holds under all 32 analyses, without any one problem, …``, without a full stop."""
    holds, fails = [], []
    against = pair.contradicting
    total = len(pair.analyses)
    if not against:
        holds.append(f"under all {total} analyses" if total > 1 else "under the one analysis")
    else:
        holds.append(f"under {total - len(against)} of {total} analyses")
        named = _analyses(pair)
        if len(named) <= NAMED:
            fails.append(f"under {numerals.name_list(named)}")
    n, noun = result.comparison.n_rows, result.comparison.unit
    if pair.adjusted_range is not None:
        if not pair.flips_without:
            holds.append(f"without any one {noun}")
        else:
            fails.append(f"without {_problems(pair.flips_without, n, noun)}")
    if pair.adjusted_range_algorithms is not None:
        if not pair.flips_without_algorithm:
            holds.append("without any one algorithm")
        else:
            fails.append(f"without the algorithm {_either(pair.flips_without_algorithm)}")
    if pair.rounded is not None and pair.rounded != pair.verdict:
        fails.append("with one decimal fewer")
    if pair.replicability is not None:
        holds.append(f"in {_percent(pair.replicability.estimate)} % of second experiments")
    sentence = f"{head(pair)}: holds {_listed(holds)}"
    if fails:
        sentence += f"; not {', not '.join(fails)}"
    carried = _carried(pair, n, noun)
    return sentence + (f"; {carried}" if carried else "")


def head(pair: SensitivePair) -> str:
    """``SaDE better than CHC``."""
    a, b = numerals.plain(pair.a), numerals.plain(pair.b)
    if decision(pair.verdict):
        first, second = (a, b) if pair.verdict == "a better" else (b, a)
        return f"{first} better than {second}"
    return f"{'No difference shown' if pair.verdict == 'no difference shown' else 'Cannot tell'} between {a} and {b}"


def _carried(pair: SensitivePair, n: int, noun: str) -> str:
    fragility = pair.fragility
    if fragility is None or pair.verdict == "cannot tell":
        return ""
    shown = bool(decision(pair.verdict))
    if fragility.n is None:
        if not fragility.exact:
            return ""
        return f"no removal of {noun}s changes it" if shown else f"no removal of {noun}s shows one"
    most = "" if fragility.exact else "at most "
    names = numerals.name_list([numerals.plain(name) for name in fragility.problems], 10)
    if shown:
        verb = "carries" if fragility.n == 1 else "carry"
        return f"{most}{fragility.n} of {n} {noun}s {verb} it: {names}"
    return f"removing {most}{fragility.n} of {n} {noun}s would take p past its critical value: {names}"


def _problems(names: tuple[str, ...], n: int, noun: str) -> str:
    if len(names) > NAMED:
        return f"any of {len(names)} of {n} {noun}s"
    return _either(names)


def _either(names: tuple[str, ...]) -> str:
    shown = [numerals.plain(name) for name in names]
    if len(shown) > NAMED:
        return f"any of {len(shown)}"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} or {shown[-1]}"


def _listed(items: list[str]) -> str:
    if len(items) < 3:
        return " and ".join(items)
    return f"{', '.join(items[:-1])}, and {items[-1]}"


def _analyses(pair: SensitivePair) -> list[str]:
    """The analyses that decide otherwise, in words; those of one test together where they are many."""
    total = Counter(name.split(" + ")[0] for name in pair.analyses)
    against = Counter(name.split(" + ")[0] for name in pair.contradicting)
    listed = []
    for test, count in against.items():
        if count == total[test] and count > 1:
            listed.append(f"{catalogue.word(test)} (any correction)")
        elif count > 2:
            listed.append(f"{catalogue.word(test)} ({count} of {total[test]} corrections)")
        else:
            listed += [analysis_words(name) for name in pair.contradicting if name.split(" + ")[0] == test]
    return listed


def analysis_words(name: str) -> str:
    """``Wilcoxon with Holm``."""
    test, _, method = name.partition(" + ")
    method, _, recipe = method.partition(" (")
    corrected = f" with {catalogue.word(method)}" if method else ""
    return f"{catalogue.word(test)}{corrected}{f' ({recipe}' if recipe else ''}"
