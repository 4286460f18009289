"""bakeoff.migrate: other tools' arguments and shapes, what is refused and with which advice, and where cautions go."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import baycomp
import numpy as np
import pytest

import bakeoff as bo
from bakeoff import migrate
from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.migrate import MigrationWarning
from bakeoff.migrate.refused import REFUSED

pandas = pytest.importorskip("pandas")

RNG = np.random.default_rng(0)
FRAME = pandas.DataFrame(RNG.normal(size=(12, 3)) + np.arange(3), columns=["tree", "bayes", "knn"])
POSTHOC = [name for name in dir(migrate) if name.startswith("posthoc_")]
WIDE = [name for name in POSTHOC if name not in ("posthoc_wilcoxon", "posthoc_demsar")]


def called(function: str, *arguments: Any, **options: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MigrationWarning)
        return getattr(migrate, function)(*arguments, **options)


def messages(function: str, *arguments: Any, **options: Any) -> list[warnings.WarningMessage]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        getattr(migrate, function)(*arguments, **options)
    return list(caught)


@pytest.fixture
def pyplot() -> Iterator[Any]:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as found

    yield found
    found.close("all")


# --- how it is found --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_importing_it_loads_neither_pandas_nor_matplotlib(tmp_path: Path) -> None:
    code = (
        "import sys, bakeoff as bo; bo.migrate; assert 'numpy' not in sys.modules\n"
        "bo.migrate.compute_CD([1, 2, 3], 10); bo.migrate.autorank; bo.migrate.posthoc_quade\n"
        "bo.migrate.two_on_single; bo.migrate.plot_critical_difference\n"
        "assert not {'pandas', 'matplotlib', 'scipy.stats'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_a_module_of_the_tools_name_changes_one_line() -> None:
    from bakeoff.migrate import aeon, baycomp, orange, scikit_posthocs as sp

    assert sp.posthoc_quade is migrate.posthoc_quade
    assert sp.posthoc_wilcoxon is migrate.posthoc_wilcoxon
    assert baycomp.two_on_single is migrate.two_on_single
    assert orange.compute_CD is migrate.compute_CD
    assert aeon.plot_critical_difference is migrate.plot_critical_difference


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_what_is_refused_says_what_to_call(name: str) -> None:
    function = getattr(migrate, name)
    assert function.__name__ == name
    with pytest.raises(bo.BakeoffError, match=rf"^{name} .*(bo\.|bakeoff\.|result\.)"):
        function(FRAME, p_adjust="holm")


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_what_refusals_name_exists(name: str) -> None:
    for path in re.findall(r"\bbo\.([a-z_.]+\w)", REFUSED[name]):
        found: Any = bo
        for part in path.split("."):
            found = getattr(found, part)


def test_unknown_names_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="did you mean 'posthoc_quade'"):
        migrate.posthoc_quad  # noqa: B018
    with pytest.raises(AttributeError, match="posthoc_quad"):
        migrate.scikit_posthocs.posthoc_quad  # noqa: B018
    with pytest.raises(bo.BakeoffError, match=r"bo\.bayes\.signed_rank"):
        migrate.baycomp.SignedRankTest([1], [2])
    with pytest.raises(bo.BakeoffError, match=r"bo\.bayes\.signed_rank"):
        migrate.baycomp.SignedRankTest.probs([1], [2], rope=0.1)
    with pytest.raises(ImportError):
        from bakeoff.migrate import nothing_of_the_kind  # type: ignore[attr-defined]  # noqa: F401


# --- tables of p-values -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WIDE)
def test_frames_come_back_with_their_labels(name: str) -> None:
    found = called(name, FRAME)
    assert list(found.index) == list(found.columns) == ["tree", "bayes", "knn"]
    assert (found.to_numpy() == found.to_numpy().T).all()
    assert (np.diag(found) == 1).all()
    codes = [c["code"] for c in found.attrs["cautions"]]
    assert "pool-dependent" in codes
    assert json.loads(json.dumps(found.attrs)) == found.attrs  # parquet files keep it so


@pytest.mark.parametrize("name", WIDE)
def test_arrays_lists_and_long_frames_are_the_same(name: str) -> None:
    expected = called(name, FRAME).to_numpy()
    for table in (FRAME.to_numpy(), FRAME.to_numpy().tolist()):
        found = called(name, table)
        assert list(found.index) == [0, 1, 2]
        assert (found.to_numpy() == expected).all()
    long = FRAME.reset_index(names="p").melt(id_vars="p", var_name="a", value_name="y").sample(frac=1, random_state=2)
    found = called(name, long, y_col="y", group_col="a", block_col="p", melted=True)
    assert (found.loc[list(FRAME), list(FRAME)].to_numpy() == expected).all()
    assert list(called(name, FRAME, sort=True).index) == sorted(FRAME)


@pytest.mark.parametrize("name", WIDE)
def test_neither_order_nor_direction_matters(name: str) -> None:
    expected = called(name, FRAME)
    other = called(name, -FRAME.iloc[::-1, [2, 0, 1]])
    np.testing.assert_allclose(other.loc[list(FRAME), list(FRAME)], expected, rtol=1e-12)


@pytest.mark.parametrize("name", WIDE)
def test_mistakes_are_named(name: str) -> None:
    function = getattr(migrate, name)
    holes = FRAME.copy()
    holes.iloc[2, 1] = np.nan
    with pytest.raises(bo.BakeoffError, match="missing"):
        function(holes)
    with pytest.raises(bo.BakeoffError, match="two or more groups"):
        function(FRAME[["tree"]])
    with pytest.raises(bo.BakeoffError, match=r"^melted must be True or False"):
        function(FRAME, melted="no")
    long = FRAME.reset_index(names="p").melt(id_vars="p", var_name="a", value_name="y")
    columns = {"y_col": "y", "group_col": "a", "block_col": "p", "melted": True}
    with pytest.raises(bo.BakeoffError, match=r"^group_col must be one of the columns 'p', 'a', 'y'; got 'b'"):
        function(long, **(columns | {"group_col": "b"}))
    with pytest.raises(bo.BakeoffError, match=r"block 0 has 'tree' twice.*block_id_col"):
        function(pandas.concat([long, long.iloc[:1]]), **columns)
    with pytest.raises(bo.BakeoffError, match="missing"):
        function(long.iloc[1:], **columns)
    with pytest.raises(bo.BakeoffError, match=r"y_col must be one of the columns 0, 1, 2; got 'y'"):
        function(FRAME.to_numpy(), **columns)


def test_labels_of_several_kinds_cannot_be_sorted() -> None:
    with pytest.raises(bo.BakeoffError, match=r"^sort must be False for labels that cannot be ordered: 'a', 1, 2"):
        migrate.posthoc_quade(FRAME.set_axis(["a", 1, 2], axis=1), sort=True)
    with pytest.raises(bo.BakeoffError, match="repeated: a"):
        migrate.posthoc_quade(FRAME.set_axis(["a", "a", "b"], axis=1))
    infinite = FRAME.copy()
    infinite.iloc[0, 0] = np.inf  # ranks can be had of it, ranges cannot
    assert called("posthoc_nemenyi_friedman", infinite).shape == (3, 3)
    with pytest.raises(bo.BakeoffError, match="infinite"):
        migrate.posthoc_quade(infinite)


def test_adjustments_are_named() -> None:
    with pytest.raises(bo.BakeoffError, match=r"^p_adjust must be one of 'bonferroni'.*got 'tukey'"):
        migrate.posthoc_quade(FRAME, p_adjust="tukey")
    with pytest.raises(bo.BakeoffError, match=r"^dist must be one of 't', 'normal'"):
        migrate.posthoc_quade(FRAME, dist="z")


def test_a_control_must_be_there() -> None:
    with pytest.raises(bo.BakeoffError, match=r"^control must be one of the groups tree, bayes, knn; got 'svm'"):
        migrate.posthoc_demsar(FRAME, control="svm")
    found = called("posthoc_demsar", FRAME, control="bayes")
    assert np.isnan(found.loc["tree", "knn"])
    assert found.loc["bayes", "knn"] == found.loc["knn", "bayes"]


def test_wilcoxon_takes_a_list_per_algorithm() -> None:
    lists = [FRAME[name].tolist() for name in FRAME]
    found = called("posthoc_wilcoxon", lists)
    assert list(found.index) == [1, 2, 3]
    expected = bo.wilcoxon(FRAME["tree"], FRAME["knn"], better="lower").pvalue
    assert found.iloc[0, 2] == expected
    with pytest.raises(bo.BakeoffError, match=r"groups of 11, 12.*bo\.mann_whitney"):
        migrate.posthoc_wilcoxon([lists[0][:-1], *lists[1:]])
    with pytest.raises(bo.BakeoffError, match=r"^correction must be False"):
        migrate.posthoc_wilcoxon(lists, correction=True)
    with pytest.raises(bo.BakeoffError, match=r"^val_col must be one of the columns"):
        migrate.posthoc_wilcoxon(FRAME)


def test_ties_of_decimals_are_told() -> None:
    x = [0.3, 0.2, 0.9, 0.7, 0.8, 0.5]
    y = [0.2, 0.1, 0.5, 0.4, 0.2, 0.45]
    codes = {m.message.caution.code for m in messages("posthoc_wilcoxon", [x, y])}  # type: ignore[union-attr]
    assert codes == {"peer-normal-approximation", "peer-decimal-ties"}


@pytest.mark.parametrize("name", WIDE)
def test_identical_and_few(name: str) -> None:
    same = called(name, np.ones((6, 3)))
    assert (same.to_numpy() == 1).all()
    one = called(name, [[1.0, 2.0, 3.0]])
    assert ((one.to_numpy() >= 0) & (one.to_numpy() <= 1)).all()


def test_two_algorithms() -> None:
    for name in WIDE:
        found = called(name, FRAME[["tree", "knn"]])
        assert found.shape == (2, 2)
    assert called("posthoc_nemenyi_friedman", FRAME[["tree", "knn"]]).iloc[0, 1] == pytest.approx(
        called("posthoc_siegel_friedman", FRAME[["tree", "knn"]]).iloc[0, 1], rel=1e-12
    )


def test_warnings_point_at_the_callers_line() -> None:
    (found,) = messages("posthoc_quade", FRAME)
    assert found.filename == __file__
    assert issubclass(found.category, UserWarning)
    assert str(found.message).startswith("[uncorrected] ")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(5):
            migrate.posthoc_siegel_friedman(FRAME)
    assert len(caught) == 1, "once per line"


@pytest.mark.slow
def test_without_pandas(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['pandas'] = None\n"
        "import bakeoff as bo\n"
        "try: bo.migrate.posthoc_nemenyi_friedman([[1, 2, 3], [1, 3, 2]])\n"
        "except bo.BakeoffError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert "pip install pandas" in done.stdout, done.stderr


# --- diagrams ---------------------------------------------------------------------------------------------------

RANKS, NAMES = [1.9, 3.2, 2.8, 3.3], ["tree", "bayes", "knn", "svm"]


def test_graph_ranks_leaves_a_figure_and_a_file(pyplot: Any, tmp_path: Path) -> None:
    assert migrate.graph_ranks(RANKS, NAMES, cd=0.856, filename=tmp_path / "ranks.svg") is None
    assert pyplot.gcf().get_size_inches()[0] == 6
    svg = (tmp_path / "ranks.svg").read_text(encoding="utf-8")
    assert "CD = 0.856" in svg
    assert "critical difference of 0.856, as given" in svg
    assert "Not shown to differ: knn, bayes, svm." in svg
    assert all(name in svg for name in NAMES)
    assert "α" not in svg, "nobody said at which level"


def test_graph_ranks_against_a_control_and_without_a_difference(pyplot: Any, tmp_path: Path) -> None:
    migrate.graph_ranks(RANKS, NAMES, cd=1.0, cdmethod=1, filename=tmp_path / "control.svg")
    svg = (tmp_path / "control.svg").read_text(encoding="utf-8")
    assert "Better than bayes: tree." in svg
    assert "Not shown to differ from bayes: knn, svm." in svg
    migrate.graph_ranks(RANKS, NAMES, filename=tmp_path / "plain.svg")
    assert "differ" not in (tmp_path / "plain.svg").read_text(encoding="utf-8")


@pytest.mark.slow
def test_graph_ranks_of_many(pyplot: Any) -> None:
    migrate.graph_ranks(np.arange(1, 41), [f"a{j}" for j in range(40)], cd=5.0, width=7)
    assert pyplot.gcf().get_size_inches()[0] == 7


def test_graph_ranks_refuses_and_tells(pyplot: Any) -> None:
    with pytest.warns(MigrationWarning, match=r"peer-drawing.*lowv, reverse: not used"):
        migrate.graph_ranks(RANKS, NAMES, lowv=1, reverse=True)
    for options, message in (
        ({"names": NAMES[:3]}, r"^names must be one for each of 4 mean ranks; got 3"),
        ({"cd": -1.0}, r"^cd must be"),
        ({"cdmethod": 4}, r"^cdmethod must be a whole number between 0 and 3"),
        ({"width": 0}, r"^width must be"),
        ({"colour": "red"}, r"unknown: 'colour'"),
    ):
        with pytest.raises(bo.BakeoffError, match=message):
            migrate.graph_ranks(**({"avranks": RANKS, "names": NAMES} | options))
    with pytest.raises(bo.BakeoffError, match=r"^avranks must be two or more finite"):
        migrate.graph_ranks([1.0], ["a"])


@pytest.mark.slow
def test_the_diagram_of_scikit_posthocs(pyplot: Any) -> None:
    """Mean ranks and a matrix of p-values, into the user's axes."""
    s = bo.datasets.load("derrac_cec2005")
    frame = pandas.DataFrame(s.values, columns=s.algorithms)
    ranks, p = frame.rank(axis=1).mean(), called("posthoc_nemenyi_friedman", frame)
    _, axes = pyplot.subplots(figsize=(7, 3))
    artists = migrate.critical_difference_diagram(ranks, p.iloc[::-1, ::-1], ax=axes)
    assert {part: len(found) for part, found in artists.items()} == {
        "markers": 0, "elbows": 18, "labels": 9, "crossbars": len([g for g in groups_of(s) if len(g) > 1]),
    }  # fmt: skip
    assert {text.get_text() for text in artists["labels"]} == set(s.algorithms)
    assert any("pairs with p ≤ 0.05 differ, as given" in text.get_text() for text in axes.texts)
    pyplot.figure()
    migrate.critical_difference_diagram(dict(ranks), p, alpha=1e-9, cd=2.0)  # nothing differs: one bar
    assert any("CD = 2" in text.get_text() for text in pyplot.gca().texts)


