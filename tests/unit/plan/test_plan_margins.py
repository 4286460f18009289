"""Plans for a margin: numbers that agree with each other, sentences, refusals, and the command line."""

import json
import math

import pytest
from click.testing import CliRunner, Result

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import ParameterError, TooLargeError


def plan(*args: str) -> Result:
    return CliRunner().invoke(main, ["plan", *args])


def flat(*args: str) -> str:
    result = plan(*args)
    assert result.exit_code == 0, result.output
    assert all(len(line) <= 80 for line in result.stdout.splitlines())
    return " ".join(result.stdout.split())


@pytest.mark.parametrize("claim", ["equal", "not-worse"])
@pytest.mark.parametrize("test", ["t", "wilcoxon"])
def test_n_is_the_first_with_the_power(test: str, claim: str) -> None:
    given = {"margin": 0.4, "claim": claim, "test": test, "n_algorithms": 3}
    if test == "wilcoxon":
        given["method"] = "exact-variance"
    found = bo.plan.instances(0.05, **given)
    assert found.power == bo.plan.power(found.n, 0.05, **given) >= 0.8 > bo.plan.power(found.n - 1, 0.05, **given)
    alone = {**given, "n_algorithms": 2}  # the first of Holm's steps over three pairs
    assert bo.plan.power(found.n, 0.05, alpha=0.05 / 3, **alone) == pytest.approx(found.power, rel=1e-12)
    assert (found.margin, found.claim, found.alternative) == (0.4, claim, "one-sided")


def test_known_numbers() -> None:
    found = bo.plan.instances(margin=0.3)
    assert (found.n, round(found.power, 6)) == (97, 0.802560)
    assert math.ceil(found.n_unrounded or 0) == 97
    assert found.effect_size == 0.0
    not_worse = bo.plan.instances(margin=0.3, claim="not-worse")
    assert not_worse.n == bo.plan.instances(0.3, alternative="greater").n  # the distance from the margin is what counts
    assert bo.plan.instances(margin=0.3, test="wilcoxon", method="are").n == math.ceil(97 / 0.86)


@pytest.mark.slow
def test_simulated_wilcoxon_asks_for_little_more_than_t() -> None:
    found = bo.plan.instances(margin=0.8, test="wilcoxon")
    assert found.method == "simulation"
    assert 0 <= found.n - bo.plan.instances(margin=0.8).n <= 3
    assert bo.plan.instances(margin=0.8, test="wilcoxon").power == found.power  # the same seed


def test_sign_of_the_difference() -> None:
    assert bo.plan.power(60, -0.1, margin=0.3) == pytest.approx(bo.plan.power(60, 0.1, margin=0.3), rel=1e-12)
    worse, equal, better = (bo.plan.power(60, d, margin=0.3, claim="not-worse") for d in (-0.1, 0.0, 0.1))
    assert worse < equal < better
    assert bo.plan.power(60, 0.3, margin=0.3) < 0.05  # a wrong claim


def test_clusters() -> None:
    found = bo.plan.instances(margin=0.4, cluster_size=5, icc=0.3)
    scale = (0.3 + 0.7 / 5) ** -0.5
    assert found.power == pytest.approx(bo.plan.power(found.n, margin=0.4 * scale), rel=1e-12)
    assert found.promise.startswith(f"With {found.n} clusters of 5 problems (intraclass correlation 0.3; worth")


def test_curve() -> None:
    drawn = bo.plan.curve(margin=0.3, values=[60, 97])
    assert drawn.y.tolist() == [bo.plan.power(60, margin=0.3), bo.plan.power(97, margin=0.3)]
    assert drawn.mark == (97.0, drawn.y[1])
    assert drawn.summary == (
        "Two one-sided paired t-tests against ±0.3, alpha = 0.05: a true difference of 0 takes 97 problems (power "
        "0.803)."
    )
    with pytest.raises(ParameterError, match="n is not for a curve with a margin"):
        bo.plan.curve(40, margin=0.3)


