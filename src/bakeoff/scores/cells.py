"""From the user's data to a checked array of floats: numbers only, labels unique and distinct, nothing dropped."""

import hashlib
import math
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from bakeoff.checks import did_you_mean
from bakeoff.errors import MissingScoreError, ParameterError, ScoreError, UnknownNameError, WrongTypeError, listing

# Names that look the same, though a computer takes them for two.

_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Default_Ignorable_Code_Point of Unicode: soft hyphens, joiners, directions, selectors of variants."""
_DRAWN = (
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0405\u0406\u0408"  # of Cyrillic
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf"  # of Greek
    "\u00b5\u2010\u2011\u2012\u2013\u2212\u2018\u2019"
)
_AS = str.maketrans(_DRAWN, "ABEKMHOPCTYXSIJaeopcyxsijABEZHIKMNOPTYXo\u03bc-----''")
"""Letters that are drawn as those of Latin are, and signs that programs put in place of others."""
_ODD = re.compile(rf"[{_INVISIBLE}{_DRAWN}\ud800-\udfff]|[^\S\0-\x7f]")


def refuse_lookalikes(parameter: str, names: Iterable[str]) -> None:
    """Refuse two names of which nobody could say which is meant, and a name that no file can hold.

    >>> refuse_lookalikes("algorithms", ["A", "a", "B"])
    >>> refuse_lookalikes("algorithms", ["A", "A\\u200b"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    bakeoff.errors.ScoreError: algorithms must have names that look different; 'A' and 'A\\u200b' ...
    """
    names = tuple(names)
    together = "\0".join(names)
    if together.isascii() or (unicodedata.is_normalized("NFC", together) and not _ODD.search(together)):
        return
    first: dict[str, str] = {}
    for name in names:
        other = first.setdefault(name if name.isascii() else _as_seen(parameter, name), name)
        if other != name:
            rule = f"must have names that look different; {other!a} and {name!a} look the same: rename one of them"
            raise ScoreError(rule, parameter=parameter)


def _as_seen(parameter: str, name: str) -> str:
    if re.search("[\ud800-\udfff]", name):
        rule = f": the name {name!a} cannot be written in UTF-8, as it has half of a character; rename it"
        raise ScoreError(rule, parameter=parameter)
    return " ".join(unicodedata.normalize("NFC", re.sub(f"[{_INVISIBLE}]", "", name).translate(_AS)).split())


# From the user's data to a checked array of floats: numbers only, labels unique, nothing missing.

Array = npt.NDArray[np.float64]
_AT_ONCE = 1 << 16  # scores whose sums are formed together, within the processor's cache
_FEW = 64


def is_masked(array: Any) -> bool:
    """Whether it is an array of ``numpy.ma``, which only a program that has loaded that module can have."""
    return "numpy.ma" in sys.modules and isinstance(array, np.ma.MaskedArray)


def as_floats(values: npt.ArrayLike) -> Array:
    """A fresh C-ordered float64 copy; text, booleans, complex and lossy integers are refused."""
    try:
        raw = np.asanyarray(values)
    except ValueError as error:
        raise ScoreError(f"must be a rectangular table of numbers: {error}", parameter="values") from None
    hidden = np.ma.getmaskarray(raw) if is_masked(raw) else None
    raw = np.asarray(raw)
    if raw.dtype.kind == "O":
        raw = _from_objects(raw, hidden)
    if raw.dtype.kind not in "iuf":
        raise ScoreError(
            f"must be numbers; got an array of dtype {raw.dtype}. "
            "A table with text in it (problem names, units) is read by bo.read_scores.",
            parameter="values",
        )
    shown = raw if hidden is None else raw[~hidden]
    if raw.dtype.kind in "iu" and shown.size and max(abs(int(shown.max())), abs(int(shown.min()))) > 2**53:
        raise ScoreError(
            ": integers beyond 2**53 cannot be told apart as floating point; subtract a constant or rescale",
            parameter="values",
        )
    if raw.dtype.kind == "f" and raw.dtype.itemsize < 8:
        raw = _shortest_decimals(raw)
    with np.errstate(over="ignore"):
        array = np.array(raw, dtype=np.float64, order="C", copy=True) + 0.0
    if raw.dtype.itemsize > 8 and (np.isinf(array) & ~np.isinf(raw)).any():
        raise ScoreError(": a number beyond the largest float64 (1.8e308); rescale", parameter="values")
    if hidden is not None:
        array[hidden] = np.nan
    return array


def _shortest_decimals(raw: npt.NDArray[Any]) -> Array:
    """float32 0.1 becomes 0.1, not 0.10000000149: the decimals it was written with, on which ties are decided."""
    return np.array([float(str(x)) for x in raw.ravel()], dtype=np.float64).reshape(raw.shape)


def _from_objects(raw: npt.NDArray[Any], hidden: npt.NDArray[np.bool_] | None) -> Array:
    if hidden is not None:
        raw = raw.copy()
        raw[hidden] = None
    return np.array([_from_object(cell) for cell in raw.ravel()], dtype=np.float64).reshape(raw.shape)


def _from_object(cell: Any) -> float:
    if cell is None or type(cell).__name__ in ("NAType", "MaskedConstant"):
        return math.nan
    if isinstance(cell, str | bytes | bool | np.bool_ | complex) or not hasattr(cell, "__float__"):
        raise ScoreError(f"must be numbers; got {cell!r}", parameter="values")
    if isinstance(cell, int | np.integer) and abs(int(cell)) > 2**53:
        raise ScoreError(
            f": the integer {cell} is beyond 2**53 and cannot be told apart from its neighbours; rescale",
            parameter="values",
        )
    try:
        return float(cell)
    except (TypeError, ValueError, OverflowError) as error:
        raise ScoreError(f"must be numbers; got {cell!r}: {error}", parameter="values") from None


def labels(parameter: str, names: Iterable[object] | None, letter: str, count: int) -> tuple[str, ...]:
    if names is None:
        return tuple(f"{letter}{i + 1}" for i in range(count))
    if isinstance(names, str):
        raise ParameterError(f"must be a sequence of names; got the single string {names!r}", parameter=parameter)
    labels = tuple(str(name) for name in names)
    if len(labels) != count:
        raise ScoreError(f": {len(labels)} names for {count} {parameter} in values", parameter=parameter)
    seen: set[str] = set()
    repeated = [x for x in labels if x in seen or seen.add(x)]  # type: ignore[func-returns-value]
    if repeated:
        raise ScoreError(f"must have unique names; repeated: {listing(dict.fromkeys(repeated))}", parameter=parameter)
    refuse_lookalikes(parameter, labels)
    return labels


def position(label: str | int, labels: tuple[str, ...], noun: str, parameter: str) -> int:
    """The position of a label given by name or by index, which may count from the end."""
    n = len(labels)
    if isinstance(label, str):
        if label in labels:
            return labels.index(label)
        hint = did_you_mean(label, labels)
        rule = f": no {noun} is called {label!r}{hint}; there are {listing(labels, 10)}"
        raise UnknownNameError(rule, parameter=parameter)
    if not isinstance(label, int | np.integer) or isinstance(label, bool):
        raise WrongTypeError(f"must be the {noun}'s name or index; got {label!r}", parameter=parameter)
    if not -n <= label < n:
        raise UnknownNameError(f": index {label} is outside 0..{n - 1}", parameter=parameter)
    return int(label) % n


def problem_labels(what: str, names: Iterable[object] | None, problems: tuple[str, ...]) -> tuple[str, ...] | None:
    """One label per problem, as text; a missing one is refused. ``what``: clusters or tasks."""
    if names is None:
        return None
    if isinstance(names, str):
        raise ParameterError(f"must be a label per problem; got the single string {names!r}", parameter=what)
    texts, one = [label_text(label) for label in names], what.removesuffix("s")
    if len(texts) != len(problems):
        rule = f": {len(texts)} labels for {len(problems)} problems; each problem needs the label of its {one}"
        raise ScoreError(rule, parameter=what)
    lacking = [repr(name) for name, label in zip(problems, texts, strict=True) if not label]
    if lacking:
        rule = f"must name a {one} for every problem; there is none for {listing(lacking)}. A problem that belongs to"
        raise ScoreError(f"{rule} no {one} gets a label of its own, such as its name", parameter=what)
    refuse_lookalikes(what, texts)
    return tuple(texts)


def label_text(value: Any) -> str:
    """A name as text, "" where there is none; whole floats (an integer column with gaps) without '.0'."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace").strip()
    if isinstance(value, str):
        return value.strip()
    if value is None or type(value).__name__ in ("NAType", "NaTType", "MaskedConstant"):
        return ""
    if isinstance(value, float | np.floating):
        return "" if value != value else str(int(value)) if float(value).is_integer() else str(value)
    return str(value)


LONGEST_METRIC = 80


def metric_name(metric: object) -> str | None:
    """The user's word for what the scores are; it stands in titles and heads of columns, so it is short."""
    return _short("metric", metric, "the name of what is scored, such as 'accuracy'")


def unit_name(unit: object) -> str | None:
    """The unit of the scores, such as s or MB/s: short, as it stands beside numbers."""
    return _short("unit", unit, "the unit of the scores, such as 's'")


def _short(parameter: str, word: object, what: str) -> str | None:
    if word is None:
        return None
    rule = f"must be {what}, of 1 to {LONGEST_METRIC} characters"
    if not isinstance(word, str):
        raise WrongTypeError(f"{rule}; got {word!r}", parameter=parameter)
    if not 1 <= len(word.strip()) <= LONGEST_METRIC:
        raise ParameterError(f"{rule}; got {len(word.strip()) or repr(word)}", parameter=parameter)
    return word.strip()


def check_size(n: int, k: int, r: int) -> None:
    if k < 2:
        raise ScoreError(f"at least 2 algorithms are needed for a comparison; got {k}")
    if n < 1:
        raise ScoreError("at least 1 problem is needed; got 0")
    if r < 1:
        raise ScoreError("at least 1 run per cell is needed; got 0")


def refuse_missing(
    values: Array,
    problems: tuple[str, ...],
    algorithms: tuple[str, ...],
    why: Callable[[int, int, int], str] | None = None,
) -> None:
    """``why``: the reason for which a run, or a cell, has no score, in brackets, where that is known."""
    bad = np.argwhere(np.isnan(values))
    if not bad.size:
        return
    where = [
        f"problem {problems[i]!r}, algorithm {algorithms[j]!r}"
        + (f", run {rest[0] + 1}" if rest else "")
        + ("" if why is None else why(i, j, rest[0] if rest else 0))
        for i, j, *rest in bad.tolist()
    ]
    raise MissingScoreError(
        f"has missing scores (NaN): {listing(where, 2, '; ')}. Complete them, or choose what a missing score means "
        'with bo.read_scores(..., missing="drop") (leave the problem out) or missing="worst" (it lost).',
        parameter="values",
    )


def runs_first(cells: Array) -> Array:
    """(n, k, r) the runs that exist first in each cell, in their order, then NaN."""
    order = np.argsort(np.isnan(cells), axis=2, kind="stable")
    return np.take_along_axis(cells, order, axis=2)


def refuse_unscored(
    cells: Array, algorithms: tuple[str, ...], why: Callable[[int, int, int], str] | None = None
) -> None:
    """An algorithm, or a table, without any score; ``why``: as for ``refuse_missing``; the first one is said."""
    names = [
        f"{name!r}{'' if why is None else next(filter(None, (why(i, j, 0) for i in range(len(cells)))), '')}"
        for j, name in enumerate(algorithms)
        if np.isnan(cells[:, j]).all()
    ]
    if names:
        raise MissingScoreError(f"has no score at all of {listing(names)}; leave it out", parameter="values")


def cell_means(cells: Array, problems: tuple[str, ...], algorithms: tuple[str, ...]) -> Array:
    """Means over runs by correctly rounded sums, so that the order of runs cannot matter."""
    means, certain = _means_at_once(cells)
    for i, j in np.argwhere(~certain).tolist():
        padded = cells[i, j]
        runs = padded[~np.isnan(padded)].tolist() or [math.nan]
        try:
            means[i, j] = exact_mean(runs)
        except ValueError:
            raise ScoreError(
                f"problem {problems[i]!r}, algorithm {algorithms[j]!r} has runs at both +inf and -inf: "
                "their mean is undefined"
            ) from None
    return means + 0.0


def _means_at_once(cells: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
    """(n, k) means, and where the sum is certainly the correctly rounded one.

    Runs are split into multiples of a unit, which add up without an error, and a rest; and the rest likewise (Rump,
    Ogita and Oishi, SIAM J. Sci. Comput. 31, 2008, Lemma 3.3). Where nothing is left, both sums are exact, and adding
    them rounds once.
    """
    n, k, r = cells.shape
    flat = cells.reshape(n * k, r)
    means, certain = np.empty(n * k), np.empty(n * k, dtype=bool)
    step = max(1, _AT_ONCE // max(r, 1))
    bits = r.bit_length() + 1
    axis = 0 if r < _FEW else 1  # sums along a short row are slow
    with np.errstate(all="ignore"):  # what overflows is not certain
        for start in range(0, n * k, step):
            runs = flat[start : start + step]
            runs = runs if axis else np.ascontiguousarray(runs.T)
            gone = np.isnan(runs)
            count = r - gone.sum(axis=axis)
            runs = np.where(gone, 0.0, runs) if gone.any() else runs
            largest = np.maximum(runs.max(axis=axis), -runs.min(axis=axis))
            unit = np.expand_dims(np.ldexp(1.0, np.frexp(largest)[1] + bits), axis)
            sums, rest = _extracted(runs, unit, axis)
            sure = np.isfinite(largest) & (count > 0)
            if rest.any():
                more, left = _extracted(rest, unit * 2.0 ** (bits - 53), axis)
                sums += more
                sure &= ~left.any(axis=axis)
            means[start : start + step] = sums / count
            certain[start : start + step] = sure & np.isfinite(sums)
    return means.reshape(n, k), certain.reshape(n, k)


def _extracted(runs: Array, unit: Array, axis: int) -> tuple[Array, Array]:
    """The exact sums of the leading parts of numbers, and what is left of each."""
    leading = runs + unit
    leading -= unit
    return leading.sum(axis=axis), runs - leading


def exact_mean(values: list[float]) -> float:
    """By a correctly rounded sum, so that the order of the values cannot matter."""
    try:
        return math.fsum(values) / len(values)
    except OverflowError:
        return math.fsum(v / len(values) for v in values)


def column_means(values: Array) -> Array:
    """(k,) correctly rounded means; infinite or NaN where infinite scores leave none."""
    with np.errstate(invalid="ignore", over="ignore"):
        return read_only(np.array([_mean_or_nan(column) for column in values.T.tolist()]))


def _mean_or_nan(values: list[float]) -> float:
    if not values:
        return math.nan
    try:
        return exact_mean(values)
    except ValueError:  # infinities of both signs
        return math.nan


def fingerprint(
    cells: Array,
    algorithms: tuple[str, ...],
    problems: tuple[str, ...],
    better: str,
    clusters: tuple[str, ...] | None = None,
    tasks: tuple[str, ...] | None = None,
) -> str:
    of_tasks = None if tasks is None else ("tasks", *tasks)
    named = tuple(labels for labels in (clusters, of_tasks) if labels is not None)
    digest = hashlib.sha256(repr((better, algorithms, problems, cells.shape, *named)).encode())
    digest.update(np.where(np.isnan(cells), np.nan, cells).tobytes())  # one NaN, whatever its bits
    return digest.hexdigest()


def read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same array, locked: results are values."""
    array.setflags(write=False)
    return array


def unequal_pairs(n_runs: npt.NDArray[np.int64]) -> list[tuple[int, int]]:
    """Pairs of columns (more runs, fewer): in more than half of the rows that both have, net of the opposite."""
    if (n_runs == n_runs[:, :1]).all():
        return []
    pairs = []
    for a in range(n_runs.shape[1]):
        both = (n_runs[:, [a]] > 0) & (n_runs > 0)
        more = (np.sign(n_runs[:, [a]] - n_runs) * both).sum(axis=0)
        pairs += [(a, b) for b in np.flatnonzero(more > both.sum(axis=0) / 2).tolist()]
    return pairs


def refuse_best_of_unequal(counts: npt.NDArray[np.int64], algorithms: tuple[str, ...]) -> None:
    """Refuse unequal ``counts`` (n, k) of runs: the best of more runs is better."""
    if uneven := unequal_pairs(counts):
        a, b = uneven[0]
        raise ParameterError(
            f"must not be 'best' where algorithms have different numbers of runs, of which more have a better best: "
            f"{algorithms[a]!r} has {counts[:, a].sum()}, {algorithms[b]!r} {counts[:, b].sum()}; give as many runs of "
            "each, or take 'mean' or 'median'",
            parameter="cell",
        )


def best_runs(runs: Array, better: str, algorithms: tuple[str, ...]) -> Array:
    """(n, k) the best run of each cell: of as many as all cells of the row have, in expectation over which.

    Of m runs in ascending order the i-th is the lowest of c drawn without replacement in C(m − i, c − 1) of C(m, c)
    ways.
    """
    counts = np.sum(~np.isnan(runs), axis=2)
    refuse_best_of_unequal(counts, algorithms)
    sign = 1.0 if better == "lower" else -1.0
    best = cast(Array, sign * np.fmin.reduce(sign * runs, axis=2))
    common = np.where(counts > 0, counts, counts.max(axis=1, keepdims=True)).min(axis=1)
    for i, j in np.argwhere(counts > common[:, None]).tolist():
        m, c = int(counts[i, j]), int(common[i])
        ordered = np.sort(sign * runs[i, j][~np.isnan(runs[i, j])])[: m - c + 1]
        ways = [math.comb(m - place, c - 1) / math.comb(m, c) for place in range(1, m - c + 2)]
        best[i, j] = sign * float(np.sum(ordered * ways))
    return best


def finite_shares(runs: Array) -> Array:
    """(n, k) the share of the runs of each cell that are finite; NaN where there is none."""
    count = np.sum(~np.isnan(runs), axis=2)
    return np.asarray(np.sum(np.isfinite(runs), axis=2) / np.where(count == 0, np.nan, count))


def median_runs(runs: Array, holes: npt.NDArray[np.bool_]) -> Array:
    """(n, k) the median run of each cell; NaN where there is none."""
    medians = np.full(holes.shape, np.nan)
    medians[~holes] = np.nanmedian(runs[~holes], axis=1)
    return medians


def runs_in_words(n_runs: npt.NDArray[np.int64], repeated: bool) -> str:
    """``, 3–5 runs per cell, 2 missing``."""
    missing, fewest, most = int((n_runs == 0).sum()), int(n_runs[n_runs > 0].min()), int(n_runs.max())
    words = f", {fewest if fewest == most else f'{fewest}–{most}'} runs per cell" if repeated else ""
    return words + (f", {missing} missing" if missing else "")
