// `bakeoff compare` of a table: each pair's test, the corrections, verdicts, groups and effects. A generator, so that
// the page can pause it; it yields the share that is done.

import { MOST_SUBSETS, OF_LISTS, OF_PAIRS, adjusted, smallestAdjusted } from "./corrections.js";
import { normalQuantile } from "./distributions.js";
import { achieved, effort, kindsOf, pairEffect, reaches } from "./effects.js";
import { groupsOf, isDecided, verdictOf } from "./groups.js";
import { allPairs, mean, median } from "./numbers.js";
import { friedman } from "./omnibus.js";
import { PAIR_TESTS, halfAsFar, pairTest, rankError, smallestRaw } from "./pair_tests.js";
import { areDefined, differences, ranksPrepared, record, tableRanks } from "./ranks.js";
import { prepared, rankBiserial, signedRanks, untied } from "./signed_rank.js";
import { inRanges, isFinite2, logTable } from "./table.js";

const MOST_EFFECTS = 700; // problems
const SIGNS = ["sign", "sign-without-ties"];

/** The corrections that this script computes. */
export const corrections = (control, k) =>
  control ? OF_LISTS : OF_PAIRS.filter((name) => name !== "bergmann-hommel" || k <= MOST_SUBSETS);

/** The test and the corrections that a request means. */
export function choices(table, request, family) {
  const { pairwise, posthoc, control } = request;
  const given = posthoc === null ? [] : [posthoc].flat();
  const implied = given.some((name) => /^nemenyi/.test(name)) ? "mean-ranks" : "wilcoxon";
  const large = table.values.some((row) => row.some((x) => !(Math.abs(x) < 8e307)));
  const hasNone = ([a, b]) => large && !areDefined(differences(table, a, b), table, a, b);
  const none = implied === "wilcoxon" && allPairs(table.names.length).every(hasNone);
  const test = pairwise ?? (none ? "sign" : implied);
  const ofPairs = SIGNS.includes(test) ? "holm" : table.names.length <= MOST_SUBSETS ? "bergmann-hommel" : "shaffer";
  const usual = control === null ? ofPairs : "holm";
  const methods = given.length && given[0] !== "all" ? given : [usual];
  const tests = family.map((pair) => (test === "wilcoxon" && pairwise === null && hasNone(pair) ? "sign" : test));
  return { test, tests, methods, primary: methods[0] };
}

/** Rank sums, the ranking and what the tables' heads say. */
export function described(table) {
  const ranks = tableRanks(table);
  const n = ranks.length;
  const column = (j) => table.values.map((row) => row[j]);
  return {
    meanRanks: table.names.map((_, j) => ranks.reduce((total, row) => total + row[j], 0) / (2 * n)),
    means: table.names.map((_, j) => mean(column(j))),
    medians: table.names.map((_, j) => median(column(j))),
  };
}

/** Contrast estimation based on medians (Doksum 1967): row minus column. */
function* contrastsOf(table) {
  const centres = [];
  for (const a of table.names.keys()) {
    centres.push(mean(table.names.map((_, b) => (a === b ? 0 : median(table.values.map((row) => row[a] - row[b]))))));
    yield;
  }
  return centres.map((x) => centres.map((y) => x - y));
}

/** Verdicts of all pairs under a request: what "what if" shows, and the first half of a check. */
export function* decided(table, request) {
  yield* ranksPrepared(table);
  const k = table.names.length;
  const n = table.values.length;
  const control = request.control === null ? null : table.names.indexOf(request.control);
  const others = [...table.names.keys()].filter((j) => j !== control);
  const family = control === null ? allPairs(k) : others.map((j) => [control, j]);
  const { transform } = request;
  const measured = transform ? (transform === "log" ? logTable : inRanges)(table) : table;
  const tables = { rows: table, measured, ranked: table };
  const { test, tests, methods, primary } = choices(measured, request, family);
  const form = request.standard_error ?? (primary === "nemenyi" ? "papers" : "permutation");
  const pairs = [];
  for (const [i, [a, b]] of family.entries()) {
    const { evidence, ...found } = yield* pairTest(tests[i], tables, form)(tables, a, b);
    const [pvalue, log_pvalue] = evidence;
    pairs.push({ a: table.names[a], b: table.names[b], test: tests[i], ...record(table, a, b), pvalue, log_pvalue, ...found });
    yield i / family.length;
  }
  const values = {};
  for (const method of methods) {
    if (corrections(control !== null, k).includes(method)) values[method] = yield* adjusted(pairs, method, control !== null, k);
  }
  yield;
  const error = test === "mean-ranks" ? rankError(tableRanks(table), form) : null;
  const least = smallestRaw(test, n, k, family.length, control !== null, form === "papers" ? error : null);
  const half = test === "mean-ranks" && form === "papers" ? halfAsFar(least[0]) : null;
  const reach = smallestAdjusted(least, primary, half);
  judge(pairs, values, primary, request.alpha, reach);
  return { table, measured, control, family, tests, test, methods, primary, form, error, pairs, reach };
}

