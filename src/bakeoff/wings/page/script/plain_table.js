// A plain wide table: a column of problems, then a column of numbers per algorithm; or the other way round. What is not surely read as Python
// reads it is left to the command, with the reason: names that mean another thing, numbers written otherwise, columns
// that may be no scores. `words` are those of ``reading/words.toml`` and the patterns beside them.

import { doubledRanks } from "./ranks.js";
import { sorted } from "./numbers.js";

const LARGEST_TEXT = 100000; // characters that a reader looks at before it decides
const MOST_PROBLEMS = 700;
const MOST_ALGORITHMS = 30;
const COINCIDENCE = 1e-4; // chance with which a row agrees with the means of the others to rounding
const NUMBER_FORM = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const COMMA_FORM = /^[+-]?\d*,\d+(?:[eE][+-]?\d+)?$/;
const THOUSANDS = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/;
const PRINTED = /^[\x20-\x7e\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f]*$/;
const ASIDE = /^(?:(?:config|cfg|params?|hparams?|settings?|args)[./:]|key[_ ]|\.+)/i;
const DELIMITERS = { "\t": "tab", ";": "semicolon", ",": "comma" };

class Unsure extends Error {}
const unsure = (reason) => {
  throw new Unsure(reason);
};

/** The fields of a line; a field in quotes may hold the delimiter. */
function fieldsOf(line, mark, number) {
  const fields = [];
  let rest = line;
  for (;;) {
    const quoted = /^ *"((?:[^"]|"")*)"(.?)/.exec(rest);
    if (quoted) {
      if (quoted[2] && quoted[2] !== mark) unsure(`line ${number} has a quote that is not closed`);
      fields.push(quoted[1].replaceAll('""', '"'));
      rest = rest.slice(quoted[0].length);
      if (!quoted[2]) return fields;
      continue;
    }
    const end = rest.indexOf(mark);
    const field = end < 0 ? rest : rest.slice(0, end);
    if (field.includes('"')) unsure(`line ${number} has a quote inside a field`);
    fields.push(field);
    if (end < 0) return fields;
    rest = rest.slice(end + 1);
  }
}

/** Header and rows; how columns are separated. */
function recordsOf(text) {
  const lines = text.split(/\r\n|\n|\r/);
  const used = [...lines.entries()].filter(([, line]) => line.trim());
  if (!used.length) unsure("it is empty");
  const [, header] = used[0];
  if (/^\s*[[{]/.test(header)) unsure("it is JSON");
  if (/[|&<\\]/.test(header)) unsure("its first line is not that of a table in CSV");
  const bare = header.replace(/ *"(?:[^"]|"")*"/g, "");
  const marks = Object.keys(DELIMITERS).filter((mark) => bare.includes(mark));
  if (!marks.length) unsure("its first line has one column: columns are separated by commas, semicolons or tabs");
  if (marks.length > 1) unsure("its first line has several signs that may separate columns");
  const [mark] = marks;
  const rows = used.map(([number, line]) => {
    if (/^\s*#/.test(line)) unsure(`line ${number + 1} is a comment`);
    const fields = fieldsOf(line, mark, number + 1).map((field) => field.trim());
    if (fields.every((field) => !field)) unsure(`line ${number + 1} has no content`);
    return fields;
  });
  const odd = rows.findIndex((row) => row.length !== rows[0].length);
  if (odd > 0) unsure(`line ${used[odd][0] + 1} has not as many columns as the first line`);
  if (rows.length < 2) unsure("there is no line below the first one");
  return { head: rows[0], body: rows.slice(1), mark };
}

// --- JSON -------------------------------------------------------------------------------------------------------

const TOKENS = /"(?:[^"\\]|\\.)*"|[-\d][-+.\deE]*|true|false|null|[[\]{}:,]/g;

/** A value of JSON: lists, maps, and what stands in them as it is written, since numbers are more than what is parsed. */
function writtenValue(text) {
  JSON.parse(text);
  const tokens = text.match(TOKENS);
  let at = 0;
  const value = (depth) => {
    const token = tokens[at++];
    const end = { "[": "]", "{": "}" }[token];
    if (!end) return token;
    if (depth > 1) unsure("its JSON is nested");
    const items = [];
    while (tokens[at] !== end) {
      if (tokens[at] === ",") at++;
      if (end === "]") items.push(value(depth + 1));
      else items.push([JSON.parse(tokens[(at += 2) - 2]), value(depth + 1)]);
    }
    at++;
    if (end === "]") return items;
    const map = new Map(items);
    if (map.size < items.length) unsure("a name occurs twice in a record");
    return map;
  };
  return value(0);
}