def groups_of(scores: bo.Scores) -> tuple[tuple[str, ...], ...]:
    return bo.compare(scores, posthoc="nemenyi").groups


def test_the_diagram_of_scikit_posthocs_refuses(pyplot: Any) -> None:
    ranks, p = FRAME.rank(axis=1).mean(), called("posthoc_nemenyi_friedman", FRAME)
    with pytest.warns(MigrationWarning, match="peer-drawing.*color_palette: not used"):
        migrate.critical_difference_diagram(ranks, p, color_palette=["red"], left_only=False)
    broken = p.copy()
    broken.iloc[0, 1] = 1e-9
    for options, message in (
        ({"sig_matrix": p.iloc[:2, :2]}, r"^sig_matrix must be a square data frame of the algorithms in ranks: tree"),
        ({"sig_matrix": broken}, r"^sig_matrix must be symmetric"),
        ({"sig_matrix": p.replace(p.iloc[0, 1], np.nan)}, r"^sig_matrix must be symmetric, with a p-value"),
        ({"ranks": {"tree": np.nan, "bayes": 1, "knn": 2}}, r"^ranks must be two or more finite"),
        ({"alpha": 2}, r"^alpha must be"),
        ({"colour": "red"}, r"^styles unknown: 'colour'"),
    ):
        with pytest.raises(bo.BakeoffError, match=message):
            migrate.critical_difference_diagram(**({"ranks": ranks, "sig_matrix": p} | options))


