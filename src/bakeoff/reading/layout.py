"""Named columns -> cells: which columns hold what, wide or long."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from bakeoff.errors import ReadingError
from bakeoff.reading.long_cells import (
    SomeRows,
    averaged_inside,
    coded_columns,
    first_rows,
    listed_repetitions,
    long_cells,
    of_metric,
    questions_within,
)
from bakeoff.reading.missing import Cells
from bakeoff.reading.number_parsing import is_label, numbers_or_nan
from bakeoff.reading.recognition.column_roles import (
    WHY,
    left_out_of_long,
    refuse_predictions,
    refuse_settings,
    sorted_out,
)
from bakeoff.reading.recognition.first_rows import FLAGS, TRUE, FirstRows, groupings, run_columns
from bakeoff.reading.recognition.fold_names import refuse_columns_of_folds
from bakeoff.reading.recognition.long_hints import not_wide
from bakeoff.reading.recognition.orientation import WHOLE_RUNS, Side, as_wide, counts_steps, orientation, side_of
from bakeoff.reading.recognition.roles import Roles, column_list, only_column, roles_of
from bakeoff.reading.table import CellError, Coded, Labels, SourceTable, matching, place
from bakeoff.reading.wrapped_columns import run_levels, told_apart
from bakeoff.scores import Array
from bakeoff.scores.clusters import PREFIX, prefix, tasks_by_name
from bakeoff.scores.read_as import ColumnRole, ReadAs
from bakeoff.scores.runs import MISSING, RUN_KINDS, RunStatus, only_ok, status_array
from bakeoff.words import is_called, is_counter, is_fold, is_one_of, named_direction, plain_name

NEAR = 4
"""Columns among which one of another name is looked for, where the first holds words that come again."""
FEWEST_TO_RISE = 5
"""Rows of numbers that only rise which are hardly scores by chance; fewer, if no other column is like them."""
ROLES = ("problem", "algorithm", "run", "outer run")
RUN_KIND = "run_kind"  # the column of a table of bakeoff import that says what its runs are


def arranged(
    table: SourceTable,
    layout: str,
    names: Mapping[str, str | None],
    drop: Sequence[str] = (),
    metric: str | None = None,
    keep: Sequence[str] = (),
    rows: Side | None = None,
) -> Cells:
    """The cells of a table in the layout asked for, or recognised; ``drop``: columns of names in a wide table.

    ``rows``: what the rows of a wide table are, if the caller says it.

    ``metric``: what the scores are; of a long table the column of this name, if there is one. A column "cluster" holds
    the clusters of the problems, unless ``drop`` or ``keep`` (an algorithm of that name) has it; of a long table a
    column "status" what happened to each run, unless ``drop`` has it.
    """
    if rows == "algorithms" and names.get("algorithm"):  # the column of the rows' names
        names = {**names, "problem": names["algorithm"], "algorithm": None}
    by_prefix = [role for role in ("cluster", "task") if names.get(role) == PREFIX and PREFIX not in table.names]
    names = {**names, **dict.fromkeys(by_prefix)}
    roles, flags, clusters = roles_of(table, as_wide(rows, layout), names, drop, metric, keep)
    if roles is None:
        groups = {role: j for role, j in (("cluster", clusters), ("task", flags.get("task"))) if j is not None}
        cells = _wide(table, flags.get("problem"), groups, drop, keep, rows)
    else:
        cells = _long(table, roles, layout, flags, metric, drop)
    if "cluster" in by_prefix:
        cells = replace(cells, clusters=list(map(prefix, cells.problems)))
    return replace(cells, tasks=tasks_by_name(cells.problems)) if "task" in by_prefix else cells


def _wide(
    table: SourceTable,
    problem: int | None,
    groups: Mapping[str, int],
    drop: Sequence[str],
    kept: Collection[str],
    rows: Side | None,
) -> Cells:
    """One row per problem, one column per algorithm; or the other way round. ``groups``: of clusters, of tasks."""
    at = _label_column(table, groups.get("cluster"), kept) if problem is None else problem
    ignored = {0} if at not in (None, 0) and (_counts_rows(table) or _is_row_number(table)) else set()
    rest = [j for j in range(len(table.names)) if j not in (at, *groups.values()) and j not in ignored]
    unnamed = [j for j in rest if not table.names[j]]
    columns = [j for j in rest if table.names[j] and table.names[j] not in drop]
    if not columns:
        raise ReadingError(f"{table.origin}: no column of scores; the columns are {column_list(table)}")
    refuse_predictions(table, at, columns, kept)
    columns, left = sorted_out(table, columns, kept)
    left += [ColumnRole(table.names[j], "row number", WHY["row number"]) for j in ignored if table.names[j]]
    try:
        named = [j for j in (at, *groups.values()) if j is not None]
        labels, scores = table.take(named + unnamed, columns)
    except ReadingError as error:
        if not any(map(table.holds_names, columns)):
            raise
        raise CellError(not_wide(table, at, columns, error)) from None
    _refuse_content(table, unnamed, labels[len(labels) - len(unnamed) :])
    header = "" if at is None or (at == 0 and getattr(table, "unnamed_index", False)) else table.names[at]
    names = [table.names[j] for j in columns]
    read_as = orientation(table.origin, header, labels[0] if at is not None else (), names, rows, problem is not None)
    turned = read_as.rows == "algorithms"
    _refuse_sides(table, header, turned, problem is not None, groups)
    if rows is None:
        refuse_columns_of_folds(table.origin, names, turned)
    if turned:
        refuse_settings(table.origin, names, kept)
    of_rows = _row_names(table, at, labels, len(scores), turned)
    grouped = {role: labels[named.index(j)] for role, j in groups.items()}
    for role, j in groups.items():
        _refuse_empty(table, j, grouped[role], role)
    named_by = {"algorithm" if turned else "problem": header} | {role: table.names[j] for role, j in groups.items()}
    scores = scores.T if turned else scores
    return Cells(
        scores=scores[:, :, None],
        missing=np.isnan(scores)[:, :, None],
        algorithms=of_rows if turned else names,
        problems=names if turned else of_rows,
        clusters=grouped.get("cluster"),
        tasks=grouped.get("task"),
        read_as=replace(
            read_as,
            roles=tuple(role._replace(why=role.why.format(row="algorithm" if turned else "problem")) for role in left),
            columns=tuple((role, name) for role, name in named_by.items() if name),
        ),
    )


def _refuse_sides(table: SourceTable, header: str, turned: bool, named: bool, groups: Mapping[str, int]) -> None:
    """Rows that are folds; clusters and tasks of problems that are columns."""
    if not turned and not named and (is_one_of(header, "fold") or matching([header], "run")):
        of_several = "Of several data sets, give a column of them"
        if is_fold(header):
            raise ReadingError(
                f"{table.origin}: the rows are folds of one data set, by their column ({header!r}). They share "
                f"training data and are no problems. Say folds={header!r}: a test that allows for it. {of_several}, too"
            )
        raise ReadingError(
            f"{table.origin}: the rows are folds or runs of one data set, by their column ({header!r}). They depend on "
            f"each other and are no problems: if they are folds, say folds={header!r}. {of_several}, and say which "
            "column holds the runs"
        )
    for role, j in groups.items() if turned else ():
        rule = f"{table.names[j]!r} is a column, and the problems of this table are columns, too: use long layout"
        raise ReadingError(rule, parameter=role)


def _row_names(table: SourceTable, at: int | None, labels: list[Labels], n: int, turned: bool) -> Labels:
    """The names of the rows: those of a column, or P1, P2, … (A1, A2, …)."""
    if at is None:
        return [f"{'A' if turned else 'P'}{i + 1}" for i in range(n)]
    _refuse_empty(table, at, labels[0], "algorithm" if turned else "problem")
    _refuse_repeated(table, at, labels[0], "algorithms" if turned else "problems")
    return labels[0]


def _label_column(table: SourceTable, cluster: int | None, kept: Collection[str]) -> int | None:
    """The column that names the rows, by its name at any place, or as the only one of words; None if there is none."""
    named = [j for j in matching(table.names, "problem") if j != cluster]
    if 0 in named or (cluster == 0 and len(table.names) < 2):
        return 0 if 0 in named else None
    if named:
        return only_column(table, "problem", named)
    rows = FirstRows(table)
    free = [j for j, name in enumerate(table.names) if name and j != cluster and table.holds_names(j)]
    called = [j for j in free if side_of(table.names[j]) and rows.are_unique([j])]
    counted = [j for j, name in enumerate(table.names) if side_of(name) == "problems" and _identifies(rows, j)]
    if not free and len(counted) == 1:
        return counted[0]
    if 0 in free and (side_of(table.names[0]) or rows.are_unique([0]) or not called):
        return 0
    if len(called) == 1 and (0 not in free or called[0] < NEAR):
        return called[0]
    unique = [j for j in free if rows.are_unique([j])]
    if 0 not in free and len(unique) == 1 and (table.names[0] or len(free) == 1):
        return unique[0]
    if cluster == 0:
        return 1 if table.holds_names(1) or (is_counter(table.names[1]) and rows.are_unique([1])) else None
    return 0 if _names_rows(table, kept) else None


def _identifies(rows: FirstRows, column: int) -> bool:
    """Whole numbers, all different."""
    return rows.are_unique([column]) and all(text.removesuffix(".0").isdecimal() for text in rows.texts(column))


def _names_rows(table: SourceTable, kept: Collection[str]) -> bool:
    """Does the first column name the rows? Words do, and numbers that identify or count them; in every source alike."""
    name, rows = table.names[0], FirstRows(table)
    if table.is_text(0) or _is_row_number(table):
        return True
    if name in kept or len(table.names) < 3 or not rows.is_number(0):
        return False
    numbers = numbers_or_nan(rows.texts(0))
    if numbers is None:
        return True  # dates, versions
    about = is_called(name, "question", "about")  # a date, a time stamp, an identifier
    known = side_of(name) is not None or counts_steps(name) or about or name.lower().endswith("no") or name == "p"
    counts = known or (is_counter(name) and not all(len(other) == 1 for other in table.names))
    if counts and (numbers % 1 == 0).all():
        return len(set(numbers.tolist())) == len(numbers)
    columns = (numbers_or_nan(rows.texts(j)) for j in range(1, len(table.names)))
    others = np.concatenate([np.empty(0), *(column for column in columns if column is not None)])
    enough = len(numbers) >= FEWEST_TO_RISE or (len(numbers) > 1 and _is_of_its_own(numbers, others))
    return known or (enough and _refuse_rising(table, numbers.tolist()))


def _is_of_its_own(numbers: Array, others: Array) -> bool:
    """Whole numbers beside fractions, or of another size."""
    others = others[np.isfinite(others)]
    if (numbers % 1 != 0).any() or not len(others):
        return False
    return bool((others % 1 != 0).any() or others.max() < numbers.min() or others.min() > numbers.max())


def _refuse_rising(table: SourceTable, numbers: Sequence[float]) -> bool:
    """False of numbers that do not rise from row to row; of others, whose name says nothing, nobody can tell."""
    if not all(a < b for a, b in pairwise(numbers)):
        return False
    name, steps = table.names[0], next(filter(counts_steps, table.names[1:]), None)
    if steps is not None:
        raise ReadingError(
            f"{table.origin}: each row is a step of a run, by the column {steps!r}. {WHOLE_RUNS}. If {name!r} names "
            f"the problems, say problem={name!r}"
        )
    raise ReadingError(
        f"{table.origin}: the first column, {name!r}, rises from row to row, and its name does not say what it is. If "
        f"it names the problems, say problem={name!r}; if it holds the scores of an algorithm, keep={name!r}; if it "
        f"counts what runs have spent: {WHOLE_RUNS}"
    )


def _counts_rows(table: SourceTable) -> bool:
    """A first column that is called like a counter, of which no two rows have the same."""
    return is_counter(table.names[0]) and FirstRows(table).are_unique([0])


def _is_row_number(table: SourceTable) -> bool:
    """A first column without a name, as data frames write their index."""
    name = table.names[0]
    return not name or name.startswith(("Unnamed: ", "__index_level_", "level_0"))


def _refuse_content(table: SourceTable, columns: list[int], labels: list[Labels]) -> None:
    """A column without a name may only be empty (a delimiter at the end of every line)."""
    for column, texts in zip(columns, labels, strict=True):
        row = next((i for i, text in enumerate(texts) if text), None)
        if row is not None:
            raise ReadingError(f"{place(table, row, column)}: {texts[row]!r} is in a column without a name; name it")


def _refuse_empty(table: SourceTable, column: int, labels: Labels, role: str, way_out: str = "") -> None:
    if "" in labels:
        rows = f"{labels.count('')} such rows{way_out}"
        if labels[0] and 3 * labels.count("") >= len(labels) and way_out:
            rows += "; if cells were merged, write the name above into each row"
        raise ReadingError(f"{place(table, labels.index(''), column)}: the {role}'s name is empty ({rows})")


def _refuse_repeated(table: SourceTable, column: int, problems: Labels, what: str) -> None:
    if len(set(problems)) == len(problems):
        return
    raise ReadingError(
        f"{table.origin}: {what} (column {table.names[column]!r}) must be unique in the wide layout; "
        f"repeated: {listed_repetitions(table, problems, repr)}. "
        f"If they are runs, use the long layout: problem, algorithm, score, run.{told_apart(table, [problems])}"
    )


def _long(
    table: SourceTable, roles: Roles, layout: str, flags: Roles, metric: str | None, drop: Sequence[str] = ()
) -> Cells:
    """One row per problem, algorithm and (optionally) run; or per problem and algorithm, with a column for each run."""
    levels = run_levels(table, flags.get("run"))
    roles = roles | ({"outer run": table.names.index(levels[0])} if levels else {})
    keys = [role for role in (*ROLES, "cluster", "status", "task", "metric") if role in roles]
    kind = [table.names.index(RUN_KIND)] if RUN_KIND in table.names else []
    at = [*(roles[role] for role in keys), *kind]
    if "score" in roles:
        labels, scores = coded_columns(table, at, roles["score"])
    else:
        labels, scores = _folded(table, at, run_columns(table, {role: [j] for role, j in roles.items()}))
        keys.insert(2, "run")
        table = SomeRows(table, np.arange(len(scores)) // len(labels[2].names))
    kinds = labels.pop().names if kind else []
    by_role: dict[str, Coded] = dict(zip(keys, labels, strict=True))
    if "" in drop and "" in by_role["problem"].names:
        rows = np.flatnonzero(by_role["problem"].codes != by_role["problem"].names.index(""))
        table, scores, by_role = _some_rows(table, scores, by_role, rows)
    for role, coded in by_role.items():
        if "" in coded.names and role not in ("status", "metric"):
            out = ", drop='' leaves them out" if role == "problem" else ""
            _refuse_empty(table, roles[role], coded.texts(), role, out)
    if layout == "auto" and not flags:
        refuse_doubtful(table, roles, by_role["algorithm"].names)
    column = table.names[roles["score"]] if "score" in roles else None
    called = column if named_direction(column) else None  # accuracy says what scores are, value does not
    if "metric" in by_role:
        rows, called = of_metric(table.origin, by_role, metric, called)
        table, scores, by_role = _some_rows(table, scores, by_role, rows)
    if "task" in by_role:
        by_role["problem"] = questions_within(by_role["task"], by_role["problem"])
    named = [by_role[role] for role in ("problem", "algorithm", "run") if role in by_role]
    status_words = by_role.get("status")
    status = None if status_words is None else _statuses(table, roles["status"], status_words.texts(), scores)
    cells = replace(long_cells(table, named, scores[:, 0], status), metric=called)
    if levels:  # runs inside runs, of which no two are the same
        outer, means = averaged_inside([*named[:2], by_role["outer run"]], scores[:, 0])
        cells = replace(long_cells(table, outer, means), metric=called)
    said_of = ("problem", "algorithm", "run", "cluster", "task", "score", "status")
    columns = {role: table.names[roles[role]] for role in said_of if role in roles}
    other = () if {"cluster", "task"} & set(by_role) else groupings(table, roles["problem"], set(at))
    unused = tuple(table.names[j] for j in other if table.names[j] not in drop)
    used = {*at, *other, *roles.values(), *(j for j, name in enumerate(table.names) if name in drop)}
    left = left_out_of_long(table, used, roles) if "score" in roles else []
    read_as = ReadAs(rows="scores", columns=tuple(columns.items()), unused=unused, roles=tuple(left))
    read_as = replace(read_as, averaged=tuple(levels[1:]))
    cells = replace(cells, read_as=read_as)
    if len(kinds) == 1 and kinds[0] in RUN_KINDS:
        cells = replace(cells, run_kind=kinds[0])
    elif not kind and "run" in columns and all(map(is_fold, columns["run"].split(",")[-1:])):
        cells = replace(cells, run_kind="split")
    if "task" in by_role:
        cells = replace(cells, tasks=_label_of(table, roles["task"], by_role["problem"], by_role["task"], "task", True))
    if "cluster" in by_role:
        of = (roles["cluster"], by_role["problem"], by_role["cluster"])
        cells = replace(cells, clusters=_label_of(table, *of, "cluster", "cluster" in flags))
    return cells


def _some_rows(
    table: SourceTable, scores: Array, by_role: Mapping[str, Coded], rows: npt.NDArray[np.int64]
) -> tuple[SourceTable, Array, dict[str, Coded]]:
    return SomeRows(table, rows), scores[rows], {role: coded.of_rows(rows) for role, coded in by_role.items()}


def _folded(table: SourceTable, labels: list[int], runs: list[int]) -> tuple[list[Coded], Array]:
    """A row per score of a table with a column for each run: the runs stand after problem and algorithm."""
    named, scores = table.take(labels, runs)
    names = Coded([table.names[j] for j in runs], np.tile(np.arange(len(runs)), len(scores)))
    each = [Coded.of(column) for column in named]
    repeated = [Coded(coded.names, np.repeat(coded.codes, len(runs))) for coded in each]
    return [*repeated[:2], names, *repeated[2:]], scores.reshape(-1, 1)


def _statuses(table: SourceTable, column: int, status_words: Labels, scores: Array) -> RunStatus:
    """(rows,) of each run; the scores of those that are not ok are no scores any more."""
    status_words = _in_words(table.names[column], status_words)
    words = set(status_words) - {""}
    if words and not any(map(is_label, words)):
        raise ReadingError(
            f"{place(table, 0, column)}: a status is a word, ok or what happened; this column holds numbers. Leave it "
            f"out with drop={table.names[column]!r}, or write ok in it"
        )
    status = status_array(np.array(status_words, dtype=object)[:, None, None], scores[:, :, None])[:, 0, 0]
    status[status == ""] = MISSING
    scores[:, 0] = only_ok(scores[:, 0], status)
    return status


def _in_words(name: str, texts: Labels) -> Labels:
    """Truth values as words: a run is fine where ``solved`` is true, and where ``timed_out`` is not."""
    if not is_one_of(name, "status", "words") or not {text.lower() for text in texts} <= FLAGS | {""}:
        return texts
    failure = is_one_of(name, "status", "failures")
    end = "timeout" if plain_name(name) in ("timeout", "timedout") else "failed"
    word = {text: "ok" if (text.lower() in TRUE) != failure else end for text in set(texts) if text}
    return [word.get(text, "") for text in texts]


def _label_of(table: SourceTable, column: int, problems: Coded, clusters: Coded, role: str, required: bool) -> Labels:
    """The cluster (task) of each problem, in order of first appearance; one with several is refused."""
    first = first_rows(problems.codes, len(problems.names))
    of = clusters.codes[first]
    other = np.flatnonzero(clusters.codes != of[problems.codes])
    if other.size:
        row = int(other[0])
        problem = problems.codes[row]
        more = "" if required else f", or leave the column out with drop={table.names[column]!r}"
        raise ReadingError(
            f"{place(table, row, column)}: problem {problems.names[problem]!r} is in {role} "
            f"{clusters.names[clusters.codes[row]]!r} here and in {role} {clusters.names[of[problem]]!r} above; a "
            f"problem belongs to one {role}: name the column with {role}={more}"
        )
    return [clusters.names[code] for code in of.tolist()]


def refuse_doubtful(table: SourceTable, roles: Roles, algorithms: Labels) -> None:
    """A wide table whose algorithms happen to be called "model" and "value" has numbers where names should be."""
    name = table.names[roles["algorithm"]]
    if name.lower() != "algorithm" and not any(is_label(text) for text in algorithms):
        raise ReadingError(
            f"{table.origin}: column {name!r} holds only numbers, so this may be a wide table or a long one; "
            "pass layout='wide' or layout='long'"
        )
