/**
 * The script that acts when the page loads. Each script before it has registered itself as a function, whose own text
 * can be read wherever the page is opened from; only when all are as they were built do they run. What is wrong is said
 * at once, in the page's own words.
 *
 * No loop here depends on a condition, so that no changed character can make one endless. When this script fails, the
 * page says so by itself after a while; when it is changed and works all the same, the engine finds its hash to differ.
 */
(function () {
  "use strict";

  /** As in builder/sums.py. */
  const PRIME = 0x01000193;
  const BASES = [0x811c9dc5, 0x050c5d1f];
  const BEFORE = "function(){\n";
  const AFTER = "\n}";

  /** @param {string} id */
  function get(id) {
    return /** @type {HTMLElement} */ (document.getElementById(id));
  }

  /** @param {string} text */
  function sum(text) {
    const units = text.split("");
    return BASES.map((base) => {
      const hash = units.reduce((made, unit) => Math.imul(made ^ unit.charCodeAt(0), PRIME), base);
      return (hash >>> 0).toString(16).padStart(8, "0");
    }).join("");
  }

  /** @param {string} name @param {string} expected */
  function sound(name, expected) {
    const text = String(cairn.scripts[name] || "");
    return sum(text.slice(BEFORE.length, -AFTER.length)) === expected;
  }

  async function begin() {
    if (!get("ask-form")) return; // another page looks at the text of this script only
    const block = get("cairn-page");
    const words = block.textContent || "";
    if (sum(`${words}\n${get("contact-lines").textContent}`) !== block.dataset.sum) return tell("damaged", ownName(), null);
    const page = /** @type {PageData} */ (JSON.parse(words));
    const others = page.scripts.filter(([name]) => name !== "start.js");
    const faults = await Promise.all(others.map(([name, expected]) => faultOf(name, expected, page)));
    const fault = faults.find((each) => each !== null);
    if (fault) return tell(fault.code, fault.name, page);
    if (style() !== page.style) warn("cairn.css");
    others.forEach(([name]) => /** @type {() => void} */ (cairn.scripts[name])());
  }

  /**
   * A script that is not as expected is loaded once more: a server may have failed for a moment, and whether the file is
   * there at all is only known then.
   * @param {string} name
   * @param {string} expected
   * @param {PageData} page
   */
  async function faultOf(name, expected, page) {
    if (sound(name, expected)) return null;
    const script = document.createElement("script");
    script.src = `${page.root}assets/js/${name}`;
    const loaded = new Promise((resolve) => {
      script.onload = () => resolve(true);
      script.onerror = () => resolve(false);
    });
    document.head.append(script);
    const found = await loaded;
    return sound(name, expected) ? null : { code: found ? "damaged" : "missing", name };
  }

  /** What the stylesheet says its own sum is; the quotation marks are part of the value. */
  function style() {
    return getComputedStyle(document.documentElement).getPropertyValue("--sum-cairn").replace(/[\s"']/g, "");
  }

  function ownName() {
    return location.pathname.slice(location.pathname.lastIndexOf("/") + 1) || "index.html";
  }

  /** Say what keeps the page from answering. @param {string} code @param {string} name @param {PageData | null} page */
  function tell(code, name, page) {
    const notice = get("not-started");
    const alert = get("alert");
    fill(notice, code, name, page);
    alert.dataset.code = code;
    alert.dataset.part = name;
    alert.append(...notice.childNodes);
    notice.remove();
  }

  /** Say that a file is damaged without which the page answers all the same. @param {string} name */
  function warn(name) {
    const notice = /** @type {HTMLElement} */ (get("not-started").cloneNode(true));
    notice.id = "damaged-style";
    notice.className = "notice";
    fill(notice, "damaged", name, null);
    get("not-started").before(notice);
  }

  /** @param {HTMLElement} notice @param {string} code @param {string} name @param {PageData | null} page */
  function fill(notice, code, name, page) {
    const slot = /** @type {HTMLElement} */ (notice.querySelector("bdi"));
    slot.textContent = name;
    if (!page) return;
    const [before, after] = (page.messages[`error.${code}`] || "").split("{part}");
    /** @type {HTMLElement} */ (slot.parentElement).replaceChildren(before || "", slot, after || "");
  }

  begin().catch((error) => {
    console.warn(error);
    tell("damaged", "start.js", null);
  });
})();
