// "What if": the verdict under other choices, beside the printed one, which stays.

import { corrections, decided, described } from "../compare.js";
import { isDecided } from "../groups.js";
import { isBinary } from "../numbers.js";
import { friedman } from "../omnibus.js";
import { verdictSentence, written } from "../sentences.js";
import { part, readTable } from "../table.js";
import { plain } from "../texts.js";
import { copyButton, inSlices, make, working } from "./dom.js";

const EXPLORES = "Exploratory: chosen after the scores were seen.";
export const shellWord = (word) => (/^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
/** Options of a command that the panel sets, or that write files. */
const OWN = / --(json|(alpha|pairwise|posthoc|report|control|recipe)[ =](\\.|'[^']*'|"[^"]*"|[^\s'"])+)/g;

/** The tests that the table allows: differences need finite scores, McNemar's 0 and 1. */
function testsOf(table, transform) {
  const all = table.values.flat();
  const finite = all.every(isFinite) ? ["wilcoxon", "t"] : [];
  const binary = all.every(isBinary) && !table.averaged && !transform ? ["mcnemar"] : [];
  return [...finite, "sign", "sign-without-ties", ...binary, "mean-ranks"];
}

/** A function that makes the panel, or nothing where there is nothing to try. */
export const whatIf = (data) => data.pairs?.length && !data.margin && (() => panelOf(data, readTable(data.scores)));

function panelOf(data, table) {
  const { request } = data;
  const { names } = table;
  const hasControl = request.control !== null;
  const tests = testsOf(table, request.transform);
  const known = corrections(hasControl, names.length);
  const printed = { alpha: request.alpha, test: data.pairwise, posthoc: data.primary, problems: new Set(), algorithms: new Set() };
  const lists = { problems: table.problems, algorithms: names };
  let halt = () => {};
  let halting = halt;

  // --- the state as a fragment -----------------------------------------------------------------------------------

  const read = (found) => {
    if (!found.has("whatif")) return printed;
    const places = (key) => new Set((found.get(key) ?? "").split(".").filter((x) => /^\d+$/.test(x) && +x < lists[key].length).map(Number));
    const one = (key, list) => (list.includes(found.get(key)) ? found.get(key) : printed[key]);
    return {
      alpha: level(+found.get("alpha"), printed),
      test: one("test", tests),
      posthoc: one("posthoc", known),
      problems: places("problems"),
      algorithms: places("algorithms"),
    };
  };
  let state = read(new URLSearchParams(location.hash.slice(1)));

  const fragment = (one) => new URLSearchParams({ whatif: 1, ...one, problems: [...one.problems].join("."), algorithms: [...one.algorithms].join(".") });
  const isPrinted = () => `${fragment(state)}` === `${fragment(printed)}`;

  /** The command that makes this analysis. */
  const command = () => {
    const given = (data.command ?? "").replace(OWN, "");
    const start = given.startsWith("bakeoff compare ") ? given : `bakeoff compare scores.csv --better ${table.better}`;
    const words = ["--alpha", state.alpha, "--pairwise", state.test, "--posthoc", state.posthoc];
    if (hasControl) words.push("--control", request.control);
    for (const [key, list] of Object.entries(lists)) for (const i of state[key]) words.push("--drop", list[i]);
    return `${start} ${words.map((word) => shellWord(`${word}`)).join(" ")}`;
  };

  // --- computing ------------------------------------------------------------------------------------------------

  /** The analysis of a state, or why there is none. */
  function* analysed({ alpha, test, posthoc, problems, algorithms }) {
    const left = (list, out) => [...list.keys()].filter((i) => !out.has(i));
    const rows = left(table.problems, problems);
    const columns = left(names, algorithms);
    if (rows.length < 2 || columns.length < 2) throw Error("Two problems and two algorithms must stay.");
    if (!known.includes(posthoc)) throw Error(`Choose another correction: ${posthoc} is not computed here.`);
    const pairwise = test === printed.test ? request.pairwise : test;
    const whole = !problems.size && !algorithms.size;
    const used = whole ? table : part(table, rows, columns);
    const found = yield* decided(used, { ...request, alpha, pairwise: pairwise ?? (test === "wilcoxon" ? null : test), posthoc });
    found.said = verdictSentence({
      names: used.names,
      pairs: found.pairs,
      control: request.control,
      meanRanks: described(used).meanRanks,
      omnibus: whole ? data.omnibus.pvalue : friedman(used)["iman-davenport"].evidence[0],
      n: rows.length,
      alpha,
    });
    return found;
  }

  const keyOf = ({ a, b }) => `${a}\n${b}`;
  const before = new Map(data.pairs.map((pair) => [keyOf(pair), pair.verdict]));
  const better = (pair, verdict) => (isDecided(verdict) ? `${plain(pair[verdict[0]])} better` : verdict);

  const show = ({ pairs, said }) => {
    const changed = pairs.filter((pair) => before.get(keyOf(pair)) !== pair.verdict);
    const gone = before.size - pairs.length;
    const { length } = changed;
    then.textContent = said;
    summary.textContent = `${length || "No"} verdict${length > 1 ? "s differ" : " differs"} from the printed ones${gone ? `; pairs left out: ${gone}` : ""}.`;
    const line = (tag, scope, first, ...texts) => make("tr", make("th.t", { scope }, first), ...texts.map((text) => make(tag, text)));
    const rows = changed.slice(0, 200).map((pair) => {
      const verdicts = [before.get(keyOf(pair)), pair.verdict].map((verdict) => better(pair, verdict));
      return line("td.t", "row", `${plain(pair.a)} – ${plain(pair.b)}`, ...verdicts, written(pair.adjusted[state.posthoc]));
    });
    const head = line("th.t", "col", "pair", "printed", "what if", "adjusted p");
    outcome.replaceChildren(...(rows.length ? [make("div.scroll", make("table", make("thead", head), make("tbody", ...rows)))] : []));
  };

  const update = () => {
    halt();
    alphaBox.value = state.alpha;
    testBox.value = state.test;
    postBox.value = state.posthoc;
    for (const [box, key, i] of ticks) box.checked = !state[key].has(i);
    commandBox.value = command();
    without.textContent = "";
    back.disabled = isPrinted();
    try {
      history.replaceState(null, "", `#${isPrinted() ? "" : fragment(state)}`);
    } catch {
      // a frame without an address
    }
    halt = working(busy, analysed(state), show, (message) => {
      then.textContent = message;
      summary.textContent = "";
      outcome.replaceChildren();
    });
  };

  const change = (changes) => {
    state = { ...state, ...changes };
    update();
  };

  /** How many verdicts change without a problem, said while it is pointed at or focused. */
  const tell = (i) => {
    halting();
    if (state.problems.has(i)) return;
    halting = inSlices(
      (function* () {
        const now = yield* analysed(state);
        const later = yield* analysed({ ...state, problems: new Set(state.problems).add(i) });
        return later.pairs.filter((pair, p) => pair.verdict !== now.pairs[p].verdict).length;
      })(),
      (n) => (without.textContent = `Without ${plain(table.problems[i])}: ${n || "no"} verdict${n > 1 ? "s change" : " changes"}.`),
    );
  };

  // --- the panel ------------------------------------------------------------------------------------------------

  const ticks = [];
  const tickList = (title, key) => {
    const items = lists[key].map((name, i) => {
      const box = make("input", { type: "checkbox", disabled: key === "algorithms" && name === request.control });
      ticks.push([box, key, i]);
      box.onchange = () => {
        const out = new Set(state[key]);
        if (box.checked) out.delete(i);
        else out.add(i);
        change({ [key]: out });
      };
      const label = make("label", box, ` ${plain(name)}`);
      if (key === "problems") {
        let later;
        const wait = () => clearTimeout(later);
        label.onmouseenter = box.onfocus = () => {
          wait();
          later = setTimeout(() => tell(i), 200);
        };
        label.onmouseleave = box.onblur = wait;
      }
      return label;
    });
    return make("details", make("summary", title), make("div.ticks", ...items));
  };
  const choice = (list, key) => {
    const all = new Set([printed[key], ...list]);
    return make("select", { onchange: ({ target }) => change({ [key]: target.value }) }, ...[...all].map((name) => make("option", name)));
  };
  const alphaBox = make("input", { type: "number", min: 0.0001, max: 0.9999, step: "any" });
  alphaBox.onchange = () => change({ alpha: level(+alphaBox.value, state) });
  const testBox = choice(tests, "test");
  const postBox = choice(known, "posthoc");
  const back = make("button", { onclick: () => change(printed) }, "Back to the report");
  const then = make("p.then");
  const summary = make("p.note");
  const outcome = make("div");
  const busy = make("div");
  const without = make("p.note", { role: "status" });
  const commandBox = make("input.command", { readOnly: true, "aria-label": "Command" });
  const panel = make(
    "section.explore",
    { "aria-label": "What if" },
    make("div.explores", { role: "note" }, make("p", EXPLORES), make("p.said", `The report says: ${plain(data.verdict)}`)),
    make("div.strip", make("label", "alpha ", alphaBox), make("label", "test ", testBox), make("label", "correction ", postBox), back),
    tickList("Problems", "problems"),
    without,
    tickList("Algorithms", "algorithms"),
    make("div.would", { "aria-live": "polite" }, make("p", "It would say:"), then, summary),
    busy,
    outcome,
    make("p.note", "To make this analysis: ", commandBox, " ", copyButton("Copy the command", command)),
  );
  update();
  return panel;
}

const level = (alpha, otherwise) => (alpha > 0 && alpha < 1 ? alpha : otherwise.alpha);
