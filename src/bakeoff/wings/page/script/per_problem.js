// `bakeoff per-problem`: Mann and Whitney's test (1947) of the runs on each problem, exact given the ties.

import { ofList } from "./corrections.js";
import { normalTwoSided } from "./distributions.js";
import { allPairs } from "./numbers.js";
import { before, uniquePlaces } from "./printed.js";
import { doubledRanks } from "./ranks.js";
import { plain } from "./texts.js";

const MOST_RUNS = 60; // of both, up to which the distribution is counted
const rankSumLaws = new Map();

/** How many choices of m of these ranks have each sum; ranks are whole and ascend from 0. */
function rankSumLaw(steps, m) {
  const key = `${m} ${steps}`;
  if (!rankSumLaws.has(key)) {
    const most = steps.slice(-m).reduce((a, b) => a + b, 0);
    const ways = Array.from({ length: m + 1 }, () => new Float64Array(most + 1));
    ways[0][0] = 1;
    steps.forEach((step, i) => {
      for (let size = Math.min(i + 1, m); size > 0; size--) {
        for (let w = step; w <= most; w++) ways[size][w] += ways[size - 1][w - step];
      }
    });
    if (rankSumLaws.size > 200) rankSumLaws.clear();
    rankSumLaws.set(key, ways[m]);
  }
  return rankSumLaws.get(key);
}

/** Both tails of the sum of the first m ranks, the smaller one twice. */
function exact(ranks, m) {
  const order = [...ranks].sort((a, b) => a - b);
  const steps = order.map((r) => r - order[0]);
  const place = ranks.slice(0, m).reduce((total, r) => total + r - order[0], 0);
  const ways = rankSumLaw(steps, m);
  const [lower, upper, all] = [ways.subarray(0, place + 1), ways.slice(place).reverse(), ways].map((part) => part.reduce((a, b) => a + b, 0));
  return Math.min(1, (2 * Math.min(lower, upper)) / all);
}

/** With the variance given the ties, and a correction for continuity. */
function normal(ranks, m, u) {
  const total = ranks.length;
  const n = total - m;
  const spread = ranks.reduce((sum, r) => sum + (r / 2 - (total + 1) / 2) ** 2, 0);
  const error = Math.sqrt((m * n * spread) / (total * (total - 1)));
  return spread ? normalTwoSided(Math.max(Math.abs(u - (m * n) / 2) - 0.5, 0) / error)[0] : 1;
}

/** The runs of a against those of b: p, the probability of superiority of a, and the least p of so many runs. */
function tested(first, second, sign, method) {
  const m = second.length;
  const n = first.length;
  const ranks = doubledRanks([...second, ...first].map((x) => sign * x), null);
  const u = (ranks.slice(0, m).reduce((a, b) => a + b, 0) - m * (m + 1)) / 2;
  const counted = m + n <= MOST_RUNS;
  const pvalue = method === "normal" ? normal(ranks, m, u) : counted ? exact(ranks, m) : undefined;
  let choices = 1;
  for (let i = 1; i <= m; i++) choices = (choices * (n + i)) / i;
  return { pvalue, a12: u / (m * n), least: Math.min(1, 2 / choices) };
}

const corrected = (p, correction) => (correction === "none" ? p : ofList(p, correction));

function signOf(p, direction, least, alpha) {
  if (p <= alpha && direction) return direction > 0 ? "+" : "-";
  return least > alpha ? "?" : "=";
}

/** What keeps a report from being recomputed here, in words; empty if nothing does. */
export const beyondRuns = ({ request, scores }) => [
  request.paired && "paired runs",
  scores.values.flat().includes(null) && "a table with missing scores",
  scores.run_kind === "iteration" && "runs inside of one process",
].filter((reason) => reason?.at);

