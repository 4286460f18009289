"""One exception class per kind of user mistake, and the cautions that results carry.

A message names the parameter, the rule, what was received, and what to do next.
Everything here is a :class:`BakeoffError`; most are also a ``ValueError``, so that a script which
knows nothing of bakeoff can still catch them.
"""

import unicodedata
from collections.abc import Iterable
from itertools import accumulate
from typing import Literal, Self

from bakeoff.dataclass import dataclass

Severity = Literal["stop", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("stop", "warning", "note")


LONGEST = 1900
"""Characters of a message; what a damaged file holds may have any number."""


UNPACKED: dict[str, str] = {}
"""Folder that an archive is unpacked to -> the archive, which messages name instead."""


def _shortened(text: str) -> str:
    """Without its middle, where a name or a value in it is very long; files of archives as their users know them."""
    for folder, archive in UNPACKED.items():
        text = text.replace(folder, archive)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 500]} … {text[-400:]}"


class BakeoffError(Exception):
    """Whatever bakeoff refuses on purpose.

    ``parameter`` is the name of the argument at fault, where there is one; ``rule`` is what is said of it. The message
    is both, so that a command line can name its option instead: ``--alpha`` for ``alpha``. ``place`` is the file,
    or the entry in it, that sets the argument.
    """

    def __init__(self, rule: str = "", *, parameter: str | None = None, place: str = "") -> None:
        rule, place = _shortened(rule), _shortened(place)
        message = f"{parameter}{'' if rule[:1] in ':(' else ' '}{rule}" if parameter else rule
        super().__init__(f"{place}: {message}" if place else message)
        self.parameter = parameter
        self.rule = rule
        self.place = place

    def at(self, place: str) -> Self:
        """The same error, with its place."""
        where = f"{place}: {self.place}" if self.place else place
        return type(self)(self.rule, parameter=self.parameter, place=where)


class ScoreError(BakeoffError, ValueError):
    """The table of scores cannot be used: its shape, its labels, or a cell."""


class MissingScoreError(ScoreError):
    """A cell is NaN or absent, and no policy for that was chosen."""


class InfiniteScoreError(ScoreError):
    """A method that takes differences met an infinite score."""


class ReadingError(ScoreError):
    """A file or data frame cannot be read as scores; the message gives line and column."""


class ParameterError(BakeoffError, ValueError):
    """A parameter outside its rule."""


class UnknownNameError(ParameterError):
    """A name (algorithm, problem, data set, method) that does not exist here."""


class WrongTypeError(BakeoffError, TypeError):
    """An object of the wrong kind, for example a bare array where Scores are needed."""


class NotANumberError(ParameterError, WrongTypeError):
    """A parameter that must be a number is something else."""


class OverflowingScoreError(InfiniteScoreError, ParameterError):
    """Scores so large that their difference is beyond the largest floating-point number."""


class TooLargeError(BakeoffError, ValueError):
    """An exact computation that would not end in reasonable time; the message states the limit."""


class StoreError(BakeoffError):
    """A store of runs that cannot be opened, does not belong to this experiment, or cannot be written."""


class ReportError(BakeoffError, ValueError):
    """A report that cannot be read, or holds too little to be computed again."""


class RunFailedError(BakeoffError):
    """A run failed, and the experiment's policy is to stop then."""


class MissingPackageError(BakeoffError, ImportError):
    """An optional package is needed for this; the message says which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caution:
    """Something a reader of the result must know before quoting it.

    ``code`` is a fact, stable and made for scripts (``too-few``), and ``object`` what the fact is about
    (``problems``); it is empty where the code says it. ``name`` has both. ``text`` is a sentence, ``reference`` says
    who warns. ``severity`` is "stop", "warning" or "note". "stop": the input is in doubt or nothing can be concluded
    from it; reports print it before the verdict. "warning": less may be claimed than the numbers suggest. "note": what
    was left out, or how it was computed.
    """

    code: str
    text: str
    reference: str = ""
    severity: Severity = "warning"
    object: str = ""

    @property
    def name(self) -> str:
        return caution_name(self.code, self.object)


def caution_name(code: str, about: str) -> str:
    """``too-few (problems)``, as reports print it."""
    return f"{code} ({about})" if about else code


def by_severity(cautions: Iterable[Caution]) -> list[Caution]:
    """The gravest first; equally grave ones stay in their order."""
    return sorted(cautions, key=lambda caution: SEVERITIES.index(caution.severity))


def listing(items: Iterable[object], limit: int = 5, separator: str = ", ") -> str:
    """The first ``limit`` items and how many there are: ``a, b, c, d, e and 7 more (12 in all)``."""
    names = [str(item) for item in items]
    shown = separator.join(names[:limit])
    more = len(names) - limit
    return f"{shown} and {more} more ({len(names)} in all)" if more > 0 else shown


def fitting(items: Iterable[object], room: int = 120) -> str:
    """As many items as fit in ``room`` characters, three at least, and how many there are."""
    names = [str(item) for item in items]
    ends = [end for end in accumulate(len(name) + 2 for name in names) if end <= room]
    return listing(names, max(3, len(ends)))


def first_line(error: Exception) -> str:
    """The first line of what another library says, which may be many lines, or none."""
    return next(iter(str(error).splitlines()), type(error).__name__)


def counted(number: int, noun: str, plural: str = "") -> str:
    """``1 problem``, ``25 problems``."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def plain(text: str) -> str:
    """A name on one line: line ends and tabs become spaces, control and direction characters ``�``.

    Names come from the user's file; unfiltered they could move the cursor of a terminal or reorder a line.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_printable, text))


def _printable(character: str) -> str:
    if character in "\t\n\v\f\r\x85\u2028\u2029":
        return " "
    category = unicodedata.category(character)
    joiner = character in "\u200c\u200d"  # part of words and emoji
    return "\ufffd" if category in ("Cc", "Cs", "Cf") and not joiner else character
