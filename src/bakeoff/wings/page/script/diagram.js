// The critical difference diagram (Demšar 2006, Fig. 1): algorithms on an axis of mean ranks, best at the left; bars join
// those not shown to differ. Lines, texts and dots in points, which the page draws and TikZ writes.

import { asRank } from "./numerals.js";
import { plain } from "./texts.js";

const MOST_DRAWN = 24; // algorithms
const MOST_LEVELS = 10;
const DISTINCT = 1.6; // closer, a member and a non-member of a group cannot be told apart
const PITCH = 14;
const BAR = 6;
const WIDEST = 0.38; // of the page, for names at a side

const line = (x1, y1, x2, y2, width = 0.8, dashed = false) => ({ x1, y1, x2, y2, width, dashed });
const label = (x, y, text, anchor, small = false) => ({ x, y, text, anchor, small });

/** Groups in levels whose bars do not touch. */
function levelsOf(groups, xs) {
  const levels = [];
  for (const group of groups) {
    const level = levels.find((one) => xs[group[0]] - xs[one.at(-1).at(-1)] > 7);
    if (level) level.push(group);
    else levels.push([group]);
  }
  return levels;
}

function barOf(group, xs, y) {
  const [first, last] = [group[0], group.at(-1)];
  if (last - first + 1 === group.length) return [line(xs[first] - 2, y, xs[last] + 2, y, 2.4)];
  const items = [line(xs[first], y, xs[last], y, 0.6, true)];
  group.forEach((i, place) => {
    items.push({ x: xs[i], y, radius: 1.8 });
    if (group[place + 1] === i + 1) items.push(line(xs[i], y, xs[i + 1], y, 2.4));
  });
  return items;
}

/** The items and the size of the diagram; nothing where it would be ambiguous. `widthOf` measures a text. */
export function criticalDiagram({ data, table, meanRanks }, width, widthOf) {
  const k = table.names.length;
  if (k > MOST_DRAWN) return null;
  const order = [...meanRanks.keys()].sort((a, b) => meanRanks[a] - meanRanks[b] || a - b);
  const names = order.map((j) => plain(table.names[j]));
  const half = Math.ceil(k / 2);
  const value = widthOf("00.000", true) + 10;
  const rooms = [names.slice(0, half), names.slice(half)].map((own) => Math.max(...own.map((name) => widthOf(name, false))) + value);
  if (Math.max(...rooms) > WIDEST * width) return null;
  const [left, right] = [rooms[0] + 8, width - rooms[1] - 8];
  const low = Math.floor(meanRanks[order[0]]);
  const high = Math.max(Math.ceil(meanRanks[order.at(-1)]), low + 1);
  const x = (rank) => left + ((rank - low) / (high - low)) * (right - left);
  const xs = order.map((j) => x(meanRanks[j]));
  const groups = data.groups.filter((group) => group.length > 1).map((group) => group.map((name) => order.indexOf(table.names.indexOf(name))));
  const ambiguous = groups.some((group) => xs.some((other, i) => !group.includes(i) && group.some((own) => Math.abs(xs[own] - other) < DISTINCT)));
  const levels = levelsOf(groups, xs);
  if (ambiguous || levels.length > MOST_LEVELS) return null;
  const axis = 30;
  const items = [label((left + right) / 2, 10, "mean rank (best at the left)", "middle", true), line(left, axis, right, axis)];
  for (let rank = low; rank <= high; rank++) {
    items.push(line(x(rank), axis - 4, x(rank), axis), label(x(rank), axis - 7, `${rank}`, "middle", true));
  }
  const top = axis + 8 + levels.length * BAR;
  let bottom = top;
  order.forEach((j, i) => {
    const leftSide = i < half;
    const y = top + 8 + (leftSide ? i : k - 1 - i) * PITCH;
    const [edge, anchor, away] = leftSide ? [Math.min(left, xs[i]) - 4, "end", -1] : [Math.max(right, xs[i]) + 4, "start", 1];
    items.push(line(xs[i], axis, xs[i], y), line(xs[i], y, edge, y));
    items.push(label(edge + away * 3, y + 3.5, asRank(meanRanks[j]), anchor, true));
    items.push(label(edge + away * (value - 2), y + 4, names[i], anchor));
    bottom = Math.max(bottom, y + PITCH);
  });
  levels.forEach((level, i) => level.forEach((group) => items.push(...barOf(group, xs, axis + 7 + i * BAR))));
  return { items, width, height: bottom };
}

const TEX_ANCHORS = { start: "west", end: "east", middle: "" };

/** The diagram in TikZ; `texOf` writes a text in LaTeX. */
export function asTikz({ items }, texOf) {
  const at = (x, y) => `(${x.toFixed(2)},${y.toFixed(2)})`;
  const lines = items.map((item) => {
    if (item.radius) return `\\fill ${at(item.x, item.y)} circle[radius=${item.radius}bp];`;
    if (item.text === undefined) {
      return `\\draw[line width=${item.width}bp${item.dashed ? ",dashed" : ""}] ${at(item.x1, item.y1)} -- ${at(item.x2, item.y2)};`;
    }
    const anchor = `base ${TEX_ANCHORS[item.anchor]}`.trim();
    return `\\node[anchor=${anchor},font=\\sffamily\\${item.small ? "scriptsize" : "footnotesize"}] at ${at(item.x, item.y)} {${texOf(item.text)}};`;
  });
  const start = ["% needs \\usepackage{tikz} in the preamble", "\\begin{tikzpicture}[x=1bp,y=-1bp,inner sep=0pt,outer sep=0pt]"];
  return [...start, ...lines.map((one) => `  ${one}`), "\\end{tikzpicture}"].join("\n");
}
