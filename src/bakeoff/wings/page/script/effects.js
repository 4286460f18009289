// How much better a is than b, with an interval at each of some levels: a Hodges–Lehmann estimate (1963), a median
// (Thompson 1936), a mean, or a difference of shares (Tango 1998), as the test and the ties ask for.

import { binomialTail, normalQuantile, tQuantile } from "./distributions.js";
import { median, sorted } from "./numbers.js";
import { meanAndError } from "./pair_tests.js";
import { areDefined, differences, record, tolerance } from "./ranks.js";
import { tangoEnds } from "./shares.js";
import { EXACT_LIMIT, deviates, largestSum, signedRankEvidence, signedRanks, untiedTail } from "./signed_rank.js";
import { isFinite2, twoValues } from "./table.js";

const MANY_TIES = 0.2; // share of problems without a difference beyond which the effect is a mean
export const FEWEST = 15; // problems that differ, below which such a mean has no bounds
const INVERTED = 150; // differences with ties up to which the test is inverted
const NEARLY_ONE = 1 + 1e-12; // (1 − 0.95)/2 is not 0.025 in binary
const tailOf = (level) => ((1 - level) / 2) * NEARLY_ONE;
export const reaches = (level, achieved) => achieved >= level * (1 - 1e-12);

export function kindsOf(table, family, tests, ties, scale) {
  const n = table.values.length;
  const [low, high] = twoValues(table) ?? [0, 0];
  return family.map(([a, b], i) => {
    if (scale === "a12") return "a12";
    if (low < high) return "share";
    let kind =
      { t: "mean", sign: "median", "sign-without-ties": "median", mcnemar: "share" }[tests[i]] ?? "hodges-lehmann";
    if (kind === "hodges-lehmann" && ties[i] / n > MANY_TIES) kind = "mean";
    return kind === "mean" && !(isFinite2(table, a) && isFinite2(table, b)) ? "median" : kind;
  });
}

// --- shares -----------------------------------------------------------------------------------------------------

const share = (wins, losses, n, level) => [(wins - losses) / n, ...tangoEnds(wins, losses, n, normalQuantile((1 - level) / 2))];

// --- means ------------------------------------------------------------------------------------------------------

function studentInterval(found, level) {
  const { estimate, error, n } = meanAndError(found);
  if (!(error > 0 && error < Infinity)) return [estimate, -Infinity, Infinity];
  const reach = tQuantile((1 - level) / 2, n - 1) * error;
  return [estimate, estimate - reach, estimate + reach];
}

const differing = (values) => values.reduce((count, d) => count + (d !== 0), 0);
const manyTies = (values) => (values.length - differing(values)) / values.length > MANY_TIES;

/** The number that many differences are, and how the others differ from it. */
function fromUsual(found) {
  if (manyTies(found.values)) return [0, found];
  const usual = median(found.values);
  const scales = found.scales.map((s) => Math.max(s, Math.abs(usual)));
  const values = found.values.map((d, i) => (Math.abs(d - usual) <= tolerance(scales[i]) ? 0 : d - usual));
  const other = values.some((d) => !isFinite(d)) || !manyTies(values);
  return other ? [0, found] : [usual, { values, scales }];
}

/** A mean where many differences are one number: problems not seen may carry the largest. */
function tiedMean(found, level) {
  const { estimate, error } = meanAndError(found);
  const [usual, rest] = fromUsual(found);
  if (!(error > 0 && error < Infinity) || (differing(rest.values) < FEWEST && manyTies(rest.values))) {
    return [estimate, -Infinity, Infinity];
  }
  const unseen = 2 + Math.max(0, Math.ceil(Math.log2(0.05 / (1 - level)) - 1e-9));
  const ends = [1, -1].map((side) => {
    let { values, scales } = rest;
    values = values.map((d) => side * d);
    if (manyTies(values)) {
      const largest = Math.max(...values.map(Math.abs));
      values = values.concat(new Array(unseen).fill(-largest));
      scales = scales.concat(new Array(unseen).fill(Math.max(...scales)));
    }
    return side * studentInterval({ values, scales }, level)[1];
  });
  return [estimate, usual + ends[0], usual + ends[1]];
}