def test_promises() -> None:
    assert bo.plan.instances(margin=0.3).promise == (
        "With 97 problems and normal differences two one-sided paired t-tests at alpha = 0.05 show two algorithms with "
        "a true difference of 0 to be practically equal (within ±0.3 standard deviations of the differences) with "
        "probability 0.803."
    )
    several = bo.plan.instances(-0.05, margin=0.3, claim="not-worse", n_algorithms=4).promise
    assert "each single algorithm that is truly worse than the other by 0.05 is shown to be not worse by 0.3" in several
    assert "That this is shown for all 6 pairs at once is less probable and not promised." in several


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"margin": 0}, "margin must be"),
        ({"margin": "5%"}, "margin must be"),
        ({"margin": 0.3, "claim": "same"}, "claim must be"),
        ({"claim": "equal", "effect_size": 0.5}, "claim needs margin="),
        ({"margin": 0.3, "test": "sign"}, "test must be 't' or 'wilcoxon' with a margin"),
        ({"margin": 0.3, "test": "friedman"}, "test must be 't' or 'wilcoxon' with a margin"),
        ({"margin": 0.3, "alternative": "greater"}, "alternative must be left out with a margin"),
        ({"margin": 0.3, "target": "mean"}, "target must be 'worst' with a margin"),
        ({"margin": 0.3, "alpha": 0.5}, "alpha must be"),
        ({"margin": 0.3, "effect_size": 0.3}, "effect_size must lie inside ±0.3"),
        ({"margin": 0.3, "effect_size": -0.3, "claim": "not-worse"}, "effect_size must lie above −0.3"),
        ({"margin": 0.3, "effect_size": [0.0, 0.1]}, "effect_size must be"),
        ({}, "effect_size is missing"),
    ],
)
def test_refusals(given: dict[str, object], said: str) -> None:
    with pytest.raises(ParameterError) as error:
        bo.plan.instances(**given)  # type: ignore[arg-type]
    assert str(error.value).startswith(said)


def test_a_margin_without_room() -> None:
    with pytest.raises(TooLargeError, match="margin is so close to the true difference"):
        bo.plan.instances(0.3 - 1e-9, margin=0.3)


@pytest.mark.slow
def test_command_line() -> None:
    text = flat("--margin", "0.3", "--power", "0.8")
    assert text.startswith("97 problems: two one-sided paired t-tests against ±0.3, alpha 0.05. With 97 problems")
    assert "●" in text
    text = flat("--margin", "0.3", "--n", "60")
    assert text.startswith(
        "With 60 problems a true difference of 0 is shown to be practically equal with probability 0.486: two "
        "one-sided paired t-tests against ±0.3, alpha 0.05."
    )
    text = flat("--margin", "0.3", "--claim", "not-worse", "--algorithms", "4", "--comparisons", "control")
    assert "one-sided paired t-test against −0.3, 4 algorithms, each with the control, with Holm's correction" in text
    content = json.loads(plan("--margin", "0.3", "--json").stdout)
    assert (content["question"], content["n"], content["margin"], content["claim"]) == ("n", 97, 0.3, "equal")
    content = json.loads(plan("--margin", "0.3", "--n", "60", "--json").stdout)
    assert (content["question"], round(content["power"], 3), content["margin"]) == ("power", 0.486, 0.3)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--claim", "equal", "--effect", "0.5"), "--claim needs"),
        (("--margin", "0.3", "--n", "60", "--power", "0.8"), "leave out --n or --power"),
        (("--margin", "0.3", "--test", "sign"), "--test must be 't' or 'wilcoxon'"),
        (("--margin", "0.3", "--effect", "0.4"), "--effect must lie inside ±0.3"),
    ],
)
def test_command_line_refuses(args: tuple[str, ...], said: str) -> None:
    result = plan(*args)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert said in result.stderr
