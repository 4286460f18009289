// Adjusted p-values: of a list (a control against others), or of all pairs. Derrac et al. (2011), section 4.3;
// Shaffer (1986); Bergmann & Hommel (1988). On p itself, or on ln p where a p-value underflows.

import { allPairs, ascending } from "./numbers.js";

const onP = {
  one: 1,
  times: (p, c) => p * c,
  power: (p, e) => -Math.expm1(e * Math.log1p(-p)),
  share: (p, last) => (p > 0 ? p / (1 - last + p) : 0),
};

/** ln(1 − eˣ). */
const log1mexp = (x) => (x > -Math.LN2 ? Math.log(-Math.expm1(x)) : Math.log1p(-Math.exp(x)));
const onLog = {
  one: 0,
  times: (p, c) => p + Math.log(c),
  power(p, e) {
    const hazard = p < -30 ? p + Math.exp(p) / 2 : Math.log(-log1mexp(p)); // of −ln(1 − p), the logarithm
    const grown = hazard + Math.log(e);
    return grown < -30 ? grown - Math.exp(grown) / 2 : log1mexp(-Math.exp(grown));
  },
  share(p, last) {
    const other = log1mexp(last);
    const [high, low] = p > other ? [p, other] : [other, p];
    return low === -Infinity && p === low ? p : p - (high + Math.log1p(Math.exp(low - high)));
  },
};

const stepDown = (p, adjust) => {
  let most = -Infinity;
  return p.map((x, i) => (most = Math.max(most, adjust(x, i))));
};
const stepUp = (p, adjust) => {
  let least = Infinity;
  return p.map((x, i) => adjust(x, i)).reduceRight((found, x) => [(least = Math.min(least, x)), ...found], []);
};

/** Closed testing with Simes's test, by Wright's (1992) algorithm for Hommel's procedure. */
function hommel(p, on) {
  const m = p.length;
  const found = [...p];
  for (let size = m; size > 1; size--) {
    let simes = Infinity;
    for (let j = 1; j <= size; j++) simes = Math.min(simes, on.times(p[m - size + j - 1], size / j));
    for (let i = 0; i < m; i++) {
      const bound = i >= m - size ? simes : Math.min(simes, on.times(p[i], size));
      found[i] = Math.max(found[i], bound);
    }
  }
  return found;
}

/** p ascending → adjusted p. */
const LISTS = {
  bonferroni: (p, on) => p.map((x) => on.times(x, p.length)),
  sidak: (p, on) => p.map((x) => on.power(x, p.length)),
  holm: (p, on) => stepDown(p, (x, i) => on.times(x, p.length - i)),
  holland: (p, on) => stepDown(p, (x, i) => on.power(x, p.length - i)),
  finner: (p, on) => stepDown(p, (x, i) => on.power(x, p.length / (i + 1))),
  hochberg: (p, on) => stepUp(p, (x, i) => on.times(x, p.length - i)),
  hommel,
  li: (p, on) => p.map((x) => (x === p.at(-1) ? x : on.share(x, p.at(-1)))),
  "fdr-bh": (p, on) => stepUp(p, (x, i) => on.times(x, p.length / (i + 1))),
  "fdr-by": (p, on) => {
    const harmonic = p.reduce((total, _, i) => total + 1 / (i + 1), 0);
    return stepUp(p, (x, i) => on.times(x, (harmonic * p.length) / (i + 1)));
  },
};
export const OF_LISTS = Object.keys(LISTS);
export const OF_PAIRS = ["bonferroni", "holm", "hochberg", "hommel", "shaffer", "bergmann-hommel"];
export const MOST_SUBSETS = 12; // algorithms, for Bergmann and Hommel's procedure

const order = (p) => Array.from(p.keys()).sort((i, j) => ascending(p[i], p[j]));

export function ofList(p, method, on = onP) {
  const places = order(p);
  const rising = places.map((i) => p[i]);
  const found = new Array(p.length);
  let most = -Infinity;
  LISTS[method](rising, on).forEach((x, i) => {
    most = Math.max(most, Math.min(Math.max(x, rising[i]), on.one));
    found[places[i]] = most;
  });
  return found;
}