// --- medians ----------------------------------------------------------------------------------------------------

function medianCut(n, level) {
  let cut = 0;
  while (cut <= n >> 1 && binomialTail(n - cut - 1, n)[0] <= tailOf(level)) cut++;
  return [cut, Math.max(0, 1 - 2 * binomialTail(n - cut, n)[0])];
}

function medianInterval({ values }, level) {
  const d = sorted(values);
  const n = d.length;
  const [cut] = medianCut(n, level);
  const [low, high] = [d[(n - 1) >> 1], d[n >> 1]];
  return [low === -high ? 0 : 0.5 * low + 0.5 * high, d[cut], d[n - 1 - cut]];
}

// --- Hodges and Lehmann -----------------------------------------------------------------------------------------

const cuts = new Map();

/** How many Walsh averages lie beyond either end, and the confidence achieved. */
function walshCut(n, level) {
  const key = `${n} ${level}`;
  if (!cuts.has(key)) {
    let found;
    if (n <= EXACT_LIMIT) {
      const cut = Math.max(largestSum(n, tailOf(level)), 0);
      found = [cut, Math.max(0, 1 - 2 * untiedTail(n, cut))];
    } else {
      const reach = (normalQuantile(tailOf(level)) * untiedDeviation(n)) / 2;
      found = [Math.max(Math.floor((n * (n + 1)) / 4 - reach), 0), level];
    }
    cuts.set(key, found);
  }
  return cuts.get(key);
}

/** All (d_i + d_j)/2, i ≤ j, ascending; one of opposite infinities is none. */
function walshAverages(values) {
  const halves = sorted(values).map((d) => d / 2);
  const found = new Float64Array((halves.length * (halves.length + 1)) / 2);
  let count = 0;
  for (let i = 0; i < halves.length; i++) {
    for (let j = i; j < halves.length; j++) {
      const x = halves[i] + halves[j];
      if (x === x) found[count++] = x;
    }
  }
  return found.subarray(0, count).sort();
}

function estimated(averages, cut) {
  const last = averages.length - 1;
  const half = last >> 1;
  const [lower, upper] = [averages[half], averages[(last + 1) >> 1]];
  return [
    lower === upper ? lower : 0.5 * lower + 0.5 * upper,
    averages[Math.min(cut, half)],
    averages[Math.max(last - cut, half)],
  ];
}

/** May there be zeros, sizes that tie, or infinite differences? */
function maybeTied({ values, scales }) {
  const sizes = sorted(values.map(Math.abs));
  const slack = 2 * tolerance(Math.max(...scales.filter(isFinite), 0));
  return sizes[0] === 0 || sizes.at(-1) === Infinity || sizes.some((x, i) => i > 0 && !(x - sizes[i - 1] > slack));
}

function shifted({ values, scales }, shift) {
  const found = { values: [], scales: [] };
  values.forEach((d, i) => {
    const scale = Math.max(scales[i], Math.abs(shift));
    const zero = Math.abs(d - shift) <= tolerance(scale);
    found.values.push(zero ? 0 : d - shift);
    found.scales.push(zero ? 0 : scale);
  });
  return found;
}

/** |z| of the largest rank sum without ties that has at most this tail, `steps` sums farther out. */
const untiedSize = (n, tail, steps) => ((n * (n + 1)) / 2 - 2 * (largestSum(n, tail) - steps)) / untiedDeviation(n);
const untiedDeviation = (n) => Math.sqrt((n * (n + 1) * (2 * n + 1)) / 6);

/**
 * The places where the p-value of a shift may change: each distinct Walsh average, and the gaps between them. R⁺ − R⁻
 * is the number of averages above less that below (Tukey), so that most places are rejected before anything is ranked.
 */
