// The recordings of a catalog: which one an address names, and which comes next to a choice.

/**
 * The entries as objects.
 * @param {Catalog} catalog
 */
export function entriesOf({ fields, entries }) {
  return entries.map((values) => {
    return /** @type {Entry} */ (Object.fromEntries(fields.map((name, i) => [name, values[i]])));
  });
}

/**
 * What begins the name of a state of an entry in addresses: "all-reduce/ring/8/".
 * @param {Entry} entry
 */
export function entryAddress({ collective, algorithm, ranks }) {
  return `${[collective, algorithm, ranks].map(encodeURIComponent).join("/")}/`;
}

/**
 * The entry that an address names; undefined if it names none.
 * @param {Entry[]} entries
 * @param {string} hash
 */
export function addressedEntry(entries, hash) {
  return entries.find((entry) => hash.startsWith(`#${entryAddress(entry)}`));
}

/**
 * Of the entries with one value chosen anew, that which has most of the others in common.
 * @param {Entry[]} entries
 * @param {Entry} now
 * @param {Partial<Entry>} choice
 */
export function chosenEntry(entries, now, choice) {
  const fields = /** @type {const} */ (["collective", "algorithm", "ranks"]);
  const fitting = entries.filter((entry) => {
    return fields.every((field) => choice[field] === undefined || entry[field] === choice[field]);
  });
  const alike = (/** @type {Entry} */ entry) => {
    const same = fields.map((field) => Number(entry[field] === now[field]));
    return 4 * same[0] + 2 * same[2] + same[1];
  };
  const best = Math.max(...fitting.map(alike));
  return fitting.find((entry) => alike(entry) === best) ?? now;
}
