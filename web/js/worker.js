/**
 * The worker: Pyodide and cairn_core behind messages: begin, part, boot and ask. Follows Pyodide's loader and runtime in one
 * script, gets every byte by message and answers Pyodide's fetches from them; nothing here reaches the network. Each step
 * of the start waits for the parts it needs and for no others.
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

  /** A zip without files: after a snapshot nothing is imported from the library. */
  const EMPTY_ZIP = new Uint8Array([80, 75, 5, 6, ...new Array(18).fill(0)]);
  /** The smallest module. */
  const EMPTY_MODULE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

  /** Words of a snapshot's header: where it ends; how many bytes of memory are combined with the module's own. */
  const HEADER = { end: 1, combined: 3 };
  const PAGE = 4096;
  /** Bytes of memory that Pyodide starts with, and a snapshot holds. */
  const MEMORY = 320 << 16;
  /** More than the bytes at the start of memory that the module itself puts there. */
  const OWN = 4 << 20;

  /** @type {Map<string, ArrayBuffer>} */
  const parts = new Map();
  /** What to do with parts that have not arrived. @type {Map<string, (bytes: ArrayBuffer) => void>} */
  const awaited = new Map();
  /** What Pyodide fetches. @type {Record<string, Promise<BodyInit>>} */
  let served = {};
  /** @type {Promise<Python>} */
  let starting;
  /** @type {{ ask(request: string): string, prepare(): boolean, forget(): void } | null} */
  let session = null;
  let memory = () => 0;
  /** @type {(opened: object, name: string, part: Uint8Array) => string} */
  let give = () => "";
  /** The newest request. */
  let asked = "";

  /** Pyodide stays unpatched: what it fetches comes from here. @param {RequestInfo | URL} input */
  async function serve(input) {
    const bytes = served[String(input).startsWith(INDEX) ? String(input).slice(INDEX.length) : ""];
    if (!bytes) throw new TypeError(`not served: ${input}`);
    return new Response(await bytes);
  }

  /** @param {WorkerReport} report */
  function report(report) {
    self.postMessage(report);
  }

  /** @param {string} name @param {ArrayBuffer} bytes */
  function keep(name, bytes) {
    parts.set(name, bytes);
    awaited.get(name)?.(bytes);
  }

  /** A part, once it has arrived. @param {string} name @returns {Promise<ArrayBuffer>} */
  function arrival(name) {
    return new Promise((resolve) => {
      const bytes = parts.get(name);
      if (bytes) resolve(bytes);
      else awaited.set(name, resolve);
    });
  }

  /** @param {boolean} fromSnapshot */
  function begin(fromSnapshot) {
    starting = start(fromSnapshot ? new Snapshot() : null);
    starting.catch(() => {}); // boot tells
  }

  /** @param {Snapshot | null} snapshot */
  async function start(snapshot) {
    await WebAssembly.instantiate(EMPTY_MODULE).catch((error) => {
      throw Object.assign(new Error(String(error)), { code: "wasm" });
    });
    try {
      return await load(snapshot);
    } catch (error) {
      throw snapshot ? Object.assign(new Error(String(error)), { code: "snapshot" }) : error;
    }
  }

  /** @param {Snapshot | null} snapshot */
  async function load(snapshot) {
    served = {
      "pyodide.asm.wasm": Promise.resolve(EMPTY_MODULE),
      "stdlib.zip": snapshot ? arrival("snapshot.bin").then((bytes) => snapshot.take(bytes)) : arrival("stdlib.zip"),
    };
    giveModule(arrival("pyodide.wasm").then((bytes) => WebAssembly.compile(bytes)), snapshot);
    const python = await loadPyodide({
      indexURL: INDEX,
      packageBaseUrl: INDEX,
      stdLibURL: `${INDEX}stdlib.zip`,
      lockFileContents: arrival("lock.json").then((bytes) => new TextDecoder().decode(bytes)),
      ...(snapshot && { _loadSnapshot: snapshot.head }),
    });
    python.runPython("import cairn_core.bridge");
    return python;
  }

  /** All parts have arrived. @param {string[]} shards */
  async function boot(shards) {
    report({ type: "stage", stage: "starting" });
    const python = await starting;
    report({ type: "stage", stage: "reading" });
    const names = python.toPy({});
    names.set("site", new Uint8Array(take("site.json")));
    names.set("shards", shards.map((name) => new Uint8Array(take(name))));
    session = python.runPython(OPEN_SESSION, { globals: names });
    names.destroy();
    parts.clear();
    give = python.runPython(GIVE);
    memory = () => python._module.HEAPU8.byteLength;
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

  /**
   * Let Pyodide instantiate the module that is compiled, by whichever of the two functions it uses.
   * @param {Promise<WebAssembly.Module>} compiled
   * @param {Snapshot | null} snapshot
   */
  function giveModule(compiled, snapshot) {
    const { instantiate, instantiateStreaming } = WebAssembly;
    const name = typeof instantiateStreaming === "function" ? "instantiateStreaming" : "instantiate";
    const give = async (/** @type {unknown} */ _source, /** @type {WebAssembly.Imports} */ imports) => {
      Object.assign(WebAssembly, { instantiate, instantiateStreaming });
      const module = await compiled;
      const instance = await WebAssembly.instantiate(module, imports);
      snapshot?.watch(/** @type {{ memory: WebAssembly.Memory }} */ (/** @type {unknown} */ (imports.env)).memory);
      return { module, instance };
    };
    compiled.catch(() => {}); // whoever waits for it is told
    Object.assign(WebAssembly, { [name]: give });
  }

  /**
   * Memory to start from, as builder/snapshot.cjs writes it: combined by exclusive or with what the module itself puts
   * there, and without pages of zeros.
   */
  class Snapshot {
    constructor() {
      /**
       * What Pyodide takes for the whole: it asks for its length before anything has arrived, and for all from the end of
       * the header on when it wants that in memory, where it then is.
       */
      this.head = new Uint8Array(PAGE);
      Object.defineProperties(this.head, {
        length: { value: MEMORY },
        subarray: {
          value: (/** @type {number} */ from, /** @type {number | undefined} */ to) => {
            if (to === undefined) this.restore();
            return new Uint8Array(this.head.buffer, from, (to === undefined ? PAGE : to) - from);
          },
        },
      });
      this.words = new Uint32Array(0);
      this.memory = new Uint8Array(0);
      this.own = this.memory;
    }

    /** What the module puts into memory is alone there for a moment. @param {WebAssembly.Memory} memory */
    watch({ buffer }) {
      this.memory = new Uint8Array(buffer);
      this.own = this.memory.slice(0, OWN);
    }

    /** Take what has arrived; return the library that Pyodide gets meanwhile. @param {ArrayBuffer} bytes */
    take(bytes) {
      this.words = new Uint32Array(bytes);
      const { end, count, first } = this.map();
      const pages = this.words.subarray(first - count, first).reduce((sum, one) => sum + one, 0);
      const fits = end <= PAGE && count * PAGE === MEMORY && 4 * first + pages * PAGE === bytes.byteLength;
      if (!fits || at(this.words, HEADER.combined) > OWN) throw new Error("not a snapshot of this memory");
      new Uint8Array(this.head.buffer).set(new Uint8Array(bytes, 0, end));
      new Uint32Array(this.head.buffer)[HEADER.end] = PAGE;
      return EMPTY_ZIP;
    }

    /** The byte where the header ends, how many pages of memory there are, and the word where those that are there begin. */
    map() {
      const end = at(this.words, HEADER.end);
      const count = at(this.words, end / 4);
      return { end, count, first: end / 4 + 1 + count };
    }

    restore() {
      const { count, first } = this.map();
      this.memory.set(this.own);
      let from = first;
      for (let page = 0; page < count; page += 1) {
        const target = new Uint32Array(this.memory.buffer, page * PAGE, PAGE / 4);
        const isOwn = page * PAGE < OWN;
        if (at(this.words, first - count + page)) {
          const source = this.words.subarray(from, (from += PAGE / 4));
          if (isOwn) combine(target, source);
          else target.set(source);
        } else if (!isOwn) target.fill(0);
      }
      this.words = new Uint32Array(0);
      this.memory = this.own = new Uint8Array(0);
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
      if (message.type === "begin") begin(message.snapshot);
      else if (message.type === "boot") await boot(message.shards);
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
