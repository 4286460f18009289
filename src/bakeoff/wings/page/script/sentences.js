// The verdict in a sentence, as the report says it of several pairs.

import { isDecided } from "./groups.js";
import { plain } from "./texts.js";

const count = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

/** Rounded half up on its decimal digits. */
export const decimals = (x, places) =>
  (Math.floor(+(x * 10 ** places).toPrecision(14) + 0.5) / 10 ** places).toFixed(places);

/** A p-value with three digits. */
export function written(p) {
  if (p >= 0.9995) return p < 1 ? "> 0.999" : "1";
  if (p >= 1e-4 || p === 0) return p ? p.toPrecision(3) : "< 10⁻³⁰⁰";
  const [digits, power] = p.toExponential(2).split("e");
  return `${digits}×10${[...power].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c])).join("")}`;
}

export function listed(names, limit = 5) {
  let shown = names.map(plain);
  if (shown.length > limit) shown = [...shown.slice(0, limit - 1), `${shown.length - limit + 1} more`];
  return shown.length === 1 ? shown[0] : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

function ofOthers(found, m) {
  if (found.length === m) return `each of the ${m} other algorithms`;
  return found.length > 5 ? `${found.length} of the ${m} other algorithms` : `${listed(found)} (${found.length} of ${m})`;
}

const betterAndWorse = (s, m) =>
  ["better", "worse"]
    .filter((how) => s[how].length)
    .map((how) => `${how} than ${ofOthers(s[how], m)}`)
    .join(" and ");

/** Whom `name` beats, loses to, is not shown to differ from, cannot be told from. */
function standing(pairs, name) {
  const found = { better: [], worse: [], alike: [], unknown: [] };
  for (const { a, b, verdict } of pairs) {
    if (a !== name && b !== name) continue;
    const won = verdict === (a === name ? "a better" : "b better");
    const how = isDecided(verdict) ? (won ? "better" : "worse") : verdict === "cannot tell" ? "unknown" : "alike";
    found[how].push(a === name ? b : a);
  }
  return found;
}

function rest({ alike, unknown }) {
  const others = alike.length > 1 ? `the other ${alike.length}` : listed(alike);
  const said = alike.length ? `; no difference from ${others} was shown` : "";
  return unknown.length ? `${said}; for ${listed(unknown)} this experiment cannot tell` : said;
}

/** `names`, `pairs` with verdicts, the control's name or null, the mean ranks, and p of the omnibus test. */
export function verdictSentence({ names, pairs, control, meanRanks, omnibus, n, alpha }) {
  const m = pairs.length;
  const none = "No difference is shown between";
  if (pairs.every((pair) => pair.verdict === "cannot tell")) {
    const why = `: with ${count(n, "problem")} no outcome could have reached α = ${alpha}`;
    let who = `the ${names.length} algorithms apart`;
    if (m === 1) who = `whether ${listed([pairs[0].a, pairs[0].b])} differ`;
    else if (control !== null) who = `${plain(control)} (the control) from the ${count(m, "other algorithm")}`;
    if (m > 1 && control === null && omnibus <= alpha) {
      const rivals = names.length - 1;
      const one = rivals * 2 ** (1 - n) <= alpha ? ` Against one control, ${rivals} pairs could.` : "";
      return `Some of the ${names.length} algorithms differ. This experiment cannot tell which${why} for any of ${m} pairs.${one}`;
    }
    return `This experiment cannot tell ${who}${why}.`;
  }
  if (m === 1) {
    const [{ a, b, verdict, pvalue }] = pairs;
    const p = written(pvalue);
    const said = `(p ${/[<>]/.test(p) ? p : `= ${p}`})`;
    if (!isDecided(verdict)) return `${none} ${listed([a, b])} ${said}.`;
    const [won, lost] = verdict === "a better" ? [a, b] : [b, a];
    return `${plain(won)} is better than ${plain(lost)} ${said}.`;
  }
  if (control !== null) {
    const s = standing(pairs, control);
    const name = `${plain(control)} (the control)`;
    const said = betterAndWorse(s, m);
    return said ? `${name} is ${said}${rest(s)}.` : `${none} ${name} and any of the ${m} other algorithms.`;
  }
  const lowest = Math.min(...meanRanks);
  const first = names.filter((_, j) => meanRanks[j] === lowest);
  const others = names.length - 1;
  const rank = `mean rank (${decimals(lowest, 3)})`;
  const differ = pairs.filter((pair) => isDecided(pair.verdict)).length;
  const total = `${differ} of ${m} pairs ${differ === 1 ? "differs" : "differ"}`;
  const lead = `${listed(first)} ${first.length === 1 ? "has" : "share"} the best ${rank}`;
  if (!differ) return `${none} any of the ${names.length} algorithms; ${first.length > others ? `all share the same ${rank}` : lead}.`;
  if (first.length > 1) return `${lead}; ${total}.`;
  const s = standing(pairs, first[0]);
  if (s.better.length === others) return `${plain(first[0])} is better than each of the ${others} other algorithms; ${total}.`;
  if (s.worse.length) return `${lead}, but is ${betterAndWorse(s, others)}; ${total}.`;
  if (s.better.length) return `${lead} and is better than ${ofOthers(s.better, others)}${rest(s)}. In all, ${total}.`;
  return `${lead}, but is not shown to be better than any other algorithm; ${total}.`;
}
