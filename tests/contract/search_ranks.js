// node search_ranks.js FIND.js WORDS.js < queries.json: the pages that the site's search gives for each, best first.
const { readFileSync } = require("node:fs");
const find = require(require("node:path").resolve(process.argv[2]));
const text = readFileSync(process.argv[3], "utf8");
const index = find.opened(JSON.parse(text.slice(text.indexOf("=") + 1)));
const queries = JSON.parse(readFileSync(0, "utf8"));
const hits = queries.map((query) => find.found(index, query).map((hit) => [hit.page, hit.section, hit.score]));
process.stdout.write(JSON.stringify(hits));
