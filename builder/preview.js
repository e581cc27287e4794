/**
 * Only while previewing, added to a page as it is sent: follows the builds, loads the page again with the question that
 * was typed, and says what is wrong with the last save and which pages it touched. Never part of a site.
 */
(function () {
  "use strict";

  /**
   * What the server tells: `errors` and `warnings` are code, place, message and hint; `touched` is what happened to a
   * page, its path and its address.
   * @typedef {{
   *   build: string, title: string, text: string, busy: boolean, more: string,
   *   errors: string[][], warnings: string[][], touched: string[][],
   * }} PreviewState
   * @typedef {{ question: string, answered: boolean, asking: boolean, focused: boolean, scroll: number }} Kept
   */

  const EVENTS = "/~cairn/events";
  const STYLE = "/~cairn/preview.css";
  const root = document.documentElement;
  const place = document.createElement("div");
  const box = element("div", "box");
  /** @type {EventSource | null} */
  let events = null;
  /** The errors that are shown, as text. */
  let drawn = "";

  /** @param {string} tag @param {string} name @param {string} [text] */
  function element(tag, name, text) {
    const made = document.createElement(tag);
    made.className = name;
    made.textContent = text || "";
    return made;
  }

  /** Text in the order in which it is read, whatever stands around it. @param {string} name @param {string} text */
  function isolated(name, text) {
    const made = element("bdi", name, text);
    made.dir = "ltr";
    return made;
  }

  /** @param {PreviewState} state */
  function show(state) {
    if (state.build && state.build !== (root.dataset.build || "")) return again();
    const errors = JSON.stringify(state.errors);
    const folds = box.querySelector("details");
    const open = folds && errors === drawn ? folds.open : state.errors.length > 0;
    drawn = errors;
    return box.replaceChildren(card(state, open));
  }

  /** What is wrong or else what was done, folded and unfolded by its title. @param {PreviewState} state @param {boolean} open */
  function card(state, open) {
    const part = element("section", state.errors.length ? "errors" : "note");
    if (state.errors.length) part.setAttribute("role", "alert");
    const folds = document.createElement("details");
    folds.open = open;
    folds.append(
      element("summary", "title", state.busy ? `${state.title} …` : state.title),
      element("p", "text", state.text),
      list(state.errors.map(problem)),
      list([...state.touched.map(page), ...(state.more ? [[document.createTextNode(state.more)]] : [])]),
      list(state.warnings.map(problem))
    );
    part.append(folds);
    return part;
  }

  /** @param {Node[][]} items */
  function list(items) {
    const made = element("ul", "list");
    for (const nodes of items) {
      const item = element("li", "item");
      item.append(...nodes);
      made.append(item);
    }
    made.hidden = !items.length;
    return made;
  }

  /** @param {string[]} parts */
  function problem([code = "", where = "", message = "", hint = ""]) {
    const nodes = [isolated("code", code), isolated("place", where), element("p", "message", message), element("p", "hint", hint)];
    return nodes.filter((node) => node.textContent);
  }

  /** @param {string[]} parts */
  function page([change = "", path = "", address = ""]) {
    const link = isolated("place", path);
    const shown = change === "removed" ? link : element("a", "page");
    if (shown !== link) {
      /** @type {HTMLAnchorElement} */ (shown).href = address;
      shown.append(link);
    }
    return [element("span", "change", change), shown];
  }

  /** @param {string} id */
  function get(id) {
    return document.getElementById(id);
  }

  function field() {
    return /** @type {HTMLTextAreaElement | null} */ (get("question"));
  }

  /** The entry of this page in the history holds what was typed for as long as the load takes. */
  function again() {
    events?.close();
    /** @type {Kept} */
    const kept = {
      question: field()?.value || "",
      answered: get("answer")?.hidden === false,
      asking: root.dataset.screen === "asking",
      focused: document.activeElement === field(),
      scroll: window.scrollY,
    };
    history.replaceState({ cairnPreview: kept }, "");
    location.reload();
  }

  /** Give back what was typed once the page can take it, and ask again what was answered. */
  function restore() {
    const kept = /** @type {Kept | undefined} */ (history.state && history.state.cairnPreview);
    if (!kept) return;
    history.replaceState(null, "");
    const back = () => window.scrollTo(0, kept.scroll);
    whenShown(get("ask-form"), () => {
      const question = field();
      if (kept.asking) get("attract-start")?.click();
      if (question && !question.value) {
        question.value = kept.question;
        question.dispatchEvent(new Event("input", { bubbles: true }));
      }
      if (kept.focused) question?.focus({ preventScroll: true });
      back();
      if (!kept.answered) return;
      whenShown(get("answer"), back);
      /** @type {HTMLFormElement} */ (get("ask-form")).requestSubmit();
    });
    if (!get("ask-form")) back();
  }

  /** @param {HTMLElement | null} node @param {() => void} act */
  function whenShown(node, act) {
    if (!node) return;
    if (!node.hidden) return act();
    const observer = new MutationObserver(() => {
      if (node.hidden) return;
      observer.disconnect();
      act();
    });
    observer.observe(node, { attributes: true, attributeFilter: ["hidden"] });
  }

  /** A browser opens few connections to one host, so only pages that are seen keep one. */
  function follow() {
    events?.close();
    events = null;
    if (document.visibilityState !== "visible") return;
    events = new EventSource(EVENTS);
    events.addEventListener("message", (event) => show(JSON.parse(event.data)));
  }

  function begin() {
    const style = document.createElement("link");
    style.rel = "stylesheet";
    style.href = STYLE;
    box.lang = "en";
    box.dir = "ltr";
    box.hidden = true;
    style.addEventListener("load", () => (box.hidden = false));
    place.id = "cairn-preview";
    place.attachShadow({ mode: "open" }).append(style, box);
    document.body.append(place);
    document.addEventListener("visibilitychange", follow);
    window.addEventListener("pagehide", () => events?.close());
    restore();
    follow();
  }

  begin();
})();
