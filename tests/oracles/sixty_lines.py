"""compare() from its definitions, in about sixty lines that import nothing of the package."""

from fractions import Fraction
from itertools import combinations


def midranks(values):
    """Mean position among equals, 1 for the smallest."""
    return [sum(w < v for w in values) + Fraction(sum(w == v for w in values) + 1, 2) for v in values]


def wilcoxon(differences):
    """(R+, R−, exact two-sided p): zeros are split evenly, an odd one is dropped; only the other signs are random."""
    zeros = [d for d in differences if d == 0]
    kept = [d for d in differences if d != 0] + zeros[len(zeros) % 2 :]
    ranks = midranks([abs(d) for d in kept])
    split = sum(r for r, d in zip(ranks, kept, strict=True) if d == 0) / 2
    plus = split + sum(r for r, d in zip(ranks, kept, strict=True) if d > 0)
    minus = sum(ranks) - plus
    law = {Fraction(split): 1}  # R+ -> in how many of the choices of signs
    for r in (r for r, d in zip(ranks, kept, strict=True) if d != 0):
        law = {s: law.get(s, 0) + law.get(s - r, 0) for s in {*law, *(s + r for s in law)}}
    tail = sum(ways for s, ways in law.items() if s <= min(plus, minus))
    return plus, minus, min(Fraction(1), Fraction(2 * tail, sum(law.values())))


def partitions(items):
    """All ways to put ``items`` into groups."""
    if not items:
        yield []
        return
    for rest in partitions(items[1:]):
        yield [[items[0]], *rest]
        for i, group in enumerate(rest):
            yield [*rest[:i], [items[0], *group], *rest[i + 1 :]]


def bergmann_hommel(p, k):
    """Adjusted p: the largest size × smallest p over the sets of hypotheses, this one included, true together."""
    adjusted = dict.fromkeys(p, Fraction(0))
    for groups in partitions(list(range(k))):
        together = [pair for group in groups for pair in combinations(sorted(group), 2)]
        for pair in together:
            adjusted[pair] = max(adjusted[pair], len(together) * min(p[q] for q in together))
    return {pair: min(Fraction(1), a) for pair, a in adjusted.items()}


def holm(p):
    """Adjusted p: the i-th smallest of m times m − i + 1, never below one before it."""
    adjusted, largest = {}, Fraction(0)
    for i, pair in enumerate(sorted(p, key=p.get)):
        largest = adjusted[pair] = max(largest, min(Fraction(1), (len(p) - i) * p[pair]))
    return adjusted


def compare(table, better, control=None, alpha=Fraction(1, 20)):
    """[(a, b, statistic, p, adjusted, verdict)] for rows of whole numbers; ``control`` is a column or None."""
    k, sign = len(table[0]), 1 if better == "higher" else -1
    family = list(combinations(range(k), 2)) if control is None else [(control, j) for j in range(k) if j != control]
    tests = {(a, b): wilcoxon([sign * (row[a] - row[b]) for row in table]) for a, b in family}
    p = {pair: pvalue for pair, (_, _, pvalue) in tests.items()}
    adjusted = bergmann_hommel(p, k) if control is None else holm(p)
    hopeless = len(family) * Fraction(2, 2 ** len(table)) > alpha  # even if all differences have one sign
    found = []
    for pair, (plus, minus, pvalue) in tests.items():
        ahead = "a better" if plus > minus else "b better"
        verdict = ahead if adjusted[pair] <= alpha else "cannot tell" if hopeless else "no difference shown"
        found.append((*pair, min(plus, minus), pvalue, adjusted[pair], verdict))
    return found
