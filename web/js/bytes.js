/**
 * The byte source: the only script that loads anything, and the only place where the page's origin matters.
 *
 * A page opened from a folder may not fetch, so each part also exists as a classic script that registers the same
 * gzip bytes. Whatever way bytes came, they count only when their hash is the manifest's. Adds `bytes`, and `put` for
 * those scripts.
 */
var cairn = /** @type {Cairn} */ (globalThis.cairn || {});

(function () {
  "use strict";

  const assets = new URL("../", /** @type {HTMLScriptElement} */ (document.currentScript).src).href;
  const fromFolder = location.protocol === "file:";
  const pageBuild = document.documentElement.dataset.build || "";
  /** @type {Map<string, string>} */
  const registered = new Map();

  /** @param {FailureCode} code @param {string} part @param {string} detail */
  function failure(code, part, detail) {
    return Object.assign(new Error(`${code}: ${part} ${detail}`), { failure: { code, part, detail } });
  }

  /**
   * A script's load event says nothing about its content: callers look for what it should have registered.
   * @param {string} file
   * @param {string} name
   */
  async function runScript(file, name) {
    const script = document.createElement("script");
    script.src = address(file);
    const loaded = new Promise((resolve) => {
      script.onload = () => resolve(true);
      script.onerror = () => resolve(false);
    });
    document.head.append(script);
    const found = await loaded;
    script.remove();
    if (!found) throw failure("missing", name, script.src);
  }

  /** The build in the query keeps a cached file of another build away. @param {string} file */
  function address(file) {
    return fromFolder ? assets + file : `${assets}${file}?${pageBuild}`;
  }

  async function manifest() {
    delete cairn.manifest;
    await runScript("manifest.js", "manifest.js");
    const found = /** @type {Manifest | undefined} */ (cairn.manifest);
    if (!wellFormed(found)) throw failure("damaged", "manifest.js", "not a manifest");
    if (found.build !== pageBuild) throw failure("mixed", "manifest.js", `page ${pageBuild}, parts ${found.build}`);
    return found;
  }

  /** @param {Manifest | undefined} found @returns {found is Manifest} */
  function wellFormed(found) {
    if (!found || found.format !== 1 || typeof found.build !== "string" || !found.parts) return false;
    return Object.values(found.parts).every(
      (each) => /^[0-9a-f]{64}$/.test(each?.sha256) && Number.isSafeInteger(each.size) && Number.isSafeInteger(each.gz)
    );
  }

  /** @param {Manifest} known @param {string} name @param {(arrived: number) => void} onBytes */
  async function part(known, name, onBytes) {
    const expected = known.parts[name];
    if (!expected) throw failure("damaged", name, "not in the manifest");
    const arrived = fromFolder ? await registeredBytes(name) : await fetchedBytes(name, onBytes);
    onBytes(expected.gz);
    const bytes = await unzipped(arrived, name, expected.size);
    if ((await cairn.sha256(bytes)) !== expected.sha256) throw failure("damaged", name, "hash differs");
    return bytes;
  }

  /** @param {string} name @param {string} base64 */
  function put(name, base64) {
    registered.set(name, base64);
  }

  /** @param {string} name */
  async function registeredBytes(name) {
    await runScript(`parts/${name}.js`, name);
    const base64 = registered.get(name);
    registered.delete(name);
    if (base64 === undefined) throw failure("damaged", name, "not a part");
    try {
      return decoded(base64);
    } catch {
      throw failure("damaged", name, "not base64");
    }
  }

  /** @param {string} base64 */
  function decoded(base64) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  }

  /** @param {string} name @param {(arrived: number) => void} onBytes */
  async function fetchedBytes(name, onBytes) {
    const response = await reach(name, () => fetch(address(`parts/${name}.gz`)));
    if (response.status >= 500) throw failure("unreachable", name, `status ${response.status}`);
    if (!response.ok || !response.body) throw failure("missing", name, `status ${response.status}`);
    const reader = response.body.getReader();
    /** @type {Uint8Array<ArrayBuffer>[]} */
    const chunks = [];
    let length = 0;
    for (let read = await reach(name, () => reader.read()); !read.done; read = await reach(name, () => reader.read())) {
      chunks.push(read.value);
      onBytes((length += read.value.length));
    }
    return joined(chunks, length);
  }

  /** @template T @param {string} name @param {() => Promise<T>} attempt @returns {Promise<T>} */
  async function reach(name, attempt) {
    try {
      return await attempt();
    } catch (error) {
      throw failure("unreachable", name, String(error));
    }
  }

  /** @param {Uint8Array<ArrayBuffer>[]} chunks @param {number} length */
  function joined(chunks, length) {
    const whole = new Uint8Array(length);
    let at = 0;
    for (const chunk of chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    return whole;
  }

  /**
   * Some servers decode a .gz on the way, so the two magic bytes decide.
   * @param {Uint8Array<ArrayBuffer>} bytes
   * @param {string} name
   * @param {number} size
   */
  async function unzipped(bytes, name, size) {
    if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes.buffer;
    const stream = new DecompressionStream("gzip");
    const writer = stream.writable.getWriter();
    // The reader below reports what goes wrong; a Blob as the source would be unreadable where the origin is opaque.
    writer.write(bytes).catch(() => {});
    writer.close().catch(() => {});
    const whole = new Uint8Array(size);
    let length = 0;
    try {
      const reader = stream.readable.getReader();
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        whole.set(read.value, length); // throws when there is more than the manifest says
        length += read.value.length;
      }
    } catch (error) {
      throw failure("damaged", name, String(error));
    }
    if (length !== size) throw failure("damaged", name, `${length} bytes instead of ${size}`);
    return whole.buffer;
  }

  cairn.put = put;
  cairn.bytes = { manifest, part, failure };
})();
