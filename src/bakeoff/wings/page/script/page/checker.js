// The page checker.html: a report, or its JSON, is dropped into it and held against its own scores. What is dropped is
// read as text; no script of it runs.

import { COMPARISON } from "../comparison.js";
import { OTHERS } from "../others.js";
import { plain } from "../texts.js";
import { sha256 } from "../sha256.js";
import { make, working } from "./dom.js";
import { examined, note, reported, unknown } from "./examine.js";

const LARGEST = 20e6; // characters
const found = document.getElementById("found");
const busy = document.getElementById("busy");
const OWN = document.querySelector("meta[name=report-script]").content.split(" ");
let halt = () => {};

const tell = (...parts) => found.replaceChildren(...parts);

/** The data of a report, and its page; a JSON file has none. Each is named as what it is, so that all read it alike. */
function opened(name, text) {
  const isData = text.trimStart().startsWith("{");
  if (!(isData ? /\.json$/i : /\.html?$/i).test(name)) throw new Error("a page ends in .html, and JSON in .json");
  if (isData && text.includes("<")) throw new Error("it contains '<', which a report escapes");
  if (isData) return [JSON.parse(text), document.implementation.createHTMLDocument("")];
  const page = new DOMParser().parseFromString(text, "text/html");
  const data = page.querySelectorAll("#bakeoff-data");
  if (data.length !== 1) throw new Error("it carries no data, or data twice: write it again, or drop its JSON file here");
  return [JSON.parse(data[0].textContent), page];
}

function digest(text) {
  const work = sha256(new TextEncoder().encode(text));
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** What else the page runs: only the script of a report has a reason to be there. */
function scriptsOf(page) {
  const others = [...page.scripts].filter((script) => script.id !== "bakeoff-data");
  const own = others.filter((script) => !script.src && OWN.includes(digest(script.textContent)));
  if (!others.length) return "The file runs no script.";
  if (own.length === others.length) return "The page runs the script of this version of bakeoff, and no other.";
  return "The page runs a script that is not that of this version of bakeoff: trust nothing that its buttons say.";
}

function check(name, text) {
  halt();
  try {
    if (text.length > LARGEST) throw new Error("it is larger than 20 MB");
    const [data, page] = opened(name, text);
    const kind = { ...COMPARISON, ...OTHERS }[data.schema];
    const beyond = unknown(kind, data);
    const heading = make("h2", plain(name));
    const verdict = make("p", plain(String(data.verdict)));
    const scripts = note(scriptsOf(page));
    if (beyond.length) {
      return tell(heading, verdict, scripts, note(`Not checked here: ${beyond.join(", ")}. Run bakeoff verify.`));
    }
    tell(heading, note("Recomputing …"));
    halt = working(
      busy,
      examined(kind, data, page),
      (result) => {
        tell(heading, verdict, ...reported(data, result), scripts);
        const cells = result.printed.wrong.slice(0, 50).map(({ cell }) => {
          const row = [...cell.parentNode.cells].slice(0, 2).map((one) => one.textContent);
          return make("li", `${row.join(" – ")}: ${cell.textContent}`);
        });
        if (cells.length) found.append(make("ul", ...cells));
      },
      (message) => tell(heading, note(`It cannot be recomputed: ${message}.`)),
    );
  } catch (error) {
    tell(make("p.bad", `${plain(name)} is no report that can be checked here: ${error.message}.`));
  }
}

const take = async (file) => file && check(file.name, await file.text());
const input = document.getElementById("file");
input.onchange = () => take(input.files[0]);
document.ondragover = (event) => event.preventDefault();
document.ondrop = (event) => {
  event.preventDefault();
  take(event.dataTransfer.files[0]);
};
