/**
 * A quotation as nodes: the words of a passage and no other, in elements that its layout letters name. What matches
 * the question and the sentence that holds most of it are spans that come from Python. Adds `quote`.
 */
(function () {
  "use strict";

  /** As in builder/wording.py. */
  const PHONE_DIGITS = 6;
  /** @type {Marks} */
  const NO_MARKS = { matched: [], sentence: null };

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

  /** @param {AnswerSource} source @param {Run[][][]} lines @param {Marks} [marks] */
  function quote(source, lines, marks) {
    const block = element("blockquote", { class: "quote", lang: source.lang, dir: source.dir });
    const pen = new Pen(marks || NO_MARKS);
    let group = { tag: "", node: block };
    lines.forEach((cells, index) => {
      const letter = source.layout[index] || "p";
      const [tag, around] = LINES[letter] || /** @type {[string, string]} */ (LINES.p);
      if (around !== group.tag) {
        group = { tag: around, node: around ? element(around, {}) : block };
        if (around) block.append(group.node);
      }
      group.node.append(drawnLine(cells, tag, letter, pen));
    });
    return block;
  }

  /**
   * Only a table row has more than one cell; should another line have tabs, they stay.
   * @param {Run[][]} cells
   * @param {string} tag
   * @param {string} letter
   * @param {Pen} pen
   */
  function drawnLine(cells, tag, letter, pen) {
    const node = element(tag, {});
    cells.forEach((cell, index) => {
      const inner = within(letter, node);
      if (index && inner === node) node.append("\t");
      pen.write(cell, inner);
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

  /** Writes the cells of a passage in order and knows how far it has come. */
  class Pen {
    /** @param {Marks} marks */
    constructor(marks) {
      this.marks = marks;
      this.borders = [...marks.matched, ...(marks.sentence ? [marks.sentence] : [])].flat();
      /** Code points of the passage's text before the pen. */
      this.at = 0;
    }

    /** @param {Run[]} cell @param {HTMLElement} target */
    write(cell, target) {
      for (const [words, leftToRight] of cell) {
        const letters = Array.from(words);
        const start = this.at;
        this.at += letters.length;
        const whole = leftToRight && this.cuts(start).length === 2;
        const into = leftToRight && !whole ? isolated(words, "") : target;
        for (const [from, to] of this.parts(start)) {
          const part = letters.slice(from - start, to - start).join("");
          this.put(whole ? isolated(words, part) : document.createTextNode(part), from, into);
        }
        if (into !== target) target.append(into);
      }
      this.at += 1; // the tab or the line feed
    }

    /** Where the words from `start` to the pen are cut, both ends included. @param {number} start */
    cuts(start) {
      const inside = this.borders.filter((border) => border > start && border < this.at);
      return [...new Set([start, ...inside, this.at])].sort((one, other) => one - other);
    }

    /** @param {number} start @returns {[number, number][]} */
    parts(start) {
      const cuts = this.cuts(start);
      return cuts.slice(1).map((end, index) => [/** @type {number} */ (cuts[index]), end]);
    }

    /** @param {Node} node @param {number} from @param {HTMLElement} target */
    put(node, from, target) {
      let drawn = node;
      if (this.marks.matched.some((span) => covers(span, from))) {
        drawn = element("mark", { class: "matched" });
        drawn.appendChild(node);
      }
      if (!this.marks.sentence || !covers(this.marks.sentence, from)) return target.append(drawn);
      const last = target.lastElementChild;
      const open = last && last === target.lastChild && last.className === "carries" ? last : null;
      const carrier = open || element("strong", { class: "carries" });
      carrier.append(drawn);
      if (!open) target.append(carrier);
    }
  }

  /** @param {[number, number]} span @param {number} place */
  function covers([start, end], place) {
    return start <= place && place < end;
  }

  /** @param {Run[]} all */
  function runs(all) {
    const text = document.createDocumentFragment();
    for (const [words, leftToRight] of all) text.append(leftToRight ? isolated(words, words) : words);
    return text;
  }

  /** Numbers long enough to be called stand out. @param {string} words @param {string} text what is drawn of them */
  function isolated(words, text) {
    const isPhone = words.replace(/\D/g, "").length >= PHONE_DIGITS && !/\p{L}/u.test(words);
    return element("bdi", isPhone ? { dir: "ltr", class: "phone" } : { dir: "ltr" }, text);
  }

  /** @param {string} tag @param {Record<string, string>} attributes @param {string} [text] */
  function element(tag, attributes, text) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    if (text !== undefined) node.textContent = text;
    return node;
  }

  cairn.quote = { quote, runs, element };
})();
