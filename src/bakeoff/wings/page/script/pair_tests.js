// The test of each pair: p and its logarithm, statistic, and direction (positive: a is better).

import { binomialTail, bothSides, normalQuantile, normalTwoSided, tTwoSided } from "./distributions.js";
import { mean, sum } from "./numbers.js";
import { allEqual, differences, record, tableRanks } from "./ranks.js";
import { prepared, signedRankEvidence, signedRanks } from "./signed_rank.js";

export const PAIR_TESTS = ["wilcoxon", "sign", "sign-without-ties", "mcnemar", "t", "mean-ranks"];

const sign = Math.sign;

function* wilcoxon(tables, a, b) {
  const sums = signedRanks(differences(tables.measured, a, b));
  yield* prepared(sums.ranks);
  return {
    statistic: (Math.min(sums.above, sums.under) + sums.half) / 2,
    direction: sign(sums.above - sums.under),
    evidence: signedRankEvidence(sums),
  };
}

const signTest = (split) =>
  function* (tables, a, b) {
    const { wins, ties, losses } = record(split ? tables.rows : tables.measured, a, b);
    const halves = split ? ties >> 1 : 0;
    const n = wins + losses + 2 * halves;
    const most = Math.max(wins, losses) + halves;
    const evidence = wins === losses ? [1, 0] : bothSides(binomialTail(most, n));
    return { statistic: wins + halves, direction: sign(wins - losses), evidence };
  };

/** Mean, its standard error (0: all are equal, infinite: one alone) and their number. */
export function meanAndError({ values, scales }) {
  const n = values.length;
  const size = 2 ** Math.floor(Math.log2(Math.max(...values.map(Math.abs)) || 1)); // nothing is rounded
  const scaled = values.map((x) => x / size);
  const centre = mean(scaled);
  let error = Infinity;
  if (n > 1) {
    const squares = sum(scaled.map((x) => (x - centre) ** 2));
    error = allEqual(values, scales) ? 0 : Math.sqrt(squares / (n - 1) / n) * size;
  }
  return { estimate: centre * size, error, n };
}

function* student(tables, a, b) {
  const { estimate, error, n } = meanAndError(differences(tables.measured, a, b));
  const t = error > 0 ? estimate / error : estimate === 0 ? 0 : sign(estimate) * Infinity;
  const decides = error > 0 && error < Infinity;
  return { statistic: t, direction: sign(t), evidence: decides ? tTwoSided(t, n - 1) : [1, 0] };
}

/** The standard error of a difference of mean ranks: if all ranks of a problem may stand in any order, or as printed. */
export function rankError(ranks, form) {
  const n = ranks.length;
  const k = ranks[0].length;
  if (form === "papers") return Math.sqrt((k * (k + 1)) / (6 * n));
  let spread = 0;
  for (const row of ranks) for (const r of row) spread += (r - (k + 1)) ** 2;
  return Math.sqrt((2 * spread) / (k - 1)) / (2 * n);
}

function meanRanks(tables, form) {
  const ranks = tableRanks(tables.ranked);
  const sums = ranks[0].map((_, j) => ranks.reduce((total, row) => total + row[j], 0));
  const error = rankError(ranks, form);
  return function* (_, a, b) {
    const distance = sums[b] - sums[a];
    const z = error > 0 ? distance / (2 * ranks.length * error) : 0;
    return { statistic: z, direction: sign(distance), evidence: normalTwoSided(z) };
  };
}

/** The function that tests a pair: a generator, as many differences take a while. */
export function pairTest(name, tables, form) {
  if (name === "mean-ranks") return meanRanks(tables, form);
  return { wilcoxon, sign: signTest(true), "sign-without-ties": signTest(false), mcnemar: signTest(false), t: student }[
    name
  ];
}

/** Lower bounds of the smallest p-values, ascending, over all outcomes of a design. */
export function smallestRaw(name, n, k, m, control, printed) {
  if (name === "t") return new Array(m).fill(n > 1 ? 0 : 1);
  if (name !== "mean-ranks") return new Array(m).fill(Math.min(1, 2 ** (1 - n)));
  if (printed === null) {
    return Array.from({ length: m }, (_, i) => {
      const most = control ? i + 2 : Math.min(i + 2, 2 * (k - 1));
      return normalTwoSided(Math.sqrt((((n * (k - 1)) / 2) * most) / (i + 1)))[0];
    });
  }
  const distances = [];
  for (let d = k - 1; d > 0; d--) for (let i = 0; i < (control ? 1 : k - d); i++) distances.push(d);
  let total = 0;
  return distances.map((d, i) => normalTwoSided((total += d) / (i + 1) / printed)[0]);
}

/** Of the others, if one algorithm is as far from a control as can be and they are tied between the two. */
export const halfAsFar = (p) => normalTwoSided(p > 0 ? normalQuantile(p / 2) / 2 : Infinity)[0];
