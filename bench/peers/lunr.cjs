/* Peer: lunr with the plug-in of the language, where lunr-languages has one; asked for any word. */
"use strict";

const { existsSync } = require("node:fs");
const { join } = require("node:path");
const lunr = require("lunr");
const { answer } = require("./tasks.cjs");

const PLUGINS = join(__dirname, "node_modules", "lunr-languages");

console.info = () => {}; // a plug-in reports there, and standard output is for rankings

function plugin(lang) {
  if (lang === "en" || !existsSync(join(PLUGINS, `lunr.${lang}.js`))) return null;
  if (!lunr.stemmerSupport) {
    require("lunr-languages/lunr.stemmer.support")(lunr);
    lunr.wordcut = require("lunr-languages/wordcut");
  }
  if (!lunr[lang]) require(`lunr-languages/lunr.${lang}`)(lunr);
  return lunr[lang];
}

answer((lang, passages) => {
  const used = plugin(lang);
  const index = lunr(function () {
    if (used) this.use(used);
    this.ref("place");
    this.field("text");
    passages.forEach((text, place) => this.add({ place, text }));
  });
  const tokenizer = used?.tokenizer ?? lunr.tokenizer;
  return (question, depth) =>
    index
      .query((query) => tokenizer(question).forEach((token) => query.term(token.toString().toLowerCase())))
      .slice(0, depth)
      .map((found) => [Number(found.ref), found.score]);
});
