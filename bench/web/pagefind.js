/* A page with Pagefind's script and its first result. The words that the index does not hold together are left out one
   by one from the end; what then has a result is kept in `bench.question`, and asked first from then on. */
const form = document.getElementById("ask-form");
const stages = globalThis.bench?.pyodide ?? {};

async function search(question) {
  const pagefind = await loading;
  stages.payload ??= performance.now();
  const words = question.split(/\s+/);
  for (let count = words.length; count; count -= 1) {
    const query = words.slice(0, count).join(" ");
    const { results } = await pagefind.search(query);
    if (!results.length) continue;
    stages.index ??= performance.now();
    const { excerpt } = await results[0].data();
    if (globalThis.bench) bench.question = query;
    return excerpt;
  }
  return "";
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const answer = document.getElementById("answer");
  const excerpt = await search(document.getElementById("question").value);
  if (!excerpt) document.getElementById("alert").append(document.createElement("p"), "no result");
  answer.textContent = excerpt;
  answer.hidden = false;
});
const loading = import("./pagefind/pagefind.js");
form.hidden = false;
