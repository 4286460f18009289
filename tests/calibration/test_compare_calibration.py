"""compare() itself, on tables whose truth is known: family-wise error, size, coverage and power.

What is promised of the default: whichever algorithms differ, and by how much, one of those that do not is declared
different in at most alpha of the tables; "do not differ" means that their difference is symmetric about 0. A share may
exceed its level by four standard errors of the simulation, which a failure prints. docs/trust/calibration.md has it
all.
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from scipy.special import bdtr

import bakeoff as bo
from calibration.measure import (
    ALPHA,
    BEYOND,
    CALLS,
    CHUNK,
    DEFAULT,
    EVERY,
    Cell,
    band,
    chunk_counts,
    counts_of,
    measure,
    share,
    total,
)
from calibration.scenarios import ACCURACY, SCENARIOS, WORSE, answers

FAMILIES = ("all pairs", "control")
PROMISED = [name for name, scenario in SCENARIOS.items() if scenario.null in ("exchangeable", "symmetric")]
QUESTIONS = {name: (300, 3) for name in SCENARIOS if name.startswith("right or wrong")}


def at_most(what: str, counts: Counter[str], event: str = "false", level: float = ALPHA, of: str = "tables") -> None:
    found, allowed = share(counts, event, of), band(counts["tables"], level)
    assert found <= level + allowed, f"{what}: {found:.4f} > {level} + {allowed:.4f} ({counts['tables']} tables)"


def at_least(what: str, counts: Counter[str], event: str, level: float, of: str = "tables") -> None:
    found, allowed = share(counts, event, of), band(counts["tables"], level)
    assert found >= level - allowed, f"{what}: {found:.4f} < {level} − {allowed:.4f} ({counts['tables']} tables)"


def check(cell: Cell, tables: int) -> dict[str, Counter[str]]:
    """The counts of one cell, and that no call errs in more than alpha of its tables."""
    ((_, found),) = measure([cell], tables)
    for name, counts in found.items():
        at_most(f"{cell.name()}, {name}", counts)
    return found


# --- always ---------------------------------------------------------------------------------------------------------


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize("name", ["specialists", "wide pair", "spread 4:1", "right or wrong, equal"])
def test_the_default_keeps_its_level_roughly(name):
    """Where z tests on mean ranks declare every fourth pair different (specialists), and where they see nothing."""
    n, k = QUESTIONS.get(name, (20, 5))
    check(Cell(name, 60 if k == 3 else n, k, calls=("wilcoxon",)), 4 * CHUNK)


def test_the_default_call():
    rng = np.random.default_rng(1)
    for k, correction in ((4, "bergmann-hommel"), (BEYOND, "bergmann-hommel"), (BEYOND + 1, "shaffer")):
        result = bo.compare(bo.Scores(rng.normal(size=(9, k)), better="lower"), **DEFAULT)
        assert result.pairwise == "wilcoxon"
        if DEFAULT == {}:
            assert result.primary == correction
        assert bo.compare(result.scores, control=0, **DEFAULT).primary == "holm"


def mcnemar_with_holm(wrong: np.ndarray) -> set[tuple[int, int]]:
    """Pairs declared different: exact binomial p of the questions on which just one of two is right, then Holm."""
    p = {}
    for a, b in combinations(range(wrong.shape[1]), 2):
        first, second = ((wrong[:, x] < wrong[:, y]).sum() for x, y in ((a, b), (b, a)))
        p[a, b] = min(1.0, 2 * float(bdtr(min(first, second), int(first + second), 0.5)))
    found = set()
    for i, pair in enumerate(sorted(p, key=p.__getitem__)):
        if p[pair] * (len(p) - i) > ALPHA:
            break
        found.add(pair)
    return found


@pytest.mark.slow
def test_right_or_wrong_answers_lose_no_power_against_mcnemar():
    found = Counter[str]()
    for rng in np.random.default_rng(2).spawn(40):
        wrong = answers(rng, [ACCURACY, ACCURACY, WORSE[300]], 300)
        result = bo.compare(bo.Scores(wrong, better="lower", algorithms=["0", "1", "2"]), **DEFAULT)
        mine = {(int(p.a), int(p.b)) for p in result.pairs if p.verdict in ("a better", "b better")}
        theirs = mcnemar_with_holm(wrong)
        assert theirs <= mine
        found.update(mine=len(mine), theirs=len(theirs))
    assert found["theirs"] > 20, "there was something to find"


@pytest.mark.parametrize(("row", "expected"), [([1, 2, 9], (1, 2, 0)), ([5, 5, 1], (0, 0, 1)), ([5, 5, 15], (0, 2, 0))])
def test_what_is_counted(row, expected):
    """The first two are alike, the third is ten worse: false, found and wrong verdicts, and intervals of no width."""
    result = bo.compare(bo.Scores([row] * 8, better="lower"), **DEFAULT)
    counts = counts_of(result, SCENARIOS["one bad"])
    assert (counts["false"], counts["found"], counts["wrong"]) == expected
    assert (counts["tables"], counts["alike"], counts["apart"]) == (1, 1, 2)
    x, y, z = row
    # eight equal differences bound the effect on the side of 0 alone: 0 is held always, 10 on the right side of it
    assert counts["effect, held"] == 1 + (z > x) + (z > y)


@pytest.mark.slow
def test_a_chunk_has_its_own_stream():
    cell = Cell("equal, rounded", 6, 3, calls=("wilcoxon",))
    ((_, found),) = measure([cell], 2 * CHUNK)
    assert found == total(chunk_counts((cell, chunk)) for chunk in (1, 0))
    assert chunk_counts((cell, 0)) != chunk_counts((cell, 1))


def few(name, tables):
    """Intervals of tied differences take ten times as long; the page has as many tables of them as of others."""
    return tables // 4 if "rounded" in name else tables


# --- slow -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_two_workers_count_what_one_does():
    cells = [Cell("one bad", 6, 3, calls=("wilcoxon", "sign")), Cell("equal, rounded", 5, 3, calls=("t",))]
    assert list(measure(cells, 2 * CHUNK, workers=2)) == list(measure(cells, 2 * CHUNK))


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize("name", PROMISED)
def test_family_wise_error_of_the_default(name):
    """Five algorithms on twenty problems (three models on 300 questions); intervals hold what is known, too."""
    n, k = QUESTIONS.get(name, (20, 5))
    found = check(Cell(name, n, k, calls=("wilcoxon",)), 200 if n > 20 else few(name, 200))
    if name in QUESTIONS:
        return
    for family, counts in found.items():
        if counts["effect, known"]:
            at_least(f"{name}, {family}: coverage", counts, "effect, held", 1 - ALPHA, of="effect, known")
        if counts["interval, tables"]:
            at_least(f"{name}, {family}: all at once", counts, "interval, all held", 1 - ALPHA, of="interval, tables")


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "name", ["equal, normal", "specialists", "risky pair", "wide pair", "near clusters, lognormal"]
)
def test_family_wise_error_of_the_default_in_larger_tables(name):
    check(Cell(name, 30, 10, calls=("wilcoxon",)), 200)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["skewed, median 0", "very skewed, median 0"])
def test_signs_keep_their_level_where_differences_are_skewed_and_signed_ranks_do_not(name):
    cell = Cell(name, 80, 5, calls=("wilcoxon", "sign"))
    ((_, found),) = measure([cell], 200)
    for family in FAMILIES:
        at_most(f"{name}, {family}", found[f"sign, {family}"])
        counts = found[f"wilcoxon, {family}"]
        assert share(counts, "false") > ALPHA + band(counts["tables"]), "the page says so"


@pytest.mark.exhaustive
def test_only_holm_needs_no_groups():
    """One algorithm exchangeable with each of seven that differ from each other: Bergmann and Hommel's procedure takes
    "a like b" and "a like c" to imply "b like c". Holm's procedure and comparisons with a control do not."""
    cell = Cell("round a circle", 60, 8, calls=("wilcoxon",), every_correction=True)
    ((_, found),) = measure([cell], 400)
    at_most("Holm, all pairs", found["wilcoxon, all pairs"], "false, holm")
    at_most("Holm, control", found["wilcoxon, control"])
    assert share(found["wilcoxon, all pairs"], "false, bergmann-hommel") > ALPHA + band(400), "the page says so"


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize("call", [name for name in EVERY if name not in ("aligned, papers", "quade, papers")])
@pytest.mark.parametrize("name", ["equal, normal", "equal, rounded"])
def test_every_pairwise_keeps_its_level_when_all_are_alike(name, call):
    """All but the two printed forms that have a wrong variance; the t-test on normal scores."""
    found = check(Cell(name, 20, 5, calls=(call,)), few(name, 120))
    counts = found[f"{call}, all pairs"]
    at_most(f"{name}, {call}: raw p", counts, "alike, p", of="alike")


