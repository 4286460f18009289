// A report's numbers held against those computed here: a list of what agrees, and of what differs.

const DIGITS = 1e-9;

/** Do a printed and a computed number agree to 9 digits? JSON has null for what is not finite. */
export function agree(printed, computed, scale = 0) {
  if (typeof computed !== "number") return printed === computed;
  if (!isFinite(computed)) return printed === null;
  if (typeof printed !== "number") return false;
  const size = Math.max(Math.abs(printed), Math.abs(computed));
  return Math.abs(printed - computed) <= Math.max(DIGITS * size, 1e-13 * scale, 1e-290);
}

/** Compares `computed` with what the report has at the same place: numbers one by one, whatever has parts by parts. */
export class Check {
  constructor(scale) {
    this.scale = scale;
    this.numbers = 0;
    this.differences = [];
  }

  add(place, printed, computed, scale = 0) {
    if (computed !== null && typeof computed === "object") {
      const there = printed !== null && typeof printed === "object" ? printed : {};
      if (Array.isArray(computed) && computed.length !== there.length) {
        this.differences.push({ place: `${place} (length)`, printed: there.length ?? null, computed: computed.length });
      }
      for (const key of Object.keys(computed)) this.add(`${place}.${key}`, there[key], computed[key], scale);
      return;
    }
    if (typeof computed === "number") this.numbers++;
    if (!agree(printed, computed, scale)) this.differences.push({ place, printed, computed });
  }
}

/** Every value of a report on `compare` that was recomputed; `result` is what `compared` returned. */
export function checkCompare(data, result) {
  const { table, pairs } = result;
  const finite = table.values.flat().filter(isFinite);
  const check = new Check(finite.reduce((most, x) => Math.max(most, Math.abs(x)), 0));
  const named = (list) => Object.fromEntries(table.names.map((name, j) => [name, list[j]]));
  const { request } = data;
  check.add("alpha", data.alpha, request.alpha);
  check.add("control", data.control, request.control);
  check.add("n_problems", data.n_problems, table.values.length);
  check.add("n_algorithms", data.n_algorithms, table.names.length);
  check.add("better", data.better, table.better);
  check.add("pairwise", data.pairwise, result.test);
  check.add("posthoc", data.posthoc, result.methods);
  check.add("primary", data.primary, result.primary);
  check.add("mean_ranks", data.mean_ranks, named(result.meanRanks));
  check.add("means", data.means, named(result.means), check.scale);
  check.add("kendall_w", data.kendall_w, result.kendall_w);
  for (const { key, ...test } of result.tests) for (const part of Object.keys(test)) check.add(`${key}.${part}`, data[key][part], test[part]);
  check.add("pairs", (data.pairs ?? []).length, pairs.length);
  pairs.forEach((pair, i) => {
    const printed = data.pairs[i] ?? {};
    const at = `${pair.a} – ${pair.b}`;
    const [pvalue, log_pvalue] = pair.evidence;
    const values = { a: pair.a, b: pair.b, statistic: pair.statistic, pvalue, log_pvalue, adjusted: pair.adjusted };
    Object.assign(values, { wins: pair.wins, ties: pair.ties, losses: pair.losses, test: pair.test });
    if (result.sized) values.rank_biserial = pair.rank_biserial;
    if (!data.margin) values.verdict = pair.verdict;
    for (const key of Object.keys(values)) check.add(`${at}: ${key}`, printed[key], values[key], 1);
    if (!result.sized) return;
    for (const key of ["effect", "interval"]) {
      if (key === "interval" && data.margin) continue;
      const slack = pair[key] && pair.effect.kind === "share" ? 20 : 1; // of a root that is searched for
      check.add(`${at}: ${key}`, printed[key], pair[key], slack * Math.max(check.scale, 1));
    }
  });
  if (!data.margin) check.add("groups", data.groups, result.groups);
  if (data.contrasts || result.contrasts) check.add("contrasts", data.contrasts, result.contrasts, check.scale);
  if ("critical_difference" in result) check.add("critical_difference", data.critical_difference, result.critical_difference);
  if (table.runs) checkMeans(check, table);
  return check;
}

/** The analysed values are the means of their runs. */
function checkMeans(check, table) {
  table.values.forEach((row, i) =>
    row.forEach((x, j) => {
      const cell = table.runs[i][j];
      const centre = cell.reduce((a, b) => a + b, 0) / cell.length;
      check.add(`score of ${table.names[j]} on ${table.problems[i]}`, isFinite(x) ? x : null, centre, check.scale * 1e3);
    }),
  );
}
