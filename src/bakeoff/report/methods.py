"""The shared parts of methods paragraphs: the sample, the software, and the works they cite."""

import platform
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np

from bakeoff import numerals, packages
from bakeoff._version import __version__
from bakeoff.errors import plain
from bakeoff.procedures import Term
from bakeoff.report.document import Cite, Text
from bakeoff.scores import Scores

_CITATION = re.compile(r"\[(@[a-z0-9]+(?:;@[a-z0-9]+)*)\]")


def text(marked: str) -> Text:
    """Text with its citations marked as in Pandoc: ``the sign test [@dixonmood1946;@demsar2006]``.

    Not for text with users' names in it: a name could look like a citation.
    """
    parts = enumerate(_CITATION.split(marked))
    return tuple(Cite(tuple(part[1:].split(";@"))) if i % 2 else part for i, part in parts if part)


def mark(used: Term) -> str:
    """The citation of a procedure as :func:`text` reads it, after a space; nothing if there is no work to cite."""
    return f" [{';'.join(f'@{key}' for key in used.cite)}]" if used.cite else ""


_COMPUTED_BY: ContextVar[Mapping[str, str] | None] = ContextVar("computed by", default=None)


@contextmanager
def computed_by(named: Mapping[str, str]) -> Iterator[None]:
    """Inside, reports name these versions: those of a report that is written again."""
    token = _COMPUTED_BY.set(named)
    try:
        yield
    finally:
        _COMPUTED_BY.reset(token)


def versions() -> dict[str, str]:
    """The versions of what computed the numbers."""
    return dict(_COMPUTED_BY.get() or versions_here())


def versions_here() -> dict[str, str]:
    """The versions of what computes here."""
    return {
        "bakeoff": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": packages.version("scipy"),
    }


def software() -> Text:
    """A sentence on the software."""
    v = versions()
    return (f"Computed with bakeoff {v['bakeoff']} (Python {v['python']}, NumPy {v['numpy']}, SciPy {v['scipy']}).",)


SHORTEST_WORD = 5  # shorter ones are as likely units or abbreviations, which a capital would change


def measured(s: Scores) -> str:
    """The name of a score: ``score``, or its metric; tasks may have one each, which no title has room for."""
    if not s.metric:
        return "score"
    return "score (several metrics)" if s.tasks is not None and "), " in s.metric else plain(s.metric)


def measured_first(s: Scores) -> str:
    """The same as the first word of a title: ``Accuracy``, but ``mAP``, ``rmse`` and ``best_error`` as they are."""
    name = measured(s)
    first = name.split()[0]
    return (
        f"{name[0].upper()}{name[1:]}" if first.isalpha() and first.islower() and len(first) >= SHORTEST_WORD else name
    )


def direction(s: Scores) -> str:
    """``lower scores are better``; ``higher accuracy is better``."""
    return f"{s.better} {plain(s.metric)} is better" if s.metric else f"{s.better} scores are better"


def is_contributed(s: Scores) -> bool:
    """Are the rows contributions to a metric of all items, whose mean is that metric?"""
    return s.predicted is not None and not s.predicted.is_mean


def mean_word(s: Scores) -> str:
    """The word for a mean over the rows of the table: ``mean``; ``AUC`` of contributions to it."""
    return plain(s.metric) if is_contributed(s) and s.metric else "mean"


def with_article(word: str) -> str:
    """``a mean``, ``an AUC``."""
    return f"an {word}" if word.startswith(("AUC", "F1", "R²", "average")) else f"a {word}"


_SCALES = {"logit": "the logit scale", "atanh": "Fisher's z scale", "log": "the scale of log(1 − R²)"}


def contributed(s: Scores) -> Text:
    """How a metric of all items came to have a standard error; nothing of scores."""
    if s.predicted is None or s.predicted.is_mean:
        return ()
    label = plain(s.predicted.label)
    how = (
        "The AUC of each model was computed from placement values, whose variances within the two classes add up to "
        "that of the AUC, with Welch's degrees of freedom [@delong1988]"
        if s.predicted.metric.lower().startswith(("auc", "roc", "auroc"))
        else f"The {label} of each model has the standard error of its influence values, by which it changes with the "
        "weight of each item [@hampel1974]"
    )
    clustered = "; of a cluster they are summed [@obuchowski1997]" if s.design.has_clusters else ""
    each = "; of several tasks, each has its own" if s.design.task_names else ""
    scale = _SCALES[s.predicted.scale]
    return text(f"{how}{clustered}{each}. Intervals of a single {label} are Student's on {scale}.")


def problem_count(s: Scores) -> str:
    """``350 problems in 35 clusters``."""
    known = "" if s.clusters is None else f" in {numerals.count(len(set(s.clusters)), 'cluster')}"
    return f"{numerals.count(s.n_problems, 'problem')}{known}"


def sample(s: Scores, averaged: bool = True) -> Text:
    """Sizes, direction, runs (``averaged``, or each by itself), and what became of missing scores."""
    parts = [f"{numerals.count(s.n_algorithms, 'algorithm')} were compared on {problem_count(s)} ({direction(s)})"]
    if s.runs is not None:
        low, high = int(s.n_runs[~s.holes].min()), int(s.n_runs.max())
        runs = str(low) if low == high else f"{low} to {high}"
        noun = "runs" if s.folds is None else "folds"
        parts.append(f"each score is the mean of {runs} {noun}" if averaged else f"with {runs} {noun} each")
    if s.dropped:
        parts.append(f"{numerals.count(len(s.dropped), 'problem')} with a missing score left out")
    if s.filled:
        parts.append(f"{numerals.count(len(s.filled), 'missing score')} counted as the worst possible")
    return ("; ".join(parts) + ".",)


def joined(*sentences: Text) -> Text:
    """One paragraph of the sentences that say something, neighbouring strings merged."""
    merged: list[str | Cite] = []
    for i, sentence in enumerate([sentence for sentence in sentences if sentence]):
        for part in (" ", *sentence) if i else sentence:
            if isinstance(part, str) and merged and isinstance(merged[-1], str):
                merged[-1] += part
            else:
                merged.append(part)
    return tuple(merged)


def cited(text: Text, *more: str) -> tuple[str, ...]:
    """Keys of the bibliography in the order of the paragraph, then ``more``; each once."""
    keys = [key for part in text if isinstance(part, Cite) for key in part.keys]
    return tuple(dict.fromkeys([*keys, *more]))
