// Numbers as a report prints them, held against those computed: a printed number stands for all that round to it.

import { isDecided } from "./compare.js";
import { plain } from "./sentences.js";

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const NUMBER = /([−-]?)(?:(∞)|(\d+)(?:\.(\d+))?(?:×10(⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))?)/g;

const exponent = (text) => +[...text].map((c) => (c === "⁻" ? "-" : RAISED.indexOf(c))).join("");

/** Each number in a text with the size of its last digit. */
export function numbersIn(text) {
  return [...text.matchAll(NUMBER)].map(([, sign, infinite, whole, places = "", raised]) => {
    const power = raised ? exponent(raised) : 0;
    const size = infinite ? Infinity : +`${whole}.${places}e${power}`;
    return { value: sign ? -size : size, unit: 10 ** (power - places.length) };
  });
}

/** Does the text show these numbers, and no others? */
export function shows(text, values) {
  const said = text.trim();
  if (values.every((x) => x === null || isNaN(x))) return said === "–";
  const bound = /^([<>]) ?(.*)/.exec(said);
  if (bound) {
    const [limit] = bound[2].startsWith("10⁻") ? [{ value: 1e-300 }] : numbersIn(bound[2]);
    return bound[1] === "<" ? values[0] < limit.value : values[0] > limit.value;
  }
  const found = numbersIn(said);
  return (
    found.length === values.length &&
    found.every(({ value, unit }, i) => value === values[i] || Math.abs(value - values[i]) <= 0.5001 * unit + 1e-9 * Math.abs(value))
  );
}

function turnedEffect(scale, [x, low, high]) {
  if (scale === "a12") return [1 - x, 1 - high, 1 - low];
  const back = scale === "percent" ? (y) => (y > -100 ? 100 / (1 + y / 100) - 100 : Infinity) : (y) => -y;
  return [back(x), back(high), back(low)];
}

/** Where each name stands; one that stands for several has no place. */
function uniquePlaces(names) {
  const found = new Map();
  names.forEach((name, i) => found.set(name, found.has(name) ? -1 : i));
  return found;
}

/** What the cells of a row should show: by the title of the column, numbers or a text. Unknown columns have nothing. */
function* expected(data, result) {
  const { table, pairs, primary } = result;
  const names = table.names.map(plain);
  const places = uniquePlaces(names);
  const problems = uniquePlaces(table.problems.map(plain));
  const place = (name) => places.get(name) ?? -1;
  const control = result.control;
  const of = new Map();
  for (const pair of pairs) of.set(`${plain(pair.a)}\n${plain(pair.b)}`, pair);
  const pairOf = (first, second) => {
    if (place(first) < 0 || place(second) < 0) return [];
    const pair = of.get(`${first}\n${second}`);
    return pair ? [pair, false] : [of.get(`${second}\n${first}`), true];
  };
  const record = (pair, turned) => (turned ? [pair.losses, pair.ties, pair.wins] : [pair.wins, pair.ties, pair.losses]);
  yield [
    "ranking",
    ([name], title) => {
      const j = place(name);
      if (j < 0) return undefined;
      if (title === "mean rank") return [result.meanRanks[j]];
      if (title.startsWith("mean ") && !title.endsWith("rank")) return [result.means[j]];
      if (title.startsWith("median ")) return [result.medians[j]];
      if (title === "wins / ties / losses") {
        const own = pairs.filter((pair) => pair.a === table.names[j] || pair.b === table.names[j]);
        return [0, 1, 2].map((i) => own.reduce((sum, pair) => sum + record(pair, pair.b === table.names[j])[i], 0));
      }
      const against = control !== null && j !== control && pairOf(names[control], name)[0];
      if (against && title === "control won / tied / lost") return record(against);
      if (title === "group") {
        return result.groups.map((group, i) => (group.includes(table.names[j]) ? "abcdefghijklmnopqrstuvwxyz"[i] : "")).join("");
      }
    },
  ];
  yield [
    "pairs",
    (heads, title) => {
      const [pair, turned] = control === null ? pairOf(heads[0], heads[1]) : pairOf(names[control], heads[0]);
      if (!pair) return undefined;
      if (title === "verdict" && !data.margin) {
        const first = control === null ? "first" : "control";
        return isDecided(pair.verdict) ? `${first} ${(pair.verdict === "a better") !== turned ? "better" : "worse"}` : pair.verdict;
      }
      if (title.startsWith("adjusted p")) return [pair.adjusted[primary]];
      if (title === "raw p" || title === "p") return [pair.evidence[0]];
      if (title === "w / t / l" || title === "control won / tied / lost") return record(pair, turned);
      if (title === "rank-biserial") return [pair.rank_biserial && (turned ? -1 : 1) * pair.rank_biserial];
      if (title.endsWith("[interval]") && result.sized && pair.effect && !data.margin) {
        const said = [pair.effect.estimate, pair.interval.low, pair.interval.high];
        return turned ? turnedEffect(pair.effect.scale, said) : said;
      }
      if (title === "min(R+, R−)") return [pair.statistic];
      if (title === "wins") return [turned ? pair.statistic - pair.wins + pair.losses : pair.statistic];
      if (title === "z" || title === "t") return [turned ? -pair.statistic : pair.statistic];
    },
  ];
  yield [
    "corrections",
    (heads, title, column, width) => {
      const [pair] = control === null ? pairOf(heads[0], heads[1]) : pairOf(names[control], heads[0]);
      const method = data.posthoc[column - width + data.posthoc.length];
      return pair && (title === "raw p" ? [pair.evidence[0]] : method && [pair.adjusted[method]]);
    },
  ];
  yield [
    "records",
    ([row], title) => {
      const [pair, turned] = pairOf(row, title);
      return pair && record(pair, turned);
    },
  ];
  yield [
    "contrasts",
    ([row], title) => {
      const [a, b] = [place(row), place(title)];
      return a >= 0 && b >= 0 && a !== b && result.contrasts ? [result.contrasts[a][b]] : undefined;
    },
  ];
  yield [
    "scores",
    ([row], title) => {
      const [i, j] = [problems.get(row) ?? -1, place(title)];
      return i >= 0 && j >= 0 ? { first: table.values[i][j] } : undefined;
    },
  ];
}

