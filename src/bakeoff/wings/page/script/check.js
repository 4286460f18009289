// A report's numbers held against those computed here: a list of what agrees, and of what differs.

const DIGITS = 1e-9;
const SIZED = /effect|interval|\bmeans?\b|contrast|differ|error|simult|scores/;

/** Do a printed and a computed number agree to 9 digits? JSON has null or "inf" for what is not finite. */
function agree(printed, computed, scale = 0) {
  if (typeof computed !== "number") return printed === computed;
  if (!isFinite(computed)) return printed === null || printed === `${computed}`.replace("inity", "").toLowerCase();
  if (typeof printed !== "number") return false;
  const size = Math.max(Math.abs(printed), Math.abs(computed));
  return Math.abs(printed - computed) <= Math.max(DIGITS * size, 1e-13 * scale, 1e-290);
}

/** What rounding leaves of a number that may be 0: of scores by their size, of statistics little, of p nothing. */
function slack(path, scale) {
  if (SIZED.test(path)) return Math.max(scale, 20);
  return path.includes("varia") ? 1e-12 * scale * scale : +!/adjusted|\bpval|t_pval/.test(path);
}

/** What was computed, against what the report has at the same place; what is not computed is undefined. */
export function checked(data, expected, scale) {
  const found = { compared: 0, differences: [] };
  const add = (printed, computed, place, path) => {
    if (computed === undefined) return;
    if (computed !== null && typeof computed === "object") {
      const there = printed ?? {};
      const { length } = computed;
      if (Array.isArray(computed) && length !== there.length) {
        found.differences.push({ place: `${place} (length)`, printed: there.length, computed: length });
      }
      for (const [key, value] of Object.entries(computed)) {
        const name = value?.b ? `${value.a} – ${value.b}${value.problem ? ` on ${value.problem}` : ""}` : key;
        add(there[key], value, place ? `${place}: ${name}` : name, `${path} ${key}`);
      }
      return;
    }
    if (typeof computed === "number") found.compared++;
    if (!agree(printed, computed, slack(path, scale))) found.differences.push({ place, printed, computed });
  };
  add(data, expected, "", "");
  return found;
}
