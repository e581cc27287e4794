/**
 * The byte source: the only script that loads anything, and the only place where the page's origin matters.
 *
 * A page opened from a folder may not fetch, so each part also exists as a classic script that registers the same
 * gzip bytes. Whatever way bytes came, they count only when their hash is the manifest's. Adds `bytes`, and `put` for
 * those scripts.
 */
(function () {
  "use strict";

  const assets = new URL(`${document.documentElement.dataset.root || ""}assets/`, location.href).href;
  const fromFolder = location.protocol === "file:";
  /** Digits of a hash that name a version. */
  const VERSION = 16;
  const pageBuild = document.documentElement.dataset.build || "";
  /** @typedef {AsyncIterable<Uint8Array<ArrayBuffer>>} Chunks bytes as they arrive */
  /** @type {Map<string, string>} */
  const registered = new Map();
  /** @type {Map<string, (self: object) => void>} */
  const functions = new Map();
  /** Listings of parts by build and name. @type {Map<string, Promise<Record<string, ManifestPart>>>} */
  const listings = new Map();
  /** What the builder puts around a script that becomes a function; `self` only where the engine runs in the page. */
  const BEFORE = /^function\((?:self)?\)\{\n/;
  const AFTER = /\n\}$/;

  /** @param {FailureCode} code @param {string} part @param {string} detail */
  function failure(code, part, detail) {
    return Object.assign(new Error(`${code}: ${part} ${detail}`), { failure: { code, part, detail } });
  }

  /** @param {unknown} error @returns {Failure} */
  function asFailure(error) {
    const known = /** @type {{ failure?: Failure } | null} */ (error);
    return (known && known.failure) || { code: "crashed", part: "", detail: String(error) };
  }

  /**
   * A script's load event says nothing about its content: callers look for what it should have registered.
   * @param {string} file
   * @param {string} name
   * @param {string} version
   */
  async function runScript(file, name, version) {
    const script = document.createElement("script");
    script.src = address(file, version);
    const loaded = new Promise((resolve) => {
      script.onload = () => resolve(true);
      script.onerror = () => resolve(false);
    });
    document.head.append(script);
    const found = await loaded;
    script.remove();
    if (!found) throw failure("missing", name, script.src);
  }

  /** The query keeps a cached file of another version away. @param {string} file @param {string} version */
  function address(file, version) {
    return fromFolder ? assets + file : `${assets}${file}?${version.slice(0, VERSION)}`;
  }

  async function manifest() {
    delete cairn.manifest;
    await runScript("manifest.js", "manifest.js", pageBuild);
    const found = /** @type {Manifest | undefined} */ (cairn.manifest);
    if (!wellFormed(found)) throw failure("damaged", "manifest.js", "not a manifest");
    if (found.build !== pageBuild) throw failure("mixed", "manifest.js", `page ${pageBuild}, parts ${found.build}`);
    return found;
  }

  /** The first script of the page has looked at the others; none has looked at it. @param {Manifest} manifest */
  async function scripts({ scripts: known }) {
    const own = Object.entries(cairn.scripts);
    const hashes = await Promise.all(own.map(([, script]) => textHash(script)));
    own.forEach(([name], at) => {
      if (hashes[at] !== known[name]) throw failure("damaged", name, "hash differs");
    });
  }

  /** @param {Function} script */
  function textHash(script) {
    const text = Function.prototype.toString.call(script).replace(BEFORE, "").replace(AFTER, "");
    return cairn.sha256(new TextEncoder().encode(text).buffer);
  }

  /** @param {Manifest | undefined} found @returns {found is Manifest} */
  function wellFormed(found) {
    if (!found || found.format !== 1 || typeof found.build !== "string" || !found.parts || !found.scripts) return false;
    return areEntries(found.parts);
  }

  /** @param {Record<string, ManifestPart>} listed */
  function areEntries(listed) {
    return Object.values(listed).every(
      (each) => /^[0-9a-f]{64}$/.test(each?.sha256) && Number.isSafeInteger(each.size) && Number.isSafeInteger(each.gz)
    );
  }

  /**
   * @param {Manifest} known
   * @param {string} name
   * @param {(arrived: number) => void} onBytes
   * @param {Promise<unknown>} [first] what has to be there before this is unpacked
   * @returns {Promise<ArrayBuffer>}
   */
  async function part(known, name, onBytes, first) {
    const version = known.parts[name]?.sha256 || known.build;
    const load = async (/** @type {RequestCache} */ cache) => {
      const arriving = fromFolder ? fromScript(name) : fetched(name, version, cache, onBytes);
      const [chunks, expected] = await Promise.all([arriving, entry(known, name), first]);
      return checked(chunks, name, expected);
    };
    if (!known.parts[name] && !name.includes("/")) throw failure("damaged", name, "not in the manifest");
    try {
      return await load("default");
    } catch (error) {
      // A cache may hold what a host sent while its files were being replaced.
      if (fromFolder || !isDamage(error)) throw error;
      return load("reload");
    }
  }

  /**
   * What a part must be. Of many small parts the manifest names only the listing of their listings: all before the last
   * "/" of a name names the part that lists it.
   * @param {Manifest} known
   * @param {string} name
   * @returns {Promise<ManifestPart>}
   */
  async function entry(known, name) {
    const slash = name.lastIndexOf("/");
    const found = known.parts[name] || (await listed(known, name.slice(0, slash)))[name.slice(slash + 1)];
    if (!found) throw failure("damaged", name, "not in the manifest");
    return found;
  }

  /** @param {Manifest} known @param {string} listing */
  function listed(known, listing) {
    const key = `${known.build} ${listing}`;
    const reading = listings.get(key) || part(known, listing, () => {}).then((bytes) => parsed(bytes, listing));
    listings.set(key, reading);
    reading.catch(() => listings.delete(key));
    return reading;
  }

  /** @param {ArrayBuffer} bytes @param {string} listing @returns {Record<string, ManifestPart>} */
  function parsed(bytes, listing) {
    const found = JSON.parse(new TextDecoder().decode(bytes));
    if (!areEntries(found)) throw failure("damaged", listing, "not a listing");
    return found;
  }

  /** @param {unknown} error */
  function isDamage(error) {
    return /** @type {{ failure?: Failure }} */ (error).failure?.code === "damaged";
  }

  /** @param {Chunks} chunks @param {string} name @param {ManifestPart} expected */
  async function checked(chunks, name, expected) {
    const bytes = await unzipped(chunks, name, expected.size);
    if ((await cairn.sha256(bytes)) !== expected.sha256) throw failure("damaged", name, "hash differs");
    return bytes;
  }

  /**
   * Load parts side by side.
   * @param {Manifest} known
   * @param {string[]} names
   * @param {(share: number) => unknown} onShare how much of all has arrived, from 0 to 1
   * @param {(name: string, bytes: ArrayBuffer) => void} onPart
   * @param {Promise<unknown>} [first] what has to be there before any of them is unpacked
   */
  async function parts(known, names, onShare, onPart, first) {
    const total = names.reduce((sum, name) => sum + (known.parts[name]?.gz || 0), 0);
    /** @type {Map<string, number>} */
    const arrived = new Map();
    const loading = names.map(async (name) => {
      const show = (/** @type {number} */ count) => {
        arrived.set(name, count);
        onShare(Math.min(1, [...arrived.values()].reduce((sum, each) => sum + each, 0) / total));
      };
      const bytes = await part(known, name, show, first);
      arrived.set(name, known.parts[name]?.gz || 0);
      onPart(name, bytes);
    });
    await Promise.all(loading);
  }

  /** @param {string} name @param {string} base64 */
  function put(name, base64) {
    registered.set(name, base64);
  }

  /**
   * A script as a function, whose own text is what is checked before it runs.
   * @param {Manifest} known
   * @param {string} name
   */
  async function script(known, name) {
    const expected = known.parts[name]?.sha256 || "";
    await runScript(`run/${name}`, name, expected);
    const found = functions.get(name);
    functions.delete(name);
    if (!found || (await textHash(found)) !== expected) throw failure("damaged", name, "hash differs");
    return found;
  }

  /** @param {string} name @param {(self: object) => void} body */
  function run(name, body) {
    functions.set(name, body);
  }

  /** @param {string} name @returns {Promise<Chunks>} */
  async function fromScript(name) {
    await runScript(`parts/${name}.js`, name, "");
    const base64 = registered.get(name);
    registered.delete(name);
    if (base64 === undefined) throw failure("damaged", name, "not a part");
    try {
      return once(decoded(base64));
    } catch {
      throw failure("damaged", name, "not base64");
    }
  }

  /** @param {Uint8Array<ArrayBuffer>} bytes @returns {Chunks} */
  async function* once(bytes) {
    yield bytes;
  }

  /** @param {string} base64 */
  function decoded(base64) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  }

  /**
   * @param {string} name
   * @param {string} version
   * @param {RequestCache} cache
   * @param {(arrived: number) => void} onBytes
   * @returns {Promise<Chunks>}
   */
  async function fetched(name, version, cache, onBytes) {
    const response = await reach(name, () => fetch(address(`parts/${name}.gz`, version), { cache }));
    if (response.status >= 500) throw failure("unreachable", name, `status ${response.status}`);
    if (!response.ok || !response.body) throw failure("missing", name, `status ${response.status}`);
    return arriving(name, response.body.getReader(), onBytes);
  }

  /**
   * @param {string} name
   * @param {ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>} reader
   * @param {(arrived: number) => void} onBytes
   * @returns {Chunks}
   */
  async function* arriving(name, reader, onBytes) {
    let length = 0;
    for (let read = await reach(name, () => reader.read()); !read.done; read = await reach(name, () => reader.read())) {
      onBytes((length += read.value.length));
      yield read.value;
    }
  }

  /** @template T @param {string} name @param {() => Promise<T>} attempt @returns {Promise<T>} */
  async function reach(name, attempt) {
    try {
      return await attempt();
    } catch (error) {
      throw failure("unreachable", name, String(error));
    }
  }

  /** Unpack while bytes arrive. @param {Chunks} chunks @param {string} name @param {number} size */
  async function unzipped(chunks, name, size) {
    const unpacking = cairn.unpacking(size);
    for await (const chunk of chunks) unpacking.take(chunk);
    try {
      return await unpacking.end();
    } catch (error) {
      throw failure("damaged", name, String(error));
    }
  }

  cairn.put = put;
  cairn.run = run;
  cairn.bytes = { manifest, scripts, parts, script, textHash, failure, asFailure };
})();
