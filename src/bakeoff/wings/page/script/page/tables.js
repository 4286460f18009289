// Columns sort by a click on their head; a table is copied as CSV, Markdown or LaTeX.

import { exponent, numbersIn } from "../printed.js";
import { copyButton, make } from "./dom.js";

function key(text) {
  const said = text.trim();
  const number = /^[<>≥]? ?[−-]?[\d∞]/.test(said) || said.startsWith("10⁻") ? numbersIn(said)[0]?.value : undefined;
  return number === undefined ? said : said[0] === "<" ? number - Number.EPSILON : number;
}

function sortable(table) {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, i) => {
    const sort = () => {
      const falling = head.getAttribute("aria-sort") === "ascending";
      const order = [...rows].sort((x, y) => {
        const [a, b] = [x, y].map((row) => key(row.cells[i]?.textContent ?? ""));
        if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
        const sign = typeof a === "number" ? a - b : a.localeCompare(b);
        return falling ? -sign : sign;
      });
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", falling ? "descending" : "ascending");
      body.append(...order);
    };
    if (head.textContent.trim()) head.replaceChildren(make("button.sort", { onclick: sort }, head.textContent));
  });
}

const cells = (table) => [...table.rows].map((row) => [...row.cells].map((cell) => (cell.firstChild?.data ?? cell.textContent).replace(/\u00a0/g, " ").trim()));
const csvCell = (text) => {
  const safe = /^'*[=+@\t\r]|^'+-|^-(?![\d.])/.test(text) ? `'${text}` : text;
  return /[",;|\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
const texSigns = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "−": "$-$", "–": "--" };
export const texCell = (text) =>
  text
    .replace(/[\\~^−–]|[&%$#_{}]/g, (c) => texSigns[c] ?? `\\${c}`)
    .replace(/×10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)/g, (_, raised) => `$\\times10^{${exponent(raised)}}$`);

export const FORMATS = {
  CSV: (rows) => rows.map((row) => row.map((text) => csvCell(text.replaceAll("−", "-"))).join(",")).join("\n"),
  Markdown: ([head, ...rows]) =>
    [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map((text) => text.replace(/[\\|`*_<]/g, "\\$&")).join(" | ")} |`).join("\n"),
  LaTeX: ([head, ...rows]) =>
    [`\\begin{tabular}{${"l".repeat(head.length)}}`, ...[head, ...rows].map((row) => `${row.map(texCell).join(" & ")} \\\\`), "\\end{tabular}"].join("\n"),
};

/** Sorting and copying for every table of the page. */
export function tables(page) {
  for (const table of page.querySelectorAll("main table")) {
    const name = table.caption?.textContent ?? "table";
    const buttons = Object.entries(FORMATS).flatMap(([format, write]) => [" ", copyButton(format, () => write(cells(table)))]);
    table.parentNode.after(make("p.copy", { role: "group", "aria-label": `Copy: ${name}` }, "Copy as", ...buttons));
    if (!table.matches(".matrix")) sortable(table); // a triangle has its order
  }
}
