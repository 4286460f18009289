"""Matrices of runs × tasks, one of each algorithm, as rliable takes them."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from bakeoff.errors import ReadingError
from bakeoff.reading.number_parsing import NotANumber, number_from
from bakeoff.scores import Array, as_floats
from bakeoff.wings.formats.measurement import Choices, Format, Measurement, Origin, status_of
from bakeoff.wings.formats.source_file import SourceFile


def recognise(file: SourceFile) -> bool:
    """In memory only: a file of bare numbers could be anything, and takes ``format="rliable"``."""
    content = file.content
    return isinstance(content, Mapping) and bool(content) and all(map(_is_matrix, content.values()))


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """algorithm: the key, or the name of the file; problem: the column; run: the row. No direction."""
    for file in files:
        tables = file.content if file.in_memory else {file.name: _matrix(file)}
        origin = Origin(file.path, "rliable")
        for algorithm, table in tables.items():
            for run, scores in enumerate(as_floats(table)):
                of_run = partial(Measurement, run=str(run), run_kind="seed", origin=origin)
                for task, score in enumerate(scores.tolist()):
                    yield of_run(f"task {task}", str(algorithm), score, status=status_of(score))


def _is_matrix(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.ndim == 2 and value.dtype.kind in "iuf"


def _matrix(file: SourceFile) -> Array:
    with file.text() as text:
        content = text.read()
    marked = set(",;\t") & set(content)
    rows: Iterable[list[str]] = csv.reader(io.StringIO(content)) if marked else map(str.split, content.splitlines())
    lines = [row for row in rows if row]
    if len({len(line) for line in lines}) != 1:
        raise ReadingError(f"{file.path}: not a matrix: the lines are of different lengths, or there is none")
    try:
        return np.array([[number_from(word) for word in line] for line in lines])
    except NotANumber as error:
        raise ReadingError(f"{file.path}: not a matrix of scores, runs × tasks: {error}") from None


FORMAT = Format("rliable", "rliable's matrices of runs and tasks", recognise, read)
