// The tests of the book in a browser. `cargo xtask test --only book-browser` builds the site
// and runs this.
//
//   node book.mjs SITE EXPECTED [SHOTS]
//
// SITE is the folder of the site; EXPECTED is a JSON file, {scene: digest} of the native program
// after 300 ticks; SHOTS is a folder for screenshots. WAYFARE_AXE is the script of axe-core.

import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import assert from "node:assert/strict";
import { address, browser, close, errorsOf, LIMIT, run } from "./serve.mjs";

const [site, expectedFile, shots] = process.argv.slice(2);
const expected = JSON.parse(await readFile(expectedFile, "utf8"));
// All pages of mdBook but those that repeat or frame the others.
const REPEATS = ["404.html", "print.html", "toc.html"];
const pagesIn = async (folder) =>
  (await readdir(join(site, folder)))
    .filter((name) => name.endsWith(".html") && !REPEATS.includes(name))
    .map((name) => folder + name);
const pages = await pagesIn("");
const reference = await pagesIn("reference/");
// Pages of the reference look alike: one behavior, one with wide tables, one with long lines.
const ALIKE = ["behavior-flock", "performance", "errors"];
const looked = [...pages, ...ALIKE.map((name) => `reference/${name}.html`)];
const WIDTHS = { phone: 390, tablet: 820, desktop: 1280 };

let errors = [];
async function open(name, width = WIDTHS.desktop, options = {}) {
  const page = await browser.newPage();
  await page.setViewportSize({ width, height: 800 });
  if (options.calm) await page.emulateMedia({ reducedMotion: "reduce" });
  if (options.before) await page.addInitScript(options.before);
  errors = errorsOf(page, ["error", "warning"]);
  page.on("response", (answer) => {
    if (answer.status() >= 400 && !/favicon/.test(answer.url())) {
      errors.push(`${answer.status()} ${answer.url()}`);
    }
  });
  await page.goto(name === "about:blank" ? name : address + name);
  return page;
}
const demos = (page) => page.locator("figure.demo").all();
const frames = (page, count) =>
  page.evaluate(
    (count) =>
      new Promise((done) => {
        const frame = () => (count-- > 0 ? requestAnimationFrame(frame) : done());
        frame();
      }),
    count,
  );
// Where the target of a demo is, as parts of its canvas.
const targetOf = (demo) =>
  demo.evaluate((figure) => figure.dataset.target.split(" ").map(Number));
// The numbers of the value of a drawing's term.
const numbers = async (drawing, of) => {
  const value = await drawing.locator(`li[data-of="${of}"] output`).innerText();
  return value.match(/[-−]?[\d.]+/g).map((text) => Number(text.replace("−", "-")));
};
// Puts the parts of the drawing before a question where its answer has them.
const putParts = (form) => {
  const figures = [...wayfare.drawings.keys()];
  const drawing = wayfare.drawings.get(
    figures.findLast((figure) => figure.compareDocumentPosition(form) & 4),
  );
  for (const put of form.dataset.put.split(", ").filter(Boolean)) {
    const [what, id, x, y] = put.split(" ");
    drawing.put({ what, id: Number(id) }, [Number(x), Number(y)]);
  }
};
const state = (demo, wanted) =>
  demo.evaluate(
    (figure, wanted) =>
      new Promise((done) => {
        const look = () =>
          figure.dataset.state === wanted ? done() : requestAnimationFrame(look);
        look();
      }),
    wanted,
  );

