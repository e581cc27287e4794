/**
 * What the ask page draws: answers, refusals, failures. Words come from Python or from the page's data block and
 * enter the document as text only; a quotation is drawn as its text, the layout letters decide nothing but the
 * elements around it.
 */
(function () {
  "use strict";

  /** As in builder/wording.py. */
  const PHONE_DIGITS = 6;

  /**
   * Layout letter -> element of a line, and the element around neighbouring lines of one kind.
   * @type {Record<string, [string, string]>}
   */
  const LINES = {
    h: ["p", ""],
    p: ["p", ""],
    q: ["p", ""],
    c: ["code", "pre"],
    l: ["li", "ul"],
    o: ["li", "ol"],
    t: ["tr", "table"],
    r: ["tr", "table"],
  };

  /** @param {AskResponse} response @param {PageData} page */
  function answer(response, page) {
    const body = document.createDocumentFragment();
    if (response.notice) body.append(said(note(response.notice), response));
    if (response.answer.kind === "refusal") {
      body.append(refusal(response), element("p", {}, message(page, "refusal.advice")));
    }
    response.answer.sources.forEach((source, index) => {
      body.append(quote(source, response.lines[index] || []), origin(source, page));
      const links = response.translations.find((entry) => entry.source === source.id)?.links || [];
      if (links.length) body.append(translations(links, page));
    });
    return body;
  }

  /** @param {AskResponse} response */
  function refusal(response) {
    const box = said(element("div", { class: "refusal" }), response);
    const text = element("p", {});
    text.append(runs(response.runs));
    box.append(text);
    return box;
  }

  /** @param {AnswerSource} source @param {Run[][][]} lines */
  function quote(source, lines) {
    const block = said(element("blockquote", { class: "quote" }), source);
    let group = { tag: "", node: block };
    lines.forEach((cells, index) => {
      const letter = source.layout[index] || "p";
      const [tag, around] = LINES[letter] || /** @type {[string, string]} */ (LINES.p);
      if (around !== group.tag) {
        group = { tag: around, node: around ? element(around, {}) : block };
        if (around) block.append(group.node);
      }
      group.node.append(drawnLine(cells, tag, letter));
    });
    return block;
  }

  /**
   * Only a table row has more than one cell; should another line have tabs, they stay.
   * @param {Run[][]} cells
   * @param {string} tag
   * @param {string} letter
   */
  function drawnLine(cells, tag, letter) {
    const node = element(tag, {});
    cells.forEach((cell, index) => {
      const inner = within(letter, node);
      if (index && inner === node) node.append("\t");
      inner.append(runs(cell));
    });
    if (letter === "c") node.append("\n");
    return node;
  }

  /** The element the words of a cell go into. @param {string} letter @param {HTMLElement} line */
  function within(letter, line) {
    const tag = letter === "t" ? "th" : letter === "r" ? "td" : letter === "h" ? "strong" : "";
    if (!tag) return line;
    const inner = element(tag, tag === "th" ? { scope: "col" } : {});
    line.append(inner);
    return inner;
  }

  /** @param {AnswerSource} source @param {PageData} page */
  function origin(source, page) {
    const line = element("p", { class: "quote-source" });
    line.append(said(element("a", { href: page.root + source.url }, source.title), source));
    if (source.section && source.section !== source.title) {
      line.append(" · ", said(element("span", {}, source.section), source));
    }
    if (source.reviewed) {
      const day = element("time", { datetime: source.reviewed }, longDate(source.reviewed, page));
      line.append(" · ", filled(page, "answer.reviewed", "{date}", day));
    }
    return line;
  }

  /** @param {string} day @param {PageData} page */
  function longDate(day, page) {
    const [year, month, date] = day.split("-").map(Number);
    const name = message(page, `date.month.${month}`);
    return message(page, "date.pattern", { day: String(date), month: name, year: String(year) });
  }

  /** @param {TranslationLink[]} links @param {PageData} page */
  function translations(links, page) {
    const line = element("p", { class: "quote-source" }, `${message(page, "answer.translations")}: `);
    links.forEach((link, index) => {
      if (index) line.append(" · ");
      line.append(said(element("a", { href: page.root + link.url, hreflang: link.lang }, link.endonym), link));
    });
    return line;
  }

  /**
   * What went wrong, what can be done, and the two ways that are always there.
   * @param {Failure} cause
   * @param {PageData} page
   */
  function failure(cause, page) {
    const body = document.createDocumentFragment();
    const reason = element("p", {});
    const ways = element("p", {}, `${message(page, "error.meanwhile")} `);
    reason.append(filled(page, `error.${cause.code}`, "{part}", element("bdi", { dir: "ltr" }, cause.part)));
    ways.append(sectionLink("browse"), " · ", sectionLink("contact"));
    body.append(element("p", {}, message(page, "error.heading")), reason, ways);
    body.append(element("button", { type: "button", class: "button" }, message(page, "error.retry")));
    return body;
  }

  /** A link to a section of this page under its own heading. @param {string} id */
  function sectionLink(id) {
    return element("a", { href: `#${id}` }, document.getElementById(`${id}-heading`)?.textContent || "");
  }

  /** @param {string} text */
  function note(text) {
    return element("p", { class: "notice" }, text);
  }

  /** @param {Run[]} all */
  function runs(all) {
    const text = document.createDocumentFragment();
    for (const [words, leftToRight] of all) text.append(leftToRight ? isolated(words) : words);
    return text;
  }

  /** Numbers long enough to be called stand out. @param {string} words */
  function isolated(words) {
    const isPhone = words.replace(/\D/g, "").length >= PHONE_DIGITS && !/\p{L}/u.test(words);
    return element("bdi", isPhone ? { dir: "ltr", class: "phone" } : { dir: "ltr" }, words);
  }

  /**
   * A message with a node in the place of its only slot.
   * @param {PageData} page
   * @param {string} key
   * @param {string} slot
   * @param {Node} node
   */
  function filled(page, key, slot, node) {
    const text = document.createDocumentFragment();
    const [before, after] = message(page, key).split(slot);
    text.append(before || "");
    if (after !== undefined) text.append(node, after);
    return text;
  }

  /** @param {PageData} page @param {string} key @param {Record<string, string>} [values] */
  function message(page, key, values) {
    const text = page.messages[key] || page.messages["error.unknown"] || "";
    return text.replace(/\{(\w+)\}/g, (slot, name) => (values && values[name]) || slot);
  }

  /** The plural form of a message for a number. @param {PageData} page @param {string} key @param {number} number */
  function count(page, key, number) {
    const form = `${key}.${new Intl.PluralRules(page.lang).select(number)}`;
    return message(page, form in page.messages ? form : `${key}.other`, { count: String(number) });
  }

  /** @template {HTMLElement} T @param {T} node @param {{ lang: string, dir: string }} words @returns {T} */
  function said(node, words) {
    node.lang = words.lang;
    node.dir = words.dir;
    return node;
  }

  /** @param {string} tag @param {Record<string, string>} attributes @param {string} [text] */
  function element(tag, attributes, text) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    if (text !== undefined) node.textContent = text;
    return node;
  }

  cairn.view = { answer, failure, note, message, count };
})();
