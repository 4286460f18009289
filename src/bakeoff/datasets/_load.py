"""load(), names(), source(): the tables in this folder."""

from bakeoff.reading import read_scores
from bakeoff.scores import Scores
from bakeoff.shipped import table_named, tables


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
    table = table_named(name)
    return read_scores(table.path, table.better)


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
    return tuple(tables())


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
    return table_named(name).source
