"""Where cautions go in answers that have no place for them: floats, tuples and data frames of other tools."""

import sys
import warnings
from collections.abc import Iterable
from typing import Any

from bakeoff.errors import Caution
from bakeoff.packages import optional
from bakeoff.scores import Array

PANDAS = "bakeoff.migrate takes and returns pandas data frames, as the other tools do: pip install pandas"


class MigrationWarning(UserWarning):
    """The number is not the other tool's, or may not be quoted as it is; ``.caution`` has code, text and reference."""

    def __init__(self, caution: Caution) -> None:
        reference = f" ({caution.reference})" if caution.reference else ""
        super().__init__(f"[{caution.code}] {caution.text}{reference}")
        self.caution = caution


def warn(cautions: Iterable[Caution]) -> None:
    """Tell the caller's line every caution; notes are left to the answer and the documentation."""
    level = _levels_up()
    for caution in cautions:
        if caution.severity != "note":
            warnings.warn(MigrationWarning(caution), stacklevel=level)


def _levels_up() -> int:
    """How far above ``warn`` the code begins that is none of this package."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("bakeoff."):
        frame, level = frame.f_back, level + 1
    return level


def square_frame(values: Array, labels: list[Any], cautions: Iterable[Caution]) -> Any:
    """(k, k) as a data frame, with its cautions in ``.attrs["cautions"]``; they are warned of, too."""
    frame = optional("pandas", PANDAS).DataFrame(values, index=labels, columns=labels)
    return with_cautions(frame, cautions)


def with_cautions(frame: Any, cautions: Iterable[Caution]) -> Any:
    """A data frame or series with what must be known of it, as plain values: files of frames keep them as JSON."""
    listed = tuple(cautions)
    frame.attrs["cautions"] = [{"code": c.code, "text": c.text, "reference": c.reference} for c in listed]
    warn(listed)
    return frame