/** Records, or a list for each column; where a line is a record, several of them. */
function parsedJson(text, inLines) {
  const ofLines = () => text.split(/\r\n|\n|\r/).filter((line) => line.trim()).map(writtenValue);
  try {
    return inLines ? ofLines() : writtenValue(text);
  } catch (error) {
    if (error instanceof Unsure) throw error;
  }
  try {
    if (!inLines && text.trim()[0] === "{") return ofLines();
  } catch (error) {
    if (error instanceof Unsure) throw error;
  }
  return unsure("it is not JSON");
}

/** Header and rows of a table in JSON; text is in quotes. */
function jsonRecords(text, inLines) {
  const content = parsedJson(text, inLines);
  if (content instanceof Map) {
    const columns = [...content.values()];
    if (!columns.length || !columns.every(Array.isArray)) unsure("its JSON is no list of records, and no list for each column");
    if (columns.some((own) => own.length !== columns[0].length)) unsure("its columns are not equally long");
    return { head: [...content.keys()], body: columns[0].map((_, i) => columns.map((own) => own[i])) };
  }
  if (!Array.isArray(content) || !content.length || !content.every((record) => record instanceof Map)) unsure("its JSON is no list of records");
  const head = [...content[0].keys()];
  if (content.some((record) => record.size !== head.length || !head.every((name) => record.has(name)))) unsure("its records have not the same names");
  return { head, body: content.map((record) => head.map((name) => record.get(name))) };
}

/** The same with names as text, which they must be. */
function withNames({ head, body, mark }, places) {
  if (body.flat().some((token) => typeof token !== "string")) unsure("its JSON is nested");
  const name = (token) => (token[0] === '"' ? JSON.parse(token) : unsure(`${token} stands where names do`));
  if (head.some((one) => one !== one.trim())) unsure("a name begins or ends with a space");
  const rows = body.map((row) => row.map((token, j) => (places.includes(j) ? name(token) : token)));
  if (rows.some((row) => places.some((j) => row[j] !== row[j].trim()))) unsure("a name begins or ends with a space");
  return { head, body: rows, mark };
}

// --- a row per score ----------------------------------------------------------------------------------------------

const squeezed = (name) => name.toLowerCase().replace(/[\s_-]+/g, "");

/** Where problem, algorithm and score stand in a table of nothing else; nothing if it is another one. */
function longPlaces(head, words) {
  const roles = [(name) => words.problem.includes(name), (name) => name === "algorithm", (name) => name === "score"];
  const places = roles.map((is) => head.findIndex((name) => is(squeezed(name))));
  return head.length === 3 && !places.includes(-1) ? places : null;
}

/** A row per problem of a table with a row per score. */
function widened({ head, body, mark }, [p, a, s]) {
  const algorithms = [...new Set(body.map((row) => row[a]))];
  const rows = new Map();
  for (const row of body) {
    if (!rows.has(row[p])) rows.set(row[p], new Map());
    const own = rows.get(row[p]);
    if (own.has(row[a])) unsure(`${row[a]} has several scores on ${row[p]}`);
    own.set(row[a], row[s]);
  }
  for (const [problem, own] of rows) {
    const lacking = algorithms.find((name) => !own.has(name));
    if (lacking !== undefined) unsure(`a score is missing (${problem}, ${lacking})`);
  }
  return { head: [head[p], ...algorithms], body: [...rows].map(([problem, own]) => [problem, ...algorithms.map((name) => own.get(name))]), mark };
}

// --- names ------------------------------------------------------------------------------------------------------

/** In lower case, without spaces and punctuation. */
const bareName = (name) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

const matches = ({ source, flags }, text) => new RegExp(`^(?:${source})$`, flags).test(text);
const finds = ({ source, flags }, text) => new RegExp(source, flags).test(text);