@pytest.mark.exhaustive
def test_printed_forms_do_not_keep_it():
    """docs/trust/errata.md F17 to F19. These can only come true: if one fails, the page has to be rewritten."""
    ((_, found),) = measure([Cell("equal, normal", 20, 3, calls=("aligned, papers",))], 500)
    at_least("aligned, as printed", found["aligned, papers, all pairs"], "false", 0.11)
    ((_, found),) = measure([Cell("specialists", 20, 5, calls=("mean-ranks, papers",))], 300)
    for family in FAMILIES:
        at_least("mean ranks, as printed", found[f"mean-ranks, papers, {family}"], "false", 0.25)
    ((_, found),) = measure([Cell("one a little worse", 20, 10, calls=("quade, papers",))], 100)
    assert found["quade, papers, all pairs"]["found"] == 0, "without power"


@pytest.mark.exhaustive
@pytest.mark.parametrize("call", ["aligned", "quade"])
def test_the_permutation_variance_mends_size_and_power(call):
    check(Cell("equal, normal", 20, 3, calls=(call,)), 500)
    ((_, found),) = measure([Cell("one a little worse", 20, 10, calls=(call, f"{call}, papers"))], 100)
    mended, printed = (found[f"{name}, all pairs"]["found"] for name in (call, f"{call}, papers"))
    assert mended > printed if call == "quade" else mended > 0


