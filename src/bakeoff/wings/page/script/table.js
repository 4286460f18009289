// The scores as a report embeds them, and the tables that tests take of them.

const number = (x) => (x === "inf" ? Infinity : x === "-inf" ? -Infinity : x === null ? NaN : x);

/** Costs: lower is better. `scales`: the largest score behind each cell; `averaged`: cells are means of runs. */
function made(values, scales, better, averaged) {
  const costs = better === "lower" ? values : values.map((row) => row.map((x) => -x));
  return { values, scales, costs, better, averaged };
}

export function readTable(scores) {
  const values = scores.values.map((row) => row.map(number));
  const runs = scores.runs?.map((row) => row.map((cell) => cell.map(number)));
  const sizes = (runs ?? values.map((row) => row.map((x) => [x]))).map((row) =>
    row.map((cell) => cell.reduce((most, x) => Math.max(most, Math.abs(x)), 0)),
  );
  return { ...made(values, sizes, scores.better, Boolean(runs)), runs, names: scores.algorithms, problems: scores.problems };
}

/** Some rows and columns, by place. */
export function part(table, rows, columns) {
  const cut = (cells) => cells && rows.map((i) => columns.map((j) => cells[i][j]));
  return {
    ...made(cut(table.values), cut(table.scales), table.better, table.averaged),
    runs: cut(table.runs),
    names: columns.map((j) => table.names[j]),
    problems: rows.map((i) => table.problems[i]),
  };
}

/** Logarithms, shifted so that none is smaller than 1 in size: ties are then found to the precision of the scores. */
export function logTable(table) {
  const logs = table.values.map((row) => row.map(Math.log));
  const least = Math.min(1, ...logs.flat());
  return measured(table, logs.map((row) => row.map((x) => x + (1 - least))));
}

/** Scores in units of the range of each problem: their differences are those of scores normalised to [0, 1]. */
export const inRanges = (table) =>
  measured(table, table.values.map((row) => row.map((x) => x / (Math.max(...row) - Math.min(...row) || 1))));

const measured = (table, values) =>
  ({ ...table, ...made(values, values.map((row) => row.map(Math.abs)), table.better, false), runs: undefined });

export const isFinite2 = (table, j) => table.values.every((row) => isFinite(row[j]));

/** The two values that a table holds, the lower first; null where there are more, or one stands there once and is not
 *  called as right and wrong usually are. */
export function twoValues(table) {
  const low = Math.min(...table.values.flat());
  const high = Math.max(...table.values.flat());
  const all = (table.runs ?? table.values).flat(2);
  const once = [low, high].some((end) => all.filter((x) => x === end).length === 1);
  if (low < high && once && !["0,1", "0,100", "-1,1"].includes(low + "," + high)) return null;
  const two = all.concat(table.values.flat()).every((x) => x === low || x === high);
  return isFinite(high - low) && two ? [low, high] : null;
}

/** The largest finite score. */
export const sizeOf = (table) => table.scales.flat().reduce((most, x) => (isFinite(x) ? Math.max(most, x) : most), 0);
