// The player: shows a story (see data.py) in any element, step by step, forward and back.
// SHEET, its elements (player.html), is put before this by page.py.

const SVG = "http://www.w3.org/2000/svg";
const PLAIN = 8; // ranks from here on are hatched: they share the hues of the first ones
const CROWD = 0.12; // most of the stage that moving chunks may cover
const MOVE = 9; // numbers of a move: src, dst, chunk, into, adds, cell, size, data, line
const MANY = 40; // hops from which on they are thin lines without arrows
const FEW = 8; // transfers up to which their list has larger letters
const REMARK = /^\s*(#|""")/; // comments and docstrings: quiet, and wrapped where too long
const [LARGEST, SMALLEST] = [22, 8]; // letters of the source
const [ROOM, HEIGHT] = [990, 216]; // of it: characters in a line, and lines, times their size
const MOST_LISTED = 300; // transfers of a step that are listed
const NARROW = 5; // width of a cell up to which a card has one well for all of them
const HOLD = [150, 600]; // least and most milliseconds between two steps of a playback
const WHOLE = 30_000; // what these should not exceed together
const EM = [0.54, 0.59]; // widths of a letter and of a digit
const SPEEDS = [1, 2, 4, 0.5];
const KEYS = { ArrowRight: "next", n: "next", ArrowLeft: "back", p: "back", Home: "first" };
Object.assign(KEYS, { End: "last", " ": "play", "?": "help" });
Object.assign(KEYS, { t: "transfers", s: "speed", d: "theme" });

let players = 0; // of one widget: each has a copy of this module

/** The story that was packed (see `pack` in data.py) as base64; a promise of it. */
export async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const whole = await new Response(stream).arrayBuffer();
  const length = new DataView(whole).getUint32(0, true);
  const story = JSON.parse(new TextDecoder().decode(new Uint8Array(whole, 4, length)));
  const numbers = new Uint16Array(whole.slice(4 + length));
  let at = 0;
  const table = (total, width) => {
    const base = at;
    let row = 0;
    at += total;
    return (count) => {
      const place = (i) => base + (i % width) * (total / width) + row + Math.floor(i / width);
      const taken = Uint16Array.from({ length: count }, (_, i) => numbers[place(i)]);
      row += count / width;
      return taken;
    };
  };
  story.start = table(story.start, 3)(story.start);
  const total = (i) => story.frames.reduce((sum, frame) => sum + frame[i], 0);
  const tables = [table(total(1), MOVE), table(total(2), 3), table(total(3), 1)];
  for (const frame of story.frames) tables.forEach((take, i) => (frame[i + 1] = take(frame[i + 1])));
  return story;
}

/**
 * Build a player in `root`; `alone` if it has the page to itself, with its keys and address.
 * The root tells each step by a "step" event and obeys a "goto" event; both have it as detail.
 * Returns a function that takes it away again.
 */
