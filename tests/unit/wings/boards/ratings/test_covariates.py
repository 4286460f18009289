"""Ratings beside covariates: against the likelihood itself, what is read, what is refused, reports and their checks."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.optimize import minimize

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import BakeoffError, ParameterError, ReadingError
from calibration.rows.covariates import STRENGTHS, battles

Records = list[dict[str, Any]]


def rows(seed: int = 1, ties: float = 0.6, sizes: tuple[int, ...] = (6,) * 30, m: int = 0) -> Records:
    table = battles(np.random.default_rng(seed), [m] if m else list(sizes), STRENGTHS, 0.6, 0.2, ties)
    style = np.random.default_rng(seed + 1).choice(["plain", "list", "table"], (2, len(table["a"]))).tolist()
    columns = {**table, "style_a": style[0], "style_b": style[1]}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


class Literal:
    """The log-likelihood of each battle as it is written, with numerical derivatives."""

    def __init__(self, records: Records, found: bo.Ratings, cluster: bool) -> None:
        self.k, self.found, self.records = len(found.algorithms), found, records
        self.davidson = found.method == "davidson"
        place = {name: i for i, name in enumerate(found.algorithms)}
        self.sides = np.array([[place[r["a"]], place[r["b"]]] for r in records])
        self.outcome = np.array([("a", "b", "tie").index(r["winner"]) for r in records])
        self.z = np.array([[self.difference(r, c.covariate) / c.scale for c in found.covariates] for r in records])
        names = sorted({r["cluster"] for r in records}) if cluster else []
        self.cluster = np.array([names.index(r["cluster"]) for r in records]) if cluster else None

    def difference(self, r: dict[str, Any], name: str) -> float:
        if name == "length":
            return float(r["length_a"] - r["length_b"])
        word = name.removeprefix("style=").split(" vs ")[0]
        return float((r["style_a"] == word) - (r["style_b"] == word))

    def each(self, at: Any) -> Any:
        """Of θ without the last, which is minus their sum, β, and η."""
        theta = np.append(at[: self.k - 1], -at[: self.k - 1].sum())
        beta = at[self.k - 1 : self.k - 1 + self.z.shape[1]]
        d = theta[self.sides[:, 0]] - theta[self.sides[:, 1]] + self.z @ beta
        logs = np.array([d / 2, -d / 2, np.full(len(d), at[-1] if self.davidson else -np.inf)])
        log_z = np.logaddexp.reduce(logs, axis=0)
        if self.davidson:
            return logs[self.outcome, np.arange(len(d))] - log_z
        tied = self.outcome == 2  # half a win of both
        return np.where(tied, 0.0, logs[np.where(tied, 0, self.outcome), np.arange(len(d))]) - log_z

    def gradient(self, at: Any) -> Any:
        """(m, q) of each battle."""
        step = 1e-5 * np.eye(len(at))
        return np.array([(self.each(at + e) - self.each(at - e)) / 2e-5 for e in step]).T

    def hessian(self, at: Any, mine: Any) -> Any:
        step = 1e-4 * np.eye(len(at))
        return np.array([(self.gradient(at + e) - self.gradient(at - e))[mine].sum(axis=0) / 2e-4 for e in step])

    def solved(self) -> tuple[Any, Any]:
        """The estimate, and the covariance of the θ of all and β: of the information, or each cluster left out."""
        q = self.k - 1 + self.z.shape[1] + self.davidson
        result = minimize(
            lambda x: -self.each(x).sum(),
            np.zeros(q),
            jac=lambda x: -self.gradient(x).sum(axis=0),
            options={"gtol": 1e-7},
        )
        at = result.x
        information = -self.hessian(at, slice(None))
        if self.cluster is None:
            covariance = np.linalg.inv(information)
        else:
            groups = self.cluster.max() + 1
            changes = [
                np.linalg.solve(information + self.hessian(at, mine), self.gradient(at)[mine].sum(axis=0))
                for mine in (self.cluster == g for g in range(groups))
            ]
            covariance = (groups - 1) / groups * sum(np.outer(change, change) for change in changes)
        every = np.zeros((self.k + self.z.shape[1], q))
        every[: self.k - 1, : self.k - 1] = np.eye(self.k - 1)
        every[self.k - 1, : self.k - 1] = -1
        every[self.k :, self.k - 1 : self.k - 1 + self.z.shape[1]] = np.eye(self.z.shape[1])
        return every @ at[:q], every @ covariance @ every.T


@pytest.mark.few(3)
@pytest.mark.parametrize("ties", ["davidson", "half"])
@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.slow_cases("1-True-half", "2-True-half")
def test_estimates_and_errors_are_those_of_the_likelihood(ties: Any, clustered: bool, seed: int) -> None:
    records = rows(seed, sizes=(1, 2, 20, *(6,) * 12))
    if not clustered:
        records = [{name: x for name, x in r.items() if name != "cluster"} for r in records]
    found = bo.ratings(bo.read_battles(records, covariates=["length", "style"]), ties)
    assert found.errors == ("jackknife" if clustered else "information")
    at, covariance = Literal(records, found, clustered).solved()
    assert found.strengths == pytest.approx(at[:5], abs=1e-5)
    assert [c.effect for c in found.covariates] == pytest.approx(at[5:], abs=1e-5)
    assert found.covariance == pytest.approx(covariance[:5, :5], rel=2e-3, abs=2e-5)
    assert [c.standard_error for c in found.covariates] == pytest.approx(np.sqrt(np.diagonal(covariance)[5:]), rel=2e-3)


@pytest.mark.parametrize("ties", ["davidson", "half"])
def test_a_covariate_that_does_nothing_leaves_the_board_as_it_was(ties: Any) -> None:
    """Each battle twice, once with each sign of z: β is 0 and the strengths are those without it."""
    records = [r | {"z": sign} for r in rows(m=80) for sign in (1.0, -1.0)]
    plain = bo.ratings(bo.read_battles(records), ties)
    found = bo.ratings(bo.read_battles(records, covariates=["z"]), ties)
    assert found.covariates[0].effect == pytest.approx(0, abs=1e-9)
    assert found.strengths == pytest.approx(plain.strengths, abs=1e-9)
    assert found.log_likelihood == pytest.approx(plain.log_likelihood, rel=1e-12)
    assert found.covariance == pytest.approx(plain.covariance, abs=1e-10)
    if ties == "davidson":
        assert found.tie_parameter == pytest.approx(plain.tie_parameter, rel=1e-9)


@pytest.mark.parametrize("ties", ["davidson", "half"])
def test_firth_s_penalty_is_half_the_log_determinant_of_the_information(ties: Any) -> None:
    """The penalised likelihood is level at the estimate, the likelihood itself is not."""
    records = rows(m=30)
    found = bo.ratings(bo.read_battles(records, covariates=["length"]), ties, penalty="firth")
    literal = Literal(records, found, cluster=False)
    last = [] if found.tie_parameter is None else [math.log(found.tie_parameter)]
    at = np.array([*found.strengths[:-1], found.covariates[0].effect, *last])

    def penalised(x: Any) -> float:
        return float(literal.each(x).sum() + np.linalg.slogdet(-literal.hessian(x, slice(None)))[1] / 2)

    slopes = [(penalised(at + e) - penalised(at - e)) / 0.02 for e in 0.01 * np.eye(len(at))]
    assert slopes == pytest.approx([0.0] * len(at), abs=2e-3)
    assert np.abs(literal.gradient(at).sum(axis=0)).max() > 0.05


@pytest.mark.slow
def test_more_clusters_than_are_left_out_one_by_one_hardly_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    from bakeoff.wings.boards.ratings import fit

    records = rows(sizes=(2,) * 200)
    exact = bo.ratings(bo.read_battles(records, covariates=["length"]))
    monkeypatch.setattr(fit, "EXACT", 20)
    some = bo.ratings(bo.read_battles(records, covariates=["length"]))
    assert some.standard_errors == pytest.approx(exact.standard_errors, rel=0.03)
    assert some.standard_errors.tolist() != exact.standard_errors.tolist()


@pytest.mark.slow
def test_neither_sides_nor_the_order_of_rows_change_anything() -> None:
    records = rows()
    turned = [
        {
            **r,
            "a": r["b"],
            "b": r["a"],
            "winner": {"a": "b", "b": "a", "tie": "tie"}[r["winner"]],
            **{f"{name}_{side}": r[f"{name}_{other}"] for name in ("length", "style") for side, other in ("ab", "ba")},
        }
        for r in reversed(records)
    ]
    one, two = (bo.ratings(bo.read_battles(each, covariates=["length", "style"])) for each in (records, turned))
    assert two.strengths == pytest.approx(one.strengths, abs=1e-12)
    assert two.covariance == pytest.approx(one.covariance, abs=1e-12)
    assert [p.verdict for p in one.pairs] == [p.verdict for p in two.pairs]
    assert [c.effect for c in two.covariates] == pytest.approx([c.effect for c in one.covariates], abs=1e-12)


def test_length_alone_made_the_difference() -> None:
    """Two equal algorithms of which one writes more, which wins: a difference without the covariate, none beside it."""
    rng = np.random.default_rng(5)
    long = rng.normal(size=600) + 1.0
    won = rng.random(600) < 1 / (1 + np.exp(-1.2 * long))
    records = [{"a": "x", "b": "y", "winner": "a" if w else "b", "more": z} for w, z in zip(won, long, strict=True)]
    assert bo.ratings(bo.read_battles(records)).pairs[0].verdict == "a better"
    found = bo.ratings(bo.read_battles(records, covariates=["more"]))
    assert found.pairs[0].verdict == "no difference shown"
    (own,) = found.covariates
    assert own.scale == pytest.approx(math.sqrt((long**2).mean()))
    assert own.interval[0] / own.scale < 1.2 < own.interval[1] / own.scale


def test_separation_by_a_covariate_is_said_and_penalised() -> None:
    records = [r | {"z": {"a": 1.0, "b": -1.0, "tie": 0.0}[r["winner"]]} for r in rows(ties=0.0, m=60)]
    table = bo.read_battles(records, covariates=["z"])
    found = bo.ratings(table)
    assert found.penalty == "firth"
    assert np.isfinite(found.strengths).all()
    (caution,) = (each for each in found.cautions if each.code == "separated")
    assert "covariates predict some outcomes without exception" in " ".join(caution.text.split())
    with pytest.raises(ParameterError, match="without an exception"):
        bo.ratings(table, penalty="none")


def test_what_is_refused() -> None:
    records = rows(m=40)
    with pytest.raises(ReadingError, match=r"no column 'lenght'.*lenght_a"):
        bo.read_battles(records, covariates=["lenght"])
    with pytest.raises(ReadingError, match="'style_a' is no number"):
        bo.read_battles(records, covariates=["style_a"])
    with pytest.raises(ParameterError, match="same on both sides"):
        bo.read_battles([r | {"w_a": 1, "w_b": 1} for r in records], covariates=["w"])
    with pytest.raises(ReadingError, match="nothing in column 'length_b'"):
        bo.read_battles([r | {"length_b": ""} for r in records], covariates=["length"])
    for word in ("n/a", "inf"):
        with pytest.raises(ReadingError, match=f"record 6, column 4 .'length_a'.: '{word}' is not a number"):
            bo.read_battles(
                [r | ({"length_a": word} if i == 5 else {}) for i, r in enumerate(records)], covariates="length"
            )
    with pytest.raises(ParameterError, match=r"beyond 1e\+100"):
        bo.read_battles([r | {"length_a": 1e300} for r in records], covariates="length")
    many = [r | {"id_a": f"w{i}", "id_b": f"v{i}"} for i, r in enumerate(records)]
    with pytest.raises(ParameterError, match="it takes 50"):
        bo.read_battles(many, covariates=["id"])
    own = {"A0": 1.0, "A1": 2.0, "A2": 5.0, "A3": 3.0, "A4": 9.0}
    fixed = [r | {"size_a": own[r["a"]], "size_b": own[r["b"]]} for r in records]
    with pytest.raises(ParameterError, match="cannot be told apart from the strengths"):
        bo.ratings(bo.read_battles(fixed, covariates=["size"]))
    with pytest.raises(BakeoffError, match="all in one cluster"):
        bo.ratings(bo.read_battles([r | {"cluster": "c"} for r in records], covariates=["length"]))


def test_columns_of_the_sides_are_recognised() -> None:
    for one, two in (("a length", "b length"), ("length_1", "length_2"), ("model_a_length", "model_b_length")):
        records = [
            {"model_a": r["a"], "model_b": r["b"], "winner": r["winner"], one: r["length_a"], two: r["length_b"]}
            for r in rows(m=30)
        ]
        assert bo.read_battles(records, covariates="length").covariates == ("length",)


@pytest.mark.slow
def test_reports_say_it_and_are_verified() -> None:
    found = bo.ratings(bo.read_battles(rows(), covariates=["length", "style"]))
    shown = " ".join(str(found).split())
    assert "by 180 battles, with length and style held equal" in shown
    assert "style=table vs list" in shown
    assert "3 covariates held equal; errors from leaving out each of 30 clusters" in shown
    data = json.loads(json.dumps(found.to_dict()))
    assert [c["covariate"] for c in data["covariates"]] == list(found.battles.covariates)
    assert bo.verify(data).ok
    data["covariates"][0]["effect"] += 0.01
    assert not bo.verify(data).ok
    for wrong in ([[1.0]], [["x"] * 3] * len(found.battles.first), None):
        broken = json.loads(json.dumps(found.to_dict()))
        broken["battles"]["differences"] = wrong
        with pytest.raises(BakeoffError):
            bo.verify(broken)


def test_the_command(tmp_path: Path) -> None:
    records = rows(m=60)
    file = tmp_path / "battles.csv"
    file.write_text("\n".join([",".join(records[0]), *(",".join(map(str, r.values())) for r in records)]))
    out = CliRunner().invoke(main, ["ratings", str(file), "--covariate", "length", "--covariate", "style", "--json"])
    assert out.exit_code == 0, out.output
    assert len(json.loads(out.stdout)["covariates"]) == 3
    wrong = CliRunner().invoke(main, ["ratings", str(file), "--better", "lower", "--covariate", "length"])
    assert wrong.exit_code == 2
    assert "is for battles" in wrong.output
