// Reads reports as JSON, one a line, and writes for each what the modules of the explorer say of it.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const load = (name) => import(`${pathToFileURL(process.argv[2])}/${name}.js`);
const [{ checked }, { COMPARISON }, { OTHERS }, { readTable, sizeOf }, { tableSha256 }] = await Promise.all(
  ["check", "comparison", "others", "table", "sha256"].map(load),
);
const KINDS = { ...COMPARISON, ...OTHERS };

function finished(work) {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

function examined(data) {
  const kind = KINDS[data.schema];
  const beyond = kind.beyond(data);
  if (beyond.length) return { beyond };
  const table = readTable(data.scores);
  const { expected, skipped, verdict } = finished(kind.recomputed(table, data));
  const check = checked(data, expected, sizeOf(table));
  const sha256 = finished(tableSha256(table, data.scores.clusters));
  return { numbers: check.compared, differences: check.differences, skipped, sentence: verdict, sha256 };
}

for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify(examined(JSON.parse(line))));
