// Before each module that Node runs: the words of pages, which page.py puts before a page's code.

globalThis.WORDS = JSON.parse(process.env.PAGE_WORDS);