def test_compute_cd_refuses() -> None:
    with pytest.raises(bo.BakeoffError, match=r"^alpha must be a level between 0 and 1.*'five'"):
        migrate.compute_CD(RANKS, 30, "five")
    with pytest.raises(bo.BakeoffError, match=r"^test must be one of 'nemenyi', 'bonferroni-dunn'"):
        migrate.compute_CD(RANKS, 30, test="tukey")


@pytest.mark.slow
def test_the_diagram_of_aeon_is_that_of_compare(pyplot: Any) -> None:
    s = bo.datasets.load("demsar_2006")
    figure, axes = called("plot_critical_difference", s.values, s.algorithms, test="nemenyi", alpha=0.05)
    assert axes.figure is figure
    drawn = {text.get_text() for text in axes.texts}
    expected = bo.diagram(bo.compare(s, posthoc="nemenyi"), width_mm=152.4)
    assert {item.text for item in expected.items if hasattr(item, "text")} <= drawn
    _, _, p = called(
        "plot_critical_difference", s.values, s.algorithms, return_p_values=True, highlight={"C4.5": "red"}
    )
    best, worst = "C4.5+m+cf", "C4.5"
    assert p[0, 3] == p[3, 0] == bo.wilcoxon(s, best, worst).pvalue


def test_aeon_refuses(pyplot: Any) -> None:
    s = bo.datasets.load("demsar_2006")
    with pytest.raises(bo.BakeoffError, match=r"^correction must be 'holm' or 'bonferroni': with None"):
        migrate.plot_critical_difference(s.values, s.algorithms, correction=None)
    with pytest.raises(bo.BakeoffError, match=r"^return_p_values must be False with test='nemenyi'"):
        migrate.plot_critical_difference(s.values, s.algorithms, test="nemenyi", return_p_values=True)


