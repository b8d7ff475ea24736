// The player: shows a story (see data.py) in any element, step by step, forward and back.
// SHEET, its elements (player.html), is put before this by page.py.

const SVG = "http://www.w3.org/2000/svg";
const PLAIN = 8; // ranks from here on are hatched: they share the hues of the first ones
const MOVE = 9; // numbers of a move: src, dst, chunk, into, adds, cell, size, data, line
const BADGE = 13; // radius of + and =, at most
const FAINT = 0.7; // width of a line that is not lit, of that when it is
const FEW = 8; // transfers up to which their list has larger letters
const REMARK = /^\s*(#|""")/; // comments and docstrings: quiet, and wrapped where too long
const [LARGEST, SMALLEST] = [22, 8]; // letters of the source
const [ROOM, HEIGHT] = [990, 216]; // of it: characters in a line, and lines, times their size
const MOST_MARKED = 300; // moves of a step that are outlined each by itself
const MOST_LISTED = 300; // transfers of a step that are listed
const NARROW = 5; // width of a cell up to which a card has one well for all of them
const HOLD = [150, 600]; // least and most milliseconds between two steps of a playback
const WHOLE = 30_000; // what these should not exceed together
const EM = [0.54, 0.59]; // widths of a letter and of a digit
const BOLD = 0.7; // width of a bold letter
const HATCH = 13; // from one line of the hatch of an idle chip to the next
const LEAST_NAME = 18; // letters of the name of a card; a smaller one is cut to its number
const SMALLEST_NAME = 15; // of that number; smaller ones are left out
const SMALL = 13; // letters on a chip, at least
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
  const tables = [MOVE, 3, 1, 3, 2].map((width, i) => table(total(i + 1), width));
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
    const trips = showMoves(page, story, step, true);
    const begin = performance.now();
    const tick = (now) => {
      const time = Math.max(0, (now - begin) * (speed / duration));
      if (time >= 1) return land();
      travel(page, story, step, trips, time);
      flight = requestAnimationFrame(tick);
    };
    tick(begin);
  }

  function land() {
    cells.moveTo(step);
    showMoves(page, story, step, false);
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
  const held = story.cards.map(([, , shape]) => story.shapes[shape].cells.map(() => 0));
  const [paint, fit] = (story.table ? squares : shapes)(page, story);
  const undone = [];
  let at = 0;
  const put = (changes) => {
    const old = [];
    for (const [node, well, cell] of inGroups(changes, 3)) {
      old.push(node, well, held[node][well]);
      held[node][well] = cell;
      paint(node, well, cell);
    }
    return old;
  };
  const moveTo = (target) => {
    while (at < target) undone[at] = put(story.frames[at++][2]);
    while (at > target) put(undone[--at]);
  };
  const repaint = () => {
    if (fit()) held.forEach((cells, node) => cells.forEach((cell, well) => paint(node, well, cell)));
  };
  repaint();
  put(story.start);
  return { moveTo, repaint };
}

