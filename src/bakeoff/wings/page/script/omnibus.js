// Does any algorithm differ? Friedman's χ² and Iman and Davenport's F, by their limit distributions.

import { chi2Tail, fTail, logGamma } from "./distributions.js";
import { tableRanks } from "./ranks.js";

/** No p is below the least that ranks can give, (1/k!)^(n−1). */
function floored([p, log], n, k) {
  const least = -(n - 1) * logGamma(k + 1);
  return log >= least ? [p, log] : [Math.exp(least), least];
}

/** How many orders the doubled ranks of a problem have. */
function logOrders(ranks) {
  const counts = new Map();
  for (const r of ranks) counts.set(r, (counts.get(r) ?? 0) + 1);
  return [...counts.values()].reduce((total, c) => total - logGamma(c + 1), logGamma(ranks.length + 1));
}

/** χ², F and Kendall's W of a table, corrected for ties. */
export function friedman(table) {
  const ranks = tableRanks(table);
  const n = ranks.length;
  const k = ranks[0].length;
  let spread = 0;
  for (let j = 0; j < k; j++) spread += ranks.reduce((total, row) => total + row[j] - (k + 1), 0) ** 2;
  let squares = 0;
  let tied = 0;
  for (const row of ranks) {
    squares += row.reduce((total, r) => total + (r - (k + 1)) ** 2, 0);
    if (new Set(row).size < k) tied++;
  }
  const chi2 = spread ? ((k - 1) * spread) / squares : 0;
  const left = spread ? n * squares - spread : 1; // whole numbers: no difference is lost
  const f = spread ? (left ? ((n - 1) * spread) / left : Infinity) : 0;
  const df = [k - 1, (k - 1) * (n - 1)];
  const log = left ? 0 : -(n - 1) * logOrders(ranks[0]);
  const limit = left && n > 1;
  const evidence = limit ? floored(fTail(f, ...df), n, k) : [Math.exp(log), log];
  return {
    friedman: { statistic: chi2, df: [k - 1], evidence: floored(chi2Tail(chi2, k - 1), n, k), method: "chi2" },
    "iman-davenport": { statistic: f, df, evidence, method: limit ? "f" : "exact" },
    w: squares ? spread / (n * squares) : 0,
    tied,
  };
}