export function play(root, story, alone = false) {
  const page = build(root, story);
  const cells = memory(page, story);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const last = story.frames.length;
  const duration = Math.max(700, 1400 - 50 * story.cards.length);
  const hold = Math.min(Math.max(HOLD[0], WHOLE / last), HOLD[1]) * (calm.matches ? 3 : 1);
  let [step, playing, flight, timer, speed] = [0, false, 0, 0, 1];

  function go(target, animate = false) {
    stop();
    const next = Math.min(Math.max(target, 0), last);
    const flies = animate && !calm.matches && next === step + 1 && canFly(story, next);
    step = next;
    cells.moveTo(flies ? step - 1 : step);
    showStep(page, story, step);
    if (alone) remember(step);
    root.dispatchEvent(new CustomEvent("step", { detail: step }));
    if (flies) depart();
    else land();
  }

  function stop() {
    cancelAnimationFrame(flight);
    clearTimeout(timer);
  }

  function depart() {
    settle(page, story, step - 1);
    const moves = showMoves(page, story, step, false);
    const begin = performance.now();
    const tick = (now) => {
      const time = Math.max(0, (now - begin) * (speed / duration));
      if (time >= 1) return land();
      travel(page, story, step, moves, time);
      flight = requestAnimationFrame(tick);
    };
    tick(begin);
  }

  function land() {
    cells.moveTo(step);
    showMoves(page, story, step, true);
    settle(page, story, step);
    if (step === last) setPlaying(false);
    if (playing) timer = setTimeout(() => go(step + 1, true), hold / speed);
  }

  function setPlaying(value) {
    playing = value;
    page.play.setAttribute("aria-label", playing ? "Pause" : "Play");
  }

  function move(target, animate) {
    setPlaying(false);
    go(target, animate);
  }

  function toggle() {
    clearTimeout(timer);
    setPlaying(!playing && last > 0);
    if (playing) go(step === last ? 0 : step + 1, true);
  }

  function changeSpeed() {
    speed = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length];
    page.speed.textContent = `${speed}×`;
    page.speed.setAttribute("aria-label", `Speed: ${speed}×`);
  }

  function changeTheme() {
    root.dataset.theme = root.dataset.theme === "light" ? "dark" : "light";
    cells.repaint();
  }

  function toggleTransfers() {
    const listed = page.transfers.getAttribute("aria-pressed") !== "true";
    page.transfers.setAttribute("aria-pressed", listed);
    showTransfers(page, story, step);
  }

  const acts = {
    first: () => move(0),
    back: () => move(step - 1),
    play: toggle,
    next: () => move(step + 1, true),
    last: () => move(last),
    speed: changeSpeed,
    transfers: toggleTransfers,
    theme: changeTheme,
    help: () => page.dialog.showModal(),
  };
  const ended = new AbortController();
  const on = (target, kind, act) => target.addEventListener(kind, act, { signal: ended.signal });
  for (const [name, act] of Object.entries(acts)) on(page[name], "click", act);
  on(page.scrub, "input", () => move(Number(page.scrub.value)));
  on(alone ? document : root, "keydown", (event) => pressed(event, page, acts));
  on(root, "goto", (event) => event.detail !== step && move(event.detail));
  if (alone) on(window, "hashchange", () => address() !== step && move(address()));
  const resized = new ResizeObserver(cells.repaint);
  if (story.table) resized.observe(page.canvas);
  go(alone ? address() : 0);
  return () => {
    stop();
    resized.disconnect();
    ended.abort();
    root.replaceChildren();
  };
}

