// The symbols of drawings: how they are written, and their colors in formulas and code.

wayfare.symbols = (() => {
  // "v_q T" as v with an index, and T: every other part is an index.
  const parts = (symbol) => symbol.split(/_(\w+)/);
  const html = (symbol) =>
    parts(symbol).map((part, i) => (i % 2 ? `<sub>${part}</sub>` : part)).join("");

  // Gives the symbols of the section's formulas, and keys in code, the colors of the drawing.
  const paint = (figure, terms) => {
    const marks = new Map();
    for (const { marks: symbols, color } of terms) {
      symbols.split(" ").forEach((symbol) => marks.set(symbol, color));
    }
    const keys = [...figure.querySelectorAll("label var")];
    for (const symbol of keys) {
      symbol.innerHTML = html(symbol.textContent);
      marks.set(symbol.textContent, "parameter");
    }
    const section = [];
    for (const way of ["previousElementSibling", "nextElementSibling"]) {
      for (let part = figure; (part = part[way]) && part.tagName !== "H2"; ) {
        section.push(part);
      }
    }
    const HOLDS = "msub, mover, msup, msubsup";
    for (const symbol of section.flatMap((part) => [...part.querySelectorAll(`mi, ${HOLDS}`)])) {
      const color = marks.get(symbol.textContent.replace(/\s/g, ""));
      // Parts of a symbol, letters of a word such as "cut", and the t of a time step stay.
      const held = symbol.parentElement.closest("msub, mover");
      const word = symbol.getAttribute("mathvariant") && /[a-z]/.test(symbol.textContent);
      const step = symbol.previousElementSibling?.textContent === "Δ";
      if (color && !held && !word && !step) symbol.style.color = `var(--demo-${color})`;
    }
    const names = keys.map((symbol) => symbol.dataset.key).filter(Boolean);
    if (!names.length) return;
    const pattern = new RegExp(`\\b(${names.join("|")})\\b`);
    for (const code of wayfare.main.querySelectorAll("code")) {
      const walk = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
      const texts = [];
      while (walk.nextNode()) texts.push(walk.currentNode);
      for (const text of texts.filter(({ data }) => pattern.test(data))) {
        const pieces = text.data.split(pattern).map((piece, i) => {
          if (i % 2 === 0) return piece;
          const span = document.createElement("span");
          span.className = "key";
          span.textContent = piece;
          return span;
        });
        text.replaceWith(...pieces);
      }
    }
  };

  return { parts, html, paint };
})();
