"""Names of columns: names that everybody uses, and those of measures, runs, statistics and differences."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from bakeoff.words import is_called, named_after, named_direction, plain_name, word_set

# Names that everybody uses for a problem, or for an algorithm: they tell which way round a table is.

ENOUGH = 0.25
"""Share of the names from which the known ones speak for all."""

_MARKS, _BETWEEN = re.compile(r"[\W_]+"), re.compile(r"[\s_\-(/:,.]+")


def known_side(names: Sequence[str]) -> str | None:
    """What two known names or more say of all: ``problems``, ``algorithms``; None where they disagree."""
    sides = Counter(filter(None, map(_side, names[:1000])))
    if len(sides) != 1:
        return None
    [(side, count)] = sides.items()
    return side if count >= max(2, ENOUGH * min(len(names), 1000)) else None


def _side(name: str) -> str | None:
    """By the whole name, or its first part: ``ARC-C (25-shot)``, ``SVM (RBF)``."""
    problems, algorithms = word_set("known", "problems"), word_set("known", "algorithms")
    lower = name.lower()
    whole = (lower,) if lower.isalnum() else (_MARKS.sub("", lower), _BETWEEN.split(lower.strip(), maxsplit=1)[0])
    known = next((word for word in whole if word in problems or word in algorithms), None)
    return None if known is None else "problems" if known in problems else "algorithms"


# Columns that are called after measures, runs, statistics or differences, and not after algorithms.

_COMPARED = re.compile(
    r"(pct|percent(age)?|rel(ative)?|abs(olute)?)?(change|diff(erence)?|delta|δ|improvement)(pct|percent)?|speedup|ratio"
)
"""Columns that compare two others, beside them; and what may stand beside these."""
_TESTED = frozenset(("p", "t", "z", "w"))
_SPREAD_OF = re.compile(
    r"(.+?)(?:[\s_.(-]+(?:mean|avg))?[\s_.(-]+"
    r"(?:std|sd|stddev|stderr|sem|se|var|ci|min|max|low|lower|lo|high|upper|hi|median|iqr|best|worst|raw"
    r"|±|\+/?-|ranks?|p(?:[- ]?value)?|(?:cpu |wall |run ?)?time|gap ?%?|diff|votes)\)?",
    re.IGNORECASE,
)
"""A column beside that of the means: ``A_std`` beside ``A`` or ``A_mean``."""
SPLITS = frozenset({"train", "training", "test", "val", "valid", "validation", "dev"})
_NUMBERED = re.compile(r"(.*[^\W\d_])[\s_.#-]+(?:(?:run|seed|fold|rep|trial)[\s_.#-]*)?(\d+)", re.IGNORECASE)
"""``A_1``, ``A run 2``."""
_MEAN = re.compile(r"(mean|avg|average)\b", re.IGNORECASE)
_PLAIN = re.compile(r"(?i)\b(scores?|values?)(?=\b|_)")


def runs_of(columns: Sequence[str]) -> list[str]:
    """Stems that all have the same numbers, from 0 or 1 on: ``A_1, A_2, B_1, B_2``; none if the columns are others."""
    numbers: dict[str, list[int]] = {}
    for name in columns:
        if (match := _NUMBERED.fullmatch(name)) is None:
            return []
        numbers.setdefault(match[1], []).append(int(match[2]))
    each = [sorted(own) for own in numbers.values()]
    alike = len(each) > 1 and all(own == each[0] for own in each) and each[0][0] in (0, 1)
    return list(numbers) if alike and len(each[0]) > 1 and each[0] == list(range(each[0][0], each[0][-1] + 1)) else []


def measures_of_each(columns: Sequence[str]) -> dict[str, list[str]]:
    """Measure -> its columns, where each algorithm has the same: ``A colors, A time (s), B colors, B time (s)``.

    The algorithm may come last, ``Mean_A, Std_A``, and the columns in any order: sorted, those of one stand together.
    """
    split = {name: list(filter(None, re.split(r"[\s_./:~-]+", name))) for name in columns}
    for words in (split, {name: own[::-1] for name, own in split.items()}):
        first = words[columns[0]][:1]
        if sum(own[:1] == first for own in words.values()) < 2:  # most tables
            continue
        order = sorted(columns, key=words.__getitem__)
        for size in (size for size in range(2, len(columns) // 2 + 1) if len(columns) % size == 0):
            if by_measure := _by_measure([order[i : i + size] for i in range(0, len(order), size)], words):
                place = {name: j for j, name in enumerate(columns)}
                each = {name: sorted(own, key=place.__getitem__) for name, own in by_measure.items()}
                return dict(sorted(each.items(), key=lambda own: (not _MEAN.match(own[0]), place[own[1][0]])))
    return {}


def _by_measure(blocks: Sequence[Sequence[str]], words: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """The columns of each measure; those of one algorithm are a block."""
    stems = [_common_stem([words[name] for name in block]) for block in blocks]
    each = [[" ".join(words[name][len(stem) :]) for name in own] for stem, own in zip(stems, blocks, strict=True)]
    measures = each[0]
    telling = any(named_direction(name) or is_called(name, "statistic") for name in measures)
    functions = all(re.fullmatch(r"[a-z]?\d+", name, re.IGNORECASE) for name in measures)  # f1, f2
    if not (all(stems) and telling) or functions or any(own != measures for own in each):
        return {}
    return {name: [block[i] for block in blocks] for i, name in enumerate(measures)}


def _common_stem(names: Sequence[Sequence[str]]) -> list[str]:
    """The words that all names begin with, short of a whole name."""
    stem = []
    for words in zip(*(name[:-1] for name in names), strict=False):
        if len(set(words)) > 1:
            break
        stem.append(words[0])
    return stem


def metrics_in(columns: Sequence[str]) -> dict[str, list[str]]:
    """Metric -> its columns, where all begin or all end in one: ``acc_A, acc_B, time_A, time_B``; a split likewise."""
    for part in (0, -1):
        by_metric: dict[str, list[str]] = {}
        for name in columns:
            words = re.split(r"[\s_./:~()-]+", name.strip(" ()"))
            if len(words) < 2 or not (named_direction(words[part]) or words[part].lower() in SPLITS):
                break
            by_metric.setdefault(words[part], []).append(name)
        else:
            if len({len(names) for names in by_metric.values()}) == 1 < len(columns) // len(by_metric):
                return dict(sorted(by_metric.items(), key=lambda each: each[0].lower() != "test"))
    return measures_of_each(columns)


def measures_in(columns: Sequence[str]) -> list[str]:
    """Columns that are called after nothing but a metric (``elapsed``, ``score_val``), or twice after the same one.

    ``Median response time`` and ``Average response time`` are the same.
    """
    telling = [(name, " ".join(named_after(name))) for name in columns if named_direction(name) or _PLAIN.search(name)]
    cores = Counter(core for _, core in telling)
    return [name for name, core in telling if not core or cores[core] > 1]


def compared_columns(names: Sequence[str]) -> list[str]:
    """Those that compare two others: their difference, its ratio, and the p beside it."""
    plain = [plain_name(name.replace("%", "")) for name in names]
    if len(names) < 3 or not any(map(_COMPARED.fullmatch, plain)):
        return []
    return [name for name, own in zip(names, plain, strict=True) if _COMPARED.fullmatch(own) or own in _TESTED]


def spreads(names: Sequence[str]) -> list[str]:
    """Those that are called after another one: its standard deviation, its largest value."""
    spreads = [(name, match[1]) for name in names if (match := _SPREAD_OF.fullmatch(name))]
    if not spreads:
        return []
    bases = {re.sub(r"[\s_.(-]+(mean|avg)\)?$", "", name, flags=re.IGNORECASE) for name in names}
    return [name for name, base in spreads if base in bases]
