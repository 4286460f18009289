// Numbers as reports write them: rounded half away from zero on their decimal digits, p-values never on the wrong side.

import { exponent } from "./printed.js";

const DIGITS = 15; // of a double; what lies beyond is noise of the arithmetic
const LONGEST = 7; // digits before the point; larger numbers are powers of ten

/** |x| as whole number and exponent of its first digit. */
function digitsOf(x) {
  const [mantissa, power] = Math.abs(x).toExponential(DIGITS - 1).split("e");
  return [BigInt(mantissa.replace(".", "")), +power];
}

/** Without the last digits, rounded half up. */
function halfUp(whole, dropped) {
  const unit = 10n ** BigInt(Math.abs(dropped));
  return dropped > 0 ? (2n * whole + unit) / (2n * unit) : whole * unit;
}

function withPoint(whole, places, padded) {
  if (places <= 0) return `${whole}`;
  const text = `${whole}`.padStart(places + 1, "0");
  const shown = `${text.slice(0, -places)}.${text.slice(-places)}`;
  return padded ? shown : shown.replace(/\.?0+$/, "");
}

const signOf = (x) => (x < 0 ? "−" : "");

export const powerOfTen = (power) =>
  `10${[...`${power}`].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c])).join("")}`;

function roundedTo(x, digits) {
  const [whole, power] = digitsOf(x);
  const found = halfUp(whole, DIGITS - digits);
  return found === 10n ** BigInt(digits) ? [found / 10n, power + 1] : [found, power];
}

export function significant(x, digits, padded = false) {
  if (!isFinite(x)) return `${signOf(x)}∞`;
  if (!x) return "0";
  const [whole, power] = roundedTo(x, digits);
  if (power < -4 || power >= LONGEST) return `${signOf(x)}${withPoint(whole, digits - 1, padded)}×${powerOfTen(power)}`;
  return power >= digits ? fixed(x, 0) : signOf(x) + withPoint(whole, digits - 1 - power, padded);
}

export function fixed(x, places) {
  if (!isFinite(x)) return significant(x, 1);
  const [whole, power] = digitsOf(x);
  if (x && power + 1 + places > DIGITS) return x.toFixed(places).replace("-", "−").replace(/^−(?=[0.]+$)/, "");
  const found = x ? halfUp(whole, DIGITS - 1 - power - places) : 0n;
  return (found ? signOf(x) : "") + withPoint(found, places, true);
}

export const score = (x) => significant(x, 4);
export const asRank = (x) => fixed(x, Math.abs(x) < 100 ? 3 : 2);

const scientific = (x, digits) => {
  if (!x || !isFinite(x)) return score(x);
  const [whole, power] = roundedTo(x, digits);
  return `${signOf(x)}${withPoint(whole, digits - 1, true)}×${powerOfTen(power)}`;
};

const sizesOf = (values) => values.filter((x) => x && isFinite(x)).map(Math.abs);
const magnitude = (x) => Math.floor(Math.log10(x));

/** Numbers below each other in one style. */
export function aligned(values) {
  const sizes = sizesOf(values);
  if (!sizes.length) return values.map(score);
  const [low, high] = [Math.min(...sizes), Math.max(...sizes)].map(magnitude);
  if (high - low > 4 || high >= LONGEST || low < -4) return values.map((x) => scientific(x, 3));
  let places = Math.max(0, (high > low + 1 ? 3 : 4) - 1 - low);
  for (let p = 0; p < places; p++) if (sizes.every((x) => +x.toFixed(p) === x)) places = p;
  return values.map((x) => fixed(x, places));
}

/** Numbers read together, with equally many decimals. */
export function equalDecimals(values, digits = 4) {
  const sizes = sizesOf(values);
  if (!sizes.length) return values.map(score);
  const [low, high] = [Math.min(...sizes), Math.max(...sizes)];
  const least = Math.max(0, digits - 1 - magnitude(high));
  if (least > 300) return values.map(score);
  const most = [0, 1, 2].map((more) => least + more).find((places) => low * 10 ** places >= 0.95);
  if (most === undefined || least > digits + 3 || high >= 10 ** LONGEST) return values.map(score);
  let numbers = sizes.map((x) => fixed(x, most));
  let places = most;
  while (places && numbers.every((text) => text.endsWith("0"))) {
    places--;
    numbers = numbers.map((text) => text.slice(0, -1));
  }
  return values.map((x) => (x && isFinite(x) ? fixed(x, places) : score(x)));
}

const asNumber = (text) =>
  +text.replace("−", "-").replace(/×10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)/, (_, raised) => `e${exponent(raised)}`);

/** With as many more digits as it takes to be on the side of the level that the number is. */
function onItsSide(x, alpha, write, digits) {
  let text = write(digits);
  while (asNumber(text) <= alpha !== x <= alpha && digits < 17) text = write(++digits);
  return text;
}

/** A p-value: three digits, more beside alpha. */
export function pvalueText(p, log, alpha) {
  let shown = p;
  if (p < 1e-300) {
    if (!(log >= Math.log(1e-300))) return "< 10⁻³⁰⁰";
    shown = Math.exp(log);
  }
  if (shown >= 1) return "1";
  return shown >= 0.9995 ? "> 0.999" : onItsSide(shown, alpha, (digits) => significant(shown, digits, true), 3);
}

export function pPhrase(p, log, alpha) {
  const text = pvalueText(p, log, alpha);
  return `p ${/^[<>]/.test(text) ? text : `= ${text}`}`;
}

/** Decimals of all rows of a column of effects, each a list of numbers; nothing if sizes differ too much. */
export function placesOfColumn(rows, digits) {
  const sizes = rows.map((row) => Math.max(0, ...row.filter(isFinite).map(Math.abs))).filter((x) => x).map(magnitude);
  if (!sizes.length || Math.max(...sizes) > 5) return null;
  const counts = new Map();
  for (const size of [...sizes].sort((a, b) => a - b)) counts.set(size, (counts.get(size) ?? 0) + 1);
  const [usual] = [...counts].reduce((best, one) => (one[1] > best[1] ? one : best));
  const most = Math.max(0, digits - 1 - usual);
  const places = Math.max(most, 1 - Math.min(...sizes));
  if (places > most + 2) return null;
  const numbers = rows.flat().filter((x) => x && isFinite(x)).map((x) => fixed(x, places));
  return Math.max(0, places - Math.min(...numbers.map((text) => /0*$/.exec(text)[0].length)));
}

/** As Python's format with g. */
export function general(x, digits = 6) {
  if (!isFinite(x)) return x > 0 ? "inf" : "-inf";
  if (!x) return "0";
  const [mantissa, power] = x.toExponential(digits - 1).split("e");
  if (+power >= -4 && +power < digits) return `${+x.toPrecision(digits)}`;
  return `${+mantissa}e${power[0]}${power.slice(1).padStart(2, "0")}`;
}
