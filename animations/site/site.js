// What pages of the site do beside their players: lines that are copied, one theme for all frames.
"use strict";

for (const box of document.querySelectorAll("pre[data-site]")) {
  const site = new URL(box.dataset.site, location.href.split("#")[0]);
  const code = box.firstElementChild;
  if (site.protocol === "file:") {
    const note = "For a page beside the folder players; from a web server the line has its address";
    if (code.textContent.includes("players/")) box.after(Object.assign(document.createElement("p"), { textContent: note, className: "small" }));
  } else code.textContent = code.textContent.replaceAll(/(?<=^|")players\//gm, `${site.href}players/`);
}

for (const box of document.querySelectorAll("article pre")) {
  const button = Object.assign(document.createElement("button"), { textContent: "Copy", className: "copy", type: "button" });
  const text = box.textContent.replace(/\n$/, "");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      getSelection().selectAllChildren(box); // the browser's own copy, where there is no clipboard
      if (!document.execCommand("copy")) return;
    }
    button.textContent = "Copied";
  });
  const frame = document.createElement("div");
  frame.className = "copied";
  box.replaceWith(frame);
  frame.append(box, button);
  box.tabIndex = 0; // scrolls by keys
}

const follow = () => {
  const { theme } = document.body.dataset;
  const shown = theme === "light" || theme === "dark" ? theme : "";
  for (const frame of document.querySelectorAll("iframe")) {
    const [page, state = ""] = frame.src.split("#");
    const parts = state.split("&").filter((part) => part && !part.startsWith("theme="));
    const wanted = [...parts, ...(shown ? [`theme=${shown}`] : [])].join("&");
    if (state !== wanted) frame.src = `${page}#${wanted}`;
  }
};
new MutationObserver(follow).observe(document.body, { attributeFilter: ["data-theme"] });
if (localStorage.getItem("theme") && localStorage.getItem("theme") !== "auto") follow();

for (const [part, name] of [[".sidebar-drawer", "Site"], [".toc-drawer", "On this page"]]) {
  document.querySelector(part)?.setAttribute("aria-label", name);
}
