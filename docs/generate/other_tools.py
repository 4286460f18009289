"""Write docs/trust/other-tools.md: where other tools' numbers err, measured beside ours on the same tables.

    python docs/generate/other_tools.py             writes the page from docs/trust/other-tools.json
    python docs/generate/other_tools.py --check     exits 1 if the page is not current, or if the first tables of some
                                                    settings, tested again, do not give what is stored
    python docs/generate/other_tools.py --measure   measures every tool that is installed, then writes both

A tool that is not installed keeps its stored numbers, with the version and the date they are of; the newest aeon and
numba may want an older NumPy, and so an environment of their own. --check asks no tool whose version is not the stored
one, and none for more than a second or two. Every setting has its own seed, the checksum of its name.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import io
import json
import sys
import warnings
import zlib
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
import other_tools_page
import page_command
import pandas

import bakeoff as bo

ROOT = Path(__file__).resolve().parents[2]
PAGE, STORED = ROOT / "docs" / "trust" / "other-tools.md", ROOT / "docs" / "trust" / "other-tools.json"
FIRST = 25  # tables whose counts are stored apart, for --check

Table = np.ndarray
Pairwise = Literal["aligned", "quade"]
Form = Literal["papers", "permutation"]
Found = Callable[[Table], bool]


class Setting(NamedTuple):
    tool: str  # its name on the package index
    draw: Callable[[np.random.Generator], Table]
    there: Found
    here: Found
    tables: int = 2000
    again: bool = False  # by --check


def scores_of(x: Table, better: Literal["lower", "higher"] = "higher") -> bo.Scores:
    return bo.Scores(x, [f"a{j}" for j in range(x.shape[1])], better=better)


def smallest(square: pandas.DataFrame) -> float:
    return float(square.to_numpy()[np.triu_indices(len(square), 1)].min())


def normal(n: int, k: int) -> Callable[[np.random.Generator], Table]:
    return lambda rng: rng.normal(size=(n, k))


def one_worse(n: int, k: int) -> Callable[[np.random.Generator], Table]:
    return lambda rng: rng.normal(size=(n, k)) - 4.0 * (np.arange(k) == k - 1)


def right_or_wrong(rng: np.random.Generator) -> Table:
    return (rng.random(size=(60, 4)) < np.array([0.5, 0.5, 0.5, 0.75])).astype(float)


def two_skewed(rng: np.random.Generator) -> Table:
    """Two columns of one law, with what their problems share."""
    return rng.exponential(size=(20, 1)) + rng.exponential(size=(20, 2))


def blocks(rng: np.random.Generator) -> Table:
    """Problems differ by 3 standard deviations of the noise; the last algorithm is 1.5 of them better."""
    return 3.0 * rng.normal(size=(20, 1)) + rng.normal(size=(20, 4)) + 1.5 * (np.arange(4) == 3)


# --- scikit-posthocs and autorank, called as their users do -----------------------------------------------------


def posthocs() -> dict[str, Setting]:
    import scikit_posthocs as theirs

    name = "scikit-posthocs"

    def conover(x: Table) -> float:
        """Adjusted by the studentized range: Tukey's test of the ranks."""
        scores = scores_of(x)
        test = bo.tukey(bo.Scores(bo.rank(scores), scores.algorithms, better="lower"))
        return float(test.pvalue[np.triu_indices(x.shape[1], 1)].min())

    def nemenyi(x: Table) -> float:
        """Of the first and the last one."""
        result = bo.compare(scores_of(x), posthoc="nemenyi", standard_error="permutation")
        return next(pair.adjusted["nemenyi"] for pair in result.pairs if (pair.a, pair.b) == ("a0", "a3"))

    made = {}
    for n, k in ((10, 3), (20, 5), (30, 4)):
        made[f"quade normal {n} × {k}"] = Setting(
            name,
            normal(n, k),
            lambda x: theirs.posthoc_quade(x, dist="normal").iloc[0, 1] <= 0.05,
            lambda x: bo.compare(scores_of(x), pairwise="quade", posthoc="holm").pairs[0].pvalue <= 0.05,
            again=(n, k) == (20, 5),
        )
    made["conover default 20 × 5"] = Setting(
        name,
        normal(20, 5),
        lambda x: smallest(theirs.posthoc_conover_friedman(x)) <= 0.05,
        lambda x: any(pair.adjusted["holm"] <= 0.05 for pair in bo.compare(scores_of(x), posthoc="holm").pairs),
    )
    made["conover single-step 6 × 4"] = Setting(
        name,
        normal(6, 4),
        lambda x: smallest(theirs.posthoc_conover_friedman(x, p_adjust="single-step")) <= 0.05,
        lambda x: conover(x) <= 0.05,
    )
    made["nemenyi right or wrong 60 × 4"] = Setting(
        name,
        right_or_wrong,
        lambda x: theirs.posthoc_nemenyi_friedman(x).iloc[0, 3] <= 0.05,
        lambda x: nemenyi(x) <= 0.05,
        again=True,
    )
    return made


