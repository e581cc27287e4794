/* Pyodide as its npm package has it, the standard library too; cairn_core as source, and the index of the site. */
importScripts("pyodide/pyodide.js");

const OPEN_SESSION = `
from cairn_core.bridge import open_session
open_session(site.to_bytes(), [shard.to_bytes() for shard in shards])
`;
let session;

async function bytes(name) {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

async function boot() {
  const { site, shards } = await (await fetch("parts.json")).json();
  const [python, core, ...parts] = await Promise.all([
    loadPyodide({ indexURL: new URL("pyodide/", location.href).href }),
    bytes("cairn_core.zip"),
    ...[site, ...shards].map(bytes),
  ]);
  python.unpackArchive(core, "zip");
  python.runPython("import cairn_core.bridge");
  const names = python.toPy({});
  names.set("site", parts[0]);
  names.set("shards", parts.slice(1));
  session = python.runPython(OPEN_SESSION, { globals: names });
  self.postMessage({ type: "ready", memory: python._module.HEAPU8.byteLength });
}

self.onmessage = async ({ data }) => {
  try {
    if (data.type === "boot") await boot();
    else self.postMessage({ type: "answer", response: session.ask(data.request) });
  } catch (error) {
    self.postMessage({ type: "error", detail: String(error) });
  }
};
