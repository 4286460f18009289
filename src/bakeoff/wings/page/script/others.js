// Other kinds of report, as far as they are recomputed.

import { beyondMeans, evaluated } from "./evaluate.js";
import { beyondRuns, perProblem } from "./per_problem.js";

export const OTHERS = {
  "bakeoff.per-problem/1": { beyond: beyondRuns, recomputed: perProblem },
  "bakeoff.evaluate/1": { beyond: beyondMeans, recomputed: evaluated },
};
