/**
 * What the engine needs, and where its scripts run: in a worker made of their bytes or, where the browser gives none, in
 * the page. Both are used through the few members of Worker that an engine needs. Adds `hosts`.
 */
(function () {
  "use strict";

  /** Concatenated into the worker's script, in this order. */
  const SCRIPTS = ["loader.js", "runtime.js", "worker.js"];

  /** The module comes first, because it is compiled while the others arrive. */
  const MODULE = "pyodide.wasm";
  const SNAPSHOT = "snapshot.bin";
  const LIBRARY = "stdlib.zip";
  const DATA = ["lock.json", "site.json"];
  const SHARD = /^index\.(.+)\.json$/;

  /** The smallest module: a policy that forbids WebAssembly refuses it, and loading Pyodide would then never end. */
  const EMPTY_MODULE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

  async function probe() {
    try {
      await WebAssembly.instantiate(EMPTY_MODULE);
    } catch (error) {
      throw cairn.bytes.failure("wasm", "", String(error));
    }
  }

  /** Where the browser does not unpack and hash by itself, a snapshot's 21 MB take longer than they save. */
  function quickWithSnapshot() {
    return Boolean(globalThis.crypto && crypto.subtle) && typeof DecompressionStream === "function";
  }

  /** @param {Manifest} manifest @param {boolean} snapshot @param {string | undefined} lang */
  function needs(manifest, snapshot, lang) {
    const shards = Object.keys(manifest.parts).filter((name) => SHARD.test(name)).sort();
    const own = shards.filter((name) => SHARD.exec(name)?.[1] === lang);
    const start = snapshot && manifest.parts[SNAPSHOT] ? SNAPSHOT : LIBRARY;
    const later = shards.filter((name) => !own.includes(name));
    return { snapshot: start === SNAPSHOT, now: [MODULE, start, ...DATA, ...own], later };
  }

  /** @param {Manifest} manifest @param {boolean} withoutWorker @returns {Promise<() => EngineHost>} */
  async function load(manifest, withoutWorker) {
    if (withoutWorker) {
      const scripts = await Promise.all(SCRIPTS.map((name) => cairn.bytes.script(manifest, name)));
      return () => cairn.hosts.inPage(scripts);
    }
    /** @type {Map<string, ArrayBuffer>} */
    const sources = new Map();
    await cairn.bytes.parts(manifest, [...SCRIPTS], () => {}, (name, bytes) => sources.set(name, bytes));
    return () => inWorker(SCRIPTS.map((name) => /** @type {ArrayBuffer} */ (sources.get(name))));
  }

  /** @param {ArrayBuffer[]} sources in the order of SCRIPTS @returns {EngineHost} */
  function inWorker(sources) {
    const blob = new Blob(sources.flatMap((source) => [source, "\n"]), { type: "text/javascript" });
    const url = URL.createObjectURL(blob);
    const worker = new Worker(url); // throws, or fails before its first word, where a policy forbids it
    worker.addEventListener("message", () => URL.revokeObjectURL(url), { once: true });
    return worker;
  }

  /**
   * The page's own thread. What `self` is to the scripts is an object here, and Pyodide's fetches are answered by it
   * until Python has started; nothing can interrupt a question that takes long.
   * @param {((self: object) => void)[]} scripts in the order of SCRIPTS
   * @returns {EngineHost}
   */
  function inPage(scripts) {
    const fetch = globalThis.fetch;
    /** @type {EngineHost} */
    const host = {
      onmessage: null,
      onerror: null,
      postMessage: (message) => setTimeout(() => self.onmessage({ data: message }), 0),
      terminate() {
        self.postMessage = () => {};
        globalThis.fetch = fetch;
      },
    };
    const self = {
      fetch,
      onmessage: (/** @type {{ data: object }} */ _event) => {},
      /** @param {WorkerReport} report */
      postMessage(report) {
        if (report.type === "ready") globalThis.fetch = fetch;
        if (host.onmessage) host.onmessage({ data: report });
      },
    };
    for (const script of scripts) script(self);
    globalThis.fetch = self.fetch;
    return host;
  }

  cairn.hosts = { probe, quickWithSnapshot, needs, load, inPage };
})();
