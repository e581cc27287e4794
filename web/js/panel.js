/**
 * The panel in which a document opens beside its answer: a frame of that same page, made anew each time, so that the
 * history stays empty, the engine stays awake and the question stays where it was typed. Adds `panel`.
 */
(function () {
  "use strict";

  /** @type {{ link: HTMLElement, scroll: number } | null} */
  let opened = null;

  /** @param {string} id */
  function get(id) {
    return /** @type {HTMLElement} */ (document.getElementById(id));
  }

  /** @param {HTMLAnchorElement} link */
  function open(link) {
    opened = { link, scroll: window.scrollY };
    const frame = document.createElement("iframe");
    frame.title = link.textContent || "";
    frame.src = link.href;
    frame.addEventListener("load", () => frame.focus(), { once: true });
    const heading = get("panel-heading");
    heading.textContent = link.textContent;
    heading.lang = link.lang;
    heading.dir = link.dir || "auto";
    const own = /** @type {HTMLAnchorElement} */ (get("panel-own"));
    Object.assign(own, { href: link.href, target: "_blank", rel: "noreferrer" });
    get("panel-frame").replaceChildren(frame);
    show(true);
    window.scrollTo(0, 0);
    get("panel-back").focus();
  }

  /** Nothing was lost: the answer is shown again, the focus where it was. */
  function close() {
    if (!opened) return;
    const { link, scroll } = opened;
    shut();
    window.scrollTo(0, scroll);
    link.focus({ preventScroll: true });
  }

  /** Close without going back to anything. */
  function shut() {
    opened = null;
    get("panel-frame").replaceChildren();
    get("panel-heading").textContent = "";
    get("panel-own").removeAttribute("href");
    show(false);
  }

  /** @param {boolean} open */
  function show(open) {
    get("panel").hidden = !open;
    get("asking").hidden = open;
  }

  /** Whether a click on a link is one that a page may handle itself. @param {MouseEvent} event */
  function plain(event) {
    return event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  }

  /**
   * Let the links of a part of the page open here, those of this site only.
   * @param {HTMLElement} part
   */
  function take(part) {
    const site = new URL(document.documentElement.dataset.root || "", location.href).href;
    part.addEventListener("click", (event) => {
      const link = /** @type {HTMLElement} */ (event.target).closest("a");
      if (!link || event.defaultPrevented || !plain(event)) return;
      const elsewhere = link.rel.includes("alternate") || link.target || !link.href.startsWith(site);
      const here = location.href.replace(/#.*/, "");
      if (elsewhere || link.href.startsWith(`${here}#`)) return;
      event.preventDefault();
      if (link.href === here) close();
      else open(link);
    });
  }

  /** @param {MessageEvent<FrameMessage>} event */
  function hear(event) {
    const frame = get("panel-frame").querySelector("iframe");
    if (!frame || event.source !== frame.contentWindow || !event.data) return;
    if (event.data.cairn === "back") close();
    else document.dispatchEvent(new Event("cairn-active"));
  }

  window.addEventListener("message", hear);
  get("panel-back").addEventListener("click", close);
  document.addEventListener("keydown", (event) => event.key === "Escape" && close());

  cairn.panel = { take, shut };
})();