/** The step that the page's address asks for. */
function address() {
  return Number(/^#step=(\d{1,6})$/.exec(location.hash)?.[1] ?? 0);
}

function remember(step) {
  try {
    history.replaceState(null, "", `#step=${step}`);
  } catch {
    // a sandboxed frame has no address of its own
  }
}

function pressed(event, page, acts) {
  const act = acts[KEYS[event.key]];
  if (!act || event.ctrlKey || event.altKey || event.metaKey || page.dialog.open) return;
  if (event.key === " " && event.target.closest?.("button")) return;
  event.preventDefault();
  act();
}

/** The cells as they are after any number of steps, drawn; every change can be taken back. */
function memory(page, story) {
  const held = story.cards.map(() => story.slots.map(() => 0));
  const [paint, fit] = (story.table ? squares : shapes)(page, story);
  const undone = [];
  let at = 0;
  const put = (changes) => {
    const old = [];
    for (const [node, slot, cell] of inGroups(changes, 3)) {
      old.push(node, slot, held[node][slot]);
      held[node][slot] = cell;
      paint(node, slot, cell);
    }
    return old;
  };
  const moveTo = (target) => {
    while (at < target) undone[at] = put(story.frames[at++][2]);
    while (at > target) put(undone[--at]);
  };
  const repaint = () => {
    if (fit()) held.forEach((cells, node) => cells.forEach((cell, slot) => paint(node, slot, cell)));
  };
  repaint();
  put(story.start);
  return { moveTo, repaint };
}

/** Paints a cell of a card. */
function shapes(page, story) {
  const paint = (node, slot, cell) => {
    page.cells[node][slot].replaceChildren();
    drawContent(page, story, page.cells[node][slot], cell, corner(story, node, slot));
  };
  return [paint, () => false];
}

/** Paints a cell of the matrix, in whole pixels of a canvas, which is fitted to its size first. */
function squares(page, story) {
  const { box, size, columns } = story.table;
  const { canvas } = page;
  const ink = canvas.getContext("2d");
  let [colors, across, down] = [[], 0, 0];
  const fit = () => {
    const ratio = globalThis.devicePixelRatio;
    canvas.width = Math.max(1, Math.round(ratio * canvas.clientWidth));
    canvas.height = Math.max(1, Math.round(ratio * canvas.clientHeight));
    [across, down] = [canvas.width / box[2], canvas.height / box[3]];
    const style = getComputedStyle(canvas);
    const names = ["--empty", ...story.legend[1].map((_, i) => `--shade-${i}`)];
    colors = names.map((name) => style.getPropertyValue(name));
    return true;
  };
  const paint = (node, slot, cell) => {
    const first = story.cards[node][0] - box[0] + columns[slot] * size[0];
    const row = Math.round((story.cards[node][1] - box[1]) / size[1]);
    const [left, right] = [first, first + size[0]].map((at) => Math.round(across * at));
    const [top, bottom] = [row, row + 1].map((at) => Math.round(down * at * size[1]));
    const line = across * size[0] > 5 && down * size[1] > 5 ? 1 : 0;
    ink.fillStyle = colors[cell ? story.contents[cell][0] + 1 : 0];
    ink.fillRect(left, top, right - left - line, bottom - top - line);
  };
  return [paint, fit];
}

/** What is known of a step before its chunks arrive: caption, phase, source. */
function showStep(page, story, step) {
  const part = step ? story.frames[step - 1][0] + 1 : 0;
  page.subtitle.textContent = story.subtitles[part];
  page.caption.textContent = story.captions[step];
  page.note.textContent = story.notes[step];
  page.note.classList.remove("ending");
  page.scrub.value = step;
  page.scrub.setAttribute("aria-valuetext", story.captions[step]);
  for (const name of ["first", "back"]) page[name].ariaDisabled = `${step === 0}`;
  for (const name of ["next", "last"]) page[name].ariaDisabled = `${step === story.frames.length}`;
  const frame = story.frames[Math.max(step, 1) - 1];
  const source = frame?.[4][frame[1][MOVE * frame[6] + 8]];
  if (source) showSource(page, story.sources[source[0]], source, step > 0);
  else {
    page.code = null;
    page.source.replaceChildren();
    html(page.source, "div", "line faint", step ? "source not known" : "no code has to run");
  }
  showTransfers(page, story, step);
}

/** Every transfer of a step in words, with the values that move, if they are asked for. */
function showTransfers(page, story, step) {
  const listed = page.transfers.getAttribute("aria-pressed") === "true";
  page.sheet.classList.toggle("telling", listed);
  page.list.replaceChildren();
  if (!listed) return;
  const [, moves, , , , values] = step ? story.frames[step - 1] : [0, [], [], [], [], []];
  page.list.classList.toggle("few", moves.length <= MOVE * FEW);
  page.number.textContent = step ? `${moves.length / MOVE}` : "nothing has moved yet";
  inGroups(moves, MOVE).slice(0, MOST_LISTED).forEach((move, i) => {
    const [src, dst, , , adds, , size, data] = move;
    const item = html(page.list, "li");
    const [one, other] = [story.names[src], story.names[dst]];
    const alike = other.startsWith(one.split(" ")[0]); // rank 0 → 1, but rank 0 → switch 1
    html(item, "span", "way", `${one} → ${alike ? other.split(" ")[1] : other}`);
    html(item, "b", "", adds ? "+" : "=");
    html(item, "span", "", story.data[data]);
    html(item, "span", "size", story.sizes[size]);
    html(item, "span", "values", values[i] ?? "");
  });
  const more = moves.length / MOVE - MOST_LISTED;
  if (more > 0) html(page.list, "li", "faint", `… and ${more} more`);
}

function showSource(page, code, [, first, last, variables], running) {
  if (page.code !== code) buildSource(page, code);
  code[0].forEach((text, i) => {
    const now = running && first <= i && i <= last;
    page.source.children[i].className = now ? "line now" : REMARK.test(text) ? "line faint" : "line";
  });
  page.source.lastChild.textContent = running ? variables : "";
  const { offsetTop = 0 } = page.source.querySelector(".now") ?? {};
  page.source.scrollTop = offsetTop - page.source.clientHeight / 2;
}

function buildSource(page, code) {
  const [lines, columns] = code;
  page.code = code;
  page.source.replaceChildren();
  page.source.style.setProperty("--columns", columns);
  page.source.style.setProperty("--size", sizeOf(lines));
  for (const text of lines) {
    html(page.source, "div", "line", text || " ").style.setProperty("--indent", indentOf(text));
  }
  html(page.source, "div", "variables");
}

/** The size of letters at which all lines fit below one another, remarks wrapped. */
function sizeOf(lines) {
  let size = LARGEST;
  const wrapped = (text, indent) => Math.ceil((text.length - indent) / (ROOM / size - indent));
  const rows = (text) => (REMARK.test(text) ? wrapped(text, indentOf(text)) : 1);
  const height = () => size * lines.reduce((sum, text) => sum + rows(text), 1);
  while (size > SMALLEST && height() > HEIGHT) size -= 0.25;
  return size;
}

function indentOf(text) {
  return text.length - text.trimStart().length;
}

/** What counts once a step's chunks have arrived: numbers, bars, timeline, the ending. */
function settle(page, story, step) {
  const sent = step ? story.frames[step - 1][3] : page.sent.map(() => 0);
  page.sent.forEach((text, node) => (text.textContent = `sent ${story.amounts[sent[node]]}`));
  story.counters.forEach(([, , texts], i) => (page.rows[i].numbers.textContent = texts[step]));
  if (story.table) page.complete.textContent = story.table.complete[step];
  fill(page, story, step);
  if (step < story.frames.length) return;
  page.note.textContent = story.ending;
  page.note.classList.add("ending");
}

/** Bars and timeline after `step` steps, which need not be whole. */
function fill(page, story, step) {
  const done = Math.floor(step);
  story.counters.forEach(([, values, , bound], i) => {
    const scale = Math.max(values.at(-1), bound) || 1;
    const next = values[done + 1] ?? values[done];
    const now = values[done] + (step - done) * (next - values[done]);
    page.rows[i].bar.style.width = `${(100 * now) / scale}%`;
    page.rows[i].bound.style.left = `${(100 * bound) / scale}%`;
    page.rows[i].bound.hidden = bound === null;
  });
  story.phases.forEach(([, first, end], phase) => {
    const part = Math.min(Math.max((step - first) / (end - first), 0), 1);
    page.parts[phase].style.width = `${100 * part}%`;
  });
}

/** Whether the chunks of a step are few enough to be followed. */
function canFly(story, step) {
  return !story.table && story.frames[step - 1][1].length / MOVE <= story.most.moves;
}

/** Draw the chunks of a step where they start, for `travel` to move, or mark where they landed. */
function showMoves(page, story, step, landed) {
  const all = step ? inGroups(story.frames[step - 1][1], MOVE) : [];
  const moves = step && canFly(story, step) && !(landed && isNarrow(story)) ? all : [];
  page.changed.setAttribute("d", outlines(story, moves.length ? [] : all));
  const pairs = Map.groupBy(moves, ([src, dst]) => `${src} ${dst}`);
  const hero = step ? story.frames[step - 1][6] : 0;
  drawHops(page, story, [...pairs.values()], moves[hero]);
  showLens(page, story, all[hero]);
  const drawn = moves.map((move) => {
    const [src, dst, chunk, into, adds] = move;
    const data = { "data-src": src, "data-dst": dst, "data-chunk": chunk, "data-into": into };
    const kind = { class: move === all[hero] ? "move example" : "move", ...data };
    const group = svg(null, "g", { ...kind, "data-verb": adds ? "+" : "=" });
    const row = pairs.get(`${src} ${dst}`);
    const size = chunkSize(story, moves.length, row.length);
    if (landed) drawOutline(group, corner(story, dst, into), story.cell, story.radii.cell);
    else drawChunk(page, story, group, move, size, move === row.at(-1));
    return { group, from: center(story, src, chunk), to: center(story, dst, into) };
  });
  page.moves.setAttribute("class", moves.length > MANY ? "many" : "");
  page.moves.replaceChildren(...drawn.map(({ group }) => group).reverse());
  if (drawn.length) page.moves.append(drawn[hero].group);
  return drawn;
}

/** A path around the cells that moves go to, together where they are neighbors. */
function outlines(story, moves) {
  const touched = story.cards.map(() => []);
  for (const [, dst, , into] of moves) touched[dst][into] = true;
  const beside = (node, other) => story.table && story.cards[other]?.[0] === story.cards[node][0];
  const pad = isNarrow(story) ? 1.5 : 0;
  const [width, height] = [story.pitch + 2 * pad, story.cell[1] + 2 * pad];
  const next = (slot, other) => {
    const [a, b] = [story.slots[slot], story.slots[other]];
    return b && a[1] === b[1] && Math.abs(a[0] - b[0]) < 1.1 * story.pitch;
  };
  const edges = [];
  touched.forEach((slots, node) => {
    slots.forEach((_, slot) => {
      const [x, y] = corner(story, node, slot).map((place) => place - pad);
      if (!beside(node, node - 1) || !touched[node - 1][slot]) edges.push(`M${x} ${y}h${width}`);
      if (!beside(node, node + 1) || !touched[node + 1][slot]) {
        edges.push(`M${x} ${y + height}h${width}`);
      }
      if (!next(slot, slot - 1) || !slots[slot - 1]) edges.push(`M${x} ${y}v${height}`);
      if (!next(slot, slot + 1) || !slots[slot + 1]) edges.push(`M${x + width} ${y}v${height}`);
    });
  });
  return edges.join("");
}

/** Whether cells are so narrow that they share a well, and outlines would cover them. */
function isNarrow(story) {
  return !story.table && story.cell[0] < NARROW;
}

/** Width and height of a chunk on its way: its cell's in a row of several, else more telling. */
function chunkSize(story, count, inRow) {
  const [width, height] = story.cell;
  if (inRow > 1) return [width, height];
  const wide = Math.min(72, Math.max(1.12 * width, Math.min(20, 2.2 * width)));
  const room = (CROWD * story.stage[2] * story.stage[3]) / (count * wide * height);
  return [wide, height].map((length) => length * Math.min(1, Math.sqrt(room)));
}

/** A chunk around (0, 0). */
function drawChunk(page, story, group, [, , , , adds, cell], [width, height], signed) {
  const [x, y] = [-width / 2, -height / 2];
  const rx = story.radii.cell;
  svg(group, "rect", { class: "well", x, y, width, height, rx });
  drawContent(page, story, group, cell, [x, y], [width, height]);
  drawOutline(group, [x, y], [width, height], rx);
  if (signed) drawBadge(group, -x, y, Math.min(15, Math.max(5, width / 2, height / 12)), adds);
}

function drawOutline(group, [x, y], [width, height], rx) {
  svg(group, "rect", { class: "outline", x, y, width, height, rx });
}

function drawBadge(group, x, y, radius, adds) {
  const badge = svg(group, "g", { class: "badge", transform: `translate(${x} ${y})` });
  const [long, off] = [0.58 * radius, 0.26 * radius];
  const plus = `M${-long} 0H${long}M0 ${-long}V${long}`;
  const equals = `M${-long} ${-off}H${long}M${-long} ${off}H${long}`;
  svg(badge, "circle", { r: radius });
  svg(badge, "path", { d: adds ? plus : equals, "stroke-width": 0.26 * radius });
}

/** Move chunks along arcs that bend outward, all at once: they rest, travel, and rest again. */
function travel(page, story, step, moves, time) {
  const { arc, center, crowd, rest, land, easing } = story.motion;
  const part = Math.min(Math.max((time - rest) / (1 - rest - land), 0), 1);
  const eased = part ** 3 * (easing[0] + easing[1] * part + easing[2] * part ** 2);
  const height = moves.length > crowd ? 0 : arc * Math.sin(Math.PI * eased);
  for (const { group, from, to } of moves) {
    const out = [0, 1].map((i) => (from[i] + to[i]) / 2 - center[i]);
    const bend = height / Math.max(1, Math.hypot(...out));
    const at = [0, 1].map((i) => from[i] + eased * (to[i] - from[i]) + bend * out[i]);
    group.setAttribute("transform", `translate(${at.map((place) => place.toFixed(1)).join(" ")})`);
  }
  fill(page, story, step - 1 + eased);
}

/** Lines from sender to receiver below the cards, with an arrow between them. */
function drawHops(page, story, rows, hero) {
  const hops = rows.map(([move]) => move).filter(([src, dst]) => src !== dst);
  page.hops.replaceChildren();
  if (hops.length > MANY) return;
  for (const hop of hops.reverse()) {
    const [[ax, ay], [bx, by]] = [middle(story, hop[0]), middle(story, hop[1])];
    const [dx, dy] = [bx - ax, by - ay];
    const group = svg(page.hops, "g", { class: isSameWay(hop, hero) ? "example" : "" });
    svg(group, "line", { x1: ax, y1: ay, x2: bx, y2: by });
    const inside = Math.min(story.card[0] / Math.abs(dx), story.card[1] / Math.abs(dy)) / 2;
    const at = inside + 0.6 * (1 - 2 * inside);
    const place = `translate(${ax + at * dx} ${ay + at * dy})`;
    const transform = `${place} rotate(${(180 / Math.PI) * Math.atan2(dy, dx)})`;
    svg(group, "path", { d: "M-9-10 9 0-9 10z", transform });
  }
}

/** Whether two moves are from the same node to the same one. */
function isSameWay([src, dst], [from, to]) {
  return src === from && dst === to;
}

/** The chunk of a step that the caption speaks of, enlarged in the middle of a ring. */
function showLens(page, story, move) {
  page.lens.replaceChildren();
  if (!story.lens || !move) return;
  const [src, dst, , , , cell, , data] = move;
  const [x, y, width, height] = story.lens;
  const group = svg(page.lens, "g", { class: "example", transform: `translate(${x} ${y})` });
  const at = [-width / 2, -height / 2];
  const rx = story.radii.lens;
  svg(group, "rect", { class: "well", x: at[0], y: at[1], width, height, rx });
  drawContent(page, story, group, cell, at, [width, height]);
  drawOutline(group, at, [width, height], rx);
  svg(group, "text", { class: "chunk", y: at[1] - 16 }, story.data[data]);
  svg(group, "text", { class: "way", y: 34 - at[1] }, `${story.names[src]} → ${story.names[dst]}`);
}

/** What a cell holds, as the view draws it. */
function drawContent(page, story, parent, cell, at, size = story.cell) {
  if (!cell) return;
  if (story.shows_ranks) drawStripes(page, story, parent, story.contents[cell], at, size);
  else drawLevel(story, parent, cell, at, size);
}

/** A bar as high as the share of the contributions that the cell holds. */
function drawLevel(story, parent, cell, [x, top], [wide, full]) {
  const [ink, share] = story.contents[cell];
  const height = Math.max(1, share * full);
  const width = isNarrow(story) && wide === story.cell[0] ? story.pitch + 0.1 : wide;
  svg(parent, "rect", { class: "level", "data-ink": ink, x, y: top + full - height, width, height });
}

/** A stripe for each rank in a cell, at its own height, with its label or number if that fits. */
function drawStripes(page, story, parent, [mask, ...labels], [left, top], size) {
  const [wide, high] = [size[0] / story.cell[0], size[1] / story.cell[1]];
  const [dx, width, height] = [story.stripe[0], wide * story.stripe[1], high * story.stripe[2]];
  for (let rank = 0; rank < story.ranks; rank++) {
    if (!((mask >> rank) & 1)) continue;
    const [x, y] = [left + wide * dx, top + high * story.stripes[rank]];
    const stripe = { class: "stripe", "data-rank": rank, x, y, width, height };
    paint(page, svg(parent, "rect", stripe), rank);
    const [text, em] = fitted(labels.shift() || `${rank}`, width, height);
    if (!em) continue;
    const base = { x: x + width / 2, y: y + height / 2 + 0.36 * em, "font-size": em };
    const kind = rank < PLAIN ? "number" : "number on-hatch";
    svg(parent, "text", { class: kind, "data-rank": rank, ...base }, text);
  }
}

/** What is written on a stripe and its size: a label too long is cut to what follows its arrow. */
function fitted(label, width, height) {
  for (const text of new Set([label, label.split("→").at(-1)])) {
    const em = Math.min(label === text && label.length < 3 ? 22 : 32, 1.1 * height);
    const room = width / (text.length < 2 ? 1.4 : 0.86 * text.length);
    if (Math.min(em, room) >= (text.length > 2 ? 13 : 11)) return [text, Math.min(em, room)];
  }
  return ["", 0];
}

function paint(page, rect, rank) {
  if (rank >= PLAIN) rect.style.fill = `url(#${page.id}-${rank})`;
}

function corner(story, node, slot) {
  const [card, cell] = [story.cards[node], story.slots[slot]];
  return [card[0] + cell[0], card[1] + cell[1]];
}

function center(story, node, slot) {
  const [x, y] = corner(story, node, slot);
  return [x + story.cell[0] / 2, y + story.cell[1] / 2];
}

function middle(story, node) {
  return [story.cards[node][0] + story.card[0] / 2, story.cards[node][1] + story.card[1] / 2];
}

function inGroups(numbers, size) {
  const starts = Array.from({ length: numbers.length / size }, (_, i) => i * size);
  return starts.map((start) => numbers.slice(start, start + size));
}

/** The elements of the page by name, and lists of those there are several of. */
function build(root, story) {
  root.classList.add("collectives");
  root.dataset.theme ??= "dark";
  root.innerHTML = SHEET;
  const parts = [...root.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]);
  const id = `collectives-${root.dataset.stepper ?? ""}-${++players}`;
  const page = { id, sent: [], ...Object.fromEntries(parts) };
  page.sheet = root.firstElementChild;
  page.title.textContent = story.title;
  page.stage.setAttribute("viewBox", story.stage.join(" "));
  page.stage.classList.add(story.view);
  buildHatches(page, story);
  page.cells = story.table ? [] : story.cards.map((_, node) => buildCard(page, story, node));
  if (story.table) buildTable(page, story);
  else buildLinks(page, story);
  page.heading.textContent = story.heading;
  page.rows = story.counters.map((counter) => buildCounter(page, counter));
  buildLegend(page, story);
  buildTimeline(page, story);
  return page;
}

