"""Names that say which direction is good: accuracy, reward; error, loss, time. One list for every room."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bakeoff.scores._scores import Better


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
"""What follows the word that counts: ``accuracy_score``, ``time (s)``, ``loss (test)``."""
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
    """What is left of a metric's name without the metric, and what tells of which scores it is.

    >>> named_after("val_accuracy"), named_after("ImageNet test acc")
    ([], ['image', 'net'])
    """
    return [word for word in _words(name) if word not in AROUND | HIGHER | LOWER]


def _words(name: str) -> list[str]:
    """``TestAccuracy``, ``test-accuracy``, ``test accuracy (%)``: test, accuracy; ``f1`` and ``r2`` stay whole."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", " ", name)
    return re.findall(r"[^\W_]+", parted.lower())