export function judge(pairs, values, primary, alpha, reach) {
  pairs.forEach((pair, i) => {
    pair.adjusted = Object.fromEntries(Object.entries(values).map(([method, list]) => [method, list[i]]));
    pair.verdict = verdictOf(pair.adjusted[primary], pair.direction, alpha, reach);
  });
}

/** Effects and intervals on the scale asked for, written into the pairs. */
export function* sized(found, request) {
  const { table, family, pairs, tests } = found;
  const { effect: scale, intervals, alpha } = request;
  const n = table.values.length;
  const m = family.length;
  const ratio = scale === "percent" || scale === "log-ratio";
  const used = scale === "a12" ? found.measured : ratio ? logTable(table) : found.measured;
  const alone = intervals === "single" || m === 1;
  const each = 1 - (alone ? alpha : alpha / m);
  const levels = alone ? [1 - alpha] : [1 - alpha, each];
  const kinds = kindsOf(used, family, tests, pairs.map((pair) => pair.ties), scale);
  yield* prepared(untied(n));
  const budget = effort(n, kinds.filter((kind) => kind === "hodges-lehmann").length, levels);
  const effects = [];
  for (const [i, pair] of family.entries()) {
    effects.push(yield* pairEffect(used, pair, kinds[i], levels, tests.includes("t"), budget));
    yield i / m;
  }
  const there = [...new Set(effects.filter(Boolean).map((one) => one.kind))];
  const single = Math.min(1 - alpha, ...there.map((kind) => achieved(n, kind, 1 - alpha)));
  const reached = Math.min(each, ...there.map((kind) => achieved(n, kind, each)));
  const unbounded = !alone && !reaches(each, reached);
  const written = (x) => (scale === "a12" ? (1 + x) / 2 : scale === "percent" ? (x < 700 ? 100 * Math.expm1(x) : Infinity) : x);
  const shown = scale === "difference" && request.transform === "log" ? "log-ratio" : scale;
  effects.forEach((one, i) => {
    const pair = pairs[i];
    pair.effect = pair.interval = null;
    if (!one) return;
    const { kind, ends } = one;
    const byOrder = kind === "hodges-lehmann" || kind === "median";
    const level = byOrder ? (reaches(1 - alpha, single) ? 1 - alpha : single) : 1 - alpha;
    const [estimate, from, to] = ends[0].map(written);
    pair.effect = { estimate, low: from, high: to, confidence_level: level, kind, scale: shown };
    let [, low, high] = ends.at(-1);
    if (unbounded && byOrder) [low, high] = [-Infinity, Infinity];
    const short = alone && level < each * (1 - 1e-12);
    const widened = intervals === "simultaneous" && !short && !isDecided(pair.verdict) && !(low <= 0 && high >= 0);
    if (widened) [low, high] = [Math.min(low, 0), Math.max(high, 0)];
    pair.interval = {
      low: written(low),
      high: written(high),
      confidence_level: alone ? level : 1 - alpha,
      each_level: alone ? level : each,
      at_verdict: widened,
      scale: shown,
    };
  });
  yield* biserials(found, effects.some(Boolean));
}

/** Of pairs with finite differences. */
function* biserials({ measured, family, pairs }, wanted) {
  for (const [i, [a, b]] of family.entries()) {
    const found = differences(measured, a, b);
    pairs[i].rank_biserial = wanted && found.values.every(isFinite) ? rankBiserial(signedRanks(found)) : null;
    yield;
  }
}

