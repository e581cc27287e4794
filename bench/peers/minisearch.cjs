/* Peer: MiniSearch as it comes: any word, no fuzziness, no prefixes. */
"use strict";

const MiniSearch = require("minisearch");
const { answer } = require("./tasks.cjs");

answer((_, passages) => {
  const index = new MiniSearch({ fields: ["text"] });
  index.addAll(passages.map((text, id) => ({ id, text })));
  return (question, depth) => index.search(question).slice(0, depth).map((found) => [found.id, found.score]);
});
