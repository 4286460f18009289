"""The published tables of docs/atlas.md: where each comes from, how it is read, and what was published about it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One published table, and the command that judges it."""

    title: str
    community: str
    file: str  # the upstream files in one: as they are, or written as rows
    options: tuple[str, ...]
    cluster: str | None  # what is added where problems share a source
    shares: str = ""  # what problems of a cluster share
    kind: str = ""  # of score, for the range of standard deviations
    score: str = ""  # what the scores are, if the kind does not say it
    log: bool = False
    scale: float = 1.0  # to a score from 0 to 1
    repository: str
    commit: str
    path: str
    form: str = "as published"
    licence: str
    cite: str
    learnt: str  # {shared}: algorithms that share the first place; {rows}: the same where each problem counts
    counts: bool = True  # False: the same results are in another table of this page


FLAT = "nested JSON written as rows, no value changed"
TSML = {"repository": "time-series-machine-learning/tsml-eval", "commit": "b7166541", "licence": "BSD-3-Clause"}
AMLB = {"repository": "openml/automlbenchmark", "commit": "dfe8d21", "licence": "MIT"}
PROBLEMS = {
    "repository": "openproblems-bio/website",
    "commit": "76ce7f2",
    "form": FLAT,
    "licence": "CC-BY / MIT",
    "cite": "Luecken et al. 2025, Nature Biotechnology",
    "kind": "metrics scaled to 0–1",
}
SCALED = ("--better", "higher", "--problem", "dataset_id,metric", "--score", "scaled")
CONTROLS = (
    "embed_cell_types",
    "embed_cell_types_jittered",
    "no_integration",
    "no_integration_batch",
    "shuffle_integration",
    "shuffle_integration_by_batch",
    "shuffle_integration_by_cell_type",
)
"""Methods that are known to be perfect or useless, to scale the metrics by."""
INCOMPLETE = ("AutoARIMA", "Stat. Ensemble", "AutoETS", "DeepAR", "TabPFN-TS")
LABEL_CONTROLS = ("", "true_labels", "majority_vote", "random_labels")


def dropped(*names: str) -> tuple[str, ...]:
    return tuple(word for name in names for word in ("--drop", name))


