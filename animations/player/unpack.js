// Runs the player, which is packed as it is long: the page's policy names it by its digest.

const text = document.getElementById("code")?.textContent ?? "";
const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const { DecompressionStream } = /** @type {any} */ (globalThis); // unknown to older tsc
const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
new Response(stream).text().then((code) => {
  const script = document.createElement("script");
  script.type = "module";
  script.textContent = code;
  document.body.append(script);
});
