"""Named columns -> cells: which columns hold what, wide or long."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from bakeoff.errors import ReadingError
from bakeoff.reading.long_cells import (
    SomeRows,
    coded_columns,
    first_rows,
    listed_repetitions,
    long_cells,
    of_metric,
    questions_within,
)
from bakeoff.reading.missing import Cells
from bakeoff.reading.number_parsing import is_label
from bakeoff.reading.recognition.column_names import COUNTERS, plain_name
from bakeoff.reading.recognition.first_rows import FirstRows, groupings, run_columns
from bakeoff.reading.recognition.long_hints import not_wide, refuse_scores_as_names
from bakeoff.reading.recognition.orientation import Side, as_wide, orientation, side_of
from bakeoff.reading.recognition.roles import Roles, column_list, only_column, roles_of
from bakeoff.reading.table import Coded, Labels, SourceTable, matching, place
from bakeoff.reading.wrapped_columns import told_apart
from bakeoff.scores import Array
from bakeoff.scores.clusters import PREFIX, prefix
from bakeoff.scores.read_as import ReadAs
from bakeoff.scores.runs import MISSING, RUN_KINDS, RunStatus, only_ok, status_array
from bakeoff.scores.source_cautions import named_direction

RUN_KIND = "run_kind"  # the column of a table of bakeoff import that says what its runs are


def arranged(
    table: SourceTable,
    layout: str,
    names: Mapping[str, str | None],
    drop: Sequence[str] = (),
    metric: str | None = None,
    keep: Sequence[str] | None = None,
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
    by_prefix = names.get("cluster") == PREFIX and PREFIX not in table.names
    if by_prefix:
        names = {**names, "cluster": None}
    roles, flags, clusters = roles_of(table, as_wide(rows, layout), names, drop, metric, keep)
    if roles is None:
        cells = _wide(table, flags.get("problem"), clusters, drop, rows)
    else:
        cells = _long(table, roles, layout, flags, metric, drop)
    return replace(cells, clusters=list(map(prefix, cells.problems))) if by_prefix else cells


def _wide(
    table: SourceTable, problem: int | None, cluster: int | None, drop: Sequence[str], rows: Side | None
) -> Cells:
    """One row per problem, one column per algorithm, perhaps one of clusters; or the other way round."""
    at = _label_column(table, cluster) if problem is None else problem
    counted = at not in (None, 0) and _counts_rows(table)
    ignored = {0} if at not in (None, 0) and (counted or _is_row_number(table, 0)) else set()
    rest = [j for j in range(len(table.names)) if j not in (at, cluster) and j not in ignored]
    unnamed = [j for j in rest if not table.names[j]]
    columns = [j for j in rest if table.names[j] and table.names[j] not in drop]
    if not columns:
        raise ReadingError(f"{table.origin}: no column of scores; the columns are {column_list(table)}")
    try:
        named = [j for j in (at, cluster) if j is not None]
        labels, scores = table.take(named + unnamed, columns)
    except ReadingError as error:
        if not any(map(table.holds_names, columns)):
            raise
        raise ReadingError(not_wide(table, at, columns, error)) from None
    _refuse_content(table, unnamed, labels[len(labels) - len(unnamed) :])
    problems = [f"P{i + 1}" for i in range(len(scores))] if at is None else labels[0]
    names = [table.names[j] for j in columns]
    if at == 0 and problem is None and table.is_text(0):
        refuse_scores_as_names(table, labels[0])
    header = "" if at is None or (at == 0 and getattr(table, "unnamed_index", False)) else table.names[at]
    read_as = orientation(table.origin, header, problems if at is not None else (), names, rows, problem is not None)
    turned = read_as.rows == "algorithms"
    if at is not None:
        _refuse_empty(table, at, problems, "algorithm" if turned else "problem")
        _refuse_repeated(table, at, problems, "algorithms" if turned else "problems")
    elif turned:
        problems = [f"A{i + 1}" for i in range(len(scores))]
    if turned and cluster is not None:
        rule = f"{table.names[cluster]!r} is a column, and the problems of this table are columns, too: use long layout"
        raise ReadingError(rule, parameter="cluster")
    clusters = None if cluster is None else labels[named.index(cluster)]
    if cluster is not None and clusters is not None:
        _refuse_empty(table, cluster, clusters, "cluster")
    named_by = {"algorithm" if turned else "problem": header}
    named_by |= {} if cluster is None else {"cluster": table.names[cluster]}
    scores = scores.T if turned else scores
    return Cells(
        scores=scores[:, :, None],
        missing=np.isnan(scores)[:, :, None],
        algorithms=problems if turned else names,
        problems=names if turned else problems,
        run_name=lambda i, j, r: "",
        clusters=clusters,
        read_as=replace(
            read_as,
            unused=tuple(table.names[j] for j in ignored if counted and table.names[j]),
            columns=tuple((role, name) for role, name in named_by.items() if name),
        ),
    )


def _label_column(table: SourceTable, cluster: int | None) -> int | None:
    """That of the problems; after one of numbers, the only one of names, or that is called like a model or a task."""
    at = _problem_column(table, cluster)
    if at != 0 or ((words := table.holds_names(0)) and side_of(table.names[0])):
        return at
    near = 4 if words else len(table.names)  # after a column of words, such as a flag, the next ones
    called = [j for j, name in enumerate(table.names[:near]) if j and side_of(name) and table.holds_names(j)]
    if words and (not called or FirstRows(table).are_unique([0])):
        return at
    if not called and table.names[0] and plain_name(table.names[0]) in COUNTERS:
        called = [j for j, name in enumerate(table.names) if j and name and table.holds_names(j)]
    unique = [j for j in called if FirstRows(table).are_unique([j])]
    return unique[0] if len(unique) == 1 else at


def _problem_column(table: SourceTable, cluster: int | None) -> int | None:
    """The first column if it is text or called like a problem; else none, all are algorithms."""
    named = matching(table.names, "problem")
    if cluster == 0:
        if named or (len(table.names) > 1 and table.holds_names(1)):
            return named[0] if named else 1
        if table.is_text(0):
            raise ReadingError(
                f"{table.origin}: the first column {table.names[0]!r} holds the clusters, and no other is recognised "
                "as that of the problems; put it first, or say which with problem="
            )
        return None
    if 0 in named or not named:
        return 0 if named or table.is_text(0) or _is_row_number(table, 0) else None
    if _is_row_number(table, 0) or _counts_rows(table):
        return only_column(table, "problem", named)
    raise ReadingError(
        f"{table.origin}: the first column {table.names[0]!r} would name the problems, but column "
        f"{named[0] + 1} is called {table.names[named[0]]!r}; put it first, or say which with problem="
    )


def _counts_rows(table: SourceTable) -> bool:
    """A first column that is called like a counter, of which no two rows have the same."""
    return plain_name(table.names[0]) in COUNTERS and FirstRows(table).are_unique([0])


def _is_row_number(table: SourceTable, column: int) -> bool:
    """A first column without a name, as data frames write their index."""
    name = table.names[column]
    return not name or name.startswith(("Unnamed: ", "__index_level_"))


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
            mark = getattr(table, "delimiter", ",").replace("\t", "\\t")
            copied = f"""awk -F'{mark}' -v OFS='{mark}' '$N==""{{$N=p}} {{p=$N}} 1' """.replace("$N", f"${column + 1}")
            rows += f"; if cells were merged, and the name above goes on: {copied}{shlex.quote(table.origin)} > new.csv"
        raise ReadingError(f"{place(table, labels.index(''), column)}: the {role}'s name is empty ({rows})")


def _refuse_repeated(table: SourceTable, column: int, problems: Labels, what: str) -> None:
    if len(set(problems)) == len(problems):
        return
    raise ReadingError(
        f"{table.origin}: {what} (column {table.names[column]!r}) must be unique in the wide layout; "
        f"repeated: {listed_repetitions(table, problems, repr)}. "
        f"If they are runs, use the long layout: problem, algorithm, score, run.{told_apart(table, [problems], False)}"
    )


def _long(
    table: SourceTable, roles: Roles, layout: str, flags: Roles, metric: str | None, drop: Sequence[str] = ()
) -> Cells:
    """One row per problem, algorithm and (optionally) run; or per problem and algorithm, with a column for each run."""
    keys = [role for role in ("problem", "algorithm", "run", "cluster", "status", "task", "metric") if role in roles]
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
    called = None if "score" not in roles else telling(table.names[roles["score"]])
    if "metric" in by_role:
        rows, called = of_metric(table.origin, by_role, metric, called)
        table, scores, by_role = _some_rows(table, scores, by_role, rows)
    if "task" in by_role:
        by_role["problem"] = questions_within(by_role["task"], by_role["problem"])
    named = [by_role[role] for role in ("problem", "algorithm", "run") if role in by_role]
    status_words = by_role.get("status")
    status = None if status_words is None else _statuses(table, roles["status"], status_words.texts(), scores)
    cells = replace(long_cells(table, named, scores[:, 0], status), metric=called)
    said_of = ("problem", "algorithm", "run", "cluster", "task", "score")
    columns = {role: table.names[roles[role]] for role in said_of if role in roles}
    by_task = "task" in by_role and len(by_role["task"].names) > 1
    other = () if {"cluster", "task"} & set(by_role) else groupings(table, roles["problem"], set(at))
    unused = tuple(table.names[j] for j in other if table.names[j] not in drop)
    read_as = ReadAs(rows="scores", columns=tuple(columns.items()), by_task=by_task, unused=unused)
    cells = replace(cells, read_as=read_as)
    if len(kinds) == 1 and kinds[0] in RUN_KINDS:
        cells = replace(cells, run_kind=kinds[0])
    if "cluster" not in by_role:
        return cells
    clusters = _cluster_of(table, roles["cluster"], by_role["problem"], by_role["cluster"], "cluster" in flags)
    return replace(cells, clusters=clusters)


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


def telling(column: str) -> str | None:
    """The name of a column of scores, if it says what they are: accuracy, but not value."""
    return column if named_direction(column) else None


def _statuses(table: SourceTable, column: int, status_words: Labels, scores: Array) -> RunStatus:
    """(rows,) of each run; the scores of those that are not ok are no scores any more."""
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


def _cluster_of(table: SourceTable, column: int, problems: Coded, clusters: Coded, required: bool) -> Labels:
    """Of each problem, in order of first appearance; one with several is refused."""
    first = first_rows(problems.codes, len(problems.names))
    of = clusters.codes[first]
    other = np.flatnonzero(clusters.codes != of[problems.codes])
    if other.size:
        row = int(other[0])
        problem = problems.codes[row]
        more = "" if required else f", or leave the column out with drop={table.names[column]!r}"
        raise ReadingError(
            f"{place(table, row, column)}: problem {problems.names[problem]!r} is in cluster "
            f"{clusters.names[clusters.codes[row]]!r} here and in cluster {clusters.names[of[problem]]!r} above; a "
            f"problem belongs to one cluster: name the column with cluster={more}"
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
