/**
 * The worker: Pyodide and cairn_core behind three messages, part, boot and ask. Follows Pyodide's loader and runtime in one
 * script, gets every byte by message and answers Pyodide's fetches from them; nothing here reaches the network.
 */
(function () {
  "use strict";

  const INDEX = "https://cairn.invalid/";
  /** Exceptions of cairn_core that say which sentence the reader gets. @type {Record<string, FailureCode>} */
  const CODES = { IndexFormatError: "damaged", MixedBuildsError: "mixed" };
  const OPEN_SESSION = `
from cairn_core.bridge import open_session
open_session(site.to_bytes(), [shard.to_bytes() for shard in shards])
`;
  const GIVE = "lambda session, name, part: session.give(name, part.to_bytes())";
  /** How a response begins that names parts to be sent first. */
  const NEED = '{"format":1,"need":';

  /** Words of a snapshot's header: where it ends; how many bytes of memory are combined with the module's own. */
  const HEADER = { end: 1, combined: 3 };
  const PAGE = 4096;
  /** A zip without files: after a snapshot nothing is imported from the library. */
  const EMPTY_ZIP = new Uint8Array([80, 75, 5, 6, ...new Array(18).fill(0)]);

  /** The smallest module. */
  const EMPTY_MODULE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
  const MODULE = "pyodide.wasm";

  /** @type {Map<string, ArrayBuffer>} */
  const parts = new Map();
  /** Pyodide's module, which is compiled while other parts are still on their way. @type {Promise<WebAssembly.Module>} */
  let compiled;
  /** @type {Map<string, ArrayBuffer>} */
  const served = new Map();
  /** @type {{ ask(request: string): string, prepare(): boolean, forget(): void } | null} */
  let session = null;
  let memory = () => 0;
  /** @type {(opened: object, name: string, part: Uint8Array) => string} */
  let give = () => "";
  /** The newest request. */
  let asked = "";

  /** Pyodide stays unpatched: what it fetches comes from here. @param {RequestInfo | URL} input */
  async function serve(input) {
    const name = String(input).startsWith(INDEX) ? String(input).slice(INDEX.length) : "";
    const bytes = served.get(name);
    served.delete(name);
    if (!bytes) throw new TypeError(`not served: ${input}`);
    return new Response(bytes);
  }

  /** @param {WorkerReport} report */
  function report(report) {
    self.postMessage(report);
  }

  /** @param {string} name @param {ArrayBuffer} bytes */
  function keep(name, bytes) {
    parts.set(name, bytes);
    if (name !== MODULE) return;
    compiled = WebAssembly.compile(bytes);
    compiled.catch(() => {}); // whoever waits for it is told
  }

  /** @param {string[]} shards */
  async function boot(shards) {
    report({ type: "stage", stage: "starting" });
    await WebAssembly.instantiate(EMPTY_MODULE).catch((error) => {
      throw Object.assign(new Error(String(error)), { code: "wasm" });
    });
    const snapshot = parts.get("snapshot.bin");
    try {
      await open(shards, snapshot && unpacked(snapshot));
    } catch (error) {
      if (snapshot && !codeOf(error)) throw Object.assign(new Error(String(error)), { code: "snapshot" });
      throw error;
    }
    report({ type: "ready" });
    prepare();
  }

  /** Make first questions as quick as later ones, language by language, between questions. */
  function prepare() {
    if (session && session.prepare()) setTimeout(prepare);
    else report({ type: "prepared", memory: memory() });
  }

  /** Give Python a part of the index that has arrived. @param {object} opened @param {string} name @param {ArrayBuffer} bytes */
  function add(opened, name, bytes) {
    const fault = give(opened, name, new Uint8Array(bytes));
    if (fault) throw Object.assign(new Error(fault), { code: "damaged", part: name });
  }

  /** @param {string[]} shards @param {Snapshot | undefined} snapshot */
  async function open(shards, snapshot) {
    served.set("pyodide.asm.wasm", EMPTY_MODULE.buffer);
    served.set("stdlib.zip", snapshot ? EMPTY_ZIP.buffer : take("stdlib.zip"));
    giveModule(await compiled, snapshot);
    const python = await loadPyodide({
      indexURL: INDEX,
      packageBaseUrl: INDEX,
      stdLibURL: `${INDEX}stdlib.zip`,
      lockFileContents: new TextDecoder().decode(take("lock.json")),
      ...(snapshot && { _loadSnapshot: snapshot.whole }),
    });
    python.runPython("import cairn_core.bridge");
    report({ type: "stage", stage: "reading" });
    const names = python.toPy({});
    names.set("site", new Uint8Array(take("site.json")));
    names.set("shards", shards.map((name) => new Uint8Array(take(name))));
    session = python.runPython(OPEN_SESSION, { globals: names });
    names.destroy();
    parts.clear();
    give = python.runPython(GIVE);
    memory = () => python._module.HEAPU8.byteLength;
  }

  /**
   * Let Pyodide instantiate the module that is compiled, by whichever of the two functions it uses. A snapshot travels
   * combined by exclusive or with what the module itself puts into memory. That is there for a moment: after the module
   * is instantiated, before anything runs.
   * @param {WebAssembly.Module} module
   * @param {Snapshot | undefined} snapshot
   */
  function giveModule(module, snapshot) {
    const { instantiate, instantiateStreaming } = WebAssembly;
    const name = typeof instantiateStreaming === "function" ? "instantiateStreaming" : "instantiate";
    const give = async (/** @type {unknown} */ _source, /** @type {WebAssembly.Imports} */ imports) => {
      Object.assign(WebAssembly, { instantiate, instantiateStreaming });
      const instance = await WebAssembly.instantiate(module, imports);
      if (snapshot) fill(snapshot, /** @type {{ memory: WebAssembly.Memory }} */ (/** @type {unknown} */ (imports.env)));
      return { module, instance };
    };
    Object.assign(WebAssembly, { [name]: give });
  }

  /**
   * A snapshot as builder/snapshot.cjs writes it, and room for it as Pyodide takes it, in which only its header is yet.
   * @param {ArrayBuffer} bytes
   * @returns {Snapshot}
   */
  function unpacked(bytes) {
    const words = new Uint32Array(bytes, 0, bytes.byteLength >> 2);
    const end = at(words, HEADER.end);
    const count = at(words, end / 4);
    const there = words.subarray(end / 4 + 1, end / 4 + 1 + count);
    const whole = new Uint8Array(end + count * PAGE);
    whole.set(new Uint8Array(bytes, 0, end));
    return { whole, end, combined: at(words, HEADER.combined), there, pages: words.subarray(end / 4 + 1 + count) };
  }

  /** @param {Snapshot} snapshot @param {{ memory: WebAssembly.Memory }} env */
  function fill({ whole, end, combined, there, pages }, { memory }) {
    const words = new Uint32Array(whole.buffer, end);
    words.set(new Uint32Array(memory.buffer, 0, combined / 4));
    let from = 0;
    for (let page = 0; page < there.length; page += 1) {
      if (!there[page]) continue;
      const to = (page * PAGE) / 4;
      const source = pages.subarray(from, (from += PAGE / 4));
      if (to * 4 < combined) combine(words.subarray(to, to + PAGE / 4), source);
      else words.set(source, to);
    }
  }

  /** @param {Uint32Array} target @param {Uint32Array} source */
  function combine(target, source) {
    for (let index = 0; index < source.length; index += 1) target[index] = at(target, index) ^ at(source, index);
  }

  /** @param {Uint32Array} words @param {number} index */
  function at(words, index) {
    return /** @type {number} */ (words[index]);
  }

  /** @param {string} name */
  function take(name) {
    return /** @type {ArrayBuffer} */ (parts.get(name));
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
    asked = request;
    const response = opened.ask(request);
    if (response.startsWith(NEED)) report({ type: "need", id, parts: JSON.parse(response).need });
    else report({ type: "answer", id, response, memory: memory() });
  }

  /** @param {{ forget(): void }} opened */
  function forget(opened) {
    asked = "";
    opened.forget();
  }

  /** @param {MessageEvent<WorkerRequest>} event */
  async function handle(event) {
    const message = event.data;
    try {
      if (message.type === "boot") await boot(message.shards);
      else if (message.type === "part" && !session) keep(message.name, message.bytes);
      else if (!session) return;
      else if (message.type === "part") add(session, message.name, message.bytes);
      else if (message.type === "prepare") prepare();
      else if (message.type === "forget") forget(session);
      else answer(session, message.id, message.type === "again" ? asked : message.request);
    } catch (error) {
      const id = message.type === "ask" || message.type === "again" ? message.id : 0;
      const data = message.type === "boot" ? ["site.json", ...message.shards].join(", ") : "";
      reportError(id, error, /** @type {{ part?: string }} */ (error).part || data);
    }
  }

  self.fetch = serve;
  self.onmessage = handle;
})();