function buildLinks(page, story) {
  if (story.links.length > story.most.links) return;
  for (const [a, b] of story.links) {
    const [[x1, y1], [x2, y2]] = [middle(story, a), middle(story, b)];
    svg(page.links, "line", { x1, y1, x2, y2 });
  }
  page.links.setAttribute("class", story.links.length > MANY / 2 ? "many" : "");
}

/** What the inks mean; an ink that is not in use has no label. */
function buildLegend(page, story) {
  const [head, labels, signs] = story.legend;
  page.head.textContent = head;
  page.signs.textContent = signs;
  for (const sentence of story.explanation) html(page.reading, "p", "", sentence);
  page.legend.classList.toggle("levels", !story.shows_ranks);
  labels.forEach((label, ink) => {
    if (!label) return;
    const item = html(page.legend, "li", "", label);
    const swatch = svg(null, "svg", { viewBox: "0 0 26 26", "aria-hidden": "true" });
    const [kind, key] = story.shows_ranks ? ["stripe", "data-rank"] : ["level", "data-ink"];
    const rect = svg(swatch, "rect", { class: kind, [key]: ink, width: 26, height: 26, rx: 3 });
    if (story.shows_ranks) paint(page, rect, ink);
    item.prepend(swatch);
  });
}

/** A canvas for the cells of a matrix, words beside its rows, and how many are complete. */
function buildTable(page, story) {
  const { box, axis, progress, promised } = story.table;
  const [left, top, width, height] = story.stage;
  const { style } = page.canvas;
  page.canvas.hidden = false;
  [style.left, style.width] = [box[0] - left, box[2]].map((at) => `${(100 * at) / width}%`);
  [style.top, style.height] = [box[1] - top, box[3]].map((at) => `${(100 * at) / height}%`);
  for (const [text, x, y, size, anchor] of axis) {
    const place = { x, y, "font-size": size, "text-anchor": anchor };
    svg(page.cards, "text", { class: "axis", ...place }, text);
  }
  const [x, y] = progress;
  const line = (kind, down, text) => svg(page.cards, "text", { class: kind, x, y: y + down }, text);
  page.complete = line("complete", -40, "0");
  line("promised", 12, `of ${promised}`);
  line("axis large", 58, "promised cells");
  line("axis large", 94, "are complete");
}

