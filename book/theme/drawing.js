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
//   cells LABEL        cells as wide as the radius of a circle, and those that agent 0 reads
//   tests LABEL        the agents that all agents read in such cells
//   pairs              the pairs of agents
//   facing             the facing of agent 0, as long as its max_speed
//   turn A B           the angle between two directions: "velocity", "desired", "facing",
//                      "next" (the facing after the next tick), or the LABEL of a segment
//   way N              the way of agent 0 in the next N ticks
//   fan N              its facings in the next N ticks
//   turning            two circles at the sides of agent 0, whose radius is turning_radius
//   digest [N]         the digest of the drawing, or N ticks later
//
// A handle on the rim of a circle, of data-rim, sets the first slider.
//
// For tests each figure has data-state (waiting, ready, failed).

(() => {
  const figures = [...document.querySelectorAll("figure.live")];
  const SVG = "http://www.w3.org/2000/svg";
  // The part of the width by which an arrow key moves a point.
  const STEP = 1 / 60;

  const { add, minus, length } = wayfare;
  const digits = (number) => (Math.abs(number) < 9.95 ? 1 : 0);
  const told = (number) => number.toFixed(digits(number)).replace(/^-/, "−");
  const degrees = (angle) => `${told((angle * 180) / Math.PI)}°`;
  const vector = ([x, y]) => `(${told(x)}, ${told(y)}), length ${told(length([x, y]))}`;
  const { html, paint } = wayfare.symbols;

  class Drawing extends wayfare.Ink {
    constructor(figure) {
      super();
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
      paint(figure, this.terms);
    }

    start() {
      return (this.started ??= this.begun());
    }

    async begun() {
      const { figure } = this;
      try {
        this.Demo = (await wayfare.load()).Demo;
        this.create(figure.dataset.text);
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
      this.rim = figure.dataset.rim;
      this.faces = numbers(figure.dataset.faces);
      this.turns = numbers(figure.dataset.turns);
      this.stretch =
        (Number(figure.dataset.arrow) * this.view.width) / this.agent(0).max_speed;
      this.begin();
      this.build();
      this.listen();
      // The drawing has its width from here on.
      figure.dataset.state = "ready";
      this.draw();
      wayfare.widths();
    }

    create(text) {
      this.text = text;
      this.demo = new this.Demo("the drawing", text);
      this.copy = new this.Demo("the drawing", text);
      this.group = new Map();
      const agents = this.demo.agents();
      for (let i = 0; i < agents.length; i += 7) this.group.set(agents[i], agents[i + 6]);
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
        const small = ["turn", "face", "rim"].includes(what);
        make(part, "circle", { r: small ? 6 : 14, class: "ring" });
        if (what === "pointer") make(part, "circle", { r: 3, class: "dot" });
        return { part, what, id };
      };
      this.handles = this.moves.map((id) => handle("move", id, this.name(id)));
      if (this.demo.pointer().length) this.handles.push(handle("pointer", 0, "target"));
      if (this.faces.length) this.handles.push(handle("face", 0, "facing"));
      if (this.rim) this.handles.push(handle("rim", 0, this.rim));
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
            wayfare.outputOf(input).value = input.value;
          });
          this.create(figure.dataset.text);
          this.begin();
        } else if (target.dataset.do === "tick") this.tick();
        else return;
        this.draw();
      });
    }

    begin() {
      this.tick();
      if (this.faces.length) this.demo.face(0, ...this.faces);
    }

    // Lets a tick pass, in which agents stay where they are. The slots of a formation, for
    // example, are given by a tick.
    tick() {
      const before = [...this.group.keys()].map((id) => [id, this.agent(id)]);
      this.demo.step();
      for (const [id, { position, velocity }] of before) {
        this.lay(this.demo, id, position, velocity);
      }
    }

    // An agent that is put somewhere faces along its velocity; one that the reader turns does not.
    lay(demo, id, position, velocity, facing = this.facing(demo)) {
      demo.put(id, ...position, ...velocity);
      if (this.faces.length && id === 0) demo.face(0, ...facing);
    }

    // The length of the arrow of a facing.
    reach() {
      return this.found.max_speed * this.stretch;
    }

    // The facing of agent 0.
    facing(demo = this.demo) {
      return [...demo.agents().subarray(3, 5)];
    }

    // Makes a demo stand as another one does: agents, facing and pointer.
    stand(copy, demo = this.demo) {
      const pointer = demo.pointer();
      if (pointer.length) copy.point(...pointer);
      for (const id of this.group.keys()) {
        const found = JSON.parse(demo.forces(id));
        if (found) this.lay(copy, id, found.position, found.velocity, this.facing(demo));
      }
    }

    // Another crowd at the same tick, that stands as the drawing does.
    twin() {
      const { copy, demo } = this;
      copy.restart();
      while (copy.tick() < demo.tick()) copy.step();
      this.stand(copy);
      return copy;
    }

    // What agent 0 does in the next ticks: its place and its facing. An agent with a facing of its
    // own stays where it is, as in the drawing.
    ahead(ticks) {
      const [copy, { found }] = [this.twin(), this];
      return Array.from({ length: ticks }, () => {
        copy.step();
        if (this.faces.length) this.lay(copy, 0, found.position, found.velocity);
        return { at: [...copy.agents().subarray(1, 3)], facing: this.facing(copy) };
      });
    }

    set(input) {
      wayfare.outputOf(input).value = input.value;
      const [, line] = input.dataset.keys.split("text ");
      if (!line) return this.send(input);
      // A running crowd cannot change this key: another one stands in its place.
      const number = new RegExp(`(\\n${line} = )[\\d.]+`);
      const { demo, text } = this;
      this.create(text.replace(number, `$1${input.value}`));
      this.stand(this.demo, demo);
      const others = [...this.figure.querySelectorAll("input:not([data-keys^=text])")];
      others.filter((other) => wayfare.isMoved(other)).forEach((other) => this.send(other));
    }

    send({ dataset, value }) {
      for (const key of dataset.keys.split(" ")) {
        for (const demo of [this.demo, this.copy]) demo.set(key, Number(value));
      }
    }

    // Where a handle is in the world.
    at({ what, id }) {
      if (what === "pointer") return [...this.demo.pointer()];
      const { position, velocity, figures } = this.agent(id);
      if (what === "rim") {
        const { circle, radius } = figures.find(({ label }) => label === this.rim);
        return add(circle, [radius, 0]);
      }
      if (what === "face") return add(position, this.facing(), this.reach());
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
      else if (what === "face") this.demo.face(0, ...minus(to, position));
      else if (what === "rim") {
        const input = this.figure.querySelector("input");
        input.value = length(minus(to, position));
        this.set(input);
      }
      else if (what === "move") this.lay(this.demo, id, to, velocity);
      else {
        const speed = minus(to, position).map((part) => part / this.stretch);
        this.lay(this.demo, id, position, speed);
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
      this.rows = this.demo.agents();
      const { found, stretch } = this;
      this.figures = found.figures.map((one) => wayfare.scaled(one, found.position, stretch));
      this.ground();
      this.lit = this.read = this.samples = undefined;
      this.arcs = 0;
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
      } else if (kind === "turn") {
        const [from, to] = [this.direction(name), this.direction(other)];
        const turn = () => degrees(this.turn(found.position, from, to, symbol, color));
        value = from && to ? turn() : "none";
      } else if (kind === "facing") {
        const facing = this.facing();
        this.arrow(found.position, add(found.position, facing, this.reach()), symbol, color);
        value = degrees(Math.atan2(facing[1], facing[0]));
      } else if (kind === "way") {
        const way = this.ahead(Number(name)).map(({ at }) => at);
        this.trail([found.position, ...way], color);
        value = "";
      } else if (kind === "fan") {
        for (const { facing } of this.ahead(Number(name))) {
          const [from, to] = [0.85, 1].map((part) => part * this.reach());
          this.line(add(found.position, facing, from), add(found.position, facing, to), color, "");
        }
        value = "";
      } else if (kind === "digest") {
        const [twin, later] = [this.twin(), Number(name ?? 0)];
        for (let tick = 0; tick < later; tick++) twin.step();
        value = twin.digest();
      } else if (kind === "turning") {
        value = this.turning(color, symbol);
      } else if (kind === "pairs") {
        value = String(this.group.size * (this.group.size - 1));
      } else if (kind === "cells" && figure) {
        this.cells(figure, color);
        this.read = new Set(this.near(0, this.sorted(figure.radius)));
        value = String(this.read.size);
      } else if (kind === "tests" && figure) {
        const cells = this.sorted(figure.radius);
        const read = (id) => this.near(id, cells).length;
        value = String([...this.group.keys()].reduce((sum, id) => sum + read(id), 0));
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

    // A direction of agent 0; undefined for one without a length.
    direction(name) {
      const { velocity, forces } = this.found;
      const segment = this.figures.find(({ label }) => label === name);
      const way = {
        velocity: () => velocity,
        desired: () => add(velocity, forces[0].force),
        facing: () => this.facing(),
        next: () => this.ahead(1)[0].facing,
      }[name]?.() ?? (segment && minus(segment.to, segment.from));
      return way && length(way) > 1e-6 ? way : undefined;
    }

    // No arc leads into the circles at the sides.
    turning(color, symbol) {
      const radius = Number(this.figure.querySelector("[data-keys*=turning_radius]").value);
      const { position, velocity } = this.found;
      const [ux, uy] = velocity.map((part) => part / length(velocity));
      const centers = [1, -1].map((side) => add(position, [-uy * side, ux * side], radius));
      for (const circle of centers) this.circle({ circle, radius }, color, symbol);
      const inside = centers.some((at) => length(minus(at, this.demo.pointer())) < radius);
      return inside ? "inside" : "outside";
    }

    // Where an agent is, by the first of its numbers in `rows`.
    spot(row) {
      return [...this.rows.subarray(row + 1, row + 3)];
    }

    // The cell of a point, in a grid of cells of this width.
    cell([x, y], width) {
      const { left, top } = this.view;
      return [Math.floor((x - left) / width), Math.floor((y - top) / width)];
    }

    // The cells of all agents, by their ids.
    sorted(width) {
      const cells = new Map();
      for (let i = 0; i < this.rows.length; i += 7) {
        cells.set(this.rows[i], this.cell(this.spot(i), width));
      }
      return cells;
    }

    // The ids of the other agents in the nine cells about an agent.
    near(id, cells) {
      const [column, row] = cells.get(id);
      const near = ([x, y]) => Math.abs(x - column) <= 1 && Math.abs(y - row) <= 1;
      return [...cells.keys()].filter((other) => other !== id && near(cells.get(other)));
    }

    cells({ radius }, color) {
      const { left, top, width, height } = this.view;
      const [column, row] = this.cell(this.found.position, radius);
      const corner = this.screen([left + (column - 1) * radius, top + (row - 1) * radius]);
      const side = 3 * radius * this.scale;
      this.out.push(
        `<rect x="${corner[0]}" y="${corner[1]}" width="${side}" height="${side}" class="side"` +
          ` style="fill:var(--demo-${color})"/>`,
      );
      const line = (from, to) => this.out.push(
        `<path d="M${this.screen(from).join(" ")}L${this.screen(to).join(" ")}" class="grid"/>`,
      );
      for (let x = radius; x < width; x += radius) {
        line([left + x, top], [left + x, top + height]);
      }
      for (let y = radius; y < height; y += radius) {
        line([left, top + y], [left + width, top + y]);
      }
    }

    place(name) {
      const [, label] = name.split("end:");
      if (label) return this.figures.find((one) => one.label === label).to;
      return name === "pointer" ? [...this.demo.pointer()] : this.agent(Number(name)).position;
    }

    dart(id) {
      let row = 0;
      while (this.rows[row] !== id) row += 7;
      const position = this.spot(row);
      const [hx, hy, size] = this.rows.subarray(row + 3, row + 6);
      const [x, y] = this.screen(position);
      const radius = size * this.scale;
      const turn = (Math.atan2(hy, hx) * 180) / Math.PI;
      const near = this.lit?.has(id) ? "lit" : this.read?.has(id) ? "read" : "other";
      const look = id === 0 ? "self" : near;
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
  }

  const drawings = new Map(figures.map((figure) => [figure, new Drawing(figure)]));
  wayfare.drawings = drawings;
  wayfare.watch(
    figures,
    (figure, visible) => visible && drawings.get(figure).start(),
    () => drawings.forEach((drawing) => drawing.demo && drawing.draw()),
  );
})();
