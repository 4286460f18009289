// What the page of a comparison can do by itself: check its numbers, try other choices, sort and copy its tables.

import { COMPARISON } from "../comparison.js";
import { started } from "./panel.js";
import { whatIf } from "./what_if.js";

started(COMPARISON, whatIf);