/** A pattern in the color of each rank from PLAIN on, as wide as suits the stripes. */
function buildHatches(page, story) {
  const width = Math.min(Math.max(2 * story.stripe[2], 6), 12);
  const height = width;
  for (let rank = PLAIN; rank < story.ranks; rank++) {
    const kind = { patternUnits: "userSpaceOnUse", patternTransform: "rotate(35)", width, height };
    const pattern = svg(page.hatches, "pattern", { id: `${page.id}-${rank}`, ...kind });
    svg(pattern, "rect", { class: "stripe", "data-rank": rank, width, height });
    svg(pattern, "rect", { class: "hatch", width: 0.3 * width, height });
  }
}

/** The card of a node; returns an empty group for each of its cells. */
function buildCard(page, story, node) {
  const [[x, y], [width, height]] = [story.cards[node], story.card];
  const card = svg(page.cards, "g", { class: "card", "data-node": node });
  const isRank = node < story.ranks;
  if (isRank && story.shows_ranks) card.dataset.rank = node;
  const rx = isRank ? story.radii.card : story.radii.switch;
  svg(card, "rect", { class: isRank ? "frame" : "frame switch", x, y, width, height, rx });
  const share = story.shows_sent ? 0.42 * width : width - 16;
  const room = share / (0.72 * story.names[node].length);
  const size = Math.min(26, 0.76 * story.header, room);
  const base = y + 0.5 * story.header + 0.36 * size + 2;
  svg(card, "text", { class: "name", x: x + 12, y: base, "font-size": size }, story.names[node]);
  const right = { x: x + width - 12, y: base, "font-size": Math.min(20, width / 15) };
  if (story.shows_sent) page.sent.push(svg(card, "text", { class: "sent", ...right }));
  const narrow = isNarrow(story);
  for (const [left, top, wide, high] of narrow ? story.groups : []) {
    svg(card, "rect", { class: "well", x: x + left, y: y + top, width: wide, height: high });
  }
  return story.slots.map((_, slot) => {
    const [left, top] = corner(story, node, slot);
    const cell = { x: left, y: top, width: story.cell[0], height: story.cell[1], rx: story.radii.cell };
    if (!narrow) svg(card, "rect", { class: "well", ...cell });
    const em = story.groups.some(([, y]) => y !== story.groups[0][1]) ? 17 : 20;
    const under = { x: left + story.cell[0] / 2, y: y + story.label?.[slot], "font-size": em };
    if (story.label) svg(card, "text", { class: "label", ...under }, story.labels[slot]);
    return svg(card, "g", { class: "cell", "data-node": node, "data-slot": slot });
  });
}

