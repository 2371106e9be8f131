// Makes the pages quicker; without it they work the same. Nothing is fetched but pages of this server, nothing is kept.
"use strict";
(() => {
  const main = () => document.getElementById("main");

  // ── a page of the asking without a whole load: main and the crumbs are put in the place of those that are there ──
  const mine = (url) => url.origin === location.origin && url.pathname === "/ask";

  async function show(address, push) {
    const url = new URL(address, location.href);
    main().setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(url, { headers: { accept: "text/html" } });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const next = page.getElementById("main");
      if (!next) throw new Error("no page");
      if (push) history.pushState(null, "", url);
      document.title = page.title;
      main().replaceWith(document.adoptNode(next));
      const old = document.querySelector(".crumbs");
      const crumbs = page.querySelector(".crumbs");
      if (old) old.remove();
      if (crumbs) document.querySelector("header").after(document.adoptNode(crumbs));
      const at = url.hash && document.getElementById(url.hash.slice(1));
      if (at) at.scrollIntoView();
      else {
        scrollTo(0, 0);
        main().focus({ preventScroll: true });
      }
      begin();
    } catch {
      location.assign(url);
    }
  }

  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest("main a[href], .crumbs a[href]");
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const url = new URL(link.href);
    if (!mine(url) || link.hasAttribute("download") || location.pathname !== "/ask") return;
    event.preventDefault();
    show(url, true);
  });
  addEventListener("popstate", () => {
    if (location.pathname === "/ask") show(location.href, false);
  });

  // A switch is a link; the space bar turns it as it turns any switch.
  document.addEventListener("keydown", (event) => {
    if (event.key === " " && event.target instanceof Element && event.target.matches("a[role=switch]")) {
      event.preventDefault();
      event.target.click();
    }
  });

  // ── lists that grow shorter as one types ──
  document.addEventListener("input", (event) => {
    const box = event.target;
    if (!(box instanceof HTMLInputElement) || !box.dataset.filter) return;
    const wanted = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of document.querySelectorAll(box.dataset.filter)) {
      const words = row.dataset.words || row.textContent.toLowerCase();
      row.hidden = !wanted.every((word) => words.includes(word));
    }
    clearTimeout(box.later);
    if (mine(new URL(box.form.action))) box.later = setTimeout(() => more(box), 350);
  });

  async function more(box) {
    const url = new URL(box.form.action);
    url.search = new URLSearchParams(new FormData(box.form));
    const answer = await fetch(url, { headers: { accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelectorAll("main section");
    const old = document.querySelectorAll("main section");
    if (fresh.length !== old.length) return;
    old.forEach((section, n) => section.replaceWith(document.adoptNode(fresh[n])));
  }

  // ── words while a case is typed ──
  let asked = 0;
  document.addEventListener("input", async (event) => {
    const box = event.target;
    if (!(box instanceof HTMLTextAreaElement) || !box.dataset.words) return;
    const list = document.getElementById("words");
    const book = (/^book:\s*(\S+)/m.exec(box.value) || [])[1];
    const word = (/[\w-]+$/.exec(box.value.slice(0, box.selectionStart)) || [""])[0];
    const mine = ++asked;
    if (!book || word.length < 2) return list.replaceChildren();
    const url = `${box.dataset.words}?${new URLSearchParams({ book, start: word })}`;
    const answer = await fetch(url);
    if (!answer.ok || mine !== asked) return;
    const { words } = await answer.json();
    list.replaceChildren(
      ...words.map(({ name, label }) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = name;
        button.title = label;
        button.addEventListener("click", () => {
          const at = box.selectionStart;
          box.setRangeText(name, at - word.length, at, "end");
          list.replaceChildren();
          box.focus();
        });
        return button;
      }),
    );
  });

  // ── what takes a while is fetched when the rest is there ──
  async function begin() {
    for (const link of document.querySelectorAll("a[data-more]")) {
      const place = document.getElementById(link.dataset.more);
      try {
        const answer = await fetch(link.href, { headers: { accept: "text/html" } });
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const found = page.getElementById(link.dataset.more);
        if (found && place.isConnected) place.replaceWith(document.adoptNode(found));
      } catch {
        // the link is still there
      }
    }
  }
  begin();
})();
