/**
 * The ask page: connects form, engine and view.
 *
 * The question can be typed from first paint and waits while the engine gets ready. It lives in the field and in
 * memory, nowhere else. The focus is never moved; each outcome is one sentence in the status region or, when it is a
 * failure, in the alert region.
 */
(function () {
  "use strict";

  const MAX_GRAPHEMES = 500;
  /** From so many left on, the reader sees how many. */
  const NEARLY_FULL = 100;
  const IDLE_WAIT = 2_000;
  /** So long a reader waits for an answer in silence. */
  const PATIENCE = 5_000;
  /** What some input methods report instead of `isComposing`. */
  const COMPOSING_KEY = 229;

  const page = /** @type {PageData} */ (JSON.parse(get("cairn-page").textContent || "{}"));
  const form = /** @type {HTMLFormElement} */ (get("ask-form"));
  const field = /** @type {HTMLTextAreaElement} */ (get("question"));
  const engine = cairn.createEngine({ lang: page.lang, limits: page.limits, onState: showState, onAnswer: showAnswer });
  /** Whether the question that was asked last was longer than what is read. */
  let shortened = false;
  /** The question that was asked last, as far as it is read. */
  let asked = "";
  /** Whether it waits for its answer. */
  let waiting = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let patience;
  /** The state of the engine before the newest one. */
  let before = engine.state.name;
  /** Whether the engine is getting ready once more, in the middle of a question. */
  let restarted = false;

  /** @param {string} id */
  function get(id) {
    return /** @type {HTMLElement} */ (document.getElementById(id));
  }

  /** @param {string} sentence @param {{ lang: string, dir: string }} [said] */
  function announce(sentence, said) {
    const status = get("status");
    status.lang = said ? said.lang : page.lang;
    status.dir = said ? said.dir : document.documentElement.dir;
    status.textContent = sentence;
  }

  /** @param {Event} event */
  function submit(event) {
    event.preventDefault();
    return ask(field.value.trim(), false);
  }

  /** @param {string} question @param {boolean} literal */
  function ask(question, literal) {
    get("alert").replaceChildren();
    if (!question) return announce(cairn.view.message(page, "error.empty"));
    const kept = graphemes(question).slice(0, MAX_GRAPHEMES).join("");
    shortened = kept.length < question.length;
    asked = kept;
    tellOutcome(null);
    get("answer").hidden = true;
    waiting = true;
    announce(engine.state.name === "ready" ? "" : cairn.view.message(page, "ask.queued"));
    clearTimeout(patience);
    patience = setTimeout(() => waiting && tellWait(), PATIENCE);
    return engine.ask({ question: kept, lang: null, interface: page.lang, literal });
  }

  /** An answer comes at once, as a rule, and is then the only thing announced. */
  function tellWait() {
    if (engine.state.name === "ready") announce(cairn.view.message(page, "ask.answering"));
  }

  /** Enter sends, unless it confirms a word of an input method. @param {KeyboardEvent} event */
  function onKey(event) {
    const composing = event.isComposing || event.keyCode === COMPOSING_KEY;
    if (event.key === "Enter" && !event.shiftKey && !composing) submit(event);
  }

  function showRoom() {
    const left = MAX_GRAPHEMES - graphemes(field.value).length;
    const text =
      left < 0
        ? cairn.view.count(page, "error.too_long", MAX_GRAPHEMES)
        : left <= NEARLY_FULL
          ? cairn.view.count(page, "ask.left", left)
          : "";
    get("question-count").textContent = text;
  }

  /** @param {string} text @returns {string[]} */
  function graphemes(text) {
    if (!("Segmenter" in Intl)) return Array.from(text);
    const segments = new Intl.Segmenter(page.lang, { granularity: "grapheme" }).segment(text);
    return Array.from(segments, (each) => each.segment);
  }

  /** @param {EngineState} state */
  function showState(state) {
    document.documentElement.dataset.engine = state.name;
    if (state.name !== "preparing") restarted = false;
    else if (before === "ready" && waiting) {
      restarted = true;
      announce(cairn.view.message(page, "error.restarted"));
    }
    before = state.name;
    get("engine-state").hidden = state.name !== "preparing";
    if (state.name === "preparing") {
      const usual = restarted ? "error.restarted" : `boot.${state.stage}`;
      get("engine-text").textContent = cairn.view.message(page, state.slow ? "boot.slow" : usual);
      /** @type {HTMLProgressElement} */ (get("engine-progress")).value = state.progress;
    }
    if (state.name === "failed") showFailure(state.failure);
  }

  /** @param {Failure} failure */
  function showFailure(failure) {
    waiting = false;
    announce("");
    const alert = get("alert");
    alert.dataset.code = failure.code;
    alert.dataset.part = failure.part;
    alert.replaceChildren(cairn.view.failure(failure, page));
    console.warn(failure.code, failure.part, failure.detail);
  }

  /** @param {AskResponse} response */
  function showAnswer(response) {
    waiting = false;
    const heading = get("answer-heading");
    heading.textContent = response.heading;
    heading.lang = response.lang;
    heading.dir = response.dir;
    get("answer-body").replaceChildren(cairn.view.answer(response, page));
    if (shortened || response.cut) {
      get("answer-body").prepend(cairn.view.note(cairn.view.count(page, "ask.cut", MAX_GRAPHEMES)));
    }
    get("answer").hidden = false;
    tellOutcome(response.answer.kind === "refusal" ? { words: asked, lang: response.detection.lang } : null);
    compose(false);
    get("answer").scrollIntoView({ block: "nearest" });
    announce(response.status, response);
  }

  /** @param {Event} event */
  function onExample(event) {
    const example = /** @type {HTMLElement} */ (event.target).closest("button.example");
    if (!example) return;
    field.value = example.textContent || "";
    showRoom();
    submit(event);
  }

  /** The button goes away with its answer, so the focus goes back to the question. @param {Event} event */
  function onLiteral(event) {
    if (!(/** @type {HTMLElement} */ (event.target).closest("button.literal"))) return;
    field.focus();
    ask(asked, true);
  }

  /** The button goes away with the failure, so the focus goes back to the question. @param {Event} event */
  function onRetry(event) {
    if (!(/** @type {HTMLElement} */ (event.target).closest("button"))) return;
    field.focus();
    if (field.value.trim()) return submit(event);
    get("alert").replaceChildren();
    return engine.start();
  }

  /** Nothing of a person stays: the field, the answer, the engine's memory. The engine itself goes on. */
  function forget() {
    form.reset();
    field.value = asked = "";
    shortened = waiting = false;
    engine.forget();
    tellOutcome(null);
    cairn.panel.shut();
    for (const id of ["answer-heading", "answer-body", "status", "alert", "question-count"]) get(id).replaceChildren();
    for (const name of ["code", "part"]) delete get("alert").dataset[name];
    get("answer").hidden = true;
  }

  /** For a kiosk that notes refused questions; any other has nobody who listens. @param {Refused | null} refused */
  function tellOutcome(refused) {
    if (page.kiosk) document.dispatchEvent(new CustomEvent("cairn-outcome", { detail: refused }));
  }

  /** The first screen, until somebody starts. */
  function attract() {
    document.documentElement.dataset.screen = "attract";
    get("attract").hidden = false;
    get("asking").hidden = true;
  }

  function begin() {
    document.documentElement.dataset.screen = "asking";
    get("attract").hidden = true;
    get("asking").hidden = false;
    field.focus();
    compose(true);
  }

  /** The keyboard makes room for the answer and comes back on request. @param {boolean} open */
  function compose(open) {
    if (!page.kiosk) return;
    get("keyboard").hidden = !open || !page.kiosk.keyboard;
    get("change-question").hidden = open;
    if (open) form.scrollIntoView({ block: "nearest" });
  }

  function onChange() {
    field.focus();
    compose(true);
  }

  /** @param {Event} event */
  function onWipe(event) {
    event.preventDefault();
    forget();
    attract();
    get("attract-start").focus();
  }

  /** @param {{ keyboard: Keyboard | null }} kiosk */
  function serveKiosk(kiosk) {
    if (kiosk.keyboard) cairn.keyboard.attach(get("keyboard"), field, kiosk.keyboard);
    for (const link of document.querySelectorAll(".languages a")) {
      /** @type {HTMLAnchorElement} */ (link).hash = "ask-form";
    }
    cairn.panel.take(document.body);
    document.addEventListener("cairn-wipe", onWipe);
    get("attract-start").addEventListener("click", begin);
    get("change-question").addEventListener("click", onChange);
    field.addEventListener("click", () => compose(true));
    window.addEventListener("pagehide", () => {
      forget();
      attract();
    });
    if (location.hash === "#ask-form") begin();
    else attract();
  }

  function startWhenIdle() {
    if ("requestIdleCallback" in window) requestIdleCallback(() => engine.start(), { timeout: IDLE_WAIT });
    else setTimeout(() => engine.start(), 0);
  }

  if (!page.kiosk) cairn.panel.take(get("answer-body"));
  form.addEventListener("submit", submit);
  field.addEventListener("keydown", onKey);
  field.addEventListener("input", showRoom);
  field.addEventListener("focus", () => engine.start(), { once: true });
  document.getElementById("examples")?.addEventListener("click", onExample);
  get("alert").addEventListener("click", onRetry);
  get("answer-body").addEventListener("click", onLiteral);
  form.hidden = false;
  get("not-started").remove();
  if (page.kiosk) serveKiosk(page.kiosk);
  if (document.readyState === "complete") startWhenIdle();
  else window.addEventListener("load", startWhenIdle);
})();
