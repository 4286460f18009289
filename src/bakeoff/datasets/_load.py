"""load(), names(), source(): the tables in this folder."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from bakeoff.checks import did_you_mean
from bakeoff.errors import UnknownNameError
from bakeoff.reading import read_scores
from bakeoff.scores import Scores

_FOLDER = files(__package__)


@cache
def _tables() -> dict[str, dict[str, Any]]:
    """``better`` and ``source`` of every table, by name."""
    return tomllib.loads(_FOLDER.joinpath("tables.toml").read_text(encoding="utf-8"))


def load(name: str) -> Scores:
    """One of the tables that come with bakeoff.

    Use it to try things out and to check a procedure against the papers; it is not a benchmark to report on.

    Parameters
    ----------
    name : str
        One of ``bo.datasets.names()``.

    Returns
    -------
    Scores

    Raises
    ------
    UnknownNameError
        No table has this name; the message lists them.

    Examples
    --------
    >>> import bakeoff as bo
    >>> s = bo.datasets.load("derrac_cec2005")
    >>> s
    Scores(25 problems × 9 algorithms, better='lower')
    >>> pso, sade = s.values[:, s.index("PSO")], s.values[:, s.index("SaDE")]
    >>> int((sade < pso).sum())  # Derrac et al. (2011), Table 5: wins of SaDE over PSO
    20
    """
    better = _table(name)["better"]
    with _FOLDER.joinpath(f"{name}.csv").open("rb") as file:
        return read_scores(file, better)


def names() -> tuple[str, ...]:
    """The names that ``load`` knows.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> import bakeoff as bo
    >>> bo.datasets.names()
    ('derrac_cec2005', 'demsar_2006', 'garcia_2010')
    """
    return tuple(_tables())


def source(name: str) -> str:
    """Paper and table that a data set comes from.

    Parameters
    ----------
    name : str
        One of ``bo.datasets.names()``.

    Returns
    -------
    str

    Raises
    ------
    UnknownNameError
        No table has this name; the message lists them.

    Examples
    --------
    >>> import bakeoff as bo
    >>> bo.datasets.source("demsar_2006")[-8:]
    'Table 6.'
    """
    return str(_table(name)["source"])


def _table(name: str) -> dict[str, Any]:
    if isinstance(name, str) and name in _tables():
        return _tables()[name]
    raise UnknownNameError(
        f": there is no data set {name!r}{did_you_mean(name, names())}; there are {', '.join(names())}",
        parameter="name",
    )
