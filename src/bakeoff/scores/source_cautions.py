"""The source of scores: a direction that its names contradict, and what else a reader must know of it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bakeoff.scores._scores import Better
from collections import Counter
from collections.abc import Sequence

from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, counted, listing
from bakeoff.scores._scores import Better, Scores

# Names that say which direction is good: accuracy, reward; error, loss, time. One list for every room.


def _listed(names: str) -> frozenset[str]:
    return frozenset(names.split())


HIGHER = _listed(
    """acc accuracy auc auroc auprc balacc bleu bleurt chrf dice exactmatch f1 fscore fmeasure gmean hypervolume iou
    jaccard kappa likelihood loglikelihood map mcc meteor mrr ndcg precision profit psnr r2 recall return returns reward
    rewards rocauc rouge sensitivity solved specificity speedup ssim successes successrate throughput winrate wins"""
)
LOWER = _listed(
    """brier cost costs cputime deviation duration elapsed error errorrate errors failurerate failures fnr fpr gap igd
    latency logloss loss losses mae makespan mape mse nll penalty perplexity ppl rank ranks regret rmse rmsle runtime
    runtimes seconds smape smse time timeouts times walltime wer"""
)
"""Names as one word; of a longer name the last words count: ``test_accuracy``, ``wall time``."""
AROUND = _listed(
    """average avg dev eval final h hours macro max maximum mean median micro min minimum ms none norm normalised
    normalized ns pct percent percentage s score scores sec secs test total train training us val valid validation
    value values weighted"""
)
"""Words that follow the word that counts: ``accuracy_score``, ``time (s)``, ``loss (test)``."""
OTHERWISE = _listed(
    """between discounted flight inverse inverted life minus neg negative no non one remaining saved survival up"""
)
"""With these the number is turned round, or it is one of which more may be good: the name says nothing."""


@lru_cache(maxsize=256)
def named_direction(name: str | None) -> Better | None:
    """The direction that a metric's name says; None where it says none, or might mean another thing.

    >>> [named_direction(name) for name in ("accuracy", "f1_macro", "Wall time [s]", "time_limit", "neg_mse")]
    ['higher', 'higher', 'lower', None, None]
    """
    if arrow := next((sign for sign in "↑↓" if sign in (name or "")), None):
        return "higher" if arrow == "↑" else "lower"
    words = _words(name or "")
    if not words or not OTHERWISE.isdisjoint(words):
        return None
    while len(words) > 1 and (words[-1] in AROUND or words[-1].lstrip("p").isdigit()):
        words.pop()
    for last in ("".join(words[-2:]), words[-1]):
        if last in HIGHER or last in LOWER:
            return "higher" if last in HIGHER else "lower"
    return None


def named_after(name: str) -> list[str]:
    """The rest of a metric's name without the metric, and without what tells of which scores it is.

    >>> named_after("val_accuracy"), named_after("ImageNet test acc")
    ([], ['image', 'net'])
    """
    return [word for word in _words(name) if word not in AROUND | HIGHER | LOWER]


def _words(name: str) -> list[str]:
    """``TestAccuracy``, ``test-accuracy``, ``test accuracy (%)``: test, accuracy; ``f1`` and ``r2`` stay whole."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", " ", name)
    return re.findall(r"[^\W_]+", parted.lower())


# What a reader must know of where the scores came from, whatever is computed from them: every analysis says it.


def source_cautions(scores: Scores) -> list[Caution]:
    """Cautions on the direction, on tasks, files and problems left out, and on names and cells that may mislead."""
    cautions = (
        direction_doubtful(scores.metric, scores.better),
        tasks_left_out(scores),
        runs_as_algorithms(scores),
        of_files(scores),
        means_of_spreads(scores),
        *(by_case(what, names) for what, names in (("algorithms", scores.algorithms), ("problems", scores.problems))),
        dropped(scores),
    )
    return [caution for caution in cautions if caution]


def dropped(scores: Scores) -> Caution | None:
    if not scores.dropped:
        return None
    return caution_of(
        "left-out", "problems", problems=counted(len(scores.dropped), "problem"), names=listing(scores.dropped)
    )


def direction_doubtful(metric: str | None, better: Better) -> Caution | None:
    """The name of the metric says that the other direction is good."""
    usual = named_direction(metric)
    if usual in (None, better):
        return None
    return caution_of(
        "doubtful-reading", "direction", better=better.capitalize(), metric=metric, usual=usual, taken=better
    )


def tasks_left_out(scores: Scores) -> Caution | None:
    """Tasks that do not have the metric that is compared."""
    tasks = scores.read_as.left_out
    if not tasks:
        return None
    lost = sum(count for _, count in tasks)
    each = [task if lost == len(tasks) else f"{task} ({counted(count, 'problem')})" for task, count in tasks]
    named = listing(each, 8) if lost == len(tasks) else listing(each, 20)
    return caution_of(
        "left-out",
        "tasks",
        value=scores.metric or "the metric",
        named=named,
        n_problems=scores.n_problems,
        all_problems=scores.n_problems + lost,
    )


def of_files(scores: Scores) -> Caution | None:
    """Warn of files that a table read from a folder leaves out."""
    return files_not_taken(scores.read_as.n_files, scores.read_as.not_taken)


def files_not_taken(n_files: int, others: Sequence[str]) -> Caution | None:
    """Files of a folder that hold no result of the format that was read."""
    if not others:
        return None
    return caution_of(
        "left-out",
        "files",
        files=counted(n_files, "file"),
        was="was" if n_files == 1 else "were",
        others=counted(len(others), "file"),
        hold="holds" if len(others) == 1 else "hold",
        names=listing(others),
    )


def runs_as_algorithms(scores: Scores) -> Caution | None:
    """A wide table with columns 0, 1, 2, …: repetitions of one algorithm rather than algorithms."""
    if not scores.read_as.numbered:
        return None
    names = scores.algorithms
    return caution_of("doubtful-reading", "runs", names=", ".join(names[:2]), last=names[-1])


def means_of_spreads(scores: Scores) -> Caution | None:
    """Cells such as ``91.7±10.3``, of which the mean was read."""
    count = scores.read_as.spreads
    if not count:
        return None
    return caution_of("averaged", "spreads", cells=counted(count, "cell"), hold="holds" if count == 1 else "hold")


def by_case(what: str, names: Sequence[str]) -> Caution | None:
    """Names that are the same but for capital letters."""
    folded = [name.casefold() for name in names]
    if len(set(folded)) == len(names):
        return None
    counts = Counter(folded)
    alike = [name for name in names if counts[name.casefold()] > 1]
    return caution_of("doubtful-reading", "names", names=listing(alike), what=what)
