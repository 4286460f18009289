"""Run folders of HELM: per_instance_stats.json and run_spec.json."""

import math
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from bakeoff.errors import ParameterError, ReadingError
from bakeoff.scores import Better
from bakeoff.wings.formats.measurement import Choices, Format, Measurement, Origin, entry_at, setting
from bakeoff.wings.formats.source_file import SourceFile

MATCHES = ("exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match")
HIGHER = frozenset({*MATCHES, "f1_score", "rouge_1", "rouge_2", "rouge_l", "bleu_1", "bleu_4"})
"""Metrics that are better higher; of the others HELM's files say nothing."""
SIGNATURES = {
    "per_instance_stats.json": r'\s*\[\s*\{\s*"instance_id"',
    "run_spec.json": r'\s*\{\s*"name"\s*:.*"adapter_spec"',
    "stats.json": r'\s*\[\s*\{\s*"name"\s*:\s*\{\s*"name"',
}


def recognise(file: SourceFile) -> bool:
    name = os.path.basename(file.path)
    return name in SIGNATURES and bool(re.match(SIGNATURES[name], file.text_head, re.DOTALL))


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: scenario/instance_id; algorithm: the model; run: the draw of training examples, another answer to it."""
    if choices.cluster not in (None, "scenario"):
        raise ParameterError(f"must be 'scenario' or left out; got {choices.cluster!r}", parameter="cluster")
    instances = [file for file in files if os.path.basename(file.path) == "per_instance_stats.json"]
    if not instances:
        raise ReadingError(
            f"{files[0].path}: the folder of a HELM run needs per_instance_stats.json, which has each question; "
            "stats.json has means over all of them only"
        )
    specs = {os.path.dirname(file.path): file for file in files if os.path.basename(file.path) == "run_spec.json"}
    for file in instances:
        folder = os.path.dirname(file.path)
        beside = os.path.join(folder, "run_spec.json")
        spec = specs.get(folder) or (SourceFile(beside) if os.path.isfile(beside) else None)
        yield from _questions(file, {} if spec is None else spec.json(), choices)


def _questions(file: SourceFile, spec: Mapping[str, Any], choices: Choices) -> Iterator[Measurement]:
    name = str(spec.get("name") or os.path.basename(os.path.dirname(os.path.abspath(file.path))))
    scenario, model = _parts(name)
    if choices.algorithm is not None:
        algorithm = setting(spec, choices.algorithm)
    else:
        algorithm = file.label or str(entry_at(spec, "adapter_spec", "model") or model)
    origin, cluster = Origin(file.path, "HELM"), None if choices.cluster is None else scenario
    of_scenario = partial(Measurement, run_kind="answer", cluster=cluster, origin=origin, task=scenario)
    for instance in file.json():
        if instance.get("perturbation"):
            continue
        for each in instance["stats"]:
            about = each["name"]
            if about.get("perturbation") or about.get("split", "test") != "test" or about.get("sub_split"):
                continue
            mean = each.get("mean") if each.get("count") else None
            problem, run = f"{scenario}/{instance['instance_id']}", str(instance.get("train_trial_index", 0))
            score, status = (math.nan, "no score") if mean is None else (float(mean), "ok")
            better: Better | None = "higher" if about["name"] in HIGHER else None
            yield of_scenario(problem, algorithm, score, about["name"], better, run, status=status)


def _parts(name: str) -> tuple[str, str]:
    """``mmlu:subject=anatomy,model=org_m`` -> its scenario without the model, and the model."""
    scenario, _, settings = name.partition(":")
    arguments = [each for each in settings.split(",") if each]
    models = [each.removeprefix("model=") for each in arguments if each.startswith("model=")]
    others = [each for each in arguments if not each.startswith("model=")]
    return scenario + (":" + ",".join(others) if others else ""), models[0] if models else name


FORMAT = Format(
    "helm",
    "HELM",
    recognise,
    read,
    beside=r"(config|costs|instances|run_spec|scenario|scenario_state|stats|per_instance_stats|display_\w+)\.json",
    tasks=True,
)
