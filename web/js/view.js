/**
 * An answer or a refusal as nodes. Words come from Python or from the page's data block and enter the document as text only;
 * what is drawn of a quotation is its text, the layout letters decide nothing but the elements around it.
 */
(function () {
  "use strict";

  /** Element around a line, and around neighbouring lines of the same kind. @type {Record<string, [string, string]>} */
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
    if (response.notice) body.append(element("p", { class: "notice" }, response.notice));
    if (response.answer.kind === "refusal") body.append(refusal(response));
    for (const source of response.answer.sources) {
      body.append(quote(source));
      body.append(origin(source, page));
      const links = response.translations.find((entry) => entry.source === source.id)?.links || [];
      if (links.length) body.append(translations(links, page));
    }
    return body;
  }

  /** @param {AskResponse} response */
  function refusal(response) {
    const box = element("div", { class: "refusal", lang: response.lang, dir: response.dir });
    const text = element("p", {});
    text.append(runs(response.runs));
    box.append(text);
    return box;
  }

  /** @param {AnswerSource} source */
  function quote(source) {
    const block = element("blockquote", { class: "quote", lang: source.lang, dir: source.dir });
    let open = { tag: "", node: block };
    source.text.split("\n").forEach((line, index) => {
      const [tag, group] = LINES[source.layout[index] || "p"] || /** @type {[string, string]} */ (LINES.p);
      if (group !== open.tag || !group) open = { tag: group, node: group ? opened(block, group) : block };
      open.node.append(drawn(line, tag, source.layout[index] || "p"));
    });
    return block;
  }

  /** @param {HTMLElement} block @param {string} group */
  function opened(block, group) {
    const node = element(group, {});
    block.append(node);
    return node;
  }

  /** @param {string} line @param {string} tag @param {string} letter */
  function drawn(line, tag, letter) {
    const node = element(tag, {});
    if (tag === "tr") {
      for (const cell of line.split("\t")) node.append(letter === "t" ? element("th", { scope: "col" }, cell) : element("td", {}, cell));
    } else if (tag === "code") node.append(line, "\n");
    else node.append(letter === "h" ? element("strong", {}, line) : line);
    return node;
  }

  /** @param {AnswerSource} source @param {PageData} page */
  function origin(source, page) {
    const line = element("p", { class: "quote-source" });
    const link = element("a", { href: page.root + source.url, lang: source.lang, dir: source.dir }, source.title);
    line.append(link);
    if (source.section && source.section !== source.title) {
      line.append(" · ", element("span", { lang: source.lang, dir: source.dir }, source.section));
    }
    if (source.reviewed) {
      const [before, after] = message(page, "answer.reviewed").split("{date}");
      line.append(" · ", before || "", element("time", { datetime: source.reviewed }, longDate(source.reviewed, page.lang)), after || "");
    }
    return line;
  }

  /** @param {TranslationLink[]} links @param {PageData} page */
  function translations(links, page) {
    const line = element("p", { class: "quote-source" }, `${message(page, "answer.translations")} `);
    links.forEach((link, index) => {
      if (index) line.append(" · ");
      line.append(element("a", { href: page.root + link.url, lang: link.lang, hreflang: link.lang, title: link.title }, link.endonym));
    });
    return line;
  }

  /** @param {Run[]} all */
  function runs(all) {
    const text = document.createDocumentFragment();
    for (const [words, leftToRight] of all) text.append(leftToRight ? element("bdi", { dir: "ltr" }, words) : words);
    return text;
  }

  /** @param {string} day @param {string} lang */
  function longDate(day, lang) {
    const date = new Date(`${day}T00:00:00Z`);
    return new Intl.DateTimeFormat(lang, { dateStyle: "long", timeZone: "UTC" }).format(date);
  }

  /** @param {PageData} page @param {string} key */
  function message(page, key) {
    return page.messages[key] || key;
  }

  /** @param {string} tag @param {Record<string, string>} attributes @param {string} [text] */
  function element(tag, attributes, text) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    if (text !== undefined) node.textContent = text;
    return node;
  }

  cairn.view = { answer, runs };
})();
