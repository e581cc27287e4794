/**
 * SHA-256 of a part: crypto.subtle where the origin has it (file:, https: and this machine), FIPS 180-4 in script
 * elsewhere, in slices so that the page stays responsive.
 */
(function () {
  "use strict";

  const SLICE = 1 << 18;
  const ROUNDS = roundConstants();

  /** @param {ArrayBuffer} bytes @returns {Promise<string>} */
  async function sha256(bytes) {
    if (globalThis.crypto && crypto.subtle) return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
    return hex(await inScript(new Uint8Array(bytes)));
  }

  /** @param {Uint8Array} bytes */
  function hex(bytes) {
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  /** @param {Uint8Array} bytes @returns {Promise<Uint8Array>} */
  async function inScript(bytes) {
    const state = initialState();
    const whole = bytes.length - (bytes.length % 64);
    for (let start = 0; start < whole; start += SLICE) {
      compress(state, bytes.subarray(start, Math.min(start + SLICE, whole)));
      await new Promise((resume) => setTimeout(resume, 0));
    }
    compress(state, padded(bytes.subarray(whole), bytes.length));
    const digest = new DataView(new ArrayBuffer(32));
    state.forEach((word, index) => digest.setUint32(4 * index, word));
    return new Uint8Array(digest.buffer);
  }

  /** Section 5.1.1: a one bit, zeros, and the length in bits. @param {Uint8Array} rest @param {number} length */
  function padded(rest, length) {
    const block = new Uint8Array(rest.length < 56 ? 64 : 128);
    block.set(rest);
    block[rest.length] = 0x80;
    const view = new DataView(block.buffer);
    view.setUint32(block.length - 8, Math.floor(length / 0x20000000));
    view.setUint32(block.length - 4, (length << 3) >>> 0);
    return block;
  }

  /** Section 6.2.2. @param {Uint32Array} state @param {Uint8Array} blocks */
  function compress(state, blocks) {
    const view = new DataView(blocks.buffer, blocks.byteOffset, blocks.byteLength);
    const words = new Int32Array(64);
    for (let start = 0; start < blocks.length; start += 64) {
      schedule(words, view, start);
      let [a, b, c, d, e, f, g, h] = /** @type {[number, number, number, number, number, number, number, number]} */ (
        /** @type {unknown} */ (Int32Array.from(state))
      );
      for (let i = 0; i < 64; i++) {
        const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
        const choice = (e & f) ^ (~e & g);
        const t1 = (h + s1 + choice + /** @type {number} */ (ROUNDS[i]) + /** @type {number} */ (words[i])) | 0;
        const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
        const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
      }
      [a, b, c, d, e, f, g, h].forEach((word, index) => {
        state[index] = /** @type {number} */ (state[index]) + word;
      });
    }
  }

  /** @param {Int32Array} words @param {DataView} view @param {number} start */
  function schedule(words, view, start) {
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(start + 4 * i);
    for (let i = 16; i < 64; i++) {
      const early = /** @type {number} */ (words[i - 15]);
      const late = /** @type {number} */ (words[i - 2]);
      const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
      const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
      words[i] = /** @type {number} */ (words[i - 16]) + s0 + /** @type {number} */ (words[i - 7]) + s1;
    }
  }

  /** @param {number} word @param {number} by */
  function rotate(word, by) {
    return (word >>> by) | (word << (32 - by));
  }

  /** Section 4.2.2: first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
  function roundConstants() {
    return Int32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime)));
  }

  /** Section 5.3.3: the same of the square roots of the first eight. */
  function initialState() {
    return Uint32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)));
  }

  /** @param {number} value */
  function fraction(value) {
    return Math.floor((value - Math.floor(value)) * 0x100000000) | 0;
  }

  /** @param {number} count */
  function primes(count) {
    /** @type {number[]} */
    const found = [];
    for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime)) found.push(n);
    return found;
  }

  cairn.sha256 = sha256;
})();
