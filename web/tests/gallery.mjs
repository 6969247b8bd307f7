// The gallery as a visitor has it: the built page in a real browser. `cargo xtask web --test` builds what is tested, and runs this.
//
//   node gallery.mjs SITE DIGESTS [SHOTS]
//
// SITE is the folder of the page, DIGESTS a JSON file {scene: digest after TICKS ticks} of the native program, SHOTS a folder for screenshots.

import { createServer } from "node:http";
import { mkdtemp, mkdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { deflateRawSync } from "node:zlib";
import { join, extname, normalize } from "node:path";
import assert from "node:assert/strict";

const [site, digestsFile, shots] = process.argv.slice(2);
const { chromium } = createRequire(process.env.WAYFARE_NODE_MODULES + "/")("playwright-core");
const TICKS = 600;
// Ten for whoever has them; one tells as well whether something is kept at every frame.
const MINUTES = Number(process.env.WAYFARE_MINUTES ?? 1);
const expected = JSON.parse(await readFile(digestsFile, "utf8"));

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const server = createServer(async (request, answer) => {
  const path = normalize(new URL(request.url, "http://x").pathname).replace(/^\/+/, "") || "index.html";
  try {
    const bytes = await readFile(join(site, path));
    answer.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream", "Content-Length": bytes.length });
    answer.end(bytes);
  } catch {
    answer.writeHead(404);
    answer.end();
  }
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const address = `http://127.0.0.1:${server.address().port}/`;

const profile = await mkdtemp(join(tmpdir(), "wayfare-"));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  viewport: { width: 1280, height: 800 },
  args: ["--headless", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});

let page, errors;
async function open(query, size = { width: 1280, height: 800 }) {
  await page?.close();
  page = await browser.newPage();
  await page.setViewportSize(size);
  errors = [];
  page.on("console", (message) => message.type() === "error" && !/favicon/.test(message.location().url) && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(address + query);
  await page.waitForFunction(() => document.body.dataset.state !== "loading", null, { timeout: 60_000 });
}
const data = () => page.evaluate(() => ({ ...document.body.dataset }));
const until = (test, argument) => page.waitForFunction(test, argument, { timeout: 30_000 });
async function middle(name) {
  const r = await page.evaluate((name) => window.wayfare.rect(name), name);
  assert(r, `there is no control ${name}`);
  return [r.x + r.width / 2, r.y + r.height / 2];
}
const click = async (name) => page.mouse.click(...(await middle(name)));
const agent = (id) => page.evaluate((id) => window.wayfare.agent(id), id);
const shoot = async (name) => shots && (await mkdir(shots, { recursive: true }), page.screenshot({ path: join(shots, `${name}.png`) }));

const tests = {
  async "every bundled scene opens without an error, moves, and the classic ones have the bits of the native program"() {
    for (const ticks of [TICKS, 5]) {
      const left = new Set(Object.keys(expected).filter((name) => Boolean(expected[name]) === (ticks === TICKS)));
      for (let scene; left.size; ) {
        if (!left.has(scene)) {
          [scene] = left;
          await open(`?scene=${scene}&until=${ticks}&speed=16`);
        }
        const ended = until((ticks) => document.body.dataset.state === "paused" && Number(document.body.dataset.tick) === ticks, ticks);
        await ended.catch(async (error) => assert.fail(`${scene}: ${JSON.stringify(await data())}: ${error.message}`));
        const found = await data();
        assert.equal(found.scene, scene);
        if (expected[scene]) assert.equal(found.digest, expected[scene], `${scene}: another digest than the native one`);
        assert.deepEqual(errors, [], scene);
        left.delete(scene);
        // From one to the next as a person does, by a key.
        await page.keyboard.press("n");
        await until((scene) => document.body.dataset.scene !== scene, scene);
        scene = (await data()).scene;
      }
    }
  },
  async [`a page that runs the 2D flock for ${MINUTES} min does not grow`]() {
    await open("?scene=flock-2000-2d");
    const cdp = await browser.newCDPSession(page);
    const used = async () => {
      await cdp.send("HeapProfiler.collectGarbage");
      const { usedSize } = await cdp.send("Runtime.getHeapUsage");
      return [usedSize, await page.evaluate(() => window.wayfare.memory())];
    };
    // Until everything has been made that is made once.
    await page.waitForTimeout(10_000);
    const before = await used();
    await page.waitForTimeout(60_000 * MINUTES);
    const after = await used();
    const { tick } = await data();
    console.log(`      memory in bytes at the start: ${before.join(" of scripts, ")} of the module; after ${tick} ticks: ${after.join(", ")}`);
    assert(after[0] <= before[0] + 500_000 && after[1] <= before[1] + 1_500_000, "it has grown");
    assert.deepEqual(errors, []);
  },
  async "the mouse is the pointer: the seeker comes to it"() {
    await open("?scene=seek");
    const [x, y] = await middle("canvas");
    await page.mouse.move(x + 150, y - 80);
    const distance = async () => Math.hypot((await agent(0))[0] - (x + 150), (await agent(0))[1] - (y - 80));
    let nearest = Infinity;
    for (let i = 0; i < 100 && nearest > 25; i++) {
      nearest = Math.min(nearest, await distance());
      await page.waitForTimeout(100);
    }
    assert(nearest <= 25, `the nearest it came was ${nearest} pixels`);
    assert.deepEqual(errors, []);
  },
  async "F shows forces and hides them, and agents are drawn where they are"() {
    await open("?scene=arrive");
    await page.mouse.move(...(await middle("canvas")));
    await click("play");
    await until(() => document.body.dataset.state === "paused");
    await click("trails");
    await page.mouse.move(...(await middle("canvas")));
    await page.waitForTimeout(800);
    const [x, y] = await agent(0);
    const patch = (x, y) => page.screenshot({ clip: { x: x - 4, y: y - 4, width: 8, height: 8 } });
    const canvas = await page.evaluate(() => window.wayfare.rect("canvas"));
    assert.notDeepEqual(await patch(x, y), await patch(canvas.x + 10, canvas.y + canvas.height - 10), "there is nothing where agent 0 is");
    // The picture alone, without the buttons.
    const picture = () => page.screenshot({ clip: canvas });
    const before = await picture();
    await page.keyboard.press("f");
    await page.waitForTimeout(500);
    assert.notDeepEqual(await picture(), before);
    await shoot("arrive-forces");
    await page.keyboard.press("f");
    await page.waitForTimeout(500);
    assert.deepEqual(await picture(), before);
    assert.deepEqual(errors, []);
  },
  async "an obstacle can be dragged, and undo puts it back"() {
    await open("?scene=obstacles");
    await click("play");
    await until(() => document.body.dataset.state === "paused");
    const place = () => page.evaluate(() => window.wayfare.obstacle(0));
    const [x, y] = await place();
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 40, y + 30, { steps: 5 });
    await page.mouse.up();
    await page.waitForTimeout(500);
    const moved = await place();
    assert(Math.abs(moved[0] - x - 40) < 6 && Math.abs(moved[1] - y - 30) < 6, `it went from ${[x, y]} to ${moved}`);
    await click("undo");
    // Or however long a busy machine takes; the check below says where it stayed.
    await page.waitForFunction(([x, y]) => Math.hypot(window.wayfare.obstacle(0)[0] - x, window.wayfare.obstacle(0)[1] - y) < 1, [x, y], { timeout: 5_000 }).catch(() => {});
    const back = await place();
    assert(Math.hypot(back[0] - x, back[1] - y) < 1, `it is back at ${back}, not ${[x, y]}`);
    assert.deepEqual(errors, []);
  },
  async "in the captain's scene a click fires, and who is hit goes and another comes"() {
    await open("?scene=captain");
    const agents = async () => Number((await data()).agents);
    const before = await agents();
    const { x, y, width, height } = await page.evaluate(() => window.wayfare.rect("canvas"));
    let most = before;
    for (let i = 0; i < 40; i++) {
      await page.mouse.click(x + width * (0.5 + 0.3 * Math.sin(i)), y + height * (0.5 + 0.3 * Math.cos(1.7 * i)));
      await page.waitForTimeout(150);
      most = Math.max(most, await agents());
    }
    await shoot("captain-fires");
    assert(most >= before + 9, `at most ${most} agents of ${before} at the start: nobody fired`);
    // Bullets leave the world or hit; there are as many monsters as before.
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.waitForFunction((before) => Number(document.body.dataset.agents) === before, before, { timeout: 30_000 });
    assert.deepEqual(errors, []);
  },
  async "a slider changes the text and the motion, and undo takes it back"() {
    await open("?scene=wander");
    await click("settings");
    await page.waitForTimeout(500);
    const text = () => page.evaluate(() => window.wayfare.text());
    const speed = async () => {
      const way = [];
      for (let i = 0; i < 6; i++) {
        way.push(await agent(0));
        await page.waitForTimeout(200);
      }
      return way.slice(1).reduce((sum, p, i) => sum + Math.hypot(p[0] - way[i][0], p[1] - way[i][1]), 0);
    };
    const [before, fast, tick] = [await text(), await speed(), Number((await data()).tick)];
    const slider = await page.evaluate(() => window.wayfare.rect("field:group[0].max_speed"));
    const y = slider.y + slider.height / 2;
    await page.mouse.move(slider.x + slider.width * 0.3, y);
    await page.mouse.down();
    await page.mouse.move(slider.x + 1, y, { steps: 6 });
    await page.mouse.up();
    await page.waitForTimeout(500);
    const after = await text();
    assert.notEqual(after, before);
    const comments = (text) => text.split("\n").filter((line) => line.includes("#"));
    assert.deepEqual(comments(after), comments(before));
    const slow = await speed();
    assert(slow < 0.5 * fast, `it went ${fast} pixels before and ${slow} after`);
    assert(Number((await data()).tick) > tick, "it began anew");
    await shoot("settings");
    await click("undo");
    await page.waitForTimeout(500);
    assert.equal(await text(), before);
    assert.deepEqual(errors, []);
  },
  async "an error in the text is shown at its line, and the motion goes on"() {
    await open("?scene=seek");
    await click("text");
    await page.waitForTimeout(500);
    const before = await page.evaluate(() => window.wayfare.text());
    const r = await page.evaluate(() => window.wayfare.rect("scene-text"));
    await page.mouse.click(r.x + 40, r.y + 40);
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\nradus = 3");
    await page.waitForTimeout(500);
    assert(await page.evaluate(() => window.wayfare.rect("problem:0")), "no error is shown");
    await shoot("text-error");
    const tick = Number((await data()).tick);
    await until((tick) => Number(document.body.dataset.tick) > tick + 5, tick);
    assert.equal(await page.evaluate(() => window.wayfare.text()), before, "the scene that goes on is the last good one");
  },
  async "back in time and forward again every tick has its digest, with the mouse and an agent dragged in between"() {
    await open("?scene=arrive&until=150");
    const [x, y] = await middle("canvas");
    await page.mouse.move(x - 100, y - 60);
    await until(() => Number(document.body.dataset.tick) > 40);
    await page.mouse.move(x + 120, y + 40, { steps: 4 });
    const [ax, ay] = await agent(0);
    await page.mouse.move(ax, ay);
    await page.mouse.down();
    await page.mouse.move(ax + 60, ay - 30, { steps: 4 });
    await page.mouse.up();
    await until(() => document.body.dataset.state === "paused" && Number(document.body.dataset.tick) === 150);
    const digests = { 150: (await data()).digest };
    for (let tick = 149; tick >= 145; tick--) {
      await page.keyboard.press(",");
      await until((tick) => Number(document.body.dataset.tick) === tick, tick);
      digests[tick] = (await data()).digest;
    }
    assert.equal(new Set(Object.values(digests)).size, 6, "nothing moves");
    // The mouse moves over the picture while it is done again, and changes nothing.
    await page.mouse.move(x, y + 100);
    for (let tick = 146; tick <= 150; tick++) {
      await page.keyboard.press(".");
      await until((tick) => Number(document.body.dataset.tick) === tick, tick);
      assert.equal((await data()).digest, digests[tick], `another digest at tick ${tick}`);
    }
    // Far back by the slider, and on by Play.
    const slider = await page.evaluate(() => window.wayfare.rect("ticks"));
    await page.mouse.click(slider.x + 12, slider.y + slider.height / 2);
    await until(() => Number(document.body.dataset.tick) < 30);
    await page.waitForTimeout(300);
    await shoot("arrive-back");
    await click("play");
    await until(() => document.body.dataset.state === "paused" && Number(document.body.dataset.tick) === 150);
    assert.equal((await data()).digest, digests[150]);
    assert.deepEqual(errors, []);
  },
  async "plots, states and the heat map are a key away"() {
    await open("?scene=hunter-and-prey&until=400&speed=4");
    await page.keyboard.press("o");
    await page.keyboard.press("m");
    await until(() => document.body.dataset.state === "paused");
    await page.waitForTimeout(500);
    for (const name of ["states", "stat:stamina", "plotted:speed", "plot:whom", "heat"])
      assert(await page.evaluate((name) => window.wayfare.rect(name), name), `there is no ${name}`);
    await shoot("hunter-plots");
    assert.deepEqual(errors, []);
  },
  async "a scene is a click in the list, and the address follows"() {
    await open("?scene=seek");
    await click("scene:flee");
    await until(() => document.body.dataset.scene === "flee");
    assert.match(page.url(), /scene=flee/);
    await page.keyboard.press("n");
    await until(() => document.body.dataset.scene !== "flee");
  },
  async "a wrong name gets a friendly page, and what was meant is a click away"() {
    await open("?scene=sek");
    assert.equal((await data()).state, "error");
    assert.deepEqual(errors, []);
    await page.waitForTimeout(300);
    await shoot("wrong-name");
    await click("offer:seek");
    await until(() => document.body.dataset.scene === "seek" && document.body.dataset.state === "running");
    assert.match(page.url(), /scene=seek$/);
  },
  async "a link carries an edited scene: it opens as it was copied, and the copied link opens the same"() {
    const scene = 'title = "Sieben Gäste"\n[[group]]\nname = "a"\ncount = 7\nmax_speed = 2\nvelocity = "random"\nspawn = { box = { min = [0, 0], max = [400, 300] } }\n';
    const link = `?scene=seek&until=60&speed=16&text=${deflateRawSync(scene).toString("base64url")}`;
    const ended = async () => {
      await until(() => document.body.dataset.state === "paused" && Number(document.body.dataset.tick) === 60);
      assert.deepEqual(errors, []);
      return data();
    };
    await open(link);
    const first = await ended();
    assert.deepEqual([first.scene, first.agents], ["seek", "7"]);
    await shoot("shared");
    await browser.grantPermissions(["clipboard-read", "clipboard-write"], { origin: address.slice(0, -1) });
    await page.evaluate(() => navigator.clipboard.writeText(""));
    await page.keyboard.press("k");
    // A function that waits is no condition for waitForFunction: its promise is true at once.
    let copied = "";
    for (let i = 0; i < 100 && !copied; i++) {
      await page.waitForTimeout(100);
      copied = await page.evaluate(() => navigator.clipboard.readText());
    }
    assert(copied.startsWith(`${address}?scene=seek&text=`), copied);
    await open(`${copied.slice(address.length)}&until=60&speed=16`);
    assert.equal((await ended()).digest, first.digest);
    // Another scene has another address.
    await page.keyboard.press("n");
    await until(() => document.body.dataset.scene !== "seek");
    assert(!page.url().includes("text="), page.url());
    await open("?scene=seek&text=x");
    assert.equal((await data()).state, "error");
    assert.deepEqual(errors, []);
  },
  async "a scene that is dropped on the page opens"() {
    await open("?scene=seek");
    await page.evaluate(() => {
      const text = '[[group]]\nname = "a"\nmax_speed = 1\nspawn = { points = [[0, 0], [9, 9]] }\n';
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], "mine.toml"));
      document.getElementById("canvas").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    });
    await until(() => document.body.dataset.scene === "mine.toml" && document.body.dataset.agents === "2");
    assert.deepEqual(errors, []);
  },
  async "a large crowd leaves the page time to answer, and says how fast it is"() {
    await open("?scene=flock-3d");
    await page.waitForTimeout(3000);
    assert(await page.evaluate(() => window.wayfare.rect("status")), "no rate is shown");
    // How long the page's own work holds it up, apart from a renderer without a graphics card.
    const longest = await page.evaluate(async () => {
      let longest = 0;
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => (longest = Math.max(longest, entry.duration)))).observe({ type: "longtask" });
      await new Promise((done) => setTimeout(done, 5000));
      return longest;
    });
    const tick = Number((await data()).tick);
    const began = Date.now();
    await click("play");
    await until(() => document.body.dataset.state === "paused");
    console.log(`      the longest it was held up: ${longest} ms; it answered after ${Date.now() - began} ms, at tick ${tick}`);
    assert(tick > 0, "it stands still");
    assert(longest < 500 && Date.now() - began < 2000, "it holds the page up");
    await shoot("flock-3d");
    assert.deepEqual(errors, []);
  },
  async "the tour opens at a step, its steps all run, and the address follows"() {
    await open("?tour=1");
    const seen = [];
    for (let step = 1; step <= 11; step++) {
      await page.waitForFunction((step) => new URL(location).searchParams.get("tour") === String(step), step, { timeout: 10_000 });
      await until(() => document.body.dataset.state === "running" && Number(document.body.dataset.tick) > 3);
      const { scene } = await data();
      assert.equal(new URL(page.url()).searchParams.get("scene"), scene);
      seen.push(scene);
      assert(await page.evaluate(() => window.wayfare.rect("tour-link")), `${scene}: no link to the book`);
      if (step === 3) await shoot("tour");
      await click("tour-next");
      await until((scene) => document.body.dataset.scene !== scene || !location.search.includes("tour="), scene);
    }
    assert.equal(new Set(seen).size, 11, seen.join(", "));
    assert.doesNotMatch(page.url(), /tour=/, "on from the last step is the end");
    await open("?tour=3", { width: 390, height: 780 });
    await page.waitForTimeout(1000);
    const canvas = await page.evaluate(() => window.wayfare.rect("canvas"));
    assert(canvas.height > 0.4 * 780, `the card leaves ${canvas.height} pixels for the picture`);
    await shoot("tour-phone");
    assert.deepEqual(errors, []);
  },
  async "two scenes are compared in step, with two digests and one pointer"() {
    await open("?scene=doorway-separation&compare=doorway-free&until=40");
    await until(() => document.body.dataset.state === "paused" && document.body.dataset.tick === "40");
    const found = await data();
    assert.equal(found.compare, "doorway-free");
    assert(found.digest && found.otherDigest && found.digest !== found.otherDigest, JSON.stringify(found));
    await shoot("compare");
    // A scene beside itself stays the same wherever the mouse goes: one pointer.
    await open("?scene=arrive&compare=arrive");
    const [x, y] = await middle("other:canvas");
    await page.mouse.move(x + 60, y - 40, { steps: 5 });
    await page.waitForTimeout(1500);
    const place = async (name) => page.evaluate((name) => window.wayfare.rect(name), name);
    const [canvas, other] = [await place("canvas"), await place("other:canvas")];
    const [mine, its] = [await place("pointer:0"), await place("other:pointer:0")];
    assert(Math.abs(mine.x - canvas.x - (its.x - other.x)) < 2 && Math.abs(its.x - x - 60) < 2 && Math.abs(its.y - y + 40) < 2, JSON.stringify([mine, its]));
    await click("play");
    await until(() => document.body.dataset.state === "paused");
    await page.waitForTimeout(300);
    const same = await data();
    assert.equal(same.digest, same.otherDigest);
    await page.keyboard.press("c");
    await until(() => document.body.dataset.compare === "");
    assert.doesNotMatch(page.url(), /compare=/);
    assert.deepEqual(errors, []);
  },
  async "on a phone's width the picture has the room, and all controls are on the screen and large enough for a finger"() {
    const size = { width: 390, height: 780 };
    await open("?scene=arrive", size);
    await page.waitForTimeout(1500);
    const canvas = await page.evaluate(() => window.wayfare.rect("canvas"));
    assert(canvas.width > 380 && canvas.height > 0.7 * size.height, `the picture is ${canvas.width} by ${canvas.height}`);
    await shoot("phone");
    await click("more");
    await page.waitForTimeout(500);
    await shoot("phone-more");
    const names = (await page.evaluate(() => window.wayfare.controls())).filter((name) => !/:|canvas|sentence|status/.test(name));
    for (const name of [...names, "help"]) {
      const r = await page.evaluate((name) => window.wayfare.rect(name), name);
      assert(r && r.x >= 0 && r.x + r.width <= size.width && r.y + r.height <= size.height, `${name} is not on the screen: ${JSON.stringify(r)}`);
      assert(r.width >= 24 && r.height >= 24, `${name} is small: ${JSON.stringify(r)}`);
    }
    await click("list");
    await page.waitForTimeout(500);
    await shoot("phone-list");
    await click("scene:flee");
    await until(() => document.body.dataset.scene === "flee");
    assert.deepEqual(errors, []);
  },
};

let failed = 0;
// WAYFARE_ONLY: a part of the names of those that are wanted.
for (const [name, test] of Object.entries(tests).filter(([name]) => name.includes(process.env.WAYFARE_ONLY ?? ""))) {
  const began = Date.now();
  try {
    await test();
    console.log(`ok    ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}\n${error.stack}`);
    await page?.screenshot({ path: join(tmpdir(), "wayfare-failed.png") }).catch(() => {});
  }
}
// Pictures for people: SCENES is a list of SCENE[:WIDTHxHEIGHT[:KEYS]], such as captain,obstacles&until=110:390x780:df; they are taken after five seconds.
for (const wish of shots ? (process.env.SCENES ?? "").split(",").filter(Boolean) : []) {
  const [scene, size = "1280x800", keys = ""] = wish.split(":");
  const [width, height] = size.split("x").map(Number);
  await open(`?scene=${scene}`, { width, height });
  for (const key of keys) await page.keyboard.press(key);
  await page.waitForTimeout(5000);
  await shoot(wish.replaceAll(":", "-"));
}
await browser.close();
server.close();
await rm(profile, { recursive: true, force: true });
process.exit(failed ? 1 : 0);
