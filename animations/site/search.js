// Finds pages with most of the words, of which rare ones weigh more, where Sphinx wants all of them.
"use strict";

const withOne = Search.performTermsSearch;
Search.performTermsSearch = (terms, excluded) => {
  const pages = Search._index.docnames.length, found = new Map();
  for (const term of terms) {
    const results = withOne(new Set([term]), excluded);
    for (const result of results) {
      const sum = found.get(result[0]) ?? result.with(4, 0);
      sum[4] += result[4] * Math.log(1 + pages / results.length);
      found.set(result[0], sum);
    }
  }
  const best = Math.max(...[...found.values()].map((result) => result[4]));
  return [...found.values()].filter((result) => result[4] >= best / 2);
};
