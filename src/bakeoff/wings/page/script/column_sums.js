// The exact distribution of Σ T_j², T_j column sums of ranks whose rows are permuted independently of one another; and
// when compare() takes it. A state is the sorted vector of column sums; relabelled columns have the same sum.

import { logGamma } from "./distributions.js";
import { sum } from "./numbers.js";

const QUICK = 1e6; // vectors that may be visited, as in ``omnibus/evidence.py``
const MOST_VISITED = 2e6; // really; beyond, the program is the place
const MOST_ORDERS = 400000;
const MOST_TABLES = 690; // logarithm of their number
const MOST_CODES = 2 ** 53;

/** A plain sum: of whole numbers, or where rounding does not matter. */
export const total = (values) => values.reduce((a, b) => a + b, 0);
const divisor = (a, b) => (b ? divisor(b, a % b) : a);

/** ln of the number of distinct orders of a row. */
function ordersOf(row) {
  const counts = new Map();
  for (const x of row) counts.set(x, (counts.get(x) ?? 0) + 1);
  let found = 1;
  let place = 0;
  for (const count of counts.values()) for (let i = 1; i <= count; i++) found = (found * ++place) / i;
  return Math.round(found);
}

/** Rows from 0, in lowest terms, fewest orders first; and what they were divided by. */
function canonical(ranks) {
  const from0 = ranks.map((row) => row.map((x) => x - Math.min(...row)));
  const by = from0.flat().reduce(divisor, 0) || 1;
  const rows = from0.filter((row) => Math.max(...row) > 0).map((row) => row.map((x) => x / by).sort((a, b) => a - b));
  const keyed = rows.map((row) => [ordersOf(row), row]);
  keyed.sort(([m, a], [n, b]) => m - n || a.map((x, i) => x - b[i]).find((x) => x) || 0);
  return { rows: keyed.map(([, row]) => row), sums: ranks[0].map((_, j) => total(from0.map((row) => row[j] / by))) };
}

const lowest = (most, j) => Math.ceil(total(most.slice(0, j + 1)) / (j + 1));
const highest = (most, j) => Math.floor(total(most.slice(j)) / (most.length - j));

/** How many values each sorted column sum may have; `most`: the sums of full agreement. */
const roomsOf = (most) => most.map((_, j) => highest(most, j) - lowest(most, j) + 1);

/** Can the program give each vector of column sums a number? */
function areNumbered(most) {
  const strides = roomsOf(most).slice(1, -1).reduceRight((found, room) => [...found, found.at(-1) * room], [1]);
  return (lowest(most, 0) + highest(most, most.length - 1)) * total(strides) < 2 ** 62;
}

/** How many vectors must be visited, as ``nulls/column_sums.py`` estimates it. */
function workOf(rows) {
  const k = rows[0].length;
  const share = k > 2 ? Math.exp((k - 2) * Math.log(k) + (k - 1) * Math.log(2 / (k - 1)) - logGamma(k + 1)) : 1;
  let [work, tables] = [0, 1];
  let most = [...rows[0]];
  for (const row of rows.slice(1)) {
    const box = roomsOf(most).slice(0, -1).reduce((product, room) => product * room, 1);
    const orders = ordersOf(row);
    work += Math.max(1, Math.min(tables, share * box)) * Math.max(orders, 24);
    tables = Math.min(tables * orders, 1e300);
    most = most.map((x, j) => x + row[j]);
  }
  return rows.length === 2 || areNumbered(most) ? work : Infinity;
}

function isQuick(rows) {
  if (rows.length < 2) return true;
  const orders = rows.map(ordersOf);
  if (orders.at(-1) > MOST_ORDERS) return false;
  return total(orders.slice(1).map(Math.log)) <= MOST_TABLES && workOf(rows) <= QUICK;
}

function* ordersIn(row) {
  const left = [...new Set(row)].map((x) => [x, row.filter((y) => y === x).length]);
  const made = [];
  const extend = function* () {
    if (made.length === row.length) {
      yield [...made];
      return;
    }
    for (const one of left) {
      if (!one[1]) continue;
      one[1]--;
      made.push(one[0]);
      yield* extend();
      made.pop();
      one[1]++;
    }
  };
  yield* extend();
}

/** p of doubled ranks by the exact distribution, with its logarithm; null where compare() does not take it. */
export function* exactTail(ranks) {
  const { rows, sums } = canonical(ranks);
  if (!isQuick(rows)) return null;
  if (!rows.length) return [1, 0];
  const k = rows[0].length;
  const base = 1 + total(rows.map((row) => row[k - 1]));
  const numbered = base ** (k - 1) <= MOST_CODES;
  const codeOf = (state) => (numbered ? state.slice(0, -1).reduce((code, x) => code * base + x, 0) : state.join());
  const whole = total(rows[0]);
  let states = new Map([[codeOf(rows[0]), [rows[0], 1]]]);
  const squares = new Map();
  let visited = 0;
  for (const [i, row] of rows.entries()) {
    if (!i) continue;
    const orders = [...ordersIn(row)];
    const next = new Map();
    for (const [state, weight] of states.values()) {
      visited += orders.length;
      if (visited > MOST_VISITED) throw Error("the exact distribution of its omnibus test takes too long here");
      for (const order of orders) {
        const made = state.map((x, j) => x + order[j]);
        if (i === rows.length - 1) {
          const square = made.reduce((found, x) => found + x * x, 0);
          squares.set(square, (squares.get(square) ?? 0) + weight);
          continue;
        }
        made.sort((a, b) => a - b);
        const code = codeOf(made);
        const known = next.get(code);
        if (known) known[1] += weight;
        else next.set(code, [made, weight]);
      }
      yield 0;
    }
    states = next;
  }
  if (rows.length === 1) squares.set(rows[0].reduce((found, x) => found + x * x, 0), whole && 1);
  const observed = sums.reduce((found, x) => found + x * x, 0);
  const all = sum([...squares.values()]);
  const part = (keep) => sum([...squares].filter(([square]) => keep(square)).sort(([a], [b]) => a - b).map(([, w]) => w / all));
  const upper = part((square) => square >= observed);
  if (upper <= 0.5) return [upper, Math.log(upper)];
  const lower = part((square) => square < observed);
  return [1 - lower, Math.log1p(-lower)];
}
