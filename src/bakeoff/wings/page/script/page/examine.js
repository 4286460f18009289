// A report examined: everything that can be recomputed held against what it says, and what came out in words.

import { checked } from "../check.js";
import { plain } from "../texts.js";
import { printedCells } from "../printed.js";
import { tableSha256 } from "../sha256.js";
import { readTable, sizeOf } from "../table.js";
import { make } from "./dom.js";

const WORTH =
  "This finds slips. Against a forged page use bakeoff verify report.html scores.csv, or drop the page into checker.html";

const NOUNS = {
  algorithm: "classifier|learner|method|model|optimi[sz]er|solver",
  problem: "benchmark|data ?set|instance|question|task",
};

/** A text in which algorithms and problems are so called, whatever the heads of the table or the kind call them. */
const worded = (text) =>
  Object.entries(NOUNS).reduce((said, [noun, others]) => said.replace(RegExp(`\\b(an? )?(${noun}|${others})(?=s?\\b)`, "gi"), noun), text);

/** Everything that was compared, and everything that was not; a kind says what it recomputes. */
export function* examined(kind, data, page) {
  const table = readTable(data.scores);
  yield;
  const { expected, skipped, columns, verdict } = yield* kind.recomputed(table, data);
  yield;
  const check = checked(data, expected, sizeOf(table));
  yield;
  const printed = yield* printedCells(page, columns);
  const said = (place, text, computed) => text !== computed && check.differences.push({ place, printed: text, computed });
  const head = page.querySelector("h1"); // a JSON file has none
  if (head) said("the verdict at the head of the page", ...[head.textContent.trim(), plain(data.verdict)].map(worded));
  if (verdict) said("the verdict", data.verdict, verdict);
  else skipped.push("the words of the verdict");
  const sha256 = yield* tableSha256(table, data.scores.clusters, data.scores.tasks);
  if (sha256) said("the SHA-256 of the table", data.scores.sha256, sha256);
  return { table, skipped, check, printed };
}

const shown = (x) => (x?.toPrecision ? `${+x.toPrecision(10)}` : x === undefined ? "nothing" : x?.at ? `${x}` : JSON.stringify(x));

/** Why a report is not recomputed here, in words; empty if it is. */
export const unknown = (kind, data) => (kind ? kind.beyond(data) : ["this kind of report"]);

export const note = (...texts) => make("p.note", ...texts);

export const unchecked = (parts) => note(`Not checked here: ${parts.join("; ")}. Run bakeoff verify report.html.`);

export function reported(data, { table, skipped, check, printed }) {
  const scores = table.values.length * table.names.length;
  const differences = check.differences.length + printed.wrong.length;
  const start = `${check.compared + printed.cells} numbers were recomputed here from the ${scores} scores below; `;
  for (const { cell, computed } of printed.wrong) {
    cell.classList.add("differs");
    if (!cell.querySelector("ins")) cell.append(make("ins", ` recomputed: ${[computed].flat().map(shown).join(", ")}`));
  }
  const items = check.differences.slice(0, 50).map(({ place, printed: said, computed }) => make("li", `${place}: printed ${shown(said)}, recomputed ${shown(computed)}`));
  const marked = printed.wrong.length;
  if (marked) items.unshift(make("li", `marked in the tables: ${marked}`));
  skipped.push("cautions, methods and diagrams");
  const { sha256, file_sha256: file } = data.scores;
  return [
    make(differences ? "p.bad" : "p.good", start + (differences ? `${differences} ${differences === 1 ? "differs" : "differ"}:` : "all agree to 9 digits, or to those printed.")),
    ...(items.length ? [make("ul", ...items)] : []),
    unchecked(skipped),
    make("p.note hash", `SHA-256 of the table as embedded: ${sha256}. Of the input file, as the report says: ${file ?? "the same"}.`),
    make("p.note hash", `${WORTH}${document.querySelector("meta[name=checker]")?.content ?? ""}.`), // a report names its hash
  ];
}
