// SHA-256 (FIPS 180-4), and that of a table as `bakeoff` takes it. A page opened over plain http has no crypto.subtle.

const fraction = (x) => ((x - Math.floor(x)) * 2 ** 32) | 0;
const primes = [];
for (let i = 2; primes.length < 64; i++) if (primes.every((p) => i % p)) primes.push(i);

/** A generator: it pauses now and then. */
export function* sha256(bytes) {
  const k = primes.map((p) => fraction(Math.cbrt(p)));
  const h = primes.slice(0, 8).map((p) => fraction(Math.sqrt(p)));
  const padded = new Uint8Array(((bytes.length + 72) >> 6) << 6);
  padded.set(bytes);
  padded[bytes.length] = 128;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, bytes.length / 2 ** 29);
  view.setUint32(padded.length - 4, bytes.length << 3);
  const turn = (x, by) => (x >>> by) | (x << (32 - by));
  const w = new Int32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    const s = [...h];
    for (let i = 0; i < 64; i++) {
      if (i < 16) w[i] = view.getInt32(at + 4 * i);
      else {
        const [x, y] = [w[i - 15], w[i - 2]];
        w[i] = w[i - 16] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + w[i - 7] + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10));
      }
      const [a, b, c, , e, f, g] = s;
      const t = s[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + k[i] + w[i];
      s.unshift((t + (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0);
      s.pop();
      s[4] = (s[4] + t) | 0;
    }
    for (let i = 0; i < 8; i++) h[i] = (h[i] + s[i]) | 0;
    if (at % 2 ** 15 === 0) yield;
  }
  return h.map((x) => (x >>> 0).toString(16).padStart(8, "0")).join("");
}

/** A text as Python writes it; null where that is not known here. */
function quoted(text) {
  if (/(?! )[\p{C}\p{Z}]/u.test(text)) return null;
  const sign = text.includes("'") && !text.includes('"') ? '"' : "'";
  return sign + text.replaceAll("\\", "\\\\").replaceAll(sign, `\\${sign}`) + sign;
}

const tuple = (texts) => `(${texts.join(", ")}${texts.length === 1 ? "," : ""})`;

/** Of directions, names and every bit of every run; null where names or cells have no one form. */
export function* tableSha256(table, clusters, tasks) {
  const cells = (table.runs ?? table.values.map((row) => row.map((x) => [x]))).flat();
  const labels = [clusters, tasks && ["tasks", ...tasks]].filter(Boolean);
  const named = [table.names, table.problems, ...labels].map((list) => list.map(quoted));
  const runs = cells[0].length;
  if (named.flat().includes(null) || cells.some((cell) => cell.length !== runs)) return null;
  const shape = tuple([table.values.length, table.names.length, runs]);
  const [names, problems, ...rest] = named.map(tuple);
  const head = new TextEncoder().encode(tuple([`'${table.better}'`, names, problems, shape, ...rest]));
  const numbers = new Uint8Array(Float64Array.from(cells.flat()).buffer);
  const all = new Uint8Array(head.length + numbers.length);
  all.set(head);
  all.set(numbers, head.length);
  return yield* sha256(all);
}
