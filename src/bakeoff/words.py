"""What columns are called: the words of ``reading/words.toml``, for every room; and the direction that a name says."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal


@cache
def read_words(name: str = "words.toml") -> Mapping[str, Any]:
    """A file of words, by its name."""
    return tomllib.loads((Path(__file__).parent / "reading" / name).read_text(encoding="utf-8"))


@cache
def word_set(section: str, key: str) -> frozenset[str]:
    """The names that a line of the file lists."""
    listed = read_words()[section][key]
    return frozenset((listed if isinstance(listed, str) else " ".join(listed)).split())


@cache
def tiers(role: str) -> tuple[frozenset[str], ...]:
    """The names of a role in order of precedence; an earlier line wins."""
    return tuple(frozenset(line.split()) for line in read_words()["role"][role])


@cache
def roles() -> tuple[str, ...]:
    """The roles that columns of a long table have."""
    return tuple(read_words()["role"])


@cache
def pattern(section: str, key: str = "pattern") -> re.Pattern[str]:
    """The regular expression of a section, for a whole name; the file breaks it into lines."""
    return re.compile(re.sub(r"\n", "", read_words()[section][key]))


_BEFORE = re.compile(
    r"(?<![^\0])(?:(?:config|cfg|params?|hparams?|settings?|args)[./:]|key[_ ]|\.+)(?=[^\0])", re.IGNORECASE
)
"""What trackers and tools put before a name: ``config/model``, ``Key_Dataset``, ``.metric``; names stand alone, or
between NULs."""


def bare(name: str) -> str:
    """A name, or several between NULs, without what a tool puts before it."""
    return _BEFORE.sub("", name)


@lru_cache(maxsize=1 << 14)
def plain_name(name: str) -> str:
    """In lower case, without spaces and punctuation, nor what a tool puts before it."""
    return re.sub(r"[\W_]+", "", bare(name.strip()).lower())


def is_called(name: str, section: str, key: str = "pattern") -> bool:
    """Does a pattern of the file describe the name of a column?"""
    return pattern(section, key).fullmatch(plain_name(name)) is not None


def is_one_of(name: str, section: str, key: str = "names") -> bool:
    """Does the file list the name of a column?"""
    return plain_name(name) in word_set(section, key)


def positions_in_time(header: str, names: Sequence[str]) -> tuple[float, ...] | None:
    """The place in time of each row, where the name of their column or their own names tell of time; else None.

    Dates that begin with the year and numbers say it themselves; other names stand in their order.
    """
    label = pattern("order", "labels")
    if not (is_one_of(header, "order") or all(label.fullmatch(name.strip().lower()) for name in names)):
        return None
    if all(name[:4].isdecimal() and name[4:5] in ("-", "/", ".") for name in names):
        ranks = {name: float(i) for i, name in enumerate(sorted(names))}
        return tuple(ranks[name] for name in names)
    if all(name.isdecimal() for name in names):
        return tuple(map(float, names))
    return tuple(map(float, range(len(names))))


def is_counter(name: str) -> bool:
    """``#``, ``No.``, ``rank``: the name of a first column that counts the rows, where another one names them?"""
    return not plain_name(name) or is_one_of(name, "counter", "first")


@lru_cache(maxsize=1 << 12)
def is_fold(name: str) -> bool:
    """Is a column of this name one of folds: fold, cv_fold, Key_Fold, id2, split? Iterations may be anything."""
    plain = re.sub(r"(?i)[\s_.-]*id$", "", name)
    last = re.split(r"[\s_.]", plain)[-1]
    return any(is_one_of(each, "fold", "certain") for each in (name, plain, last))


@lru_cache(maxsize=1 << 12)
def is_run(name: str) -> bool:
    """Is a column of this name one of runs: seed, fold, episode, ``run_id``?"""
    plain = re.sub(r"(?i)[\s_-]*id$", "", name)
    return is_one_of(plain, "run") or is_one_of(plain, "fold") or plain_name(plain) in frozenset().union(*tiers("run"))


@lru_cache(maxsize=1 << 12)
def named_direction(name: str | None) -> Literal["lower", "higher"] | None:
    """The direction that a metric's name says; None where it says none, or might mean another thing.

    >>> [named_direction(name) for name in ("accuracy", "f1_macro", "Wall time [s]", "time_limit", "neg_mse")]
    ['higher', 'higher', 'lower', None, None]
    """
    if arrow := next((sign for sign in "↑↓" if sign in (name or "")), None):
        return "higher" if arrow == "↑" else "lower"
    parts = _parts(name or "")
    if not parts or not word_set("direction", "otherwise").isdisjoint(parts):
        return None
    around, higher, lower = (word_set("direction", key) for key in ("around", "higher", "lower"))
    while len(parts) > 1 and (parts[-1] in around or parts[-1].lstrip("p").isdigit()):
        parts.pop()
    for last in ("".join(parts[-2:]), parts[-1]):
        if last in higher or last in lower:
            return "higher" if last in higher else "lower"
    return None


def is_signed(name: str) -> bool:
    """Is a metric of this name a deviation, whose size counts: bias, residual, pred - ref?"""
    parts = [word for word in _parts(name) if word not in word_set("direction", "around")]
    return "signed" in parts or not word_set("direction", "signed").isdisjoint(parts[-1:]) or " - " in name


def named_after(name: str) -> list[str]:
    """What is left of a metric's name without the metric, and what tells of which scores it is.

    >>> named_after("val_accuracy"), named_after("ImageNet test acc")
    ([], ['image', 'net'])
    """
    known = word_set("direction", "around") | word_set("direction", "higher") | word_set("direction", "lower")
    return [word for word in _parts(name) if word not in known]


def _parts(name: str) -> list[str]:
    """``TestAccuracy``, ``test-accuracy``, ``test accuracy (%)``: test, accuracy; ``f1`` and ``r2`` stay whole."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", " ", name)
    return re.findall(r"[^\W_]+", parted.lower())
