// What the cells of a report on `compare` should show: by the title of the column, numbers or a text.

import { isDecided } from "./groups.js";
import { before, uniquePlaces } from "./printed.js";
import { plain } from "./texts.js";

/** An effect and its ends as of b against a. */
function turnedEffect(scale, [x, low, high]) {
  if (scale === "a12") return [1 - x, 1 - high, 1 - low];
  const back = scale === "percent" ? (y) => (y > -100 ? 100 / (1 + y / 100) - 100 : Infinity) : (y) => -y;
  return [back(x), back(high), back(low)];
}

/** A pair as its tables say it; `turned` where b stands first. */
function shownPair({ effect, interval, verdict, ...pair }, turned) {
  const sign = turned ? -1 : 1;
  const record = [pair.wins, pair.ties, pair.losses];
  const { statistic, pvalue } = pair;
  const said = effect && [effect.estimate, interval.low, interval.high];
  return {
    adjusted: pair.adjusted,
    verdict: isDecided(verdict) ? ((verdict === "a better") !== turned ? "better" : "worse") : verdict,
    effect: said && (turned ? turnedEffect(effect.scale, said) : said),
    record: turned ? record.reverse() : record,
    columns: {
      "raw p": pvalue,
      p: pvalue,
      "rank-biserial": pair.rank_biserial && sign * pair.rank_biserial,
      "min(R+, R−)": statistic,
      wins: turned ? statistic - pair.wins + pair.losses : statistic,
      z: sign * statistic,
      t: sign * statistic,
    },
  };
}

/** Of each kind of table what a cell should show; nothing where a column is not known. */
export function compareCells(data, { table, pairs, primary, control, ...result }) {
  const names = table.names.map(plain);
  const place = uniquePlaces(names);
  const problem = uniquePlaces(table.problems.map(plain));
  const of = new Map();
  for (const pair of pairs) {
    const [a, b] = [pair.a, pair.b].map(plain);
    of.set(`${a}\n${b}`, shownPair(pair, false)).set(`${b}\n${a}`, shownPair(pair, true));
  }
  const pairOf = (a, b) => (place(a) < 0 || place(b) < 0 ? undefined : of.get(`${a}\n${b}`));
  const ofRow = ([a, b]) => (control === null ? pairOf(a, b) : pairOf(names[control], a));
  const recordTitles = ["w / t / l", "control won / tied / lost"];
  return Object.entries({
    ranking([name], title) {
      const j = place(name);
      if (j < 0) return undefined;
      if (title === "mean rank") return [result.meanRanks[j]];
      if (title.startsWith("mean ")) return title.endsWith("rank") ? undefined : [result.means[j]];
      if (title.startsWith("median ")) return [result.medians[j]];
      if (title === recordTitles[1]) return pairOf(names[control], name)?.record;
      if (title === "wins / ties / losses") {
        const own = names.map((other) => pairOf(name, other)?.record ?? [0, 0, 0]);
        return [0, 1, 2].map((i) => own.reduce((total, record) => total + record[i], 0));
      }
      if (title === "group") {
        return result.groups.map((group, i) => (group.includes(table.names[j]) ? "abcdefghijklmnopqrstuvwxyz"[i] : "")).join("");
      }
    },
    pairs(heads, title) {
      const pair = ofRow(heads);
      if (!pair) return undefined;
      if (title === "verdict") {
        const first = /better|worse/.test(pair.verdict) ? (control === null ? "first " : "control ") : "";
        return data.margin ? undefined : first + pair.verdict;
      }
      if (title.startsWith("adjusted p")) return [pair.adjusted[primary]];
      if (recordTitles.includes(title)) return pair.record;
      if (title.endsWith("[interval]")) return result.sized && !data.margin && pair.effect ? pair.effect : undefined;
      const value = pair.columns[title];
      return value === undefined ? undefined : [value];
    },
    corrections(heads, title, column, width) {
      const pair = ofRow(heads);
      const method = data.posthoc[column - width + data.posthoc.length];
      return pair && (title === "raw p" ? [pair.columns.p] : method && [pair.adjusted[method]]);
    },
    records: ([row], title) => pairOf(row, title)?.record,
    contrasts([row], title) {
      const [a, b] = [place(row), place(title)];
      return a >= 0 && b >= 0 && a !== b && result.contrasts ? [result.contrasts[a][b]] : undefined;
    },
    scores([row], title) {
      const [i, j] = [problem(row), place(title)];
      return i >= 0 && j >= 0 ? before(/\s[(±]/, table.values[i][j]) : undefined;
    },
    matrix([name], title, column, width, row) {
      const other = [...row.parentNode.rows].indexOf(row) > column - 2 && row.parentNode.rows[column - 2]?.cells[1];
      const pair = other && pairOf(name, other.textContent);
      return pair ? before(/ [^ ]*$/, pair.adjusted[primary]) : undefined;
    },
  });
}
