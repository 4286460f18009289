// `bakeoff evaluate`: means over units, problems or clusters of them, and paired differences by t, or by Wilson,
// Tango and McNemar for 0 and 1. The error is that of the cluster jackknife (MacKinnon, Nielsen & Webb 2023).

import { ofList } from "./corrections.js";
import { binomialTail, bothSides, normalQuantile, tQuantile, tTwoSided } from "./distributions.js";
import { groupsOf, verdictOf } from "./groups.js";
import { allPairs, isBinary, mean, sum } from "./numbers.js";
import { differences, tolerance } from "./ranks.js";
import { tangoEnds } from "./shares.js";
import { plain } from "./texts.js";

const FEWEST_UNITS = 3; // effective clusters for a verdict

/** What keeps a report from being recomputed here, in words; empty if nothing does. */
export const beyondMeans = ({ suites, scores }) => [
  suites.length && "means of tasks",
  scores.weights === "clusters" && "means of clusters",
  scores.predicted?.scale && "a metric of all items",
  scores.values.flat().includes(null) && "a table with missing scores",
  scores.run_kind === "iteration" && "runs inside of one process",
].filter((reason) => reason?.at);

/** The units: of each problem the place of its own, and of each unit how many problems it has. */
function unitsOf(labels) {
  const known = [...new Set(labels)];
  const of = labels.map((label) => known.indexOf(label));
  const sizes = known.map((_, g) => of.filter((other) => other === g).length);
  const n = labels.length;
  const even = Math.max(...sizes) === Math.min(...sizes);
  const effective = even ? sizes.length : n ** 2 / sum(sizes.map((size) => size ** 2));
  const dominated = Math.max(...sizes) * sizes.length > 2 * n;
  return { of, sizes, n, groups: sizes.length, df: effective - 1, dominated, decides: sizes.length === n || effective >= FEWEST_UNITS };
}

function sums(values, { of, sizes }) {
  const found = sizes.map(() => 0);
  values.forEach((x, i) => (found[of[i]] += x));
  return found;
}

/** The mean and its standard error: none where means of units differ by no more than rounding. */
function moments({ values, scales }, units) {
  const { n, groups, sizes } = units;
  const centre = mean(values);
  const weighed = sums(values.map((x) => x - centre), units).map((x, g) => (x / (1 - sizes[g] / n)) ** 2);
  const means = sums(values, units).map((x, g) => x / sizes[g]);
  const same = Math.max(...means) - Math.min(...means) <= tolerance(Math.min(...scales));
  return { centre, error: same ? 0 : Math.sqrt(((groups - 1) / groups) * sum(weighed)) / n, variance: varianceOf(values, centre) };
}

const varianceOf = (values, centre) => sum(values.map((x) => (x - centre) ** 2)) / (values.length - 1);

