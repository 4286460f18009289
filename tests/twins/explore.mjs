// Reads reports as JSON, one a line, and writes for each what the modules of the explorer say of it.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const load = (name) => import(`${pathToFileURL(process.argv[2])}/${name}.js`);
const [{ beyond, compared }, { checkCompare }, { readTable }, { tableSha256 }, { verdictSentence }] = await Promise.all(
  ["compare", "check", "table", "sha256", "sentences"].map(load),
);

function finished(work) {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

function examined(data) {
  if (beyond(data).length) return { beyond: beyond(data) };
  const table = readTable(data.scores);
  const result = finished(compared(table, data));
  const { meanRanks, pairs, skipped } = result;
  const check = checkCompare(data, result);
  const facts = { names: table.names, pairs, control: data.control, meanRanks, omnibus: data.omnibus.pvalue, n: data.n_problems, alpha: data.alpha };
  return {
    numbers: check.numbers,
    differences: check.differences,
    skipped,
    sentence: verdictSentence(facts),
    sha256: finished(tableSha256(table, data.scores.clusters)),
  };
}

for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify(examined(JSON.parse(line))));