export function* perProblem(table, data) {
  const { alpha, correction, control } = data.request;
  const { names, problems } = table;
  const others = [...names.keys()].filter((j) => names[j] !== control);
  const family = control === null ? allPairs(names.length) : others.map((j) => [names.indexOf(control), j]);
  const sign = table.better === "lower" ? 1 : -1;
  const filled = (i, j) => table.runs[i][j].filter((x) => !isNaN(x));
  const cells = [];
  const counts = [];
  const beaten = new Set();
  let unknown = false;
  for (const [a, b] of family) {
    const tests = [];
    for (const i of problems.keys()) {
      const printed = data.cells[cells.length + i] ?? {};
      tests.push({ method: printed.method, ...tested(filled(i, a), filled(i, b), sign, printed.method) });
      if (tests[i].pvalue === undefined) {
        unknown = true;
        tests[i].pvalue = printed.pvalue;
      }
      yield;
    }
    const found = corrected(tests.map((test) => test.pvalue), correction);
    const possible = corrected(tests.map((test) => test.least), correction);
    const of = { "+": 0, "=": 0, "-": 0, "?": 0 };
    tests.forEach(({ pvalue, a12, method }, i) => {
      const verdict = signOf(found[i], a12 - 0.5, possible[i], alpha);
      of[verdict]++;
      if (verdict === "+") beaten.add(`${i} ${a} ${b}`);
      if (verdict === "-") beaten.add(`${i} ${b} ${a}`);
      cells.push({ problem: problems[i], a: names[a], b: names[b], verdict, pvalue, adjusted: found[i], a12, method });
    });
    counts.push({ a: names[a], b: names[b], plus: of["+"], equal: of["="], minus: of["-"], cannot_tell: of["?"] });
  }
  const leading = table.costs.map((row, i) => {
    const least = Math.min(...row);
    const best = row.indexOf(least);
    return names.filter((_, j) => row[j] === least || !beaten.has(`${i} ${best} ${j}`));
  });
  const verdicts = new Set(cells.map((cell) => cell.verdict));
  const shown = verdicts.has("+") || verdicts.has("-");
  const expected = {
    decision: shown ? "difference" : verdicts.size === 1 && verdicts.has("?") ? "cannot tell" : "none",
    better: table.better,
    n_problems: problems.length,
    n_algorithms: names.length,
    control,
    correction,
    alpha,
    paired: false,
    cells,
    counts,
    leaders: control === null ? Object.fromEntries(problems.map((name, i) => [name, leading[i]])) : {},
    scores: { values: table.runs.map((row) => row.map((cell) => filledMean(cell.filter((x) => !isNaN(x))))) },
  };
  const skipped = unknown ? [`exact p-values of more than ${MOST_RUNS} runs`] : [];
  return { expected, skipped, columns: runCells(table, control, cells, counts, leading) };
}

const filledMean = (cell) => cell.reduce((a, b) => a + b, 0) / cell.length;

/** What the cells of the tables should show. */
function runCells(table, control, cells, counts, leading) {
  const place = uniquePlaces(table.names.map(plain));
  const problem = uniquePlaces(table.problems.map(plain));
  const tally = ({ plus, equal, minus, cannot_tell: unknown }, turned) =>
    [turned ? minus : plus, equal, turned ? plus : minus].concat(unknown ? [unknown] : []);
  const countsOf = (a, b) => {
    const named = (x, y) => counts.find((each) => plain(each.a) === x && plain(each.b) === y);
    return named(a, b) ? tally(named(a, b), false) : named(b, a) && tally(named(b, a), true);
  };
  const signs = { "+": "+", "-": "−", "=": "≈", "?": "?" };
  return Object.entries({
    "per-problem"([row], title, column, width, line) {
      const [i, j] = [problem(row), place(title)];
      if (j < 0) return undefined;
      if (line.matches(".ruled")) {
        if (control !== null) return table.names[j] === control ? [null] : countsOf(plain(control), title);
        return [leading.filter((names) => names.includes(table.names[j])).length];
      }
      if (i < 0) return undefined;
      const [x] = [table.values[i][j]];
      if (control === null) return before(/ ±|°/, x);
      const cell = cells.find((each) => each.problem === table.problems[i] && each.b === table.names[j]);
      return Object.assign(before(/ ±/, x), { mark: cell ? signs[cell.verdict] : "" });
    },
    counts: ([row], title) => (place(row) < 0 || place(title) < 0 || row === title ? undefined : countsOf(row, title)),
  });
}
