// The answer to a plain table: what `bakeoff compare` says of it with its defaults, as a report holds it, and in words.
// Where this part of the analysis ends, an error says why, and the command goes on.

import { exactTail } from "./column_sums.js";
import { compared } from "./compare.js";
import { isDecided } from "./groups.js";
import { aligned, asRank, equalDecimals, fixed, general, pPhrase, placesOfColumn, pvalueText, score, significant } from "./numerals.js";
import { friedman } from "./omnibus.js";
import { plainCautions } from "./plain_cautions.js";
import { tableRanks } from "./ranks.js";
import { fill } from "./fill.js";
import { count, listed, verdictSentence } from "./sentences.js";
import { readTable } from "./table.js";
import { plain } from "./texts.js";

const EFFECT_DIGITS = 3;

const REQUEST = {
  control: null, omnibus: "iman-davenport", pairwise: null, posthoc: null, alpha: 0.05, recipe: null, standard_error: null,
  transform: null, effect: "difference", intervals: "simultaneous", unit: "cluster", rng: null,
};

const filled = (text, values) => text.replace(/\{(\w+)(?::[^}]*)?\}/g, (_, key) => values[key]);

/** Both statistics with their p, exact where the program takes it so. */
function* omnibusOf(table) {
  const limits = friedman(table);
  const exact = yield* exactTail(tableRanks(table));
  const tests = ["iman-davenport", "friedman"].map((name) => {
    const { statistic, df, evidence, method } = limits[name];
    const instead = exact && method !== "exact";
    const [pvalue, log_pvalue] = instead ? exact : evidence;
    return { name, statistic, df, pvalue, log_pvalue, method: instead ? "exact" : method, ties: "corrected", n_tied: limits.tied };
  });
  return { tests, kendall_w: limits.w };
}

/** The confidence of the intervals beside the verdicts. */
export const levelOf = ({ pairs }) => `${general(100 * pairs[0].interval.confidence_level)} %`;

/** The verdict on two algorithms, with the size of the difference. */
function pairSentence(pair, n, alpha) {
  const p = pPhrase(pair.pvalue, pair.log_pvalue, alpha);
  const names = listed([pair.a, pair.b]);
  if (pair.verdict === "cannot tell") {
    return fill("cannot-tell", { what: fill("cannot-tell.pair", { pair: names }), units: count(n, "problem"), alpha, where: "" });
  }
  if (!isDecided(pair.verdict)) return fill("no-difference", { whom: fill("no-difference.pair", { pair: names, p }) });
  const { a, b, effect, interval } = asShown(pair);
  let size = "";
  if (effect.estimate > 0) {
    size = `, ${effect.kind === "mean" ? "on average by" : "typically by"} ${score(effect.estimate)}`;
    const ends = equalDecimals(numbersOf({ effect, interval }).slice(1), EFFECT_DIGITS);
    if (isFinite(interval.high - interval.low)) size += ` (${levelOf({ pairs: [pair] })} interval ${ends.join(" to ")})`;
  }
  return fill("pair-differs", { winner: plain(a), loser: plain(b), p, size });
}

/** The data of a report on the table, with its cautions; `words` has sentences and names of the program. */
export function* plainAnswer(source, better, words) {
  const scores = { better, ...source, runs: null };
  const table = readTable(scores);
  const [n, k] = [table.values.length, table.names.length];
  const { tests, kendall_w } = yield* omnibusOf(table);
  const [omnibus, companion] = tests;
  const start = { request: REQUEST, posthoc: [], ranking: "friedman", critical_difference: null, omnibus, companion };
  const found = yield* compared(table, start);
  const { pairs, primary, meanRanks, means, medians, groups, contrasts } = found;
  const { alpha } = REQUEST;
  if (!found.sized || pairs.some(({ effect }) => !effect)) throw Error("the effects of its pairs are not computed here");
  if (pairs.some(({ effect }) => effect.kind === "mean" && isFinite(effect.low))) {
    throw Error("many differences are 0, so that effects are means with intervals");
  }
  const verdict = pairs.length === 1 ? pairSentence(pairs[0], n, alpha) : verdictSentence({ names: table.names, pairs, control: null, meanRanks, omnibus: omnibus.pvalue, n, alpha });
  const perfect = omnibus.statistic === Infinity;
  const facts = { n, k, alpha, pairs, reach: found.reach, primary, omnibus, perfect, table };
  const cautions = plainCautions(facts, words);
  const named = (list) => Object.fromEntries(table.names.map((name, j) => [name, list[j]]));
  const data = {
    schema: "bakeoff.compare/1", verdict, better, n_problems: n, n_algorithms: k, alpha, control: null, recipe: null, primary,
    posthoc: [primary], pairwise: found.test, omnibus, companion, kendall_w, ranking: "friedman", mean_ranks: named(meanRanks),
    means: named(means), critical_difference: null, pairs: pairs.map(({ direction, ...pair }) => pair), groups, contrasts, request: REQUEST, scores,
  };
  return { data, cautions, table, meanRanks, means, medians };
}

