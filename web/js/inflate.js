/**
 * Gzip unpacked while it arrives; in script, for browsers without DecompressionStream: RFC 1952 around RFC 1951. The
 * caller knows the length and checks a hash, so the checksum in the trailer is not looked at. Adds `unpacking`.
 */
(function () {
  "use strict";

  const NAME_FLAGS = 0b1_1110;
  const HEADER = 10;
  const END_OF_BLOCK = 256;
  const MOST_BITS = 15;
  /** Section 3.2.7: the order in which lengths of the code of lengths are sent. */
  const LENGTHS_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
  /** Section 3.2.5: [first value, extra bits] of each symbol. */
  const LENGTHS = steps(3, [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5]);
  const DISTANCES = steps(1, [0, 0].concat(Array.from({ length: 28 }, (_, index) => index >> 1)));
  LENGTHS.push([258, 0]);

  /** @typedef {{ take(chunk: Uint8Array<ArrayBuffer>): void, end(): Promise<void> }} Way of unpacking */
  /** @typedef {{ bits: number, entries: Uint16Array }} Code entries: symbol << 4 | length, by the next bits */

  /** Reads bits, the lowest of each byte first, and writes bytes. */
  class Inflater {
    /** @param {Uint8Array} source @param {number} start @param {number} size */
    constructor(source, start, size) {
      this.source = source;
      this.at = start;
      this.held = 0;
      this.count = 0;
      this.out = new Uint8Array(size);
      this.length = 0;
    }

    /** @param {number} count */
    fill(count) {
      while (this.count < count) {
        if (this.at > this.source.length + MOST_BITS) throw new RangeError("the data ends early");
        this.held |= (this.source[this.at++] || 0) << this.count;
        this.count += 8;
      }
    }

    /** @param {number} count */
    drop(count) {
      this.held >>>= count;
      this.count -= count;
    }

    /** @param {number} count */
    take(count) {
      this.fill(count);
      const value = this.held & ((1 << count) - 1);
      this.drop(count);
      return value;
    }

    /** @param {Code} code */
    symbol(code) {
      this.fill(code.bits);
      const entry = code.entries[this.held & ((1 << code.bits) - 1)] || 0;
      if (entry === 0) throw new RangeError("no such code");
      this.drop(entry & 15);
      return entry >> 4;
    }

    run() {
      for (let last = 0; !last; ) {
        last = this.take(1);
        const kind = this.take(2);
        if (kind === 0) this.stored();
        else if (kind === 1) this.block(codeOf(fixedLengths()), codeOf(new Array(30).fill(5)));
        else if (kind === 2) this.dynamic();
        else throw new RangeError("no such kind of block");
      }
      if (this.length !== this.out.length) throw new RangeError(`${this.length} bytes`);
      return this.out;
    }

    stored() {
      this.drop(this.count % 8);
      const length = this.take(16);
      this.take(16);
      this.at -= this.count / 8;
      this.held = this.count = 0;
      this.out.set(this.source.subarray(this.at, this.at + length), this.length);
      this.at += length;
      this.length += length;
    }

    dynamic() {
      const [literals, distances, given] = [this.take(5) + 257, this.take(5) + 1, this.take(4) + 4];
      const lengths = new Array(19).fill(0);
      for (const place of LENGTHS_ORDER.slice(0, given)) lengths[place] = this.take(3);
      const code = codeOf(lengths);
      /** @type {number[]} */
      const all = [];
      while (all.length < literals + distances) {
        const symbol = this.symbol(code);
        if (symbol < 16) all.push(symbol);
        else if (symbol === 16) repeat(all, all[all.length - 1] || 0, 3 + this.take(2));
        else repeat(all, 0, symbol === 17 ? 3 + this.take(3) : 11 + this.take(7));
      }
      this.block(codeOf(all.slice(0, literals)), codeOf(all.slice(literals)));
    }

    /** @param {Code} literals @param {Code} distances */
    block(literals, distances) {
      for (let symbol = this.symbol(literals); symbol !== END_OF_BLOCK; symbol = this.symbol(literals)) {
        if (symbol < END_OF_BLOCK) {
          if (this.length === this.out.length) throw new RangeError("more bytes than announced");
          this.out[this.length++] = symbol;
        } else {
          const length = this.value(LENGTHS, symbol - END_OF_BLOCK - 1);
          this.copy(length, this.value(DISTANCES, this.symbol(distances)));
        }
      }
    }

    /** @param {number[][]} table @param {number} symbol */
    value(table, symbol) {
      const [first = 0, extra = 0] = table[symbol] || [];
      if (!first) throw new RangeError("no such symbol");
      return first + (extra ? this.take(extra) : 0);
    }

    /** @param {number} length @param {number} distance may be shorter than `length`: the copy repeats itself */
    copy(length, distance) {
      const { out } = this;
      const end = this.length + length;
      if (distance > this.length || end > out.length) throw new RangeError("a copy from outside");
      for (let to = this.length; to < end; to += 1) out[to] = /** @type {number} */ (out[to - distance]);
      this.length = end;
    }
  }

  /** @param {number} first @param {number[]} extras */
  function steps(first, extras) {
    return extras.map((extra) => {
      const step = [first, extra];
      first += 1 << extra;
      return step;
    });
  }

  function fixedLengths() {
    return Array.from({ length: 288 }, (_, index) => (index < 144 ? 8 : index < 256 ? 9 : index < 280 ? 7 : 8));
  }

  /** @param {number[]} list @param {number} value @param {number} times */
  function repeat(list, value, times) {
    for (let count = 0; count < times; count += 1) list.push(value);
  }

  /** Section 3.2.2: codes of one length are consecutive, in the order of symbols. @param {number[]} lengths @returns {Code} */
  function codeOf(lengths) {
    const bits = Math.max(1, ...lengths);
    const entries = new Uint16Array(1 << bits);
    let code = 0;
    for (let length = 1; length <= bits; length += 1) {
      lengths.forEach((each, symbol) => {
        if (each !== length) return;
        const step = 1 << length;
        for (let place = reversed(code, length); place < entries.length; place += step) {
          entries[place] = (symbol << 4) | length;
        }
        code += 1;
      });
      code <<= 1;
    }
    return { bits, entries };
  }

  /** @param {number} code @param {number} length */
  function reversed(code, length) {
    let result = 0;
    for (let bit = 0; bit < length; bit += 1) result |= ((code >> bit) & 1) << (length - 1 - bit);
    return result;
  }

  /** @param {Uint8Array} bytes @param {number} size of what comes out; anything else throws */
  function gunzip(bytes, size) {
    if (bytes[2] !== 8 || (bytes[3] || 0) & NAME_FLAGS) throw new RangeError("not gzip as this site's builder writes it");
    return new Inflater(bytes, HEADER, size).run();
  }

  /** Room for bytes whose number is known. */
  class Room {
    /** @param {number} size */
    constructor(size) {
      this.bytes = new Uint8Array(size);
      this.length = 0;
    }

    /** @param {Uint8Array} chunk */
    put(chunk) {
      if (this.length + chunk.length <= this.bytes.length) this.bytes.set(chunk, this.length);
      this.length += chunk.length;
    }

    full() {
      if (this.length !== this.bytes.length) throw new RangeError(`${this.length} bytes instead of ${this.bytes.length}`);
      return this.bytes.buffer;
    }
  }

  /** @param {number} size @returns {Unpacking} */
  function unpacking(size) {
    const room = new Room(size);
    /** @type {Way | undefined} */
    let way;
    return {
      take: (chunk) => (way ||= wayOf(chunk, room)).take(chunk),
      async end() {
        await way?.end();
        return room.full();
      },
    };
  }

  /** Some servers decode a .gz on the way, so the two magic bytes decide. @param {Uint8Array} first @param {Room} room @returns {Way} */
  function wayOf(first, room) {
    if (first[0] !== 0x1f || first[1] !== 0x8b) return { take: (chunk) => room.put(chunk), end: async () => {} };
    return typeof DecompressionStream === "function" ? streaming(room) : inScript(room);
  }

  /** @param {Room} room @returns {Way} */
  function streaming(room) {
    const { readable, writable } = new DecompressionStream("gzip");
    const writer = writable.getWriter();
    const reading = drain(readable.getReader(), room);
    reading.catch(() => {}); // whoever waits for the end is told
    return {
      take: (chunk) => void writer.write(chunk).catch(() => {}),
      end() {
        writer.close().catch(() => {});
        return reading;
      },
    };
  }

  /** @param {ReadableStreamDefaultReader<Uint8Array>} reader @param {Room} room */
  async function drain(reader, room) {
    for (let read = await reader.read(); !read.done; read = await reader.read()) room.put(read.value);
  }

  /** @param {Room} room @returns {Way} */
  function inScript(room) {
    /** @type {Uint8Array[]} */
    const chunks = [];
    return {
      take: (chunk) => void chunks.push(chunk),
      async end() {
        const packed = new Room(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
        chunks.forEach((chunk) => packed.put(chunk));
        room.put(gunzip(packed.bytes, room.bytes.length));
      },
    };
  }

  cairn.unpacking = unpacking;
})();
