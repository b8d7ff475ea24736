// Runs the player, which is packed as it is long: the page's policy names it by its digest.

const text = document.getElementById("code")?.textContent ?? "";
const letters = [...Array(94).keys()].map((i) => String.fromCharCode(33 + i)).filter((letter) => !"\"&'<>\\`$/".includes(letter));
const values = new Map(letters.map((letter, value) => [letter, value])); // five letters are four bytes
const view = new DataView(new ArrayBuffer(((text.length - 1) / 5) * 4));
for (let i = 1, word = 0; i < text.length; i++) {
  word = word * 85 + (values.get(text[i]) ?? 0);
  if (i % 5) continue;
  view.setUint32((i / 5 - 1) * 4, word);
  word = 0;
}
const bytes = new Uint8Array(view.buffer, 0, view.byteLength - Number(text[0]));
const { DecompressionStream } = /** @type {any} */ (globalThis); // unknown to older tsc
const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
new Response(stream).text().then((code) => {
  const script = document.createElement("script");
  script.type = "module";
  script.textContent = code;
  document.body.append(script);
});
