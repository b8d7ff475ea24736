// Finds pages with most of the words, of which rare ones weigh more, where Sphinx wants all of them.
"use strict";

const BELOW_TITLES = 10; // a title that is what was asked for comes first

const withOne = Search.performTermsSearch;
Search.performTermsSearch = (terms, excluded) => {
  const pages = Search._index.docnames.length, found = new Map();
  for (const term of terms) {
    const results = withOne(new Set([term]), excluded);
    for (const result of results) {
      const sum = found.get(result[0]) ?? result.with(4, 0);
      const answers = result[0].startsWith("work/question-") ? 2 : 1; // long pages hold any word
      sum[4] += result[4] * answers * Math.log(1 + pages / results.length) / BELOW_TITLES;
      found.set(result[0], sum);
    }
  }
  const best = Math.max(...[...found.values()].map((result) => result[4]));
  return [...found.values()].filter((result) => result[4] >= best / 2);
};
