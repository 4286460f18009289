"""check(): is new worse than the baseline by more than a margin, for a gate in continuous integration."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Literal

import numpy as np

from bakeoff.checks import choice, flag
from bakeoff.designed import FEATURES, contributions, refuse_features, with_weights_decide
from bakeoff.errors import ParameterError, ScoreError, by_severity, listing
from bakeoff.places import load
from bakeoff.scores import Better, Scores, check_scores
from bakeoff.scores.design import Weights
from bakeoff.wings.guard.check.statistics import baseline_store
from bakeoff.wings.guard.check.statistics.cautions import cautions_of, lacked_before
from bakeoff.wings.guard.check.statistics.judgement import (
    Judgement,
    decided_rows,
    diagnosed,
    refuse_unequal_names,
    sides_of,
)
from bakeoff.wings.guard.check.statistics.margins import (
    ANYTIME,
    Rules,
    checked_rules,
    margin_value,
    margins_and_accepted,
    require_known,
    scale_of,
    until_of,
)
from bakeoff.wings.guard.check.statistics.results import SUITE, VERDICTS, Check, CheckRow, Decision
from bakeoff.wings.guard.check.statistics.run_set import (
    Reading,
    RunSet,
    pair_of_labels,
    paths_of,
    run_set_of,
    with_later_runs,
)
from bakeoff.wings.guard.check.statistics.side_by_side import DIFFERENT, NEW, always_first, are_paired, side_by_side

CENTRED = 5  # problems that a common shift needs
Source = object  # Scores, a mapping, an array, RunSet, a path, or a list of paths


def check(
    baseline: Source,
    new: Source,
    margin: float | str,
    alpha: float = 0.01,
    correction: Literal["holm", "bh", "none"] = "holm",
    allow_missing: bool = False,
    *,
    better: Better | None = None,
    label: str | int | Iterable[str | int] | None = None,
    level: Literal["auto", "problem", "suite"] = "auto",
    test: Literal["t", "rank", "anytime"] = "t",
    scale: Literal["auto", "ratio", "difference"] = "auto",
    paired: bool | None = None,
    strict: bool = False,
    center: bool = False,
    run_sd: float | None = None,
    margins: str | os.PathLike[str] | Mapping[str, float | str] | None = None,
    accept: Mapping[str, str] | None = None,
    add: Iterable[Source] = (),
    add_baseline: Iterable[Source] = (),
    allow_different: str | Iterable[str] = (),
    format: str = "auto",
    metric: Any = None,
    truth: str | None = None,
    problem: str | None = None,
    algorithm: str | None = None,
    run: str | Sequence[str] | None = None,
    cluster: str | None = None,
    task: str | None = None,
    weights: Weights | None = None,
    serial: bool = False,
) -> Check:
    """Is the new build, or model, worse than the baseline by more than a margin?

    Use it to pass or fail a change. Not to rank algorithms (``bo.compare``), nor with one process a side (``run_sd``).

    Parameters
    ----------
    baseline : path, list of paths, Scores, mapping, array or RunSet
        Result files; ``{problem: runs}`` or (n_problems, n_runs); of ``Scores`` the ``label``; a store of baselines.
    new : path, list of paths, Scores, mapping, array or RunSet
        The same of the new build, without a store.
    margin : float or str
        The worsening that may pass: "5%" of the baseline where scores are compared by ratios, else in score units.
    alpha : float
        Chance of a false alarm per check, and of a false "ok" per problem.
    correction : {"holm", "bh", "none"}
        Of regressions, over problems.
    better : {"lower", "higher"}, optional
        Which scores are good, where the input does not say.
    label : str or (str, str), optional
        The algorithm of both sides, or of baseline and new.
    level : {"auto", "problem", "suite"}
        A test of each problem, or one test of the mean over all (for questions).
    test : {"t", "rank", "anytime"}
        Student's t, the rank test (exact if sides differ by a shift alone), or bets on pairs in random order, which
        may be looked at after each.
    scale : {"auto", "ratio", "difference"}
        Whether effects and the margin are ratios of the scores, or differences in score units.
    paired : bool, optional
        Whether runs of one name belong together; absent: as the files say.
    strict : bool
        Alarm at any worsening that is shown, however small; default False.
    center : bool
        Subtract the median effect of all problems first; default False.
    run_sd : float, optional
        Standard deviation between runs, on the scale of the effects, where it is known; to "anytime" only a guess.
    margins : path or mapping, optional
        Problems that have a margin of their own; a TOML file ([margins], [accept]) or CSV file (problem, margin).
    accept : mapping, optional
        Known regressions that may pass: ``{problem: "2026-12-31 reason"}``, until the end of that day.
    add : path or list of paths
        More runs of new, pooled with it.
    add_baseline : path or list of paths
        More runs of the baseline; of pairs, the first of these were made in turn with the first of ``add``.
    allow_missing : bool
        Problems that new lacks may pass, and a mean may be over those that both sides have; default False.
    allow_different : sequence of str
        What may differ between the two: "tool", "machine", "benchmarks".
    format : str, optional
        Of the files, as in ``bo.read_results``.
    metric : str, optional
        Of several metrics in the files, this one; of predictions how they are judged (``bo.read_predictions``).
    truth : str, optional
        Column of the truth, where baseline and new are tables of predictions of the same items.
    problem : str, optional
        Column, key or parameter that names the problem.
    algorithm : str, optional
        Column, key or parameter that names the algorithm.
    run : str or list of str, optional
        Column, key or parameter that names the run; of several ("seed,episode") the later ones are averaged first.
    cluster : str, optional
        Column, key or parameter of the problems' clusters.
    task : str, optional
        Of a table the column of the task that a problem is a question of.
    weights : {"tasks", "problems", "clusters"}, optional
        What counts equally in the mean over all problems, as in ``bo.read_scores``.
    serial : bool
        The problems are rows of one series in time (days), whose mean is judged by its independent averages.

    Returns
    -------
    Check
        ``.decision`` "ok", "regressed" or "inconclusive", ``.verdict`` the sentence; ``.rows``, each with ``.verdict``,
        ``.effect`` (positive is worse), ``.interval``, ``.detectable``; ``.diagnostics``, ``.cautions``.

    Notes
    -----
    θ is the worsening, m the margin. Regressed: p of θ ≤ m, one-sided and corrected, is at most alpha. Ok: p of θ ≥ m,
    uncorrected, as "all are ok" must hold for each (Berger 1982). Paired t, or Welch's; questions: clustered t. Up to
    four runs, or three different differences: p ≥ 2⁻ⁿ (pairs) or 1/C(2n, n). Runs that do not differ: p = 1.

    Examples
    --------
    >>> import bakeoff as bo
    >>> old = {"sort": [1.00, 1.02, 0.99, 1.01, 0.98, 1.00]}
    >>> new = {"sort": [1.21, 1.19, 1.20, 1.22, 1.18, 1.20]}
    >>> found = bo.check(old, new, "5%", better="lower")
    >>> found.decision, round(found.rows[0].effect, 3)
    ('regressed', 0.2)
    """
    first, second = pair_of_labels(label)
    sides = {"problem": problem, "algorithm": algorithm, "cluster": cluster, "task": task}
    rules: dict[str, Any] = {"alpha": alpha, "correction": correction, "level": level, "test": test, "scale": scale}
    rules["strict"] = strict
    if truth is not None:
        several: dict[str, object] = {"add": add, "add_baseline": add_baseline, "run": run, "margins": margins}
        several |= {"accept": accept, "allow_different": allow_different, "allow_missing": allow_missing}
        several |= {"center": center, "run_sd": run_sd, "format": format != "auto", "paired": paired is False}
        _refuse_of_runs(several)
        from bakeoff.predictions._read_predictions import read_sides  # lists of runs need no reader

        scores = read_sides(baseline, new, truth, metric, better, labels=(first, second), weights=weights, **sides)
        return judge(scores.with_design(serial=True) if serial else scores, margin, **rules, paired=True)
    runs = run if run is None or isinstance(run, str) else ",".join(map(str, run))
    how = Reading("", better, None, format, {"metric": metric, "run": runs, **sides})
    before = baselines(baseline, first, how)
    own, accepted = margins_and_accepted(margins, accept)
    more_before = [side(each, "add_baseline", first, how) for each in _listed(add_baseline)]
    if more_before and len(before) > 1:
        raise ParameterError("needs one baseline; a store has several: update it", parameter="add_baseline")
    return check_run_sets(
        before,
        side(new, NEW, second, how),
        margin,
        more=[side(each, "add", second, how) for each in _listed(add)],
        more_before=more_before,
        allow_different=allow_different,
        weights=weights,
        serial=serial or any(isinstance(each, Scores) and each.serial for each in (baseline, new)),
        allow_missing=allow_missing,
        paired=paired,
        center=center,
        run_sd=run_sd,
        margins=own,
        accept=accepted,
        **rules,
    )


def _refuse_of_runs(options: Mapping[str, object]) -> None:
    """Refuse what speaks of runs, benchmarks or their files: of predictions every item was predicted once by each."""
    for name, value in options.items():
        if value is not None and value is not False and value != ():
            raise ParameterError(
                "does not go with truth=, where both sides predict the same items once; leave it out", parameter=name
            )


def side(source: Source, parameter: str, label: str | int | None, how: Reading) -> RunSet:
    """Read what a user gives for one side."""
    if paths := paths_of(source):
        from bakeoff.wings.guard.check.statistics.result_files import of_paths

        name = None if label is None else str(label)
        return of_paths(paths, replace(how, parameter=parameter, label=name), parameter.startswith("add"))
    return run_set_of(source, parameter, how.better, label)


def baselines(source: Source, label: str | int | None, how: Reading) -> dict[str, RunSet]:
    """One baseline, or those of a store."""
    if isinstance(source, str | os.PathLike) and baseline_store.is_baseline_store(os.fspath(source)):
        return baseline_store.read_baselines(os.fspath(source))
    return {"baseline": side(source, "baseline", label, how)}


def check_run_sets(
    before: Mapping[str, RunSet],
    new: RunSet,
    margin: float | str,
    *,
    more: Sequence[RunSet] = (),
    more_before: Sequence[RunSet] = (),
    allow_different: str | Iterable[str] = (),
    weights: Weights | None = None,
    serial: bool = False,
    paired: bool | None = None,
    accept: Mapping[str, str] | None = None,
    about: Mapping[str, str] | None = None,
    exact: Iterable[str] = (),
    **options: Any,
) -> Check:
    """The measurements of all sides, compared; ``more`` are re-runs of new, ``more_before`` of a single baseline."""
    *old, after = with_later_runs(
        [*before.values(), new], [*([list(more_before)] + [[]] * (len(before) - 1)), list(more)]
    )
    before = dict(zip(before, old, strict=True))
    allowed = [choice("allow_different", each, DIFFERENT) for each in _listed(allow_different)]
    scores, context = side_by_side(before, after, allowed, weights, flag("serial", serial))
    if paired is None:
        paired = are_paired(old, after)
    elif paired and not all(side.named for side in (*old, after)):
        refuse_unequal_names(scores)
    context |= {
        "looks": 1 + max(len(more), len(more_before)),
        "together": after.run_kind in ("process", "iteration") and paired,
        "unit": after.unit,
        "always_first": always_first(before, after) if paired else "",
        **({"about": dict(about), "exact": list(exact)} if about else {}),
        **({"accepted": dict(accept), "today": date.today().isoformat()} if accept else {}),
    }
    return judge(scores, margin, paired=flag("paired", paired), context=context, **options)


def judge(
    scores: Scores,
    margin: float | str,
    *,
    alpha: float = 0.01,
    correction: str = "holm",
    allow_missing: bool = False,
    level: str = "auto",
    test: str = "t",
    scale: str = "auto",
    paired: bool = False,
    strict: bool = False,
    center: bool = False,
    run_sd: float | None = None,
    margins: Mapping[str, float | str] | None = None,
    context: Mapping[str, object] | None = None,
) -> Check:
    """A check of a table whose last column is new and whose others are baselines, one number per independent run.

    ``context``: what the files said besides scores (failures, iterations, re-runs), as in the JSON of a check.
    """
    scores = check_scores(scores, holes=True)
    if scores.serial:
        if level == "problem":
            rule = "cannot be 'problem' with serial=, as the mean over rows in time is judged; leave it out"
            raise ParameterError(rule, parameter="level")
        level = SUITE
    if scores.predicted is not None:  # items stand for others, and all of them for a metric
        level, scale = (SUITE if level == "auto" else level), ("difference" if scale == "auto" else scale)
        if contributions(scores) and (level, scale) != (SUITE, "difference"):
            rule = f"must be left out: the {scores.metric} is of all items, and compared by its difference"
            raise ParameterError(rule, parameter="level" if level != SUITE else "scale")
    about: dict[str, Any] = dict(context or {})
    limit, percent = margin_value(margin)
    choice("test", test, ("t", "rank", ANYTIME))
    choice("level", level, ("auto", "problem", SUITE))
    allow_missing = flag("allow_missing", allow_missing)
    processes = scores.run_kind in ("process", "iteration")
    one_by_one = level != SUITE and scores.run_kind != "answer"
    used = scale_of(scores, scale, limit, percent, processes, one_by_one)
    require_known(margins or {}, scores.problems, "margins")
    judging: dict[str, Any] = {"alpha": alpha, "correction": correction, "strict": strict, "run_sd": run_sd}
    chosen = _level(scores, level, used.ratio)
    if chosen == SUITE:
        refuse_features(scores, load("wings.guard.check:RECORDS")[0])
    rules = checked_rules(
        limit,
        margins or {},
        used,
        **judging,
        exact=about.get("exact", ()),
        level=chosen,
        test=test,
        pair=flag("paired", paired),
        center=flag("center", center),
        allow_missing=allow_missing,
    )
    request = {
        "margin": margin if isinstance(margin, str) else float(margin),
        **{name: getattr(rules, name) for name in ("alpha", "correction", "allow_missing")},
        "level": level,
        "test": test,
        "scale": scale,
        "paired": rules.pair,
        **{name: getattr(rules, name) for name in ("strict", "center", "run_sd")},
        "margins": dict(margins) if margins else None,
        "context": about,
    }
    return _judged(scores, rules, request, about)


def _judged(scores: Scores, rules: Rules, request: Mapping[str, Any], about: Mapping[str, Any]) -> Check:
    _consistent(scores, rules)
    if rules.level == SUITE and not rules.allow_missing:
        _refuse_missing(scores)
    sides = sides_of(scores, rules)
    failed = {str(k): str(v) for k, v in about.get("failed", {}).items()}
    judgement = decided_rows(scores, sides, rules, failed)
    if judgement.unit == "run":
        record = load("wings.guard.check:RECORDS")[0]
        independent = replace(record, respects=frozenset((*FEATURES, "weights")) - {"folds", "sized folds"})
        refuse_features(scores, independent, "runs in separate processes, or with separate seeds")
    judgement = replace(judgement, rows=_with_margins(judgement.rows, rules, about))
    diagnostics = diagnosed(scores, judgement, rules)
    result = Check(
        decision=_overall(row.verdict for row in judgement.rows if not row.accepted),
        rows=judgement.rows,
        margin=rules.limit,
        **{name: getattr(rules, name) for name in ("alpha", "correction", "level", "strict")},
        scale="ratio" if rules.scale.ratio else "difference",
        test=judgement.test,
        paired=rules.pair,
        unit=judgement.unit,
        scores=scores,
        request=request,
        only_new=_only_new(scores, failed, about),
        diagnostics=diagnostics,
        cautions=tuple(by_severity(cautions_of(scores, judgement, rules, diagnostics, about))),
    )
    return _with_weights_decide(result, judgement) if rules.level == SUITE else result


def _refuse_missing(scores: Scores) -> None:
    """A mean over what both sides have errs if the baseline lacks what it would have done badly."""
    if names := lacked_before(scores):
        raise ScoreError(
            f"lacks {listing(map(repr, names))}, which new has, and a mean over the others is too good for the "
            "baseline if it failed there. If they are missing for another reason, say allow_missing=True; or judge "
            "each problem: level='problem'",
            parameter="baseline",
        )


def _with_weights_decide(result: Check, judgement: Judgement) -> Check:
    """With the caution where other weights turn the sign of the mean difference to some baseline."""
    record = load("wings.guard.check:RECORDS")[0]
    for side in judgement.sides:
        cautions = with_weights_decide(record, replace(result, scores=side.table)).cautions
        if cautions != result.cautions:
            return replace(result, cautions=cautions)
    return result


def _level(scores: Scores, level: str, ratio: bool) -> str:
    """Questions are a sample, and decided by their mean; benchmarks are decided one by one."""
    if level != "auto":
        return level
    single = scores.runs is None and scores.n_problems > 1 and not ratio
    return SUITE if scores.run_kind == "answer" or single else "problem"


def _consistent(scores: Scores, rules: Rules) -> None:
    if rules.test == ANYTIME and (not rules.pair or rules.level == SUITE or rules.center):
        rule = "needs runs of both sides that belong together, a test per problem, and no centring; got "
        what = "unpaired runs" if not rules.pair else "center" if rules.center else "one test of the suite"
        raise ParameterError(f"'anytime' {rule}{what}", parameter="test")
    if rules.own and rules.level == SUITE:
        raise ParameterError("needs a test per problem; this is one test of the suite", parameter="margins")
    if rules.center and (rules.level == SUITE or scores.n_problems < CENTRED):
        rule = f"needs a test per problem and {CENTRED} problems or more: it subtracts what all of them have in common"
        raise ParameterError(rule, parameter="center")
    if rules.test == "rank" and (rules.run_sd is not None or rules.level == SUITE):
        rule = "must be 't' with run_sd or for one test of the whole suite: these have no ranks"
        raise ParameterError(rule, parameter="test")


def _overall(verdicts: Iterable[Decision]) -> Decision:
    """Regressed if any row is; ok only if all are."""
    return min(verdicts, key=VERDICTS.index, default="ok")


def _with_margins(rows: Iterable[CheckRow], rules: Rules, about: Mapping[str, Any]) -> tuple[CheckRow, ...]:
    """Each with its margin, and whether its regression was accepted; a failure never is."""
    accept, made = about.get("accepted", {}), list(rows)
    require_known(accept, (row.problem for row in made), "accept")
    passes = {p: text for p, text in accept.items() if until_of(p, text) >= until_of("today", about.get("today", ""))}
    measured = [row.verdict == "regressed" and row.effect is not None for row in made]
    return tuple(
        replace(row, margin=rules.margin_of(row.problem), accepted=passes.get(row.problem, "") if may_pass else "")
        for row, may_pass in zip(made, measured, strict=True)
    )


def _only_new(scores: Scores, failed: Mapping[str, str], about: Mapping[str, Any]) -> tuple[str, ...]:
    """Problems that no baseline has, nor failed in."""
    before = about.get("failed_before", {})
    absent = np.flatnonzero((scores.n_runs[:, :-1] == 0).all(axis=1))
    return tuple(scores.problems[i] for i in absent if scores.problems[i] not in before)


def _listed(value: Any) -> list[Any]:
    single = isinstance(value, str | os.PathLike | Scores | Mapping | RunSet)
    return [value] if single else list(value)
