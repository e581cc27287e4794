/**
 * The ask page: connects form, engine and view. The only script that acts when it loads.
 *
 * The question can be typed from first paint and waits while the engine gets ready. It lives in the field and in memory, nowhere else.
 */
(function () {
  "use strict";

  const MAX_GRAPHEMES = 500;
  /** From here on the reader sees how many characters are left. */
  const NEARLY_FULL = 400;
  const IDLE_WAIT = 2_000;

  const page = /** @type {PageData} */ (JSON.parse(get("cairn-page").textContent || "{}"));
  const form = /** @type {HTMLFormElement} */ (get("ask-form"));
  const field = /** @type {HTMLTextAreaElement} */ (get("question"));
  const engine = cairn.createEngine({ limits: page.limits, onState: showState, onAnswer: showAnswer });

  /** @param {string} id */
  function get(id) {
    return /** @type {HTMLElement} */ (document.getElementById(id));
  }

  /** @param {string} key @param {Record<string, string | number>} [values] */
  function message(key, values) {
    const text = page.messages[key] || key;
    return text.replace(/\{(\w+)\}/g, (whole, name) => String(values && name in values ? values[name] : whole));
  }

  /** @param {string} sentence @param {{ lang: string, dir: string }} [said] */
  function announce(sentence, said) {
    const status = get("status");
    status.lang = said ? said.lang : page.lang;
    status.dir = said ? said.dir : document.documentElement.dir;
    status.textContent = sentence;
  }

  /** @param {Event} [event] */
  function submit(event) {
    if (event) event.preventDefault();
    const question = field.value.trim();
    get("alert").textContent = "";
    if (!question) return announce(message("ask.empty"));
    get("answer").hidden = true;
    announce(message(engine.state.name === "ready" ? "ask.searching" : "ask.queued"));
    engine.ask({ question, lang: null, interface: page.lang });
  }

  /** Enter sends, unless it confirms a word of an input method. @param {KeyboardEvent} event */
  function onKey(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    submit(event);
  }

  function showCount() {
    const count = graphemes(field.value);
    get("question-count").textContent =
      count < NEARLY_FULL ? "" : message("ask.count", { count: number(count), limit: number(MAX_GRAPHEMES) });
  }

  /** @param {string} text */
  function graphemes(text) {
    if (!("Segmenter" in Intl)) return Array.from(text).length;
    return Array.from(new Intl.Segmenter(page.lang, { granularity: "grapheme" }).segment(text)).length;
  }

  /** @param {number} value */
  function number(value) {
    return new Intl.NumberFormat(page.lang).format(value);
  }

  /** @param {EngineState} state */
  function showState(state) {
    const preparing = state.name === "preparing";
    get("engine-state").hidden = !preparing;
    document.documentElement.dataset.engine = state.name;
    if (preparing) {
      get("engine-text").textContent = message(state.slow ? "boot.slow" : `boot.${state.stage}`);
      /** @type {HTMLProgressElement} */ (get("engine-progress")).value = state.progress;
    }
    if (state.name === "failed") showFailure(state.failure);
  }

  /** @param {Failure} failure */
  function showFailure(failure) {
    announce("");
    const alert = get("alert");
    const sentence = document.createElement("p");
    const ways = document.createElement("p");
    sentence.textContent = message(`error.${failure.code}`, { part: failure.part });
    ways.append(wayTo("contact"), " · ", wayTo("browse"));
    alert.dataset.code = failure.code;
    alert.dataset.part = failure.part;
    alert.replaceChildren(sentence, ways);
    console.warn(failure.code, failure.part, failure.detail);
  }

  /** A link to a section of this page, named as its heading. @param {string} id */
  function wayTo(id) {
    const link = document.createElement("a");
    link.href = `#${id}`;
    link.textContent = get(`${id}-heading`).textContent;
    return link;
  }

  /** @param {AskResponse} response */
  function showAnswer(response) {
    const heading = get("answer-heading");
    heading.textContent = response.heading;
    heading.lang = response.lang;
    heading.dir = response.dir;
    get("answer-body").replaceChildren(cairn.view.answer(response, page));
    get("answer").dataset.kind = response.answer.kind;
    get("answer").hidden = false;
    announce(response.status, response);
  }

  /** @param {Event} event */
  function onExample(event) {
    const example = /** @type {HTMLElement} */ (event.target).closest("button.example");
    if (!example) return;
    field.value = example.textContent || "";
    showCount();
    submit();
  }

  function startWhenIdle() {
    if ("requestIdleCallback" in window) requestIdleCallback(() => engine.start(), { timeout: IDLE_WAIT });
    else setTimeout(() => engine.start(), 0);
  }

  form.addEventListener("submit", submit);
  field.addEventListener("keydown", onKey);
  field.addEventListener("input", showCount);
  field.addEventListener("focus", () => engine.start(), { once: true });
  document.getElementById("examples")?.addEventListener("click", onExample);
  form.hidden = false;
  if (document.readyState === "complete") startWhenIdle();
  else window.addEventListener("load", startWhenIdle);
})();
