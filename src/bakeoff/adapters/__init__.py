"""Results as other programs wrote them -> Scores.

``FORMATS`` says where each format is, ``sources`` lists the files, ``formats`` recognises each by its signature, a file
per format yields a ``measurement`` after another, ``measurements`` gathers them and chooses the metric, ``cells`` makes
the table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bakeoff.places import Registry

if TYPE_CHECKING:
    from bakeoff.adapters.measurement import Format

FORMATS: Registry[Format] = Registry(
    {
        # micro-benchmarks
        "hyperfine": "adapters.hyperfine:FORMAT",
        "pytest-benchmark": "adapters.pytest_benchmark:FORMAT",
        "google-benchmark": "adapters.google_benchmark:FORMAT",
        "go": "adapters.go_bench:FORMAT",
        "bakeoff-time": "adapters.bakeoff_time:FORMAT",
        "jmh": "adapters.jmh:FORMAT",
        "pyperf": "adapters.pyperf:FORMAT",
        "js-framework-benchmark": "adapters.js_framework:FORMAT",
        "asv": "adapters.asv:FORMAT",
        "criterion": "adapters.criterion:FORMAT",
        "catch2": "adapters.catch2:FORMAT",
        "locust": "adapters.load_tests:FORMATS",
        "k6": "adapters.load_tests:FORMATS",
        # optimization
        "ioh": "adapters.ioh:FORMAT",
        "coco": "adapters.coco:FORMAT",
        # solvers
        "aslib": "adapters.aslib:FORMAT",
        "benchexec": "adapters.benchexec:FORMAT",
        # evaluations of models
        "lm-eval": "adapters.lm_eval:FORMAT",
        "inspect": "adapters.inspect_ai:FORMAT",
        "helm": "adapters.helm:FORMAT",
        "mteb": "adapters.mteb:FORMAT",
        "trec-eval": "adapters.trec_eval:FORMAT",
        # tuning, tracking, tables
        "imported": "adapters.imported:FORMAT",
        "scikit-learn": "adapters.scikit_learn:FORMAT",
        "optuna": "adapters.optuna:FORMAT",
        "mlflow": "adapters.tracking:FORMATS",
        "wandb": "adapters.tracking:FORMATS",
        "automlbenchmark": "adapters.csv_dialects:FORMATS",
        "tabarena": "adapters.csv_dialects:FORMATS",
        "openml": "adapters.csv_dialects:FORMATS",
        "jmetal": "adapters.csv_dialects:FORMATS",
        "aeon": "adapters.aeon:FORMAT",
        "rliable": "adapters.rliable:FORMAT",
    }
)
"""One line each, tried in this order."""
