"use strict";
// Keeps the page of a running experiment up to date. A hidden tab needs no connection: a browser allows six per server.
(() => {
  const box = document.getElementById("live");
  const said = document.getElementById("live-said");
  const link = document.getElementById("live-link");
  if (!box || !window.EventSource) return;
  let stream = null;
  let seen = box.dataset.seen;

  const opened = () => new Set([...box.querySelectorAll("details[open] > summary")].map(s => s.textContent));
  const state = () => (box.querySelector(".what") || box.querySelector("h1") || box).textContent.trim();

  const show = html => {
    const focus = document.activeElement && box.contains(document.activeElement)
      ? [...box.querySelectorAll("a, summary, [tabindex]")].indexOf(document.activeElement) : -1;
    const open = opened(), before = state();
    box.innerHTML = html;
    for (const summary of box.querySelectorAll("details > summary"))
      if (open.has(summary.textContent)) summary.parentElement.open = true;
    if (focus >= 0) (box.querySelectorAll("a, summary, [tabindex]")[focus] || box).focus();
    if (state() !== before) said.textContent = state();  // a reader hears of a new state, not of every run
  };

  const watch = () => {
    if (stream || document.hidden) return;
    stream = new EventSource(box.dataset.events + "?seen=" + encodeURIComponent(seen));
    stream.addEventListener("state", event => {
      seen = event.lastEventId;
      show(event.data);
    });
    stream.onopen = () => { link.hidden = true; };
    stream.onerror = () => {
      link.hidden = false;
      if (stream && stream.readyState === EventSource.CLOSED) {  // refused: the browser does not try again by itself
        stream = null;
        setTimeout(watch, 5000);
      }
    };
  };
  const leave = () => { if (stream) { stream.close(); stream = null; } };

  document.addEventListener("visibilitychange", () => document.hidden ? leave() : watch());
  window.addEventListener("pagehide", leave);
  window.addEventListener("pageshow", watch);
  watch();
})();
