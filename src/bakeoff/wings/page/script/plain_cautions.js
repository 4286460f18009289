// What a reader must know before quoting a comparison of a plain table, the gravest first: when each caution is due.
// Its sentence is that of the program. Where a table needs one that is not computed here, the command has it.

import { logGamma } from "./distributions.js";
import { FEWEST, achieved, reaches } from "./effects.js";
import { isDecided } from "./groups.js";
import { sorted } from "./numbers.js";
import { general, pPhrase, powerOfTen, pvalueText } from "./numerals.js";
import { tableRanks, tolerance } from "./ranks.js";
import { count } from "./sentences.js";
import { looksClustered, oneStem } from "./stems.js";

const ROUGH_F = 3; // problems
const WIDE = 2; // decimal logarithm of the ratio of the ranges of scores
const OFTEN = 0.05; // share of problems with ties
const FEW_VALUES = 10;
const SEVERITIES = ["stop", "warning", "note"];

const some = (names, limit = 5) =>
  names.length > limit ? `${names.slice(0, limit).join(", ")} and ${names.length - limit} more (${names.length} in all)` : names.join(", ");

// --- of the tests -----------------------------------------------------------------------------------------------

function* ofTests({ n, k, alpha, pairs, reach, primary, omnibus, perfect, table }, words) {
  if (reach > alpha) {
    const what = `${pairs.length > 1 ? words.corrections[primary] : words.test} can give any pair`;
    yield ["out-of-reach (problems)", { problems: count(n, "problem"), what, smallest: pvalueText(reach, null, alpha), bound: "", alpha: general(alpha) }];
  }
  const differ = pairs.some(({ verdict }) => isDecided(verdict));
  const rejects = omnibus.pvalue <= alpha;
  if (pairs.length > 1 && (!rejects || !differ)) {
    const pvalue = `${pPhrase(omnibus.pvalue, null, alpha)}, alpha = ${general(alpha)}`;
    yield [rejects ? "omnibus-alone" : "omnibus-not-rejected", { short: words.omnibus, pvalue }];
  }
  if (omnibus.method === "f" && n <= ROUGH_F) yield ["rough (f)", { problems: count(n, "problem") }];
  yield* ofScales(table.values);
  const ranks = tableRanks(table);
  if (ranks.every((row) => row.every((r) => r === k + 1))) yield ["nothing-differs (scores)", {}];
  if (perfect) {
    const counts = new Map();
    for (const r of ranks[0]) counts.set(r, (counts.get(r) ?? 0) + 1);
    const log = [...counts.values()].reduce((found, c) => found - logGamma(c + 1), logGamma(k + 1));
    yield ["perfect-agreement", { n, orders: BigInt(Math.round(Math.exp(log))), n_2: n - 1 }];
  }
  if (k > 2 && n < 2 * k) yield ["too-few (problems)", { problems: count(n, "problem"), k, twice: 2 * k }];
}

/** Between sorted numbers. */
function quantile(values, share) {
  const place = share * (values.length - 1);
  const low = Math.floor(place);
  return values[low] + (place - low) * ((values[low + 1] ?? values[low]) - values[low]);
}

function* ofScales(values) {
  const ranges = values.map((row) => Math.max(...row) - Math.min(...row)).filter((x) => x > 0);
  if (ranges.length < 2) return;
  const logs = sorted(ranges.map(Math.log10));
  const apart = quantile(logs, 0.9) - quantile(logs, 0.1);
  if (Math.abs(apart - WIDE) < 1e-9) throw Error("the scales of its problems are at the limit of a caution");
  if (apart < WIDE) return;
  const all = values.flat();
  const positive = all.every((x) => x > 0);
  const signed = all.every((x) => x >= 0) || all.every((x) => x <= 0);
  const factor = apart >= 4 ? powerOfTen(Math.round(apart)) : (+(10 ** apart).toPrecision(2)).toFixed(0);
  const pairwise = "Problems with large numbers dominate this test, which assumes symmetric differences";
  const log = positive ? ', transform="log" (ratios count)' : "";
  yield ["scales-differ (problems)", { factor, signs: signed ? "" : " and change sign, so have no ratios", pairwise, log }];
}

// --- of the table -----------------------------------------------------------------------------------------------

