// The tests of the book in a browser. `cargo xtask test --only book-browser` builds the site
// and runs this.
//
//   node book.mjs SITE EXPECTED [SHOTS]
//
// SITE is the folder of the site; EXPECTED is a JSON file, {scene: digest} of the native program
// after 300 ticks; SHOTS is a folder for screenshots. WAYFARE_AXE is the script of axe-core.

import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
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
