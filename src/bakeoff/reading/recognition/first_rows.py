"""Columns that no name gives away: looked for among the first rows, so that what is read or advised works."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import permutations

from bakeoff.reading.number_parsing import MISSING, is_name, parsed_numbers
from bakeoff.reading.recognition.column_names import spreads
from bakeoff.reading.recognition.orientation import counts_steps, side_of
from bakeoff.reading.table import Labels, SourceTable
from bakeoff.scores.read_as import in_sequence
from bakeoff.scores.runs import are_ends
from bakeoff.words import is_called, is_counter, is_one_of, is_run, named_direction, pattern, plain_name, tiers

ROLES = ("problem", "algorithm", "score")
TRUE = frozenset(("true", "yes", "1", "1.0"))
FLAGS = TRUE | {"false", "no", "0", "0.0"}
"""What a truth value is written as."""
FULL_ENOUGH = 0.5
"""Share of the cells with a score from which columns may be problem and algorithm."""
_MOST = 12  # columns that are tried in each role


class FirstRows:
    """The first rows of a table, a list of texts for each column that is looked at."""

    def __init__(self, table: SourceTable) -> None:
        self.names = table.names
        self._table = table
        self._texts: dict[int, Labels] = {}

    @cached_property
    def spreads(self) -> frozenset[str]:
        """The names that are called after another one: its deviation, its limits."""
        return frozenset(spreads(self.names))

    def texts(self, column: int) -> Labels:
        if column not in self._texts:
            self._texts[column] = self._table.texts(column)
        return self._texts[column]

    def is_number(self, column: int) -> bool:
        """Does it hold numbers, perhaps written in another way, with a missing score here and there?"""
        if (numbers := parsed_numbers(self.texts(column))) is not None:
            return len(numbers) > 0
        there = [text for text in self.texts(column) if text.lower() not in MISSING]
        return bool(there) and not any(map(is_name, there))

    def determines(self, first: Sequence[int], second: int) -> bool:
        """Is there one value of the second column for each of the first ones?"""
        known: dict[tuple[str, ...], str] = {}
        rows = zip(zip(*map(self.texts, first), strict=True), self.texts(second), strict=True)
        return all(known.setdefault(key, value) == value for key, value in rows)

    def are_unique(self, columns: Sequence[int]) -> bool:
        keys = list(zip(*map(self.texts, columns), strict=True))
        return len(set(keys)) == len(keys)

    def different(self, column: int) -> int:
        return len(set(self.texts(column)) - {""})


def are_numbered(table: SourceTable, column: int) -> bool:
    """Does it hold whole numbers that come again, as the problems of a long table may be called?"""
    texts = table.texts(column)
    return len(set(texts)) < len(texts) and all(text.isdecimal() for text in texts)


def score_columns(table: SourceTable, by_role: Mapping[str, Sequence[int]]) -> list[int]:
    """The column of the scores of a problem and an algorithm; several where more than one could be it; none.

    A name that says a measure comes before one that says nothing, and a time is the score only if no other number is.
    A column with one value for each problem, or for each algorithm, describes these.
    """
    rows, known = FirstRows(table), list(by_role["score"])
    free = could_be_scores(rows, by_role)
    times = [j for j in (*known, *free) if is_one_of(table.names[j], "time") and rows.is_number(j)]
    measures = [j for j in known if j not in times]
    if measures and plain_name(table.names[measures[0]]) in tiers("score")[0] | tiers("score")[1]:
        return measures
    telling = [j for j in free if j not in times and named_direction(table.names[j])]
    unsaid = [j for j in free if j not in times and j not in telling]
    rivals = [j for j in unsaid if _has_fractions(rows, j)]
    if measures or telling:
        known = [*measures, *telling, *(rivals if len(measures) + len(telling) == 1 else [])]
        return [*known, *(times[:1] if len(known) > 1 else [])]
    if times:
        return [*unsaid, *times[:1]] if unsaid else times
    free = [j for j in range(len(rows.names)) if j not in _taken(by_role)]
    flags = [j for j in free if is_one_of(table.names[j], "status", "words") and _is_flag(rows, j)]
    return unsaid if len(unsaid) == 1 else flags if not unsaid and len(flags) == 1 else []


def _has_fractions(rows: FirstRows, column: int) -> bool:
    return any(re.search("[.eE]", text) for text in rows.texts(column))


def status_columns(table: SourceTable, columns: Sequence[int]) -> list[int]:
    """Columns that say how runs ended: words of an ending, or a truth value under a name such as ``solved``."""
    rows = FirstRows(table)
    return [
        j
        for j in columns
        if (is_one_of(table.names[j], "status", "words") and _is_flag(rows, j))
        or (is_one_of(table.names[j], "status", "endings") and are_ends(rows.texts(j)))
    ]


def _is_part(rows: FirstRows, column: int) -> bool:
    """Is it called like a setting of an algorithm, and takes few values?"""
    return is_one_of(rows.names[column], "part") and 3 * rows.different(column) <= len(rows.texts(column))


def _is_flag(rows: FirstRows, column: int) -> bool:
    there = {text.lower() for text in rows.texts(column)} - {""}
    return are_ends(there) or (bool(there) and there <= FLAGS)


def could_be_scores(rows: FirstRows, by_role: Mapping[str, Sequence[int]]) -> list[int]:
    """Columns of numbers that neither count rows nor describe problems or algorithms."""
    taken = _taken(by_role)
    named = [by_role[role][:1] for role in ("problem", "algorithm") if by_role.get(role)]
    numbers = [j for j, name in enumerate(rows.names) if j not in taken and name and rows.is_number(j)]
    if in_sequence([rows.names[j] for j in numbers]):
        return []  # one run of several is no score
    open_columns = [
        j
        for j in numbers
        if named_direction(rows.names[j])
        or not any(rows.determines(columns, j) and not rows.are_unique(columns) for columns in named)
    ]
    free = [j for j in open_columns if not _is_no_score(rows, j)]
    sizes = [j for j in open_columns if is_called(rows.names[j], "description") and _has_fractions(rows, j)]
    return free or sizes  # what describes a row elsewhere may be measured here


def _is_no_score(rows: FirstRows, column: int) -> bool:
    """Does its name say that it counts, describes, or says how a run ended?"""
    name = rows.names[column]
    if is_counter(name) or (is_one_of(name, "status", "words") and _is_flag(rows, column)):
        return True
    if named_direction(name) or is_one_of(name, "time"):
        return False
    described = any(is_called(name, *of) for of in (("question", "about"), ("statistic",), ("description",)))
    other = is_run(name) or is_one_of(name, "truth", "certain") or name in rows.spreads
    return described or other or _is_part(rows, column)


def question_and_task(
    table: SourceTable, by_role: Mapping[str, Sequence[int]], named: bool = False
) -> tuple[list[int], list[int]]:
    """The columns that could name the problems, and in a log of questions the one of the tasks.

    ``named``: the user said which column holds the problems.
    """
    columns = list(by_role["problem"])
    taken = {j for role, others in by_role.items() for j in others if role != "problem"}
    free = [j for j in range(len(table.names)) if j not in taken]
    questions = columns if named else [j for j in free if is_called(table.names[j], "question", "questions")]
    others = [*(free if named else columns), *by_role.get("cluster", ())]  # that are clusters, too
    tasks = [j for j in dict.fromkeys(others) if is_called(table.names[j], "question", "tasks")]
    if len(questions) == 1 and len(tasks) == 1 and questions != tasks:
        return questions, tasks
    return columns, []


def run_columns(table: SourceTable, by_role: Mapping[str, Sequence[int]]) -> list[int]:
    """Columns that are called like runs, if all that nobody else has are (beside a problem, an algorithm and means)."""
    taken = _taken(by_role)
    free = [j for j, name in enumerate(table.names) if name and j not in taken and not is_called(name, "statistic")]
    return free if in_sequence([table.names[j] for j in free]) else []


def groupings(table: SourceTable, problem: int, taken: Collection[int]) -> list[int]:
    """Columns of names that are not read, of which each stands at two problems or more: passages, families."""
    free = [j for j, name in enumerate(table.names) if name and j not in taken and not _is_about(name)]
    rows = FirstRows(table)
    named = [  # lists are settings; groups may be numbered
        j
        for j in free
        if (table.holds_names(j) and not rows.texts(j)[0].startswith(("[", "{")))
        or pattern("question", "groups").fullmatch(table.names[j].lower())
    ]
    return [j for j in named if 4 <= 2 * rows.different(j) <= rows.different(problem) and rows.determines([problem], j)]


def only_call(table: SourceTable, by_role: Mapping[str, Sequence[int]]) -> dict[str, int]:
    """The columns that are open, if the first rows can be read as a long table in one way alone; else nothing.

    Each algorithm has every problem then, and where nothing else says which are the algorithms, there are at most half
    as many of them.
    """
    rows, taken = FirstRows(table), _taken(by_role)
    words = {j for j in range(len(table.names)) if j in taken or table.holds_names(j)}
    names = words | {j for j, name in enumerate(table.names) if name.lower().endswith(("id", "no", "nr"))}
    if len(names - taken) < sum(not by_role.get(role) for role in ROLES[:2]):  # most wide tables
        return {}
    calls = filter(None, (_checked(rows, roles) for roles in _assignments(rows, by_role, False)))
    full = [(marks[0], roles["problem"], roles["algorithm"]) for marks, roles in calls if marks[2] == 1.0]
    keys = {(p, a) for sides, p, a in full if p in names and a in words and (sides >= 0 or by_role.get("algorithm"))}
    times = 1 if by_role.get("algorithm") else 2  # a weak name for algorithms may name the problems
    keys = {(p, a) for p, a in keys if rows.different(p) >= times * rows.different(a)}
    if len(keys) != 1:
        return {}
    problem, algorithm = keys.pop()
    return {role: j for role, j in (("problem", problem), ("algorithm", algorithm)) if not by_role.get(role)}


def _taken(by_role: Mapping[str, Sequence[int]]) -> set[int]:
    return {j for columns in by_role.values() for j in columns}


def long_call(table: SourceTable, by_role: Mapping[str, Sequence[int]]) -> dict[str, str]:
    """Role -> column of a call that reads the first rows as a long table; empty if there is none."""
    rows = FirstRows(table)
    for anything in (False, True):
        tried = (_checked(rows, roles) for roles in _assignments(rows, by_role, anything))
        best = max((each for each in tried if each), key=lambda each: each[0], default=None)
        if best is not None:
            return {role: table.names[j] for role, j in best[1].items() if not by_role.get(role)}
    return {}


def left_out_call(table: SourceTable, label: int | None, columns: Sequence[int]) -> list[str]:
    """The columns of a wide table without which the first rows can be read; empty if there is no such call."""
    rows = FirstRows(table)
    texts = [j for j in columns if not rows.is_number(j)]
    repeated = label is not None and not rows.are_unique([label])
    return [] if repeated or len(columns) - len(texts) < 2 else [table.names[j] for j in texts]


def are_statistics(texts: Collection[str]) -> bool:
    """Are the names in a column those of statistics: Best, Mean, Std?"""
    plain = set(map(plain_name, texts))
    return len(plain) > 1 and all(
        pattern("statistic").fullmatch(name) or name in ("best", "worst", "sd") for name in plain
    )


def _assignments(rows: FirstRows, by_role: Mapping[str, Sequence[int]], anything: bool) -> Iterator[dict[str, int]]:
    """``anything``: also of dates, versions and the like."""
    taken = _taken(by_role)
    free = [j for j, name in enumerate(rows.names) if name and j not in taken and (anything or not _is_about(name))]
    words = [j for j in free if not rows.is_number(j)]
    words = [*words, *(j for j in free if j not in words and not _is_measured(rows, j))][:_MOST]
    scores = list(by_role.get("score") or ())[:1] or could_be_scores(rows, by_role)[:_MOST]
    if anything and not scores:  # means of runs that stand beside their spread
        scores = [
            j for j in free if plain_name(rows.names[j]) in ("average", "avg", "mean", "median") and rows.is_number(j)
        ]
    known = {role: by_role[role][0] for role in ("problem", "algorithm", "run") if by_role.get(role)}
    open_roles = [role for role in ("problem", "algorithm") if role not in known]
    for chosen in permutations(words, len(open_roles)):
        if "problem" in open_roles and rows.different(chosen[0]) < 2:  # one problem shows nothing
            continue
        for score in scores:
            if score not in chosen:
                yield {**known, **dict(zip(open_roles, chosen, strict=True)), "score": score}


def _is_about(name: str) -> bool:
    return bool(is_called(name, "question", "about")) and side_of(name) is None


def _is_measured(rows: FirstRows, column: int) -> bool:
    """Numbers with a point, or called after a measure."""
    return named_direction(rows.names[column]) is not None or any(re.search("[.eE]", x) for x in rows.texts(column))


def _checked(rows: FirstRows, roles: Mapping[str, int]) -> tuple[tuple[float, ...], dict[str, int]] | None:
    """How well a call suits, and the call; None if it would be refused."""
    problem, algorithm, score = (roles[role] for role in ROLES)
    n, k = rows.different(problem), rows.different(algorithm)
    statistics = are_statistics(rows.texts(algorithm))
    empty = "" in rows.texts(problem) or "" in rows.texts(algorithm)
    if k < 2 or statistics or counts_steps(rows.names[problem]) or empty:
        return None
    keys = [problem, algorithm, *([roles["run"]] if "run" in roles else [])]
    if not rows.are_unique(keys):
        return None
    cells = len(set(zip(rows.texts(problem), rows.texts(algorithm), strict=True)))
    full = cells / (n * k)
    if full < FULL_ENOUGH or (n > 1 and cells == n == k):  # one tells the other
        return None
    names = side_of(rows.names[problem]), side_of(rows.names[algorithm])
    return (
        (names[0] == "problems") + (names[1] == "algorithms") - (names[0] == "algorithms") - (names[1] == "problems"),
        named_direction(rows.names[score]) is not None,
        full,
        float(n >= k),
        -score,
    ), dict(roles)