const tests = {
  async "every link and anchor resolves"() {
    const texts = new Map();
    const text = async (url) => {
      const { pathname } = new URL(url);
      if (!texts.has(pathname)) {
        const answer = await fetch(url);
        texts.set(pathname, answer.status === 200 ? await answer.text() : undefined);
      }
      return texts.get(pathname);
    };
    let links = 0;
    for (const name of [...pages, ...reference]) {
      const html = await text(address + name);
      const found = [...html.matchAll(/ (?:href|src)="([^"]+)"/g)];
      for (const link of new Set(found.map(([, link]) => link.replaceAll("&amp;", "&")))) {
        const url = new URL(link, address + name);
        if (!url.href.startsWith(address)) continue;
        const there = await text(url);
        assert(there !== undefined, `${name}: there is no ${link}`);
        if (url.hash && url.pathname.endsWith(".html") && !url.pathname.startsWith("/gallery/")) {
          const id = decodeURIComponent(url.hash.slice(1));
          assert(there.includes(`id="${id}"`), `${name}: there is no ${link}`);
        }
        links++;
      }
    }
    assert(links > 2000, `only ${links} links`);
  },

  async "every demo starts, moves, and has the digest of the native run at tick 300"() {
    const seen = new Set();
    for (const name of pages) {
      const page = await open(name);
      for (const demo of await demos(page)) {
        await demo.scrollIntoViewIfNeeded();
        const figure = await demo.elementHandle();
        await demo.evaluate((figure) => (figure.dataset.hurry = true));
        await page.waitForFunction((figure) => figure.dataset.digest, figure, LIMIT);
        await demo.evaluate((figure) => delete figure.dataset.hurry);
        const { scene, digest } = await demo.evaluate((figure) => ({ ...figure.dataset }));
        assert.equal(digest, expected[scene], `${name}: ${scene}`);
        seen.add(scene);
      }
      await shoot(page, name);
      assert.deepEqual(errors, [], name);
      await page.close();
    }
    assert.deepEqual([...seen].sort(), Object.keys(expected).sort());
  },

  async "the search finds the chapter on its subject first"() {
    const chapters = {
      "slowing radius": "arrive",
      queue: "queues",
      "follow path": "paths",
      lesson: "teachers",
    };
    for (const [words, chapter] of Object.entries(chapters)) {
      const page = await open(`seek.html?search=${encodeURIComponent(words)}`);
      // The list is put in order in the turn in which it is filled.
      const first = page.locator("#mdbook-searchresults li a").first();
      await first.waitFor(LIMIT);
      await frames(page, 2);
      assert.match(await first.getAttribute("href"), new RegExp(`^${chapter}\\.html`), words);
      await page.close();
    }
  },

  async "a demo has its room before its picture and its module come"() {
    const page = await open("about:blank");
    let release;
    const gate = new Promise((done) => (release = done));
    await page.route(/\.(png|wasm)$/, (route) => gate.then(() => route.continue()));
    await page.goto(`${address}seek.html`, { waitUntil: "domcontentloaded" });
    const heights = async () => {
      const stages = await page.locator("figure.demo .stage").all();
      return Promise.all(stages.map(async (stage) => (await stage.boundingBox()).height));
    };
    const before = await heights();
    release();
    for (const demo of await demos(page)) {
      await demo.scrollIntoViewIfNeeded();
      await state(demo, "running");
    }
    const after = await heights();
    before.forEach((height, i) => assert(Math.abs(height - after[i]) < 1, `${before}, ${after}`));
    await page.close();
  },

  async "a demo that is not on the screen does not run, and one module serves all"() {
    const page = await open("about:blank");
    let modules = 0;
    page.on("request", (request) => (modules += request.url().endsWith(".wasm")));
    await page.goto(`${address}seek.html`);
    const [first, last] = [(await demos(page)).at(0), (await demos(page)).at(-1)];
    await last.scrollIntoViewIfNeeded();
    await state(last, "running");
    await first.scrollIntoViewIfNeeded();
    await state(first, "running");
    const tick = () => last.evaluate((figure) => Number(figure.dataset.tick));
    // The browser tells what is on the screen with the next frames.
    for (let before = -1; before !== (await tick()); await frames(page, 4)) before = await tick();
    const before = await tick();
    await page.waitForFunction(
      ([figure, tick]) => Number(figure.dataset.tick) > tick + 30,
      [await first.elementHandle(), await first.evaluate((figure) => Number(figure.dataset.tick))],
      LIMIT,
    );
    assert.equal(await tick(), before);
    assert.equal(modules, 1);
    await page.close();
  },

  async "the pictures of a page are lighter than the engine"() {
    const size = async (file) => (await readFile(join(site, file))).length;
    const engine = gzipSync(await readFile(join(site, "demo/wayfare_demo_bg.wasm"))).length;
    let largest = 0;
    for (const name of pages) {
      const html = await readFile(join(site, name), "utf8");
      const found = [...html.matchAll(/ src="(demos\/[^"]+)"/g)].map(([, file]) => file);
      const sizes = await Promise.all([...new Set(found)].map(size));
      const sum = sizes.reduce((sum, size) => sum + size, 0);
      assert(sum < engine, `${name}: ${sum} bytes of pictures, ${engine} of the engine`);
      largest = Math.max(largest, sum);
    }
    console.log(`       at most ${largest} bytes; the engine has ${engine}, compressed`);
  },

  async "a page requests nothing twice, and nothing moves when its parts come"() {
    for (const name of ["index.html", "seek.html", "flocks.html", "cook-people.html"]) {
      const page = await open("about:blank", WIDTHS.phone, {
        before: () => {
          window.moved = 0;
          const add = (list) => list.getEntries().forEach(({ value }) => (window.moved += value));
          new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
        },
      });
      const asked = [];
      page.on("request", (request) => asked.push(request.url()));
      await page.goto(address + name);
      for (const demo of await demos(page)) {
        await demo.scrollIntoViewIfNeeded();
        await state(demo, "running");
        await frames(page, 4);
      }
      await page.waitForLoadState("networkidle");
      assert.deepEqual(asked.filter((url, i) => asked.indexOf(url) < i), [], name);
      // Text moves when its font comes after it; from this server fonts come at once.
      assert.deepEqual(asked.filter((url) => url.includes("woff")), [], name);
      const moved = await page.evaluate(() => window.moved);
      assert(moved < 0.1, `${name}: a layout shift of ${moved}`);
      assert.equal(await page.locator("link[rel=icon]").count(), 1);
      await page.close();
    }
  },

  async "the gallery links a scene to its chapter, and the chapter to the scene"() {
    const chapters = JSON.parse(await readFile(join(site, "gallery/chapters.json"), "utf8"));
    assert(Object.keys(chapters).length > 15, `${Object.keys(chapters)}`);
    for (const { page: link } of Object.values(chapters)) {
      const { pathname, hash } = new URL(link, `${address}gallery/`);
      const html = await readFile(join(site, pathname), "utf8");
      assert(html.includes(`id="${hash.slice(1)}"`), link);
    }
    const page = await open("queues.html");
    await page.getByRole("link", { name: /^Open “.*” in the gallery$/ }).first().click();
    await page.waitForFunction(() => document.body.dataset.state === "running", null, LIMIT);
    await page.goto(`${address}gallery/index.html?tour=3`);
    const back = page.getByRole("link", { name: "Chapter: Flee and arrive" });
    await back.waitFor(LIMIT);
    await shoot(page, "gallery-bar");
    // The tour's link leads to the chapter.
    const opened = page.context().waitForEvent("page");
    await page.waitForFunction(() => window.wayfare.rect("tour-link"), null, LIMIT);
    await frames(page, 10);
    const { x, y, width, height } = await page.evaluate(() => window.wayfare.rect("tour-link"));
    await page.mouse.click(x + width / 2, y + height / 2);
    const chapter = await opened;
    assert.equal(chapter.url(), `${address}arrive.html#demo-arrive`);
    await chapter.close();
    await back.click();
    await page.waitForURL(/arrive\.html#demo-arrive$/);
    await page.close();
  },

  async "a first visit of a chapter loads less than 4 MB, most of it the module"() {
    const page = await open("about:blank");
    const sizes = new Map();
    page.on("response", async (answer) => {
      sizes.set(answer.url(), (await answer.body().catch(() => "")).length);
    });
    await page.goto(`${address}arrive.html`);
    const demo = (await demos(page)).at(0);
    await demo.scrollIntoViewIfNeeded();
    const figure = await demo.elementHandle();
    await page.waitForFunction((figure) => Number(figure.dataset.tick) > 0, figure, LIMIT);
    const times = await page.evaluate(() => {
      const [paint] = performance.getEntriesByName("first-contentful-paint");
      return [paint?.startTime, performance.now()].map((time) => Math.round(time));
    });
    await page.waitForLoadState("networkidle");
    const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    const module = sizes.get([...sizes.keys()].find((url) => url.endsWith(".wasm")));
    // The times are told and not tested: they depend on the machine.
    console.log(
      `       ${all} bytes before compression, ${module} of them the module; ` +
        `first paint after ${times[0]} ms, first tick of the demo after ${times[1]} ms`,
    );
    assert(all < 4e6 && module > all / 2, `${all} bytes, ${module} of them the module`);
    await page.close();
  },

  async "controls, keys and sliders do what they say"() {
    const page = await open("seek.html");
    const demo = page.locator("figure.demo[data-scene=seek]");
    await demo.scrollIntoViewIfNeeded();
    await state(demo, "running");
    await demo.locator("canvas").focus();
    await page.keyboard.press("Space");
    await state(demo, "paused");
    await demo.getByRole("button", { name: "Restart" }).click();
    assert.equal(await demo.evaluate((figure) => figure.dataset.tick), "0");
    const picture = () => demo.locator("canvas").evaluate((canvas) => canvas.toDataURL());
    const withForces = await picture();
    await page.keyboard.press("f");
    await demo.locator("canvas").focus();
    await page.keyboard.press("f");
    assert.notEqual(await picture(), withForces);
    const slider = demo.getByRole("slider").first();
    await slider.fill("45");
    assert.equal(await demo.locator("output").first().textContent(), "45");
    assert.deepEqual(errors, []);
    await page.close();
  },

  async "arrows of a demo have one scale: nothing is drawn at rest"() {
    const page = await open("arrive.html");
    const demo = page.locator("figure.demo[data-scene=arrive]");
    await demo.scrollIntoViewIfNeeded();
    await state(demo, "running");
    // The pixels in the color of velocities, in the theme's light colors.
    const green = () =>
      demo.locator("canvas").evaluate((canvas) => {
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        let count = 0;
        for (let i = 0; i < data.length; i += 4) {
          count += data[i] === 0x1d && data[i + 1] === 0x7a && data[i + 2] === 0x45;
        }
        return count;
      });
    const figure = await demo.elementHandle();
    await page.waitForFunction((figure) => Number(figure.dataset.tick) > 30, figure, LIMIT);
    assert((await green()) > 20);
    await demo.evaluate((figure) => (figure.dataset.hurry = true));
    await page.waitForFunction((figure) => Number(figure.dataset.tick) > 3000, figure, LIMIT);
    assert.equal(await green(), 0);
    await page.close();
  },

  async "every drawing starts, and each of its handles moves by keys"() {
    let handles = 0;
    for (const name of pages) {
      if (!(await readFile(join(site, name), "utf8")).includes("drawing live")) continue;
      const page = await open(name);
      for (const drawing of await page.locator("figure.live").all()) {
        await drawing.scrollIntoViewIfNeeded();
        await state(drawing, "ready");
        const ink = () => drawing.locator("svg g").first().innerHTML();
        for (const handle of await drawing.locator(".handle:visible").all()) {
          const place = () => handle.getAttribute("transform");
          const [before, from] = [await ink(), await place()];
          await handle.focus();
          for (const key of ["ArrowLeft", "ArrowDown"]) await page.keyboard.press(key);
          const what = `${name}: ${await handle.getAttribute("aria-label")}`;
          assert.notEqual(await place(), from, what);
          assert.notEqual(await ink(), before, what);
          handles++;
        }
        await drawing.getByRole("button", { name: "As it was" }).click();
        // Labels are as large as text, on a phone too.
        await page.setViewportSize({ width: WIDTHS.phone, height: 800 });
        const svg = await drawing.locator("svg").elementHandle();
        const fits = (svg) => svg.viewBox.baseVal.width === svg.clientWidth;
        await page.waitForFunction(fits, svg, LIMIT);
        const small = await drawing.locator("text, tspan").evaluateAll((texts) => {
          const scale = (text) => text.getScreenCTM().a;
          return texts.filter((t) => scale(t) * parseFloat(getComputedStyle(t).fontSize) < 13);
        });
        assert.equal(small.length, 0, name);
        await page.setViewportSize({ width: WIDTHS.desktop, height: 800 });
      }
      assert.deepEqual(errors, [], name);
      assert(page.url().endsWith(name), `${name}: a key has turned the chapter`);
      await page.close();
    }
    assert(handles > 30, `only ${handles} handles`);
  },

  async "the force of the drawing of seek leads from tip to tip, and is gone on the desired one"() {
    const page = await open("seek.html");
    const drawing = page.locator("figure.live");
    await drawing.scrollIntoViewIfNeeded();
    await state(drawing, "ready");
    const vector = (of) => numbers(drawing, of);
    const [v, d, f] = [await vector("velocity"), await vector("desired"), await vector("force")];
    for (const i of [0, 1]) assert(Math.abs(v[i] + f[i] - d[i]) < 0.16, `${v}, ${f}, ${d}`);
    // The tip is dragged onto that of the desired velocity.
    const tip = await drawing.locator(".handle[data-what=turn]").boundingBox();
    const [x, y] = [tip.x + tip.width / 2, tip.y + tip.height / 2];
    const svg = await drawing.locator("svg").boundingBox();
    // In this scene max_speed is 0.3 of the width.
    const scale = (0.3 * svg.width) / 3;
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + f[0] * scale, y + f[1] * scale, { steps: 3 });
    await page.mouse.up();
    assert((await vector("force")).at(-1) < 0.2, await vector("force"));
    await page.close();
  },

  async "the force of the drawing of wander ends on the rim, which a tick turns"() {
    const page = await open("wander.html");
    const drawing = page.locator("figure.live");
    await drawing.scrollIntoViewIfNeeded();
    await state(drawing, "ready");
    const vector = (of) => numbers(drawing, of);
    const [ahead, aside] = [await vector("center circle"), await vector("figure displacement")];
    const force = await vector("force wander");
    for (const i of [0, 1]) assert(Math.abs(ahead[i] + aside[i] - force[i]) < 0.16, `${force}`);
    const angle = await vector("angle displacement");
    await drawing.getByRole("button", { name: "Let a tick pass" }).click();
    assert.notDeepEqual(await vector("angle displacement"), angle);
    assert.deepEqual(await vector("center circle"), ahead);
    await page.close();
  },

  async "a bird that is dragged across the rim is no neighbor, and its arrow is gone"() {
    const page = await open("flocks.html");
    const drawing = page.locator("figure.live");
    await drawing.scrollIntoViewIfNeeded();
    await state(drawing, "ready");
    const count = () => drawing.locator("li[data-of='neighbors radius'] output").innerText();
    assert.equal(await count(), "3");
    const arrows = () => drawing.locator("line.thin").count();
    assert.equal(await arrows(), 3);
    const bird = drawing.getByRole("button", { name: /^neighbor:/ }).first();
    await bird.focus();
    for (let i = 0; i < 12; i++) await page.keyboard.press("ArrowLeft");
    assert.equal(await count(), "2");
    assert.equal(await arrows(), 2);
    await page.close();
  },

  async "a tick turns the facing of the drawing by turn_rate, and the velocity does not"() {
    const page = await open("facing.html");
    const drawing = page.locator("figure.live").first();
    await drawing.scrollIntoViewIfNeeded();
    await state(drawing, "ready");
    const number = async (of) => (await numbers(drawing, of))[0];
    const tick = () => drawing.getByRole("button", { name: "Let a tick pass" }).click();
    const angle = await number("turn facing target");
    // 160 degrees in a unit of time, and 0.05 in a tick.
    assert.equal(await number("turn facing next"), 8);
    await tick();
    assert(Math.abs((await number("turn facing target")) - (angle - 8)) <= 1);
    const facing = await number("facing");
    await drawing.locator(".handle[data-what=turn]").focus();
    for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowUp");
    await drawing.getByRole("slider").fill("100");
    assert.equal(await number("facing"), facing);
    assert.equal(await number("turn facing next"), 5);
    for (let i = 0; i < 40; i++) await tick();
    assert.equal(await number("turn facing target"), 0);
    await page.close();
  },

  async "the car of the drawing reaches no target inside its turning circle"() {
    const page = await open("facing.html");
    const drawing = page.locator("figure.live").last();
    await drawing.scrollIntoViewIfNeeded();
    await state(drawing, "ready");
    // How near the way of the car comes to the target (pixels).
    const nearest = () =>
      drawing.locator("svg").evaluate((svg) => {
        const { e, f } = svg.querySelector("[data-what=pointer]").transform.baseVal[0].matrix;
        const points = [...svg.querySelector("polyline").points];
        return Math.min(...points.map(({ x, y }) => Math.hypot(x - e, y - f)));
      });
    const told = () => drawing.locator("li[data-of=turning] output").innerText();
    assert.match(await told(), /outside/);
    assert((await nearest()) < 6, await nearest());
    await drawing.locator("[data-what=pointer]").focus();
    for (let i = 0; i < 27; i++) await page.keyboard.press("ArrowLeft");
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowDown");
    assert.match(await told(), /inside/);
    assert((await nearest()) > 20, await nearest());
    await page.close();
  },

  async "the rim of a circle sets the radius, the cells and the birds that are read"() {
    const page = await open("million.html");
    const drawing = page.locator("figure.live");
    await drawing.scrollIntoViewIfNeeded();
    await state(drawing, "ready");
    const found = async () => {
      const values = ["pairs", "tests radius", "cells radius", "neighbors radius"].map(
        async (of) => (await numbers(drawing, of))[0],
      );
      return [...(await Promise.all(values)), await drawing.locator(".dart.read").count()];
    };
    const check = ([pairs, tests, cells, neighbors, read]) => {
      assert.equal(pairs, 80 * 79);
      assert(tests < pairs && cells > neighbors && neighbors > 0, `${tests} ${cells} ${neighbors}`);
      assert.equal(read, cells - neighbors);
    };
    const before = await found();
    check(before);
    await drawing.locator("[data-what=rim]").focus();
    for (let i = 0; i < 2; i++) await page.keyboard.press("ArrowRight");
    const [radius, birds] = await drawing.getByRole("slider").all();
    assert.equal(await radius.inputValue(), "90");
    const after = await found();
    check(after);
    for (const i of [1, 2, 3]) assert(after[i] > before[i], `${before}, ${after}`);
    // The radius stays when there are more birds.
    await birds.fill("160");
    const more = await found();
    assert.equal(more[0], 160 * 159);
    assert(more[1] > 3 * after[1] && more[2] > after[2], `${after}, ${more}`);
    await page.close();
  },

  async "the graph of states lights up with the hunter, and the way that it took"() {
    const page = await open("states.html");
    const demo = page.locator("figure.demo[data-scene=hunter-and-prey]");
    await demo.scrollIntoViewIfNeeded();
    await state(demo, "running");
    // What is lit when the state has changed, until the hunter rests.
    const seen = await demo.evaluate(
      (figure) =>
        new Promise((done) => {
          const panel = figure.querySelector(".panel");
          const data = (part, key) =>
            [...panel.querySelectorAll(part)].map(({ dataset }) => dataset[key]);
          const seen = [];
          const look = () => {
            const [on, ...others] = data(".on", "state");
            if (!on || seen.at(-1)?.on === on) return;
            const stamina = Number(panel.querySelector("[data-value='stat 0']").textContent);
            const ways = { open: data(".open", "way"), taken: data(".taken", "way") };
            seen.push({ on, others, stamina, ...ways });
            if (on === "rest") done(seen);
          };
          new MutationObserver(look).observe(panel, { attributes: true, subtree: true });
          figure.querySelector("[data-do=restart]").click();
          look();
        }),
    );
    const [start] = seen;
    assert.deepEqual([start.on, start.taken, start.stamina], ["wander", [], 199]);
    seen.forEach(({ on, others, open, taken }, i) => {
      assert.deepEqual(others, []);
      assert(open.length > 0 && open.every((way) => way.startsWith(`${on} `)), `${on}: ${open}`);
      if (i > 0) assert.deepEqual(taken, [`${seen[i - 1].on} ${on}`]);
    });
    assert(seen.at(-1).stamina < 10, `${seen.at(-1).stamina}`);
    await page.close();
  },

  async "the drawing of determinism is the same again when its neighbor is back"() {
    const page = await open("determinism.html");
    const drawing = page.locator("figure.live");
    await drawing.scrollIntoViewIfNeeded();
    await state(drawing, "ready");
    const value = (of) => drawing.locator(`li[data-of="${of}"] output`).innerText();
    const found = () =>
      Promise.all(["digest", "digest 90", "angle displacement", "force separation"].map(value));
    const start = await found();
    assert.match(start[0], /^[0-9a-f]{16}$/);
    const own = await drawing.evaluate((f) => wayfare.drawings.get(f).demo.digest());
    assert.equal(start[0], own, "another crowd that stands so has another digest");
    await drawing.getByRole("button", { name: /^neighbor:/ }).focus();
    await page.keyboard.press("ArrowUp");
    const moved = await found();
    for (const i of [0, 1, 3]) assert.notEqual(moved[i], start[i]);
    assert.equal(moved[2], start[2], "a random number knows of a neighbor");
    await page.keyboard.press("ArrowDown");
    assert.deepEqual(await found(), start);
    await drawing.getByRole("button", { name: "Let a tick pass" }).click();
    assert.notEqual((await found())[2], start[2]);
    await drawing.getByRole("button", { name: "As it was" }).click();
    assert.deepEqual(await found(), start);
    await page.close();
  },

  async "the same run again is equal, with its input, and another input makes it differ"() {
    const page = await open("determinism.html");
    const demo = page.locator("figure.demo[data-scene=zombies]");
    await demo.scrollIntoViewIfNeeded();
    await state(demo, "running");
    const figure = await demo.elementHandle();
    const after = (tick) =>
      page.waitForFunction(
        ([figure, tick]) => Number(figure.dataset.tick) > tick,
        [figure, tick],
        LIMIT,
      );
    await after(20);
    await demo.getByRole("slider").first().fill("20");
    await demo.locator("canvas").focus();
    for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowLeft");
    await after(60);
    const again = () => demo.getByRole("button", { name: "Same again" }).click();
    const verdict = demo.locator(".again output");
    const ends = async () => {
      await state(demo, "paused");
      return verdict.innerText();
    };
    await again();
    assert.equal(await ends(), "equal");
    const digests = await demo.locator(".again code").allInnerTexts();
    assert.match(digests[0], /^[0-9a-f]{16}$/);
    assert.equal(digests[0], digests[1]);
    // Input comes before the first tick.
    await demo.evaluate((figure) => {
      figure.querySelector("[data-do=again]").click();
      const key = new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true });
      figure.querySelector("canvas").dispatchEvent(key);
    });
    assert.equal(await ends(), "different since tick 1");
    await page.close();
  },

  async "the plot of twins has the differences of which the text speaks"() {
    const page = await open("determinism.html");
    const demo = page.locator("figure.demo[data-scene=scenes-determinism-twins]");
    await demo.scrollIntoViewIfNeeded();
    await state(demo, "running");
    await demo.getByRole("button", { name: "Pause" }).click();
    await demo.getByRole("button", { name: "Restart" }).click();
    // In a hurry each frame has 60 ticks.
    const found = demo.evaluate(
      (figure) =>
        new Promise((done) => {
          const found = {};
          new MutationObserver(([{ target }]) => {
            found[figure.dataset.tick] = Number(target.dataset.largest);
            if (found[300]) done(found);
          }).observe(figure.querySelector(".plot svg"), { attributeFilter: ["data-largest"] });
          figure.dataset.hurry = true;
          figure.querySelector("[data-do=play]").click();
        }),
    );
    const { 180: before, 300: after } = await found;
    assert(before > 0 && before < 0.2 && after > 100, `${before}, ${after}`);
    await page.close();
  },

  async "a symbol has one color in the formula, the drawing, its value and the code"() {
    const page = await open("arrive.html");
    const drawing = page.locator("figure.live");
    await drawing.scrollIntoViewIfNeeded();
    await state(drawing, "ready");
    const color = (part) => part.evaluate((part) => getComputedStyle(part).color);
    const green = await color(drawing.locator("li[data-of=velocity]"));
    const formula = page.locator("figure.live").locator("xpath=preceding-sibling::p[1]");
    assert.equal(await color(formula.locator("mi").filter({ hasText: /^v$/ }).last()), green);
    const label = drawing.locator("text.symbol").filter({ hasText: /^v$/ });
    assert.equal(await label.evaluate((text) => getComputedStyle(text).fill), green);
    const radius = await color(drawing.locator("label var"));
    assert.equal(await color(page.locator("code .key").first()), radius);
    await page.close();
  },

  async "a finger drags the target, which stays, and scrolls the page elsewhere"() {
    const page = await open("seek.html", WIDTHS.phone);
    const session = await browser.newCDPSession(page);
    await session.send("Emulation.setTouchEmulationEnabled", { enabled: true });
    const demo = page.locator("figure.demo[data-scene=seek]");
    await demo.evaluate((figure) => figure.scrollIntoView({ block: "center" }));
    await state(demo, "running");
    await demo.getByRole("button", { name: "Pause" }).click();
    const canvas = await demo.locator("canvas").boundingBox();
    const target = () => demo.evaluate((figure) => wayfare.targetOf(figure));
    const touch = (type, points) =>
      session.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: points.map(([x, y]) => ({ x, y })),
      });
    const drag = async ([x, y], [dx, dy]) => {
      await touch("touchStart", [[x, y]]);
      for (let i = 1; i <= 8; i++) await touch("touchMove", [[x + (dx * i) / 8, y + (dy * i) / 8]]);
      await touch("touchEnd", []);
      await frames(page, 4);
    };
    const scrolled = () => page.evaluate(() => scrollY);
    const [before, [x, y]] = [await scrolled(), await targetOf(demo)];
    const at = [canvas.x + x * canvas.width, canvas.y + y * canvas.height];
    await drag(at, [-60, 70]);
    assert.equal(await scrolled(), before);
    const [newX, newY] = await targetOf(demo);
    assert(Math.abs((newX - x) * canvas.width + 60) < 3, `${newX}`);
    assert(Math.abs((newY - y) * canvas.height - 70) < 3, `${newY}`);
    await drag([canvas.x + 20, canvas.y + canvas.height - 20], [0, -120]);
    await page.waitForFunction((before) => scrollY > before, before, LIMIT);
    assert.deepEqual(await targetOf(demo), [newX, newY]);
    await page.close();
  },

  async "arrow keys move the target of a focused demo, and a link skips to the text"() {
    const page = await open("seek.html");
    await page.keyboard.press("Tab");
    const focused = () => page.evaluate(() => document.activeElement.textContent);
    assert.equal(await focused(), "Skip to the text");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.tagName), "MAIN");
    const demo = page.locator("figure.demo[data-scene=seek]");
    await demo.scrollIntoViewIfNeeded();
    await state(demo, "running");
    await demo.locator("canvas").focus();
    await page.keyboard.press("Space");
    const [x, y] = await targetOf(demo);
    for (const key of ["ArrowLeft", "ArrowLeft", "ArrowDown"]) await page.keyboard.press(key);
    const [newX, newY] = await targetOf(demo);
    assert(newX < x && newY > y);
    await demo.getByRole("slider").first().focus();
    await page.keyboard.press("ArrowRight");
    assert(page.url().split("#")[0].endsWith("seek.html"));
    await page.close();
  },

  async "an exercise opens in the editor"() {
    const page = await open("wander.html");
    await page.locator("details.exercise summary").click();
    await page.getByRole("link", { name: "Open this scene" }).click();
    await page.waitForFunction(() => document.body.dataset.agents === "40", null, LIMIT);
    assert.equal(await page.evaluate(() => document.body.dataset.scene), "exercise.toml");
    // Its text is open.
    await page.waitForFunction(() => window.wayfare.controls().includes("scene-text"), null, LIMIT);
    await shoot(page, "exercise");
    await page.close();
  },

  async "every question calls its answer right, and the demo as it starts not"() {
    let [questions, drawn] = [0, 0];
    for (const name of pages) {
      if (!(await readFile(join(site, name), "utf8")).includes('class="question"')) continue;
      const page = await open(name);
      for (const form of await page.locator("form.question").all()) {
        const data = await form.evaluate(({ dataset }) => ({ ...dataset }));
        const said = async () => `${name}: ${await form.getByRole("status").innerText()}`;
        const check = async (wanted) => {
          await form.evaluate((form) => (form.dataset.state = "open"));
          await form.getByRole("button", { name: "Check" }).press("Enter");
          const answered = (form) => !["open", "running"].includes(form.dataset.state);
          await page.waitForFunction(answered, await form.elementHandle(), LIMIT);
          assert.equal(await form.getAttribute("data-state"), wanted, await said());
          return said();
        };
        const typed = form.getByRole("spinbutton");
        if (data.answer) await typed.fill(String(Number(data.most) + 1));
        assert.match(await check("wrong"), /: Not yet\./);
        if (data.answer) await typed.fill(data.answer);
        const place = data.drawing ? "figure.live" : `[data-scene="${data.demo}"]`;
        for (const pair of (data.set ?? "").split(" ").filter((part) => part.includes("="))) {
          const [key, value] = pair.split("=");
          // Of a key of two words the second is enough.
          await page.locator(`${place} input[data-keys*="${key}"]`).first().fill(value);
        }
        if (data.drawing) await form.evaluate(putParts);
        assert.match(await check("right"), /: Right\./);
        if (data.take) {
          // The module measures what the native program did.
          const value = await form.evaluate((form) => Number(form.dataset.value));
          const difference = Math.abs(value - data.found);
          assert(difference < 1e-3 * Math.max(1, data.found), `${name}: ${value}`);
        }
        data.drawing ? drawn++ : questions++;
      }
      assert.deepEqual(errors, [], name);
      await page.close();
    }
    assert.deepEqual([questions, drawn], [17, 7]);
  },

  async "each demo is alone on a page that fills a slide, as its address says"() {
    const embeds = (await readdir(join(site, "embed"))).filter((name) => name.endsWith(".html"));
    assert.deepEqual(embeds.sort(), Object.keys(expected).map((name) => `${name}.html`).sort());
    for (const name of ["captain", "doorway-150", "facing"]) {
      const page = await open("about:blank");
      for (const [width, height] of [[960, 540], [390, 500]]) {
        await page.setViewportSize({ width, height });
        await page.goto(`${address}embed/${name}.html`);
        await state(page.locator("figure.demo"), "running");
        await frames(page, 4);
        const size = () => {
          const { scrollWidth, scrollHeight } = document.documentElement;
          return [scrollWidth, scrollHeight];
        };
        assert.deepEqual(await page.evaluate(size), [width, height], name);
        const canvas = await page.locator("canvas").boundingBox();
        assert(canvas.width > 0.35 * width && canvas.height > 0.3 * height, name);
        await shoot(page, `embed-${width}-${name}`);
      }
      assert.deepEqual(errors, [], name);
      await page.close();
    }
    const page = await open("embed/seek.html?controls=off&theme=dark&set=group[1].mass%3D60");
    const demo = page.locator("figure.demo");
    await state(demo, "running");
    assert(!(await demo.locator(".controls").isVisible()));
    assert.equal(await page.evaluate(() => document.documentElement.className), "embed navy bare");
    await demo.evaluate((figure) => (figure.dataset.hurry = true));
    const figure = await demo.elementHandle();
    await page.waitForFunction((figure) => figure.dataset.digest, figure, LIMIT);
    assert.notEqual(await demo.evaluate((figure) => figure.dataset.digest), expected.seek);
    await shoot(page, "embed-bare");
    await page.close();
  },

  async "the page for teachers shows a demo by the element, and lines with its own address"() {
    const page = await open("teachers.html");
    const inside = page.frameLocator("wayfare-demo iframe");
    await page.locator("wayfare-demo").scrollIntoViewIfNeeded();
    await state(inside.locator("figure.demo"), "running");
    assert.equal(await inside.locator("output").first().innerText(), "60");
    const line = await page.locator("pre code").first().innerText();
    assert(line.includes(`src="${address}embed/seek.html"`), line);
    assert.deepEqual(errors, []);
    await page.close();
  },

  async "the sheet of formulas is printed on two pages"() {
    const page = await open("formulas.html");
    const printed = await page.pdf({ format: "A4", margin: { top: "10mm", bottom: "10mm" } });
    assert.equal(printed.toString("latin1").match(/\/Type \/Page\b/g).length, 2);
    assert((await page.locator(".sheet section").count()) === 17);
    if (shots) await writeFile(join(shots, "formulas.pdf"), printed);
    await page.close();
  },

  async "without WebAssembly the picture stays, and the page can be read"() {
    const page = await open("seek.html", WIDTHS.desktop, { before: "delete window.WebAssembly" });
    const demo = (await demos(page)).at(0);
    await demo.scrollIntoViewIfNeeded();
    await state(demo, "failed");
    const picture = demo.locator("img");
    const shown = await picture.elementHandle();
    await page.waitForFunction((img) => img.complete && img.naturalWidth > 0, shown, LIMIT);
    assert.match(await picture.getAttribute("src"), /demos\/.*\.png$/);
    assert(await picture.isVisible());
    const drawing = page.locator("figure.live");
    await drawing.scrollIntoViewIfNeeded();
    await state(drawing, "failed");
    assert(await drawing.locator("svg").isVisible());
    assert(!(await drawing.locator(".controls").isVisible()));
    await page.close();
  },

  async "reduced motion is respected: demos wait until they are played"() {
    const page = await open("seek.html", WIDTHS.desktop, { calm: true });
    const demo = (await demos(page)).at(0);
    await demo.scrollIntoViewIfNeeded();
    await state(demo, "paused");
    await demo.getByRole("button", { name: "Play" }).click();
    await state(demo, "running");
    await page.close();
  },

  async "pages fit phones, tablets and desktops"() {
    for (const name of looked) {
      const page = await open(name);
      for (const [device, width] of Object.entries(WIDTHS)) {
        await page.setViewportSize({ width, height: 800 });
        await frames(page, 2);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert(wide <= width, `${name} is ${wide} wide on a ${device}`);
        await shoot(page, `${device}-${name}`);
      }
      await page.close();
    }
  },

  async "contrast and names satisfy WCAG AA, light and dark"() {
    for (const name of looked) {
      const page = await open(name);
      await page.addScriptTag({ path: process.env.WAYFARE_AXE });
      for (const theme of ["light", "navy"]) {
        // The colors of code are those of the theme, too.
        await page.evaluate(
          (theme) => document.getElementById(`mdbook-theme-${theme}`).click(),
          theme,
        );
        await frames(page, 2);
        const found = await page.evaluate(() =>
          window.axe.run(document.querySelector("main"), { runOnly: ["wcag2a", "wcag2aa"] }),
        );
        const text = found.violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join("; ")}`,
        );
        assert.deepEqual(text, [], `${name}, ${theme}`);
        await shoot(page, `${theme}-${name}`);
      }
      await page.close();
    }
  },
};

async function shoot(page, name) {
  if (!shots) return;
  await mkdir(shots, { recursive: true });
  const file = join(shots, `${name.replaceAll("/", "-")}.png`);
  await page.screenshot({ path: file, fullPage: true });
}

const failed = await run(tests);
await close();
process.exit(failed ? 1 : 0);
