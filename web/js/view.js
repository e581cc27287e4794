/**
 * What the ask page draws: answers, refusals, failures. Words come from Python or from the page's data block and
 * enter the document as text only. Adds `view`.
 */
(function () {
  "use strict";

  const { quote, runs, element } = cairn.quote;
  /** Documents a refusal leads to at most. */
  const NEARBY = 3;

  /** @param {AskResponse} response @param {PageData} page */
  function answer(response, page) {
    const body = document.createDocumentFragment();
    if (response.urgent) body.append(urgent(response.urgent));
    if (response.disclosures.length) body.append(reworded(response, page));
    if (response.notice) body.append(said(note(response.notice), response));
    if (response.answer.kind === "refusal") {
      body.append(refusal(response), element("p", {}, message(page, "refusal.advice")));
      const near = nearby(response, page);
      if (near) body.append(near);
    }
    response.answer.sources.forEach((source, index) => {
      body.append(quote(source, response.lines[index] || [], response.marks[index]), origin(source, page));
      const links = response.translations.find((entry) => entry.source === source.id)?.links || [];
      if (links.length) body.append(translations(links, page));
    });
    body.append(why(response));
    return body;
  }

  /** What the operator says to whoever needs help now. @param {Urgent} help */
  function urgent(help) {
    const box = said(element("section", { class: "urgent", "aria-labelledby": "urgent-heading" }), help);
    const [text, contact] = [element("p", {}), element("p", { class: "urgent-contact" })];
    text.append(runs(help.text));
    contact.append(runs(help.contact));
    box.append(element("h3", { id: "urgent-heading" }, help.heading), text, contact);
    return box;
  }

  /** Why it came out so, for whoever wants to know. @param {AskResponse} response */
  function why(response) {
    const box = said(element("details", { class: "why" }), response);
    const list = element("ul", {});
    for (const reason of response.why.reasons) {
      const item = element("li", {});
      item.append(runs(reason));
      list.append(item);
    }
    box.append(element("summary", {}, response.why.heading), list);
    return box;
  }

  /**
   * Ways on after a refusal, from the page's own list: the documents whose passages came closest, by title only, and
   * the topics.
   * @param {AskResponse} response
   * @param {PageData} page
   */
  function nearby(response, page) {
    const links = response.nearest.flatMap((id) => (page.nearby && page.nearby[id] ? [page.nearby[id]] : []));
    if (!links.length) return null;
    const box = element("div", { class: "nearby" });
    const list = element("ul", {});
    for (const [title, url] of links.slice(0, NEARBY)) {
      const item = element("li", {});
      item.append(element("a", { href: page.root + url, lang: page.lang }, title));
      list.append(item);
    }
    box.append(element("p", {}, message(page, "refusal.nearby")), list);
    return box;
  }

  /** What was searched that the reader did not type, and the way back. @param {AskResponse} response @param {PageData} page */
  function reworded(response, page) {
    const box = element("div", { class: "notice" });
    for (const sentence of response.disclosures) {
      const line = said(element("p", {}), response);
      line.append(runs(sentence));
      box.append(line);
    }
    box.append(element("button", { type: "button", class: "button secondary literal" }, message(page, "ask.literal")));
    return box;
  }

  /** @param {AskResponse} response */
  function refusal(response) {
    const box = said(element("div", { class: "refusal" }), response);
    const text = element("p", {});
    text.append(runs(response.runs));
    box.append(text);
    return box;
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

  cairn.view = { answer, failure, note, message, count };
})();
