/**
 * What every page of a kiosk has: Start over, larger text, and after a while without a sign of anybody a question
 * whether they are still there, then everything is wiped. Nothing is stored, so wiping is forgetting what the page
 * holds: the ask page does that itself on `cairn-wipe`, any other page goes to it.
 */
(function () {
  "use strict";

  const root = document.documentElement;
  if (window.parent !== window) return; // in the panel the ask page looks after it
  const idle = 1000 * Number(root.dataset.idle);
  const warning = 1000 * Number(root.dataset.warning);
  const dialog = /** @type {HTMLDialogElement} */ (get("idle"));
  let lastSign = performance.now();
  /** When the wipe comes, while the dialog asks. */
  let wipeAt = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /** @param {string} id */
  function get(id) {
    return /** @type {HTMLElement} */ (document.getElementById(id));
  }

  function sign() {
    lastSign = performance.now();
  }

  /** Whether nobody is there whose words could be wiped. */
  function asleep() {
    return root.dataset.screen === "attract";
  }

  function watch() {
    clearTimeout(timer);
    const left = idle - (performance.now() - lastSign);
    if (asleep()) sign();
    if (left > 0 || asleep()) timer = setTimeout(watch, Math.max(left, 50));
    else warn();
  }

  function warn() {
    wipeAt = performance.now() + warning;
    say("first");
    dialog.showModal();
    get("idle-more").focus();
    count();
  }

  function count() {
    const left = wipeAt - performance.now();
    if (left <= 0) return wipe();
    if (left <= warning / 2) say("second");
    get("idle-counter").textContent = String(Math.ceil(left / 1000));
    timer = setTimeout(count, Math.min(left, 1000, warning / 4));
  }

  /** Spoken when the dialog opens and halfway; the counter in between is for the eye. @param {"first" | "second"} moment */
  function say(moment) {
    const status = get("idle-status");
    const text = status.dataset[moment] || "";
    if (status.textContent !== text) status.textContent = text;
  }

  /** As often as it takes. */
  function more() {
    close();
    watch();
  }

  function close() {
    clearTimeout(timer);
    if (dialog.open) dialog.close();
    get("idle-status").textContent = "";
    get("idle-counter").textContent = "";
    sign();
  }

  function wipe() {
    close();
    enlarge(false);
    const here = document.dispatchEvent(new Event("cairn-wipe", { cancelable: true }));
    if (here) location.replace(new URL(root.dataset.ask || "", location.href).href);
    else watch();
  }

  /** @param {boolean} larger */
  function enlarge(larger) {
    if (larger) root.dataset.text = "larger";
    else delete root.dataset.text;
    get("larger-text").setAttribute("aria-pressed", String(larger));
  }

  for (const event of ["pointerdown", "pointermove", "keydown", "wheel", "input", "scroll"]) {
    document.addEventListener(event, sign, { passive: true, capture: true });
  }
  document.addEventListener("cairn-active", sign);
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    more();
  });
  get("idle-more").addEventListener("click", more);
  get("idle-done").addEventListener("click", wipe);
  get("start-over").addEventListener("click", wipe);
  get("larger-text").addEventListener("click", () => enlarge(root.dataset.text !== "larger"));
  get("kiosk-bar").hidden = false;
  watch();
})();