const choose2 = (k) => (k * (k - 1)) / 2;

/** Which numbers of hypotheses can be true at once: pairs within the blocks of a partition of k algorithms. */
function possibleCounts(k) {
  const sets = [new Set([0])];
  for (let size = 1; size <= k; size++) {
    const found = new Set();
    for (let block = 1; block <= size; block++) for (const x of sets[size - block]) found.add(choose2(block) + x);
    sets.push(found);
  }
  return sets[k];
}

function shaffer(p, k, on) {
  const counts = possibleCounts(k);
  const most = [];
  for (let i = 0, last = 0; i <= p.length; i++) most.push((last = counts.has(i) ? i : last));
  const found = [];
  let running = -Infinity;
  order(p).forEach((place, i) => {
    running = Math.max(running, on.times(p[place], most[p.length - i]));
    found[place] = Math.min(Math.max(running, p[place]), on.one);
  });
  return found;
}

/**
 * max over exhaustive sets I holding the pair of |I|·min{p in I}. At each threshold t a block may hold algorithms whose
 * pairs all have p ≥ t; the most pairs within such blocks are found set by set.
 */
function* bergmannHommel(p, k, on) {
  const pairs = allPairs(k);
  const size = 2 ** k;
  const least = new Float64Array(size).fill(Infinity); // smallest p within each group of algorithms
  const within = new Int32Array(size); // pairs within it
  for (let group = 1; group < size; group++) {
    pairs.forEach(([a, b], i) => {
      if (!((group >> a) & (group >> b) & 1)) return;
      least[group] = Math.min(least[group], p[i]);
      within[group]++;
    });
  }
  const found = [...p];
  const best = new Int32Array(size);
  for (const t of [...new Set(p)]) {
    for (let group = 1; group < size; group++) {
      const first = 1 << (31 - Math.clz32(group));
      const others = group ^ first;
      let most = 0;
      for (let sub = others; ; sub = (sub - 1) & others) {
        if (least[sub | first] >= t) most = Math.max(most, within[sub | first] + best[others ^ sub]);
        if (!sub) break;
      }
      best[group] = most;
    }
    for (let group = 1; group < size; group++) {
      if (!within[group] || least[group] < t) continue;
      const value = Math.min(on.one, on.times(t, within[group] + best[size - 1 - group]));
      pairs.forEach(([a, b], i) => {
        if ((group >> a) & (group >> b) & 1 && value > found[i]) found[i] = value;
      });
    }
    yield;
  }
  return found;
}

/** Adjusted p-values in the order given; `pairs` with their p and its logarithm, `k` algorithms in all. */
export function* adjusted(pairs, method, control, k) {
  const p = pairs.map((pair) => pair.pvalue);
  if (p.length === 1) return p;
  const underflow = p.includes(0);
  const on = underflow ? onLog : onP;
  const raw = underflow ? pairs.map((pair) => pair.log_pvalue) : p;
  let found;
  if (method === "none") found = raw;
  else if (!control && method === "shaffer") found = shaffer(raw, k, on);
  else if (!control && method === "bergmann-hommel") found = yield* bergmannHommel(raw, k, on);
  else found = ofList(raw, method, on);
  return underflow ? found.map(Math.exp) : found;
}

/** The smallest adjusted p that the p-values of a design could give; `least` bounds each of them, ascending. */
export function smallestAdjusted(least, method, halfAsFar) {
  if (least.length === 1) return least[0];
  const others = { hochberg: least, hommel: least, "fdr-bh": least, "fdr-by": least }[method];
  const alone = least.map((x, i) => (i ? 1 : x));
  const apart = least.map((x, i) => (i ? (halfAsFar ?? least.at(-1)) : x));
  const best = others ?? (method === "li" ? apart : alone);
  return ofList(best, LISTS[method] ? method : "bonferroni", onP)[0];
}
