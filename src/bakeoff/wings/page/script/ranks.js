// Mid-ranks, kept as whole numbers by doubling them. Ties are decided on decimals: quantities computed from scores
// are tied within 16 units in the last place of the largest score behind them.

import { ascending, spacing } from "./numbers.js";

const TIE_ULPS = 16;

/** How far apart two quantities made from scores of this size may be and still be tied. */
export const tolerance = (scale) => (isFinite(scale) ? TIE_ULPS * spacing(scale) : 0);

/** Twice the mid-ranks, lowest first; exact comparisons without `scales`. */
export function doubledRanks(values, scales) {
  const order = Array.from(values.keys()).sort((i, j) => ascending(values[i], values[j]));
  const ranks = new Array(order.length);
  let start = 0; // of the group of ties
  let first = 0;
  let firstSlack = 0;
  const close = (next) => {
    for (let j = start; j < next; j++) ranks[order[j]] = start + next + 1;
    start = next;
  };
  for (let i = 0; i < order.length; ) {
    const value = values[order[i]];
    let slack = Infinity;
    let next = i;
    while (next < order.length && values[order[next]] === value) {
      slack = Math.min(slack, scales ? tolerance(scales[order[next]]) : 0);
      next++;
    }
    if (i === 0 || value - first > Math.max(firstSlack, slack)) {
      close(i);
      first = value;
      firstSlack = slack;
    }
    i = next;
  }
  close(order.length);
  return ranks;
}

const known = new WeakMap();

/** The ranks of a table, problem by problem, to be remembered before they are asked for. */
export function* ranksPrepared(table) {
  const ranks = [];
  for (const [i, row] of table.costs.entries()) {
    ranks.push(doubledRanks(row, table.averaged ? table.scales[i] : null));
    if (i % 100 === 99) yield;
  }
  known.set(table, ranks);
}

/** Of each problem twice the ranks of the algorithms, 1 for the best. */
export function tableRanks(table) {
  if (!known.has(table)) Array.from(ranksPrepared(table));
  return known.get(table);
}

/** Are quantities one and the same number, each off by at most 1.5 units in the last place? */
export function allEqual(values, scales) {
  let least = Infinity;
  let low = -Infinity;
  let high = Infinity;
  values.forEach((x, i) => {
    const slack = tolerance(scales[i]);
    least = Math.min(least, slack);
    low = Math.max(low, x - (slack * 1.5) / TIE_ULPS);
    high = Math.min(high, x + (slack * 1.5) / TIE_ULPS);
  });
  return Math.max(...values) / 2 - Math.min(...values) / 2 <= least / 2 || low <= high;
}

/** The differences of two columns, positive where a is better, exactly 0 for ties; NaN where they are undefined. */
export function differences(table, a, b) {
  const values = [];
  const scales = [];
  table.costs.forEach((row, i) => {
    const d = row[b] - row[a];
    const scale = isFinite(d) ? Math.max(table.scales[i][a], table.scales[i][b]) : 0;
    const zero = isFinite(d) && Math.abs(d) <= tolerance(scale);
    values.push(zero ? 0 : d);
    scales.push(zero ? 0 : scale);
  });
  return { values, scales };
}

/** Are all differences defined: none between equal infinities, none too large for a double? */
export const areDefined = ({ values }, table, a, b) =>
  values.every((d, i) => isFinite(d) || (!isNaN(d) && !isFinite(table.values[i][a] + table.values[i][b])));

/** On how many problems a is better, neither is, b is: single scores exactly, means of runs within the tolerance. */
export function record(table, a, b) {
  const found = { wins: 0, ties: 0, losses: 0 };
  table.costs.forEach((row, i) => {
    const [x, y] = [row[a], row[b]];
    const slack = table.averaged ? tolerance(Math.max(table.scales[i][a], table.scales[i][b])) : 0;
    if (x === y || Math.abs(y - x) <= slack) found.ties++;
    else if (x < y) found.wins++;
    else found.losses++;
  });
  return found;
}
