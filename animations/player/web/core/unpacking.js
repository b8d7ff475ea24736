// Bytes that a page has as text (see modules.py), decompressed.

const VALUES = new Uint8Array(128); // of the letters
for (let code = 33, value = 0; code < 127; code++) {
  if (!"\"&'<>\\`$/".includes(String.fromCharCode(code))) VALUES[code] = value++;
}

/**
 * What a text holds: five letters are four bytes, the first says how many of the last are left out.
 * @param {string} text
 * @returns {Promise<ArrayBuffer>}
 */
export function inflated(text) {
  const letters = new TextEncoder().encode(text);
  const view = new DataView(new ArrayBuffer(((letters.length - 1) / 5) * 4));
  for (let i = 1, at = 0; i < letters.length; at += 4) {
    let word = 0;
    for (const end = i + 5; i < end; i++) word = word * 85 + VALUES[letters[i]];
    view.setUint32(at, word);
  }
  const { DecompressionStream } = /** @type {any} */ (globalThis); // unknown to older tsc
  const { readable, writable } = new DecompressionStream("deflate");
  const writer = writable.getWriter(); // a Blob would be read in another process
  writer.write(new Uint8Array(view.buffer, 0, view.byteLength - Number(text[0])));
  writer.close();
  return new Response(readable).arrayBuffer();
}
