"""The kinds of results that can be reported: for each, the module that describes it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.report.document import Document, Sheets
from bakeoff.reportable import functions_of


class Describing(Protocol):
    """What a module says of one kind of result."""

    def verdict(self, result: Any, /) -> str:
        """The sentence to remember."""

    def document(self, result: Any, /, command: str | None = None) -> Document:
        """The report without a format; ``command`` is the command line that asked for it, if one did."""

    def to_dict(self, result: Any, /, command: str | None = None) -> dict[str, Any]:
        """The content of ``--json``."""

    def sheets(self, result: Any, /) -> Sheets:
        """The result as columns."""


def _itself(result: Any) -> Any:
    return result


@dataclass(frozen=True, slots=True)
class Kind:
    """``module`` loads what describes it; ``drawn`` is what a picture of the result shows."""

    module: Callable[[], Describing]
    drawn: Callable[[Any], Any] = _itself
    tex_is_picture: bool = False  # a file .tex is the picture alone
    ascii_json: bool = False  # characters beyond ASCII are escaped: the contract of these schemas


def _comparison() -> Describing:
    from bakeoff.report.comparison import document

    return document


def _bayes() -> Describing:
    from bakeoff.report.bayes import document

    return document


def _plackett_luce() -> Describing:
    from bakeoff.report.plackett_luce import document

    return document


def _scores() -> Describing:
    from bakeoff.report.scores import document

    return document


def _per_problem() -> Describing:
    from bakeoff.report.per_problem import document

    return document


def _history() -> Describing:
    from bakeoff.report.history import document

    return document


def _timing() -> Describing:
    from bakeoff.report.timing import document

    return document


def _iqm() -> Describing:
    from bakeoff.report.interquartile import document

    return document


def _ratings() -> Describing:
    from bakeoff.report.ratings import document

    return document


def _check() -> Describing:
    from bakeoff.report.gate import document

    return document


def _sensitivity() -> Describing:
    from bakeoff.report.sensitivity import document

    return document


def _examined() -> Describing:
    from bakeoff.report.sensitivity import with_comparison

    return with_comparison


def _profile() -> Describing:
    from bakeoff.report.profile import document

    return document


def _evaluation() -> Describing:
    from bakeoff.report.evaluation import document

    return document


def _runtimes() -> Describing:
    from bakeoff.report.runtimes import document

    return document


def _leaderboard() -> Describing:
    from bakeoff.report.leaderboard import document

    return document


def _ranked() -> Describing:
    from bakeoff.report.leaderboard import with_comparison

    return with_comparison


def _tradeoff() -> Describing:
    from bakeoff.report.tradeoff import document

    return document


def _curves() -> Describing:
    from bakeoff.report.curves import document

    return document


def _experiment() -> Describing:
    from bakeoff.report.experiment import document

    return document


def _run() -> Describing:
    from bakeoff.report.experiment import run_page

    return run_page


def _race() -> Describing:
    from bakeoff.report.race import document

    return document


def _plan() -> Describing:
    from bakeoff.report.plan import document

    return document


def _study() -> Describing:
    from bakeoff.report.study import document

    return document


def _power() -> Describing:
    from bakeoff.report.study import power

    return power


def _known_truth() -> Describing:
    from bakeoff.report.study import known_truth

    return known_truth


def _curve_of(result: Any) -> Any:
    """Of a plan, its last power curve."""
    from bakeoff.report.plan.answers import answers_of

    curves = [part.curve for part in answers_of(result).parts if part.curve is not None]
    if not curves:
        raise ParameterError("there is no power curve to draw for this question; write .md, .html or .json")
    return curves[-1]


def _compared(result: Any) -> Any:
    return result.comparison


def _no_picture(what: str, formats: str) -> Callable[[Any], Any]:
    """Of a result that is a table and nothing else."""

    def refuse(result: Any) -> Any:
        raise ParameterError(f"there is no picture of {what}; write {formats}")

    return refuse


KINDS: dict[str, Kind] = {
    "comparison": Kind(_comparison),
    "bayes": Kind(_bayes),
    "plackett-luce": Kind(_plackett_luce),
    "scores": Kind(_scores, drawn=_no_picture("a table of scores", ".tex, .md, .html, .xlsx or .csv")),
    "per-problem": Kind(_per_problem),
    "iqm": Kind(_iqm),
    "ratings": Kind(_ratings),
    "check": Kind(_check),
    "sensitivity": Kind(_sensitivity),
    "timing": Kind(_timing),
    "history": Kind(_history),
    "examined": Kind(_examined, drawn=_compared),
    "evaluation": Kind(_evaluation),
    "profile": Kind(_profile),
    "runtimes": Kind(_runtimes),
    "leaderboard": Kind(_leaderboard),
    "tradeoff": Kind(_tradeoff),
    "ranked": Kind(_ranked, drawn=_compared),
    "curves": Kind(_curves),
    "experiment": Kind(_experiment),
    "run": Kind(_run, ascii_json=True),
    "race": Kind(_race),
    "plan": Kind(_plan, drawn=_curve_of, tex_is_picture=True, ascii_json=True),
    "study": Kind(_study, drawn=_no_picture("a study", ".md, .html or .csv"), ascii_json=True),
    "power": Kind(_power),
    "known-truth": Kind(_known_truth),
}


def kind_of(result: object) -> Kind:
    """How ``result`` is reported: by its ``kind``."""
    kind = KINDS.get(getattr(result, "kind", ""))
    if kind is None:
        raise WrongTypeError(
            f"there is no report of a {type(result).__name__}; give the result of {functions_of(KINDS)}"
        )
    return kind
