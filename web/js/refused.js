/**
 * Of a kiosk whose operator wants to know what could not be answered: notes the words of a refused question when the
 * person says so, how often, nothing else, and in this page's memory only. Staff hold down the number of the build, or
 * end the address in #refused, to save what is noted as a file; with that it is gone from here.
 */
(function () {
  "use strict";

  const HOLD = 5_000;
  const ADDRESS = "#refused";
  /** Different questions that are noted at most. */
  const MOST = 1_000;
  const MAX_LETTERS = 2_000;
  /** A browser has begun to save by then. */
  const SAVED = 1_000;
  /** What stands between spaces or, in scripts without them, between letters, and holds a digit or an at sign. */
  const NUMBERED =
    /(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}])\S)*[\p{N}@](?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}])\S)*/gu;
  const UNSEEN = /(?<![\p{L}\p{M}])[\u200c\u200d]|[\u200c\u200d](?!\p{L})|[^\P{C}\u200c\u200d\s]/gu;

  /** @type {Map<string, { words: string, lang: string, count: number }>} */
  const noted = new Map();
  /** The refused question of the person who is here, until they ask another or are done. @type {Refused | null} */
  let refused = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let holding;

  /** @param {string} id */
  function get(id) {
    return /** @type {HTMLElement} */ (document.getElementById(id));
  }

  const dialog = /** @type {HTMLDialogElement} */ (get("refused"));
  const build = /** @type {HTMLElement} */ (document.querySelector(".site-footer .build"));

  /** @param {string} question */
  function worded(question) {
    const words = question.replace(UNSEEN, "").replace(NUMBERED, "…").replace(/\s+/gu, " ").trim();
    return Array.from(words).slice(0, MAX_LETTERS).join("");
  }

  /** @param {Refused} asked */
  function keyOf(asked) {
    return `${asked.lang} ${asked.words}`;
  }

  /** @param {Event} event */
  function offer(event) {
    const asked = /** @type {CustomEvent<Refused | null>} */ (event).detail;
    refused = asked && { ...asked, words: worded(asked.words) };
    const room = refused && (noted.size < MOST || noted.has(keyOf(refused)));
    get("offer").hidden = !(refused && room && /\p{L}/u.test(refused.words));
    get("offer-agree").hidden = false;
    get("offer-noted").hidden = true;
    /$/u.test(""); // the language remembers the last text that an expression matched (RegExp.input)
  }

  /** The button goes away, so the focus goes to what it did. */
  function note() {
    if (!refused) return;
    const key = keyOf(refused);
    const count = (noted.get(key)?.count || 0) + 1;
    noted.set(key, { ...refused, count });
    refused = null;
    get("offer-noted").hidden = false;
    get("offer-noted").focus();
    get("offer-agree").hidden = true;
  }

  function show() {
    const count = Array.from(noted.values()).reduce((sum, each) => sum + each.count, 0);
    /** @type {HTMLElement} */ (get("refused-count").querySelector("bdi")).textContent = String(count);
    if (!dialog.open) dialog.showModal();
    get("refused-close").focus();
  }

  /** In the order of the words, which says nothing of who came when. */
  function save() {
    const questions = Array.from(noted.keys()).sort().map((key) => noted.get(key));
    const text = JSON.stringify({ format: 1, kind: "refused questions", questions }, null, 1);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = "refused-questions.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), SAVED);
    noted.clear();
    dialog.close();
  }

  function release() {
    clearTimeout(holding);
  }

  function hold() {
    release();
    holding = setTimeout(show, HOLD);
  }

  function visit() {
    if (location.hash !== ADDRESS) return;
    location.replace("#");
    show();
  }

  document.addEventListener("cairn-outcome", offer);
  document.addEventListener("cairn-wipe", () => dialog.close());
  get("offer-agree").addEventListener("click", note);
  get("refused-export").addEventListener("click", save);
  get("refused-close").addEventListener("click", () => dialog.close());
  build.addEventListener("pointerdown", hold);
  build.addEventListener("contextmenu", (event) => event.preventDefault());
  for (const event of ["pointerup", "pointercancel", "pointerleave"]) build.addEventListener(event, release);
  window.addEventListener("hashchange", visit);
  visit();
})();
