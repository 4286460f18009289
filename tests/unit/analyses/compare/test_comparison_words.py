"""Words for keys, numbers of things, and the nearest name."""

import pytest

import bakeoff as bo
from bakeoff.adjusting import CONTROL_METHODS, PAIRWISE_METHODS
from bakeoff.analyses.compare.statistics.catalogue import word
from bakeoff.checks import did_you_mean
from bakeoff.errors import counted
from bakeoff.omnibus import OMNIBUS
from bakeoff.posthoc import PAIRWISE, POSTHOC


@pytest.mark.parametrize("key", sorted({*PAIRWISE, *CONTROL_METHODS, *PAIRWISE_METHODS, *POSTHOC}))
def test_no_key_is_left_in_a_sentence(key: str) -> None:
    assert word(key) != key
    assert "-" not in word(key)


@pytest.mark.parametrize("key", OMNIBUS)
def test_no_omnibus_test_is_called_by_its_key(key: str) -> None:
    assert OMNIBUS[key].short != key
    assert OMNIBUS[key].short[0].isupper()


def test_one_is_singular() -> None:
    assert [counted(n, "pair") for n in (0, 1, 2)] == ["0 pairs", "1 pair", "2 pairs"]
    assert counted(2, "family", "families") == "2 families"


@pytest.mark.parametrize(
    ("given", "options", "nearest"),
    [
        ("sade", ["PSO", "SaDE"], "SaDE"),
        ("SADE", ["sade", "SaDE"], "sade"),
        ("friedmann", ["quade", "friedman"], "friedman"),
        ("HOLM", ["holm", "hommel"], "holm"),
        ("sade2", ["SADE2", "sade1"], "sade1"),
        ("zzz", ["SaDE"], None),
        (3, ["SaDE"], None),
    ],
)
def test_the_nearest_name(given: object, options: list[str], nearest: str | None) -> None:
    assert did_you_mean(given, options) == (f"; did you mean {nearest!r}?" if nearest else "")


def test_cautions_count_and_name_in_words() -> None:
    values = [[1.0, 2.0, 3.0], [2.0, 1.0, 3.0]]
    two = bo.compare(bo.Scores(values, ["A", "B", "C"], ["p", "q"], better="lower"))
    texts = " ".join(caution.text for caution in two.cautions)
    assert "With 2 problems the smallest p-value that Bergmann–Hommel can give any pair" in texts
    assert "The omnibus test (Iman–Davenport) does not reject" in texts
    assert "There are more algorithms (3: A, B, C) than problems (2: p, q)" in texts
    assert "(s)" not in texts


def test_a_single_pair_is_not_said_to_be_corrected() -> None:
    two = bo.compare(bo.Scores([[1.0, 2.0], [1.0, 3.0]], ["A", "B"], ["p", "q"], better="lower"))
    texts = " ".join(caution.text for caution in two.cautions)
    assert "that Wilcoxon can give" in texts
    assert "Hommel" not in texts


def test_pairs_that_depend_on_the_pool_are_told_by_name() -> None:
    result = bo.compare(bo.datasets.load("derrac_cec2005"), control="SaDE", pairwise="mean-ranks")
    (text,) = (caution.text for caution in result.cautions if caution.code == "pool-dependent")
    assert "The verdict on 1 pair may depend" in text
    assert "SaDE – SSGA (no difference shown by ranks, SaDE better by Wilcoxon)" in text
    assert "mean ranks and signed ranks" in text
