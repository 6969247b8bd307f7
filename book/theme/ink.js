// The ink of a drawing: lines, arrows and circles in the world, and labels where they cover the
// fewest of them.
//
// `view` is the part of the world that is shown, `scale` the pixels of a length, `width` and
// `height` the pixels of the drawing; `out` are the parts so far.

wayfare.Ink = (() => {
  // Pixels between the points on lines that labels keep off.
  const GRAIN = 5;

  const { add, minus, length } = wayfare;
  const { parts } = wayfare.symbols;

  return class {
    screen([x, y]) {
      return [(x - this.view.left) * this.scale, (y - this.view.top) * this.scale];
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

    // Draws the smaller angle between two directions at a point, and gives it back.
    turn(point, [ax, ay], [bx, by], symbol, color) {
      const angle = Math.atan2(ax * by - ay * bx, ax * bx + ay * by);
      const [[x, y], start] = [this.screen(point), Math.atan2(ay, ax)];
      // Each angle has a circle of its own.
      const radius = 46 + 20 * this.arcs++;
      const on = (part) => [Math.cos(start + angle * part), Math.sin(start + angle * part)];
      const [[cx, cy], [dx, dy]] = [on(0), on(1)];
      for (let part = 0; part <= 1; part += 0.1) {
        this.grains.push(add([x, y], on(part), radius));
      }
      this.out.push(
        `<path d="M${x + radius * cx} ${y + radius * cy}A${radius} ${radius} 0 0 ` +
          `${angle < 0 ? 0 : 1} ${x + radius * dx} ${y + radius * dy}" class="arc"` +
          ` style="--term:var(--demo-${color})"/>`,
      );
      this.labels.push({ symbol, color, at: [[[x, y], on(0.5), radius + 4]] });
      return Math.abs(angle);
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

    trail(points, color) {
      const list = points.map((point) => this.screen(point).join());
      this.out.push(
        `<polyline points="${list.join(" ")}" class="thin" style="--term:var(--demo-${color})"/>`,
      );
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
  };
})();
