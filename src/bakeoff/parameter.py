"""One source for a parameter of an analysis: the command's option, the entry of ``request``, its schema, completion.

The function's signature and docstring are written by hand and held against it by a test.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bakeoff.checks import N_RESAMPLES
from bakeoff.dataclass import KW_ONLY, dataclass, field
from bakeoff.places import load


@dataclass(frozen=True, slots=True)
class Parameter:
    """An argument of an analysis.

    Attributes
    ----------
    name : str
        In the library, and in ``request``.
    help : str
        What it is, in one sentence or two; of choices, what is chosen.
    type : type
        Of one value: str, int, float or bool; ``object`` for what ``checked_by`` checks.
    default : object
        As in the signature.
    choices : dict of str to str
        The names it takes, the default first, with what each means; "" where the name says it. Of procedures, whose
        records load NumPy, the names are repeated for shells that complete them.
    registered : str
        Of procedures, the place of a function that gives the whole text from their records.
    usual : str
        What None stands for, in words.
    label : str
        What the form of the local page calls it, if not by its name.
    option : str
        The command's option, if it is not --name.
    negative : str
        The option that says no to a bool, whose option is otherwise unset.
    metavar : str
        What help calls the value.
    text_too : bool
        A number, or text such as "5%"; of choices, a list of names that are none of them.
    several : bool
        May be a list.
    repeatable : bool
        The option may be given several times.
    checked_by : str
        Of ``type=object``: the function that checks a value in a report, and says what is wrong with it.
    on_command : bool
        Whether the command has an option for it.
    detail : bool
        Few change it: the command's -h names its option, and --help-all explains it.
    """

    name: str
    help: str
    type: type = str
    _: KW_ONLY
    default: object = None
    choices: Mapping[str, str] = field(default_factory=dict)
    registered: str = ""
    usual: str = ""
    label: str = ""
    option: str = ""
    negative: str = ""
    metavar: str = ""
    text_too: bool = False
    several: bool = False
    repeatable: bool = False
    checked_by: str = ""
    on_command: bool = True
    detail: bool = False

    @property
    def flag(self) -> str:
        """The option as it is typed."""
        return self.option or f"--{self.name.replace('_', '-')}"

    @property
    def text(self) -> str:
        """Its description, its choices, and its default: for help, schemas and the reference page."""
        if self.registered:
            return str(load(self.registered)())
        if self.choices:
            listed = ", ".join(self._with_words(name, words) for name, words in self.choices.items())
            usual = f" Default: {self.usual}." if self.usual and self.usual not in self.choices else ""
            return f"{self.help}: {listed}.{usual}"
        ending = "" if self.help.endswith((".", "?")) else "."
        usual = self.usual or self._default_in_words
        return f"{self.help}{ending} Default: {usual}." if usual else f"{self.help}{ending}"

    def _with_words(self, name: str, words: str) -> str:
        is_default = name == self.default if not self.usual else name == self.usual
        meaning = "; ".join(part for part in ("default" if is_default else "", words) if part)
        return f"{name} ({meaning})" if meaning else name

    @property
    def _default_in_words(self) -> str:
        if self.default is None or isinstance(self.default, bool):
            return ""
        if isinstance(self.default, tuple):
            *others, last = (f"{value:g}" for value in self.default)
            return f"{', '.join(others)} and {last}"
        return f"{self.default:g}" if isinstance(self.default, float) else str(self.default)


def one_of(name: str, help: str, choices: Mapping[str, str], **more: Any) -> Parameter:
    """One of these names, the first where none is given."""
    return Parameter(name, help, default=next(iter(choices)), choices=choices, **more)


CONTROL = Parameter("control", "Compare only with this one", usual="all pairs", metavar="NAME")
UNIT = Parameter(
    "unit",
    "Independent units",
    choices={"cluster": "if problems have clusters", "problem": "each by itself"},
    usual="cluster",
)
OVER = one_of(
    "over",
    "What else could have come out",
    {"problems": "", "runs": "of these problems", "both": "runs of other problems"},
)


def alpha(help: str, default: float = 0.05) -> Parameter:
    """An error rate, or a level."""
    return Parameter("alpha", help, float, default=default, metavar="A")


def seed(help: str) -> Parameter:
    """The seed of what is drawn at random; 0 where none is given."""
    return Parameter("rng", help, int, option="--seed", usual="0", metavar="N")


def n_resamples(help: str, default: int = N_RESAMPLES) -> Parameter:
    """A number of sign flips, permutations or bootstrap samples: of what else could have come out."""
    return Parameter("n_resamples", help, int, default=default, option="--resamples", metavar="N")


def n_draws(help: str, default: int) -> Parameter:
    """A number of draws from a posterior distribution."""
    return Parameter("n_draws", help, int, default=default, option="--draws", metavar="N")
