"""What the methods paragraphs of all reports share: the sample, the software, and the works they cite."""

import platform

import numpy as np
import scipy

from bakeoff import numerals
from bakeoff._version import __version__
from bakeoff.report.document import Cite, Text
from bakeoff.scores import Scores


def versions() -> dict[str, str]:
    """What computed the numbers."""
    return {
        "bakeoff": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
    }


def software() -> Text:
    """What computed it, as a sentence."""
    v = versions()
    return (f"Computed with bakeoff {v['bakeoff']} (Python {v['python']}, NumPy {v['numpy']}, SciPy {v['scipy']}).",)


def sample(s: Scores) -> Text:
    """Sizes, direction, runs, and what became of missing scores."""
    parts = [
        f"{numerals.count(s.n_algorithms, 'algorithm')} were compared on {numerals.count(s.n_problems, 'problem')} "
        f"({s.better} scores are better)"
    ]
    if s.runs is not None:
        low, high = int(s.n_runs.min()), int(s.n_runs.max())
        runs = str(low) if low == high else f"{low} to {high}"
        parts.append(f"each score is the mean of {runs} runs")
    if s.dropped:
        parts.append(f"{numerals.count(len(s.dropped), 'problem')} with a missing score left out")
    if s.filled:
        parts.append(f"{numerals.count(len(s.filled), 'missing score')} counted as the worst possible")
    return (", ".join(parts) + ".",)


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
