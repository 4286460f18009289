"""How often other tools find a difference where there is none: the shares quoted in docs/how-to/migrate.md.

    python tests/calibration/errors_of_other_tools.py [TABLES]

Some minutes for 400 tables; a tool that is not installed is left out (aeon is in no extra). Not collected by pytest.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import io
import sys
import warnings
from collections.abc import Callable, Iterator

import numpy as np
import pandas

Table = np.ndarray


def shares(tables: int) -> Iterator[tuple[str, str, str, float]]:
    """Tool, function, what was drawn, share of tables in which something was found."""
    rng = np.random.default_rng(1)

    def share(found: Callable[[Table], bool], draw: Callable[[], Table]) -> float:
        return sum(bool(found(draw())) for _ in range(tables)) / tables

    with contextlib.suppress(ImportError):
        import scikit_posthocs as sp

        for n, k in ((10, 3), (20, 5), (30, 4)):
            what = f"normal, {n} × {k}, one pair"
            draw = lambda n=n, k=k: rng.normal(size=(n, k))  # noqa: E731
            found = lambda x: sp.posthoc_quade(x, dist="normal").iloc[0, 1] <= 0.05  # noqa: E731
            yield "scikit-posthocs", "posthoc_quade(dist='normal')", what, share(found, draw)
        found = lambda x: sp.posthoc_conover_friedman(x).to_numpy()[np.triu_indices(5, 1)].min() <= 0.05  # noqa: E731
        yield (
            "scikit-posthocs",
            "posthoc_conover_friedman",
            "normal, 20 × 5, any pair",
            share(found, lambda: rng.normal(size=(20, 5))),
        )
    with contextlib.suppress(ImportError):
        from autorank import autorank

        def one_sided(x: Table) -> bool:
            with contextlib.redirect_stdout(io.StringIO()):
                return autorank(pandas.DataFrame(x, columns=["x", "y"]), force_mode="nonparametric").pvalue < 0.05

        skewed = lambda: rng.exponential(size=(20, 1)) + rng.exponential(size=(20, 2))  # noqa: E731
        yield "autorank", "autorank, two columns", "exponential, 20 × 2", share(one_sided, skewed)
    with contextlib.suppress(ImportError):
        from aeon.visualisation.results import _critical_difference as drawn
        from scipy.stats import rankdata

        def parted(x: Table, among: int) -> bool:
            """Whether two of the first ``among`` algorithms share no clique of the diagram at 0.1."""
            ranks = rankdata(-x, axis=1)
            means = ranks.mean(axis=0)
            order = np.argsort(means)
            k = x.shape[1]
            names = np.array([str(j) for j in order])
            cliques, _ = drawn._find_cliques(
                ranks, x[:, order], names, means[order], len(x), k, "wilcoxon", "holm", 0.1, False
            )
            apart = np.ones((k, k), dtype=bool)
            for clique in cliques:
                members = order[np.asarray(clique, dtype=bool)]
                apart[np.ix_(members, members)] = False
            return bool(apart[:among, :among][np.triu_indices(among, 1)].any())

        for n, k in ((20, 6), (40, 9)):
            null = lambda n=n, k=k: rng.normal(size=(n, k))  # noqa: E731
            worse = lambda n=n, k=k: rng.normal(size=(n, k)) - 4.0 * (np.arange(k) == k - 1)  # noqa: E731
            name = "plot_critical_difference"
            yield "aeon", name, f"normal, {n} × {k}, any pair", share(lambda x, k=k: parted(x, k), null)
            what = f"one worse, {n} × {k}, any other pair"
            yield "aeon", name, what, share(lambda x, k=k: parted(x, k - 1), worse)


def main() -> None:
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    warnings.simplefilter("ignore")
    for tool, function, drawn, share in shares(tables):
        error = (share * (1 - share) / tables) ** 0.5
        print(f"{tool} {importlib.metadata.version(tool)}  {function}  {drawn}: {share:.3f} ± {error:.3f}", flush=True)


if __name__ == "__main__":
    main()
