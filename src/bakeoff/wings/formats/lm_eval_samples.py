"""The lines of lm-eval's samples_*.jsonl: a question, its scores, and 1 to 50 kB of prompt that is passed over."""

import json
import math
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from bakeoff.errors import ParameterError, ReadingError, listing
from bakeoff.files import loads_strictly
from bakeoff.wings.formats.source_file import SourceFile

WRITTEN = ("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics")
FIELDS = frozenset({*WRITTEN, "doc_hash", "prompt_hash", "target_hash"})
"""Keys of a line that are no metric."""


class Sample(NamedTuple):
    doc_id: str
    filter: str  # "none" where there is none
    doc_hash: str
    scores: Mapping[str, Any]
    cluster: str | None = None


def samples(file: SourceFile, cluster: str | None = None) -> Iterator[Sample]:
    """One line after the other; none is kept."""
    with file.open() as lines:
        for number, line in enumerate(lines, 1):
            ends = _at_the_ends(line) if cluster is None else None
            if ends is None:
                if not line.strip():
                    continue
                ends = sample_of(_parsed(line, f"{file.path}, line {number}"), cluster)
            yield ends


def _parsed(line: bytes, place: str) -> dict[str, Any]:
    try:
        record = loads_strictly(line)
    except (ValueError, RecursionError) as error:
        raise ReadingError(f"{place}: not JSON (is the file complete?): {error}") from None
    if not isinstance(record, dict) or "doc_id" not in record:
        raise ReadingError(f"{place}: no sample of lm-eval, which has a doc_id")
    return record


def sample_of(line: dict[str, Any], cluster: str | None = None) -> Sample:
    """Of a parsed line; without the list of metrics (before lm-eval 0.4.5) every other key is one."""
    names = line["metrics"] if "metrics" in line else [key for key in line if key not in FIELDS]
    return Sample(
        str(line["doc_id"]),
        str(line.get("filter", "none")),
        str(line.get("doc_hash", "")),
        {name: line[name] for name in names if name in line},
        None if cluster is None else label_at(line, cluster),
    )


def label_at(line: Mapping[str, Any], key: str) -> str:
    """The value of ``doc.passage``, or of the key of the document, ``passage``."""
    document = line.get("doc")
    for start, path in ((line, key.split(".")), (document, key.split("."))):
        entry: Any = start
        for step in path:
            entry = entry.get(step) if isinstance(entry, Mapping) else None
        if entry is not None:
            return entry if isinstance(entry, str) else json.dumps(entry, sort_keys=True)
    keys = [f"doc.{name}" for name in document] if isinstance(document, Mapping) else list(line)
    raise ParameterError(f"must be a key of every sample ({listing(keys, 12)}); got {key!r}", parameter="cluster")


_HEAD = re.compile(rb'\{"doc_id": (0|[1-9]\d*), "')
_TEXT = rb'"[^"\\\x00-\x1f]*"'
_TAIL = re.compile(
    rb'"filter": (%(text)s), "metrics": (\[(?:%(text)s(?:, %(text)s)*)?\]), "doc_hash": "([0-9a-f]*)", '
    rb'"prompt_hash": "[0-9a-f]*", "target_hash": "[0-9a-f]*"'
    rb"((?:, %(text)s: (?:-?\d[\d.eE+-]*|true|false|null|NaN))*)\}\s*" % {b"text": _TEXT}
)


def _at_the_ends(line: bytes) -> Sample | None:
    """The sample from the two ends of a line as lm-eval writes it; None: parse it.

    The tail matched is complete pairs and one closing brace at the end of the line. In JSON its first quotation mark,
    after a comma and a space, opens a string, as ``filter`` cannot follow a closed one; so the brace closes the object
    that has these keys, which is the line. The keys come last, and so are the ones that count where some occur twice.
    """
    start = line.rfind(b', "filter": "') + 2
    head = _HEAD.match(line)
    if start < 2 or head is None or line.count(b'"doc_id"') != 1:
        return None
    tail = _TAIL.fullmatch(line, start)
    if tail is None:
        return None
    scores = _scores(tail[2], tail[4])
    if scores is None:
        return None
    return Sample(head[1].decode(), _text(tail[1]), tail[3].decode(), scores)


@lru_cache(maxsize=64)
def _text(text: bytes) -> str:
    return str(loads_strictly(text))


@lru_cache(maxsize=4096)
def _scores(metrics: bytes, pairs: bytes) -> Mapping[str, Any] | None:
    """None unless the pairs are those of the metrics."""
    try:
        names, values = loads_strictly(metrics), loads_strictly(b"{" + pairs[2:] + b"}")
    except ValueError:
        return None
    return values if set(names) == set(values) and FIELDS.isdisjoint(names) else None


def score_of(value: object) -> tuple[float, str] | None:
    """Score and status of a value; None: it is no score of one question."""
    if isinstance(value, float | int):  # True and False too
        return (float(value), "ok") if value == value else (math.nan, "not a number")
    return (math.nan, "no score") if value is None else None
