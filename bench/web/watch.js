/* Runs before the scripts of a page and keeps in `bench` when each stage of the way to an answer ended, in milliseconds
   from the start of the navigation. The page is used as a visitor uses it: the question is typed and sent as soon as
   the form is there. `bench.visits` fills in the words in capitals. */
(() => {
  "use strict";
  const now = () => performance.now();
  const bench = { question: QUESTION, asked: 0, shown: 0, failed: "", pyodide: {}, heap: 0, files: [location.href], ask };
  globalThis.bench = bench;

  function ask(question) {
    const form = document.getElementById("ask-form");
    const field = document.getElementById("question");
    bench.shown = 0;
    document.getElementById("answer").hidden = true;
    field.value = question;
    bench.asked = now();
    form.dispatchEvent(new Event("submit", { cancelable: true }));
  }

  /* What a page from a folder loads, it loads by elements. */
  function note(element) {
    const file = element.localName === "link" ? element.href : element.src;
    if (file && !bench.files.includes(file)) bench.files.push(file);
  }

  function look(changes = []) {
    for (const change of changes) for (const node of change.addedNodes || []) note(node);
    const form = document.getElementById("ask-form");
    if (!bench.asked && form && !form.hidden && document.readyState !== "loading") ask(bench.question);
    const answer = document.getElementById("answer");
    const alert = document.getElementById("alert");
    if (bench.asked && !bench.shown && answer && !answer.hidden) bench.shown = now();
    if (alert && alert.childElementCount) bench.failed = alert.dataset.code || alert.textContent;
  }
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
  document.addEventListener("DOMContentLoaded", () => look());

  /* What a worker says of itself travels on its messages; a worker made of a blob gets a prelude and a postlude. */
  const PlainBlob = Blob;
  globalThis.Blob = class extends PlainBlob {
    constructor(parts = [], options = {}) {
      super(options.type === "text/javascript" ? [PRELUDE, ...parts, POSTLUDE, "\n"] : parts, options);
    }
  };
  const PlainWorker = Worker;
  globalThis.Worker = class extends PlainWorker {
    constructor(url, options) {
      super(url, options);
      this.addEventListener("message", ({ data }) => hear(data || {}));
    }
    postMessage(message, transfer) {
      if (message.type === "boot") bench.pyodide.payload ??= now();
      super.postMessage(message, transfer);
    }
  };

  function hear(message) {
    for (const [stage, time] of Object.entries(message.bench || {})) bench.pyodide[stage] = time - performance.timeOrigin;
    if (message.type === "ready") bench.pyodide.index ??= now();
    if (message.memory) bench.heap = message.memory;
  }
})();