// --- in words ---------------------------------------------------------------------------------------------------

const bestFirst = (meanRanks) => [...meanRanks.keys()].sort((a, b) => meanRanks[a] - meanRanks[b] || a - b);

/** Rows of the ranking: place, name, mean rank, group, mean, median, record. */
export function rankingRows({ data, table, meanRanks, means, medians }) {
  const [shownMeans, shownMedians] = [means, medians].map(aligned);
  const letters = data.groups.length <= 26;
  return bestFirst(meanRanks).map((j) => {
    const name = table.names[j];
    const own = meanRanks[j];
    const place = 1 + meanRanks.filter((x) => x < own).length;
    const tied = meanRanks.filter((x) => x === own).length > 1;
    const record = [0, 0, 0];
    for (const { a, b, wins, ties, losses } of data.pairs) {
      if (a !== name && b !== name) continue;
      [wins, ties, losses].forEach((count, i) => (record[a === name ? i : 2 - i] += count));
    }
    const group = letters ? data.groups.map((one, i) => (one.includes(name) ? "abcdefghijklmnopqrstuvwxyz"[i] : "")).join("") : "";
    return [`${place}${tied ? "=" : ""}`, plain(name), asRank(own), group, shownMeans[j], shownMedians[j], record.join(" / ")];
  });
}

/** A pair with the better one first. */
function asShown(pair) {
  const behind = !isDecided(pair.verdict) && -pair.effect.estimate > pair.effect.estimate;
  if (pair.verdict !== "b better" && !behind) return pair;
  const turned = ({ low, high, ...rest }) => ({ ...rest, low: 0 - high, high: 0 - low });
  return {
    ...pair, a: pair.b, b: pair.a, wins: pair.losses, losses: pair.wins,
    verdict: pair.verdict === "b better" ? "a better" : pair.verdict,
    effect: { ...turned(pair.effect), estimate: 0 - pair.effect.estimate },
    interval: turned(pair.interval),
  };
}

const nearNull = ({ low, high }, end) => Math.abs(end) <= (isFinite(high - low) ? 1e-9 * (high - low) : 0);
const numbersOf = ({ effect, interval }) => [effect.estimate, ...[interval.low, interval.high].map((end) => (nearNull(interval, end) ? 0 : end))];

function effectText(pair, usual, places, words) {
  const { effect, interval, verdict } = pair;
  const numbers = numbersOf(pair);
  const small = places === null || numbers.some((x) => x && Math.abs(x) < 0.5 * 10 ** -places);
  const [word, low, high] = small ? equalDecimals(numbers, EFFECT_DIGITS) : numbers.map((x) => (x ? fixed(x, places) : "0"));
  const openLow = !isFinite(interval.low) || (nearNull(interval, interval.low) && interval.low > 0);
  const openHigh = !isFinite(interval.high) || (nearNull(interval, interval.high) && interval.high < 0);
  const holdsNull = isDecided(verdict) && interval.low <= 0 && interval.high >= 0;
  const text = `${word} ${openLow ? "(" : "["}${low}, ${high}${openHigh ? ")" : "]"}${holdsNull ? "*" : ""}`;
  return effect.kind === usual ? text : `${text} ${words.kinds[effect.kind]}`;
}