TABLES = {
    "bakeoff": Table(
        title="Bake off redux",
        community="time series classification",
        file="tsml_bakeoff_redux_best.tar.gz",
        options=(),
        cluster=None,
        kind="accuracy",
        path="tsml_eval/publications/y2023/tsc_bakeoff/results/best/*_accuracy.csv",
        cite="Middlehurst, Schäfer & Bagnall 2024, Data Mining and Knowledge Discovery 38",
        learnt="142 data sets tell most of eight classifiers apart. The two at the top stay together, as published.",
        **TSML,
    ),
    "tser": Table(
        title="Time series extrinsic regression",
        community="time series regression",
        file="tsml_results_regression.tar.gz",
        options=(*dropped("RDST", "RIST"), "--missing", "drop"),
        cluster=None,
        kind="RMSE",
        log=True,
        path="results/regression/*_rmse.csv",
        cite="Guijo-Rubio, Middlehurst, Arcencio, Silva & Bagnall 2024, Data Mining and Knowledge Discovery 38",
        learnt="Of 21 regressors {shared} share the first place. RDST and RIST lack eight problems and are left out.",
        **TSML,
    ),
    "gift": Table(
        title="GIFT-Eval, every third entry",
        community="forecasting",
        file="gift_eval_41_models.tar.gz",
        options=("--better", "lower", "--score", "eval_metrics/MASE[0.5]"),
        cluster="prefix",
        shares="a source of series, at several frequencies and horizons",
        kind="forecast error",
        log=True,
        repository="SalesforceAIResearch/gift-eval",
        commit="4fd98a9",
        path="results/*/all_results.csv",
        licence="Apache-2.0",
        cite="Aksu et al. 2024, arXiv:2410.10393",
        learnt="97 rows come from 20 sources. By sources {shared} models share the first place, by rows {rows}.",
    ),
    "fev": Table(
        title="fev-bench, 25 models with all tasks",
        community="forecasting",
        file="fev_bench.tar.gz",
        options=("--better", "lower", "--score", "test_error", *dropped(*INCOMPLETE)),
        cluster="prefix",
        shares="a source of series",
        kind="forecast error",
        log=True,
        repository="autogluon/fev",
        commit="1bc95fd",
        path="benchmarks/fev_bench/results/*.csv",
        licence="Apache-2.0",
        cite="Shchur et al. 2025, arXiv:2509.26468",
        learnt="The leaderboard replaces failed tasks and tasks seen in training; here every score counts as measured.",
    ),
    "amlb": Table(
        title="AutoML benchmark 2019, four hours",
        community="AutoML",
        score="AUC, or minus log loss",
        file="amlb_2019_4h_all_results.csv.gz",
        options=("--metric", "result", "--missing", "worst"),
        cluster=None,
        path="reports/old/tables/4h/all_results.csv",
        cite="Gijsbers et al. 2019, arXiv:1907.00909",
        learnt="Four of seven frameworks have runs without a result, which count as the worst here.",
        **AMLB,
    ),
    "amlb-small": Table(
        title="AutoML benchmark 2019, small tasks",
        community="AutoML",
        score="AUC, or minus log loss",
        file="amlb_2019_results_small-8c4h.csv.gz",
        options=("--metric", "result", "--missing", "worst"),
        cluster=None,
        path="reports/old/input/results_small-8c4h.csv",
        cite="Gijsbers et al. 2019, arXiv:1907.00909",
        learnt="AUC on ten tasks, log loss on six: the column that equals the result tells which, and the direction.",
        counts=False,
        **AMLB,
    ),
    "rainbow": Table(
        title="Rainbow and its parts",
        community="reinforcement learning",
        score="game score",
        file="atari5_RAINBOW.csv.gz",
        options=("--better", "higher"),
        cluster=None,
        repository="maitchison/Atari-5",
        commit="118cad5",
        path="RAINBOW.csv",
        licence="MIT",
        cite="Aitchison, Sweetser & Hutter 2023, ICML; Hessel et al. 2018, AAAI",
        learnt="55 games are enough to tell Rainbow from its parts. One score per game says nothing about seeds.",
    ),
    "dopamine": Table(
        title="Dopamine's baselines",
        community="reinforcement learning",
        score="game score",
        file="dopamine_final5.csv.gz",
        options=("--better", "higher", *dropped("DQN (Adam + MSE in JAX)", "Quantile (JAX)", "QR-DQN")),
        cluster="prefix",
        shares="a game, played with three networks",
        repository="google/dopamine",
        commit="5873f54",
        path="baselines/atari/data/*.json",
        form="mean of the last five iterations of each run, as rows",
        licence="Apache-2.0",
        cite="Castro et al. 2018, arXiv:1812.06110",
        learnt="Three networks playing one game are one game. The 60 games show what the 180 rows do.",
    ),
    "hpob": Table(
        title="HPO-B after 100 evaluations",
        community="hyperparameter optimization",
        file="hpob_best_at_100.csv.gz",
        options=("--better", "higher"),
        cluster="space",
        shares="a search space",
        kind="accuracy scaled within the data set",
        repository="releaunifreiburg/HPO-B",
        commit="68ec051",
        path="results/*.json",
        form=FLAT,
        licence="MIT",
        cite="Pineda Arango, Jomaa, Wistuba & Grabocka 2021, NeurIPS Datasets and Benchmarks",
        learnt="86 data sets lie in 16 search spaces. By spaces {shared} share the first place, by rows {rows}.",
    ),
    "moabb": Table(
        title="MOABB, left against right hand",
        community="brain–computer interfaces",
        file="moabb_within_session_lr.csv.gz",
        options=("--better", "higher"),
        cluster=None,
        kind="ROC AUC",
        scale=0.01,
        repository="NeuroTechX/moabb",
        commit="1d8a638",
        path="results/within_session_mi_left_vs_right_hand.csv",
        licence="BSD-3-Clause",
        cite="Chevallier et al. 2024, arXiv:2404.15319",
        learnt="Ten data sets cannot tell 19 pipelines apart. The subjects behind each mean might.",
    ),
    "integration": Table(
        title="Open Problems, batch integration",
        community="single-cell biology",
        file="openproblems_batch_integration.csv.gz",
        options=(*SCALED, *dropped(*CONTROLS)),
        cluster="dataset_id",
        shares="a data set, measured by 13 metrics",
        path="results/batch_integration/data/results.json",
        learnt="13 metrics of one data set are not 13 data sets, and six data sets cannot tell 19 methods apart.",
        **PROBLEMS,
    ),
    "labels": Table(
        title="Open Problems, label projection",
        community="single-cell biology",
        file="openproblems_label_projection.csv.gz",
        options=(*SCALED, *dropped(*LABEL_CONTROLS)),
        cluster="dataset_id",
        shares="a data set, measured by four metrics",
        path="results/label_projection/data/results.json",
        learnt="Accuracy and three kinds of F1 are four views of one prediction: the table has six data sets, not 24.",
        **PROBLEMS,
    ),
    "pythia": Table(
        title="Pythia, zero-shot accuracy",
        community="language models",
        file="pythia_lm_eval.tar.gz",
        options=("--problem", "task", "--metric", "acc"),
        cluster="prefix",
        shares="a benchmark",
        kind="accuracy of a task",
        repository="EleutherAI/pythia",
        commit="a19eecb",
        path="evals/pythia-v1/*/zero-shot/*step143000.json",
        licence="Apache-2.0",
        cite="Biderman et al. 2023, ICML",
        learnt="57 of 65 tasks are MMLU. By tasks the first place is clear; by benchmarks {shared} of four share it.",
    ),
    "js": Table(
        title="js-framework-benchmark",
        community="web frameworks",
        file="js_framework_benchmark_total.csv.gz",
        options=("--better", "lower"),
        cluster=None,
        kind="time",
        log=True,
        repository="krausest/js-framework-benchmark",
        commit="afe7c11",
        path="webdriver-ts/results.json",
        form=FLAT,
        licence="MIT",
        cite="Krause, js-framework-benchmark",
        learnt="15 tasks cannot carry 31 878 pairs. A control chosen beforehand, or runs within a task, can say more.",
    ),
    "bbh": Table(
        title="BIG-Bench Hard, Codex",
        community="language models",
        file="bbh_codex_per_question.csv.gz",
        options=("--better", "higher"),
        cluster="task",
        shares="a task",
        kind="exact match of a question",
        repository="suzgunmirac/BIG-Bench-Hard",
        commit="9ee07bd",
        path="code-davinci-002-outputs/",
        form="answers marked by our own exact match, as rows",
        licence="MIT",
        cite="Suzgun et al. 2022, arXiv:2210.09261",
        learnt="By tasks the verdict is the same; counted as 6 511 independent questions, p was far too small.",
    ),
}

