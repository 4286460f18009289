// Maximal sets of algorithms of which no two are shown to differ: maximal cliques (Bron & Kerbosch 1973).

const MOST = 10000; // such a list explains nothing

/** `alike(i, j)` of places 0 … k − 1, best first; sets in the order of their members, none if there are too many. */
export function maximalGroups(k, alike) {
  const near = Array.from({ length: k }, (_, i) => new Set([...Array(k).keys()].filter((j) => j !== i && alike(i, j))));
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
  extend([], [...Array(k).keys()], []);
  if (found.length > MOST) return [];
  const before = (a, b) => a.findIndex((x, i) => x !== b[i]);
  return found.sort((a, b) => {
    const i = before(a, b);
    return i < 0 ? 0 : a[i] - b[i];
  });
}
