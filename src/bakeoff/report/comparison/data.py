"""The content of ``--json``: plain numbers, strings and lists; what is not finite becomes null and a caution."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any

from bakeoff.comparison import Comparison, Effect, Pair
from bakeoff.errors import Caution
from bakeoff.report.comparison import sentences
from bakeoff.report.comparison.methods import cited_keys, versions
from bakeoff.scores import Scores

SCHEMA = "bakeoff.compare/1"


def to_dict(comparison: Comparison, command: str | None = None) -> dict[str, Any]:
    """Everything a script may want of a comparison, under the keys of the contract."""
    c, s = comparison, comparison.scores
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "verdict": sentences.verdict(c),
        "better": s.better,
        "n_problems": s.n_problems,
        "n_algorithms": s.n_algorithms,
        "alpha": c.alpha,
        "control": c.control,
        "recipe": c.recipe,
        "primary": c.primary,
        "posthoc": list(c.posthoc),
        "pairwise": c.pairwise,
        "omnibus": _test(c.omnibus),
        "companion": None if c.companion is None else _test(c.companion),
        "kendall_w": c.kendall_w,
        "ranking": c.ranking,
        "mean_ranks": dict(zip(s.algorithms, map(float, c.mean_ranks), strict=True)),
        "critical_difference": c.critical_difference,
        "pairs": [_pair(pair) for pair in c.pairs],
        "groups": [list(group) for group in c.groups],
        "contrasts": None if c.contrasts is None else c.contrasts.tolist(),
        "steps": [
            {"name": step.name, "title": step.title, "outcome": step.outcome, "passed": step.passed} for step in c.steps
        ],
        "choices": [{"parameter": x.parameter, "value": x.value, "reason": x.reason} for x in c.choices],
    }
    return finite(content | provenance(s, c.cautions, cited_keys(c), command))


def provenance(
    s: Scores, cautions: Iterable[Caution], references: Iterable[str], command: str | None
) -> dict[str, Any]:
    """How every report ends: cautions, what was left out, whom to cite, what computed it from what."""
    content: dict[str, Any] = {
        "cautions": [{"code": x.code, "text": x.text, "reference": x.reference} for x in cautions],
        "dropped": list(s.dropped),
        "filled": [list(cell) for cell in s.filled],
        "references": list(references),
        "versions": versions(),
        "input_sha256": s.source_sha256,
    }
    return content | ({"command": command} if command else {})


def dump(content: dict[str, Any]) -> str:
    """As text."""
    return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _test(test: Any) -> dict[str, Any]:
    found = {
        "name": str(test.name),
        "statistic": float(test.statistic),
        "df": [int(x) if float(x).is_integer() else float(x) for x in test.df],
        "pvalue": float(test.pvalue),
        "log_pvalue": float(test.log_pvalue),
    }
    for key in ("method", "ties"):
        if (value := getattr(test, key, None)) is not None:
            found[key] = str(value)
    if (n_tied := getattr(test, "n_tied", None)) is not None:
        found["n_tied"] = int(n_tied)
    if (interval := getattr(test, "confidence_interval", None)) is not None:
        found["confidence_interval"] = [float(x) for x in interval]
    return found


def _pair(pair: Pair) -> dict[str, Any]:
    return {
        "a": pair.a,
        "b": pair.b,
        "statistic": pair.statistic,
        "pvalue": pair.pvalue,
        "log_pvalue": pair.log_pvalue,
        "adjusted": dict(pair.adjusted),
        "verdict": pair.verdict,
        "effect": None if pair.effect is None else _effect(pair.effect),
        "wins": pair.wins,
        "ties": pair.ties,
        "losses": pair.losses,
        "rank_biserial": pair.rank_biserial,
    }


def _effect(effect: Effect) -> dict[str, float]:
    return {
        "estimate": effect.estimate,
        "low": effect.low,
        "high": effect.high,
        "confidence_level": effect.confidence_level,
    }


def finite(content: dict[str, Any]) -> dict[str, Any]:
    """JSON has no infinity: null in its place, and a caution that says where and what it was."""
    places: list[str] = []
    cleaned: dict[str, Any] = _cleaned(content, "", places)
    if places:
        shown = ", ".join(places[:5]) + (f" and {len(places) - 5} more" if len(places) > 5 else "")
        text = f"JSON has no infinite numbers; null stands at {shown}."
        cleaned["cautions"].append({"code": "not-finite", "text": text, "reference": ""})
    return cleaned


def _cleaned(value: Any, path: str, places: list[str]) -> Any:
    if isinstance(value, dict):
        return {key: _cleaned(item, f"{path}.{key}" if path else key, places) for key, item in value.items()}
    if isinstance(value, list):
        return [_cleaned(item, f"{path}[{i}]", places) for i, item in enumerate(value)]
    if isinstance(value, float) and not math.isfinite(value):
        places.append(f"{path} ({value:g})")
        return None
    return value
