"""Do these two differ? One file per test of two algorithms, and one record here."""

from collections.abc import Callable
from functools import partial
from typing import Any

from bakeoff.nulls.signed_rank import EXACT_LIMIT
from bakeoff.paired._cluster_t import ClusterTResult as ClusterTResult, cluster_t as cluster_t
from bakeoff.paired._mcnemar import McNemarResult as McNemarResult, mcnemar as mcnemar
from bakeoff.paired._paired_t import PairedTResult as PairedTResult, paired_t as paired_t
from bakeoff.paired._resampled_t import ResampledTResult as ResampledTResult, resampled_t as resampled_t
from bakeoff.paired._sign_flip import SignFlipResult as SignFlipResult, sign_flip as sign_flip
from bakeoff.paired._sign_test import SignTestResult as SignTestResult, sign_test as sign_test
from bakeoff.paired._wilcoxon import WilcoxonResult as WilcoxonResult, wilcoxon as wilcoxon
from bakeoff.paired.alternatives import PairedTest as PairedTest
from bakeoff.procedures import Procedure, by_name

_BEYOND = f"normal approximation beyond {EXACT_LIMIT} non-zero differences"

_OF_WINS: dict[str, Any] = {
    "law": lambda n: "exact binomial distribution",
    "symbol": "wins",
    "direction": lambda test: test.wins - test.losses,
}


def _test(name: str, short: str, phrase: str, function: Callable[..., Any], cite: str, **own: Any) -> PairedTest:
    return PairedTest(name, short, phrase, function=function, cite=(cite,), **own)


PAIRED: dict[str, PairedTest] = by_name(
    _test(
        "wilcoxon",
        "Wilcoxon signed-rank",
        "the Wilcoxon signed-rank test",
        wilcoxon,
        "wilcoxon1945",
        word="Wilcoxon",
        law=lambda n: "exact null distribution" if n <= EXACT_LIMIT else _BEYOND,
        symbol="min(R+, R−)",
        direction=lambda test: test.r_plus - test.r_minus,
    ),
    _test("sign", "Sign", "the sign test", sign_test, "dixonmood1946", word="sign test", **_OF_WINS),
    _test("sign-without-ties", "Sign, without ties", "the sign test without tied problems",
          partial(sign_test, ties="drop"), "dixonmood1946", word="sign test without ties", **_OF_WINS),
    _test("mcnemar", "McNemar", "McNemar's test", mcnemar, "mcnemar1947", word="McNemar", **_OF_WINS),
    _test("t", "Paired t", "the paired t-test", paired_t, "student1908", word="paired t", symbol="t",
          direction=lambda test: test.statistic, smallest=lambda n: 0.0 if n > 1 else 1.0),
)  # fmt: skip
"""The tests of two algorithms, by the names that ``compare(pairwise=...)`` gives them."""

_CLUSTERS = ("mackinnon2023", "cameronmiller2015", "hartigan1969")
OF_ONE_PAIR: dict[str, Procedure] = by_name(
    Procedure("sign-flip", "Sign flips", "the sign-flip test", function=sign_flip, cite=("fisher1935", "pitman1937")),
    Procedure("cluster-t", "Cluster-robust t", "the cluster-robust t-test", function=cluster_t, cite=_CLUSTERS),
    Procedure("resampled-t", "Corrected resampled t", "the corrected resampled t-test", function=resampled_t,
              cite=("nadeaubengio2003",)),
)  # fmt: skip
"""The tests that ``compare`` does not take: of clusters with problems that count equally, of resamples of a problem."""
