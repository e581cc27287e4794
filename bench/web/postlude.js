/* Runs in a worker after its script, before the first message: when the WebAssembly module is instantiated, Python has started and the first
   lines have run, in milliseconds of the clock that page and worker share. */
(() => {
  "use strict";
  const marks = {};
  const now = () => performance.timeOrigin + performance.now();
  const after = (call, mark) =>
    async function (...parameters) {
      const made = await call.apply(this, parameters);
      if (!marks.boot) marks[mark] = now();
      return made;
    };
  WebAssembly.instantiate = after(WebAssembly.instantiate, "wasm");
  WebAssembly.instantiateStreaming = after(WebAssembly.instantiateStreaming, "wasm");
  const post = self.postMessage;
  self.postMessage = (message, transfer) => post.call(self, { ...message, bench: { ...marks } }, transfer || []);

  if (typeof self.loadPyodide === "function") self.loadPyodide = timed(self.loadPyodide);

  function timed(given) {
    return async (options) => {
      const python = await given(options);
      marks.boot = now();
      const run = python.runPython;
      python.runPython = (...parameters) => {
        const value = run.apply(python, parameters);
        marks.import ??= now();
        return value;
      };
      return python;
    };
  }
})();