def autoranks() -> dict[str, Setting]:
    from autorank import autorank as theirs

    def frame(x: Table) -> pandas.DataFrame:
        return pandas.DataFrame(x, columns=[f"a{j}" for j in range(x.shape[1])])

    def last_parted(rankdf: pandas.DataFrame) -> bool:
        """autorank's rule: intervals that do not overlap."""
        return bool(rankdf["ci_lower"]["a3"] > rankdf["ci_upper"]["a0"])

    def holds(rankdf: pandas.DataFrame) -> bool:
        """The median of a log-normal sample is 1."""
        return bool(rankdf["ci_lower"]["a0"] <= 1.0 <= rankdf["ci_upper"]["a0"])

    def median_holds(x: Table) -> bool:
        """At the same level, of differences from 0."""
        level = 1 - 0.05 / x.shape[1]
        found = bo.median_difference(x[:, 0], np.zeros(len(x)), confidence_level=level, better="higher")
        return found.low <= 1.0 <= found.high

    skewed: dict[str, str] = {"force_mode": "nonparametric"}
    return {
        "autorank two columns": Setting(
            "autorank",
            two_skewed,
            lambda x: theirs(frame(x), **skewed).pvalue < 0.05,
            lambda x: bo.wilcoxon(scores_of(x), 0, 1, zeros="drop").pvalue < 0.05,
            tables=1000,
            again=True,
        ),
        "autorank tukey": Setting(
            "autorank",
            blocks,
            lambda x: last_parted(theirs(frame(x), force_mode="parametric").rankdf),
            lambda x: bo.tukey(scores_of(x)).pvalue[0, 3] < 0.05,
            tables=100,
        ),
        "autorank median": Setting(
            "autorank",
            lambda rng: np.exp(rng.normal(size=(20, 2))),
            lambda x: holds(theirs(frame(x), **skewed).rankdf),
            median_holds,
            tables=1000,
        ),
    }


# --- aeon -------------------------------------------------------------------------------------------------------


def aeons() -> dict[str, Setting]:
    from aeon.visualisation.results import _critical_difference as theirs
    from scipy.stats import rankdata

    def bars(x: Table) -> Iterator[set[int]]:
        """The cliques that ``plot_critical_difference`` draws with its defaults."""
        ranks = rankdata(-x, axis=1)
        means = ranks.mean(axis=0)
        order = np.argsort(means)
        k = x.shape[1]
        names = np.array([str(j) for j in order])
        found, _ = theirs._find_cliques(
            ranks, x[:, order], names, means[order], len(x), k, "wilcoxon", "holm", 0.1, False
        )
        return (set(order[np.asarray(clique, dtype=bool)].tolist()) for clique in found)

    def parted(groups: Iterator[set[int]], among: int) -> bool:
        """Whether two of the first ``among`` algorithms have no bar in common."""
        joined = [members & set(range(among)) for members in groups]
        apart = ~np.eye(among, dtype=bool)
        for members in joined:
            apart[np.ix_(sorted(members), sorted(members))] = False
        return bool(apart.any())

    def ours(x: Table) -> Iterator[set[int]]:
        result = bo.compare(scores_of(x), omnibus="friedman", posthoc="holm", alpha=0.1)
        return ({int(name[1:]) for name in group} for group in result.groups)

    made = {}
    for n, k, tables in ((20, 6, 1000), (40, 9, 400)):
        for what, draw, among in (("alike", normal(n, k), k), ("one worse", one_worse(n, k), k - 1)):
            made[f"aeon {what} {n} × {k}"] = Setting(
                "aeon",
                draw,
                lambda x, among=among: parted(bars(x), among),
                lambda x, among=among: parted(ours(x), among),
                tables=tables,
            )
    return made


# --- formulas of papers, by bakeoff's own option ------------------------------------------------------------------


