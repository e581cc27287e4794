// Runs a Python file inside Pyodide under Node: node in_pyodide.cjs PYODIDE_FOLDER WORK_FOLDER FILE_IN_WORK_FOLDER
// The work folder is mounted as /task and is the current folder of the Python program.
"use strict";
const path = require("node:path");

async function main() {
  const [runtime, work, program] = process.argv.slice(2);
  const { loadPyodide } = require(path.resolve(runtime, "pyodide.js"));
  const python = await loadPyodide({
    indexURL: path.resolve(runtime),
    lockFileContents: JSON.stringify({
      info: require(path.resolve(runtime, "pyodide-lock.json")).info,
      packages: {},
    }),
    packageBaseUrl: path.resolve(runtime),
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
