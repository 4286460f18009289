// What a report on `compare` should say, as a whole.

import { beyond, compared } from "./compare.js";
import { compareCells } from "./compare_cells.js";
import { verdictSentence } from "./sentences.js";

function* comparison(table, data) {
  const result = yield* compared(table, data);
  yield;
  const { pairs, meanRanks } = result;
  const facts = { ...data.request, names: table.names, pairs, meanRanks, omnibus: data.omnibus.pvalue, n: table.values.length };
  const known = pairs.length > 1 && !data.margin && data.ranking === "friedman";
  const columns = compareCells(data, result);
  yield;
  return { ...result, columns, verdict: known && verdictSentence(facts) };
}

/** By the schema: what keeps a report from being recomputed, and what it should say. */
export const COMPARISON = { "bakeoff.compare/1": { beyond, recomputed: comparison } };
