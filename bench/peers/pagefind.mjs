/* Peer: Pagefind with the question as typed. Its script runs here as in a page: the document says the language,
   and fetch gives the files of the index, which stay in memory. */

import { createRequire } from "node:module";
import { close, createIndex } from "pagefind";

const { answer } = createRequire(import.meta.url)("./tasks.cjs");
const SCRIPT = "pagefind.js";

/** @type {Map<string, Uint8Array>} */
let files = new Map();
let lang = "";
/** @type {any} */
let script = null;
let indexed = 0;

globalThis.document = { currentScript: null, querySelector: () => ({ getAttribute: () => lang }) };
globalThis.fetch = async (address) => new Response(files.get(address.replace(/^\/\d+\/|\?.*$/g, "")));

async function filesOf(passages) {
  const { index } = await createIndex({ forceLanguage: lang });
  for (const [place, content] of passages.entries()) {
    const { errors } = await index.addCustomRecord({ url: `/${place}`, content, language: lang });
    if (errors.length) throw new Error(errors[0]);
  }
  const made = await index.getFiles();
  await index.deleteIndex();
  return new Map(made.files.map((file) => [file.path, file.content]));
}

await answer(async (given, passages) => {
  lang = given;
  files = await filesOf(passages);
  script ??= await import(`data:text/javascript;base64,${Buffer.from(files.get(SCRIPT)).toString("base64")}`);
  indexed += 1;
  const instance = script.createInstance({ basePath: `/${indexed}/` });
  return async (question, depth) => {
    const { results } = await instance.search(question);
    const pages = await Promise.all(results.slice(0, depth).map((result) => result.data()));
    return pages.map((page, rank) => [Number(page.url.slice(1)), results[rank].score]);
  };
});
await close();
