"""Folders as lm-eval 0.4.13 writes them (evaluator.py and loggers/evaluation_tracker.py)."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

TIME = "2026-11-21T12-31-12.833999"


def line(doc: int, /, *, filter: str = "none", hashed: str = "", **scores: Any) -> dict[str, Any]:
    """A sample with the keys and the order of lm_eval 0.4.13 (evaluator.py)."""
    return {
        "doc_id": doc,
        "doc": {"question": f"Q{doc}?", "passage": f"p{doc // 2}"},
        "target": "no",
        "arguments": {"gen_args_0": {"arg_0": f"Q{doc}?"}},
        "resps": [["lol"]],
        "filtered_resps": ["lol"],
        "filter": filter,
        "metrics": list(scores),
        "doc_hash": hashed or f"{doc:064x}",
        "prompt_hash": "0" * 64,
        "target_hash": "1" * 64,
        **scores,
    }


def model(
    folder: Path,
    name: str,
    tasks: Mapping[str, list[dict[str, Any]]],
    *,
    time: str = TIME,
    higher: Mapping[str, bool] | None = None,
    **header: Any,
) -> Path:
    """A folder as lm-eval writes it."""
    out = folder / name
    out.mkdir(parents=True, exist_ok=True)
    for task, lines in tasks.items():
        text = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in lines)
        (out / f"samples_{task}_{time}.jsonl").write_text(text, encoding="utf-8")
    results = {task: {"alias": task, "acc,none": 0.5, "acc_stderr,none": 0.1} for task in tasks}
    said = {task: {"acc": True} | dict(higher or {}) for task in tasks}
    (out / f"results_{time}.json").write_text(
        json.dumps({"results": results, "higher_is_better": said, "model_name": name, **header})
    )
    return out
