/**
 * The engine as the page sees it: a worker that gets ready, answers one question at a time and is replaced when it
 * hangs. States: idle, preparing, ready, failed. Nothing here touches the document; states and answers go out through
 * callbacks.
 */
(function () {
  "use strict";

  /** @type {Limits} */
  const LIMITS = { slow: 10_000, watchdog: 60_000, question: 10_000, growth: 1 << 26 };
  const MAX_CODE_POINTS = 2_000;
  /** Where the progress bar stands when a stage begins. */
  const PROGRESS = { unpacking: 0, starting: 0.6, reading: 0.9 };
  /** @typedef {{ request: AskRequest, retried: boolean }} Question */

  /** @implements {Engine} */
  class WorkerEngine {
    /** @param {EngineOptions} options */
    constructor(options) {
      this.options = options;
      this.limits = { ...LIMITS, ...options.limits };
      /** @type {EngineState} */
      this.state = { name: "idle" };
      /** @type {EngineHost | null} */
      this.worker = null;
      /** Whether this browser gives no worker, so that the page's own thread has to do. */
      this.inPage = typeof Worker !== "function";
      /** Bytes of Python's memory when all languages were prepared; growth counts from there. */
      this.memory = Infinity;
      /** The same after the newest answer; 0 before the first. */
      this.used = 0;
      /** Whether to start from the snapshot, if the site has one: not once this browser has failed with it. */
      this.snapshot = cairn.hosts.quickWithSnapshot();
      /** Counts starts, so that what an abandoned one still does is ignored. */
      this.run = 0;
      this.lastId = 0;
      /** Files of languages that the worker has. @type {string[]} */
      this.shards = [];
      /** Those it gets while nobody waits for an answer, and whether one is on its way. @type {string[]} */
      this.later = [];
      this.bringing = false;
      /** @type {Manifest | null} */
      this.manifest = null;
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

    forget() {
      this.waiting = this.asked = null;
      clearTimeout(this.timers.get("question"));
      if (this.state.name === "ready" && this.worker) this.worker.postMessage({ type: "forget" }, []);
    }

    async prepare() {
      const run = ++this.run;
      this.timer("slow", this.limits.slow, () => this.state.name === "preparing" && this.change({ ...this.state, slow: true }));
      this.show("unpacking", 0, false);
      try {
        const [manifest] = await Promise.all([cairn.bytes.manifest(), cairn.hosts.probe()]);
        if (run !== this.run) return;
        this.manifest = manifest;
        const needed = cairn.hosts.needs(manifest, this.snapshot, this.options.lang);
        const started = cairn.hosts.load(manifest, this.inPage).then((start) => run === this.run && this.spawn(start, needed));
        await Promise.all([cairn.bytes.scripts(manifest), started, this.load(needed, started)]);
        if (run === this.run) this.boot();
      } catch (error) {
        if (run === this.run) this.fail(cairn.bytes.asFailure(error));
      }
    }

    /** Give the worker, once started, each part as it arrives. @param {Needed} needed @param {Promise<unknown>} started */
    async load({ now, later }, started) {
      const [run, manifest] = [this.run, /** @type {Manifest} */ (this.manifest)];
      this.shards = now.filter((name) => name.startsWith("index."));
      this.later = later;
      this.bringing = true; // until the first language is prepared
      const show = (/** @type {number} */ share) => run === this.run && this.show("unpacking", share * PROGRESS.starting);
      const give = (/** @type {string} */ name, /** @type {ArrayBuffer} */ bytes) => {
        if (run === this.run) this.worker?.postMessage({ type: "part", name, bytes }, [bytes]);
      };
      await cairn.bytes.parts(manifest, now, show, give, started);
    }

    /** @param {() => EngineHost} start @param {Needed} needed */
    spawn(start, { snapshot }) {
      let heard = false;
      const worker = (this.worker = start());
      worker.onmessage = (event) => {
        heard = true;
        if (worker === this.worker) this.hear(event.data);
      };
      worker.onerror = (event) => {
        if (worker !== this.worker) return;
        if (heard) this.recover(event.message || "the worker could not run");
        else this.startInPage();
      };
      worker.postMessage({ type: "begin", snapshot }, []);
    }

    boot() {
      this.show("starting", PROGRESS.starting);
      this.worker?.postMessage({ type: "boot", shards: this.shards }, []);
    }

    /** @param {WorkerReport} report */
    hear(report) {
      if (report.type === "stage") this.show(report.stage, PROGRESS[report.stage]);
      else if (report.type === "ready") this.becomeReady();
      else if (report.type === "prepared") this.settle(report.memory);
      else if (report.type === "answer") this.deliver(report);
      else if (report.type === "need") this.bring(report);
      else if (report.code === "snapshot") this.startFromLibrary();
      else if (report.code === "crashed") this.recover(report.detail);
      else this.fail({ code: report.code, part: report.part, detail: report.detail });
    }

    becomeReady() {
      this.memory = Infinity;
      this.used = 0;
      this.stopTimers();
      this.change({ name: "ready" });
      this.sendNext();
    }

    sendNext() {
      if (this.asked || !this.waiting || !this.worker) return;
      this.asked = this.waiting;
      this.waiting = null;
      this.timer("question", this.limits.question, () => this.recover("the question took too long"));
      this.worker.postMessage({ type: "ask", id: ++this.lastId, request: JSON.stringify(this.asked.request) }, []);
    }

    /** @param {{ id: number, response: string, memory: number }} report */
    deliver(report) {
      if (!this.asked || report.id !== this.lastId) return;
      this.stopTimers();
      this.asked = null;
      if (this.waiting) return this.sendNext();
      const response = JSON.parse(report.response);
      if (response.error) return this.fail(this.refused(response.error));
      try {
        this.options.onAnswer(response, report.response);
      } catch (error) {
        return this.fail(cairn.bytes.asFailure(error));
      }
      this.used = report.memory;
      this.recycle();
      this.bringNext();
    }

    /** Load what a question needs. @param {{ id: number, parts: string[] }} needed */
    bring({ id, parts }) {
      this.timer("question", this.limits.watchdog, () => this.recover("what a question needs took too long"));
      this.add(parts, { type: "again", id });
    }

    /**
     * While nobody waits for an answer, load the languages that no question has needed yet, one at a time; when all are
     * there, have the rest prepared.
     */
    bringNext() {
      if (this.bringing || this.asked || this.waiting || this.memory < Infinity) return;
      this.bringing = true;
      this.add(this.later.slice(0, 1), { type: "prepare" });
    }

    /** Give the worker parts of the index, and then tell it what for. @param {string[]} names @param {WorkerRequest} then */
    async add(names, then) {
      const { worker, manifest } = this;
      if (!worker || !manifest) return;
      try {
        await cairn.bytes.parts(manifest, names, () => {}, (name, bytes) => {
          worker.postMessage({ type: "part", name, bytes }, [bytes]);
        });
        if (worker !== this.worker) return;
        this.shards.push(...this.later.filter((name) => names.includes(name)));
        this.later = this.later.filter((name) => !names.includes(name));
        worker.postMessage(then, []);
      } catch (error) {
        const failure = cairn.bytes.asFailure(error);
        const canWait = then.type === "prepare" && failure.code === "unreachable"; // a question that needs it will tell
        if (worker === this.worker && !canWait) this.fail(failure);
      }
    }

    /** @param {number} memory */
    settle(memory) {
      this.bringing = false;
      if (this.later.length) return this.bringNext();
      this.memory = memory;
      return this.used ? this.recycle() : undefined;
    }

    /** What questions made Python's memory grow by is only given back by a new engine. */
    recycle() {
      if (!this.asked && this.used - this.memory > this.limits.growth) this.startAgain();
    }

    startFromLibrary() {
      this.snapshot = false;
      this.startAgain();
    }

    /** A policy or a setting lets no worker run: it failed before its first word. */
    startInPage() {
      this.inPage = true;
      this.startAgain();
    }

    /** Replace the worker; what waits goes on waiting. */
    startAgain() {
      const waiting = this.waiting;
      this.stop();
      this.waiting = waiting;
      this.prepare();
    }

    /** Replace the worker, and ask the newest question once more. @param {string} detail */
    recover(detail) {
      const newest = this.asked && this.waiting ? this.waiting : again(this.asked || this.waiting);
      if (!newest) return this.fail({ code: "crashed", part: "", detail });
      this.waiting = newest;
      return this.startFromLibrary();
    }

    /** @param {BridgeError} error @returns {Failure} */
    refused(error) {
      if (error.code !== "damaged") return { code: "crashed", part: "", detail: error.detail };
      return { code: "damaged", part: this.shards.join(", "), detail: error.detail };
    }

    /** @param {Failure} failure */
    fail(failure) {
      this.stop();
      this.snapshot = false;
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

  /** A question is tried twice at most. @param {Question | null} question @returns {Question | null} */
  function again(question) {
    return question && !question.retried ? { ...question, retried: true } : null;
  }

  /** @param {string} question */
  function cut(question) {
    if (question.length <= MAX_CODE_POINTS) return question;
    return Array.from(question.slice(0, 2 * MAX_CODE_POINTS + 2)).slice(0, MAX_CODE_POINTS + 1).join("");
  }

  cairn.createEngine = (options) => new WorkerEngine(options);
})();
