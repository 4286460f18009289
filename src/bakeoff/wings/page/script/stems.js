// Do problems look as if they came in clusters? Names that share stems whose problems resemble each other (Mantel
// 1967), most names with one stem, and rows of scores that come again.

import { total } from "./column_sums.js";
import { normalQuantile } from "./distributions.js";

const MOST_CUTS = 6;
const FEWEST_OF_A_STEM = 5;
const BY_CHANCE = 0.01;

/** A number for each name, the same for those that share a stem; nothing of a cut that joins all, or none. */
function coded(stems) {
  const places = new Map();
  const codes = stems.map((stem) => places.get(stem) ?? (places.set(stem, places.size), places.size - 1));
  return places.size > 1 && places.size < stems.length ? codes : null;
}

/** The cuts of names at their separators, coarse ones first. */
function stemsOf(names) {
  if (!names.some((name) => /[\s_\-./:|,;@#]/.test(name))) return [];
  let parts = names.map((name) => name.split(/[\s_\-./:|,;@#]+/));
  while (parts.every((part) => part.length > 1 && part[0] === parts[0][0])) parts = parts.map((part) => part.slice(1));
  const found = new Map();
  const keep = (codes) => codes && found.set(`${codes}`, codes);
  const deepest = Math.min(Math.max(...parts.map((part) => part.length)), MOST_CUTS + 1);
  let stem = names.map(() => "0");
  for (let depth = 1; depth < deepest; depth++) {
    stem = stem.map((before, i) => (parts[i].length > depth ? `${before}\n${parts[i][depth - 1]}` : `${-1 - i}`));
    keep(coded(stem));
    if (new Set(stem).size === names.length) break;
  }
  keep(coded(parts.map((part, i) => (part.length > 1 ? part.slice(0, -1).join("\n") : `\t${names[i]}`))));
  return [...found.values()];
}

const stemSizes = (codes) => {
  const sizes = new Array(Math.max(...codes) + 1).fill(0);
  for (const code of codes) sizes[code]++;
  return sizes;
};

/** Mean and variance over all orders of Σ A_ij B_π(i)π(j): Mantel (1967), appendix. */
function momentsOf(first, second, n) {
  const pairs = n * (n - 1);
  const triples = pairs * (n - 2);
  const middle = (first.entries * second.entries) / pairs;
  const [a, b] = [first, second].map((s) => s.entries ** 2 + 2 * s.squares - 4 * s.rows);
  let square = (2 * first.squares * second.squares) / pairs;
  square += (4 * (first.rows - first.squares) * (second.rows - second.squares)) / triples;
  square += (a * b) / (triples * (n - 3));
  return [middle, square - middle ** 2];
}

/** Similarity within stems above its mean over all orders of the rows, in standard deviations. */
function between(ranks, codes) {
  const n = ranks.length;
  const middle = ranks[0].map((_, j) => total(ranks.map((row) => row[j])) / n);
  const x = ranks.map((row) => row.map((r, j) => r - middle[j]));
  const sizes = stemSizes(codes);
  const squares = x.map((row) => total(row.map((y) => y * y)));
  const sums = sizes.map((_, c) => middle.map((_, j) => total(x.filter((_, i) => codes[i] === c).map((row) => row[j]))));
  const inside = total(sums.map((row, c) => total(row.map((y) => y * y)) / sizes[c]));
  const found = inside - total(squares.map((s, i) => s / sizes[codes[i]]));
  const gram = middle.flatMap((_, a) => middle.map((_, b) => total(x.map((row) => row[a] * row[b]))));
  const fourth = total(squares.map((s) => s * s));
  const first = { entries: -total(squares), squares: total(gram.map((y) => y * y)) - fourth, rows: fourth };
  const second = {
    entries: n - sizes.length,
    squares: total(sizes.map((m) => (m - 1) / m)),
    rows: total(sizes.map((m) => (m - 1) ** 2 / m)),
  };
  const [mean, variance] = momentsOf(first, second, n);
  return variance > 1e-12 * mean ** 2 ? (found - mean) / Math.sqrt(variance) : 0;
}

/** Might the problems be clusters, by the ranks within them? */
export function looksClustered(problems, ranks, values) {
  if (problems.length < 4) return false;
  const cuts = stemsOf(problems);
  const enough = (normalQuantile(BY_CHANCE / cuts.length / 2) ** 2 - 1) / Math.SQRT2;
  if (cuts.some((codes) => between(ranks, codes) >= enough - 1e-6)) return true;
  return values.filter((row, i) => i && row.every((x, j) => x === values[i - 1][j])).length > 1;
}

/** How many problems are called after one stem, and two of them, if they are more than half. */
export function oneStem(problems) {
  for (const codes of stemsOf(problems)) {
    const sizes = stemSizes(codes);
    const count = Math.max(...sizes);
    if (count < FEWEST_OF_A_STEM || 2 * count <= codes.length) continue;
    const [first, second] = problems.filter((_, i) => codes[i] === sizes.indexOf(count));
    return { count, n_problems: problems.length, first, second };
  }
  return null;
}
