// The panels below the picture of a demo: its digest and the same run again, the differences of
// twins, the graph of an agent's states.
//
// A panel has `restart()`, `step()` after each tick, `under(pen, px, color)`, which draws below the
// agents, and `draw()`, once in a frame.

wayfare.panels = (() => {
  const STRIDE = 7;
  // How fast a run is made again.
  const PACE = 4;
  // For how many ticks a transition that was taken stays lit.
  const LIT = 45;

  // A new demo gets the same input at the same ticks.
  class Again {
    constructor(player, part) {
      this.player = player;
      this.part = part;
      this.verdict = part.querySelector("output");
    }

    restart() {
      this.digests = [];
      this.first = undefined;
      this.tell("");
      this.step();
    }

    tell(verdict) {
      this.verdict.value = verdict;
      this.player.pace = this.first && !this.ended ? PACE : 1;
    }

    again() {
      const { player, digests } = this;
      if (!this.first || this.ended) this.first = { log: player.log, digests };
      this.digests = [];
      this.ended = this.differs = false;
      player.renew(this.first.log);
      this.tell("");
      this.step();
    }

    step() {
      const { player, first, digests } = this;
      const tick = player.demo.tick();
      digests[tick] = player.demo.digest();
      if (!first || this.ended) return;
      if (!this.differs && first.digests[tick] !== digests[tick]) {
        this.differs = true;
        this.tell(`different since tick ${tick}`);
      }
      if (tick + 1 < first.digests.length) return;
      this.ended = true;
      this.tell(this.differs ? this.verdict.value : "equal");
      player.pause();
    }

    draw() {
      const tick = this.player.demo.tick();
      const before = this.first?.digests[tick];
      const values = { tick, digest: this.digests[tick], before };
      for (const part of this.part.querySelectorAll("[data-of]")) {
        part.textContent = values[part.dataset.of] ?? "";
      }
      this.part.querySelector(".before").hidden = !before;
    }
  }

  // The plot has the logarithm of the largest difference.
  class Twins {
    constructor(player, part) {
      this.player = player;
      this.svg = part.querySelector("svg");
      [this.ids, ...this.offset] = part.dataset.twins.split(" ").map(Number);
    }

    restart() {
      this.largest = [];
      this.step();
    }

    step() {
      const agents = this.player.demo.agents();
      this.pairs = [];
      for (let i = 0; i < this.ids * STRIDE; i += STRIDE) {
        const at = (row) => [...agents.subarray(row + 1, row + 3)];
        const [one, other] = [at(i), at(i + this.ids * STRIDE)];
        const apart = wayfare.length(wayfare.minus(wayfare.minus(other, one), this.offset));
        this.pairs.push({ one, other, apart });
      }
      this.pairs.sort((a, b) => a.apart - b.apart);
      this.largest[this.player.demo.tick()] = this.pairs.at(-1).apart;
    }

    // The pair with the largest difference is the last one.
    under(pen, px, color) {
      this.pairs.forEach(({ one, other }, i) => {
        const largest = i === this.pairs.length - 1;
        pen.strokeStyle = color(largest ? "force" : "frame");
        pen.lineWidth = (largest ? 2.5 : 1) * px;
        pen.beginPath();
        pen.moveTo(...one);
        pen.lineTo(...other);
        pen.stroke();
      });
    }

    draw() {
      const { svg, largest } = this;
      const [width, height] = [svg.clientWidth, svg.clientHeight];
      const [left, right, top, bottom] = [62, width - 20, 26, height - 26];
      const last = Math.max(600, largest.length - 1);
      const x = (tick) => left + ((right - left) * tick) / last;
      // From 0.00001 to 1,000.
      const y = (apart) => {
        const part = (Math.log10(Math.max(apart, 1e-5)) + 5) / 8;
        return bottom - (bottom - top) * Math.min(part, 1);
      };
      const levels = [0.0001, 0.01, 1, 100].map(
        (level) =>
          `<path d="M${left} ${y(level)}H${right}"/>` +
          `<text x="${left - 6}" y="${y(level) + 5}" text-anchor="end">${level}</text>`,
      );
      const ticks = [0, 200, 400, 600].map(
        (tick) => `<text x="${x(tick)}" y="${height - 6}" text-anchor="middle">${tick}</text>`,
      );
      const step = Math.ceil(largest.length / 600);
      const points = largest.map((apart, tick) => `${x(tick)},${y(apart)}`);
      const line = points.filter((_, i) => i % step === 0 || i === points.length - 1);
      const now = largest.at(-1);
      const told = now < 0.01 ? now.toFixed(5) : now.toFixed(now < 10 ? 2 : 0);
      svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
      svg.dataset.largest = now;
      svg.innerHTML =
        levels.join("") +
        ticks.join("") +
        `<text x="4" y="16">largest difference of two twins: ${told}</text>` +
        `<text x="${right}" y="${bottom - 8}" text-anchor="end">tick</text>` +
        `<polyline points="${line.join(" ")}"/>`;
    }
  }

  // Parts of a graph: `data-state` is a state, `data-way` a transition, "FROM TO"; `data-value` is
  // replaced by a number: "stat N", or "near GROUP", the distance to the nearest member.
  class Graph {
    constructor(player, part) {
      this.player = player;
      this.part = part;
    }

    restart() {
      this.state = this.taken = undefined;
      this.step();
    }

    step() {
      const { demo, agent } = this.player;
      this.found = JSON.parse(demo.forces(agent));
      const { state } = this.found;
      if (this.state && state !== this.state) {
        this.taken = { way: `${this.state} ${state}`, tick: demo.tick() };
      }
      this.state = state;
    }

    under(pen, px, color) {
      pen.strokeStyle = color("figure");
      pen.lineWidth = 2.5 * px;
      pen.beginPath();
      pen.arc(...this.found.position, 20 * px, 0, 2 * Math.PI);
      pen.stroke();
    }

    value([kind, number]) {
      if (kind === "stat") return this.found.stats[number];
      const [agents, { position }] = [this.player.demo.agents(), this.found];
      let nearest = Infinity;
      for (let i = 0; i < agents.length; i += STRIDE) {
        if (agents[i + 6] !== Number(number)) continue;
        const apart = wayfare.length(wayfare.minus(agents.subarray(i + 1, i + 3), position));
        nearest = Math.min(nearest, apart);
      }
      return nearest;
    }

    draw() {
      const { state, taken } = this;
      const lit = taken && this.player.demo.tick() - taken.tick < LIT;
      for (const part of this.part.querySelectorAll("[data-state]")) {
        part.classList.toggle("on", part.dataset.state === state);
      }
      for (const part of this.part.querySelectorAll("[data-way]")) {
        part.classList.toggle("open", part.dataset.way.split(" ")[0] === state);
        part.classList.toggle("taken", Boolean(lit) && part.dataset.way === taken.way);
      }
      for (const part of this.part.querySelectorAll("[data-value]")) {
        part.textContent = Math.round(this.value(part.dataset.value.split(" ")));
      }
    }
  }

  const KINDS = { ".again": Again, ".plot": Twins, ".states": Graph };
  return (player) =>
    Object.entries(KINDS).flatMap(([name, Kind]) => {
      const part = player.figure.querySelector(`.panel${name}`);
      return part ? [new Kind(player, part)] : [];
    });
})();
