// Runs a Python file in a Pyodide that starts from a snapshot and has no library:
// node restored.cjs PARTS_FOLDER WORK_FOLDER FILE_IN_WORK_FOLDER
"use strict";
const fs = require("node:fs");
const path = require("node:path");

const PAGE = 4096;
const EMPTY_ZIP = Buffer.from([80, 75, 5, 6, ...new Array(18).fill(0)]);

/** What builder/snapshot.cjs wrote, with its pages of zeros. */
function unpacked(bytes) {
  const word = (at) => bytes.readUInt32LE(4 * at);
  const [end, combined] = [word(1), word(3)];
  const count = bytes.readUInt32LE(end);
  const whole = Buffer.alloc(end + count * PAGE);
  bytes.copy(whole, 0, 0, end);
  let from = end + 4 + 4 * count;
  for (let page = 0; page < count; page += 1) {
    if (bytes.readUInt32LE(end + 4 + 4 * page) === 0) continue;
    bytes.copy(whole, end + page * PAGE, from, (from += PAGE));
  }
  if (from !== bytes.length) throw new Error(`${bytes.length - from} bytes too many`);
  return { whole: new Uint8Array(whole.buffer, whole.byteOffset, whole.length), end, combined };
}

async function main() {
  const [parts, work, program] = process.argv.slice(2);
  const { whole, end, combined } = unpacked(fs.readFileSync(path.join(parts, "snapshot.bin")));
  const instantiate = WebAssembly.instantiate;
  WebAssembly.instantiate = async (source, imports) => {
    const made = await instantiate(source, imports);
    const memory = imports?.env?.memory;
    if (memory) new Uint8Array(memory.buffer, 0, combined).forEach((byte, place) => (whole[end + place] ^= byte));
    return made;
  };
  fs.writeFileSync(path.join(parts, "empty.zip"), EMPTY_ZIP);
  const { loadPyodide } = require(path.join(parts, "pyodide.js"));
  const python = await loadPyodide({
    _loadSnapshot: whole,
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
