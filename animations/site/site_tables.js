// Tables of the site that a reader changes: times at a chosen size, rows that hold a text.
"use strict";

const MOST = 5; // times the fastest: longer bars end there

for (const box of document.querySelectorAll("[data-times]")) {
  const { sizes, rows } = JSON.parse(box.dataset.times);
  const slider = Object.assign(document.createElement("input"), {
    type: "range", min: 0, max: sizes.length - 1, value: Math.floor(sizes.length / 2), id: "size",
  });
  const label = Object.assign(document.createElement("label"), { htmlFor: "size", textContent: "Size of the vector: " });
  const now = document.createElement("output");
  const list = document.createElement("ol");
  list.className = "bars";
  const show = () => {
    const at = Number(slider.value);
    now.textContent = sizes[at];
    slider.setAttribute("aria-valuetext", sizes[at]);
    const timed = rows.filter((row) => row.seconds[at] !== null).sort((a, b) => a.seconds[at] - b.seconds[at]);
    list.replaceChildren(...timed.map((row) => {
      const item = document.createElement("li"), part = row.seconds[at] / (timed[0].seconds[at] || 1) / MOST;
      const name = Object.assign(document.createElement("a"), { href: row.address, textContent: row.name });
      const time = Object.assign(document.createElement("span"), { textContent: row.texts[at] });
      const users = Object.assign(document.createElement("small"), { textContent: row.libraries[at] });
      const bar = document.createElement("i");
      bar.style.width = `${Math.min(1, part) * 100}%`;
      if (part > 1) bar.className = "longer";
      const room = document.createElement("b");
      room.append(bar);
      item.append(name, time, room, users);
      return item;
    }));
  };
  slider.addEventListener("input", show);
  show();
  label.append(now);
  box.replaceChildren(label, slider, list);
}

for (const box of document.querySelectorAll("[data-filter]")) {
  const rows = [...box.querySelectorAll("tbody tr")], count = document.createElement("output");
  const label = Object.assign(document.createElement("label"), { textContent: box.dataset.filter });
  const field = Object.assign(document.createElement("input"), { type: "search" });
  const show = () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    count.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length}`;
  };
  field.addEventListener("input", show);
  label.append(field);
  const line = document.createElement("p");
  line.append(label, " ", count);
  box.prepend(line);
  show();
}
