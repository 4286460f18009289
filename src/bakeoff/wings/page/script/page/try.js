// The page try.html: a table is dropped, pasted or opened; how it was read, the question which scores are good, then the
// answer of `bakeoff compare`. What the page is not sure of goes to the command. Nothing leaves the page.

import { asTikz, criticalDiagram } from "../diagram.js";
import { basisOf, levelOf, omnibusLine, pairRows, paragraphOf, plainAnswer, rankingRows } from "../plain_answer.js";
import { namedDirection, plainTable } from "../plain_table.js";
import { listed } from "../sentences.js";
import { plain } from "../texts.js";
import { copyButton, make, working } from "./dom.js";
import { FORMATS, tables, texCell } from "./tables.js";
import { shellWord, whatIf } from "./what_if.js";

const WORDS = JSON.parse(document.getElementById("try-data").textContent);
const SVG = "http://www.w3.org/2000/svg";
const LARGEST = 20e6; // bytes that are read
const DRAWN = 640; // points, of the diagram
const NARROWEST = 320;
const EXAMPLES = { lower: "errors, costs, times", higher: "accuracies, rewards" };

const [found, answer, busy] = ["found", "answer", "busy"].map((id) => document.getElementById(id));
let halt = () => {};

const note = (...parts) => make("p.note", ...parts);
const textBox = (text, title) => make("textarea", { readOnly: true, value: text, rows: 6, "aria-label": title });
const pasteBox = document.getElementById("paste");

const commandFor = (name, better) => `bakeoff compare ${shellWord(name)} --better ${better}`;

function commandLine(name, better) {
  const command = commandFor(name, better);
  return make("p", make("code", command), " ", copyButton("Copy the command", () => command));
}

// --- tables and the diagram -------------------------------------------------------------------------------------

function shownTable(caption, heads, rows, texts) {
  const cell = (tag, text, i, more = {}) => make(texts.includes(i) ? `${tag}.t` : tag, more, text);
  const head = make("tr", ...heads.map((title, i) => cell("th", title, i, { scope: "col" })));
  const body = rows.map((row) => make("tr", ...row.map((text, i) => (i === texts[0] ? cell("th", text, i, { scope: "row" }) : cell("td", text, i)))));
  const table = make("table", make("caption", caption), make("thead", head), make("tbody", ...body));
  return make("div.scroll", { tabIndex: 0, role: "region", "aria-label": caption }, table);
}

function drawn({ items, width, height }, title) {
  const shape = (tag, attributes, text) => {
    const made = document.createElementNS(SVG, tag);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const picture = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title });
  for (const item of items) {
    if (item.radius) picture.append(shape("circle", { cx: item.x, cy: item.y, r: item.radius }));
    else if (item.text === undefined) {
      const dashes = item.dashed ? { "stroke-dasharray": "3 2" } : {};
      picture.append(shape("line", { x1: item.x1, y1: item.y1, x2: item.x2, y2: item.y2, "stroke-width": item.width, ...dashes }));
    } else picture.append(shape("text", { x: item.x, y: item.y, "text-anchor": item.anchor, class: item.small ? "small" : "name" }, item.text));
  }
  return picture;
}

