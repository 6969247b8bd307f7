// Questions: the page runs a demo again from its start with the reader's settings, and measures it;
// or it reads a value of a drawing, or the number that the reader types. `book/src/question.rs` has
// the same measures.
//
// For tests each form has data-state (open, running, right, wrong, failed) and data-value, what was
// measured.

(() => {
  const STRIDE = 7;
  // Milliseconds of a run after which the page draws again.
  const SLICE = 40;
  const told = (number) => `${Number(number.toFixed(2))}`;
  const far = ([x, y], [a, b]) => Math.hypot(x - a, y - b);

  // The value of a measure after a tick.
  function value([kind, ...words], demo, now, before) {
    const place = (agents, word) => {
      if (word === "pointer") return demo.pointer();
      let row = 0;
      while (agents[row] !== Number(word)) row += STRIDE;
      return agents.subarray(row + 1, row + 3);
    };
    const [group, left, top, right, bottom] = words.map(Number);
    const members = [];
    for (let i = 0; i < now.length; i += STRIDE) {
      if (now[i + 6] === group) members.push(now.subarray(i + 1, i + 3));
    }
    const count = (inside) => members.filter(inside).length;
    if (kind === "distance") return far(place(now, words[0]), place(now, words[1]));
    if (kind === "speed") return far(place(now, words[0]), place(before, words[0]));
    if (kind === "count") {
      return count(([x, y]) => x >= left && x <= right && y >= top && y <= bottom);
    }
    if (kind === "inside") {
      const circles = JSON.parse(demo.world()).obstacles.filter(({ circle }) => circle);
      return count((at) => circles.some(({ circle, radius }) => far(at, circle) < radius));
    }
    const nearest = (at) =>
      Math.min(...members.map((other) => far(at, other)).filter((distance) => distance > 0));
    return members.reduce((sum, at) => sum + nearest(at), 0) / members.length;
  }

  // The measure of a run, and its digest.
  async function run({ of, take, from, ticks }, figure, progress) {
    const { Demo } = await wayfare.load();
    const demo = new Demo(figure.dataset.scene, figure.dataset.text);
    wayfare.moves(figure, (key, value) => demo.set(key, value));
    const [words, values] = [of.split(" "), []];
    let [before, start] = [demo.agents(), performance.now()];
    for (let tick = 1; tick <= ticks; tick++) {
      demo.step();
      const now = demo.agents();
      if (tick >= from && of !== "digest") values.push(value(words, demo, now, before));
      before = now;
      if (performance.now() - start < SLICE) continue;
      progress(tick / ticks);
      await new Promise((done) => setTimeout(done));
      start = performance.now();
    }
    const digest = demo.digest();
    demo.free();
    if (of === "digest") return { digest };
    const sum = values.reduce((sum, value) => sum + value, 0);
    const taken = {
      least: Math.min(...values),
      most: Math.max(...values),
      mean: sum / values.length,
    };
    return { measured: taken[take], digest };
  }

  // The last number of a term, as the drawing before the question shows it.
  async function read({ of }, form) {
    const before = (figure) =>
      figure.compareDocumentPosition(form) & Node.DOCUMENT_POSITION_FOLLOWING;
    const figure = [...document.querySelectorAll("figure.live")].filter(before).at(-1);
    await wayfare.drawings.get(figure).start();
    const text = figure.querySelector(`li[data-of="${of}"] output`).value;
    return { measured: Number(text.replaceAll("−", "-").match(/-?[\d.]+/g)?.at(-1)) };
  }

  for (const form of document.querySelectorAll("form.question")) {
    const { dataset } = form;
    const [button, status] = [form.querySelector("button"), form.querySelector("output")];
    const [least, most] = [dataset.least, dataset.most].map((text) =>
      Number(text.replace("inf", "Infinity")),
    );
    const fits = (number) => number >= least && number <= most;
    const figure = document.querySelector(`figure.demo[data-scene="${dataset.demo}"]`);
    const tell = (state, text) => {
      dataset.state = state;
      status.value = text;
    };
    dataset.state = "open";
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (dataset.state === "running") return;
      const typed = form.querySelector("input");
      let right;
      let found = "";
      if (typed) {
        right = fits(typed.valueAsNumber);
      } else {
        tell("running", dataset.drawing ? "Reading the drawing …" : "Running the demo …");
        const progress = (part) => (button.textContent = `${Math.round(100 * part)} %`);
        try {
          const { measured, digest } = dataset.drawing
            ? await read(dataset, form)
            : await run(dataset, figure, progress);
          dataset.value = measured;
          right = dataset.digest ? digest === dataset.digest : fits(measured);
          found = dataset.digest
            ? `The digest is ${digest}.`
            : `${dataset.text} ${told(measured)}.`;
        } catch {
          tell("failed", `The ${dataset.drawing ? "drawing" : "demo"} cannot run here.`);
          return;
        } finally {
          button.textContent = "Check";
        }
      }
      if (right) tell("right", `Right. ${found} ${dataset.right}`);
      else tell("wrong", `Not yet. ${found}`);
    });
  }
})();
