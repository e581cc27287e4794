// Runs a Python file in a Pyodide that starts from a snapshot and has no library:
// node restored.cjs PARTS_FOLDER WORK_FOLDER FILE_IN_WORK_FOLDER
"use strict";
const fs = require("node:fs");
const path = require("node:path");

const EMPTY_ZIP = Buffer.from([80, 75, 5, 6, ...new Array(18).fill(0)]);

async function main() {
  const [parts, work, program] = process.argv.slice(2);
  const snapshot = new Uint8Array(fs.readFileSync(path.join(parts, "snapshot.bin")));
  const [, start, , combined] = new Uint32Array(snapshot.buffer, 0, 4);
  const instantiate = WebAssembly.instantiate;
  WebAssembly.instantiate = async (source, imports) => {
    const made = await instantiate(source, imports);
    const memory = imports?.env?.memory;
    if (memory) new Uint8Array(memory.buffer, 0, combined).forEach((byte, place) => (snapshot[start + place] ^= byte));
    return made;
  };
  fs.writeFileSync(path.join(parts, "empty.zip"), EMPTY_ZIP);
  const { loadPyodide } = require(path.join(parts, "pyodide.js"));
  const python = await loadPyodide({
    _loadSnapshot: snapshot,
    indexURL: parts,
    stdLibURL: path.join(parts, "empty.zip"),
    packageBaseUrl: "/",
    lockFileContents: fs.readFileSync(path.join(parts, "lock.json"), "utf8"),
  });
  python.FS.mkdirTree("/task");
  python.FS.mount(python.FS.filesystems.NODEFS, { root: path.resolve(work) }, "/task");
  python.FS.chdir("/task");
  python.runPython(python.FS.readFile(`/task/${program}`, { encoding: "utf8" }), { filename: program });
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
