"""Results as other programs wrote them -> Scores.

``FORMATS`` says where each format is, ``sources`` lists the files, ``formats`` recognises each by its signature, a file
per format yields a ``measurement`` after another, ``measurements`` gathers them, chooses the metric, makes the table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bakeoff.places import Registry

if TYPE_CHECKING:
    from bakeoff.wings.formats.measurement import Format

FORMATS: Registry[Format] = Registry(
    {
        # micro-benchmarks
        "hyperfine": "wings.formats.hyperfine:FORMAT",
        "pytest-benchmark": "wings.formats.pytest_benchmark:FORMAT",
        "google-benchmark": "wings.formats.google_benchmark:FORMAT",
        "go": "wings.formats.go_bench:FORMAT",
        "bakeoff-time": "wings.formats.bakeoff_time:FORMAT",
        "jmh": "wings.formats.jmh:FORMAT",
        "pyperf": "wings.formats.pyperf:FORMAT",
        "js-framework-benchmark": "wings.formats.js_framework:FORMAT",
        "asv": "wings.formats.asv:FORMAT",
        "criterion": "wings.formats.criterion:FORMAT",
        "catch2": "wings.formats.catch2:FORMAT",
        "locust": "wings.formats.load_tests:FORMATS",
        "k6": "wings.formats.load_tests:FORMATS",
        # optimization
        "ioh": "wings.formats.ioh:FORMAT",
        "coco": "wings.formats.coco:FORMAT",
        # solvers
        "aslib": "wings.formats.aslib:FORMAT",
        "benchexec": "wings.formats.benchexec:FORMAT",
        # evaluations of models
        "lm-eval": "wings.formats.lm_eval:FORMAT",
        "inspect": "wings.formats.inspect_ai:FORMAT",
        "helm": "wings.formats.helm:FORMAT",
        "mteb": "wings.formats.mteb:FORMAT",
        "trec-eval": "wings.formats.trec_eval:FORMAT",
        # tuning, tracking, tables
        "imported": "wings.formats.imported:FORMAT",
        "scikit-learn": "wings.formats.scikit_learn:FORMAT",
        "optuna": "wings.formats.optuna:FORMAT",
        "mlflow": "wings.formats.tracking:FORMATS",
        "wandb": "wings.formats.tracking:FORMATS",
        "automlbenchmark": "wings.formats.csv_dialects:FORMATS",
        "tabarena": "wings.formats.csv_dialects:FORMATS",
        "openml": "wings.formats.csv_dialects:FORMATS",
        "jmetal": "wings.formats.csv_dialects:FORMATS",
        "aeon": "wings.formats.aeon:FORMAT",
        "rliable": "wings.formats.rliable:FORMAT",
    }
)
"""One line each, tried in this order."""