/** The words of a metric's name. */
const partsOf = (name) => name.replace(/([a-z])(?=[A-Z][a-z])/g, "$1 ").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The direction that a metric's name says, or nothing. */
export function namedDirection(name, { direction }) {
  if (/[↑↓]/.test(name)) return /[↑↓]/.exec(name)[0] === "↑" ? "higher" : "lower";
  const parts = partsOf(name);
  if (!parts.length || parts.some((part) => direction.otherwise.includes(part))) return null;
  while (parts.length > 1 && (direction.around.includes(parts.at(-1)) || /^p*\d+$/.test(parts.at(-1)))) parts.pop();
  for (const last of [parts.slice(-2).join(""), parts.at(-1)]) {
    for (const side of ["higher", "lower"]) if (direction[side].includes(last)) return side;
  }
  return null;
}

/** What a name that everybody uses stands for. */
function knownSide(name, { known }) {
  const lower = name.toLowerCase();
  for (const word of [bareName(lower), lower.trim().split(/[\s_\-(/:,.]+/)[0]]) {
    for (const side of ["problems", "algorithms"]) if (known[side].includes(word)) return side;
  }
  return null;
}

/** What a column of this name would hold. */
function sideOf(name, { sides }) {
  const whole = name.toLowerCase().replace(/[\s_.-]+/g, "");
  const stem = whole.replace(/(names?|ids?|s)$/, "");
  return ["problems", "algorithms"].find((side) => sides[side].includes(whole) || sides[side].includes(stem));
}

const firstWord = (name) => /^[A-Za-z]+/.exec(name)?.[0] ?? "";

/** Is a column of this name surely one of scores, and not called like this side? */
function holdsScores(name, words, other) {
  const { patterns } = words;
  const ascii = name.replace(/[^\x20-\x7e]/g, "a");
  const own = bareName(ascii);
  const parts = ascii.split(/[\s_./:~()-]+/).filter(Boolean);
  if (!/[A-Za-z]/.test(ascii) || ASIDE.test(ascii) || words.reserved.includes(own)) return false;
  if (ascii === ascii.toLowerCase() && words.settings.includes(own)) return false;
  if ([ascii, own].some((text) => patterns.whole.some((pattern) => matches(pattern, text)))) return false;
  if (patterns.inside.some((pattern) => finds(pattern, ascii))) return false;
  if (parts.some((part) => patterns.measures.some((pattern) => matches(pattern, bareName(part))))) return false;
  if (ascii.split(/[\s_.]+/).some((part) => words.runs.includes(bareName(part)))) return false;
  const { higher, lower } = words.direction;
  if (partsOf(ascii).concat(parts.map(bareName)).some((part) => [higher, lower, words.splits].some((list) => list.includes(part)))) return false;
  return !sideOf(ascii, words) && sideOf(firstWord(ascii), words) !== other && knownSide(ascii, words) !== other;
}

/** Is a row of this name surely no summary of others, and not called like this side? */
function namesRow(name, words, other) {
  const ascii = name.replace(/[^\x20-\x7e]/g, "a");
  const short = ascii.endsWith(")") ? ascii.split("(")[0] : ascii;
  if (!/^[A-Za-z]/.test(ascii) || finds(words.patterns.telling, ascii)) return false;
  if (!/\d/.test(short) && matches(words.patterns.summaries, bareName(short))) return false;
  return !sideOf(ascii, words) && sideOf(firstWord(ascii), words) !== other && knownSide(ascii, words) !== other;
}

function checkNames(names, what) {
  const odd = names.find((name) => !name || !PRINTED.test(name) || name !== name.normalize("NFC"));
  if (odd !== undefined) unsure(odd ? `the name ${odd} has signs that may be read in two ways` : `the name of one of the ${what} is empty`);
  const folded = names.map((name) => name.toLowerCase().replaceAll("ß", "ss").replace(/\s+/g, " "));
  if (new Set(folded).size < names.length) unsure(`two of the ${what} have one name`);
}

// --- numbers ----------------------------------------------------------------------------------------------------

function numberOf(text, place) {
  const value = +text;
  const vanished = value === 0 ? /[1-9]/.test(text.split(/[eE]/)[0]) : Math.abs(value) < 1e-300;
  if (!isFinite(value) || vanished || Math.abs(value) >= 1e15) unsure(`${place}: ${text} is too large or too small`);
  return value;
}

/** The cells as numbers; whether commas are decimal. */
function valuesOf(body, head, mark, missing) {
  const cells = body.map((row) => row.slice(1));
  const all = cells.flat();
  const isComma = (text) => COMMA_FORM.test(text);
  const comma = mark !== "," && all.some(isComma);
  if (comma && (all.some((text) => /\./.test(text)) || all.filter(isComma).every((text) => THOUSANDS.test(text)))) {
    unsure("commas in numbers may be decimal, or separate thousands");
  }
  const points = all.filter((text) => /^[+-]?\d*\.\d/.test(text));
  if (mark === ";" && points.length && points.every((text) => THOUSANDS.test(text))) {
    unsure("points in numbers may be decimal, or separate thousands");
  }
  const values = cells.map((row, i) =>
    row.map((text, j) => {
      const place = `${body[i][0]}, ${head[j + 1]}`;
      if (missing.includes(text.toLowerCase())) unsure(`a score is missing (${place})`);
      const plainText = comma && isComma(text) ? text.replace(",", ".") : text;
      if (!NUMBER_FORM.test(plainText)) unsure(`${place}: ${text} is not a plain number`);
      return numberOf(plainText, place);
    }),
  );
  return { values, comma };
}

// --- columns that may be no scores, and rows that sum up others ----------------------------------------------------

const column = (values, j) => values.map((row) => row[j]);
const isWhole = (x) => x % 1 === 0;

function correlation(a, b) {
  const centred = (list) => {
    const middle = list.reduce((x, y) => x + y, 0) / list.length;
    return list.map((x) => x - middle);
  };
  const [x, y] = [a, b].map(centred);
  const dot = (u, v) => u.reduce((total, one, i) => total + one * v[i], 0);
  const size = Math.sqrt(dot(x, x) * dot(y, y));
  return size > 0 ? dot(x, y) / size : 0;
}

const middleOf = (list) => {
  const s = sorted(list);
  return (s[(s.length - 1) >> 1] + s[s.length >> 1]) / 2;
};

/** Columns that do not behave like their neighbours: by whole numbers, or by the difficulty of the rows. */
function checkColumns(values, names) {
  const k = names.length;
  if (k < 3) return;
  const whole = names.map((_, j) => column(values, j).every(isWhole));
  const count = whole.filter(Boolean).length;
  const odd = whole.findIndex((own, j) => own && !column(values, j).every((x) => x === 0 || x === 1 || x === 100));
  if (odd >= 0 && 2 * (count - 1) < k - 1) unsure(`${names[odd]} holds whole numbers, where most others have fractions`);
  if (values.length < 8 || k < 4 || new Set(values.flat()).size < 12) return;
  const ranks = names.map((_, j) => doubledRanks(column(values, j)));
  const sums = values.map((_, i) => ranks.reduce((total, own) => total + own[i], 0));
  const shared = ranks.map((own) => correlation(own, own.map((r, i) => sums[i] - r)));
  const alone = shared.findIndex((r, j) => r < 0.32 && r > -0.92 && middleOf(shared.filter((_, i) => i !== j)) > 0.48);
  if (alone >= 0) unsure(`${names[alone]} does not share the difficulty of the problems, which the others do`);
}

/** Digits behind the point of the shortest decimal. */
function decimalsOf(x) {
  const [digits, power = "0"] = `${x}`.split("e");
  return Math.max(0, (digits.split(".")[1] ?? "").length - +power);
}

/** Are there so few digits, or columns, that a row of random scores may agree with the means to rounding? */
function isCoincidence(others, row, unit) {
  let chance = 0;
  for (const [j, x] of row.entries()) {
    const own = column(others, j);
    const spread = Math.max(...own) - Math.min(...own);
    if (!spread) return true;
    if (own.filter((y) => y === x).length < 2) chance += Math.log(Math.min(1, unit / spread));
  }
  return chance > Math.log(COINCIDENCE) + 1e-6;
}

function checkEnds(values, problems) {
  if (values.length < 4) return;
  for (const i of [0, values.length - 1]) {
    const others = values.filter((_, row) => row !== i);
    const unit = 10 ** -Math.max(...values[i].map(decimalsOf));
    const slack = 0.51 * unit;
    if (isCoincidence(others, values[i], unit)) continue;
    const near = (summary) =>
      values[i].every((x, j) => {
        const found = summary(column(others, j));
        return Math.abs(x - found) <= slack + 1e-9 * Math.abs(found);
      });
    const average = (list) => list.reduce((a, b) => a + b, 0) / list.length;
    if ([average, middleOf].some(near)) unsure(`the row ${problems[i]} may sum up the others`);
  }
}

// ---------------------------------------------------------------------------------------------------------------

function tableOf(source, words, suffix) {
  const text = source.replace(/^\ufeff/, "");
  const json = /^(json|jsonl|ndjson)$/.test(suffix);
  if (text.length > LARGEST_TEXT) unsure("it is longer than 100 000 characters");
  if (/[\0\v\f\x1c-\x1f\x85\u2028\u2029\ufffd]/.test(text)) unsure("it has control characters");
  const read = json ? { ...jsonRecords(text, suffix !== "json"), mark: "," } : recordsOf(text);
  const long = longPlaces(read.head, words);
  const named = json ? withNames(read, long ? long.slice(0, 2) : [0]) : read;
  const { head, body, mark } = long ? widened(named, long) : named;
  const [first, ...names] = head;
  const rows = body.map((row) => row[0]);
  const called = words.problem.includes(squeezed(first));
  const side = called || !first ? "problems" : PRINTED.test(first) && sideOf(first, words);
  if (!side) unsure(`the first column, ${first}, is not called like problems (problem, dataset, instance)`);
  const turned = side === "algorithms"; // each row is an algorithm
  if (!first && names.length > rows.length) unsure("it has more columns than rows, and nothing says what the rows are");
  const start = json ? text : text.split(/\r\n|\n|\r/).slice(0, 4).join("\n");
  if (words.patterns.programs.some((mark) => finds(mark, start))) unsure("it may be what another program wrote");
  if (names.length < 2) unsure("it has one column of scores");
  checkNames(names, "columns");
  checkNames(rows, "rows");
  const [ofColumns, ofRows] = turned ? ["algorithms", "problems"] : ["problems", "algorithms"];
  const doubtful = names.find((name) => !holdsScores(name, words, ofColumns) || (turned && !namesRow(name, words, ofColumns)));
  if (doubtful !== undefined) unsure(`the column ${doubtful} may be no ${turned ? "problem" : "algorithm"}`);
  const { numbered, run, labels } = words.patterns;
  if (names.every((name) => matches(numbered, name)) || names.every((name) => matches(run, name))) {
    unsure("its columns are called like runs");
  }
  const other = rows.find((name) => !namesRow(name, words, ofRows) || (turned && !holdsScores(name, words, ofRows)));
  if (other !== undefined) unsure(`the row ${other} may be no ${turned ? "algorithm" : "problem"}`);
  if ((turned ? names : rows).every((name) => matches(labels, name.toLowerCase()))) unsure("its problems are in time");
  const { values: cells, comma } = valuesOf(body, head, mark, words.missing);
  checkColumns(cells, names);
  const values = turned ? names.map((_, j) => column(cells, j)) : cells;
  const [problems, algorithms] = turned ? [names, rows] : [rows, names];
  if (algorithms.length > MOST_ALGORITHMS || problems.length > MOST_PROBLEMS) unsure("it is larger than what is analysed here");
  if (problems.length < 2 || algorithms.length < 2) unsure("it has one problem, or one algorithm");
  if (new Set(values.flat()).size < 3) unsure("its scores have two values, which are compared as shares");
  checkEnds(values, problems);
  return { table: { problems, algorithms, values }, first, turned, long: Boolean(long), form: json ? "as JSON" : `with ${DELIMITERS[mark]} between columns${comma ? ", decimal commas" : ""}` };
}

/** The table with how it was read, or the reason why it is left to the command; `suffix` is that of the file. */
export function plainTable(text, words, suffix) {
  try {
    return tableOf(text, words, suffix);
  } catch (error) {
    if (error instanceof Unsure) return { reason: error.message };
    throw error;
  }
}
