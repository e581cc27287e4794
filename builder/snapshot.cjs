// Makes a memory snapshot of Pyodide under Node: node snapshot.cjs FOLDER
// FOLDER holds pyodide.js, pyodide.asm.js, pyodide.asm.wasm, stdlib.zip, lock.json and warm.py, and gets snapshot.bin.
//
// Everything a run could differ in is replaced before Pyodide loads: entropy, clocks, environment. The navigator is an
// iPhone's, because Pyodide then stores no pointer to functions that engines without wasm-GC do not have. The memory is
// combined by exclusive or with what the WebAssembly module itself puts there, which leaves mostly zeros where they agree.
//
// snapshot.bin: Pyodide's header; its fourth word, which Pyodide leaves 0, says how many bytes are combined. Then, in
// 32-bit words, how many pages of memory there are, and of each whether it is there; then those pages. What is not there
// is zeros: more than half.
"use strict";
const fs = require("node:fs");
const path = require("node:path");

const NOW = 1_700_000_000_000;
const TICK = 0.25;
// 32-bit words of Pyodide's snapshot header: where the memory starts, and how many bytes of it are combined.
const HEAP_OFFSET = 1;
const COMBINED = 3;
const PAGE = 4096;
// What worker.js counts on: bytes of memory, and more than the module's own bytes at the start of it.
const MEMORY = 320 << 16;
const OWN = 4 << 20;

/** @param {ArrayBufferView} view */
function fill(view) {
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength).fill(7);
  return view;
}

function fixEntropy() {
  const crypto = require("node:crypto");
  crypto.randomFillSync = fill;
  crypto.randomBytes = (size) => Buffer.alloc(size, 7);
  Object.defineProperty(globalThis.crypto, "getRandomValues", { value: fill, configurable: true });
  Math.random = () => 0.5;
}

function fixClock() {
  const Real = Date;
  let elapsed = 0;
  globalThis.Date = class extends Real {
    constructor(...given) {
      if (given.length) super(...given);
      else super(NOW);
    }
    static now() {
      return NOW;
    }
  };
  performance.now = () => (elapsed += TICK);
}

function fixMachine() {
  const value = { userAgent: "iPhone", platform: "iPhone" };
  Object.defineProperty(globalThis, "navigator", { value, configurable: true });
  process.env = { TZ: "UTC" };
  for (const name of ["Suspending", "promising", "Suspender"]) delete WebAssembly[name];
}

/** Returns what the module's data segments put into memory, once Pyodide has instantiated it. */
function watchInstantiation() {
  const real = WebAssembly.instantiate;
  const seen = { memory: null };
  WebAssembly.instantiate = async (source, imports) => {
    const made = await real(source, imports);
    const memory = imports?.env?.memory;
    if (memory) seen.memory = new Uint8Array(memory.buffer.slice(0));
    return made;
  };
  return seen;
}

/** @param {Uint8Array} snapshot with its whole memory @param {number} start of the memory */
function withoutZeros(snapshot, start) {
  const pages = [];
  for (let at = start; at < snapshot.length; at += PAGE) pages.push(snapshot.subarray(at, at + PAGE));
  const there = pages.map((page) => Number(page.some((byte) => byte !== 0)));
  const map = bytesOf(new Uint32Array([pages.length, ...there]));
  return Buffer.concat([snapshot.subarray(0, start), map, ...pages.filter((_, number) => there[number])]);
}

/** @param {ArrayBufferView} view */
function bytesOf(view) {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

async function main() {
  const folder = path.resolve(process.argv[2]);
  fixEntropy();
  fixClock();
  fixMachine();
  const seen = watchInstantiation();
  const { loadPyodide } = require(path.join(folder, "pyodide.js"));
  const python = await loadPyodide({
    _makeSnapshot: true,
    indexURL: folder,
    stdLibURL: path.join(folder, "stdlib.zip"),
    packageBaseUrl: "/",
    lockFileContents: fs.readFileSync(path.join(folder, "lock.json"), "utf8"),
    env: { PYTHONHASHSEED: "0" },
    _sysExecutable: "/python",
  });
  python.runPython(fs.readFileSync(path.join(folder, "warm.py"), "utf8"), { filename: "warm" });
  const snapshot = python.makeMemorySnapshot();
  const header = new Uint32Array(snapshot.buffer, snapshot.byteOffset, COMBINED + 1);
  const length = 4 * Math.ceil((seen.memory.findLastIndex((byte) => byte !== 0) + 1) / 4);
  for (let place = 0; place < length; place += 1) snapshot[header[HEAP_OFFSET] + place] ^= seen.memory[place];
  header[COMBINED] = length;
  const size = snapshot.length - header[HEAP_OFFSET];
  if (size !== MEMORY || length > OWN) throw new Error(`${size} bytes of memory, ${length} of them the module's own`);
  fs.writeFileSync(path.join(folder, "snapshot.bin"), withoutZeros(snapshot, header[HEAP_OFFSET]));
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(String(error.message || error).trim());
    process.exit(1);
  }
);
