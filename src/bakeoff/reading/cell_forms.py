"""Numbers that a whole column writes in another form: 79.1 %, True, 1,234, 0.81 (0.02), **0.93**, 12 ms."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from bakeoff.dataclass import dataclass
from bakeoff.errors import ReadingError
from bakeoff.reading.number_parsing import MISSING, NUMBER, NotANumber, is_label, parsed_number, parsed_numbers
from bakeoff.reading.recognition.orientation import side_of
from bakeoff.reading.table import CellError, Labels, SourceTable, Wrapped, matching, place
from bakeoff.scores import Array
from bakeoff.words import is_one_of

MOST_COLUMNS = 500
"""Columns that are looked at; of more, all are written as plain numbers or the table is refused."""
_MARKED = re.compile(
    rf"(?:\*\*|__|<b>|[*†‡§¶]|\$?\\(?:textbf|underline|mathbf|bf|emph)\{{)*({NUMBER}(?:\s*(?:±|\\pm)\s*{NUMBER})?)"
    r"(?:\*\*|__|</b>|\}\$?|\s*[*†‡§¶↑↓]|\s*[-+=≈~](?=$))*"
)
_TEX = re.compile(r"\$\s*(.*?)\s*\$")
_PERCENT = re.compile(rf"({NUMBER})\s*\\?%")
_SPREAD = re.compile(rf"({NUMBER})\s*(?:\(\s*(?:±|\+/?-)?\s*{NUMBER}\s*\)|\\pm\s*{NUMBER})")
_SPACES = " \u00a0\u2009\u202f'’"
_GROUPED = re.compile(rf"[+-]?(?:[1-9]\d{{0,2}}(?:(?:,\d{{3}})+|(?:[{_SPACES}]\d{{3}})+)|\d{{1,3}})(?:\.\d+)?")
_UNIT = re.compile(rf"({NUMBER})\s*(ns|us|µs|μs|ms|s|sec|min|h|[kKMGT]i?B|B)")
YES = frozenset(("true", "yes", "pass", "passed", "correct", "resolved"))
NO = frozenset(("false", "no", "fail", "failed", "incorrect", "unresolved"))


@dataclass(frozen=True, slots=True)
class Form:
    """How the cells of a column are written: what one is called, and the number in it."""

    name: str
    unit: str = ""
    spread: bool = False

    def number(self, text: str) -> float:
        """The number that a cell stands for; NotANumber where it is written otherwise."""
        if text.lower() in MISSING:
            return math.nan
        if self.name == "truth values":
            if (word := text.lower()) in YES | NO:
                return float(word in YES)
            raise NotANumber(text)
        return parsed_number(self._plain(text))

    def _plain(self, text: str) -> str:
        if self.name == "marked numbers":
            bare = _TEX.fullmatch(text)
            match = _MARKED.fullmatch(bare[1] if bare else text)
            return match[1].replace("\\pm", "±") if match else text
        if self.name == "grouped digits":
            return re.sub(f"[,{_SPACES}]", "", text) if _GROUPED.fullmatch(text) else text
        match = {"percentages": _PERCENT, "means with spreads": _SPREAD}.get(self.name, _UNIT).fullmatch(
            text.strip("$ ") if self.name == "means with spreads" else text
        )
        if match is None or (self.name == "numbers with a unit" and match[2] != self.unit):
            raise NotANumber(text)
        return match[1]


def form_of(texts: Sequence[str], delimiter: str = "") -> Form | None:
    """The form of all cells that are no plain numbers; None if they are plain, names, or of several forms."""
    if parsed_numbers(texts) is not None:  # most columns of numbers
        return None
    there = [text for text in texts if text.lower() not in MISSING]
    other = next((text for text in there if is_label(text)), None)
    if other is None:
        return None
    candidates = [Form("truth values"), Form("percentages", "%"), Form("means with spreads", spread=True)]
    if unit := _UNIT.fullmatch(other):
        candidates.append(Form("numbers with a unit", unit[2]))
    if delimiter not in (";", "\t") or "," not in other:  # there it may be a decimal comma
        candidates.append(Form("grouped digits"))
    return next((form for form in (*candidates, Form("marked numbers")) if _are_all(form, there)), None)


def _are_all(form: Form, texts: Sequence[str]) -> bool:
    try:
        for text in texts:
            form.number(text)
    except NotANumber:
        return False
    return True


class WithForms(Wrapped):
    """A table of which some columns are written in a form of their own; their numbers are read from it."""

    def __init__(self, table: SourceTable, forms: Mapping[int, Form]) -> None:
        super().__init__(table)
        self._forms = forms
        self.spreads = 0
        self._read: list[Form] = []  # of the columns that were scores

    def is_text(self, column: int) -> bool:
        return column not in self._forms and self._table.is_text(column)

    def holds_names(self, column: int) -> bool:
        return column not in self._forms and self._table.holds_names(column)

    def texts(self, column: int) -> Labels:
        texts = self._table.texts(column)
        if (form := self._forms.get(column)) is None:
            return texts
        return ["" if (x := form.number(text)) != x else f"{x:.12g}" for text in _with_points(self._table, texts)]

    def take(self, labels: Sequence[int], scores: Sequence[int]) -> tuple[list[Labels], Array]:
        formed = [j for j in scores if j in self._forms]
        if not formed:
            return self._table.take(labels, scores)
        plain = [j for j in scores if j not in self._forms]
        named, numbers = self._table.take([*labels, *formed], plain)
        self._refuse_several(formed, scores)
        self._read = [self._forms[j] for j in formed]
        of = {j: numbers[:, i] for i, j in enumerate(plain)}
        of |= {j: self._numbers(j, texts) for j, texts in zip(formed, named[len(labels) :], strict=True)}
        self.spreads += getattr(self._table, "spreads", 0)
        return named[: len(labels)], np.column_stack([of[j] for j in scores])

    def _numbers(self, column: int, texts: Labels) -> Array:
        form, numbers = self._forms[column], np.empty(len(texts))
        for i, text in enumerate(_with_points(self._table, texts)):
            try:
                numbers[i] = form.number(text)
            except NotANumber:
                raise CellError(
                    f"{place(self, i, column)}: {texts[i]!r} is not written like the other cells of its column, which "
                    f"holds {form.name}"
                ) from None
        self.spreads += sum(text.lower() not in MISSING for text in texts) if form.spread else 0
        return numbers

    def _refuse_several(self, formed: Sequence[int], scores: Sequence[int]) -> None:
        """Percentages beside plain shares, truth values beside numbers: one number does not mean the other."""
        same = ("marked numbers", "grouped digits", "means with spreads")
        kinds = {j: form if (form := self._forms.get(j)) and form.name not in same else None for j in scores}
        if len(set(kinds.values())) > 1:
            counts = Counter(kinds.values())
            odd = min(kinds, key=lambda j: (counts[kinds[j]], kinds[j] is None))
            raise ReadingError(
                f"{self.origin}: column {self.names[odd]!r} holds {_called(kinds[odd])} "
                f"({self._table.texts(odd)[0]!r}), and other columns of scores do not. Leave it out with "
                f"drop={self.names[odd]!r}, or write all of them in one form"
            )

    @property
    def unit(self) -> str:
        """The unit that the cells themselves name."""
        return next((form.unit for form in self._read if form.unit), "")

    @property
    def written(self) -> str:
        """The forms of the scores; a spread beside a mean has a caution of its own."""
        forms = dict.fromkeys(_called(form) for form in self._read if not form.spread)
        of_table = filter(None, [getattr(self._table, "written", "")])
        return " and ".join([*of_table, *forms]).replace("truth values", "truth values (true is 1)")


def _called(form: Form | None) -> str:
    if form is None:
        return "plain numbers"
    return f"numbers in {form.unit}" if form.name == "numbers with a unit" else form.name


def with_forms(table: SourceTable) -> SourceTable:
    """The table, read through the forms of its cells if it has such columns."""
    if len(table.names) > MOST_COLUMNS:
        return table
    forms = {j: form for j in range(len(table.names)) if _may_hold_scores(table, j) and (form := _form(table, j))}
    words = (j for j in range(len(table.names)) if j not in forms and table.holds_names(j))
    if list(forms) == [0] and next(words, None) is None and len(table.names) > 1:  # the names of the rows
        del forms[0]
    return WithForms(table, forms) if forms else table


def _form(table: SourceTable, column: int) -> Form | None:
    return form_of(_with_points(table, table.texts(column)), getattr(table, "delimiter", ""))


def _with_points(table: SourceTable, texts: Labels) -> Labels:
    """The decimal commas of a table that has them as points."""
    comma = getattr(table, "decimal", ".") == ","
    return [text if "." in text else text.replace(",", ".") for text in texts] if comma else texts


def _may_hold_scores(table: SourceTable, column: int) -> bool:
    """Not a column that names something, nor one of words that say how a run ended."""
    name = table.names[column]
    named = any(matching([name], role) for role in ("problem", "algorithm", "run", "cluster", "metric", "status"))
    return bool(name) and not named and not is_one_of(name, "status", "endings") and side_of(name) is None