/** Paints a cell of a card. */
function shapes(page, story) {
  const paint = (node, well, cell) => {
    page.cells[node][well].replaceChildren();
    const [at, bars] = placeOf(story, node, well);
    drawContent(page, story, page.cells[node][well], cell, bars, at);
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
  const paint = (node, well, cell) => {
    const first = story.cards[node][0] - box[0] + columns[well] * size[0];
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
  const source = frame?.[6][frame[1][MOVE * frame[8] + 8]];
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
  const [, moves, , , , , , values] = step ? story.frames[step - 1] : [0, [], [], [], [], [], [], []];
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
  story.gauges.forEach(([[, , width], label, shares, texts], i) => {
    page.gauges[i].bar.setAttribute("width", width * shares[step]);
    page.gauges[i].text.textContent = `${label} ${texts[step]}`.trim();
  });
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

/** Whether the parcels of a step are drawn on their way. */
function canFly(story, step) {
  return story.frames[step - 1][4].length > 0;
}

/**
 * Light what a step uses, outline its cells, and either draw its parcels where they start, for
 * `travel` to move, or mark where they have landed.
 */
function showMoves(page, story, step, underWay) {
  const all = step ? inGroups(story.frames[step - 1][1], MOVE) : [];
  const marks = !underWay && !story.table && !isNarrow(story) && all.length <= MOST_MARKED;
  showScenery(page, story, step, underWay);
  const read = underWay ? all.filter(([src, dst]) => src !== dst) : [];
  page.read.setAttribute("d", outlines(story, read.map(([src, , chunk]) => [src, chunk])));
  const written = marks ? [] : all.map(([, dst, , into]) => [dst, into]);
  page.changed.setAttribute("d", outlines(story, written));
  showLens(page, story, step ? all[story.frames[step - 1][8]] : undefined);
  const trips = underWay ? prepare(page, story, step, all) : [];
  const landed = marks ? all.map((move) => drawLanded(story, move)) : [];
  page.moves.replaceChildren(...trips.map(({ group }) => group).reverse(), ...landed);
  page.moves.append(...page.moves.querySelectorAll(".example")); // over all others
  return trips;
}

/** An outline around the cell that a move has reached. */
function drawLanded(story, move) {
  const [[x, y], [width, height]] = place(story, move[1], move[3]);
  const rx = story.rounding[0];
  return svg(null, "rect", { class: "move written", ...named(move), x, y, width, height, rx });
}

function named([src, dst, chunk, into, adds]) {
  const cells = { "data-src": src, "data-dst": dst, "data-chunk": chunk, "data-into": into };
  return { ...cells, "data-verb": adds ? "+" : "=" };
}

/** The trips of a step: parcels on their way, each with its chunks side by side. */
function prepare(page, story, step, all) {
  const [, , , , trips, columns, , , , hero] = story.frames[step - 1];
  const taken = inGroups(columns, 2).values();
  return inGroups(trips, 3).map(([way, size, parcel]) => {
    const [shown, pitch, height] = story.parcels[size];
    const group = svg(null, "g", { class: parcel === hero ? "trip example" : "trip" });
    const columns = Array.from({ length: shown }, (_, at) => {
      const [index, cell] = taken.next().value;
      const [move, x] = [all[index], (at - (shown - 1) / 2) * pitch];
      const [start, end] = [center(story, move[0], move[2]), center(story, move[1], move[3])];
      const beside = [x, 0, 0.94 * pitch, height];
      return { body: drawChunk(page, story, group, move, cell || move[5], beside), start, beside, end, move };
    });
    const adds = columns[0].move[4];
    const corner = [(0.5 * shown - 0.03) * pitch, -height / 2];
    const badge = drawBadge(group, Math.min(BADGE, 0.36 * story.parcel[0]), adds);
    const [first] = columns;
    const line = way ? story.curves[way] : [...first.start.slice(0, 2), ...first.end.slice(0, 2)];
    return { group, columns, badge, corner, line };
  });
}

/** A path around cells [node, slot], together where they are neighbors. */
function outlines(story, cells) {
  const touched = story.cards.map(() => []);
  for (const [node, slot] of cells) touched[node][story.well[slot]] = true;
  const beside = (node, other) => story.table && story.cards[other]?.[0] === story.cards[node][0];
  const pad = isNarrow(story) ? 1.5 : 0;
  const edges = [];
  touched.forEach((wells, node) => {
    const shape = shapeOf(story, node);
    const next = (well, other) => {
      const [a, b] = [shape.cells[well], shape.cells[other]];
      return wells[other] && b && a[1] === b[1] && Math.abs(a[0] - b[0]) < 1.1 * pitchOf(story, shape);
    };
    wells.forEach((_, well) => {
      const [left, top, size] = shape.cells[well];
      const [x, y] = [story.cards[node][0] + left - pad, story.cards[node][1] + top - pad];
      const [width, height] = [0, 1].map((i) => story.bars[size][i] + 2 * pad);
      const long = next(well, well + 1) ? pitchOf(story, shape) : width;
      if (!beside(node, node - 1) || !touched[node - 1][well]) edges.push(`M${x} ${y}h${long}`);
      if (!beside(node, node + 1) || !touched[node + 1][well]) {
        edges.push(`M${x} ${y + height}h${long}`);
      }
      if (!next(well, well - 1)) edges.push(`M${x} ${y}v${height}`);
      if (!next(well, well + 1)) edges.push(`M${x + width} ${y}v${height}`);
    });
  });
  return edges.join("");
}

/** From one cell of a row to the next. */
function pitchOf(story, { cells: [one, other] }) {
  return other && other[1] === one[1] ? other[0] - one[0] : story.bars[one[2]][0];
}

/** Whether cells are so narrow that they share a well, and outlines would cover them. */
function isNarrow(story) {
  return !story.table && story.bars[0][0] < NARROW;
}

/** A chunk of a parcel, in the middle of its group, to be moved and stretched. */
function drawChunk(page, story, group, move, cell, [, , width, height]) {
  const body = svg(group, "g", { class: "move", ...named(move) });
  const [x, y] = [-width / 2, -height / 2];
  svg(body, "rect", { class: "backdrop", x, y, width, height });
  const [, bars] = place(story, move[0], move[2]);
  drawContent(page, story, body, cell, bars, [x, y], [width, height]);
  svg(body, "rect", { class: "outline", x, y, width, height });
  return body;
}

function drawBadge(group, radius, adds) {
  const badge = svg(group, "g", { class: "badge" });
  const [long, off] = [0.58 * radius, 0.26 * radius];
  const plus = `M${-long} 0H${long}M0 ${-long}V${long}`;
  const equals = `M${-long} ${-off}H${long}M${-long} ${off}H${long}`;
  svg(badge, "circle", { r: radius });
  svg(badge, "path", { d: adds ? plus : equals, "stroke-width": 0.26 * radius });
  return badge;
}

/**
 * Move parcels, all at once: out of their cells, along their ways, into their new cells, and rest.
 * What adds loses its backdrop as it lands, so that it is seen together with what is there.
 */
function travel(page, story, step, trips, time) {
  const { lifted, arrived, landed } = story.motion;
  const out = eased(story, time / lifted);
  const gone = eased(story, (time - lifted) / (arrived - lifted));
  const into = eased(story, (time - arrived) / (landed - arrived));
  const state = into ? "landing" : out > 0.5 ? "flying" : "leaving";
  page.moves.setAttribute("class", state);
  const fixed = (places) => places.map((place) => place.toFixed(2)).join(" ");
  for (const { columns, badge, corner, line } of trips) {
    const [x, y] = along(line, gone);
    for (const { body, start, beside, end } of columns) {
      const [left, top, wide, high] = beside.map((size, i) => {
        const place = size + [x, y, 0, 0][i];
        const risen = start[i] + out * (place - start[i]);
        return risen + into * (end[i] - risen);
      });
      const scale = [wide / beside[2], high / beside[3]];
      body.setAttribute("transform", `translate(${fixed([left, top])})scale(${fixed(scale)})`);
    }
    badge.setAttribute("transform", `translate(${fixed([x + corner[0], y + corner[1]])})`);
  }
  fill(page, story, step - 1 + gone);
}

/** A part of a way in time as the part of its length. */
function eased({ motion: { easing } }, time) {
  const part = Math.min(Math.max(time, 0), 1);
  return part ** 3 * (easing[0] + easing[1] * part + easing[2] * part ** 2);
}

/** The point of a Bézier curve (x, y, x, y …) at a time from 0 to 1. */
function along(points, time) {
  let level = points;
  while (level.length > 2) {
    level = level.slice(2).map((place, i) => level[i] + time * (place - level[i]));
  }
  return level;
}

/** Lines, chips and words as they are while a step is under way or once it has landed. */
function showScenery(page, story, step, underWay) {
  const state = step - underWay;
  const isShown = (states) => !states || (states[0] <= state && state <= states[1]);
  showLines(page, story, step, isShown);
  story.chips.forEach(([, , steps, , stays, hatched], i) => {
    if (hatched) return;
    const past = stays && steps.at(-1) < step ? "past" : "";
    const now = steps.includes(step) ? "lit" : steps.length ? past : "never";
    page.chips[i].setAttribute("class", `chip ${now} ${stays ? "stays" : ""}`);
  });
  story.words.forEach(([, , , , , , , states], i) => {
    page.words[i].style.display = isShown(states) ? "" : "none";
  });
}

/** All lines of one color and width as one path, those that are lit over the others. */
function showLines(page, story, step, isShown) {
  const [quiet, lit] = [new Map(), new Map()];
  for (const [number, steps, tone, width, arrow, hidden, fixed, brief, states] of story.lines) {
    const [points, used] = [story.curves[number], steps[0] <= step];
    const isLit = !fixed && steps.includes(step);
    if (!isShown(states) || (!fixed && !isLit && (brief || (hidden && !used)))) continue;
    const color = fixed || isLit ? tone : used ? "edge" : "link";
    const key = `${color};${fixed || isLit ? width : FAINT * width}`;
    const lines = isLit ? lit : quiet;
    if (!lines.has(key)) lines.set(key, [[], []]);
    lines.get(key)[0].push(curve(points));
    if (isLit && arrow) lines.get(key)[1].push(head(points, Math.max(9, 2.6 * width)));
  }
  const found = [...quiet, ...lit];
  if (`${found}` === page.shown) return; // in many steps the same lines are lit
  page.shown = `${found}`;
  page.lines.replaceChildren(...found.map(([key, [curves, heads]]) => {
    const [tone, width] = key.split(";");
    const group = toned(svg(null, "g", { class: "line" }), tone);
    svg(group, "path", { d: curves.join(""), "stroke-width": width });
    if (heads.length) svg(group, "path", { class: "arrow", d: heads.join("") });
    return group;
  }));
}

function curve([x, y, ...points]) {
  return `M${x} ${y}${["L", "Q", "C"][points.length / 2 - 1]}${points.join(" ")}`;
}

/** A triangle at the end of a line. */
function head(points, size) {
  const [[x, y], before] = [points.slice(-2), along(points, points.length > 4 ? 23 / 24 : 0)];
  const length = Math.hypot(x - before[0], y - before[1]) || 1;
  const [dx, dy] = [x - before[0], y - before[1]].map((part) => (part / length) * size);
  const side = (sign) => [x - dx - sign * 0.55 * dy, y - dy + sign * 0.55 * dx];
  return `M${[[x, y], side(1), side(-1)].flat().map((place) => place.toFixed(1)).join(" ")}z`;
}

/** Let an element and what is in it be drawn in a tone. */
function toned(element, tone) {
  element.style.setProperty("--hue", `var(--${tone})`);
  return element;
}

/** The first chunk of a step, which the caption speaks of, enlarged in the middle of a ring. */
function showLens(page, story, move) {
  page.lens.replaceChildren();
  if (!story.lens || !move) return;
  const [src, dst, chunk, , , cell, , data] = move;
  const [x, y, width, height] = story.lens;
  const group = svg(page.lens, "g", { transform: `translate(${x} ${y})` });
  const at = [-width / 2, -height / 2];
  const box = { x: at[0], y: at[1], width, height, rx: story.rounding[1] };
  svg(group, "rect", { class: "well", ...box });
  drawContent(page, story, group, cell, place(story, src, chunk)[1], at, [width, height]);
  svg(group, "rect", { class: "enlarged", ...box });
  svg(group, "text", { class: "chunk", y: at[1] - 16 }, story.data[data]);
  svg(group, "text", { class: "way", y: 34 - at[1] }, `${story.names[src]} → ${story.names[dst]}`);
}

/**
 * What a cell holds, like a cell of `bars` in any size: a stripe for each bar at its own height,
 * with its label or number if that fits.
 */
function drawContent(page, story, parent, cell, bars, [left, top], size = bars) {
  if (!cell) return;
  const [full, faint, ...labels] = story.contents[cell];
  const [wide, high] = [size[0] / bars[0], size[1] / bars[1]];
  const [dx, width, height] = [wide * bars[2], wide * bars[3], high * bars[4]];
  for (const [i, rank] of [...full, ...faint].entries()) {
    const [x, y] = [left + dx, top + high * bars[5 + rank]];
    const kind = i < full.length ? "stripe" : "stripe faint";
    paint(page, svg(parent, "rect", { class: kind, "data-rank": rank, x, y, width, height }), rank);
    if (!story.shows_ranks) continue;
    const [text, em] = fitted(labels.shift() || `${rank}`, width, height);
    if (!em) continue;
    const base = { x: x + width / 2, y: y + height / 2 + 0.36 * em, "font-size": em };
    const ground = rank < PLAIN ? "number" : "number on-hatch";
    svg(parent, "text", { class: ground, "data-rank": rank, ...base }, text);
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

/** The upper left corner of a slot's cell, and its entry of `bars`. */
function place(story, node, slot) {
  return placeOf(story, node, story.well[slot]);
}

function placeOf(story, node, well) {
  const [left, top, size] = shapeOf(story, node).cells[well];
  return [[story.cards[node][0] + left, story.cards[node][1] + top], story.bars[size]];
}

/** The middle of a slot's cell, and its size. */
function center(story, node, slot) {
  const [[x, y], [width, height]] = place(story, node, slot);
  return [x + width / 2, y + height / 2, width, height];
}

function shapeOf(story, node) {
  return story.shapes[story.cards[node][2]];
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
  page.stage.style.setProperty("--thin", story.outline);
  page.title.textContent = story.title;
  page.stage.setAttribute("viewBox", story.stage.join(" "));
  page.stage.classList.add(story.view);
  buildHatches(page, story);
  page.cells = story.table ? [] : story.cards.map((_, node) => buildCard(page, story, node));
  if (story.table) buildTable(page, story);
  buildScenery(page, story);
  page.heading.textContent = story.heading;
  page.rows = story.counters.map((counter) => buildCounter(page, counter));
  buildLegend(page, story);
  buildTimeline(page, story);
  return page;
}

/** Grounds, and chips, words and gauges as they are changed by `showScenery` and `settle`. */
function buildScenery(page, story) {
  for (const [[x, y, width, height], fill, edge, rx, dashed] of story.grounds) {
    const ground = svg(page.grounds, "rect", { class: dashed ? "dashed" : "", x, y, width, height, rx });
    toned(ground, fill).style.stroke = edge && `var(--${edge})`;
  }
  const idle = { id: `${page.id}-idle`, width: HATCH, height: HATCH, patternUnits: "userSpaceOnUse" };
  svg(svg(page.hatches, "pattern", idle), "path", { d: `M${HATCH} 0 0 ${HATCH}` });
  page.chips = story.chips.map(([[x, y, width, height], text, , tone, , hatched]) => {
    const chip = toned(svg(page.scene, "g", { class: "chip" }), tone);
    if (hatched) {
      svg(chip, "rect", { class: "idle", x, y, width, height }).style.fill = `url(#${idle.id})`;
      return chip;
    }
    const edge = Math.min(2.2, 0.2 * width, 0.2 * height);
    const inner = { x: x + edge / 2, y: y + edge / 2, width: width - edge, height: height - edge };
    svg(chip, "rect", { ...inner, rx: 6, "stroke-width": edge });
    const size = Math.min(20, 0.62 * height, (1.5 * width) / Math.max(1, text.length));
    const middle = { x: x + width / 2, y: y + height / 2 + 0.36 * size, "font-size": size };
    if (size >= SMALL) svg(chip, "text", middle, text);
    return chip;
  });
  page.words = story.words.map(([text, x, y, size, tone, align, bold]) => {
    const kind = { class: `word ${align} ${bold ? "bold" : ""}`, x, y, "font-size": size };
    return toned(svg(page.scene, "text", kind, text), tone);
  });
  page.gauges = story.gauges.map(([[x, y, width, height], , , , tone]) => {
    const gauge = toned(svg(page.scene, "g", { class: "gauge" }), tone);
    svg(gauge, "rect", { class: "track", x, y, width, height, rx: 6 });
    const bar = svg(gauge, "rect", { x, y, height, rx: 6 });
    return { bar, text: svg(gauge, "text", { x, y: y - 8 }, " ") };
  });
}

/** What the inks mean; an ink that is not in use has no label. */
function buildLegend(page, story) {
  const [head, labels, signs] = story.legend;
  page.head.textContent = head;
  page.signs.textContent = signs;
  for (const sentence of story.explanation) html(page.reading, "p", "", sentence);
  page.legend.classList.toggle("levels", !story.has_bars);
  labels.forEach((label, ink) => {
    if (!label) return;
    const item = html(page.legend, "li", "", label);
    const swatch = svg(null, "svg", { viewBox: "0 0 26 26", "aria-hidden": "true" });
    const [kind, key] = story.has_bars ? ["stripe", "data-rank"] : ["level", "data-ink"];
    const rect = svg(swatch, "rect", { class: kind, [key]: ink, width: 26, height: 26, rx: 3 });
    if (story.has_bars) paint(page, rect, ink);
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
  const width = Math.min(Math.max(2 * story.bars[0][4], 6), 12);
  const height = width;
  for (let rank = PLAIN; rank < story.bars[0].length - 5; rank++) {
    const kind = { patternUnits: "userSpaceOnUse", patternTransform: "rotate(35)", width, height };
    const pattern = svg(page.hatches, "pattern", { id: `${page.id}-${rank}`, ...kind });
    svg(pattern, "rect", { class: "stripe", "data-rank": rank, width, height });
    svg(pattern, "rect", { class: "hatch", width: 0.3 * width, height });
  }
}

/** The card of a node; returns an empty group for each of its cells. */
function buildCard(page, story, node) {
  const [x, y, , tone] = story.cards[node];
  const shape = shapeOf(story, node);
  const [width, height] = shape.size;
  const card = svg(page.cards, "g", { class: "card", "data-node": node });
  const whole = [[0, 0, width, height]];
  for (const [left, top, wide, high] of shape.parts.length ? shape.parts : whole) {
    const part = { x: x + left, y: y + top, width: wide, height: high, rx: shape.radius };
    toned(svg(card, "rect", { class: "frame", ...part }), tone);
  }
  buildName(page, story, node);
  const right = { x: x + width - 12, y: y + 0.78 * shape.header + 1 };
  right["font-size"] = Math.min(19, Math.max(17, width / 15));
  if (shape.sent) page.sent[node] = svg(card, "text", { class: "sent", ...right });
  const narrow = isNarrow(story);
  for (const [left, top, wide, high] of narrow ? shape.groups : []) {
    svg(card, "rect", { class: "well", x: x + left, y: y + top, width: wide, height: high });
  }
  return shape.cells.map(([left, top, size], well) => {
    const [wide, high] = story.bars[size];
    const cell = { x: x + left, y: y + top, width: wide, height: high, rx: story.rounding[0] };
    if (!narrow) svg(card, "rect", { class: "well", ...cell });
    const slot = story.well.indexOf(well);
    const under = { x: cell.x + wide / 2, y: y + shape.labels[well], "font-size": shape.letters };
    if (shape.labels.length) svg(card, "text", { class: "label", ...under }, story.labels[slot]);
    return svg(card, "g", { class: "cell", "data-node": node, "data-slot": well });
  });
}

/** The name of a card, or its number where that has no room, above all that moves. */
function buildName(page, story, node) {
  const [x, y, , , tone] = story.cards[node];
  const { size: [width], header, sent, at } = shapeOf(story, node);
  const edge = Math.min(16, (at === "center" ? 0.12 : 0.2) * width);
  const room = sent ? 0.42 * width : width - edge;
  const most = Math.min(26, 0.82 * header);
  const fit = (name) => Math.min(most, room / (BOLD * name.length));
  const whole = story.names[node];
  const name = fit(whole) < LEAST_NAME ? whole.split(" ").at(-1) : whole;
  if (Math.min(fit(name), header) < SMALLEST_NAME) return;
  const side = fit(name) === most || sent ? 12 : Math.min(8, 0.1 * width);
  const left = { left: side, center: width / 2, right: width - side }[at];
  const base = { x: x + left, y: y + 0.78 * header + 2, "font-size": fit(name) };
  toned(svg(page.names, "text", { class: `name ${at}`, "data-node": node, ...base }, name), tone);
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