@pytest.mark.exhaustive
@pytest.mark.parametrize("n", WORSE)
def test_power_on_right_or_wrong_answers(n):
    """Three models, the last one worse (300 questions: .703, .703, .615): the default finds what McNemar's test with
    Holm's correction does, and z on mean ranks with the variance of the ranks nearly so; as printed, a fraction."""
    found = Counter[str]()
    for rng in np.random.default_rng(n).spawn(100):
        wrong = answers(rng, [ACCURACY, ACCURACY, WORSE[n]], n)
        theirs = mcnemar_with_holm(wrong)
        found["theirs"] += len(theirs)
        for name in ("wilcoxon", "mean-ranks", "mean-ranks, papers"):
            scores = bo.Scores(wrong, better="lower", algorithms=["0", "1", "2"])
            result = bo.compare(scores, posthoc="holm", **CALLS[name])
            mine = {(int(p.a), int(p.b)) for p in result.pairs if p.verdict in ("a better", "b better")}
            found[name] += len(mine)
            assert name != "wilcoxon" or theirs <= mine
    assert found["theirs"] > 80
    assert found["wilcoxon"] >= found["theirs"]
    assert found["mean-ranks"] >= 0.9 * found["theirs"]
    assert found["mean-ranks, papers"] <= 0.6 * found["theirs"]


SMALL = [(n, k) for k in (3, 4, 5) for n in (3, 4, 5, 8)]


@pytest.mark.exhaustive
def test_size_of_the_omnibus_in_small_tables():
    """Of compare()'s default omnibus and of aligned and Quade's ranks: exact laws, so never above the level."""
    cells = [Cell("equal, normal", n, k, calls=("wilcoxon",), families=("control",)) for n, k in SMALL]
    complaints = []
    for cell, found in measure(cells, 250):
        try:
            at_most(cell.name(), found["wilcoxon, control"], "omnibus")
        except AssertionError as error:
            complaints.append(str(error))
    assert not complaints, "\n".join(complaints)


@pytest.mark.exhaustive
def test_power_of_the_default():
    """Of one algorithm 0.8 standard deviations worse than four others, found against each; and of a far one, always."""
    ((_, found),) = measure([Cell("one a little worse", 20, 5, calls=("wilcoxon",))], 300)
    counts = found["wilcoxon, all pairs"]
    assert 0.15 < share(counts, "found", "apart") < 0.6
    ((_, found),) = measure([Cell("one bad", 20, 5, calls=("wilcoxon",))], 100)
    for family in FAMILIES:
        assert math.isclose(share(found[f"wilcoxon, {family}"], "found", "apart"), 1.0)
        assert found[f"wilcoxon, {family}"]["wrong"] == 0


@pytest.mark.exhaustive
def test_signs_of_a_circle():
    """a is as often better as b, b as c, a three times as often as c: Bergmann and Hommel's procedure errs in .09."""
    rng, tables, false = np.random.default_rng(1), 1500, 0
    steps = np.array([(2, -1), (-1, 2), (1, 1), (-2, -2)])
    for _ in range(tables):
        first, second = (steps[rng.integers(4, size=88)] + 0.01 * rng.normal(size=(88, 2))).T
        table = bo.Scores(np.c_[first + second, second, 0 * first], list("abc"), better="higher")
        pairs = bo.compare(table, pairwise="sign").pairs
        false += any(p.verdict in ("a better", "b better") and {p.a, p.b} != {"a", "c"} for p in pairs)
    assert false / tables <= ALPHA + band(tables)
