// The demos of a page: one module serves all of them, and a demo that is not on the screen does not
// run. `crates/wayfare-demo` steps the scenes; this file draws them.
//
// For tests each figure has data-state (waiting, running, paused, failed), data-tick, data-target,
// where the target is as parts of the canvas, and data-digest, the digest after 300 ticks. With
// data-hurry it makes 60 ticks in each frame.

(() => {
  const figures = [...document.querySelectorAll("figure.demo")];
  if (!figures.length) return;

  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const PALETTE = ["#d1495b", "#2e7fb8", "#3d9a5f", "#c98a1b", "#8657b5", "#4a8f95"];
  // Ticks per second of a scene whose tick is one unit of time.
  const RATE = 60;
  // Behaviors whose arrows have colors of their own.
  const RULES = ["separation", "alignment", "cohesion"];
  // The digest is compared with the native one after so many ticks.
  const COMPARED = 300;

  // The parts of a demo's width by which an arrow key moves the target, and about the target in
  // which a finger takes it.
  const [STEP, GRIP] = [1 / 32, 1 / 8];

  class Player {
    constructor(figure) {
      this.figure = figure;
      this.canvas = figure.querySelector("canvas");
      this.pen = this.canvas.getContext("2d");
      this.picture = figure.querySelector("img");
      this.agent = Number(figure.dataset.agent);
      this.forces = figure.dataset.forces === "true";
      this.desired = figure.dataset.desired === "true";
      this.follows = figure.dataset.text.includes("pointer");
      this.plays = !calm.matches;
      this.visible = false;
      this.owed = 0;
      // All input with its tick, and the input that is still to come in a run that is made again.
      [this.log, this.inputs] = [[], []];
      this.pace = 1;
      this.panels = wayfare.panels?.(this) ?? [];
      figure.dataset.state = "waiting";
      this.listen();
    }

    async start() {
      if (this.started) return;
      this.started = true;
      try {
        this.Demo = (await wayfare.load()).Demo;
        this.create();
      } catch (error) {
        // Without WebAssembly the picture stays.
        this.figure.dataset.state = "failed";
        const controls = this.figure.querySelectorAll("button, input");
        for (const control of controls) control.disabled = true;
        return;
      }
      wayfare.moves(this.figure, (key, value) => this.send("set", key, value));
      this.panels.forEach((panel) => panel.restart());
      const dt = this.demo.dt();
      this.rate = dt < 0.5 ? 1 / dt : RATE;
      this.world = JSON.parse(this.demo.world());
      this.frame();
      // One scale for all arrows of the scene.
      const { max_speed } = JSON.parse(this.demo.forces(this.agent));
      this.stretch = (Number(this.figure.dataset.arrow) * this.view.width) / max_speed;
      // The canvas takes the picture's place, and its size.
      this.canvas.hidden = false;
      this.picture.hidden = true;
      this.tell();
      this.draw();
      requestAnimationFrame((now) => this.turn(now));
    }

    create() {
      this.demo = new this.Demo(this.figure.dataset.scene, this.figure.dataset.text);
    }

    // Starts a new demo, which gets the input of a log at its ticks.
    renew(log) {
      this.demo.free();
      this.create();
      [this.log, this.inputs] = [[], [...log]];
      this.plays = true;
    }

    restart() {
      this.demo.restart();
      // Settings stay.
      const sets = this.log.filter(([, method]) => method === "set");
      [this.log, this.inputs] = [sets.map(([, ...input]) => [0, ...input]), []];
      this.panels.forEach((panel) => panel.restart());
    }

    send(method, ...input) {
      this.demo[method](...input);
      this.log.push([this.demo.tick(), method, ...input]);
    }

    step() {
      const { demo, inputs } = this;
      while (inputs[0]?.[0] === demo.tick()) this.send(...inputs.shift().slice(1));
      demo.step();
      if (demo.tick() === COMPARED) this.figure.dataset.digest = demo.digest();
      this.panels.forEach((panel) => panel.step());
    }

    pause() {
      this.plays = false;
      this.tell();
    }

    // The part of the world that is shown.
    frame() {
      const { bounds, obstacles, paths } = this.world;
      if (bounds) {
        const [left, top, right, bottom] = bounds;
        this.view = { left, top, width: right - left, height: bottom - top };
        return;
      }
      let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
      const add = (x, y) => {
        [left, right] = [Math.min(left, x), Math.max(right, x)];
        [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
      };
      const agents = this.demo.agents();
      for (let i = 0; i < agents.length; i += 7) add(agents[i + 1], agents[i + 2]);
      [...obstacles, ...paths].forEach(({ points = [] }) => points.forEach(([x, y]) => add(x, y)));
      const edge = 0.1 * Math.max(right - left, bottom - top, 1);
      this.view = {
        left: left - edge,
        top: top - edge,
        width: right - left + 2 * edge,
        height: bottom - top + 2 * edge,
      };
    }

    listen() {
      const { figure, canvas } = this;
      figure.addEventListener("click", (event) => {
        const action = event.target.dataset?.do;
        if (!this.demo || !action) return;
        if (action === "play") this.plays = !this.plays;
        if (action === "restart") this.restart();
        if (action === "again") this.panels.forEach((panel) => panel.again?.());
        if (action === "forces") this.forces = !this.forces;
        this.tell();
        this.draw();
      });
      figure.querySelectorAll("input").forEach((input) =>
        input.addEventListener("input", () => {
          wayfare.outputOf(input).value = input.value;
          if (!this.demo) return;
          for (const key of input.dataset.keys.split(" ")) {
            this.send("set", key, Number(input.value));
          }
          this.draw();
        }),
      );
      const place = (event) => {
        const box = canvas.getBoundingClientRect();
        const { left, top, width, height } = this.view;
        return [
          left + ((event.clientX - box.left) / box.width) * width,
          top + ((event.clientY - box.top) / box.height) * height,
        ];
      };
      // A mouse is followed. A finger at the target drags it, and one that taps moves it there;
      // elsewhere a finger scrolls the page.
      let grabbed = false;
      const point = (event) => {
        if (event.pointerType === "touch" && !grabbed && event.type !== "pointerup") return;
        this.point(place(event));
        if (event.type === "pointerup") grabbed = false;
      };
      for (const type of ["pointermove", "pointerdown", "pointerup"]) {
        canvas.addEventListener(type, point);
      }
      canvas.addEventListener(
        "touchstart",
        (event) => {
          if (!this.demo || !this.follows) return;
          const [[x, y], at] = [place(event.touches[0]), this.demo.pointer()];
          const far = at.length ? Math.hypot(x - at[0], y - at[1]) : Infinity;
          grabbed = event.touches.length === 1 && far < GRIP * this.view.width;
          if (grabbed) event.preventDefault();
        },
        { passive: false },
      );
      canvas.addEventListener("keydown", (event) => {
        const { left, top, width, height } = this.view;
        const at = this.demo?.pointer().length
          ? this.demo.pointer()
          : [left + width / 2, top + height / 2];
        const to = wayfare.moved(event, at, STEP * width);
        if (to) this.point(to);
        const action = { " ": "play", r: "restart", f: "forces" }[event.key];
        if (!action) return;
        event.preventDefault();
        figure.querySelector(`[data-do=${action}]`).click();
      });
    }

    // Moves the target, where there is one.
    point([x, y]) {
      if (!this.demo || !this.follows) return;
      const { left, top, width, height } = this.view;
      this.send(
        "point",
        Math.max(left, Math.min(left + width, x)),
        Math.max(top, Math.min(top + height, y)),
      );
      this.draw();
    }

    // What controls and tests read.
    tell() {
      const { figure } = this;
      figure.dataset.state = this.plays ? "running" : "paused";
      figure.dataset.tick = this.demo.tick();
      figure.querySelector("[data-do=play]").textContent = this.plays ? "Pause" : "Play";
      figure.querySelector("[data-do=forces]").setAttribute("aria-pressed", this.forces);
    }

    turn(now) {
      requestAnimationFrame((then) => this.turn(then));
      const passed = Math.min((now - (this.last ?? now)) / 1000, 0.1);
      this.last = now;
      if (!this.visible || !this.plays) return;
      // After a pause of the page the demo goes on, and does not catch up.
      this.owed = Math.min(this.owed + passed * this.rate * this.pace, 6);
      if (this.figure.dataset.hurry) this.owed = 60;
      for (; this.plays && this.owed >= 1; this.owed--) this.step();
      this.figure.dataset.tick = this.demo.tick();
      this.draw();
    }

    draw() {
      const { canvas, pen, view, demo, world } = this;
      const style = getComputedStyle(this.figure);
      const color = (name) => style.getPropertyValue(`--demo-${name}`);
      // A canvas has as many pixels as the screen shows of it.
      const width = canvas.clientWidth * devicePixelRatio;
      const height = (width * view.height) / view.width;
      if (canvas.width !== Math.round(width) || canvas.height !== Math.round(height)) {
        canvas.width = Math.round(width);
        canvas.height = Math.round(height);
      }
      const scale = canvas.width / view.width;
      // Lengths of the screen in the world.
      const px = devicePixelRatio / scale;
      pen.setTransform(1, 0, 0, 1, 0, 0);
      pen.fillStyle = color("ground");
      pen.fillRect(0, 0, canvas.width, canvas.height);
      pen.setTransform(scale, 0, 0, scale, -view.left * scale, -view.top * scale);
      pen.lineJoin = pen.lineCap = "round";

      const line = (points, closed) => {
        pen.beginPath();
        points.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
        if (closed) pen.closePath();
      };
      const circle = ([x, y], radius) => {
        pen.beginPath();
        pen.arc(x, y, radius, 0, 2 * Math.PI);
      };
      for (const path of world.paths) {
        line(path.points, false);
        pen.strokeStyle = color("path");
        pen.lineWidth = 2 * path.radius;
        pen.stroke();
        pen.strokeStyle = color("line");
        pen.lineWidth = px;
        pen.stroke();
      }
      for (const obstacle of world.obstacles) {
        pen.fillStyle = pen.strokeStyle = color("obstacle");
        if (obstacle.circle) {
          circle(obstacle.circle, obstacle.radius);
          pen.fill();
        } else {
          line(obstacle.points, true);
          pen.lineWidth = Math.max(obstacle.thickness, px);
          obstacle.points.length > 2 ? pen.fill() : pen.stroke();
        }
      }
      const pointer = demo.pointer();
      if (pointer.length) {
        const [x, y] = [pointer[0] - view.left, pointer[1] - view.top];
        this.figure.dataset.target = `${x / view.width} ${y / view.height}`;
        pen.strokeStyle = color("line");
        pen.lineWidth = 1.5 * px;
        circle(pointer, 7 * px);
        pen.stroke();
        circle(pointer, 1.5 * px);
        pen.stroke();
      }

      this.panels.forEach((panel) => panel.under?.(pen, px, color));
      const agents = demo.agents();
      for (let i = 0; i < agents.length; i += 7) {
        const [x, y, hx, hy, radius, group] = agents.subarray(i + 1, i + 7);
        let size = Math.max(radius, 7 * px);
        pen.fillStyle = world.groups[group]?.color ?? PALETTE[group % PALETTE.length];
        // A body that is large enough to be seen is a disc round the dart.
        if (radius > 8 * px) {
          pen.globalAlpha = 0.3;
          circle([x, y], radius);
          pen.fill();
          pen.globalAlpha = 1;
          size = Math.max(0.8 * radius, 7 * px);
        }
        pen.beginPath();
        pen.moveTo(x + hx * size * 1.2, y + hy * size * 1.2);
        pen.lineTo(x - (hx + hy * 0.75) * size, y - (hy - hx * 0.75) * size);
        pen.lineTo(x - hx * size * 0.6, y - hy * size * 0.6);
        pen.lineTo(x - (hx - hy * 0.75) * size, y - (hy + hx * 0.75) * size);
        pen.fill();
      }
      if (this.forces) this.drawForces(color, px, circle);
      this.panels.forEach((panel) => panel.draw());
    }

    drawForces(color, px, circle) {
      const found = JSON.parse(this.demo.forces(this.agent));
      if (!found) return;
      const { pen } = this;
      pen.lineWidth = 1.5 * px;
      pen.strokeStyle = pen.fillStyle = color("figure");
      pen.font = `${13 * px}px system-ui, sans-serif`;
      // Figures of one name at one place are named once, and small ones not at all.
      const names = new Map();
      for (const plain of found.figures) {
        const figure = wayfare.scaled(plain, found.position, this.stretch);
        let [x, y] = figure.circle ?? figure.point ?? figure.to;
        let size = Infinity;
        if (figure.circle) {
          circle(figure.circle, figure.radius);
          pen.stroke();
          y -= size = figure.radius;
        } else if (figure.point) {
          circle(figure.point, 3 * px);
          pen.fill();
        } else {
          pen.beginPath();
          pen.moveTo(...figure.from);
          pen.lineTo(...figure.to);
          pen.stroke();
          size = Math.hypot(x - figure.from[0], y - figure.from[1]);
        }
        const name = figure.label.replaceAll("_", " ");
        if (names.has(name) || name === "target" || size < 14 * px) continue;
        const { left, top, width } = this.view;
        const most = left + width - pen.measureText(name).width - 4 * px;
        names.set(name, [Math.min(x + 6 * px, most), Math.max(y - 5 * px, top + 14 * px)]);
      }
      const { position, velocity, force, forces } = found;
      const sum = ([x, y], [dx, dy], part = 1) => [x + dx * part, y + dy * part];
      let from = position;
      if (this.desired) {
        from = sum(position, velocity, this.stretch);
        this.arrow(position, sum(velocity, forces[0].force), color("figure"), px);
      }
      this.arrow(position, velocity, color("velocity"), px);
      const rules = forces.filter(({ behavior }) => RULES.includes(behavior));
      if (rules.length > 1) {
        rules.forEach(({ behavior, force }) => this.arrow(position, force, color(behavior), px));
      }
      // A thin arrow is the force before it is cut to max_force.
      if (forces.length === 1) this.arrow(from, forces[0].force, color("force"), px, 1);
      this.arrow(from, force, color("force"), px);
      pen.fillStyle = color("figure");
      pen.strokeStyle = color("ground");
      pen.lineWidth = 4 * px;
      for (const [name, at] of names) {
        pen.strokeText(name, ...at);
        pen.fillText(name, ...at);
      }
    }

    arrow([x, y], [dx, dy], color, px, width = 2.5) {
      const { stretch } = this;
      const [toX, toY] = [x + dx * stretch, y + dy * stretch];
      const length = Math.hypot(dx, dy) * stretch;
      if (length < 2 * px) return;
      const [ux, uy] = [(dx * stretch) / length, (dy * stretch) / length];
      const head = Math.min(8 * px, length);
      const { pen } = this;
      pen.strokeStyle = color;
      pen.lineWidth = width * px;
      pen.beginPath();
      pen.moveTo(x, y);
      pen.lineTo(toX, toY);
      pen.moveTo(toX - (ux + uy * 0.6) * head, toY - (uy - ux * 0.6) * head);
      pen.lineTo(toX, toY);
      pen.lineTo(toX - (ux - uy * 0.6) * head, toY - (uy + ux * 0.6) * head);
      pen.stroke();
    }
  }

  const players = new Map(figures.map((figure) => [figure, new Player(figure)]));
  wayfare.watch(
    figures,
    (figure, visible) => {
      const player = players.get(figure);
      player.visible = visible;
      if (visible) player.start();
    },
    () => players.forEach((player) => player.demo && player.draw()),
  );
})();