function wilson(hits, n, z) {
  const share = hits / n;
  const middle = (share + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const reach = (z / (1 + (z * z) / n)) * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  return [hits ? Math.max(0, middle - reach) : 0, hits === n ? 1 : Math.min(1, middle + reach)];
}

function correlated(x, y, a, b) {
  const flat = [x, y].some((values) => Math.max(...values) === Math.min(...values));
  const shared = sum(x.map((value, i) => (value - a.centre) * (y[i] - b.centre)));
  return flat ? null : Math.min(1, Math.max(-1, shared / (x.length - 1) / Math.sqrt(a.variance * b.variance)));
}

export function* evaluated(table, data) {
  const { alpha, control, correction, unit } = data.request;
  const { names, values } = table;
  const n = values.length;
  const skipped = ["p-values of sign flips", "the differences that so many units find"];
  const clusters = (unit ?? (data.scores.clusters ? "cluster" : "problem")) === "cluster" && data.scores.clusters;
  const units = unitsOf(clusters || [...Array(n).keys()]);
  const binary = !clusters && !table.runs && values.flat().every(isBinary);
  const column = (cells, j) => cells.map((row) => row[j]);
  const of = names.map((_, j) => moments({ values: column(values, j), scales: column(table.scales, j) }, units));
  const z = normalQuantile(alpha / 2);
  const t = tQuantile(alpha / 2, units.df);
  const around = (centre, reach) => [centre - reach, centre + reach];
  const estimates = of.map(({ centre, error, variance }, j) => ({
    algorithm: names[j],
    mean: centre,
    standard_error: error,
    interval: binary ? wilson(Math.round(centre * n), n, z) : around(centre, t * error),
    df: units.df,
    method: binary ? "wilson" : "t",
    n,
    n_clusters: units.groups,
    variance,
  }));
  const others = [...names.keys()].filter((j) => names[j] !== control);
  const family = control === null ? allPairs(names.length) : others.map((j) => [names.indexOf(control), j]);
  const m = family.length;
  const largest = correction === "max-t";
  const reachable = units.decides && (!largest || 2 ** (1 - units.groups) <= alpha);
  const level = largest ? alpha : alpha / m;
  const flips = units.dominated || (largest && m > 1);
  const critical = !reachable ? Infinity : flips ? data.critical : tQuantile(level / 2, units.df);
  const pairs = [];
  let unknown = false;
  for (const [i, [a, b]] of family.entries()) {
    const printed = data.pairs[i] ?? {};
    const found = differences(table, a, b);
    let { centre, error } = moments(found, units);
    if (Math.abs(centre) <= tolerance(Math.max(...found.scales, ...[a, b].flatMap((j) => column(table.scales, j))))) centre = 0;
    const statistic = centre && centre / error;
    const wins = found.values.filter((x) => x > 0).length;
    const losses = found.values.filter((x) => x < 0).length;
    const ownT = isFinite(statistic) ? tTwoSided(statistic, units.df)[0] : undefined;
    const known = binary ? bothSides(binomialTail(Math.max(wins, losses), wins + losses))[0] : ownT;
    const pvalue = units.dominated || !isFinite(statistic) ? undefined : wins === losses && binary ? 1 : known;
    const score = (c) => c * Math.sqrt(n / (n - 1 + c * c)); // McNemar's, at which t is c
    let simultaneous = null;
    if (isFinite(critical) && critical !== null) {
      simultaneous = binary ? tangoEnds(wins, losses, n, Math.max(score(critical), normalQuantile(level / 2))) : around(centre, critical * error);
    }
    const own = binary ? tangoEnds(wins, losses, n, z) : around(centre, t * error);
    pairs.push({
      a: names[a],
      b: names[b],
      difference: centre,
      statistic,
      standard_error: error,
      df: units.df,
      interval: simultaneous && m === 1 && !binary ? simultaneous : own,
      method: binary ? "tango" : "t",
      simultaneous,
      t_pvalue: ownT,
      pvalue: pvalue ?? printed.pvalue,
      test: binary ? "mcnemar" : "t",
      correlation: correlated(column(values, a), column(values, b), of[a], of[b]),
      unpaired_error: Math.hypot(of[a].error, of[b].error),
      wins,
      losses,
    });
    if (pvalue === undefined) unknown = true;
    yield i / m;
  }
  const least = units.decides ? Math.min(1, 2 ** (1 - units.groups)) : 1;
  const raw = pairs.map((pair) => pair.pvalue);
  const given = m > 1 && largest;
  if (unknown) skipped.push("p-values of pairs that need sign flips");
  if (given) skipped.push("p-values adjusted by the largest t");
  const list = given ? data.pairs.map((pair) => pair.adjusted) : m > 1 ? ofList(raw, correction) : raw;
  pairs.forEach((pair, i) => {
    pair.adjusted = given || reachable ? list[i] : Math.max(list[i], least);
    pair.verdict = verdictOf(pair.adjusted, pair.difference, alpha, reachable ? 0 : 1);
  });
  const costs = of.map(({ centre }) => (table.better === "higher" ? -centre : centre));
  const won = (name, side, other) =>
    pairs.filter((pair) => (pair[side] === name && pair.verdict === "a better") || (pair[other] === name && pair.verdict === "b better")).length;
  const ranks = names.map((name) => [name, [1 + won(name, "b", "a"), names.length - won(name, "a", "b")]]);
  const decided = pairs.map((pair) => pair.verdict);
  const expected = {
    decision: decided.some((verdict) => verdict.endsWith("better")) ? "difference" : decided.every((verdict) => verdict === "cannot tell") ? "cannot tell" : "none",
    better: table.better,
    n_problems: n,
    n_algorithms: names.length,
    n_clusters: units.groups,
    unit: clusters ? "cluster" : "problem",
    control,
    correction,
    alpha,
    estimates,
    pairs,
    rank_intervals: Object.fromEntries(ranks),
    groups: control === null ? groupsOf(names, pairs, costs) : [],
  };
  return { expected, skipped, columns: meanCells(expected) };
}

const turned = (pair) => {
  const other = (ends) => ends && [-ends[1], -ends[0]];
  return { ...pair, a: pair.b, b: pair.a, difference: -pair.difference, interval: other(pair.interval), simultaneous: other(pair.simultaneous) };
};

/** What the cells of the tables should show. */
function meanCells({ estimates, pairs, rank_intervals: ranks }) {
  const unvaried = (of) => of.method === "t" && of.standard_error === 0;
  const interval = (of, ends) => (unvaried(of) || !ends ? [null] : ends);
  return Object.entries({
    means([name], title) {
      const of = estimates.filter((each) => plain(each.algorithm) === name);
      if (of.length !== 1) return undefined;
      if (title === "mean") return [of[0].mean];
      if (title === "standard error") return [of[0].standard_error];
      if (title.endsWith("% interval")) return interval(of[0], of[0].interval);
      const [low, high] = ranks[of[0].algorithm];
      if (title === "rank") return low === high ? [low] : [low, high];
    },
    pairs([name], title) {
      const of = pairs.flatMap((pair) => [pair, turned(pair)]).filter(({ a, b }) => `${plain(a)} – ${plain(b)}` === name);
      if (of.length !== 1) return undefined;
      const [pair] = of;
      if (title.startsWith("simultaneous")) return interval(pair, pair.simultaneous);
      if (title.endsWith("interval")) return interval(pair, pair.interval);
      if (title.startsWith("adjusted p")) return [pair.adjusted];
      const value = {
        difference: pair.difference,
        "p (t)": pair.t_pvalue,
        "p (McNemar)": pair.pvalue,
        p: pair.pvalue,
        correlation: pair.correlation,
        "unpaired/paired error": pair.standard_error > 0 ? pair.unpaired_error / pair.standard_error : null,
      }[title];
      return value === undefined ? undefined : [value];
    },
  });
}
