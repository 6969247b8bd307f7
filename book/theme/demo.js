// The demos of a page: one module serves all of them, and a demo that is not on the screen does not
// run. `crates/wayfare-demo` steps the scenes; this file draws them.
//
// For tests each figure has data-state (waiting, running, paused, failed), data-tick, and
// data-digest, the digest after 300 ticks. With data-hurry it makes 60 ticks in each frame.

(() => {
  // Code and tables that are wider than the page can be scrolled by keys.
  for (const code of document.querySelectorAll("pre code, .table-wrapper")) {
    if (code.scrollWidth > code.clientWidth) code.tabIndex = 0;
  }

  const figures = [...document.querySelectorAll("figure.demo")];
  if (!figures.length) return;

  const root = typeof path_to_root === "string" ? path_to_root : "";
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const PALETTE = ["#d1495b", "#2e7fb8", "#3d9a5f", "#c98a1b", "#8657b5", "#4a8f95"];
  // Ticks per second of a scene whose tick is one unit of time.
  const RATE = 60;
  // The digest is compared with the native one after so many ticks.
  const COMPARED = 300;

  let loading;
  const load = () =>
    (loading ??= import(new URL(`${root}demo/wayfare_demo.js`, location.href)).then(
      async (module) => {
        await module.default();
        return module;
      },
    ));

  class Player {
    constructor(figure) {
      this.figure = figure;
      this.canvas = figure.querySelector("canvas");
      this.pen = this.canvas.getContext("2d");
      this.picture = figure.querySelector("img");
      this.agent = Number(figure.dataset.agent);
      this.forces = figure.dataset.forces === "true";
      this.plays = !calm.matches;
      this.visible = false;
      this.owed = 0;
      figure.dataset.state = "waiting";
      this.listen();
    }

    async start() {
      if (this.started) return;
      this.started = true;
      try {
        const { Demo } = await load();
        this.demo = new Demo(this.figure.dataset.scene, this.figure.dataset.text);
      } catch (error) {
        // Without WebAssembly the picture stays.
        this.figure.dataset.state = "failed";
        const controls = this.figure.querySelectorAll("button, input");
        for (const control of controls) control.disabled = true;
        return;
      }
      const dt = this.demo.dt();
      this.rate = dt < 0.5 ? 1 / dt : RATE;
      this.world = JSON.parse(this.demo.world());
      this.frame();
      // The canvas takes the picture's place, and its size.
      this.canvas.hidden = false;
      this.picture.hidden = true;
      this.tell();
      this.draw();
      requestAnimationFrame((now) => this.turn(now));
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
        if (action === "restart") this.demo.restart();
        if (action === "forces") this.forces = !this.forces;
        this.tell();
        this.draw();
      });
      figure.querySelectorAll("input").forEach((input) =>
        input.addEventListener("input", () => {
          input.nextElementSibling.value = input.value;
          input.dataset.keys.split(" ").forEach((key) => this.demo?.set(key, Number(input.value)));
          this.draw();
        }),
      );
      const point = (event) => {
        if (!this.demo) return;
        const box = canvas.getBoundingClientRect();
        const { left, top, width, height } = this.view;
        this.demo.point(
          left + ((event.clientX - box.left) / box.width) * width,
          top + ((event.clientY - box.top) / box.height) * height,
        );
        this.draw();
      };
      canvas.addEventListener("pointermove", point);
      canvas.addEventListener("pointerdown", point);
      canvas.addEventListener("pointerleave", () => this.demo?.release());
      canvas.addEventListener("keydown", (event) => {
        const action = { " ": "play", r: "restart", f: "forces" }[event.key];
        if (!action) return;
        event.preventDefault();
        figure.querySelector(`[data-do=${action}]`).click();
      });
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
      this.owed = Math.min(this.owed + passed * this.rate, 6);
      if (this.figure.dataset.hurry) this.owed = 60;
      for (; this.owed >= 1; this.owed--) {
        this.demo.step();
        if (this.demo.tick() === COMPARED) {
          this.figure.dataset.digest = this.demo.digest();
        }
      }
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
        pen.strokeStyle = color("line");
        pen.lineWidth = 1.5 * px;
        circle(pointer, 7 * px);
        pen.stroke();
        circle(pointer, 1.5 * px);
        pen.stroke();
      }

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
    }

    drawForces(color, px, circle) {
      const found = JSON.parse(this.demo.forces(this.agent));
      if (!found) return;
      const { pen } = this;
      pen.lineWidth = 1.5 * px;
      pen.strokeStyle = pen.fillStyle = color("figure");
      for (const figure of found.figures) {
        if (figure.circle) {
          circle(figure.circle, figure.radius);
          pen.stroke();
        } else if (figure.point) {
          circle(figure.point, 3 * px);
          pen.fill();
        } else {
          pen.beginPath();
          pen.moveTo(...figure.from);
          pen.lineTo(...figure.to);
          pen.stroke();
        }
      }
      // Velocities and forces of an agent are short beside its world.
      const speed = Math.hypot(...found.velocity);
      const longest = Math.max(speed, Math.hypot(...found.force), 1e-9);
      const stretch = (0.16 * this.view.width) / longest;
      this.arrow(found.position, found.velocity, stretch, color("velocity"), px);
      this.arrow(found.position, found.force, stretch, color("force"), px);
    }

    arrow([x, y], [dx, dy], stretch, color, px) {
      const [toX, toY] = [x + dx * stretch, y + dy * stretch];
      const length = Math.hypot(dx, dy) * stretch;
      if (length < 2 * px) return;
      const [ux, uy] = [(dx * stretch) / length, (dy * stretch) / length];
      const head = Math.min(8 * px, length);
      const { pen } = this;
      pen.strokeStyle = color;
      pen.lineWidth = 2.5 * px;
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
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const player = players.get(target);
      player.visible = isIntersecting;
      if (isIntersecting) player.start();
    }
  });
  figures.forEach((figure) => observer.observe(figure));
  // A theme or a width has changed.
  const redraw = () => players.forEach((player) => player.demo && player.draw());
  addEventListener("resize", redraw);
  new MutationObserver(redraw).observe(document.documentElement, { attributeFilter: ["class"] });
})();
