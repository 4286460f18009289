// What doubles hold: units in the last place, sums that lose nothing, order statistics.

const one = new Float64Array(1);
const words = new Uint32Array(one.buffer);

/** The distance from |x| to the next larger double; 0 of a subnormal one, as in ``ranks/ties.py``. */
export function spacing(x) {
  one[0] = Math.abs(x);
  return 2 ** ((words[1] >>> 20) - 1075);
}

/** A sum with the rounding errors of its additions added back (Neumaier 1974). */
export function sum(values) {
  let total = 0;
  let lost = 0;
  for (const x of values) {
    const next = total + x;
    lost += Math.abs(total) >= Math.abs(x) ? total - next + x : x - next + total;
    total = next;
  }
  return total + lost;
}

/** The mean of a list; halved first where the sum would overflow. */
export function mean(values) {
  const total = sum(values);
  if (isFinite(total)) return total / values.length;
  if (values.some((x) => !isFinite(x))) return values.reduce((a, b) => a + b, 0) / values.length;
  return 2 ** 60 * (sum(values.map((x) => x * 2 ** -60)) / values.length);
}

export const ascending = (a, b) => a - b || (a < b ? -1 : a > b ? 1 : 0);

/** A sorted copy; infinities have their place. */
export const sorted = (values) => Float64Array.from(values).sort();

/** The median; between opposite infinities there is none. */
export function median(values) {
  const s = sorted(values);
  const n = s.length;
  return 0.5 * s[(n - 1) >> 1] + 0.5 * s[n >> 1];
}

export const isBinary = (x) => x === 0 || x === 1;

/** All pairs a < b of 0 … k − 1, row by row. */
export function allPairs(k) {
  const pairs = [];
  for (let a = 0; a < k; a++) for (let b = a + 1; b < k; b++) pairs.push([a, b]);
  return pairs;
}
