"""Which function draws which result, as the records of the analyses say.

What a record names is imported when it is needed: drawing a comparison does not load the Bayesian procedures.
"""

from collections.abc import Callable, Iterator
from typing import Any

from bakeoff.analyses import by_kind, functions_of
from bakeoff.checks import choice, number
from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.figures.geometry.primitives import Drawing, Width
from bakeoff.places import load

_NARROWEST_MM, _WIDEST_MM = 60.0, 2000.0

Drawer = Callable[[Any, Width], Drawing]
Drawers = dict[type, Drawer]


def draw(result: object, width_mm: Width, kind: str | None = None) -> Drawing:
    """The diagram of ``result``, whatever it is the result of."""
    if width_mm is not None:
        limits = f"from {_NARROWEST_MM:g} to {_WIDEST_MM:g} millimetres (a journal's column is about 80, a page 180)"
        width_mm = number("width_mm", width_mm, least=_NARROWEST_MM, most=_WIDEST_MM, what=f"a number {limits}")
    for table in _tables(result):
        for ancestor in type(result).__mro__:
            if ancestor in table:
                return _drawer(result, kind, table[ancestor])(result, width_mm)
    raise WrongTypeError(
        f"must come from {functions_of(drawn_kinds())}, or be a part of bo.bayes.overview; "
        f"got {type(result).__name__}. Call bo.compare(scores) first.",
        parameter="result",
    )


def _drawer(result: object, kind: str | None, usual: Drawer) -> Drawer:
    """The drawer of this kind of diagram; ``usual`` if none was chosen."""
    if kind is None:
        return usual
    record = by_kind().get(getattr(type(result), "kind", ""))
    others: dict[str, Drawer] = load(record.diagrams)(result) if record is not None and record.diagrams else {}
    if not others:
        raise ParameterError(
            f"must be left out: a {type(result).__name__} has one diagram; got {kind!r}", parameter="kind"
        )
    return others[choice("kind", kind, others)]


def drawn_kinds() -> tuple[str, ...]:
    """The kinds of results that have a diagram."""
    return tuple(kind for kind, record in by_kind().items() if record.drawn_by)


def drawers(kind: str) -> Drawers:
    """By type of result, or of a part of one."""
    return {load(drawn): load(drawer) for drawn, drawer in by_kind()[kind].drawn_by.items()}


def _tables(result: object) -> Iterator[Drawers]:
    """The drawers of the result's own kind; for a part of a result, which has no kind, those of all kinds."""
    kind, kinds = getattr(type(result), "kind", None), drawn_kinds()
    for name in [kind] if kind in kinds else kinds:
        yield drawers(name)
