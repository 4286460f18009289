// Elements, text only: nothing from a report is ever read as HTML. Long work in slices.

/** An element with properties, listeners (`onclick`) and attributes (`aria-…`), and children: elements or texts. */
export function make(tag, properties = {}, ...children) {
  const found = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (/^(aria-|role$|for$)/.test(key)) found.setAttribute(key, value);
    else found[key] = value;
  }
  found.append(...children);
  return found;
}

const SLICE = 8; // milliseconds

/** Runs a generator without holding up the page; gives back a function that stops it. */
export function inSlices(work, { progress = () => {}, done, failed = () => {} }) {
  let stopped = false;
  const slice = () => {
    if (stopped) return;
    const end = performance.now() + SLICE;
    try {
      for (;;) {
        const step = work.next();
        if (step.done) return done(step.value);
        if (performance.now() > end) {
          progress(step.value);
          break;
        }
      }
    } catch (error) {
      return failed(error);
    }
    setTimeout(slice);
  };
  setTimeout(slice);
  return () => (stopped = true);
}

/** A bar with a button to stop, shown once the work takes half a second. */
export function working(place, work, done, failed) {
  const bar = make("progress", { max: 1 });
  const stop = make("button", { type: "button", onclick: () => end(true) }, "Stop");
  const box = make("p", { className: "busy", hidden: true }, bar, " ", stop);
  place.append(box);
  const later = setTimeout(() => (box.hidden = false), 500);
  const end = (asked) => {
    halt();
    clearTimeout(later);
    box.remove();
    if (asked) failed(new Error("stopped"));
  };
  const halt = inSlices(work, {
    progress: (share) => share && (bar.value = share),
    done: (found) => (end(), done(found)),
    failed: (error) => (end(), failed(error)),
  });
  return () => end();
}

/** Copies a text; where the browser does not allow it, selects it in a box below the button. */
export function copyButton(label, text) {
  const button = make("button", { type: "button" }, label);
  button.onclick = async () => {
    const content = text();
    try {
      await navigator.clipboard.writeText(content);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = label), 1500);
    } catch {
      const box = make("textarea", { readOnly: true, value: content, rows: 4, "aria-label": "Text to copy" });
      if (button.nextSibling?.tagName === "TEXTAREA") button.nextSibling.remove();
      button.after(box);
      box.select();
    }
  };
  return button;
}
