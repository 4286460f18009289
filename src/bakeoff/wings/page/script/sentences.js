// The verdict in a sentence, as the report says it of several pairs.

import { fill } from "./fill.js";
import { isDecided } from "./groups.js";
import { plain } from "./texts.js";

export const count = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

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
  if (found.length === m) return fill("others.all", { m });
  return found.length > 5 ? fill("others.many", { n: found.length, m }) : fill("others.named", { names: listed(found), n: found.length, m });
}

const betterAndWorse = (s, m) =>
  ["better", "worse"]
    .filter((how) => s[how].length)
    .map((how) => fill("standing", { how, others: ofOthers(s[how], m) }))
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
  const others = alike.length > 1 ? fill("rest.several", { n: alike.length }) : listed(alike);
  const shown = alike.length ? `; ${fill("rest.no-difference", { others })}` : "";
  return unknown.length ? `${shown}; ${fill("rest.cannot-tell", { names: listed(unknown) })}` : shown;
}

/** `names`, `pairs` with verdicts, the control's name or null, the mean ranks, and p of the omnibus test. */
export function verdictSentence({ names, pairs, control, meanRanks, omnibus, n, alpha }) {
  const m = pairs.length;
  const others = names.length - 1;
  const none = (whom) => fill("no-difference", { whom });
  const theControl = control === null ? "" : fill("control", { name: plain(control) });
  if (pairs.every((pair) => pair.verdict === "cannot tell")) {
    const cannot = (what, where) => fill("cannot-tell", { what, units: count(n, "problem"), alpha, where });
    if (m === 1) return cannot(fill("cannot-tell.pair", { pair: listed([pairs[0].a, pairs[0].b]) }), "");
    if (theControl) return cannot(fill("cannot-tell.control", { control: theControl, m }), "");
    if (!(omnibus <= alpha)) return cannot(fill("cannot-tell.all", { k: names.length }), "");
    const start = fill("some-differ", { k: names.length, outcome: "" });
    const end = others * 2 ** (1 - n) <= alpha ? fill("one-control-could", { rivals: others }) : "";
    return start + cannot("which", fill("cannot-tell.any-pair", { m })) + end;
  }
  if (m === 1) {
    const [{ a, b, verdict, pvalue }] = pairs;
    const digits = written(pvalue);
    const p = `p ${/[<>]/.test(digits) ? digits : `= ${digits}`}`;
    if (!isDecided(verdict)) return none(fill("no-difference.pair", { pair: listed([a, b]), p }));
    const [won, lost] = verdict === "a better" ? [a, b] : [b, a];
    return fill("pair-differs", { winner: plain(won), loser: plain(lost), p, size: "" });
  }
  if (theControl) {
    const s = standing(pairs, control);
    const found = betterAndWorse(s, m);
    return found ? fill("control-differs", { control: theControl, standing: found, rest: rest(s) }) : none(fill("no-difference.control", { control: theControl, m }));
  }
  const lowest = Math.min(...meanRanks);
  const first = names.filter((_, j) => meanRanks[j] === lowest);
  const rank = `mean rank (${decimals(lowest, 3)})`;
  const differ = pairs.filter((pair) => isDecided(pair.verdict)).length;
  const total = differ === 1 ? fill("total.one", { n: differ, m }) : fill("total", { n: differ, m });
  let ranking = first.length === 1 ? fill("best", { name: listed(first), rank }) : fill("best.several", { names: listed(first), rank });
  if (!differ && first.length > others) ranking = fill("best.nobody", { rank });
  if (!differ) return none(fill("no-difference.all", { k: names.length, ranking }));
  if (first.length > 1) return fill("best-is-tied", { ranking, total });
  const s = standing(pairs, first[0]);
  const better = betterAndWorse({ ...s, worse: [] }, others);
  if (s.better.length === others) return fill("best-beats-all", { name: plain(first[0]), better, total });
  if (s.worse.length) return fill("best-is-beaten", { ranking, standing: betterAndWorse(s, others), total });
  return better ? fill("best-beats-some", { ranking, better, rest: rest(s), total }) : fill("best-beats-none", { ranking, total });
}