/** Rows of the pairs, clearest first: names, verdict, adjusted p, effect, record, raw p. */
export function pairRows({ data }, words) {
  const { primary, alpha } = data;
  const usual = data.pairs[0].effect.kind;
  const places = placesOfColumn(data.pairs.map(numbersOf), EFFECT_DIGITS);
  const rounded = (x) => +x.toPrecision(12); // equal p of several pairs stay in the order of the columns
  const order = (x, y) => rounded(x.adjusted[primary]) - rounded(y.adjusted[primary]) || rounded(x.log_pvalue) - rounded(y.log_pvalue);
  return [...data.pairs].sort(order).map(asShown).map((pair) => [
    plain(pair.a),
    plain(pair.b),
    isDecided(pair.verdict) ? "first better" : pair.verdict,
    ...(data.pairs.length > 1 ? [pvalueText(pair.adjusted[primary], null, alpha)] : []),
    effectText(pair, usual, places, words),
    [pair.wins, pair.ties, pair.losses].join(" / "),
    pvalueText(pair.pvalue, pair.log_pvalue, alpha),
  ]);
}

const outcome = ({ statistic, df, pvalue, log_pvalue, name }, alpha) =>
  `${name === "friedman" ? "χ²" : "F"} = ${significant(statistic, 5)} with ${df.join(" and ")} degree${df.length === 1 && df[0] === 1 ? "" : "s"} of freedom, ${pPhrase(pvalue, log_pvalue, alpha)}`;

/** What the verdict rests on. */
export function basisOf({ data: { pairs, primary, alpha, better } }, words) {
  const how = pairs.length > 1 ? `${words.corrections[primary]} over ${pairs.length} pairs, family-wise` : "One pair, no correction,";
  return `${how} α = ${alpha}; ${better} scores are better.`;
}

export const omnibusLine = ({ data: { omnibus, n_algorithms: k, alpha } }) =>
  k === 2 ? "" : `Test of all ${k}: F = ${significant(omnibus.statistic, 5)}, ${pPhrase(omnibus.pvalue, omnibus.log_pvalue, alpha)}.`;

function each(level) {
  const places = Math.max(0, 1 - Math.floor(Math.log10(100 * (1 - level))));
  return `${(100 * level).toFixed(places)} %`;
}

function testsOfPairs({ pairs, n_algorithms: k, alpha, primary }, say) {
  const m = pairs.length;
  const hypothesis = filled(say.null, { unit: "problem" });
  if (m === 1) {
    const names = listed([pairs[0].a, pairs[0].b]);
    return `${filled(say.one, { names })} by two-sided ${say.wilcoxon}${filled(say.alone, { alpha, null: hypothesis })}`;
  }
  const level = filled(say.level, { rate: say.rate, alpha, m, null: hypothesis });
  return `${filled(say.all, { m, k })} by two-sided ${say.wilcoxon}. The p-values were adjusted by ${say.corrections[primary]}${level}${say.transitive}`;
}

/** The paragraph for the paper. */
export function paragraphOf({ data }, words) {
  const { paragraph: say } = words;
  const { alpha, omnibus, companion, pairs, n_problems: n, n_algorithms: k } = data;
  const m = pairs.length;
  const exact = omnibus.method === "exact" ? say.exact : "";
  const kinds = [...new Set(pairs.map(({ effect }) => effect.kind))];
  const [first, ...others] = kinds.map((kind) => say.kinds[kind]);
  const phrase = others.length ? `${first}${say.units}; where marked, ${others.join(", ")}` : first + say.units;
  const promise = filled(m > 1 ? say.promise : say["promise.one"], { level: `${levelOf(data)} confidence`, m, each: each(1 - alpha / m) });
  const marks = kinds.map((kind) => say.marks[kind]).join("");
  return [
    `${k} algorithms were compared on ${count(n, "problem")} (${data.better} scores are better). ${say.weights}`,
    `${filled(say.omnibus, { test: say.test + say.ties + exact + say.marks.omnibus, outcome: outcome(omnibus, alpha) })} (Friedman's statistic: ${outcome(companion)}).`,
    filled(say.agreement, { unit: "problem", phrase: say.kendall, w: fixed(data.kendall_w, 3) }),
    testsOfPairs(data, say),
    `Effects are given as ${phrase}${marks} with ${promise}, and ${say.biserial}; positive values favour the algorithm named first.`,
    say.software,
  ].join(" ");
}
