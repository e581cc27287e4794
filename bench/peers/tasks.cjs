/* What every peer written for Node is asked; the protocol is described in tasks.py. */
"use strict";

const { readFileSync, writeSync } = require("node:fs");

/** Write all of a text, also where standard output is a full pipe. */
function write(text) {
  const bytes = Buffer.from(text);
  let done = 0;
  while (done < bytes.length) {
    try {
      done += writeSync(1, bytes, done);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

/**
 * Index the passages of every task, ask its questions, write its rankings.
 * @param {(lang: string, passages: string[]) => any} index gives, at once or later, a function of a question
 *   and a depth, whose result, at once or later, is a list of [position, score], best first
 */
exports.answer = async (index) => {
  const given = JSON.parse(readFileSync(0, "utf8"));
  for (const task of given.tasks) {
    const search = await index(given.lang, task.places.map((place) => given.passages[place]));
    const rankings = [];
    for (const number of task.questions) {
      const found = await search(given.questions[number], task.depth);
      rankings.push(found.map(([position, score]) => [task.places[position], score]));
    }
    write(`${JSON.stringify(rankings)}\n`);
  }
};