function placesOf(found, averages) {
  const slack = tolerance(Math.max(...found.scales.filter(isFinite), 0));
  const points = [];
  const below = [];
  let i = 0;
  while (averages[i] === -Infinity) i++;
  while (i < averages.length && averages[i] < Infinity) {
    let next = i + 1;
    while (averages[next] < Infinity && averages[next] - averages[next - 1] <= slack) next++;
    points.push(averages[i] > 0 ? averages[i] : averages[next - 1] < 0 ? averages[next - 1] : 0);
    below.push(i);
    i = next;
  }
  below.push(i);
  const n = found.values.length;
  const total = averages.length;
  const sizes = [];
  const d = sorted(found.values);
  let down = 0;
  let upTo = 0;
  points.forEach((x, p) => {
    const [before, after] = [total - 2 * below[p], total - 2 * below[p + 1]];
    while (d[down] < x - slack) down++;
    while (d[upTo] <= x + slack) upTo++;
    const zeros = upTo > down ? Math.abs(n - upTo - down) + 1 : 0; // an odd zero lowers all ranks by one
    sizes.push(Math.abs(before), Math.max(0, Math.abs(before + after) / 2 - zeros));
  });
  sizes.push(Math.abs(total - 2 * below.at(-1)));
  // rounding may move a tie to a neighbouring place
  const safe = sizes.map((_, p) => Math.min(...sizes.slice(Math.max(0, p - 2), p + 3)) / untiedDeviation(n));
  return { points, sizes: safe };
}

/** The hulls of the shifts that the test does not reject at each alpha, ties and zeros included. */
function* inverted(found, averages, alphas) {
  const { points, sizes } = placesOf(found, averages);
  if (!points.length) return alphas.map(() => [-Infinity, Infinity]);
  const n = found.values.length;
  const fewTies = n > 20 && n <= EXACT_LIMIT && 4 * points.length > n * (n + 1);
  const last = 2 * points.length;
  const shiftAt = (place) => {
    const p = place >> 1;
    if (place % 2) return points[p];
    const before = p ? points[p - 1] : points[0] - 1 - Math.abs(points[0]);
    const after = p < points.length ? points[p] : points[p - 1] + 1 + Math.abs(points[p - 1]);
    return before / 2 + after / 2;
  };
  const ranked = new Map();
  const sumsAt = (place) => {
    if (!ranked.has(place)) ranked.set(place, signedRanks(shifted(found, shiftAt(place))));
    return ranked.get(place);
  };
  const pAt = (place) => (sumsAt(place).p ??= signedRankEvidence(sumsAt(place))[0]);
  const middle = 2 * points.findIndex((x) => x >= averages[averages.length >> 1]);
  const hulls = [];
  for (const alpha of alphas) {
    // P(Σ ±r ≥ s) is at most 3.18 times the normal distribution's (Bentkus & Dzindzalieta 2015)
    const bound = normalQuantile(alpha / (2 * 3.1788)) * (1 + 1e-9);
    const limit = fewTies ? untiedSize(n, alpha / 2.4, 1) : bound;
    const accepted = (place) => {
      const { ranks, above, under } = sumsAt(place);
      return Math.abs(above - under) <= (fewTies ? Infinity : bound * deviates(ranks)) && pAt(place) > alpha;
    };
    const ends = [];
    for (const side of [1, -1]) {
      let place = side > 0 ? 0 : last;
      for (; place >= 0 && place <= last; place += side) {
        if (sizes[place] > limit) continue;
        if (accepted(place)) break;
        yield;
      }
      ends.push(place);
    }
    let [first, end] = ends;
    if (first > last) {
      // all are rejected: the least rejected one
      first = Math.max(0, middle - 3);
      for (let p = first; p <= Math.min(last, middle + 3); p++) if (pAt(p) > pAt(first)) first = p;
      end = first;
    }
    hulls.push([first ? points[(first - 1) >> 1] : -Infinity, end < last ? points[end >> 1] : Infinity]);
  }
  return hulls;
}

