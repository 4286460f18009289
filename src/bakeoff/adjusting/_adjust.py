"""adjust(): a list of p-values, for example every algorithm against one control."""

from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.adjusting.arithmetic import LOGS, ORDINARY, apply
from bakeoff.adjusting.methods import CONTROL_METHODS
from bakeoff.checks import choice
from bakeoff.errors import ParameterError
from bakeoff.scores import Array


def adjust(pvalues: npt.ArrayLike, method: str, *, log: bool = False) -> Array:
    """Adjust p-values of one family of hypotheses for their number.

    Use it for several comparisons with one control, or any other list: rejecting adjusted p ≤ alpha keeps the chance of
    any false rejection (``fdr-*``: the expected share of false ones) below alpha. Not for all pairs of algorithms:
    :func:`adjust_pairwise` rejects more, as not every set of them can be true together.

    Parameters
    ----------
    pvalues : array_like, shape (m,)
        Raw p-values, in any order.
    method : str
        * ``bonferroni``, ``holm``: valid under any dependence. Holm is never worse.
        * ``sidak``, ``holland``: independent or positively dependent tests. Holland is never worse.
        * ``hochberg``, ``hommel``: positive dependence. Hommel is never worse.
        * ``rom``: exact under independence, just above Hochberg. ``rom-printed``: the papers' liberal columns.
        * ``finner``, ``li``: as in the papers; valid only while *all* hypotheses are true.
        * ``fdr-bh``, ``fdr-by``: false discovery rate (Benjamini–Hochberg, Benjamini–Yekutieli).
    log : bool
        ``pvalues`` are natural logarithms of p-values, and so is what is returned: exact far below 1e-308.

    Returns
    -------
    ndarray, shape (m,)
        Adjusted p-values in the order given: in [0, 1], never below the raw ones, and in the same order as they;
        equal p-values get equal adjusted ones, whatever their position.

    Raises
    ------
    ParameterError
        An unknown method; p-values that are not a list of numbers in [0, 1] (NaN included).
    TooLargeError
        ``rom`` or ``rom-printed`` with more than 1000 p-values.

    Notes
    -----
    Derrac et al. (2011), Table 3 and section 4.3; Wright (1992). Holm, for example: max over j ≤ i of
    (m − j + 1)·p_(j), with p_(1) ≤ … ≤ p_(m). An empty list gives an empty array. The others in docs/methods.

    Examples
    --------
    >>> import bakeoff as bo
    >>> p = [0.005294, 0.313946, 0.009823]  # Derrac et al. (2011), table 20
    >>> bo.adjust(p, "holm").round(6)
    array([0.015882, 0.313946, 0.019646])
    """
    choice("method", method, CONTROL_METHODS)
    raw = as_numbers("pvalues", pvalues)
    if raw.ndim != 1:
        raise ParameterError(f"must be a list (one dimension); got an array of shape {raw.shape}", parameter="pvalues")
    bad = np.flatnonzero(outside(raw, log))
    if bad.size:
        raise ParameterError(
            f"must be {correction_rule(log)}; number {bad[0] + 1} is {raw[bad[0]]} ({bad.size} such values)",
            parameter="pvalues",
        )
    return apply(CONTROL_METHODS[method].function, raw + 0.0, LOGS if log else ORDINARY)


def as_numbers(parameter: str, values: npt.ArrayLike) -> Array:
    """A fresh float array; masked cells become NaN; text and complex numbers are refused."""
    if type(values) is np.ndarray and values.dtype == np.float64:
        return values.copy()
    try:
        array: Any = np.ma.asarray(values)
        objects = array.flat if array.dtype.kind == "O" else ()
        if array.dtype.kind not in "iufO" or any(isinstance(x, str | complex) for x in objects):
            raise TypeError(f"got {array.dtype.name} values such as {array.flat[0]!r}")
        return np.array(np.ma.filled(array.astype(np.float64), np.nan), dtype=np.float64, subok=False)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"must be numbers: {error}", parameter=parameter) from None


def outside(raw: Array, log: bool) -> npt.NDArray[np.bool_]:
    """Where a value is no p-value (or no logarithm of one); NaN is none."""
    return ~(raw <= 0.0) if log else ~((raw >= 0.0) & (raw <= 1.0))


def correction_rule(log: bool) -> str:
    """The rule for p-values, in a sentence."""
    return "natural logarithms of p-values, at most 0," if log else "numbers between 0 and 1"
