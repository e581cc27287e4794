/**
 * The on-screen keyboard of a kiosk: real buttons in the flow of the page, one stop of the Tab key, arrow keys between
 * them. The layout comes with the page; nothing here knows a language. Adds `keyboard`.
 */
(function () {
  "use strict";

  const ARROWS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]);

  /**
   * @param {HTMLElement} place
   * @param {HTMLTextAreaElement} field
   * @param {Keyboard} layout
   */
  function attach(place, field, layout) {
    let shifted = false;
    place.setAttribute("role", "group");
    place.setAttribute("aria-label", layout.name);
    const rows = layout.rows.map((keys) => rowOf(keys.map(([char, name]) => key(char, name, () => type(char)))));
    const actions = rowOf([key(" ", layout.space, () => type(" "), "key-space")]);
    if (layout.shift) actions.prepend(key("⇧", layout.shift, shift, "key-wide"));
    actions.append(key("⌫", layout.backspace, erase, "key-wide"));
    place.replaceChildren(...rows, actions);
    field.inputMode = "none"; // the keyboard of the system stays away, so two never show
    const first = place.querySelector("button");
    if (first) first.tabIndex = 0;

    /** @param {string} char */
    function type(char) {
      insert(shifted ? char.toLocaleUpperCase(field.lang) : char);
      if (shifted) shift();
    }

    /** @param {string} text */
    function insert(text) {
      field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
      tell();
    }

    function erase() {
      const { selectionStart: start, selectionEnd: end, value } = field;
      const before = Array.from(value.slice(0, start)).at(-1) || "";
      field.setRangeText("", start === end ? start - before.length : start, end, "end");
      tell();
    }

    function tell() {
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }

    function shift() {
      shifted = !shifted;
      for (const each of place.querySelectorAll("button.key")) {
        const char = /** @type {HTMLElement} */ (each).dataset.char || "";
        if (char.length === 1) each.textContent = shifted ? char.toLocaleUpperCase(field.lang) : char;
      }
      place.querySelector("[aria-pressed]")?.setAttribute("aria-pressed", String(shifted));
    }

    /** @param {string} char @param {string} name @param {() => void} press @param {string} [more] */
    function key(char, name, press, more) {
      const attributes = { type: "button", class: more ? `button key ${more}` : "button key", tabindex: "-1" };
      const button = cairn.quote.element("button", attributes, more ? name : char);
      if (more !== "key-space" && press === shift) button.setAttribute("aria-pressed", "false");
      if (more) return listening(button, press);
      if (name !== char) button.setAttribute("aria-label", name);
      button.dataset.char = char;
      return listening(button, press);
    }
  }

  /** @param {HTMLElement} button @param {() => void} press */
  function listening(button, press) {
    button.addEventListener("click", press);
    button.addEventListener("keydown", move);
    button.addEventListener("focus", () => {
      for (const each of keysAround(button).flat()) each.tabIndex = each === button ? 0 : -1;
    });
    return button;
  }

  /** @param {HTMLElement[]} keys */
  function rowOf(keys) {
    const row = cairn.quote.element("div", { class: "key-row" });
    row.append(...keys);
    return row;
  }

  /** @param {HTMLElement} button @returns {HTMLElement[][]} */
  function keysAround(button) {
    const rows = button.closest(".keyboard")?.querySelectorAll(".key-row") || [];
    return Array.from(rows, (row) => /** @type {HTMLElement[]} */ (Array.from(row.children)));
  }

  /** Arrows go to the neighbour that is seen there, in either direction of writing. @param {KeyboardEvent} event */
  function move(event) {
    if (!ARROWS.has(event.key)) return;
    event.preventDefault();
    const button = /** @type {HTMLElement} */ (event.currentTarget);
    const rows = keysAround(button);
    const row = rows.findIndex((keys) => keys.includes(button));
    const own = /** @type {HTMLElement[]} */ (rows[row]);
    const at = own.indexOf(button);
    const forward = getComputedStyle(button).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    if (event.key === "Home") own[0]?.focus();
    else if (event.key === "End") own.at(-1)?.focus();
    else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      nearest(rows[row + (event.key === "ArrowUp" ? -1 : 1)] || own, button).focus();
    } else own[(at + (event.key === forward ? 1 : own.length - 1)) % own.length]?.focus();
  }

  /** @param {HTMLElement[]} keys @param {HTMLElement} button */
  function nearest(keys, button) {
    const middle = (/** @type {HTMLElement} */ key) => {
      const box = key.getBoundingClientRect();
      return (box.left + box.right) / 2;
    };
    const from = middle(button);
    return keys.reduce((best, key) => (Math.abs(middle(key) - from) < Math.abs(middle(best) - from) ? key : best));
  }

  cairn.keyboard = { attach };
})();