TIREX_WINS = {
    "TimesFM-2.5": 0.545,
    "Toto-1.0": 0.685,
    "Chronos-Bolt": 0.835,
    "Moirai-2.0": 0.825,
    "TabPFN-TS": 0.72,
    "Sundial-Base": 0.905,
    "Stat. Ensemble": 0.92,
    "AutoARIMA": 0.95,
    "AutoETS": 0.92,
    "AutoTheta": 0.99,
    "Seasonal Naive": 1.0,
    "Naive": 0.99,
    "Drift": 0.99,
}
"""The share of 100 tasks on which TiRex has the lower error, ties as half: tables/pairwise_SQL.csv of the leaderboard.

Failed tasks count as Seasonal Naive's, and those seen in training as Chronos-Bolt's.
"""
TOP_GROUP = {"HC2", "MR-Hydra"}
"""The two that perform significantly better than the others: abstract of Middlehurst et al. (2024)."""

AMLB_RANKS = {
    "h2oautoml": 1.758,
    "autosklearn": 2.606,
    "tpot": 2.939,
    "tunedrandomforest": 3.727,
    "randomforest": 4.561,
    "autoweka": 5.591,
    "constantpredictor": 6.818,
}
"""Mean ranks of the mean results in reports/old/tables/4h/result_summary.csv, of the 33 tasks without a failed run.

Six digits make a tie of randomforest and autoweka on one task, which the folds do not.
"""
