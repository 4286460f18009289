"""Write the measured part of docs/guides/race.md and its figures: races over finished tables, and what they save.

python docs/generate/race_replays.py             writes the section and the figures from docs/guides/race.json
python docs/generate/race_replays.py --measure   races over all leaderboards anew first (about a minute)
python docs/generate/race_replays.py --check     exits 1 if section or figures are not current
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import page_command
import race_choosing

import bakeoff as bo
from bakeoff.figures import diagram, to_svg
from bakeoff.figures.geometry.race.survivors import SurvivorsPlot

DOCS = Path(__file__).resolve().parents[1]
PAGE, STORED = DOCS / "guides" / "race.md", DOCS / "guides" / "race.json"
BEGIN, END = "<!-- written by race_replays.py -->\n", "<!-- end -->\n"
Q, N, BOARDS = 100, 500, 100
METHODS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("e-sign", {}),
    ("e-rank", {}),
    ("e-choose", {}),
    ("sequential-halving", {"budget": 10_000}),
    ("irace", {}),
    ("f-race-sign", {}),
    ("f-race-mean-ranks", {}),
    ("wilcoxon", {}),
    ("bayes", {}),
)


ANYTIME = ("e-sign", "e-rank", "e-choose")


def leaderboard(seed: int) -> bo.Scores:
    """100 models on 500 tasks: abilities uniform on 0 to 1, noise of standard deviation 1; model-000 is the best."""
    rng = np.random.default_rng(seed)
    ability = np.sort(rng.uniform(size=Q))[::-1]
    scores = ability + rng.normal(size=(N, 1)) + rng.normal(size=(N, Q))
    return bo.Scores(scores, [f"model-{i:03d}" for i in range(Q)], [f"task-{t:03d}" for t in range(N)], better="higher")


def measured(method: str, options: dict[str, Any]) -> dict[str, float]:
    """Means over all leaderboards: evaluations spent in percent, survivors, models truly better than the one chosen."""
    found = [bo.race.replay(leaderboard(seed), method=method, **options) for seed in range(BOARDS)]
    spent = np.mean([100.0 * race.evaluations / race.full_evaluations for race in found])
    return {
        "spent": round(float(spent), 1),
        "survivors": round(float(np.mean([len(race.survivors) for race in found])), 1),
        "best_lost": sum("model-000" not in race.survivors for race in found),
        "better": round(float(np.mean([int(race.best[-3:]) for race in found])), 1),
    }


def measure() -> None:
    rules = {}
    for method, options in METHODS:
        rules[method] = measured(method, options)
        sys.stderr.write(f"{method} {rules[method]}\n")
    found = {"boards": BOARDS, "rules": rules, "choosing": race_choosing.measured()}
    STORED.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def board_row(method: str, row: dict[str, float], boards: int) -> str:
    promised = "≤ 5 %" if method in ANYTIME else "none"
    cells = [
        f"{row['spent']:.1f} %",
        f"{row['survivors']:.1f}",
        f"{row['best_lost']} of {boards}",
        f"{row['better']:.1f}",
    ]
    return f"| {method} | {promised} | {' | '.join(cells)} |"


def cec_row(method: str, options: dict[str, Any]) -> str:
    race = bo.race.replay(bo.datasets.load("derrac_cec2005"), method=method, **options)
    dropped = ", ".join(left.algorithm for left in race.eliminated) or "–"
    spent = f"{race.evaluations} of {race.full_evaluations}"
    return f"| {method} | {spent} | {len(race.survivors)} | {race.best} | {dropped} |"


def cec_rows() -> Iterator[str]:
    for method, options in METHODS:
        yield cec_row(method, {"budget": 112} if options else {})


def text(rows: list[str], choosing: list[str]) -> str:
    return f"""\
### CEC'2005: nine optimisers on 25 functions

| method | evaluations | survivors | best | eliminated, in order |
|---|---|---|---|---|
{chr(10).join(cec_rows())}

With 25 problems only PSO is eliminated with a guarantee, and little is saved: the table does not contain the
evidence for what the rules without a guarantee eliminate. (Sequential halving divides its problems among its
rounds, so it cannot spend its whole budget here.)

### A leaderboard of 100 models on 500 tasks

Abilities uniform on 0 to 1, noise of standard deviation 1 on each score; {BOARDS} such leaderboards (seeds 0 on).
*Best lost*: in how many the truly best model was eliminated. *Better ones*: how many models are truly better than the
one chosen, on average.

| method | guaranteed error | evaluations | survivors | best lost | better ones |
|---|---|---|---|---|---|
{chr(10).join(rows)}

e-sign and e-rank save three fifths of the evaluations, and in none of these leaderboards was the best one lost; they
keep the models that 500 tasks cannot tell apart from it. The rules without a guarantee spend a third of that or less
and choose a model nearly as good, but eliminate the best one in a third to seven tenths of the races: they may serve to
select a model, but not to claim that it is the best. (Sequential halving spends what 500 tasks allow in seven rounds.)

![The race over the first leaderboard: evidence against each model](../figures/race-leaderboard.svg)

![Survivors of that race beside the best one](../figures/race-survivors.svg)

### What e-choose saves

Simulated tables, {race_choosing.RACES} races of each kind over N problems in blocks of five, tolerance 0.6; evaluations
as a share of the full design. *Better ones*: how many candidates are truly better than the one chosen (of e-sign: than
the one with the best mean rank). *Ended*: the share of races of e-choose that ended with a claim before the problems
did.

| candidates | N | evaluations, e-sign | e-choose | better ones, e-sign | e-choose | ended |
|---|---|---|---|---|---|---|
{chr(10).join(choosing)}
"""


def files() -> dict[Path, str]:
    """The content of each file."""
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    rows = [board_row(method, row, stored["boards"]) for method, row in stored["rules"].items()]
    choosing = race_choosing.rows(stored["choosing"])
    race = bo.race.replay(leaderboard(0))
    return {
        PAGE: page_command.with_section(PAGE, BEGIN, END, text(rows, choosing)),
        DOCS / "figures" / "race-leaderboard.svg": to_svg(diagram(race)),
        DOCS / "figures" / "race-survivors.svg": to_svg(diagram(SurvivorsPlot(race=race))),
    }


if __name__ == "__main__":
    sys.exit(page_command.run(sys.argv[1:], "docs/generate/race_replays.py", files, measure))
