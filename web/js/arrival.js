/**
 * Arriving at a passage: whatever folds it away is opened, and the focus goes to it. In the panel of the ask page, a
 * frame, the page shows its own matter only, follows links without a trace in the history, and tells the ask page
 * what it cannot see: that somebody is reading, and that they want to go back.
 */
(function () {
  "use strict";

  const framed = window.parent !== window;
  const root = document.documentElement;
  /** Whether the reader has done anything on this page. */
  let touched = false;

  function arrive() {
    const target = document.getElementById(decoded(location.hash.slice(1)));
    if (!target) return;
    for (let node = target.parentElement; node; node = node.parentElement) {
      if (node instanceof HTMLDetailsElement) node.open = true;
    }
    const passage = /** @type {HTMLElement} */ (target.closest(".passage") || target);
    if (!passage.hasAttribute("tabindex") && passage.tabIndex < 0) passage.tabIndex = -1;
    passage.focus({ preventScroll: true });
    passage.scrollIntoView({ block: passage.offsetHeight < innerHeight ? "center" : "start" });
  }

  /** The ask page gives the focus to the frame as a whole, from which Chromium takes it off the passage. */
  function arriveAgain() {
    if (!touched && document.activeElement === document.body) arrive();
  }

  /** @param {string} fragment */
  function decoded(fragment) {
    try {
      return decodeURIComponent(fragment);
    } catch {
      return fragment; // no percent-encoding: as it stands
    }
  }

  /** @param {FrameMessage["cairn"]} word */
  function tell(word) {
    window.parent.postMessage({ cairn: word }, "*");
  }

  /** @param {MouseEvent} event */
  function follow(event) {
    const link = /** @type {Element} */ (event.target).closest("a");
    if (!link || !link.href || event.defaultPrevented) return;
    if (!link.href.startsWith(new URL(root.dataset.root || "", location.href).href)) {
      link.target = "_blank";
      link.rel = "noreferrer";
      return;
    }
    event.preventDefault();
    if (link.href === new URL(root.dataset.ask || "", location.href).href) tell("back");
    else location.replace(link.href);
  }

  if (framed) {
    root.dataset.framed = "";
    document.addEventListener("click", follow);
    document.addEventListener("keydown", (event) => event.key === "Escape" && tell("back"));
    for (const sign of ["pointerdown", "keydown", "wheel"]) {
      document.addEventListener(sign, () => (touched = true), { once: true, passive: true, capture: true });
    }
    for (const sign of ["pointerdown", "pointermove", "keydown", "wheel", "scroll"]) {
      document.addEventListener(sign, () => tell("active"), { passive: true, capture: true });
    }
    window.addEventListener("focus", arriveAgain);
  }
  window.addEventListener("hashchange", arrive);
  arrive();
})();
