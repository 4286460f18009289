// "What if": the verdict under other choices, beside the printed one, which stays.

import { corrections, decided, described } from "../compare.js";
import { isDecided } from "../groups.js";
import { isBinary } from "../numbers.js";
import { friedman } from "../omnibus.js";
import { verdictSentence, written } from "../sentences.js";
import { part, readTable } from "../table.js";
import { plain } from "../texts.js";
import { copyButton, inSlices, make, working } from "./dom.js";

const EXPLORES = "Chosen after the scores were seen: this explores, it does not show.";
const shellWord = (word) => (/^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** The tests that the table allows: differences need finite scores, McNemar's 0 and 1. */
function testsOf(table, transform) {
  const all = table.values.flat();
  const finite = all.every(isFinite) ? ["wilcoxon", "t"] : [];
  const binary = all.every(isBinary) && !table.averaged && !transform ? ["mcnemar"] : [];
  return [...finite, "sign", "sign-without-ties", ...binary, "mean-ranks"];
}

/** A function that makes the panel, or nothing where there is nothing to try. */
export const whatIf = (data) => Boolean(data.pairs?.length) && !data.margin && (() => panelOf(data, readTable(data.scores)));

function panelOf(data, table) {
  const { request } = data;
  const k = table.names.length;
  const hasControl = request.control !== null;
  const tests = testsOf(table, request.transform);
  const known = corrections(hasControl, k);
  const printed = {
    alpha: request.alpha,
    test: data.pairwise,
    posthoc: data.primary,
    problems: new Set(),
    algorithms: new Set(),
  };
  let state = read(location.hash) ?? { ...printed };
  let halt = () => {};
  let halting = () => {};

  // --- the state as a fragment -----------------------------------------------------------------------------------

  function read(hash) {
    const found = new URLSearchParams(hash.replace(/^#/, ""));
    if (!found.has("whatif")) return null;
    const places = (key, most) => new Set((found.get(key) ?? "").split(".").filter((x) => /^\d+$/.test(x) && +x < most).map(Number));
    const alpha = +found.get("alpha");
    const one = (key, list) => (list.includes(found.get(key)) ? found.get(key) : null);
    return {
      alpha: alpha > 0 && alpha < 1 ? alpha : printed.alpha,
      test: one("test", tests) ?? printed.test,
      posthoc: one("posthoc", known) ?? printed.posthoc,
      problems: places("problems", table.problems.length),
      algorithms: places("algorithms", k),
    };
  }

  const isPrinted = () =>
    ["alpha", "test", "posthoc"].every((key) => state[key] === printed[key]) && !state.problems.size && !state.algorithms.size;

  function keep() {
    const { alpha, test, posthoc, problems, algorithms } = state;
    const parts = { whatif: 1, alpha, test, posthoc };
    if (problems.size) parts.problems = [...problems].join(".");
    if (algorithms.size) parts.algorithms = [...algorithms].join(".");
    try {
      history.replaceState(null, "", isPrinted() ? "#" : `#${new URLSearchParams(parts)}`);
    } catch {
      // a frame without an address
    }
  }

  /** The command that makes this analysis. */
  function command() {
    const words = (data.command ?? "").match(/'[^']*'(?:\\''[^']*')*|"[^"]*"|[^\s'"]+/g) ?? [];
    const own = /^--(alpha|pairwise|posthoc|report|control|recipe)$/;
    const kept = words.filter((word, i) => !own.test(word) && !own.test(words[i - 1] ?? "") && word !== "--json" && !/^--(alpha|pairwise|posthoc|report|control)=/.test(word));
    const start = kept[1] === "compare" ? kept.join(" ") : `bakeoff compare scores.csv --better ${table.better}`;
    const more = ["--alpha", state.alpha, "--pairwise", state.test, "--posthoc", state.posthoc];
    if (hasControl) more.push("--control", request.control);
    for (const i of state.problems) more.push("--drop", table.problems[i]);
    for (const j of state.algorithms) more.push("--drop", table.names[j]);
    return `${start} ${more.map((word) => shellWord(String(word))).join(" ")}`;
  }

  // --- computing ------------------------------------------------------------------------------------------------

  /** The analysis of a state, or why there is none. */
  function* analysed({ alpha, test, posthoc, problems, algorithms }) {
    const left = (n, out) => [...Array(n).keys()].filter((i) => !out.has(i));
    const rows = left(table.problems.length, problems);
    const columns = left(k, algorithms);
    if (rows.length < 2 || columns.length < 2) throw new Error("At least two problems and two algorithms must stay.");
    if (!known.includes(posthoc)) throw new Error(`The correction ${posthoc} is not computed here: choose another one.`);
    const pairwise = test === printed.test ? request.pairwise : test;
    const whole = !problems.size && !algorithms.size;
    const used = whole ? table : part(table, rows, columns);
    const found = yield* decided(used, { ...request, alpha, pairwise: pairwise ?? (test === "wilcoxon" ? null : test), posthoc: [posthoc] });
    const sentence = verdictSentence({
      names: used.names,
      pairs: found.pairs,
      control: request.control,
      meanRanks: described(used).meanRanks,
      omnibus: whole ? data.omnibus.pvalue : friedman(used)["iman-davenport"].evidence[0],
      n: rows.length,
      alpha,
    });
    return { ...found, sentence };
  }

  const before = new Map(data.pairs.map((pair) => [JSON.stringify([pair.a, pair.b]), pair]));
  const printedPair = (pair) => before.get(JSON.stringify([pair.a, pair.b]));
  const changedPairs = (pairs) => pairs.filter((pair) => printedPair(pair).verdict !== pair.verdict);
  const said = (pair, verdict) =>
    isDecided(verdict) ? `${plain(verdict === "a better" ? pair.a : pair.b)} better` : verdict;

  function show(found) {
    const changed = changedPairs(found.pairs);
    const gone = data.pairs.length - found.pairs.length;
    const count = changed.length === 1 ? "1 verdict differs" : `${changed.length} verdicts differ`;
    sentence.textContent = found.sentence;
    summary.textContent = `${changed.length ? count : "No verdict differs"} from the printed ones${gone ? `; ${gone} pairs are left out` : ""}.`;
    const rows = changed.slice(0, 200).map((pair) =>
      make(
        "tr",
        {},
        make("th", { scope: "row" }, `${plain(pair.a)} – ${plain(pair.b)}`),
        make("td", { className: "t" }, said(pair, printedPair(pair).verdict)),
        make("td", { className: "t" }, said(pair, pair.verdict)),
        make("td", {}, written(pair.adjusted[state.posthoc])),
      ),
    );
    const head = make("tr", {}, ...["pair", "printed", "what if", "adjusted p"].map((title) => make("th", { scope: "col" }, title)));
    const list = make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows));
    outcome.replaceChildren(...(rows.length ? [make("div", { className: "scroll" }, list)] : []));
  }

  function update() {
    halt();
    alphaBox.value = state.alpha;
    testBox.value = state.test;
    postBox.value = state.posthoc;
    for (const [box, set, i] of ticks) box.checked = !set().has(i);
    commandBox.value = command();
    without.textContent = "";
    back.disabled = isPrinted();
    keep();
    halt = working(busy, analysed(state), show, (error) => {
      sentence.textContent = error.message === "stopped" ? "Stopped." : error.message;
      summary.textContent = "";
      outcome.replaceChildren();
    });
  }

  const set = (changes) => {
    state = { ...state, ...changes };
    update();
  };

  /** How many verdicts change without a problem, said while it is pointed at or focused. */
  function tell(i) {
    halting();
    if (state.problems.has(i)) return;
    const problems = new Set(state.problems).add(i);
    const name = plain(table.problems[i]);
    halting = inSlices(
      (function* () {
        const now = yield* analysed(state);
        const then = yield* analysed({ ...state, problems });
        return then.pairs.filter((pair, p) => pair.verdict !== now.pairs[p].verdict).length;
      })(),
      { done: (n) => (without.textContent = `Without ${name}: ${n === 1 ? "1 verdict changes" : `${n || "no"} verdicts change`}.`) },
    );
  }

  // --- the panel ------------------------------------------------------------------------------------------------

  const ticks = [];
  const tickList = (title, names, key) => {
    const items = names.map((name, i) => {
      const locked = key === "algorithms" && name === request.control;
      const box = make("input", { type: "checkbox", disabled: locked });
      ticks.push([box, () => state[key], i]);
      box.onchange = () => {
        const out = new Set(state[key]);
        if (box.checked) out.delete(i);
        else out.add(i);
        set({ [key]: out });
      };
      const label = make("label", {}, box, ` ${plain(name)}`);
      if (key === "problems") {
        let later;
        const soon = () => {
          clearTimeout(later);
          later = setTimeout(() => tell(i), 200);
        };
        label.onmouseenter = box.onfocus = soon;
        label.onmouseleave = box.onblur = () => clearTimeout(later);
      }
      return label;
    });
    return make("details", {}, make("summary", {}, title), make("div", { className: "ticks" }, ...items));
  };
  const choice = (names, onchange) => make("select", { onchange }, ...names.map((name) => make("option", { value: name }, name)));
  const withPrinted = (list, name) => (list.includes(name) ? list : [name, ...list]);
  const alphaBox = make("input", { type: "number", min: 0.0001, max: 0.9999, step: "any" });
  alphaBox.onchange = () => {
    const alpha = +alphaBox.value;
    set({ alpha: alpha > 0 && alpha < 1 ? alpha : state.alpha });
  };
  const testBox = choice(withPrinted(tests, printed.test), () => set({ test: testBox.value }));
  const postBox = choice(withPrinted(known, printed.posthoc), () => set({ posthoc: postBox.value }));
  const back = make("button", { type: "button", onclick: () => set({ ...printed, problems: new Set(), algorithms: new Set() }) }, "Back to the report");
  const sentence = make("p", { className: "then" });
  const summary = make("p", { className: "note" });
  const outcome = make("div");
  const busy = make("div");
  const without = make("p", { className: "note", role: "status" });
  const commandBox = make("input", { className: "command", readOnly: true, "aria-label": "Command" });
  const panel = make(
    "section",
    { className: "explore", "aria-label": "What if" },
    make("p", { className: "explores", role: "note" }, EXPLORES),
    make(
      "div",
      { className: "strip" },
      make("label", {}, "alpha ", alphaBox),
      make("label", {}, "test ", testBox),
      make("label", {}, "correction ", postBox),
      back,
    ),
    tickList("Problems", table.problems, "problems"),
    without,
    tickList("Algorithms", table.names, "algorithms"),
    make("dl", {}, make("dt", {}, "The report says"), make("dd", {}, plain(data.verdict)), make("dt", {}, "It would say"), make("dd", { "aria-live": "polite" }, sentence, summary)),
    busy,
    outcome,
    make("p", { className: "note" }, "To make this analysis: ", commandBox, " ", copyButton("Copy the command", command)),
  );
  update();
  return panel;
}
