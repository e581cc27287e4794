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

  /** Words of a snapshot's header: where the memory starts; how many bytes are combined with the module's own. */
  const HEADER = { start: 1, combined: 3 };
  /** A zip without files: after a snapshot nothing is imported from the library. */
  const EMPTY_ZIP = new Uint8Array([80, 75, 5, 6, ...new Array(18).fill(0)]);

  /** @type {Map<string, ArrayBuffer>} */
  const served = new Map();
  /** @type {{ ask(request: string): string, prepare(): boolean } | null} */
  let session = null;
  let memory = () => 0;

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
    report({ type: "stage", stage: "starting" });
    await WebAssembly.instantiate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).catch((error) => {
      throw Object.assign(new Error(String(error)), { code: "wasm" });
    });
    const snapshot = parts["snapshot.bin"];
    try {
      await open(parts, shards, snapshot && new Uint8Array(snapshot));
    } catch (error) {
      if (snapshot && !codeOf(error)) throw Object.assign(new Error(String(error)), { code: "snapshot" });
      throw error;
    }
    report({ type: "ready", memory: memory() });
    prepare();
  }

  /** Make the first question as quick as later ones, language by language, between questions. */
  function prepare() {
    if (session && session.prepare()) setTimeout(prepare);
  }

  /** @param {Record<string, ArrayBuffer>} parts @param {string[]} shards @param {Uint8Array<ArrayBuffer> | undefined} snapshot */
  async function open(parts, shards, snapshot) {
    served.set("pyodide.asm.wasm", part(parts, "pyodide.wasm"));
    served.set("stdlib.zip", snapshot ? EMPTY_ZIP.buffer : part(parts, "stdlib.zip"));
    if (snapshot) separateFromModule(snapshot);
    const python = await loadPyodide({
      indexURL: INDEX,
      packageBaseUrl: INDEX,
      stdLibURL: `${INDEX}stdlib.zip`,
      lockFileContents: new TextDecoder().decode(part(parts, "lock.json")),
      ...(snapshot && { _loadSnapshot: snapshot }),
    });
    python.runPython("import cairn_core.bridge");
    report({ type: "stage", stage: "reading" });
    const names = python.toPy({});
    names.set("site", new Uint8Array(part(parts, "site.json")));
    names.set("shards", shards.map((name) => new Uint8Array(part(parts, name))));
    session = python.runPython(OPEN_SESSION, { globals: names });
    names.destroy();
    memory = () => python._module.HEAPU8.byteLength;
  }

  /**
   * A snapshot travels combined by exclusive or with what the WebAssembly module itself puts into memory. That is there
   * for a moment: after the module is instantiated, before anything runs.
   * @param {Uint8Array<ArrayBuffer>} snapshot
   */
  function separateFromModule(snapshot) {
    const instantiate = WebAssembly.instantiateStreaming;
    WebAssembly.instantiateStreaming = async (source, imports) => {
      WebAssembly.instantiateStreaming = instantiate;
      const made = await instantiate.call(WebAssembly, source, imports);
      const { memory } = /** @type {{ memory: WebAssembly.Memory }} */ (/** @type {unknown} */ (imports?.env));
      const [start, combined] = [word(snapshot, HEADER.start), word(snapshot, HEADER.combined)];
      const own = new Uint32Array(memory.buffer, 0, combined / 4);
      const whole = new Uint32Array(snapshot.buffer, start, combined / 4);
      for (let index = 0; index < own.length; index += 1) whole[index] = at(whole, index) ^ at(own, index);
      return made;
    };
  }

  /** @param {Uint8Array<ArrayBuffer>} bytes @param {number} index */
  function word(bytes, index) {
    return at(new Uint32Array(bytes.buffer, 0, index + 1), index);
  }

  /** @param {Uint32Array} words @param {number} index */
  function at(words, index) {
    return /** @type {number} */ (words[index]);
  }

  /** @param {Record<string, ArrayBuffer>} parts @param {string} name */
  function part(parts, name) {
    return /** @type {ArrayBuffer} */ (parts[name]);
  }

  /** @param {number} id @param {unknown} error @param {string} data names of the parts read here */
  function reportError(id, error, data) {
    report({ type: "error", id, code: codeOf(error) || "crashed", part: data, detail: String(error).slice(-900) });
  }

  /** @param {unknown} error @returns {FailureCode | "snapshot" | undefined} */
  function codeOf(error) {
    const known = /** @type {{ code?: FailureCode | "snapshot", type?: string }} */ (error);
    return known.code || CODES[known.type || ""];
  }

  /** @param {{ ask(request: string): string }} opened @param {number} id @param {string} request */
  function answer(opened, id, request) {
    const response = opened.ask(request);
    report({ type: "answer", id, response, memory: memory() });
  }

  /** @param {MessageEvent<WorkerRequest>} event */
  async function handle(event) {
    const message = event.data;
    try {
      if (message.type === "boot") await boot(message.parts, message.shards);
      else if (session) answer(session, message.id, message.request);
    } catch (error) {
      if (message.type === "ask") reportError(message.id, error, "");
      else reportError(0, error, ["site.json", ...message.shards].join(", "));
    }
  }

  self.fetch = serve;
  self.onmessage = handle;
})();
