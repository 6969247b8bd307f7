// What demos and drawings share, and what makes pages usable by keys.

const wayfare = (() => {
  const main = document.querySelector("main");
  const skip = document.createElement("a");
  skip.className = "skip";
  skip.textContent = "Skip to the text";
  main.id ||= "content-start";
  skip.href = `#${main.id}`;
  main.tabIndex = -1;
  document.body.prepend(skip);

  // Code, tables, formulas and drawings that are wider than the page can be scrolled by keys.
  const WIDE = "pre code, .table-wrapper, .formula, .drawing .stage";
  const widths = () => {
    for (const part of main.querySelectorAll(WIDE)) {
      const hidden = part.scrollWidth - part.clientWidth > 1;
      if (hidden) part.tabIndex = 0;
      else part.removeAttribute("tabindex");
      if (part.matches("pre code, .table-wrapper")) continue;
      part.classList.toggle("cut", hidden && part.scrollLeft < 1);
      part.onscroll = () => part.classList.toggle("cut", part.scrollLeft < 1);
    }
  };
  widths();
  addEventListener("resize", widths);

  // Lines to copy have the address of this book.
  for (const code of main.querySelectorAll("code")) {
    if (!code.textContent.includes("https://BOOK/")) continue;
    code.innerHTML = code.innerHTML.replaceAll("https://BOOK/", new URL(".", location.href).href);
  }

  const root = typeof path_to_root === "string" ? path_to_root : "";
  let loading;
  const load = () =>
    (loading ??= import(new URL(`${root}demo/wayfare_demo.js`, location.href)).then(
      async (module) => {
        await module.default();
        return module;
      },
    ));

  // Runs `seen(figure, whether)` when a figure comes on the screen or leaves it, and `redraw` when
  // a theme or a width has changed.
  const watch = (figures, seen, redraw) => {
    const observer = new IntersectionObserver((entries) =>
      entries.forEach(({ target, isIntersecting }) => seen(target, isIntersecting)),
    );
    const size = new ResizeObserver(redraw);
    for (const figure of figures) {
      observer.observe(figure);
      size.observe(figure);
    }
    new MutationObserver(redraw).observe(document.documentElement, { attributeFilter: ["class"] });
    // The arrow keys of a figure do not turn the page's chapter.
    for (const figure of figures) {
      figure.addEventListener("keydown", (event) => {
        if (event.key.startsWith("Arrow")) event.stopPropagation();
      });
    }
  };

  const add = ([x, y], [dx, dy], part = 1) => [x + dx * part, y + dy * part];
  const minus = ([x, y], [a, b]) => [x - a, y - b];
  const length = ([x, y]) => Math.hypot(x, y);

  // Where an arrow key moves a point; undefined for another key.
  const moved = (event, [x, y], step) => {
    const way = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    }[event.key];
    if (!way || event.altKey || event.ctrlKey || event.metaKey) return undefined;
    event.preventDefault();
    return [x + way[0] * step, y + way[1] * step];
  };

  // Figures of velocities and forces: the library gives them in the world, at the agent; they are
  // drawn in the scale of the arrows.
  const SPEEDS = ["circle", "displacement", "velocity", "preferred", "wanted", "neighbor bound"];
  const scaled = (figure, [x, y], stretch) => {
    if (!SPEEDS.includes(figure.label)) return figure;
    const at = (point) => point && [x + (point[0] - x) * stretch, y + (point[1] - y) * stretch];
    const { label, circle, radius, from, to, point } = figure;
    return {
      label,
      unit: stretch,
      circle: at(circle),
      radius: radius * stretch,
      from: at(from),
      to: at(to),
      point: at(point),
    };
  };

  // Runs `set(key, value)` for the sliders of a figure that have been moved. A slider rounds its
  // first value to its steps; its output has the value as it is.
  const outputOf = (input) => input.closest("label").querySelector("output");
  const isMoved = (input) => outputOf(input).value !== outputOf(input).defaultValue;
  const moves = (figure, set) => {
    for (const input of [...figure.querySelectorAll("input")].filter(isMoved)) {
      const value = Number(outputOf(input).value);
      input.dataset.keys.split(" ").forEach((key) => set(key, value));
    }
  };

  const lengths = { add, minus, length };
  return { main, load, watch, ...lengths, moved, scaled, widths, outputOf, isMoved, moves };
})();
