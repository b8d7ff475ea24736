// Bytes that a page has as text (see modules.py), decompressed.

const VALUES = new Uint8Array(128); // of the letters
for (let code = 32, value = 0; code < 127; code++) {
  if (!'"&<\\'.includes(String.fromCharCode(code))) VALUES[code] = value++;
}

/**
 * What a text holds: two letters are 13 bits, the first says how many bytes at the end are too many.
 * @param {string} text
 * @returns {Promise<ArrayBuffer>}
 */
export function inflated(text) {
  const letters = new TextEncoder().encode(text);
  const bytes = new Uint8Array(((letters.length - 1) / 2) * 13 >> 3);
  for (let i = 1, at = 0, rest = 0, bits = 0; i < letters.length; i += 2) {
    rest = (rest << 13) | (VALUES[letters[i]] * 91 + VALUES[letters[i + 1]]);
    for (bits += 13; bits > 7; rest &= (1 << bits) - 1) bytes[at++] = rest >> (bits -= 8);
  }
  const { DecompressionStream } = /** @type {any} */ (globalThis); // unknown to older tsc
  const { readable, writable } = new DecompressionStream("deflate");
  const writer = writable.getWriter(); // a Blob would be read in another process
  writer.write(bytes.subarray(0, bytes.length - Number(text[0])));
  writer.close();
  return new Response(readable).arrayBuffer();
}
