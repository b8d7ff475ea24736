// What a page says: the patterns of its language (see phrases/en/page.toml), with fields put in.

/** @typedef {import("./phrases.js").Part} Part */

const FIELD = /\{(\w+)\}/;
const LANGUAGES = Object.keys(WORDS);
let [spoken] = LANGUAGES;

/**
 * From now on in a language of the page, the first one for a name it does not have; its number.
 * @param {string} language
 */
export function speak(language) {
  spoken = isSpoken(language) ? language : LANGUAGES[0];
  return LANGUAGES.indexOf(spoken);
}

/** @param {string} language */
export function isSpoken(language) {
  return LANGUAGES.includes(language);
}

/** The language that is spoken; nothing for the page's first one. */
export function otherLanguage() {
  return spoken === LANGUAGES[0] ? "" : spoken;
}

/**
 * The languages of the page, each with its name in itself.
 * @returns {[language: string, name: string][]}
 */
export function languagesHere() {
  const key = "language.name";
  return LANGUAGES.map((language) => [language, WORDS[language][key]]);
}

/**
 * A pattern by its key, in whose place it may stand itself: see pack/word_keys.py.
 * @param {string} key
 */
function phraseOf(key) {
  return WORDS[spoken][key] ?? key;
}

/**
 * The text of a pattern.
 * @param {string} key
 * @param {Record<string, string | number>} fields
 */
export function word(key, fields = {}) {
  return phraseOf(key).split(FIELD).map((piece, i) => (i % 2 ? fields[piece] : piece)).join("");
}

/**
 * The same where fields are parts of a sentence.
 * @param {string} key
 * @param {Record<string, Part | Part[]>} fields
 * @returns {Part[]}
 */
export function wordParts(key, fields) {
  return phraseOf(key).split(FIELD).flatMap((piece, i) => (i % 2 ? fields[piece] : piece || []));
}

/**
 * A number with the decimal sign of the language; its digits in threes keep no comma then.
 * @param {string} text with one number
 */
export function decimal(text) {
  const point = word("parts.point");
  return point === "." ? text : text.replaceAll(",", "").replace(".", point);
}

/**
 * Sentences one after another.
 * @param {readonly string[]} texts
 */
export function inARow(texts) {
  return texts.filter(Boolean).reduce((first, last) => (first ? word("parts.following", { first, last }) : last), "");
}

/**
 * A number of things: one of its forms where the language has several.
 * @param {number} number
 * @param {string} noun
 */
export function count(number, noun) {
  const forms = word(`count.${noun}`, { number }).split("|");
  return forms[number === 1 ? 0 : forms.length - 1];
}

/**
 * Some names in a row: a, b and c.
 * @param {string[]} names
 */
export function namesInRow(names) {
  const [last, first] = [names[names.length - 1], names.slice(0, -1).join(word("parts.comma"))];
  return first ? word("parts.and", { first, last }) : last;
}
