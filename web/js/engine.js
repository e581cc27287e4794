/**
 * The engine as the page sees it: a worker that gets ready, answers one question at a time and is replaced when it
 * hangs. States: idle, preparing, ready, failed. Nothing here touches the document; states and answers go out through
 * callbacks.
 */
(function () {
  "use strict";

  /** @type {Limits} */
  const LIMITS = { slow: 10_000, watchdog: 60_000, question: 10_000 };
  const MAX_CODE_POINTS = 2_000;
  /** Concatenated into the worker's script, in this order. */
  const SCRIPTS = ["loader.js", "runtime.js", "worker.js"];
  const DATA = ["pyodide.wasm", "stdlib.zip", "lock.json", "site.json"];
  const SHARD = /^index\..+\.json$/;
  /** Where the progress bar stands when a stage begins. */
  const PROGRESS = { unpacking: 0, starting: 0.6, reading: 0.9 };
  /** The smallest module: a policy that forbids WebAssembly refuses it, and loading Pyodide would then never end. */
  const EMPTY_MODULE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

  /** @typedef {{ request: AskRequest, retried: boolean }} Question */

  /** @implements {Engine} */
  class WorkerEngine {
    /** @param {EngineOptions} options */
    constructor(options) {
      this.options = options;
      this.limits = { ...LIMITS, ...options.limits };
      /** @type {EngineState} */
      this.state = { name: "idle" };
      /** @type {Worker | null} */
      this.worker = null;
      /** Counts starts, so that what an abandoned one still does is ignored. */
      this.run = 0;
      this.lastId = 0;
      /** @type {string[]} */
      this.shards = [];
      /** @type {Question | null} */
      this.waiting = null;
      /** @type {Question | null} */
      this.asked = null;
      /** @type {Map<string, ReturnType<typeof setTimeout>>} */
      this.timers = new Map();
    }

    start() {
      if (this.state.name === "idle" || this.state.name === "failed") this.prepare();
    }

    /** @param {AskRequest} request */
    ask(request) {
      this.waiting = { request: { ...request, question: cut(request.question) }, retried: false };
      if (this.state.name === "ready") this.sendNext();
      else this.start();
    }

    async prepare() {
      const run = ++this.run;
      this.timer("slow", this.limits.slow, () => this.tellSlow());
      this.show("unpacking", 0, false);
      try {
        await probe();
        const manifest = await cairn.bytes.manifest();
        const loaded = await load(manifest, (share) => {
          if (run === this.run) this.show("unpacking", share * PROGRESS.starting);
        });
        if (run === this.run) this.spawn(loaded);
      } catch (error) {
        if (run === this.run) this.fail(asFailure(error));
      }
    }

    /** @param {Record<string, ArrayBuffer>} loaded */
    spawn(loaded) {
      const source = new Blob(SCRIPTS.flatMap((name) => [taken(loaded, name), "\n"]), { type: "text/javascript" });
      const url = URL.createObjectURL(source);
      const worker = new Worker(url);
      this.worker = worker;
      worker.addEventListener("message", () => URL.revokeObjectURL(url), { once: true });
      worker.onmessage = (event) => {
        if (worker === this.worker) this.hear(event.data);
      };
      worker.onerror = (event) => {
        if (worker === this.worker) this.recover(event.message || "the worker could not run");
      };
      this.show("starting", PROGRESS.starting);
      this.shards = Object.keys(loaded).filter((name) => SHARD.test(name)).sort();
      worker.postMessage({ type: "boot", parts: loaded, shards: this.shards }, Object.values(loaded));
    }

    /** @param {WorkerReport} report */
    hear(report) {
      if (report.type === "stage") this.show(report.stage, PROGRESS[report.stage]);
      else if (report.type === "ready") this.becomeReady();
      else if (report.type === "answer") this.deliver(report);
      else if (report.code === "crashed") this.recover(report.detail);
      else this.fail({ code: report.code, part: report.part, detail: report.detail });
    }

    becomeReady() {
      this.stopTimers();
      this.change({ name: "ready" });
      this.sendNext();
    }

    sendNext() {
      if (this.asked || !this.waiting || !this.worker) return;
      this.asked = this.waiting;
      this.waiting = null;
      this.timer("question", this.limits.question, () => this.recover("the question took too long"));
      this.worker.postMessage({ type: "ask", id: ++this.lastId, request: JSON.stringify(this.asked.request) });
    }

    /** @param {{ id: number, response: string }} report */
    deliver(report) {
      if (!this.asked || report.id !== this.lastId) return;
      this.stopTimers();
      this.asked = null;
      if (this.waiting) return this.sendNext();
      const response = JSON.parse(report.response);
      if (response.error) return this.fail(this.refused(response.error));
      try {
        return this.options.onAnswer(response, report.response);
      } catch (error) {
        return this.fail(asFailure(error));
      }
    }

    /** Replace the worker, and ask the newest question once more. @param {string} detail */
    recover(detail) {
      const newest = this.asked && this.waiting ? this.waiting : again(this.asked || this.waiting);
      if (!newest) return this.fail({ code: "crashed", part: "", detail });
      this.stop();
      this.waiting = newest;
      return this.prepare();
    }

    /** @param {BridgeError} error @returns {Failure} */
    refused(error) {
      if (error.code !== "damaged") return { code: "crashed", part: "", detail: error.detail };
      return { code: "damaged", part: this.shards.join(", "), detail: error.detail };
    }

    /** @param {Failure} failure */
    fail(failure) {
      this.stop();
      this.change({ name: "failed", failure });
    }

    stop() {
      this.run++;
      this.stopTimers();
      if (this.worker) this.worker.terminate();
      this.worker = this.asked = this.waiting = null;
    }

    /** @param {Stage} stage @param {number} progress @param {boolean} [slow] */
    show(stage, progress, slow) {
      const known = this.state.name === "preparing" && this.state.slow;
      this.timer("watchdog", this.limits.watchdog, () =>
        this.fail({ code: "timeout", part: "", detail: `no progress after "${stage}"` })
      );
      this.change({ name: "preparing", stage, progress, slow: slow === undefined ? known : slow });
    }

    tellSlow() {
      if (this.state.name === "preparing") this.change({ ...this.state, slow: true });
    }

    /** @param {EngineState} state */
    change(state) {
      this.state = state;
      this.options.onState(state);
    }

    /** @param {string} name @param {number} delay @param {() => void} act */
    timer(name, delay, act) {
      clearTimeout(this.timers.get(name));
      this.timers.set(name, setTimeout(act, delay));
    }

    stopTimers() {
      for (const timer of this.timers.values()) clearTimeout(timer);
      this.timers.clear();
    }
  }

  async function probe() {
    if (typeof Worker !== "function" || typeof DecompressionStream !== "function") {
      throw cairn.bytes.failure("browser", "", "no Worker or no DecompressionStream");
    }
    try {
      await WebAssembly.instantiate(EMPTY_MODULE);
    } catch (error) {
      throw cairn.bytes.failure("wasm", "", String(error));
    }
  }

  /**
   * @param {Manifest} manifest
   * @param {(share: number) => void} onShare
   * @returns {Promise<Record<string, ArrayBuffer>>}
   */
  async function load(manifest, onShare) {
    const names = [...SCRIPTS, ...DATA, ...Object.keys(manifest.parts).filter((name) => SHARD.test(name))];
    const total = names.reduce((sum, name) => sum + (manifest.parts[name]?.gz || 0), 0);
    /** @type {Map<string, number>} */
    const arrived = new Map();
    const loading = names.map(async (name) => {
      const bytes = await cairn.bytes.part(manifest, name, (count) => {
        arrived.set(name, count);
        onShare(Math.min(1, [...arrived.values()].reduce((sum, each) => sum + each, 0) / total));
      });
      return /** @type {[string, ArrayBuffer]} */ ([name, bytes]);
    });
    return Object.fromEntries(await Promise.all(loading));
  }

  /** A question is tried twice at most. @param {Question | null} question @returns {Question | null} */
  function again(question) {
    return question && !question.retried ? { ...question, retried: true } : null;
  }

  /** @param {Record<string, ArrayBuffer>} loaded @param {string} name */
  function taken(loaded, name) {
    const bytes = /** @type {ArrayBuffer} */ (loaded[name]);
    delete loaded[name];
    return bytes;
  }

  /** @param {string} question */
  function cut(question) {
    if (question.length <= MAX_CODE_POINTS) return question;
    return Array.from(question.slice(0, 2 * MAX_CODE_POINTS + 2)).slice(0, MAX_CODE_POINTS + 1).join("");
  }

  /** @param {unknown} error @returns {Failure} */
  function asFailure(error) {
    const known = /** @type {{ failure?: Failure } | null} */ (error);
    return (known && known.failure) || { code: "crashed", part: "", detail: String(error) };
  }

  cairn.createEngine = (options) => new WorkerEngine(options);
})();
