// Dropping a file, copying a line. Everything else is forms and links; htmx makes them quick.
(function () {
  "use strict";
  function show() {
    document.querySelectorAll("[data-copy]").forEach(function (button) { button.hidden = false; });
    document.body.classList.add("scripted");
  }
  document.addEventListener("DOMContentLoaded", show);
  if (document.readyState !== "loading") show();
  document.addEventListener("htmx:afterSettle", show);
  // the list of other questions closes when something else is touched, and on Escape
  function close(event) {
    var more = document.getElementById("more");
    if (!more || !more.open || (event.type === "keydown" ? event.key !== "Escape" : more.contains(event.target))) return;
    more.open = false;
    if (event.type === "keydown") more.querySelector("summary").focus();
  }
  document.addEventListener("click", close);
  document.addEventListener("keydown", close);
  document.addEventListener("click", function (event) {
    var button = event.target.closest("[data-copy]");
    if (!button) return;
    var text = document.getElementById(button.dataset.copy).textContent;
    function done(said) { button.textContent = said; setTimeout(function () { button.textContent = "Copy"; }, 1500); }
    function byHand() {
      var range = document.createRange();
      range.selectNodeContents(document.getElementById(button.dataset.copy));
      var chosen = window.getSelection();
      chosen.removeAllRanges();
      chosen.addRange(range);
      try { done(document.execCommand("copy") ? "Copied" : "Press Ctrl+C"); } catch (error) { done("Press Ctrl+C"); }
    }
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(function () { done("Copied"); }, byHand);
    else byHand();
  });
  var input = function () { return document.getElementById("file"); };
  document.addEventListener("change", function (event) {
    if (event.target === input() && input().files.length) input().form.requestSubmit();
  });
  var depth = 0;
  function files(event) { return event.dataTransfer && Array.from(event.dataTransfer.types).includes("Files"); }
  document.addEventListener("dragenter", function (event) {
    if (files(event)) { depth += 1; document.body.classList.add("over"); }
  });
  document.addEventListener("dragleave", function (event) {
    if (files(event) && (depth -= 1) <= 0) { depth = 0; document.body.classList.remove("over"); }
  });
  document.addEventListener("dragover", function (event) { if (files(event)) event.preventDefault(); });
  document.addEventListener("drop", function (event) {
    if (!files(event)) return;
    event.preventDefault();
    depth = 0;
    document.body.classList.remove("over");
    if (!event.dataTransfer.files.length) return;
    input().files = event.dataTransfer.files;
    input().form.requestSubmit();
  });
  // open lists stay open, and the focus stays, when the page's middle is exchanged
  var open = [], focused = "";
  document.addEventListener("htmx:beforeSwap", function (event) {
    if (event.detail.target && event.detail.target.id === "view") {
      open = Array.from(document.querySelectorAll(".panel details[open]")).map(function (d) { return d.id; });
      var at = document.activeElement;
      focused = at && at.closest(".panel") ? [at.id, at.name, at.value] : "";
      if (event.detail.xhr.status === 422 || event.detail.xhr.status >= 500) { window.location.assign(event.detail.pathInfo.finalRequestPath); }
    }
  });
  document.addEventListener("htmx:afterSwap", function () {
    open.forEach(function (id) { var d = id && document.getElementById(id); if (d) d.open = true; });
    open = [];
    if (!focused) return;
    var found = focused[0] ? document.getElementById(focused[0]) : Array.from(
      document.querySelectorAll(".panel input")).find(function (i) { return i.name === focused[1] && i.value === focused[2]; });
    focused = "";
    if (found) found.focus({ preventScroll: true });
  });
})();
