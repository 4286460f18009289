// Mid-ranks, kept as whole numbers by doubling them. Ties are decided on decimals: quantities computed from scores
// are tied within 16 units in the last place of the largest score behind them.

import { ascending, spacing } from "./numbers.js";

const TIE_ULPS = 16;

/** How far apart two quantities made from scores of this size may be and still be tied. */
export const tolerance = (scale) => (isFinite(scale) ? TIE_ULPS * spacing(scale) : 0);

/** The order of the values, and in this order which of them begins a group of ties. */
function groupStarts(values, scales) {
  const order = Array.from(values.keys()).sort((i, j) => ascending(values[i], values[j]));
  const starts = new Uint8Array(values.length);
  let first = 0;
  let firstSlack = 0;
  for (let i = 0; i < order.length; ) {
    const value = values[order[i]];
    let slack = Infinity;
    let next = i;
    while (next < order.length && values[order[next]] === value) {
      slack = Math.min(slack, scales ? tolerance(scales[order[next]]) : 0);
      next++;
    }
    if (i === 0 || value - first > Math.max(firstSlack, slack)) {
      starts[i] = 1;
      first = value;
      firstSlack = slack;
    }
    i = next;
  }
  return { order, starts };
}

/** Twice the mid-ranks, lowest first; exact comparisons without `scales`. `shared` marks who has company. */
export function doubledRanks(values, scales) {
  const { order, starts } = groupStarts(values, scales);
  const ranks = new Array(values.length);
  for (let i = 0; i < order.length; ) {
    let next = i + 1;
    while (next < order.length && !starts[next]) next++;
    for (let j = i; j < next; j++) ranks[order[j]] = i + next + 1;
    i = next;
  }
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

/** Are quantities one and the same number? `roundings`: units in the last place that each may be off. */
export function allEqual(values, scales, roundings = 1.5) {
  let least = Infinity;
  let low = -Infinity;
  let high = Infinity;
  values.forEach((x, i) => {
    const slack = tolerance(scales[i]);
    least = Math.min(least, slack);
    low = Math.max(low, x - (slack * roundings) / TIE_ULPS);
    high = Math.min(high, x + (slack * roundings) / TIE_ULPS);
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
