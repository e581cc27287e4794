/**
 * Checks a copy of the site for those who look after it. At a web address every file of the list is loaded and its
 * hash compared. From a folder a page may read no file: the engine and the scripts are compared by what they register,
 * pages and pictures are only looked for, and the rest is left out and counted.
 */
(function () {
  "use strict";

  /** @typedef {"compared" | "looked" | "left" | "missing" | "changed" | "unreachable"} Outcome */

  const page = /** @type {VerifyData} */ (JSON.parse(get("cairn-page").textContent || "{}"));
  const fromFolder = location.protocol === "file:";
  const SIDE_BY_SIDE = 4;
  const NEEDED = ["bytes.js", "sha256.js", "inflate.js"];
  const FILES = "assets/files.js";
  const MANIFEST = "assets/manifest.json";
  const PICTURE = /\.(?:svg|png|jpe?g|webp)$/;
  const PART = /^assets\/parts\/(.+)\.(?:gz|js)$/;

  /** @param {string} id */
  function get(id) {
    return /** @type {HTMLElement} */ (document.getElementById(id));
  }

  /** @param {string} key @param {Record<string, string | number>} [values] */
  function message(key, values) {
    return (page.messages[key] || "").replace(/\{(\w+)\}/g, (slot, name) => String((values && values[name]) ?? slot));
  }

  async function check() {
    get("verify-start").hidden = true;
    get("verify-progress").hidden = false;
    get("verify-status").textContent = "";
    get("verify-faults").replaceChildren();
    try {
      await checkAll();
    } catch (error) {
      const known = /** @type {{ failure?: Failure }} */ (error).failure;
      const code = known && `error.${known.code}` in page.messages ? known.code : "damaged";
      get("verify-status").textContent = message(`error.${code}`, { part: known ? known.part : FILES });
    }
    get("verify-progress").hidden = true;
    get("verify-count").textContent = "";
    get("verify-start").hidden = false;
  }

  async function checkAll() {
    if (!NEEDED.every((name) => cairn.scripts[name])) throw fault("damaged", "assets/js");
    NEEDED.forEach((name) => /** @type {() => void} */ (cairn.scripts[name])());
    const manifest = await cairn.bytes.manifest();
    await cairn.bytes.scripts(manifest);
    const listed = await list(manifest);
    const names = Object.keys(listed);
    /** @type {Record<Outcome, number>} */
    const counts = { compared: 0, looked: 0, left: 0, missing: 0, changed: 0, unreachable: 0 };
    const left = [...names];
    let done = 0;
    const work = async () => {
      for (let name = left.shift(); name !== undefined; name = left.shift()) {
        const outcome = await (fromFolder ? inFolder(name, manifest) : onWeb(name, listed[name] || "", manifest));
        counts[outcome] += 1;
        done += 1;
        if (outcome === "missing" || outcome === "changed" || outcome === "unreachable") tell(name, outcome);
        progress(done, names.length);
      }
    };
    await Promise.all(Array.from({ length: fromFolder ? 1 : SIDE_BY_SIDE }, work));
    const wrong = counts.missing + counts.changed + counts.unreachable;
    const sentence = wrong ? message("verify.wrong", { count: wrong }) : message("verify.right", counts);
    get("verify-status").textContent = sentence;
  }

  /** @param {FailureCode} code @param {string} part */
  function fault(code, part) {
    return Object.assign(new Error(part), { failure: { code, part, detail: "" } });
  }

  /**
   * The list of files; at a web address also as the whole manifest has it.
   * @param {Manifest} manifest
   * @returns {Promise<Record<string, string>>}
   */
  async function list(manifest) {
    if (!(await load(FILES))) throw fault("missing", FILES);
    const found = cairn.files;
    if (!found || typeof found.files !== "object") throw fault("damaged", FILES);
    if (found.build !== manifest.build) throw fault("mixed", FILES);
    if (fromFolder) return found.files;
    const whole = await (await fetch(page.root + MANIFEST, { cache: "no-store" })).json().catch(() => null);
    const same = whole && Object.entries(found.files).every(([name, hash]) => whole.files?.[name] === hash);
    if (!same) throw fault("damaged", MANIFEST);
    return { ...found.files, [FILES]: whole.files[FILES] };
  }

  /** @param {string} name @param {string} expected @param {Manifest} manifest @returns {Promise<Outcome>} */
  async function onWeb(name, expected, manifest) {
    try {
      const response = await fetch(page.root + name, { cache: "no-store" });
      if (response.status === 404 || response.status === 410) return "missing";
      if (!response.ok) return "unreachable";
      const hash = await cairn.sha256(await response.arrayBuffer());
      // A host that unpacks parts on the way gives the part itself.
      return hash === expected || hash === manifest.parts[PART.exec(name)?.[1] || ""]?.sha256 ? "compared" : "changed";
    } catch {
      return "unreachable";
    }
  }

  /** @param {string} name @param {Manifest} manifest @returns {Promise<Outcome>} */
  async function inFolder(name, manifest) {
    const part = PART.exec(name);
    const [folder, file] = [name.slice(0, name.lastIndexOf("/") + 1), name.slice(name.lastIndexOf("/") + 1)];
    if (part && name.endsWith(".js") && manifest.parts[part[1] || ""]) return outcomeOf(() => cairn.bytes.parts(manifest, [part[1] || ""], () => {}, () => {}));
    if (folder === "assets/run/") return outcomeOf(() => cairn.bytes.script(manifest, file));
    if (folder === "assets/js/" && manifest.scripts[file]) return pageScript(name, file, manifest);
    if (name === "assets/manifest.js") return "compared"; // its build is the page's, and what it says of others holds
    if (PICTURE.test(name)) return (await picture(name)) ? "looked" : "missing";
    if (name.endsWith(".html") || (part && name.endsWith(".js"))) return (await load(name)) ? "looked" : "missing";
    return "left";
  }

  /** @param {() => Promise<unknown>} attempt @returns {Promise<Outcome>} */
  async function outcomeOf(attempt) {
    try {
      await attempt();
      return "compared";
    } catch (error) {
      return /** @type {{ failure?: Failure }} */ (error).failure?.code === "missing" ? "missing" : "changed";
    }
  }

  /** @param {string} name @param {string} file @param {Manifest} manifest @returns {Promise<Outcome>} */
  async function pageScript(name, file, manifest) {
    const before = cairn.scripts[file];
    delete cairn.scripts[file];
    const found = await load(name);
    const script = cairn.scripts[file];
    if (before) cairn.scripts[file] = before;
    if (!found) return "missing";
    return script && (await cairn.bytes.textHash(script)) === manifest.scripts[file] ? "compared" : "changed";
  }

  /**
   * Whether a file is there. A page as a script is an error at its first character, so nothing of it runs; a part only
   * registers its bytes.
   * @param {string} name
   * @returns {Promise<boolean>}
   */
  function load(name) {
    return new Promise((resolve) => {
      const script = document.createElement("script");
      script.src = page.root + name;
      script.onload = () => resolve(true);
      script.onerror = () => resolve(false);
      document.head.append(script);
    });
  }

  /** @param {string} name @returns {Promise<boolean>} */
  function picture(name) {
    return new Promise((resolve) => {
      const image = new Image();
      image.onload = () => resolve(true);
      image.onerror = () => resolve(false);
      image.src = page.root + name;
    });
  }

  /** @param {string} name @param {Outcome} outcome */
  function tell(name, outcome) {
    const line = document.createElement("li");
    const path = document.createElement("bdi");
    path.dir = "ltr";
    path.textContent = name;
    line.append(path, `: ${message(`verify.${outcome}`)}`);
    line.dataset.outcome = outcome;
    line.dataset.path = name;
    get("verify-faults").append(line);
  }

  /** @param {number} done @param {number} total */
  function progress(done, total) {
    /** @type {HTMLProgressElement} */ (get("verify-progress")).value = done / total;
    get("verify-count").textContent = message("verify.progress", { done, total });
  }

  window.addEventListener("error", (event) => event.preventDefault()); // of pages that were looked for as scripts
  get(fromFolder ? "verify-folder" : "verify-web").hidden = false;
  get("verify-start").addEventListener("click", check);
  get("verify-start").hidden = false;
})();
