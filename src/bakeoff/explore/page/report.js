// What a report's page can do by itself: check its numbers, try other choices, sort and copy its tables.

import { readTable } from "../table.js";
import { make, working } from "./dom.js";
import { examined, note, reported, unknown } from "./examine.js";
import { tables } from "./tables.js";
import { explores, whatIf } from "./what_if.js";

function panel(data, page) {
  const status = make("div", { role: "status", "aria-live": "polite" });
  const busy = make("div");
  const area = make("div");
  let halt = () => {};
  const beyond = unknown(data);
  const check = () => {
    halt();
    if (beyond.length) {
      status.replaceChildren(note(`Not checked here: ${beyond.join(", ")}. Run bakeoff verify report.html.`));
      return;
    }
    status.replaceChildren(note("Recomputing …"));
    const failed = (error) => status.replaceChildren(note(error.message === "stopped" ? "Stopped: nothing was checked." : `This report cannot be recomputed: ${error.message}`));
    halt = working(busy, examined(data, page), (found) => status.replaceChildren(...reported(data, found)), failed);
  };
  const buttons = [make("button", { type: "button", onclick: check }, "Check these numbers")];
  const open = () => {
    if (!area.firstChild) area.append(whatIf(data, readTable(data.scores)));
    area.hidden = false;
    button.setAttribute("aria-expanded", "true");
  };
  const button = make("button", { type: "button", "aria-expanded": "false" }, "Try “what if”");
  if (!beyond.length && explores(data)) {
    button.onclick = () => {
      if (area.hidden || !area.firstChild) return open();
      area.hidden = true;
      button.setAttribute("aria-expanded", "false");
    };
    buttons.push(" ", button);
    if (location.hash.includes("whatif=")) open();
  }
  return make("div", { className: "explore-panel" }, make("p", {}, ...buttons), status, busy, area);
}

const source = document.getElementById("bakeoff-data");
if (source) page(JSON.parse(source.textContent), document);

function page(data, where) {
  where.querySelector("header")?.append(panel(data, where));
  tables(where);
}