function widthOf(text, small) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${small ? 10 : 12}px sans-serif`;
  return pen.measureText(text).width;
}

// --- the answer -------------------------------------------------------------------------------------------------

function cautionsOf(cautions) {
  if (!cautions.length) return [];
  const items = cautions.map(({ name, question, text, severity, reference }) =>
    make(`li.is-${severity}`, make("strong", question), ` ${text}${reference ? ` (${reference})` : ""} `, make("code", name)),
  );
  return [make("h3", "Read this before quoting"), make("ul.cautions", ...items)];
}

function explored(data) {
  const start = whatIf(data);
  if (!start) return [];
  const area = make("div", { hidden: true });
  const button = make("button", { "aria-expanded": false }, "Try “what if”");
  button.onclick = () => {
    if (!area.firstChild) area.append(start());
    area.hidden = !area.hidden;
    button.setAttribute("aria-expanded", !area.hidden);
  };
  return [make("div.explore-panel", make("p", button), area)];
}

function shownAnswer(result, name, better) {
  const { data, cautions } = result;
  const words = WORDS.sentences;
  data.command = commandFor(name, better);
  const ranking = rankingRows(result);
  const pairs = pairRows(result, words);
  const lettered = ranking.some((row) => row[3]);
  const rankHeads = ["#", "algorithm", "mean rank", "group", "mean score", "median score", "wins / ties / losses"];
  const adjusted = data.pairs.length > 1 ? [`adjusted p (${words.corrections[data.primary]})`] : [];
  const pairHeads = ["first", "second", "verdict", ...adjusted, "difference [interval]", "w / t / l", adjusted.length ? "raw p" : "p"];
  const used = (row) => row.filter((_, i) => i !== 3 || lettered);
  const rankRows = ranking.map(used);
  const diagram = criticalDiagram(result, Math.max(NARROWEST, Math.min(DRAWN, answer.clientWidth)), widthOf);
  const title = `Critical difference diagram. ${data.verdict}`;
  const figure = diagram
    ? [make("figure", drawn(diagram, title), make("figcaption", "Algorithms joined by a bar are not shown to differ."))]
    : [note("The diagram has no room here, or could be read in two ways: the command shows the groups, with --report report.html.")];
  const latex = [
    FORMATS.LaTeX([used(rankHeads), ...rankRows]),
    FORMATS.LaTeX([pairHeads, ...pairs]),
    ...(diagram ? [asTikz(diagram, texCell)] : []),
  ].join("\n\n");
  const paragraph = paragraphOf(result, words);
  const part = make(
    "section",
    { "aria-label": "Answer" },
    make("h2.verdict", { tabIndex: -1 }, data.verdict),
    make("p", `${basisOf(result, words)} ${omnibusLine(result)}`),
    ...cautionsOf(cautions),
    make("h3", "Ranking"),
    shownTable("Algorithms, best mean rank first", used(rankHeads), rankRows, lettered ? [1, 3] : [1]),
    note(lettered ? "Algorithms that share a letter are not shown to differ. " : "", "Wins, ties, losses: over all pairs and problems."),
    ...figure,
    make("h3", "Which ones differ, and by how much"),
    shownTable("Pairs, smallest adjusted p first", pairHeads, pairs, [0, 1, 2]),
    note(
      `Two-sided Wilcoxon signed-rank tests. Difference: positive where the first-named algorithm is better, with ${levelOf(data)} intervals${adjusted.length ? " that hold for all pairs at once" : ""}. `,
      "“(”: the interval stops at no difference, which the test rules out. “*”: the interval includes no difference; the test, which decides, excludes it.",
    ),
    ...explored(data),
    make("h3", "For the paper"),
    make("p.paragraph", paragraph),
    make("p", copyButton("Copy the paragraph", () => paragraph)),
    make("details", make("summary", "The tables and the diagram in LaTeX"), textBox(latex, "LaTeX"), make("p", copyButton("Copy the LaTeX", () => latex))),
    make("details", make("summary", "All numbers, as JSON"), textBox(JSON.stringify({ ...data, cautions }, null, 1), "JSON")),
    make("h3", "To repeat it"),
    commandLine(name, better),
    note("The program reads many more kinds of tables, and writes reports that anyone can check."),
  );
  answer.replaceChildren(part);
  tables(part);
  part.querySelector("h2").focus();
}

/** What the page leaves to the program, with the command for each direction. */
function leftToCommand(reason, name, ...directions) {
  return make(
    "section.left",
    { "aria-label": "Left to the program" },
    make("p", `This page leaves the table to the program: ${reason}. The program reads it, or says in one line what it needs:`),
    ...directions.flatMap((better) => [
      ...(directions.length > 1 ? [make("p", `If ${better} scores are better (${EXAMPLES[better]}):`)] : []),
      commandLine(name, better),
    ]),
  );
}

function start(read, name, better) {
  halt();
  answer.replaceChildren(note("Computing …"));
  halt = working(
    busy,
    plainAnswer(read.table, better, WORDS.sentences),
    (result) => shownAnswer(result, name, better),
    (message) => answer.replaceChildren(leftToCommand(message, name, better)),
  );
}

function question(read, name) {
  const likely = namedDirection(name.replace(/\.\w+$/, ""), WORDS.reading);
  const order = likely === "higher" ? ["higher", "lower"] : ["lower", "higher"];
  const buttons = order.map((better) => {
    const button = make("button", { "aria-pressed": false }, `${better === "lower" ? "Lower" : "Higher"} is better`);
    button.onclick = () => {
      for (const other of buttons) other.setAttribute("aria-pressed", other === button);
      start(read, name, better);
    };
    return button;
  });
  const rows = order.map((better, i) => make("p", buttons[i], ` ${EXAMPLES[better]}${better === likely ? " (likely, by the name of the file)" : ""}`));
  return make("fieldset.direction", make("legend", "Which scores are good?"), ...rows);
}

function readLine({ table: { problems, algorithms }, first, turned, long }) {
  const { weights } = WORDS.sentences.paragraph;
  if (long) return `${problems.length} problems × ${algorithms.length} algorithms, a row for each score. ${weights}`;
  const rows = first ? `rows, from “${plain(first)}”` : "rows";
  const [ofProblems, ofAlgorithms] = turned ? ["columns", rows] : [rows, "columns"];
  return `${problems.length} problems (${ofProblems}) × ${algorithms.length} algorithms (${ofAlgorithms}). ${weights}`;
}

function opened(name, text) {
  halt();
  answer.replaceChildren();
  history.replaceState(null, "", "#");
  const read = plainTable(text, WORDS.reading, name.toLowerCase().split(".").at(-1));
  const likely = namedDirection(name.replace(/\.\w+$/, ""), WORDS.reading);
  const heading = make("h2", { tabIndex: -1 }, plain(name));
  if (read.reason) {
    const order = likely === "higher" ? ["higher", "lower"] : ["lower", "higher"];
    found.replaceChildren(heading, leftToCommand(read.reason, name, ...order));
  } else {
    const { problems, algorithms } = read.table;
    found.replaceChildren(
      heading,
      make("p", readLine(read)),
      note(`Algorithms: ${listed(algorithms, 12)}. Problems: ${listed(problems, 4)}. Read ${read.form}.`),
      question(read, name),
    );
  }
  heading.focus();
}

const refused = (name, reason) => found.replaceChildren(make("h2", plain(name)), leftToCommand(reason, name, "lower", "higher"));

/** The text of a file, if it is one. */
async function take(file) {
  if (!file) return;
  if (file.size > LARGEST) return refused(file.name, "it is larger than 20 MB");
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    if (/\.(csv|tsv|txt|json|jsonl|ndjson)$/i.test(file.name)) opened(file.name, text);
    else refused(file.name, "its name does not end in .csv, .tsv, .txt or .json");
  } catch {
    refused(file.name, "it is no text in UTF-8");
  }
}

const pastedName = (text) => (/^\s*[[{]/.test(text) ? "scores.json" : text.includes("\t") ? "scores.tsv" : "scores.csv");
const input = document.getElementById("file");
input.onchange = () => take(input.files[0]);
document.ondragover = (event) => event.preventDefault();
document.ondrop = (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (file) take(file);
  else opened(pastedName(event.dataTransfer.getData("text/plain")), event.dataTransfer.getData("text/plain"));
};
document.getElementById("read").onclick = () => pasteBox.value.trim() && opened(pastedName(pasteBox.value), pasteBox.value);
pasteBox.onpaste = () => setTimeout(() => opened(pastedName(pasteBox.value), pasteBox.value));
document.getElementById("example").onclick = () => {
  pasteBox.value = WORDS.example;
  opened("scores.csv", WORDS.example);
};
