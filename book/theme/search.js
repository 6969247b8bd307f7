// The order of what the search finds: chapters with the words in their title, then those of the
// course in its order, then recipes and the pages for teachers, then the reference. mdBook ranks a
// listing of code as high as the chapter on its subject.

(() => {
  const list = document.getElementById("mdbook-searchresults");
  const bar = document.getElementById("mdbook-searchbar");
  if (!list || !bar) return;
  const path = ({ href }) => new URL(href, location.href).pathname;

  const sort = () => {
    const chapters = [...document.querySelectorAll(".chapter a")].map(path);
    const words = bar.value.toLowerCase().split(/\s+/).filter(Boolean);
    const ranked = [...list.children].map((item, found) => {
      const link = item.querySelector("a");
      const [text, page] = [link.textContent.toLowerCase(), path(link)];
      const beside = /\/(cook-|teachers|formulas)/.test(page);
      const part = page.includes("/reference/") ? 3 : beside ? 2 : 1;
      const titled = part === 1 && words.every((word) => text.includes(word));
      const chapter = part === 3 ? 0 : chapters.indexOf(page);
      return { item, keys: [titled ? 0 : part, chapter, found] };
    });
    ranked.sort(({ keys: a }, { keys: b }) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
    const items = ranked.map(({ item }) => item);
    if (items.some((item, i) => item !== list.children[i])) list.append(...items);
  };
  new MutationObserver(sort).observe(list, { childList: true });
  // A search in the address may have been answered before.
  sort();
})();
