"""Of ``compare``: what the tests of every analysis take."""

from __future__ import annotations

import bakeoff as bo
from analysis_examples import Example, Ordinary
from ordinary_tables import close, clustered, described, gaps, runs, table

EXAMPLE = Example(
    results={
        "compare": lambda: bo.compare(bo.datasets.load("demsar_2006")),
        "scores": lambda: bo.score_table(bo.datasets.load("demsar_2006"), ranks=True),
    },
    decisions={"compare": "difference", "scores": None},
    on_the_page={
        "compare": "better=lower",
        "compare?": "better=lower&control=B&posthoc=holm&posthoc=hochberg&margin=5%25&effect=a12&alpha=0.1&drop=p3",
    },
    ordinary={
        "compare": Ordinary(
            lambda: bo.compare(table()),
            lacks=(
                "scales-differ.average left-out.versions left-out rough.f "
                "counted-as-worst.missing-scores infinite.scores effect-against-verdict "
                "interval-below-level interval-below-level.unbounded dependence many-problems missing "
                "too-few.differing-problems near-ties not-finite not-paired nothing-differs "
                "omnibus-alone omnibus-not-rejected one-problem infinite.overflow ties.rounded-scores "
                "left-out.runs scales-differ infinite.undefined-differences not-computed.effects "
                "not-computed.effects-on-pages ties.scores too-few doubtful-reading.rows error-rate "
                "unfinished-experiment out-of-reach not-computed.correction "
                "doubtful-reading.direction left-out.tasks doubtful-reading.runs averaged.spreads "
                "doubtful-reading.names one-stem left-out.files"
            ),
        ),
        "compare, of two": Ordinary(
            lambda: bo.compare(table(20, 2)),
            lacks="interval-below-level scales-differ out-of-reach ties.rounded-scores",
        ),
        "compare, of runs": Ordinary(
            lambda: bo.compare(runs(20, 3, 4)), has="omnibus-not-rejected", lacks="not-paired out-of-reach unequal.runs"
        ),
        "compare, of clusters": Ordinary(lambda: bo.compare(clustered()), lacks="dependence too-few weights-decide"),
        "compare, with a margin": Ordinary(
            lambda: bo.compare(close(), margin=0.5),
            has="omnibus-not-rejected",
            lacks=("margin-beyond-scores too-few.margin-differences margin-of-the-median out-of-reach.margin"),
        ),
        "compare, with a control": Ordinary(
            lambda: bo.compare(table(20, 4), control="A1", posthoc="holm"),
            lacks=(
                "error-rate.false-discoveries error-rate.finner pool-dependent.li papers-formula.rom quade-sensitive"
            ),
        ),
        "compare, by mean ranks": Ordinary(
            lambda: bo.compare(table(30, 4, 2.0), pairwise="mean-ranks"),
            has="assumes-all-alike",
            lacks="papers-formula pool-dependent not-checked.pool",
        ),
        "compare, by a recipe": Ordinary(
            lambda: bo.compare(table(30, 4, 2.0), recipe="demsar-2006"), has="assumes-all-alike", lacks="gate-closed"
        ),
        "compare, by signed ranks": Ordinary(
            lambda: bo.compare(table(20, 4, 1.0), pairwise="wilcoxon"), lacks="assumes-all-alike pool-dependent"
        ),
        "compare, with gaps": Ordinary(
            lambda: bo.compare(gaps(), missing="bounds"),
            has="missing.bounds",
            lacks="missing.verdicts missing.gathered different-problems left-out.problems-without-pairs",
        ),
        "score_table": Ordinary(
            lambda: bo.score_table(table(), ranks=True), lacks="scales-differ.average ties.rounded-scores"
        ),
    },
    one_process={
        "compare": bo.compare,
        "compare with a margin": lambda s: bo.compare(s, margin="20%"),
        "compare with a control": lambda s: bo.compare(s, "a"),
    },
    turned={"compare": (lambda: bo.datasets.load("demsar_2006"), lambda s: bo.compare(s, posthoc="holm", margin=0.05))},
    clusters={
        "compare": (
            "means",
            lambda s: [[p.pvalue, p.effect.estimate, p.effect.low] for p in bo.compare(s, posthoc="holm").pairs],
        ),
        "score_table": ("within", lambda s: [bo.score_table(s).mean_ranks, bo.score_table(s).averages]),
    },
    forged={
        "compare of runs": lambda: bo.compare(described()),
        "with a control": lambda: bo.compare(bo.datasets.load("demsar_2006"), control="C4.5", margin="1%"),
        "of a recipe": lambda: bo.compare(bo.datasets.load("derrac_cec2005"), recipe="demsar-2006"),
    },
    quick_to_forge=("compare", "compare of runs", "of a recipe"),
)
