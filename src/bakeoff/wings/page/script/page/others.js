// What the page of another report can do by itself: check what is known of its kind, sort and copy its tables.

import { OTHERS } from "../others.js";
import { started } from "./panel.js";

started(OTHERS);