# --- baycomp ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_two_tables_need_no_stan() -> None:
    x = RNG.normal(0.85, 0.02, size=(8, 10))
    y = x - 0.03 + RNG.normal(0, 0.01, size=(8, 10))
    left, within, right = called("two_on_multiple", x, y, 0.01, runs=2, random_state=1)
    assert left + within + right == pytest.approx(1)
    assert left > 0.9
    scores = bo.Scores(np.stack([x, y], axis=1), better="higher")
    assert left == bo.bayes.hierarchical(scores, 0, 1, 0.01, folds=5, rng=1).p_better


@pytest.mark.slow
def test_baycomp_draws_vectors_only(pyplot: Any) -> None:
    x, y = RNG.normal(size=20) + 0.4, RNG.normal(size=20)
    shares, figure = called("two_on_multiple", x, y, 0.1, plot=True, names=("new", "old"), random_state=1)
    assert len(shares) == 3
    assert any("new" in text.get_text() for text in figure.axes[0].texts)
    with pytest.raises(bo.BakeoffError, match="plot must be False"):
        migrate.two_on_single(x, y, plot=True)
    with pytest.raises(bo.BakeoffError, match="plot must be False"):
        migrate.two_on_multiple(np.ones((3, 4)), np.zeros((3, 4)), plot=True)