/** What keeps a report from being recomputed here, in words; empty if nothing does. */
export function beyond({ request, scores, pairwise }) {
  return [
    request.recipe && `the recipe ${request.recipe}`,
    scores.values.flat().includes(null) && "a table with missing scores",
    scores.clusters && request.unit === "cluster" && "means of clusters",
    scores.run_kind === "iteration" && "runs inside of one process",
    PAIR_TESTS.includes(pairwise) || `the pair test ${pairwise}`,
  ].filter((reason) => reason?.at);
}

/** Everything that the report says and this script knows: `expected` by the report's names, and what is `skipped`. */
export function* compared(table, data) {
  const { request, margin } = data;
  const skipped = [];
  const found = yield* decided(table, request);
  const { control, pairs, primary } = found;
  const { names } = table;
  const k = names.length;
  const methods = request.posthoc === "all" ? data.posthoc : found.methods;
  for (const method of data.posthoc) {
    if (pairs.every((pair) => method in pair.adjusted)) continue;
    const known = corrections(control !== null, k).includes(method);
    if (!known) skipped.push(`p-values adjusted by ${method}`);
    const values = known ? yield* adjusted(pairs, method, control !== null, k) : data.pairs.map((pair) => pair.adjusted[method]);
    pairs.forEach((pair, i) => {
      pair.adjusted[method] = values[i];
      // by a correction that is not recomputed, verdicts follow from the printed p
      if (method === primary) pair.verdict = verdictOf(values[i], pair.direction, request.alpha, found.reach);
    });
    if (!known && method === primary) skipped.push("whether any outcome could have reached alpha");
  }
  const { means, medians, ...ranked } = described(table);
  const byRanks = data.ranking === "friedman";
  const meanRanks = byRanks ? ranked.meanRanks : names.map((name) => data.mean_ranks[name]);
  if (!byRanks) skipped.push("mean ranks other than Friedman's");
  yield;
  const groups = control === null ? groupsOf(names, pairs, meanRanks) : [];
  const finite = names.every((_, j) => isFinite2(found.measured, j));
  const contrasts = finite ? yield* contrastsOf(found.measured) : null;
  yield;
  const omnibus = friedman(table);
  yield;
  const tests = {};
  for (const key of ["omnibus", "companion"]) {
    const printed = data[key];
    if (!printed) continue;
    if (printed.name in omnibus) {
      const { statistic, df, evidence, method } = omnibus[printed.name];
      tests[key] = { statistic, df, n_tied: omnibus.tied };
      if (printed.method === method) [tests[key].pvalue, tests[key].log_pvalue] = evidence;
      else skipped.push(`the omnibus p-value, which is ${printed.method}`);
    } else skipped.push(`the omnibus test ${printed.name}`);
  }
  const runs = table.averaged && request.effect === "a12";
  const pooled = ["tukey", "dunnett"].includes(primary) || data.omnibus.name === "anova";
  const sizeless = runs ? "over runs" : pooled ? "after an analysis of variance" : table.values.length > MOST_EFFECTS && "of many problems";
  if (sizeless) skipped.push(`effects ${sizeless}`);
  else yield* sized(found, request);
  if (margin) skipped.push("equivalence within the margin");
  if (data.detectable) skipped.push("the detectable difference");
  let critical_difference = null;
  if (data.critical_difference !== null) {
    critical_difference =
      primary === "bonferroni" && found.error !== null ? normalQuantile(request.alpha / (2 * pairs.length)) * found.error : undefined;
    if (critical_difference === undefined) skipped.push("the critical difference");
  }
  const named = (list) => Object.fromEntries(names.map((name, j) => [name, list[j]]));
  const expected = {
    alpha: request.alpha,
    control: request.control,
    n_problems: table.values.length,
    n_algorithms: k,
    better: table.better,
    pairwise: found.test,
    posthoc: methods,
    primary,
    mean_ranks: named(meanRanks),
    means: named(means),
    kendall_w: omnibus.w,
    ...tests,
    pairs: pairs.map(({ direction, verdict, interval, ...pair }) => (margin ? pair : { ...pair, verdict, interval })),
    groups: margin ? undefined : groups,
    contrasts: contrasts ?? (data.contrasts ? null : undefined),
    critical_difference,
    scores: { values: table.runs?.map((row) => row.map(naiveMean)) },
  };
  return { ...found, skipped, expected, meanRanks, means, medians, groups, contrasts, sized: !sizeless };
}

const naiveMean = (cell) => cell.reduce((a, b) => a + b, 0) / cell.length;