def papers() -> dict[str, Setting]:
    """The standard errors that García et al. (2010) and Derrac et al. (2011) print, beside those of permutations."""

    def first_pair(x: Table, pairwise: Pairwise, form: Form) -> bool:
        scores = scores_of(x, better="lower")
        result = bo.compare(scores, omnibus=pairwise, pairwise=pairwise, standard_error=form, posthoc="holm")
        return result.pairs[0].pvalue <= 0.05

    made = {}
    for pairwise, k in (("aligned", 3), ("aligned", 5), ("quade", 5), ("quade", 10)):
        made[f"printed {pairwise} 30 × {k}"] = Setting(
            "bakeoff",
            normal(30, k),
            lambda x, pairwise=pairwise: first_pair(x, pairwise, "papers"),
            lambda x, pairwise=pairwise: first_pair(x, pairwise, "permutation"),
            tables=600,
        )
    return made


# --- single numbers ---------------------------------------------------------------------------------------------


def examples() -> Iterator[tuple[str, str, Callable[[], dict[str, object]]]]:
    """Name, tool, and what is recorded of it: on Demšar's table, 14 data sets and four classifiers."""
    scores = bo.datasets.load("demsar_2006")
    frame = pandas.DataFrame(scores.values, columns=scores.algorithms)
    first, last = scores.algorithms[0], scores.algorithms[3]

    def nemenyi() -> dict[str, object]:
        import scikit_posthocs as theirs

        long = frame.reset_index(names="d").melt(id_vars="d", var_name="a", value_name="y")
        columns = {"y_col": "y", "group_col": "a", "block_col": "d", "block_id_col": "d", "melted": True}
        found = {"all": long, "without": long.drop(index=5)}
        told: dict[str, object] = {
            key: rounded(theirs.posthoc_nemenyi_friedman(value, **columns).loc[first, last])
            for key, value in found.items()
        }
        result = bo.compare(scores, posthoc="nemenyi", standard_error="permutation")
        pair = next(pair for pair in result.pairs if (pair.a, pair.b) == (first, last))
        return told | {"here": rounded(pair.adjusted["nemenyi"])}

    def wilcoxon() -> dict[str, object]:
        import scikit_posthocs as theirs

        lists = [frame[name] for name in frame]
        return {
            "there": rounded(theirs.posthoc_wilcoxon(lists).iloc[0, 1]),
            "here": rounded(bo.wilcoxon(scores, 0, 1, zeros="drop").pvalue),
        }

    def first_row() -> dict[str, object]:
        from autorank import autorank as theirs, create_report, latex_table

        large = pandas.DataFrame({f"net_{j}": (np.arange(40) * 7 % 40) / 40 + 2.0 * j for j in range(3)})
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            found = theirs(large)
            create_report(found)
            latex_table(found)
        text = printed.getvalue()
        return {
            "there": found.rankdf.index[0],
            "here": next(iter(bo.compare(bo.read_scores(large, "higher")).ranks)),
            "p=0.000": "p=0.000" in text,
            "unescaped": "\nnet_0 &" in text,
        }

    def identical() -> dict[str, object]:
        import baycomp as theirs

        x = frame[first].to_numpy()
        return {
            "there": rounded(theirs.two_on_multiple(x, x, random_state=1)[0], 2),
            "here": rounded(bo.bayes.signed_rank(x, x, prior_strength=0.5, rng=1, better="higher").p_better, 2),
        }

    def edge() -> dict[str, object]:
        """0.012 = (0.017 + 0.007)/2: on the edge of the rope only as decimals."""
        import baycomp as theirs

        y, x = frame.iloc[:, 0].to_numpy(), frame.iloc[:, 1].to_numpy()
        told: dict[str, object] = {}
        for rope in (0.0119, 0.012, 0.0121):
            told[f"there {rope}"] = rounded(theirs.two_on_multiple(x, y, rope=rope, random_state=1)[0], 2)
            ours = bo.bayes.signed_rank(x, y, prior_strength=0.5, rope=rope, rng=1, better="higher")
            told[f"here {rope}"] = rounded(ours.p_better, 2)
        return told

    def cd() -> dict[str, object]:
        """In the source: Orange need not be importable."""
        sources = (file for file in importlib.metadata.files("orange3") or () if file.suffix == ".py")
        return {"compute_CD": any("def compute_CD" in file.read_text(encoding="utf-8") for file in sources)}

    def quantile() -> dict[str, object]:
        """Nemenyi's at 0.05, of the critical difference that aeon computes."""
        from aeon.benchmarking.stats import _get_qalpha

        told: dict[str, object] = {}
        for k in (3, 5, 10):
            unit = (k * (k + 1) / 180.0) ** 0.5
            told[f"there {k}"] = rounded(_get_qalpha(0.05)[k], 3)
            told[f"here {k}"] = rounded(bo.critical_difference(k, 30, 0.05) / unit, 3)
        return told

    yield "quantile", "aeon", quantile
    yield "nemenyi", "scikit-posthocs", nemenyi
    yield "wilcoxon", "scikit-posthocs", wilcoxon
    yield "first row", "autorank", first_row
    yield "identical", "baycomp", identical
    yield "edge", "baycomp", edge
    yield "compute_CD", "orange3", cd