def test_baycomp_refuses() -> None:
    with pytest.raises(bo.BakeoffError, match=r"two vectors of one shape; got \(2,\) and \(3,\)"):
        migrate.two_on_single([1, 2], [1, 2, 3])
    with pytest.raises(bo.BakeoffError, match=r"^runs must divide the number of scores, 4, into folds; got 3"):
        migrate.two_on_single([1, 2, 3, 4], [1, 2, 3, 5], runs=3)
    with pytest.raises(bo.BakeoffError, match=r"^runs must divide"):
        migrate.two_on_multiple(np.ones((3, 4)), np.zeros((3, 4)), runs=4)


def test_identical_scores_are_undecided() -> None:
    """baycomp: 0.7 and 0.3, by rounding (test_baycomp.py)."""
    x = np.full(10, 0.5)
    assert called("two_on_multiple", x, x) == (0.5, 0.0, 0.5)
    with pytest.warns(MigrationWarning, match="all-ties"):
        migrate.two_on_multiple(x, x)


# --- autorank ---------------------------------------------------------------------------------------------------


def test_the_result_is_autoranks_and_more() -> None:
    result = called(
        "autorank", FRAME, force_mode="nonparametric", order="ascending", plot_order=["knn", "tree", "bayes"]
    )
    assert result[:2] == (result.rankdf, result.pvalue)
    assert result._fields[-2:] == ("comparison", "cautions")
    assert list(result.rankdf.index) == ["tree", "bayes", "knn"]
    assert result.plot_order == ["knn", "tree", "bayes"]
    assert isinstance(result.comparison, bo.Comparison)
    assert result.comparison.primary == "nemenyi"
    shown = str(result)
    assert shown.startswith("RankResult(rankdf=\n")
    assert all(f"[{c.code}]" in shown for c in result.cautions)


