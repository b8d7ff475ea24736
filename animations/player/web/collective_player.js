// Defines <collective-player>: a page of `collectives page --element` in a frame as high as it is.
//
//   <script src="players/collective-player.js"></script>
//   <collective-player algorithm="ring" collective="all-reduce" ranks="8" step="3"></collective-player>
//   <collective-player src="players/ring-all-reduce-8.html#step=3&amp;hide=code"></collective-player>
//
// Attributes step, time, select, tour, theme, panel, clock, size, latency, bandwidth and hide are
// those of the address of a page; with height="400" the page fits so many pixels. It tells "step"
// (detail: step, last) and "end"; play(), pause() and the property step move it. What stands in it
// (a link, a picture) is seen until its page is there, and where it never comes.

(() => {
  const script = /** @type {HTMLScriptElement | null} */ (document.currentScript);
  const folder = new URL(".", script?.src || location.href).href; // where the pages are
  const named = ["step", "time", "select", "tour", "theme", "panel", "clock", "size", "latency", "bandwidth", "hide"];
  const tallest = 20_000; // pixels, whatever a page says

  class CollectivePlayer extends HTMLElement {
    static observedAttributes = ["src", "algorithm", "collective", "ranks", "height", ...named];
    #frame = document.createElement("iframe");
    #slot = document.createElement("slot");
    #last = { step: NaN, last: NaN };

    constructor() {
      super();
      this.#frame.setAttribute("loading", "lazy");
      this.#frame.allow = "fullscreen; clipboard-write";
      this.#frame.style.cssText = "display: block; width: 100%; aspect-ratio: 16 / 9; border: 0";
      this.attachShadow({ mode: "open" }).append(this.#slot, this.#frame);
    }

    connectedCallback() {
      if (!this.style.display) this.style.display = "block";
      addEventListener("message", this.#hear);
      this.#open();
    }

    disconnectedCallback() {
      removeEventListener("message", this.#hear);
    }

    /** @param {string} name @param {string | null} before @param {string | null} value */
    attributeChangedCallback(name, before, value) {
      if (!this.isConnected || before === value) return;
      if (name === "step" && value !== null && this.step >= 0) this.#send("step", Number(value));
      else this.#open();
    }

    /** The step that is shown; NaN until the page has told it. */
    get step() {
      return this.#last.step;
    }

    set step(step) {
      this.setAttribute("step", `${step}`);
    }

    play() {
      this.#send("play");
    }

    pause() {
      this.#send("pause");
    }

    /** The page and its state; the same page is not loaded anew for another state. */
    #open() {
      const { algorithm = "ring", collective = "all-reduce", ranks = "8" } = this.#attributes();
      const file = `${algorithm}-${collective}-${ranks}.html`.replaceAll("_", "-");
      const [page, state] = (this.getAttribute("src") ?? folder + encodeURIComponent(file)).split("#");
      const names = named.filter((name) => this.hasAttribute(name));
      const parts = names.map((name) => `${name}=${encodeURIComponent(this.getAttribute(name) ?? "")}`);
      const height = Number(this.getAttribute("height"));
      if (height) Object.assign(this.#frame.style, { height: `${height}px`, aspectRatio: "auto" });
      const set = ["", "embed", ...names];
      const kept = (state ?? "").split("&").filter((part) => !set.includes(part.split("=")[0]));
      const address = new URL(page, document.baseURI);
      if (!["http:", "https:", "file:"].includes(address.protocol)) return; // never a script
      const title = this.title || `${algorithm} ${collective}, ${ranks} ranks`;
      const link = Object.assign(document.createElement("a"), { href: address.href, textContent: title });
      this.#slot.replaceChildren(link);
      this.#frame.title = title;
      this.#frame.src = `${address.href}#${[...kept, ...parts, height ? "embed" : "embed=tall"].join("&")}`;
    }

    /** @returns {Record<string, string>} */
    #attributes() {
      return Object.fromEntries([...this.attributes].map(({ name, value }) => [name, value]));
    }

    /** @param {string} collectives @param {number} [step] */
    #send(collectives, step) {
      this.#frame.contentWindow?.postMessage({ collectives, step }, "*");
    }

    /** @param {MessageEvent} event */
    #hear = ({ source, data }) => {
      if (!source || source !== this.#frame.contentWindow) return;
      const { collectives: kind, height, step, last } = data ?? {};
      this.#slot.style.display = "none"; // the page is there
      if (kind === "height" && Number.isFinite(height) && !this.getAttribute("height")) {
        const high = Math.min(Math.max(height, 0), tallest);
        Object.assign(this.#frame.style, { height: `${high}px`, aspectRatio: "auto" });
      } else if (kind === "step" && Number.isInteger(step) && Number.isInteger(last)) {
        this.#last = { step, last };
        this.dispatchEvent(new CustomEvent("step", { detail: this.#last }));
      } else if (kind === "end") this.dispatchEvent(new CustomEvent("end"));
    };
  }

  if (!customElements.get("collective-player")) customElements.define("collective-player", CollectivePlayer);
})();