/** With 0 where the test does not reject it, and without where it does. */
function agreeing([low, high], rejected, direction, smallest) {
  if (!rejected) return [Math.min(low, 0), Math.max(high, 0)];
  if (low <= 0 && high >= 0) {
    if (direction > 0 && high > 0) return [Math.min(smallest, high), high];
    if (direction < 0 && low < 0) return [low, Math.max(-smallest, low)];
  }
  return [low, high];
}

/** What a family allows itself: of large ones with ties the intervals are those without. */
export function effort(n, count, levels) {
  const reached = levels.filter((level) => reaches(level, walshCut(n, level)[1])).length;
  const test = 100 + (n <= EXACT_LIMIT ? 0.06 * n * n : 0.1 * n);
  return { tested: count * test <= 10e6, inverts: count * (600 + 0.006 * n ** 3) * reached <= 10e6 };
}

function* hodgesLehmann(found, levels, { tested, inverts }) {
  const n = found.values.length;
  const averages = walshAverages(found.values);
  const bounds = levels.map((level) => estimated(averages, walshCut(n, level)[0]));
  const reached = levels.map((level, i) => i).filter((i) => reaches(levels[i], walshCut(n, levels[i])[1]));
  if (!tested || !reached.length || !maybeTied(found)) return bounds;
  const alphas = reached.map((i) => (1 - levels[i]) * NEARLY_ONE);
  const hulls = inverts && n <= INVERTED ? yield* inverted(found, averages, alphas) : reached.map((i) => bounds[i].slice(1));
  const sums = signedRanks(found);
  const [p] = signedRankEvidence(sums);
  const finite = found.scales.filter(isFinite);
  const smallest = finite.length ? Math.max(...finite.map(tolerance)) : 2 ** -1022;
  reached.forEach((i, place) => {
    const ends = agreeing(hulls[place], p <= alphas[place], sums.above - sums.under, smallest);
    bounds[i] = [bounds[i][0], ...ends];
  });
  return bounds.map(([x, low, high]) => (low === high ? [x, x, x] : [x, Math.min(low, x), Math.max(high, x)]));
}

// --- of a pair --------------------------------------------------------------------------------------------------

/** The kind and [estimate, low, high] at each level, as differences; null where a difference is undefined. */
export function* pairEffect(table, [a, b], kind, levels, student, family) {
  if (kind === "a12") {
    const { wins, losses } = record(table, a, b);
    return { kind, ends: levels.map((level) => share(wins, losses, table.values.length, level)) };
  }
  const found = differences(table, a, b);
  const { values } = found;
  const finite = values.every(isFinite);
  if (!areDefined(found, table, a, b) || (!finite && kind === "mean")) return null;
  let bounds;
  if (kind === "share") {
    const [low, high] = twoValues(table) ?? [0, 0];
    const apart = high - low || 1;
    const [wins, losses] = [1, -1].map((side) => differing(values.filter((d) => side * d > 0)));
    bounds = levels.map((level) => share(wins, losses, values.length, level).map((x) => apart * x));
  } else if (kind === "median") bounds = levels.map((level) => medianInterval(found, level));
  else if (kind === "mean") bounds = levels.map((level) => (student ? studentInterval : tiedMean)(found, level));
  else bounds = yield* hodgesLehmann(found, levels, finite ? family : { tested: true, inverts: true });
  if (isNaN(bounds[0][0])) return null; // half are infinite, to either side
  const isOne = bounds[0][1] === bounds[0][2] && values.length > 1 && kind !== "mean"; // most are one number
  return (isOne && (yield* pairEffect(table, [a, b], "mean", levels, student, family))) || { kind, ends: bounds };
}

/** The confidence that order statistics reach; 1 for other kinds. */
export const achieved = (n, kind, level) =>
  kind === "hodges-lehmann" ? walshCut(n, level)[1] : kind === "median" ? medianCut(n, level)[1] : 1;
