// The panel below a verdict: its buttons, and what they said.

import { make, working } from "./dom.js";
import { examined, note, reported, unchecked, unknown } from "./examine.js";
import { tables } from "./tables.js";

function panel(kind, data, whatIf) {
  const status = make("div", { role: "status" });
  const busy = make("div");
  const area = make("div", { hidden: true });
  const beyond = unknown(kind, data);
  let halt = () => {};
  const tell = (...parts) => status.replaceChildren(...parts);
  const check = () => {
    halt();
    if (beyond.length) return tell(unchecked(beyond));
    tell(note("Recomputing …"));
    halt = working(busy, examined(kind, data, document), (found) => tell(...reported(data, found)), (message) =>
      tell(note(`Nothing was checked: ${message}.`)),
    );
  };
  const buttons = [make("button", { onclick: check }, "Check these numbers")];
  if (!beyond.length && whatIf?.(data)) {
    const button = make("button", "Try “what if”");
    const show = (open) => {
      if (open && !area.firstChild) area.append(whatIf(data)());
      area.hidden = !open;
      button.setAttribute("aria-expanded", open);
    };
    button.onclick = () => show(area.hidden);
    buttons.push(" ", button);
    show(location.hash.includes("whatif="));
  }
  return make("div.explore-panel", make("p", ...buttons), status, busy, area);
}

/** Of the page: its panel, and its tables. */
export function started(kinds, whatIf) {
  const source = document.getElementById("bakeoff-data");
  if (!source) return;
  const data = JSON.parse(source.textContent);
  document.querySelector("header")?.append(panel(kinds[data.schema], data, whatIf));
  tables(document);
}