/** The cells of the page that do not show what was computed, and how many were looked at. */
export function* printedCells(page, data, result) {
  const found = { cells: 0, differing: [] };
  for (const [key, what] of expected(data, result)) {
    for (const table of page.querySelectorAll(`table.${key}`)) {
      const titles = [...table.tHead.rows[0].cells].map((cell) => cell.textContent.trim());
      for (const row of table.tBodies[0].rows) {
        const texts = [...row.cells].map((cell) => cell.textContent);
        const head = [...row.cells].findIndex((cell) => cell.tagName === "TH");
        titles.forEach((title, i) => {
          const wanted = i === head || !row.cells[i] ? undefined : what([texts[head], texts[head + 1]], title, i, titles.length);
          if (wanted === undefined || wanted === false) return;
          found.cells++;
          const first = wanted.first !== undefined;
          const values = first ? [wanted.first] : wanted;
          const text = first ? texts[i].split(/\s[(±]/)[0] : texts[i]; // without its rank and its spread
          const agrees = typeof wanted === "string" ? text.trim() === wanted : shows(text, values);
          if (!agrees) found.differing.push({ cell: row.cells[i], computed: values });
        });
        yield 0;
      }
    }
  }
  const matrix = page.querySelector("table.matrix");
  const rows = matrix ? [...matrix.tBodies[0].rows] : [];
  const columns = rows.map((row) => row.cells[1].textContent);
  const of = new Map();
  for (const pair of result.pairs) {
    for (const two of [[pair.a, pair.b], [pair.b, pair.a]]) of.set(two.map(plain).join("\n"), pair);
  }
  for (const [i, row] of rows.entries()) {
    for (let j = 0; j < i; j++) {
      const pair = of.get(`${columns[i]}\n${columns[j]}`);
      if (!pair) continue;
      found.cells++;
      const computed = [pair.adjusted[result.primary]];
      const cell = row.cells[j + 2];
      if (!shows(cell.textContent.replace(/ [^ ]*$/, ""), computed)) found.differing.push({ cell, computed });
    }
    yield 0;
  }
  return found;
}
