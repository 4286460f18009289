"""Types and ranges of what a store holds: the file may be damaged, or have been edited."""

import json
import sqlite3
from collections.abc import Mapping
from typing import Any

from bakeoff.errors import BakeoffError, StoreError
from bakeoff.wings.run.design.race_settings import is_race, settings_in
from bakeoff.wings.run.design.settings import Repetitions, question_in
from bakeoff.wings.run.design.specification import FORMAT, digest
from bakeoff.wings.run.schedulers import REASONS

_STATES = ("pending", "active", "done", "failed")
_NUMBER, _NUMBER_OR_NONE = (float, int), (float, int, type(None))
_TEXT_OR_NONE, _INT_OR_NONE = (str, type(None)), (int, type(None))
_KINDS: dict[str, dict[str, tuple[type, ...]]] = {
    "": {
        "better": (str,),
        "seed": (int,),
        "score": _TEXT_OR_NONE,
        "runs": _INT_OR_NONE,
        "repetitions": (dict, type(None)),
        "on_failure": (str, float, int),
        "n_problems": _INT_OR_NONE,
        "question": (dict,),
        "algorithms": (list,),
        "problems": (list,),
    },
    "question.": {"differences": (str,), "control": _TEXT_OR_NONE},
    "algorithm.": {"name": (str,), "changed": (int,)},
    "instance.": {
        "pos": (int,),
        "name": (str,),
        "draw_order": _INT_OR_NONE,
        "changed": (int,),
        "status": (str,),
        "reason": (str,),
        "detail": (str,),
    },
    "look.": {"k": (int,), "n": (int,), "stat": _NUMBER, "threshold": _NUMBER_OR_NONE, "verdict": (str,)},
    "coordinator.": {
        **dict.fromkeys(("host", "machine", "process", "file", "command"), (str,)),
        **dict.fromkeys(("pid", "ended"), (int,)),
        **dict.fromkeys(("started", "seen"), (float,)),
    },
}


def checked_specification(text: object, sha256: object) -> dict[str, Any]:
    """The description of the experiment."""
    if not isinstance(text, str) or digest(text) != sha256:
        raise StoreError("the store's description of its experiment does not fit its hash; it has been changed")
    spec = json.loads(text)
    if not isinstance(spec, dict):
        raise _damaged("description", spec)
    version = spec.get("format", 0)
    if not isinstance(version, int) or version > FORMAT:
        raise StoreError(
            "the store's experiment was described by a newer bakeoff: install that one, or one newer still"
        )
    check_types("", spec)
    check_types("question.", spec["question"])
    for field, allowed in (("better", ("lower", "higher")), ("on_failure", ("raise", "worst"))):
        if isinstance(spec[field], str) and spec[field] not in allowed:
            raise _damaged(field, spec[field])
    if not all(isinstance(one, dict) and isinstance(one.get("name"), str) for one in spec["algorithms"]):
        raise _damaged("algorithms", spec["algorithms"])
    clusters = spec.get("clusters")
    if clusters is not None and (not isinstance(clusters, dict) or set(clusters) != set(spec["problems"])):
        raise _damaged("clusters", clusters)
    field = "question"
    try:
        question_in(spec)
        field = "race"
        if is_race(spec):
            settings_in(spec)
        field = "repetitions"
        if spec["repetitions"] is not None:
            repetitions_in(spec["repetitions"])
    except (BakeoffError, TypeError, KeyError, AttributeError):
        raise _damaged(field, spec[field]) from None
    if (spec["runs"] is None) == (spec["repetitions"] is None):
        raise _damaged("runs", spec["runs"])
    return spec


def repetitions_in(fields: Mapping[str, Any]) -> Repetitions:
    """The design; a statistic that is a user's function is known only by name and replaced by the mean."""
    named = fields["statistic"] in ("mean", "median")
    return Repetitions(**(fields if named else {**fields, "statistic": "mean", "method": "bootstrap"}))


def checked_rows(connection: sqlite3.Connection, table: str, query: str) -> list[Any]:
    """The rows of a query on one table."""
    cursor = connection.execute(query)
    names = [column[0] for column in cursor.description]
    rows = cursor.fetchall()
    for row in rows:
        check_types(f"{table}.", dict(zip(names, row, strict=True)))
    return rows


def check_state(status: str, reason: str) -> None:
    """The state of a problem."""
    if status not in _STATES:
        raise _damaged("instance.status", status)
    if reason not in ("", "sequential", *REASONS) or (status in ("done", "failed") and reason not in REASONS):
        raise _damaged("instance.reason", reason)


def check_numbers(values: object, kinds: tuple[type, ...], field: str) -> tuple[Any, ...]:
    """A list in JSON."""
    if not isinstance(values, list) or not all(isinstance(x, kinds) and not isinstance(x, bool) for x in values):
        raise _damaged(field, values)
    return tuple(values)


def check_runs(connection: sqlite3.Connection, positions: list[int], n_algorithms: int) -> None:
    """The types and ranges of all runs, and that problems are numbered from 0."""
    strange = connection.execute(
        "SELECT count(*) FROM run WHERE inst NOT BETWEEN 0 AND ? OR alg NOT BETWEEN 0 AND ? "
        "OR typeof(inst) || typeof(alg) || typeof(rep) <> 'integerintegerinteger' "
        "OR typeof(value) NOT IN ('real', 'null') OR typeof(seconds) <> 'real' OR typeof(attempt) <> 'integer' "
        "OR typeof(seed_hex) <> 'text' OR typeof(error) <> 'text' OR typeof(metrics) NOT IN ('text', 'null') "
        "OR status NOT IN ('ok', 'failed', 'timeout') OR typeof(round) <> 'integer'",
        (len(positions) - 1, n_algorithms - 1),
    ).fetchone()[0]
    if strange or positions != list(range(len(positions))):
        raise StoreError(f"the store is damaged: {strange} runs, or the numbers of problems, are invalid")


def missing_runs(connection: sqlite3.Connection) -> tuple[int, int, int] | None:
    """The first finished problem with fewer runs than it finished with: problem, algorithm, how many are missing."""
    there = {
        (problem, algorithm): n
        for problem, algorithm, n in connection.execute("SELECT inst, alg, count(*) FROM run GROUP BY inst, alg")
    }
    finished = "SELECT pos, n_json FROM instance WHERE status IN ('done', 'failed') ORDER BY pos"
    for problem, text in connection.execute(finished):
        for algorithm, n in enumerate(check_numbers(json.loads(text or "[]"), (int,), "instance.n_json")):
            if (gone := n - there.get((problem, algorithm), 0)) > 0:
                return problem, algorithm, gone
    return None


def check_types(table: str, fields: Mapping[str, Any]) -> None:
    """Refuse values of other types than those of the table; it is a part of the description, or one of SQLite."""
    for field, kinds in _KINDS[table].items():
        value = fields.get(field)
        if not isinstance(value, kinds) or isinstance(value, bool):
            raise _damaged(f"{table}{field}", value)


def _damaged(field: str, value: object) -> StoreError:
    shown = repr(value)
    return StoreError(f"the store is damaged: {field} cannot be {shown if len(shown) <= 80 else shown[:77] + '…'}")
