// Drawings that the reader drags: the module computes a scene that stands still, and this file
// draws the terms of the formula and writes their values.
//
// A term is drawn `of`
//   velocity [ID]      the velocity of an agent, of agent 0 without an id
//   force [BEHAVIOR]   the force of a behavior on agent 0; the force that moves it without a name
//   desired            the velocity and the force of the only behavior together
//   figure LABEL       a figure of the library
//   center LABEL       the arrow from agent 0 to the center of a circle
//   end LABEL          the end of a segment
//   middle LABEL N     the center of a circle, of the Nth with this label (0 without a number)
//   angle LABEL        the angle of a segment in the world
//   time LABEL ID      the length of a segment, divided by the speed of an agent
//   between A B        the way from one place to another; a place is an id, "pointer" or
//                      "end:LABEL"
//   place A            the point itself
//   bound LABEL        the lines of segments, and their forbidden sides
//   samples LABEL      a figure of all other agents, which mark places and are not drawn
//   neighbors LABEL    the agents in a circle, with their velocities
//
// For tests each figure has data-state (waiting, ready, failed).

(() => {
  const figures = [...document.querySelectorAll("figure.live")];
  const SVG = "http://www.w3.org/2000/svg";
  // Pixels between the points on lines that labels keep off.
  const GRAIN = 5;
  // The part of the width by which an arrow key moves a point.
  const STEP = 1 / 60;

  const add = ([x, y], [dx, dy], part = 1) => [x + dx * part, y + dy * part];
  const minus = ([x, y], [a, b]) => [x - a, y - b];
  const length = ([x, y]) => Math.hypot(x, y);
  const digits = (number) => (Math.abs(number) < 9.95 ? 1 : 0);
  const told = (number) => number.toFixed(digits(number)).replace(/^-/, "−");
  const vector = ([x, y]) => `(${told(x)}, ${told(y)}), length ${told(length([x, y]))}`;
  // "v_q T" as v with an index, and T: every other part is an index.
  const parts = (symbol) => symbol.split(/_(\w+)/);
  const html = (symbol) =>
    parts(symbol).map((part, i) => (i % 2 ? `<sub>${part}</sub>` : part)).join("");

  class Drawing {
    constructor(figure) {
      this.figure = figure;
      this.terms = [...figure.querySelectorAll(".terms li")].map((item) => ({
        ...item.dataset,
        item,
        words: item.dataset.of.split(" "),
      }));
      for (const { item, symbol, color } of this.terms) {
        item.querySelector("var").innerHTML = html(symbol);
        item.style.setProperty("--term", `var(--demo-${color})`);
      }
      figure.dataset.state = "waiting";
      this.paint();
    }

    // Gives the symbols of the section's formulas, and keys in code, the colors of the drawing.
    paint() {
      const marks = new Map();
      for (const { marks: symbols, color } of this.terms) {
        symbols.split(" ").forEach((symbol) => marks.set(symbol, color));
      }
      const keys = [...this.figure.querySelectorAll("label var")];
      for (const symbol of keys) {
        symbol.innerHTML = html(symbol.textContent);
        marks.set(symbol.textContent, "parameter");
      }
      const section = [];
      for (const way of ["previousElementSibling", "nextElementSibling"]) {
        for (let part = this.figure; (part = part[way]) && part.tagName !== "H2"; ) {
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
    }

    async start() {
      if (this.started) return;
      this.started = true;
      const { figure } = this;
      try {
        const { Demo } = await wayfare.load();
        this.demo = new Demo("the drawing", figure.dataset.text);
      } catch {
        // Without WebAssembly the poster stays.
        figure.dataset.state = "failed";
        return;
      }
      this.world = JSON.parse(this.demo.world());
      const [left, top, right, bottom] = this.world.bounds;
      this.view = { left, top, width: right - left, height: bottom - top };
      const numbers = (text) => text.split(" ").filter(Boolean).map(Number);
      this.moves = numbers(figure.dataset.moves);
      this.turns = numbers(figure.dataset.turns);
      this.group = new Map();
      const agents = this.demo.agents();
      for (let i = 0; i < agents.length; i += 7) this.group.set(agents[i], agents[i + 6]);
      this.stretch =
        (Number(figure.dataset.arrow) * this.view.width) / this.agent(0).max_speed;
      this.tick();
      this.build();
      this.listen();
      this.draw();
      figure.dataset.state = "ready";
      wayfare.widths();
    }

    agent(id) {
      return JSON.parse(this.demo.forces(id));
    }

    name(id) {
      return this.world.groups[this.group.get(id)].name;
    }

    // The parts of the SVG: what is drawn again at each change, and the handles, which stay.
    build() {
      const stage = this.figure.querySelector(".stage");
      stage.innerHTML = "";
      const make = (parent, tag, attributes = {}) => {
        const part = document.createElementNS(SVG, tag);
        Object.entries(attributes).forEach(([key, value]) => part.setAttribute(key, value));
        return parent.appendChild(part);
      };
      const label = this.figure.querySelector("figcaption").textContent;
      this.svg = make(stage, "svg", { role: "group", "aria-label": label });
      this.ink = make(this.svg, "g", { "aria-hidden": true });
      const handle = (what, id, name) => {
        const part = make(this.svg, "g", {
          class: "handle",
          tabindex: 0,
          role: "button",
          "aria-label": `${name}: drag it, or press arrow keys`,
          "data-what": what,
        });
        make(part, "circle", { r: 20, class: "hit" });
        make(part, "circle", { r: what === "turn" ? 6 : 14, class: "ring" });
        if (what === "pointer") make(part, "circle", { r: 3, class: "dot" });
        return { part, what, id };
      };
      this.handles = this.moves.map((id) => handle("move", id, this.name(id)));
      if (this.demo.pointer().length) this.handles.push(handle("pointer", 0, "target"));
      const tips = this.turns.map((id) => handle("turn", id, `velocity of ${this.name(id)}`));
      this.handles.push(...tips);
    }

    listen() {
      const { figure, svg, view } = this;
      const place = (event) => {
        const box = svg.getBoundingClientRect();
        return [
          view.left + ((event.clientX - box.left) / box.width) * view.width,
          view.top + ((event.clientY - box.top) / box.height) * view.height,
        ];
      };
      for (const handle of this.handles) {
        const { part } = handle;
        let off;
        part.addEventListener("pointerdown", (event) => {
          part.setPointerCapture(event.pointerId);
          off = minus(this.at(handle), place(event));
        });
        part.addEventListener("pointermove", (event) => {
          if (part.hasPointerCapture(event.pointerId)) this.put(handle, add(place(event), off));
        });
        part.addEventListener("keydown", (event) => {
          const to = wayfare.moved(event, this.at(handle), STEP * view.width);
          if (to) this.put(handle, to);
        });
      }
      figure.querySelectorAll("input").forEach((input) =>
        input.addEventListener("input", () => {
          this.set(input);
          this.draw();
        }),
      );
      figure.querySelector(".controls").addEventListener("click", ({ target }) => {
        if (target.dataset.do === "restart") {
          figure.querySelectorAll("input").forEach((input) => {
            input.value = input.defaultValue;
            this.set(input);
          });
          this.demo.restart();
          this.tick();
        } else if (target.dataset.do === "tick") this.tick();
        else return;
        this.draw();
      });
    }

    // Lets a tick pass, in which agents stay where they are. The slots of a formation, for
    // example, are given by a tick.
    tick() {
      const before = [...this.group.keys()].map((id) => [id, this.agent(id)]);
      this.demo.step();
      for (const [id, { position, velocity }] of before) {
        this.demo.put(id, ...position, ...velocity);
      }
    }

    set(input) {
      input.parentElement.querySelector("output").value = input.value;
      input.dataset.keys.split(" ").forEach((key) => this.demo.set(key, Number(input.value)));
    }

    // Where a handle is in the world.
    at({ what, id }) {
      if (what === "pointer") return [...this.demo.pointer()];
      const { position, velocity } = this.agent(id);
      return what === "move" ? position : add(position, velocity, this.stretch);
    }

    put({ what, id }, [x, y]) {
      const { left, top, width, height } = this.view;
      const edge = 0.02 * width;
      const to = [
        Math.max(left + edge, Math.min(left + width - edge, x)),
        Math.max(top + edge, Math.min(top + height - edge, y)),
      ];
      const { position, velocity } = this.agent(id);
      if (what === "pointer") this.demo.point(...to);
      else if (what === "move") this.demo.put(id, ...to, ...velocity);
      else {
        const [vx, vy] = minus(to, position).map((part) => part / this.stretch);
        this.demo.put(id, ...position, vx, vy);
      }
      this.draw();
    }

    draw() {
      const { svg, view } = this;
      this.width = svg.clientWidth;
      this.scale = this.width / view.width;
      this.height = view.height * this.scale;
      svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
      this.out = [];
      // The points of lines, and the boxes of labels, that labels keep off.
      this.grains = [];
      this.boxes = [];
      this.labels = [];
      this.found = this.agent(0);
      const { found, stretch } = this;
      this.figures = found.figures.map((one) => wayfare.scaled(one, found.position, stretch));
      this.ground();
      this.lit = this.samples = undefined;
      this.terms.forEach((term) => this.term(term));
      for (const id of this.group.keys()) if (!this.samples || id === 0) this.dart(id);
      for (const handle of this.handles) {
        const at = this.screen(this.at(handle));
        const around = [-8, 0, 8].flatMap((x) => [-8, 0, 8].map((y) => add(at, [x, y])));
        this.grains.push(...around);
      }
      this.labels.forEach((label) => this.label(label));
      this.ink.innerHTML = this.out.join("");
      for (const handle of this.handles) {
        const [x, y] = this.screen(this.at(handle));
        handle.part.setAttribute("transform", `translate(${x} ${y})`);
        // The velocity of an agent that is no neighbor does not count.
        const { what, id } = handle;
        const counts = what !== "turn" || id === 0 || !this.lit || this.lit.has(id);
        handle.part.style.display = counts ? "" : "none";
      }
    }

    screen([x, y]) {
      return [(x - this.view.left) * this.scale, (y - this.view.top) * this.scale];
    }

    ground() {
      const points = (list) => list.map((point) => this.screen(point).join()).join(" ");
      for (const { points: list, radius } of this.world.paths) {
        const width = 2 * radius * this.scale;
        this.out.push(
          `<polyline points="${points(list)}" class="road" style="stroke-width:${width}px"/>`,
          `<polyline points="${points(list)}" class="thin" style="--term:var(--demo-line)"/>`,
        );
      }
      for (const { circle, radius, points: list, thickness } of this.world.obstacles) {
        if (circle) {
          const [x, y] = this.screen(circle);
          this.out.push(`<circle cx="${x}" cy="${y}" r="${radius * this.scale}" class="solid"/>`);
        } else {
          const width = thickness * this.scale;
          const style = `style="stroke-width:${width}px"`;
          this.out.push(`<polygon points="${points(list)}" class="solid" ${style}/>`);
        }
      }
    }

    // Draws a term, and writes its value.
    term(term) {
      const { words, item, symbol, color, tip } = term;
      const [kind, first, other] = words;
      // The label of a figure may have a space.
      const name = kind === "bound" ? words.slice(1).join(" ") : first;
      const { found } = this;
      const behavior = found.forces.find((force) => force.behavior === name);
      const wish = add(found.velocity, found.forces[0].force);
      const figures = this.figures.filter((figure) => figure.label === name);
      const figure = figures[0];
      let value = "none";
      const arrow = (from, way, unit = this.stretch) => {
        this.arrow(from, add(from, way, unit), symbol, color);
        value = length(way) > 1e-6 ? vector(way) : "0";
      };
      const segment = (from, to) => {
        this.line(from, to, color, "dashed");
        if (symbol) this.labels.push({ symbol, color, at: this.along(from, to) });
      };
      const point = (at) => {
        const [x, y] = this.screen(at);
        this.out.push(`<circle cx="${x}" cy="${y}" r="5" style="fill:var(--demo-${color})"/>`);
        this.labels.push({ symbol, color, at: this.round(at, 4) });
        value = `(${told(at[0])}, ${told(at[1])})`;
      };
      if (kind === "velocity") {
        const { position, velocity } = name ? this.agent(Number(name)) : found;
        arrow(position, velocity);
      } else if (kind === "desired") arrow(found.position, wish);
      else if (kind === "force") {
        const from =
          tip === "true" ? add(found.position, found.velocity, this.stretch) : found.position;
        arrow(from, name ? (behavior?.force ?? [0, 0]) : found.force);
      } else if (kind === "center" && figure) {
        arrow(found.position, minus(figure.circle, found.position).map((p) => p / this.stretch));
      } else if (kind === "between") {
        const [from, to] = [this.place(name), this.place(other)];
        segment(from, to);
        value = told(length(minus(to, from)));
      } else if (kind === "place") {
        const at = this.place(name);
        this.labels.push({ symbol, color, at: this.round(at, 13) });
        value = `(${told(at[0])}, ${told(at[1])})`;
      } else if (kind === "end" && figure) {
        point(figure.to);
      } else if (kind === "middle" && figures[Number(other ?? 0)]) {
        point(figures[Number(other ?? 0)].circle);
      } else if (kind === "time" && figure) {
        const speed = length(this.agent(Number(other)).velocity);
        value = speed > 1e-6 ? told(length(minus(figure.to, figure.from)) / speed) : "none";
      } else if (kind === "angle" && figure) {
        const [dx, dy] = minus(figure.to, figure.from);
        const angle = Math.atan2(dy, dx);
        const [x, y] = this.screen(figure.from);
        const [px, py] = [x + 24 * Math.cos(angle), y + 24 * Math.sin(angle)];
        this.out.push(
          `<path d="M${x + 24} ${y}A24 24 0 0 ${dy < 0 ? 0 : 1} ${px} ${py}" class="thin"` +
            ` style="--term:var(--demo-${color})"/>`,
        );
        this.line(figure.from, add(figure.from, [50 / this.scale, 0]), "line", "dashed");
        const half = [Math.cos(angle / 2), Math.sin(angle / 2)];
        this.labels.push({ symbol, color, at: [[[x, y], half, 28]] });
        value = `${Math.round((angle * 180) / Math.PI)}°`.replace("-", "−");
      } else if (kind === "neighbors" && figure) {
        this.circle(figure, color, symbol);
        this.lit = new Set();
        for (const id of this.group.keys()) {
          const { position, velocity } = this.agent(id);
          if (id === 0 || length(minus(position, found.position)) > figure.radius) continue;
          this.lit.add(id);
          this.arrow(position, add(position, velocity, this.stretch), "", "velocity", "thin");
        }
        value = String(this.lit.size);
      } else if (kind === "samples") {
        this.samples = [...this.group.keys()].filter((id) => id !== 0);
        const shown = this.samples.flatMap((id) => this.agent(id).figures);
        for (const { from, to } of shown.filter(({ label }) => label === name)) {
          this.arrow(from, to, "", color, "thin");
        }
        value = "";
      } else if (kind === "bound") {
        figures.forEach((one) => this.bound(one, color));
        value = String(figures.length);
      } else if (kind === "figure" && figure) {
        for (const one of figures) {
          const { unit = 1 } = one;
          if (one.circle) {
            this.circle(one, color, symbol);
            value = `radius ${told(one.radius / unit)}`;
          } else if (one.point) {
            point(one.point);
          } else {
            this.arrow(one.from, one.to, symbol, color);
            const way = minus(one.to, one.from).map((part) => part / unit);
            value = unit === 1 ? `length ${told(length(way))}` : vector(way);
          }
        }
      }
      item.querySelector("output").value = value;
    }

    place(name) {
      const [, label] = name.split("end:");
      if (label) return this.figures.find((one) => one.label === label).to;
      return name === "pointer" ? [...this.demo.pointer()] : this.agent(Number(name)).position;
    }

    // A line, and what labels keep off.
    line(from, to, color, look) {
      const [[x, y], [a, b]] = [this.screen(from), this.screen(to)];
      this.out.push(
        `<line x1="${x}" y1="${y}" x2="${a}" y2="${b}" class="${look}"` +
          ` style="--term:var(--demo-${color})"/>`,
      );
      const count = Math.ceil(length([a - x, b - y]) / GRAIN);
      for (let i = 0; i <= count; i++) {
        this.grains.push([x + ((a - x) * i) / (count || 1), y + ((b - y) * i) / (count || 1)]);
      }
    }

    arrow(from, to, symbol, color, look = "bold") {
      const [[x, y], [a, b]] = [this.screen(from), this.screen(to)];
      const long = length([a - x, b - y]);
      // Nothing is drawn at rest.
      if (long < 2) return;
      const head = Math.min(look === "bold" ? 14 : 9, long);
      const [ux, uy] = [(a - x) / long, (b - y) / long];
      const neck = add(to, [ux, uy], (-0.7 * head) / this.scale);
      this.line(from, neck, color, look);
      const corner = (side) => `${a - (ux - uy * side) * head} ${b - (uy + ux * side) * head}`;
      this.out.push(
        `<path d="M${a} ${b}L${corner(0.45)}L${corner(-0.45)}z"` +
          ` style="fill:var(--demo-${color})"/>`,
      );
      this.grains.push([a, b], [a - (ux * head) / 2, b - (uy * head) / 2]);
      if (symbol) this.labels.push({ symbol, color, at: this.along(from, to) });
    }

    // The line of a segment across the drawing, and the side that is forbidden: its right in a
    // plane whose y points up, as for ORCA.
    bound({ from, to }, color) {
      const way = minus(to, from).map((part) => part / length(minus(to, from)));
      const far = 2 * this.view.width;
      const [start, end] = [add(from, way, -far), add(from, way, far)];
      const off = [way[1], -way[0]];
      const side = [start, end, add(end, off, far), add(start, off, far)];
      const points = side.map((point) => this.screen(point).join()).join(" ");
      this.out.push(
        `<polygon points="${points}" class="side" style="fill:var(--demo-${color})"/>`,
      );
      this.line(start, end, color, "thin");
    }

    circle({ circle, radius }, color, symbol) {
      const [[x, y], r] = [this.screen(circle), radius * this.scale];
      this.out.push(
        `<circle cx="${x}" cy="${y}" r="${r}" class="thin" style="--term:var(--demo-${color})"/>`,
      );
      for (let i = 0, count = Math.ceil((6.3 * r) / GRAIN); i < count; i++) {
        const angle = (2 * Math.PI * i) / count;
        this.grains.push([x + r * Math.cos(angle), y + r * Math.sin(angle)]);
      }
      const rim = this.round(circle, r + 3, r - 20);
      if (r > 1 && symbol) this.labels.push({ symbol, color, at: rim });
    }

    // Places for a label beside a line: a point, the direction from it, and a distance.
    along(from, to) {
      const [[x, y], [a, b]] = [this.screen(from), this.screen(to)];
      const long = length([a - x, b - y]) || 1;
      const [nx, ny] = [-(b - y) / long, (a - x) / long];
      return [3, 10].flatMap((far) =>
        [0.5, 0.65, 0.35, 0.8, 0.2].flatMap((part) =>
          [1, -1].map((side) => [
            [x + (a - x) * part, y + (b - y) * part],
            [nx * side, ny * side],
            far,
          ]),
        ),
      );
    }

    // Places for a label round a point.
    round(point, ...radii) {
      return radii.flatMap((radius) =>
        [-45, 45, -135, 135, -90, 90, 0, 180].map((degrees) => {
          const angle = (degrees * Math.PI) / 180;
          return [this.screen(point), [Math.cos(angle), Math.sin(angle)], radius];
        }),
      );
    }

    dart(id) {
      const { position } = this.agent(id);
      const agents = this.demo.agents();
      let row = 0;
      while (agents[row] !== id) row += 7;
      const [hx, hy] = agents.subarray(row + 3, row + 5);
      const [x, y] = this.screen(position);
      const radius = agents[row + 5] * this.scale;
      const turn = (Math.atan2(hy, hx) * 180) / Math.PI;
      const look = id === 0 ? "self" : this.lit?.has(id) ? "lit" : "other";
      if (radius > 8) {
        this.out.push(`<circle cx="${x}" cy="${y}" r="${radius}" class="body ${look}"/>`);
      }
      this.out.push(
        `<path d="M13 0L-11 -9L-6 0L-11 9z" class="dart ${look}"` +
          ` transform="translate(${x} ${y}) rotate(${turn})"/>`,
      );
      const alone = [...this.group.values()].filter((group) => group === this.group.get(id));
      if (alone.length > 1) return;
      this.labels.push({ text: this.name(id), color: "text", at: this.round(position, 13, 22) });
    }

    // Draws a label at the place with the fewest lines and labels behind it.
    label({ symbol, text, color, at }) {
      const pieces = text ? [text] : parts(symbol);
      const wide = pieces.reduce((sum, { length }, i) => sum + length * (i % 2 ? 7 : 9.3), 0);
      // The box of the label touches the place.
      const spots = at.map(([point, [x, y], far]) =>
        add(point, [x, y], far + (Math.abs(x) * wide) / 2 + Math.abs(y) * 9),
      );
      const cost = ([x, y], i) => {
        const [left, right, top, bottom] = [x - wide / 2, x + wide / 2, y - 9, y + 9];
        let sum = i * 0.05;
        if (left < 2 || right > this.width - 2 || top < 2 || bottom > this.height - 2) sum += 50;
        for (const [a, b] of this.grains) {
          if (a > left - 2 && a < right + 2 && b > top && b < bottom) sum += 1;
        }
        for (const [l, r, t, b] of this.boxes) {
          if (left < r && right > l && top < b && bottom > t) sum += 10;
        }
        return sum;
      };
      const costs = spots.map(cost);
      const [x, y] = spots[costs.indexOf(Math.min(...costs))];
      this.boxes.push([x - wide / 2, x + wide / 2, y - 9, y + 9]);
      const lines = pieces.map((piece, i) =>
        i ? `<tspan dy="${i % 2 ? 4 : -4}" font-size="${i % 2 ? 14 : 18}">${piece}</tspan>` : piece,
      );
      const look = text ? "" : ' class="symbol"';
      this.out.push(
        `<text x="${x}" y="${y + 5}"${look} style="fill:var(--demo-${color})">` +
          `${lines.join("")}</text>`,
      );
    }
  }

  const drawings = new Map(figures.map((figure) => [figure, new Drawing(figure)]));
  wayfare.watch(
    figures,
    (figure, visible) => visible && drawings.get(figure).start(),
    () => drawings.forEach((drawing) => drawing.demo && drawing.draw()),
  );
})();