def test_a_better_algorithm_is_first_whatever_the_direction() -> None:
    up, down = called("autorank", FRAME), called("autorank", -FRAME, order="ascending")
    assert list(up.rankdf.index) == list(down.rankdf.index) == ["knn", "bayes", "tree"]
    assert up.pvalue == pytest.approx(down.pvalue, rel=1e-12)
    assert (up.rankdf["effect_size"] >= 0).all()
    assert (down.rankdf["effect_size"] <= 0).all()  # smaller values are better


def test_autorank_refuses() -> None:
    for options, message in (
        ({"data": FRAME.to_numpy()}, r"^data must be a data frame; got ndarray"),
        ({"data": FRAME.iloc[:4]}, r"^data must have 5 or more rows.*bo\.compare"),
        ({"data": FRAME[["tree"]]}, r"two or more groups"),
        ({"alpha": 1.0}, r"^alpha must be"),
        ({"order": "up"}, r"^order must be one of 'ascending', 'descending'"),
        ({"approach": "bayes"}, r"^approach must be one of .*did you mean 'bayesian'"),
        ({"rope": -1}, r"^rope must be"),
        ({"effect_size": "d"}, r"^effect_size must be one of"),
        ({"force_mode": "none"}, r"^force_mode must be one of"),
        ({"plot_order": ["tree"]}, r"^plot_order must name every column once"),
        ({"data": FRAME.replace(FRAME.iloc[0, 0], np.inf)}, r"infinite"),
    ):
        with pytest.raises(bo.BakeoffError, match=message):
            migrate.autorank(**({"data": FRAME} | options))


def test_a_rope_below_the_grid_of_scores_is_named() -> None:
    coarse = FRAME.round(1)
    with pytest.raises(
        bo.BakeoffError, match=r"^rope=0\.02 × .*rope_mode='effsize'\): rope must be 0 or at least 0\.1"
    ):
        called(
            "autorank",
            coarse.assign(bayes=coarse["knn"] - 0.3 * (coarse.index % 2)).round(1),
            approach="bayesian",
            rope=0.02,
        )


def test_constant_and_identical_columns() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MigrationWarning)
        same = pandas.DataFrame(np.ones((6, 3)), columns=list("abc"))
        result = migrate.autorank(same)
    assert result.pvalue == 1.0
    assert (result.rankdf["effect_size"] == 0).all()


# --- the page ---------------------------------------------------------------------------------------------------


def test_the_page_names_every_function_and_code() -> None:
    page = Path(__file__).parents[2] / "docs" / "how-to" / "migrate.md"
    if not page.exists():
        pytest.skip("the pages are in the repository only")
    text = page.read_text(encoding="utf-8")
    assert [name for name in dir(migrate) if name not in text and not name.startswith("__")] == []
    source = Path(migrate.__file__).parent
    codes = {code for path in source.glob("*.py") for code in re.findall(r'"(peer-[a-z-]+)"', path.read_text())}
    assert [code for code in sorted(codes) if f"cautions.md#{code}" not in text] == []


def test_nemenyis_test_of_aeon_says_which_quantile_it_takes(pyplot: Any) -> None:
    """aeon 1.6.0 looks it up for k + 1 algorithms: 2.728 instead of 2.569 of four, at 0.05."""
    scores = bo.datasets.load("demsar_2006")
    with pytest.warns(MigrationWarning, match=r"peer-quantile.*for 5 algorithms in Nemenyi's test of 4"):
        migrate.plot_critical_difference(scores.values, scores.algorithms, test="nemenyi", alpha=0.05)


