// Elements, text only: nothing from a report is ever read as HTML. Long work in slices.

/** An element, `tag.class`, with properties, listeners (`onclick`) and attributes (`aria-…`), if any, and children. */
export function make(name, ...parts) {
  const [tag, css] = name.split(".");
  const found = document.createElement(tag);
  if (css) found.className = css;
  if (tag === "button") found.type = tag;
  for (const [key, value] of Object.entries(parts[0]?.constructor === Object ? parts.shift() : {})) {
    if (/^(aria-|role)/.test(key)) found.setAttribute(key, value);
    else found[key] = value;
  }
  found.append(...parts);
  return found;
}

const SLICE = 8; // milliseconds

/** Runs a generator without holding up the page; gives back a function that stops it. */
export function inSlices(work, done, progress, failed) {
  let stopped = false;
  const slice = () => {
    if (stopped) return;
    const end = performance.now() + SLICE;
    try {
      for (;;) {
        const step = work.next();
        if (step.done) return done(step.value);
        if (performance.now() > end) {
          progress?.(step.value);
          break;
        }
      }
    } catch (error) {
      return failed?.(error.message);
    }
    setTimeout(slice);
  };
  setTimeout(slice);
  return () => (stopped = true);
}

/** A bar with a button to stop, shown once the work takes half a second. */
export function working(place, work, done, failed) {
  const bar = make("progress", { max: 1 });
  const stop = make("button", { onclick: () => end(failed, "stopped") }, "Stop");
  const box = make("p.busy", { hidden: true }, bar, " ", stop);
  place.append(box);
  const later = setTimeout(() => (box.hidden = false), 500);
  const end = (then, found) => {
    halt();
    clearTimeout(later);
    box.remove();
    then?.(found);
  };
  const halt = inSlices(
    work,
    (found) => end(done, found),
    (share) => share && (bar.value = share),
    (message) => end(failed, message),
  );
  return end;
}

/** Copies a text; where the browser does not allow it, selects it in a box below the button. */
export function copyButton(label, text) {
  const button = make("button", label);
  button.onclick = async () => {
    const content = text();
    try {
      await navigator.clipboard.writeText(content);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = label), 1500);
    } catch {
      const box = make("textarea", { readOnly: true, value: content, rows: 4, "aria-label": "Text to copy" });
      if (button.nextSibling?.select) button.nextSibling.remove();
      button.after(box);
      box.select();
    }
  };
  return button;
}