/** A row of a counter, in letters small enough for its longest numbers. */
function buildCounter(page, counter) {
  const [label, , texts] = counter;
  const row = html(page.counters, "div", "row told");
  const longest = Math.max(...texts.map((text) => text.length));
  row.style.setProperty("--ems", EM[0] * label.length + EM[1] * longest);
  html(row, "span", "", label);
  const numbers = html(row, "span", "numbers");
  const track = html(page.counters, "div", "track");
  return { numbers, bar: html(track, "div", "bar"), bound: html(track, "div", "bound") };
}

function buildTimeline(page, story) {
  page.scrub.max = story.frames.length;
  const wide = story.phases.map(([, first, end]) => `minmax(0, ${end - first}fr)`);
  page.phases.style.gridTemplateColumns = wide.join(" ") || "1fr";
  page.parts = story.phases.map(([name, first, end], phase) => {
    const part = html(page.phases, "div", "phase");
    part.dataset.phase = phase % 2;
    part.style.setProperty("--steps", end - first);
    const track = html(part, "span", "track");
    html(part, "span", "name", name).title = name;
    return html(track, "span", "bar");
  });
}

function html(parent, name, className = "", text = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.textContent = text;
  parent.append(made);
  return made;
}

function svg(parent, name, attributes = {}, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  parent?.append(made);
  return made;
}
