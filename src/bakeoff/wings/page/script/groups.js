// Verdicts, and maximal sets of algorithms of which no two are shown to differ: cliques (Bron & Kerbosch 1973).

const MOST = 10000; // such a list explains nothing

/** `near`: of each place, best first, those that are alike; sets in the order of their members, none if too many. */
function maximalGroups(near) {
  const found = [];
  const extend = (clique, candidates, done) => {
    if (found.length > MOST) return;
    if (!candidates.length) {
      if (!done.length) found.push([...clique].sort((a, b) => a - b));
      return;
    }
    const reach = (v) => candidates.reduce((count, u) => count + near[v].has(u), 0);
    const pivot = [...candidates, ...done].reduce((best, v) => (reach(v) > reach(best) ? v : best));
    let left = candidates;
    for (const v of candidates.filter((u) => !near[pivot].has(u))) {
      extend([...clique, v], left.filter((u) => near[v].has(u)), done.filter((u) => near[v].has(u)));
      left = left.filter((u) => u !== v);
      done = [...done, v];
    }
  };
  extend([], [...near.keys()], []);
  if (found.length > MOST) return [];
  return found.sort((a, b) => {
    const i = a.findIndex((x, j) => x !== b[j]);
    return a[i] - b[i];
  });
}

export function verdictOf(p, direction, alpha, reach) {
  if (reach > alpha) return "cannot tell";
  if (!(p <= alpha) || !direction) return "no difference shown";
  return direction > 0 ? "a better" : "b better";
}

export const isDecided = (verdict) => verdict === "a better" || verdict === "b better";

/** Maximal sets of algorithms that are not shown to differ, in the order of their costs. */
export function groupsOf(names, pairs, costs) {
  const best = [...names.keys()].sort((a, b) => costs[a] - costs[b] || a - b).map((j) => names[j]);
  const differ = new Set();
  for (const { a, b, verdict } of pairs) if (isDecided(verdict)) differ.add(`${a}\n${b}`).add(`${b}\n${a}`);
  const near = best.map((a) => new Set([...best.keys()].filter((j) => best[j] !== a && !differ.has(`${a}\n${best[j]}`))));
  return maximalGroups(near).map((group) => group.map((i) => best[i]));
}
