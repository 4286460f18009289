// Numbers as a report prints them, held against those computed: a printed number stands for all that round to it.

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const NUMBER = /([−-]?)(?:(∞)|(\d+)(?:\.(\d+))?(?:×10(⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))?)/g;

/** Raised digits as a number. */
export const exponent = (text) => +[...text].map((c) => (c === "⁻" ? "-" : RAISED.indexOf(c))).join("");

/** Each number in a text with the size of its last digit. */
export function numbersIn(text) {
  return [...text.matchAll(NUMBER)].map(([, sign, infinite, whole, places = "", raised]) => {
    const power = raised ? exponent(raised) : 0;
    const size = infinite ? Infinity : +`${whole}.${places}e${power}`;
    return { value: sign ? -size : size, unit: 10 ** (power - places.length) };
  });
}

/** Does the text show these numbers, and no others? Or this text. */
export function shows(text, values) {
  const said = text.trim();
  if (typeof values === "string") return said === values;
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

/** Where each name stands; one that stands for several has no place. */
export function uniquePlaces(names) {
  const found = new Map();
  names.forEach((name, i) => found.set(name, found.has(name) ? -1 : i));
  return (name) => found.get(name) ?? -1;
}

/**
 * The cells of the page that do not show what was computed, and how many were looked at. `columns` has of each kind of
 * table a function: of the first cells of a row, the title of a column and its place, what the cell should show.
 */
export function* printedCells(page, columns) {
  const found = { cells: 0, wrong: [] };
  for (const [key, what] of columns) {
    for (const table of page.querySelectorAll(`table.${key}`)) {
      const titles = [...table.tHead.rows[0].cells].map((cell) => cell.textContent.trim());
      for (const row of table.tBodies[0].rows) {
        const cells = [...row.cells];
        const texts = cells.map((cell) => cell.textContent);
        const head = cells.findIndex((cell) => cell.tagName === "TH");
        cells.forEach((cell, i) => {
          const computed = i === head ? undefined : what(texts.slice(head), titles[i], i, titles.length, row);
          if (computed === undefined) return;
          found.cells++;
          const marked = computed.mark === undefined || texts[i].endsWith(` ${computed.mark}`.trimEnd());
          if (!marked || !shows(texts[i].split(computed.end)[0], computed)) found.wrong.push({ cell, computed });
        });
        yield;
      }
    }
  }
  return found;
}

/** A number, which a space and what matches follow. */
export const before = (end, x) => Object.assign([x], { end });
