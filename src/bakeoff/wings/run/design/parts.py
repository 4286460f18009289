"""A part of an experiment: the problems that one of several machines runs, without talking to the others."""

from __future__ import annotations

import re

from bakeoff.dataclass import dataclass
from bakeoff.errors import ParameterError, counted
from bakeoff.wings.run.design.experiment import Experiment
from bakeoff.wings.run.design.race_settings import RacedExperiment

_FORM = re.compile(r"\s*(\d{1,6})\s*/\s*(\d{1,6})\s*")


@dataclass(frozen=True, slots=True)
class ExperimentPart:
    """Part ``number`` of ``of``: every ``of``-th problem in the order drawn, from the ``number``-th on."""

    number: int  # from 1 on
    of: int  # how many there are

    @classmethod
    def from_text(cls, text: object) -> ExperimentPart:
        """Read the text 3/40; ParameterError for any other form."""
        match = _FORM.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            raise ParameterError(f"must be I/N, such as 3/40: part 3 of 40; got {text!r}", parameter="part")
        number, of = int(match[1]), int(match[2])
        if not 1 <= number <= of:
            first = "; number the jobs of an array from 1 (--array=1-N)" if number == 0 else ""
            raise ParameterError(f"must be from 1/{of} to {of}/{of}; got {text!r}{first}", parameter="part")
        return cls(number, of)

    def __str__(self) -> str:
        return f"part {self.number} of {self.of}"

    @property
    def suffix(self) -> str:
        """The end of the name of its store; names of all parts sort by number."""
        return f".part-{self.number:0{len(str(self.of))}d}-of-{self.of}"

    def problems(self, experiment: Experiment) -> frozenset[int]:
        """The numbers of its problems. Each is decided from its own runs, so parts give the scores of the whole."""
        if isinstance(experiment, RacedExperiment):
            raise ParameterError(
                "cannot be set for a race, whose candidates are eliminated by the runs of all problems; use "
                "--executor dask to race on a cluster",
                parameter="part",
            )
        if experiment.question.sequential is not None:
            raise ParameterError(
                "cannot be set for a sequential experiment, which stops by the runs of all problems; leave sequential "
                "out, or use --executor dask",
                parameter="part",
            )
        if self.of > experiment.n_problems:
            raise ParameterError(
                f": {self.of} parts are more than the experiment has problems; with {experiment.n_problems} parts "
                f"each has {counted(1, 'problem')}",
                parameter="part",
            )
        return frozenset(experiment.order[self.number - 1 :: self.of])
