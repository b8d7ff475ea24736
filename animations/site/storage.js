// A frame that blocks storage throws at its name: pages of the site keep there until they are left.
"use strict";

for (const name of ["localStorage", "sessionStorage"]) {
  try {
    window[name].length;
  } catch {
    const kept = new Map();
    const value = {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, text) => kept.set(key, `${text}`),
      removeItem: (key) => kept.delete(key),
    };
    Object.defineProperty(window, name, { value });
  }
}