/** The unit of the last decimal digit of each column. */
const lastDigits = (values) =>
  values[0].map((_, j) => {
    for (let digits = 0; digits < 12; digits++) {
      const power = 10 ** digits;
      if (values.every((row) => Math.abs(Math.round(row[j] * power) / power - row[j]) <= 1e-12 * Math.abs(row[j]))) return 10 ** -digits;
    }
    return 0;
  });

function mayBeRounded(values) {
  const units = lastDigits(values);
  let [tied, apart] = [0, 0];
  for (const row of values) {
    const places = [...row.keys()].sort((a, b) => row[a] - row[b]);
    places.forEach((a, i) => {
      for (const b of places.slice(i + 1, i + 21)) {
        const gap = row[b] - row[a];
        if (gap === 0) tied++;
        else if (gap <= 1.5 * Math.max(units[a], units[b])) apart++;
      }
    });
  }
  return 2 * apart >= tied;
}

function* ofTies(values, ranks) {
  const n = ranks.length;
  const rows = ranks.filter((row) => new Set(row).size < row.length).length;
  if (!rows || rows < OFTEN * n) return;
  const distinct = [...sorted([...new Set(values.flat())])];
  if (distinct.length <= FEW_VALUES && n * values[0].length >= 5 * distinct.length) {
    yield ["ties (scores)", { shown: distinct.map((x) => general(x)).join(", "), rows, n }];
  } else if (mayBeRounded(values)) yield ["ties (rounded-scores)", { rows, n }];
}

function* ofTable(table) {
  const { values, problems } = table;
  const ranks = tableRanks(table);
  const stem = oneStem(problems);
  if (stem) yield ["one-stem", stem];
  yield* ofTies(values, ranks);
  const near = problems.filter((_, i) => {
    const s = sorted(values[i]);
    return s.some((x, j) => j && x > s[j - 1] && x - s[j - 1] <= tolerance(Math.max(Math.abs(x), Math.abs(s[j - 1]))));
  });
  if (near.length) yield ["near-ties", { problems: count(near.length, "problem"), names: some(near) }];
  const halved = ranks.map((row) => row.map((r) => r / 2));
  if (!stem && looksClustered(problems, halved, values)) throw Error("its problems may come in clusters");
}

// --- of the sizes -----------------------------------------------------------------------------------------------

function* ofSizes({ n, alpha, pairs }) {
  const kinds = [...new Set(pairs.map(({ effect }) => effect.kind))];
  const least = (level) => Math.min(...kinds.map((kind) => achieved(n, kind, level)));
  const problems = count(n, "problem");
  const [level, each] = [1 - alpha, 1 - alpha / pairs.length];
  if (!reaches(level, least(level))) {
    yield ["interval-below-level (hodges-lehmann)", { problems, level: general(level), achieved: general(least(level), 4) }];
  }
  if (pairs.length > 1 && !reaches(each, least(each))) {
    yield ["interval-below-level (unbounded)", { problems, each_level: general(each), n_pairs: pairs.length, alpha: general(1 - alpha) }];
  }
  const sides = { "a better": 1, "b better": -1 };
  const against = pairs.filter(({ verdict, effect }) => (sides[verdict] ?? 0) * effect.estimate < 0);
  const named = (list) => some(list.map(({ a, b }) => `${a} – ${b}`));
  if (against.length) yield ["effect-against-verdict", { names: named(against) }];
  const few = pairs.filter(({ effect }) => effect.kind === "mean" && effect.low === -Infinity);
  if (few.length) yield ["too-few (differing-problems)", { names: named(few), fewest: FEWEST }];
}

/** All of them as the program would say them; an error where one is not computed here. */
export function plainCautions(facts, words) {
  const due = [...ofTests(facts, words), ...ofTable(facts.table), ...ofSizes(facts)];
  const named = due.map(([name]) => name);
  const implied = named.flatMap((name) => words.implied[name] ?? []);
  return due
    .filter(([name]) => !implied.includes(name))
    .map(([name, values]) => {
      const { text, ...entry } = words.cautions[name];
      return { name, ...entry, text: text.replace(/\{(\w+)(?::[^}]*)?\}/g, (_, key) => values[key]) };
    })
    .sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}