def rounded(p: float, digits: int = 4) -> float:
    return round(float(p), digits)


# --- measuring --------------------------------------------------------------------------------------------------


def settings() -> dict[str, Setting]:
    """Of the tools that are installed."""
    made: dict[str, Setting] = {}
    for tool in (posthocs, autoranks, aeons, papers):
        with contextlib.suppress(ImportError):
            made |= tool()
    return made


def counts(name: str, setting: Setting, tables: int) -> tuple[list[int], list[int]]:
    """[there, here], of all tables and of the first; the two take turns in going first."""
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    found = np.zeros((tables, 2), dtype=int)
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for i in range(tables):
            x = setting.draw(rng)
            for which in (0, 1) if i % 2 else (1, 0):
                found[i, which] = bool((setting.there, setting.here)[which](x))
    return found.sum(axis=0).tolist(), found[:FIRST].sum(axis=0).tolist()


def version(tool: str) -> str | None:
    if tool == "bakeoff":
        return bo.__version__
    try:
        return importlib.metadata.version(tool)
    except importlib.metadata.PackageNotFoundError:
        return None


def about(tool: str) -> dict[str, str]:
    return {"tool": tool, "version": str(version(tool)), "date": date.today().isoformat()}


def example(record: Callable[[], dict[str, object]]) -> dict[str, object]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return record()


def measure() -> None:
    stored = read() if STORED.exists() else {"shares": {}, "examples": {}}
    for name, setting in settings().items():
        wanted = about(setting.tool) | {"tables": setting.tables}
        if wanted.items() <= stored["shares"].get(name, {}).items():
            continue  # an interrupted measurement goes on
        (there, here), first = counts(name, setting, setting.tables)
        stored["shares"][name] = wanted | {"there": there, "here": here, "first": first}
        sys.stderr.write(f"{name}: {there} and {here} of {setting.tables}\n")
        STORED.write_text(text_of(stored), encoding="utf-8")
    for name, tool, record in examples():
        if version(tool) is not None:
            stored["examples"][name] = about(tool) | example(record)
    STORED.write_text(text_of(stored), encoding="utf-8")


def text_of(stored: dict[str, dict[str, object]]) -> str:
    """JSON, a line per setting."""
    sections = []
    for section, entries in stored.items():
        lines = [f"  {json.dumps(name, ensure_ascii=False)}: {json.dumps(entry)}" for name, entry in entries.items()]
        sections.append(f' "{section}": {{\n' + ",\n".join(lines) + "\n }")
    return "{\n" + ",\n".join(sections) + "\n}\n"


def read() -> dict[str, dict[str, dict[str, object]]]:
    found: dict[str, dict[str, dict[str, object]]] = json.loads(STORED.read_text(encoding="utf-8"))
    return found


def check() -> list[str]:
    """Counts of the first tables that are not those stored, by two or more (rounding may turn one), and examples."""
    stored, complaints = read(), []
    for name, setting in settings().items():
        before = stored["shares"][name]
        if setting.again and version(setting.tool) == before["version"]:
            _, again = counts(name, setting, FIRST)
            if max(abs(a - b) for a, b in zip(again, before["first"], strict=True)) > 1:  # type: ignore[call-overload]
                complaints.append(f"{name}: of the first {FIRST} tables {before['first']} before, {again} now")
    for name, tool, record in examples():
        kept = stored["examples"][name]
        if name != "first row" and version(tool) == kept["version"]:  # that takes seconds
            complaints += [
                f"{name}, {key}: {kept[key]} before, {value} now"
                for key, value in example(record).items()
                if not (kept[key] == value or (isinstance(value, float) and abs(value - float(str(kept[key]))) <= 0.01))
            ]
    return complaints


def files() -> dict[Path, str]:
    return {PAGE: page_command.filled(PAGE, other_tools_page.parts(read()))}


if __name__ == "__main__":
    sys.exit(page_command.run(sys.argv[1:], "docs/generate/other_tools.py", files, measure, check))
