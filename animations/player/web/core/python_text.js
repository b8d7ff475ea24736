// Rewrites Python that somebody types, token by token, for MicroPython: each yield notes its line,
// and what MicroPython's numbers lack is a call. No line moves.

/**
 * A piece of Python: kind "name", "number", "text", "sign", "comment", "space" or "end" (of a line).
 * @typedef {{kind: string, text: string, line: number}} Token
 */

const TOKEN = new RegExp([
  "(?<comment>#[^\\n]*)",
  "(?<text>[rbfuRBFU]{0,2}(?:\"\"\"[^]*?\"\"\"|'''[^]*?'''|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])*'))",
  "(?<name>[\\p{L}_][\\p{L}\\p{N}_]*)",
  "(?<number>\\.?\\d(?:[\\w.]|(?<=[eE])[-+])*)",
  "(?<end>\\n)",
  "(?<space>(?:[ \\t\\r\\f]|\\\\\\n)+)",
  "(?<sign>\\*\\*=?|//=?|<<=?|>>=?|[-+*/%&|^@=<>!:]=|->|[^])",
].join("|"), "uy");
const OPEN = "([{";
const CLOSE = ")]}";
const COMPARED = ["<", "<=", ">", ">="];
// after these, what stands before a comparison is all of its left side
const BEFORE = ["(", "[", "{", ",", "=", ":", ";", "and", "or", "not", "if", "elif", "while", "return", "else", "in", "lambda", "assert", ":="];
const TYPES = ["dict", "list", "set", "tuple", "type"]; // with brackets they name a type
const WORDS = ["and", "or", "not", "if", "elif", "while", "return", "else", "in", "is", "lambda", "yield", "from", "for", "assert", "import", "as", "del", "raise", "with"];

/**
 * @param {string} text
 * @returns {Token[]}
 */
export function tokensOf(text) {
  const found = [];
  let line = 1;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match && match[0]; match = TOKEN.exec(text)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined) ?? [""];
    found.push({ kind, text: match[0], line });
    line += match[0].split("\n").length - 1;
  }
  return found;
}

/**
 * The text as MicroPython runs it.
 * @param {string} text
 */
export function forMicroPython(text) {
  const tokens = tokensOf(text);
  const code = tokens.flatMap(({ kind }, at) => (kind === "space" || kind === "comment" ? [] : [at]));
  /** @type {string[][]} */
  const [before, after] = [tokens.map(() => ""), tokens.map(() => "")];
  const wrap = (/** @type {number} */ first, /** @type {string} */ call, /** @type {number} */ last) => {
    before[first] = call + before[first];
    after[last] += ")";
  };
  let depth = 0;
  code.forEach((at, place) => {
    const { kind, text: sign, line } = tokens[at];
    const next = (/** @type {number} */ by) => tokens[code[place + by]]?.text;
    if (kind === "sign") depth += Number(OPEN.includes(sign)) - Number(CLOSE.includes(sign));
    if (sign === "yield" && kind === "name") markYield(tokens, code, place, depth, before, after);
    if (sign === "bit_length" && next(-1) === "." && next(1) === "(" && next(2) === ")") {
      wrap(code[firstOf(tokens, code, place - 2)], "_bits_(", code[place - 2]);
      for (const by of [-1, 0, 1, 2]) tokens[code[place + by]] = { kind: "space", text: "", line };
    }
    if (TYPES.includes(sign) && next(1) === "[") tokens[at] = { kind, text: "_kinds_", line };
    if (kind === "sign" && (sign === "[" || sign === "(")) markStars(tokens, code, place, before, after);
    if (kind === "sign" && COMPARED.includes(sign)) {
      const first = firstOf(tokens, code, place - 1);
      const start = tokens[code[first - 1]];
      const whole = !start || start.kind === "end" || BEFORE.includes(start.text);
      if (!whole || tokens[code[place - 1]].kind === "text") return;
      wrap(code[first], "_left_(", code[place - 1]);
    }
  });
  return tokens.map((token, at) => before[at] + token.text + after[at]).join("");
}

/**
 * A yield that is a statement notes its line before it, or is told the generator it yields from.
 * @param {Token[]} tokens
 * @param {number[]} code
 * @param {number} place
 * @param {number} depth
 * @param {string[]} before
 * @param {string[]} after
 */
function markYield(tokens, code, place, depth, before, after) {
  const start = tokens[code[place - 1]];
  if (depth || (start && start.kind !== "end" && ![":", ";"].includes(start.text))) return;
  const { line } = tokens[code[place]];
  if (tokens[code[place + 1]]?.text !== "from") {
    before[code[place]] += `_at_line_(${line}); `;
    return;
  }
  let [last, open] = [place + 1, 0];
  for (let at = place + 2; at < code.length; at++) {
    const { kind, text } = tokens[code[at]];
    if (!open && (kind === "end" || text === ";")) break;
    if (kind === "sign") open += Number(OPEN.includes(text)) - Number(CLOSE.includes(text));
    if (kind !== "end") last = at;
  }
  after[code[place + 1]] += ` _from_line_(${line},`;
  after[code[last]] += ")";
}

/**
 * A list or tuple with stars in it, which is no call and no index, is put together of its parts.
 * @param {Token[]} tokens
 * @param {number[]} code
 * @param {number} place
 * @param {string[]} before
 * @param {string[]} after
 */
function markStars(tokens, code, place, before, after) {
  if (continues(tokens[code[place - 1]])) return;
  const [items, open] = [[[place + 1, place]], tokens[code[place]].text];
  let [at, depth] = [place + 1, 0];
  for (; at < code.length; at++) {
    const { kind, text } = tokens[code[at]];
    if (!depth && CLOSE.includes(text)) break;
    if (kind === "sign") depth += Number(OPEN.includes(text)) - Number(CLOSE.includes(text));
    if (!depth && text === ",") items.push([at + 1, at]);
    else if (kind !== "end") items[items.length - 1][1] = at;
    else if (items[items.length - 1][0] === at) items[items.length - 1][0]++;
  }
  const full = items.filter(([first, last]) => last >= first);
  if (at === code.length || !full.some(([first]) => tokens[code[first]].text === "*")) return;
  tokens[code[place]].text = open === "[" ? "_starred_(" : "tuple(_starred_(";
  tokens[code[at]].text = open === "[" ? ")" : "))";
  for (const [first, last] of full) {
    if (tokens[code[first]].text === "*") tokens[code[first]].text = "";
    else [before[code[first]], after[code[last]]] = [`[${before[code[first]]}`, `${after[code[last]]}]`];
  }
}

/**
 * Whether brackets after a token call it or take a part of it.
 * @param {Token | undefined} token
 */
function continues(token) {
  if (!token) return false;
  return CLOSE.includes(token.text || " ") || (token.kind === "name" && !WORDS.includes(token.text));
}

/**
 * Where the value begins that ends at a place: a name or brackets, and what they are called on.
 * @param {Token[]} tokens
 * @param {number[]} code
 * @param {number} place
 */
function firstOf(tokens, code, place) {
  let at = place;
  for (;;) {
    let depth = 0;
    while (at > 0 && !tokens[code[at]].text) at--; // what was taken out
    for (; at > 0; at--) {
      const { kind, text } = tokens[code[at]];
      if (kind === "sign") depth += Number(CLOSE.includes(text)) - Number(OPEN.includes(text));
      if (!depth) break;
    }
    const start = tokens[code[at - 1]];
    const brackets = OPEN.includes(tokens[code[at]].text || " ");
    if (start?.text === ".") at -= 2;
    else if (brackets && continues(start)) at--;
    else return at;
  }
}
