"use strict";
// The player: agents on a canvas above the picture of the ground. `data` is described in motion.rs.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const find = (id) => document.getElementById(id);
  const [canvas, ground] = [find("canvas"), find("ground")];
  const [play, scrub, speed, when, seen] = ["play", "scrub", "speed", "when", "seen"].map(find);

  const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const numbers = (text, size, read) => {
    const view = new DataView(bytes(text).buffer);
    return Array.from({ length: view.byteLength / size }, (_, i) => view[read](i * size, true));
  };
  const ids = numbers(data.ids, 4, "getUint32");
  const groups = numbers(data.groups, 2, "getUint16");
  const radii = numbers(data.radii, 4, "getFloat32");
  const places = Uint16Array.from(numbers(data.places, 2, "getUint16"));
  const headings = new Int8Array(bytes(data.headings).buffer);

  // The members of each moment, and the index of the first one's place.
  const moments = [];
  {
    const entered = numbers(data.entered, 4, "getUint32");
    const left = numbers(data.left, 4, "getUint32");
    let [members, e, l, first] = [[], 0, 0, 0];
    for (const [enter, leave] of data.changes) {
      if (enter || leave) {
        const gone = new Set(left.slice(l, l + leave));
        members = members.filter((n) => !gone.has(n)).concat(entered.slice(e, e + enter));
        members.sort((a, b) => a - b);
      }
      [e, l] = [e + enter, l + leave];
      moments.push({ members, first });
      first += members.length;
    }
  }
  // Where an agent is in a moment, by its id.
  const indexOf = (moment) => {
    moment.index ??= new Map(moment.members.map((n, k) => [ids[n], moment.first + k]));
    return moment.index;
  };

  const times = data.times;
  const [begin, end] = [times[0] ?? 0, times[times.length - 1] ?? 0];
  let [time, playing, rate, now, last, told] = [begin, false, 1, 0, 0, null];
  const momentAt = (t) => {
    let [low, high] = [0, times.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= t) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  };

  const x = (k) => data.low + data.step * places[2 * k];
  const y = (k) => data.low + data.step * places[2 * k + 1];
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const colorOf = (group) => data.styles[group]?.[dark.matches ? "dark" : "light"] ?? "#888";
  const fillOf = (group) => data.styles[group]?.fill ?? "solid";

  // The page has the first ground as a picture, the data have the others as text.
  const grounds = [ground.src].concat(
    data.grounds.map((svg) => "data:image/svg+xml," + encodeURIComponent(svg)),
  );
  let shownGround = 0;

  function draw() {
    const context = canvas.getContext("2d");
    const density = Math.min(window.devicePixelRatio || 1, 4);
    const width = Math.max(1, Math.round(canvas.clientWidth * density));
    const height = Math.max(1, Math.round((canvas.clientWidth * data.size[1] * density) /
      data.size[0]));
    if (canvas.width !== width || canvas.height !== height) {
      [canvas.width, canvas.height] = [width, height];
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, height);
    const scale = width / data.size[0];
    const moment = moments[now];
    if (!moment) return;
    if (shownGround !== data.ground[now]) {
      shownGround = data.ground[now];
      ground.src = grounds[shownGround];
    }
    // Between two moments agents move evenly; a jump is not a way.
    const next = now + 1 < moments.length ? moments[now + 1] : null;
    const part = next ? (time - times[now]) / (times[now + 1] - times[now]) : 0;
    const later = next && part > 0 ? indexOf(next) : null;
    const dart = Math.min(14, Math.max(5, 900 / Math.sqrt(moment.members.length + 1))) * density;
    const layers = new Map();
    moment.members.forEach((n, i) => {
      const k = moment.first + i;
      let [px, py] = [x(k), y(k)];
      const other = later?.get(ids[n]);
      if (other !== undefined) {
        const [dx, dy] = [x(other) - px, y(other) - py];
        if (Math.hypot(dx, dy) <= data.jump) [px, py] = [px + dx * part, py + dy * part];
      }
      px *= scale;
      py *= scale;
      const [hx, hy] = [headings[2 * k] / 127, headings[2 * k + 1] / 127];
      let layer = layers.get(groups[n]);
      if (!layer) {
        layer = { body: new Path2D(), line: new Path2D(), dots: new Path2D() };
        layers.set(groups[n], layer);
      }
      const radius = radii[n] * scale;
      if (radius >= 1.2 * density) {
        layer.body.moveTo(px + radius, py);
        layer.body.arc(px, py, radius, 0, 2 * Math.PI);
        layer.dots.moveTo(px + 0.4 * radius, py);
        layer.dots.arc(px, py, 0.4 * radius, 0, 2 * Math.PI);
        if (radius >= 3 * density) {
          layer.line.moveTo(px, py);
          layer.line.lineTo(px + hx * radius * 0.9, py + hy * radius * 0.9);
        }
      } else {
        const [ux, uy] = hx || hy ? [hx, hy] : [1, 0];
        const [l, w] = [dart, dart * 0.36];
        layer.body.moveTo(px + ux * l * 0.6, py + uy * l * 0.6);
        layer.body.lineTo(px - ux * l * 0.4 - uy * w, py - uy * l * 0.4 + ux * w);
        layer.body.lineTo(px - ux * l * 0.22, py - uy * l * 0.22);
        layer.body.lineTo(px - ux * l * 0.4 + uy * w, py - uy * l * 0.4 - ux * w);
        layer.body.closePath();
      }
    });
    const pointer = data.pointers[now];
    if (pointer) {
      const [px, py, size] = [pointer[0] * scale, pointer[1] * scale, density];
      context.beginPath();
      context.arc(px, py, 9 * size, 0, 2 * Math.PI);
      for (const [ux, uy] of [[1, 0], [0, 1], [-1, 0], [0, -1]]) {
        context.moveTo(px + 6 * size * ux, py + 6 * size * uy);
        context.lineTo(px + 13 * size * ux, py + 13 * size * uy);
      }
      context.lineWidth = 1.8 * density;
      context.strokeStyle = dark.matches ? "#f4f5f7" : "#111316";
      context.stroke();
    }
    const paper = dark.matches ? "#1b1d22" : "#ffffff";
    for (const [group, layer] of [...layers].sort((a, b) => a[0] - b[0])) {
      const [color, fill] = [colorOf(group), fillOf(group)];
      context.fillStyle = fill === "hollow" ? paper : color;
      context.fill(layer.body);
      const outline = { hollow: color, edged: dark.matches ? "#ffffff" : "#22252b" }[fill];
      context.lineWidth = (outline ? 1.5 : 0.7) * density;
      context.strokeStyle = outline ?? paper;
      context.stroke(layer.body);
      if (fill === "dotted") {
        context.fillStyle = paper;
        context.fill(layer.dots);
      }
      context.lineWidth = 1.5 * density;
      context.strokeStyle = fill === "hollow" ? color : paper;
      context.stroke(layer.line);
    }
  }

  // Times have as many places as the moments need, so that the text keeps its width.
  const interval = times.length > 1 ? (end - begin) / (times.length - 1) : 1;
  const digits = Math.min(3, Math.max(0, Math.ceil(-Math.log10(interval) - 1e-9)));
  const shown = (t) => t.toFixed(digits);
  // What is seen in words; screen readers are told when the player stops, not at every moment.
  function tell() {
    const moment = moments[now];
    if (!moment || told === moment) return;
    told = moment;
    seen.setAttribute("aria-live", playing ? "off" : "polite");
    const counts = new Map();
    for (const n of moment.members) counts.set(groups[n], (counts.get(groups[n]) ?? 0) + 1);
    const parts = [...counts].sort((a, b) => a[0] - b[0])
      .map(([group, count]) => `${count} ${data.styles[group]?.name || "agents"}`);
    seen.textContent = `At tick ${data.ticks[now]}, time ${shown(times[now])}${data.unit}: ` +
      (parts.length ? parts.join(", ") : "no agents") + data.sample + ".";
  }

  function show() {
    now = momentAt(time);
    const label = `${shown(time)}${data.unit} of ${shown(end)}${data.unit}`;
    when.textContent = label;
    scrub.value = String(now);
    scrub.setAttribute("aria-valuetext", label);
    play.textContent = playing ? "Pause" : "Play";
    tell();
    draw();
  }

  function frame(stamp) {
    if (!playing) return;
    // A tab in the background stops the clock.
    const passed = Math.min((stamp - (last || stamp)) / 1000, 0.25);
    last = stamp;
    time = Math.min(end, time + passed * rate * data.pace);
    if (time >= end) playing = false;
    show();
    if (playing) requestAnimationFrame(frame);
  }

  function toggle() {
    playing = !playing && moments.length > 1;
    if (playing && time >= end) time = begin;
    last = 0;
    show();
    if (playing) requestAnimationFrame(frame);
  }

  function go(index) {
    playing = false;
    const wanted = Math.min(Math.max(index, 0), times.length - 1);
    time = times[wanted] ?? 0;
    show();
  }

  // Speeds; a long run begins with one at which it lasts a minute.
  let speeds = [0.25, 0.5, 1, 2, 4, 8, 16];
  const length = (end - begin) / data.pace;
  while (length / speeds[speeds.length - 1] > 60) speeds.push(speeds[speeds.length - 1] * 2);
  rate = speeds.find((s) => s >= 1 && length / s <= 60) ?? 1;
  for (const s of speeds) speed.add(new Option(`${s}×`, String(s), s === rate, s === rate));

  scrub.max = String(Math.max(0, times.length - 1));
  scrub.addEventListener("input", () => go(Number(scrub.value)));
  play.addEventListener("click", toggle);
  speed.addEventListener("change", () => { rate = Number(speed.value); });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // Controls keep their own keys; the bar and the picture are the player's.
    const target = event.target;
    const own = target === scrub || target === canvas || target === document.body;
    if (event.key === " " && own) toggle();
    else if (!own && target !== play) return;
    else if (event.key === "ArrowRight") go(momentAt(time) + 1);
    else if (event.key === "ArrowLeft") go(momentAt(time) - 1);
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(times.length - 1);
    else return;
    event.preventDefault();
  });
  addEventListener("resize", draw);
  new ResizeObserver(draw).observe(canvas);
  dark.addEventListener("change", draw);
  for (const control of [play, scrub, speed]) control.disabled = moments.length < 2;
  show();
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) toggle();
})();
