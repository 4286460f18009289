// Wilcoxon's signed-rank test (1945), zeros shared by both sums (Demšar 2006, section 3.1.3), with the exact
// distribution given the ties: W is a sum of ranks each taken with probability 1/2.

import { bothSides, normalTwoSided } from "./distributions.js";
import { ascending } from "./numbers.js";
import { doubledRanks } from "./ranks.js";

export const EXACT_LIMIT = 1000;

/** Doubled ranks of the non-zero differences and their sums; an odd zero is dropped, infinite ones share the top. */
export function signedRanks({ values, scales }) {
  const finite = [];
  const infinite = [];
  values.forEach((d, i) => {
    if (d !== 0) (isFinite(d) ? finite : infinite).push(i);
  });
  const zeros = values.length - finite.length - infinite.length;
  const kept = zeros - (zeros % 2);
  const own = doubledRanks(
    finite.map((i) => Math.abs(values[i])),
    finite.map((i) => scales[i]),
  );
  const found = { ranks: [], above: 0, under: 0, half: (kept * (kept + 1)) / 2, zeros };
  const add = (i, rank) => {
    found.ranks.push(rank);
    if (values[i] > 0) found.above += rank;
    else found.under += rank;
  };
  finite.forEach((i, place) => add(i, own[place] + 2 * kept));
  infinite.forEach((i) => add(i, 2 * kept + 2 * finite.length + infinite.length + 1));
  return found;
}

const gcd = (a, b) => (b ? gcd(b, a % b) : a);
const laws = new Map();
const REMEMBERED = 4e6; // counts kept
let remembered = 0;

function addStep(ways, step, top) {
  for (let w = top; w >= step; w--) ways[w] += ways[w - step];
}

/** How many subsets of `steps` (ascending) have each sum: counted up to the middle, and mirrored. Pauses. */
function* counted(steps) {
  const total = steps.reduce((a, b) => a + b, 0);
  const middle = total >> 1;
  const ways = new Float64Array(total + 1);
  ways[0] = 1;
  let top = 0;
  let work = 0;
  for (const step of steps) {
    top += step;
    addStep(ways, step, Math.min(top, middle));
    if ((work += Math.min(top, middle)) > 1e6) work = 0 * (yield 0);
  }
  for (let w = middle + 1; w <= total; w++) ways[w] = ways[total - w];
  return ways;
}

/** The law of W: of every other rank the ways to each sum, of the rest those to at most each. It is remembered. */
function* lawOf(ranks, key) {
  const unit = ranks.reduce(gcd, 0) || 1;
  const steps = ranks.map((r) => r / unit);
  const first = yield* counted(steps.filter((_, i) => i % 2));
  const below = yield* counted(steps.filter((_, i) => !(i % 2)));
  for (let w = 1; w < below.length; w++) below[w] += below[w - 1];
  remembered += first.length + below.length;
  if (remembered > REMEMBERED) {
    laws.clear(); // pairs without ties share one
    remembered = first.length + below.length;
  }
  const found = { unit, total: first.length + below.length - 2, size: ranks.length, first, below };
  laws.set(key, found);
  return found;
}

const inOrder = (ranks) => Int32Array.from(ranks).sort();

/** The distribution of many ranks, to be remembered before it is asked for. */
export function* prepared(ranks) {
  const order = inOrder(ranks);
  if (order.length > 150 && order.length <= EXACT_LIMIT && !laws.has(order.join())) yield* lawOf(order, order.join());
}

function law(ranks) {
  const key = ranks.join();
  if (!laws.has(key)) Array.from(lawOf(ranks, key)); // without a pause
  return laws.get(key);
}

/** The share of the 2^size subsets with a sum of at most w, and its logarithm. */
function lowerTail({ size, first, below }, w) {
  let ways = 0;
  for (let u = Math.min(w, first.length - 1); u >= 0; u--) ways += first[u] * below[Math.min(w - u, below.length - 1)];
  return [ways / 2 ** size, Math.log(ways) - size * Math.LN2];
}

/** P(W ≤ w) and its logarithm; ranks and w are doubled. */
export function signedRankTail(ranks, w) {
  const found = law(inOrder(ranks));
  const u = Math.floor(w / found.unit);
  if (u < 0) return [0, -Infinity];
  if (u >= found.total) return [1, 0];
  if (2 * u < found.total) return lowerTail(found, u);
  const [q] = lowerTail(found, found.total - u - 1);
  return [1 - q, Math.log1p(-q)];
}

export const deviates = (ranks) => Math.sqrt(ranks.reduce((total, r) => total + r * r, 0));

/** Two-sided p and its logarithm; the normal distribution beyond 1000 differences. */
export function signedRankEvidence({ ranks, above, under }) {
  if (!ranks.length) return [1, 0];
  if (ranks.length > EXACT_LIMIT) return normalTwoSided((above - under) / deviates(ranks));
  return bothSides(signedRankTail(ranks, Math.min(above, under)));
}

/** (R⁺ − R⁻)/(R⁺ + R⁻); 0 if nothing was ranked. */
export function rankBiserial({ above, under, half }) {
  const total = above + under + 2 * half;
  return total ? (above - under) / total : 0;
}

export const untied = (n) => Array.from({ length: n }, (_, i) => 2 * (i + 1));

/** The largest whole w with P(W ≤ w) ≤ probability, of n differences without ties; −1 if there is none. */
export function largestSum(n, probability) {
  const ranks = untied(n);
  let low = -1;
  let high = (n * (n + 1)) / 2;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (signedRankTail(ranks, 2 * middle)[0] <= probability) low = middle;
    else high = middle;
  }
  return low;
}

export const untiedTail = (n, w) => signedRankTail(untied(n), 2 * w)[0];
