"""Write the measured part of docs/guides/race.md and its figures: races over finished tables, and what they save.

python docs/generate/race_replays.py             writes the section and the figures from docs/guides/race.json
python docs/generate/race_replays.py --measure   races over all leaderboards anew first (about a minute)
python docs/generate/race_replays.py --check     exits 1 if section or figures are not current
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import page_command
import race_choosing

import bakeoff as bo
from bakeoff.figures import diagram, to_svg
from bakeoff.wings.run.race.figure import SurvivorsPlot

DOCS = Path(__file__).resolve().parents[1]
PAGE, STORED = DOCS / "guides" / "race.md", DOCS / "guides" / "race.json"
Q, N, BOARDS = 100, 500, 100
METHODS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("e-sign", {}),
    ("e-choose", {}),
    ("f-race-sign", {}),
    ("f-race-mean-ranks", {}),
    ("bayes", {}),
)
ANYTIME = ("e-sign", "e-choose")
CEC_HEADS = ("method", "evaluations", "survivors", "best", "eliminated, in order")
BOARD_HEADS = ("method", "guaranteed error", "evaluations", "survivors", "best lost", "better ones")


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


def board_row(method: str, row: dict[str, float], boards: int) -> list[str]:
    promised = "≤ 5 %" if method in ANYTIME else "none"
    lost = f"{row['best_lost']} of {boards}"
    return [method, promised, f"{row['spent']:.1f} %", f"{row['survivors']:.1f}", lost, f"{row['better']:.1f}"]


def cec_row(method: str, options: dict[str, Any]) -> list[str]:
    race = bo.race.replay(bo.datasets.load("derrac_cec2005"), method=method, **options)
    dropped = ", ".join(left.algorithm for left in race.eliminated) or "–"
    spent = f"{race.evaluations} of {race.full_evaluations}"
    return [method, spent, str(len(race.survivors)), str(race.best), dropped]


def files() -> dict[Path, str]:
    """The content of each file."""
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    boards = [board_row(method, row, stored["boards"]) for method, row in stored["rules"].items()]
    parts = {
        "cec": page_command.table(CEC_HEADS, [cec_row(*method) for method in METHODS], None),
        "boards": page_command.table(BOARD_HEADS, boards, None),
        "choosing": page_command.table(race_choosing.HEADS, race_choosing.rows(stored["choosing"]), None),
        "n_boards": str(BOARDS),
        "races": str(race_choosing.RACES),
    }
    race = bo.race.replay(leaderboard(0))
    return {
        PAGE: page_command.filled(PAGE, parts),
        DOCS / "figures" / "race-leaderboard.svg": to_svg(diagram(race)),
        DOCS / "figures" / "race-survivors.svg": to_svg(diagram(SurvivorsPlot(race=race))),
    }


if __name__ == "__main__":
    sys.exit(page_command.run(sys.argv[1:], "docs/generate/race_replays.py", files, measure))
