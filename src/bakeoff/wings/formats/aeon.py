"""Resamples as aeon and tsml publish them: ``<Estimator>_<metric>.csv``, a row for every problem."""

import csv
from collections.abc import Iterator, Sequence
from functools import partial

from bakeoff.errors import ReadingError
from bakeoff.wings.formats.directions import listed_direction
from bakeoff.wings.formats.measurement import Choices, Format, Measurement, Origin, status_of
from bakeoff.wings.formats.source_file import SourceFile
from bakeoff.wings.formats.tabular import number_at

_CORNERS = ("Resamples:", "folds:")
"""Names in the first line, of files of classification and of regression."""


def recognise(file: SourceFile) -> bool:
    return file.text_head.startswith(_CORNERS)


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: the row; run: the column; algorithm and metric: the name of the file. Resample 0 is the split given."""
    for file in files:
        estimator, _, metric = file.stem.rpartition("_")
        algorithm, metric = file.label or estimator or metric, metric if estimator else "score"
        origin, better = Origin(file.path, "aeon"), listed_direction("aeon", metric)
        with file.text() as text:
            lines = csv.reader(text)
            corner, *resamples = next(lines, None) or [""]
            if corner.removeprefix("\ufeff") not in _CORNERS:
                rule = f"the first line must begin with {' or '.join(_CORNERS)} and name the resamples"
                raise ReadingError(f"{file.path}: {rule}")
            for number, (problem, *scores) in enumerate((line for line in lines if line), 2):
                if len(scores) > len(resamples):
                    raise ReadingError(
                        f"{file.path}, line {number}: {len(scores)} scores for {len(resamples)} resamples"
                    )
                scores += [""] * (len(resamples) - len(scores))
                for run, word in zip(resamples, scores, strict=True):
                    score = number_at(word, f"{file.path}, problem {problem!r}, resample {run}")
                    of_run = partial(Measurement, run=run, run_kind="split", status=status_of(score), origin=origin)
                    yield of_run(problem, algorithm, score, metric, better)


FORMAT = Format("aeon", "aeon resamples", recognise, read)
