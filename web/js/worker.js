/**
 * The worker: Pyodide and cairn_core behind two messages, boot and ask. Follows Pyodide's loader and runtime in one
 * script, gets every byte by message and answers Pyodide's fetches from them; nothing here reaches the network.
 */
(function () {
  "use strict";

  const INDEX = "https://cairn.invalid/";
  const TYPES = { "pyodide.asm.wasm": "application/wasm" };
  /** Exceptions of cairn_core that say which sentence the reader gets. @type {Record<string, FailureCode>} */
  const CODES = { IndexFormatError: "damaged", MixedBuildsError: "mixed" };
  const OPEN_SESSION = `
from cairn_core.bridge import open_session
open_session(site.to_bytes(), [shard.to_bytes() for shard in shards])
`;

  /** @type {Map<string, ArrayBuffer>} */
  const served = new Map();
  /** @type {{ ask(request: string): string, prepare(): boolean } | null} */
  let session = null;

  /**
   * Pyodide stays unpatched: it streams its WebAssembly from here, with the type it needs.
   * @param {RequestInfo | URL} input
   */
  async function serve(input) {
    const name = String(input).startsWith(INDEX) ? String(input).slice(INDEX.length) : "";
    const bytes = served.get(name);
    served.delete(name);
    if (!bytes) throw new TypeError(`not served: ${input}`);
    const type = /** @type {Record<string, string>} */ (TYPES)[name] || "application/octet-stream";
    return new Response(bytes, { headers: { "content-type": type } });
  }

  /** @param {WorkerReport} report */
  function report(report) {
    self.postMessage(report);
  }

  /** @param {Record<string, ArrayBuffer>} parts @param {string[]} shards */
  async function boot(parts, shards) {
    await WebAssembly.instantiate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).catch((error) => {
      throw Object.assign(new Error(String(error)), { code: "wasm" });
    });
    served.set("pyodide.asm.wasm", part(parts, "pyodide.wasm"));
    served.set("stdlib.zip", part(parts, "stdlib.zip"));
    const python = await loadPyodide({
      indexURL: INDEX,
      packageBaseUrl: INDEX,
      stdLibURL: `${INDEX}stdlib.zip`,
      lockFileContents: new TextDecoder().decode(part(parts, "lock.json")),
    });
    python.runPython("import cairn_core.bridge");
    report({ type: "stage", stage: "reading" });
    const names = python.toPy({});
    names.set("site", new Uint8Array(part(parts, "site.json")));
    names.set("shards", shards.map((name) => new Uint8Array(part(parts, name))));
    session = python.runPython(OPEN_SESSION, { globals: names });
    names.destroy();
    report({ type: "ready" });
    prepare();
  }

  /** Make the first question as quick as later ones, language by language, between questions. */
  function prepare() {
    if (session && session.prepare()) setTimeout(prepare);
  }

  /** @param {Record<string, ArrayBuffer>} parts @param {string} name */
  function part(parts, name) {
    return /** @type {ArrayBuffer} */ (parts[name]);
  }

  /** @param {number} id @param {unknown} error @param {string} data names of the parts read here */
  function reportError(id, error, data) {
    const known = /** @type {{ code?: FailureCode, type?: string }} */ (error);
    const code = known.code || CODES[known.type || ""] || "crashed";
    report({ type: "error", id, code, part: data, detail: String(error).slice(-900) });
  }

  /** @param {MessageEvent<WorkerRequest>} event */
  async function handle(event) {
    const message = event.data;
    try {
      if (message.type === "boot") await boot(message.parts, message.shards);
      else if (session) report({ type: "answer", id: message.id, response: session.ask(message.request) });
    } catch (error) {
      if (message.type === "ask") reportError(message.id, error, "");
      else reportError(0, error, ["site.json", ...message.shards].join(", "));
    }
  }

  self.fetch = serve;
  self.onmessage = handle;
})();
