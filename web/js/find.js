/**
 * Finding a title without the engine: narrows the lists of a page to the entries whose title holds every word
 * typed. Letters are compared by Unicode compatibility decomposition, marks and case aside. Nothing is kept.
 */
(function () {
  "use strict";

  const page = /** @type {FindData} */ (JSON.parse(get("cairn-page").textContent || "{}"));
  const form = get("cairn-find");
  const field = /** @type {HTMLInputElement} */ (get("cairn-find-field"));
  const entries = [...document.querySelectorAll(".entry")].map((element) => ({
    element: /** @type {HTMLElement} */ (element),
    title: folded((element.querySelector("a") || element).textContent || ""),
  }));

  /** @param {string} id */
  function get(id) {
    return /** @type {HTMLElement} */ (document.getElementById(id));
  }

  /** @param {string} text */
  function folded(text) {
    return text.normalize("NFKD").replace(/\p{M}+/gu, "").toLowerCase();
  }

  /** @param {number} number */
  function counted(number) {
    const key = "find.count";
    const forms = [new Intl.PluralRules(page.lang).select(number), "other"];
    const message = forms.map((form) => page.messages[`${key}.${form}`]).find(Boolean) || "";
    return message.replace("{count}", String(number));
  }

  function narrow() {
    const asked = folded(field.value).split(/\s+/).filter(Boolean);
    let found = 0;
    for (const { element, title } of entries) {
      element.hidden = !asked.every((word) => title.includes(word));
      if (!element.hidden) found += 1;
    }
    for (const section of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("section.list-section"))) {
      section.hidden = !section.querySelector(".entry:not([hidden])");
    }
    const said = found ? counted(found) : page.messages["find.none"] || "";
    get("cairn-find-status").textContent = asked.length ? said : "";
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  field.addEventListener("input", narrow);
  form.hidden = false;
})();
