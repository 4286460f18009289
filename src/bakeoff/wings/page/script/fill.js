// Sentences that program and page both write: a file of the core has each once. Only tests run this module; in the
// script of a report docs/generate/explore.py writes the sentence in the place of the call.

import TEMPLATES from "../../../report/sentences.json" with { type: "json" };

export const fill = (name, values) => TEMPLATES[name].replace(/\{(\w+)\}/g, (_, key) => values[key]);
