"""load(), names(), source(): the tables in this folder."""

from dataclasses import dataclass
from importlib.resources import files

from bakeoff.checks import did_you_mean
from bakeoff.errors import UnknownNameError
from bakeoff.reading import read_scores
from bakeoff.scores import Better, Scores


@dataclass(frozen=True, slots=True, kw_only=True)
class Shipped:
    """A table in this folder, its direction, and whom to cite."""

    file: str
    better: Better
    source: str


_SHIPPED = {
    "derrac_cec2005": Shipped(
        file="derrac_cec2005.csv",
        better="lower",
        source=(
            "Derrac, J., García, S., Molina, D., & Herrera, F. (2011). A practical tutorial on the use of "
            "nonparametric statistical tests as a methodology for comparing evolutionary and swarm intelligence "
            "algorithms. Swarm and Evolutionary Computation, 1(1), 3–18. Table 1 (seven lost exponents restored)."
        ),
    ),
    "demsar_2006": Shipped(
        file="demsar_2006.csv",
        better="higher",
        source=(
            "Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. "
            "Journal of Machine Learning Research, 7, 1–30. Table 6."
        ),
    ),
    "garcia_2010": Shipped(
        file="garcia_2010.csv",
        better="higher",
        source=(
            "García, S., Fernández, A., Luengo, J., & Herrera, F. (2010). Advanced nonparametric tests for multiple "
            "comparisons in the design of experiments in computational intelligence and data mining: Experimental "
            "analysis of power. Information Sciences, 180(10), 2044–2064. Table 3."
        ),
    ),
}


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
    shipped = _shipped(name)
    with files(__package__).joinpath(shipped.file).open("rb") as file:
        return read_scores(file, shipped.better)


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
    return tuple(_SHIPPED)


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
    return _shipped(name).source


def _shipped(name: str) -> Shipped:
    shipped = _SHIPPED.get(name) if isinstance(name, str) else None
    if shipped is None:
        raise UnknownNameError(
            f"name: there is no data set {name!r}{did_you_mean(name, names())}; there are {', '.join(names())}"
        )
    return shipped