@pytest.mark.slow
def test_means_go_with_cohens_d() -> None:
    """autorank 1.3.0 on these exponential columns, force_mode="parametric", order="ascending"."""
    rng = np.random.RandomState(1)
    data = pandas.DataFrame({f"p{i}": rng.exponential(0.3, 50) + 0.2 * i for i in range(4)})
    with warnings.catch_warnings(action="ignore"):
        found = migrate.autorank(data, force_mode="parametric", order="ascending")
    assert found.effect_size == "cohen_d"
    assert found.rankdf["effect_size"].round(3).tolist() == [0.0, -0.751, -1.324, -2.072]
    assert found.rankdf["magnitude"]["p1"] == "medium"


def test_no_measure_is_called_0() -> None:
    with pytest.raises(bo.BakeoffError, match=r"^effect_size must be one of"):
        migrate.autorank(FRAME, effect_size=0)  # type: ignore[arg-type]


TIED = [[5, 3, 4, 8, 9, 7, 7], [2, 3, 3, 5, 5, 8, 7]]


def told(**options: Any) -> list[str]:
    """The codes of what is warned of."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        migrate.posthoc_wilcoxon(TIED, p_adjust="holm", **options)
    return [one.message.caution.code for one in found if isinstance(one.message, MigrationWarning)]


@pytest.mark.parametrize("method", ["auto", "exact"])
def test_the_law_without_ties_is_told(method: str) -> None:
    assert told(method=method) == ["peer-normal-approximation"]


@pytest.mark.parametrize("method", ["auto", "exact", "approx"])
def test_shared_zeros_are_told(method: str) -> None:
    assert "peer-shared-zeros" in told(method=method, zero_method="zsplit")


def test_nothing_is_told_where_both_agree() -> None:
    with warnings.catch_warnings(action="error"):
        migrate.posthoc_wilcoxon(TIED, method="approx", p_adjust="holm")
        migrate.posthoc_wilcoxon([[5, 3, 4, 8], [4, 1, 7, 4]], method="exact", zero_method="zsplit", p_adjust="holm")


# --- what the tools' own tests call -----------------------------------------------------------------------------


def test_a_long_array_has_columns_by_number() -> None:
    long = [[i, i, name, score] for i, row in enumerate(FRAME.to_numpy().tolist()) for name, score in enumerate(row)]
    places = {"melted": True, "y_col": 3, "group_col": 2, "block_col": 1, "block_id_col": 0}
    for rows in (long, np.array(long)):
        found = migrate.posthoc_nemenyi_friedman(rows, **places)
        assert np.array_equal(found.to_numpy(), migrate.posthoc_nemenyi_friedman(FRAME).to_numpy())
    with pytest.raises(WrongTypeError, match="a must be a data frame or a table of rows where melted=True; got int"):
        migrate.posthoc_nemenyi_friedman(3, **places)


@pytest.mark.parametrize(("short", "name"), [("b", "bonferroni"), ("hs", "holm-sidak"), ("fdrcorr", "fdr_by")])
def test_abbreviations_of_statsmodels(short: str, name: str) -> None:
    short_p, p = (migrate.posthoc_conover_friedman(FRAME, p_adjust=each) for each in (short, name))
    assert np.array_equal(short_p.to_numpy(), p.to_numpy())


def test_two_stages_are_refused_and_no_other_procedure_suggested() -> None:
    with pytest.raises(ParameterError, match=r"'fdr_tsbky' is not offered: it estimates .* in one stage"):
        migrate.posthoc_conover_friedman(FRAME, p_adjust="fdr_tsbky")


def test_baycomps_prior_and_number_of_samples() -> None:
    x, y = np.array([0.913, 0.842, 0.781, 0.957, 0.889]), np.array([0.88, 0.83, 0.79, 0.91, 0.84])
    weak, strong = (migrate.two_on_multiple(x, y, rope=0.01, prior=p, nsamples=2e4, random_state=1) for p in (0.5, 9.0))
    theirs = baycomp.two_on_multiple(x, y, rope=0.01, prior=9.0, nsamples=20_000, random_state=1)
    assert strong == pytest.approx(theirs, abs=0.02)
    assert strong[1] > weak[1] + 0.1
    with pytest.raises(ParameterError, match="nsamples must be a whole number of at least 100; got 50"):
        migrate.two_on_multiple(x, y, nsamples=50)
