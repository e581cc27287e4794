/* An ask page as Pyodide's documentation has it: a worker that loads the files of the npm package, as they are. */
"use strict";

const worker = new Worker("stock-worker.js");
const lang = document.documentElement.lang;
let ready = false;
let waiting = "";

function send(question) {
  worker.postMessage({ type: "ask", request: JSON.stringify({ question, lang: null, interface: lang }) });
}

worker.addEventListener("message", ({ data }) => {
  if (data.type === "ready") {
    ready = true;
    if (waiting) send(waiting);
  } else if (data.type === "answer") {
    document.getElementById("answer").textContent = JSON.parse(data.response).answer.text;
    document.getElementById("answer").hidden = false;
  } else {
    document.getElementById("alert").append(Object.assign(document.createElement("p"), { textContent: data.detail }));
  }
});
document.getElementById("ask-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const question = document.getElementById("question").value;
  if (ready) send(question);
  else waiting = question;
});
document.getElementById("ask-form").hidden = false;
worker.postMessage({ type: "boot" });
