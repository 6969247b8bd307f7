// Every bundled scene on the page, and what a page that runs for long takes.

import { readFile } from "node:fs/promises";
import assert from "node:assert/strict";
import { browser, click, data, errors, frames, open, page, paused, pausedAt } from "./page.mjs";
import { rect, shoot, ticksPass, until } from "./page.mjs";

// {scene: {ticks, digest}} of the native program, of every bundled scene.
const expected = JSON.parse(await readFile(process.argv[3], "utf8"));

// What the page of a small flock may grow by over this many ticks.
const GROWTH_TICKS = Number(process.env.WAYFARE_GROWTH_TICKS ?? 600);

export const tests = {
  async "the start page shows, finds and opens all scenes, and a new one with its text"() {
    const start = async () => {
      await open("");
      await until(() => document.body.dataset.scenes);
    };
    await start();
    const links = await page.locator(".scenes a").evaluateAll((all) => all.map((a) => a.search));
    const shown = links.map((search) => new URLSearchParams(search).get("scene"));
    assert.deepEqual(shown.slice(0, 2), ["seek", "seek-without-force"]);
    assert.deepEqual([...shown].sort(), Object.keys(expected).sort());
    // A scene has a picture of its own, which comes when it is on the screen.
    await until(() => document.querySelector(".scenes img").naturalWidth === 252);
    const last = page.locator(".scenes img").last();
    assert.equal(await last.evaluate(({ naturalWidth }) => naturalWidth), 0);
    await last.scrollIntoViewIfNeeded();
    await until(() => [...document.querySelectorAll(".scenes img")].at(-1).naturalWidth === 252);
    await page.evaluate(() => scrollTo(0, 0));
    // Beside no book there is no course.
    assert(await page.locator("#course").isHidden());
    await shoot("start");
    // A word of a name or of a title finds scenes; a part without any is not shown.
    const found = () => page.locator(".scenes a:visible").evaluateAll((all) =>
      all.map((link) => new URLSearchParams(link.search).get("scene")));
    await page.getByRole("searchbox").fill("hunter prey");
    assert.deepEqual(await found(), ["hunter-and-prey"]);
    assert.equal(await page.locator("#scenes h3:visible").count(), 1);
    await page.locator(".scenes a:visible").click();
    await until(() => document.body.dataset.scene === "hunter-and-prey");
    await start();
    await page.getByRole("link", { name: "The editor" }).click();
    await until(() => document.body.dataset.scene === "my-scene.toml");
    await rect("scene-text");
    assert((await page.evaluate(() => window.wayfare.text())).includes('title = "My scene"'));
    assert.deepEqual(errors, []);
  },

  async "every bundled scene has the digest of the native program"() {
    for (const ticks of new Set(Object.values(expected).map((scene) => scene.ticks))) {
      const names = Object.keys(expected).filter((name) => expected[name].ticks === ticks);
      const left = new Set(names);
      for (let scene; left.size;) {
        if (!left.has(scene)) {
          [scene] = left;
          await open(`?scene=${scene}&until=${ticks}&speed=16`);
        }
        await pausedAt(ticks).catch(async (error) =>
          assert.fail(`${scene}: ${JSON.stringify(await data())}: ${error.message}`),
        );
        const found = await data();
        assert.equal(found.scene, scene);
        assert.equal(found.digest, expected[scene].digest, `${scene}: not the native digest`);
        assert.deepEqual(errors, [], scene);
        left.delete(scene);
        // From one scene to the next as a person does, by a key.
        await page.keyboard.press("n");
        await until((scene) => document.body.dataset.scene !== scene, scene);
        scene = (await data()).scene;
      }
    }
  },
  async "a snapshot of the page has the bytes of the native program"() {
    // A scene with a transition out of the crowd, whose fingerprint once differed.
    const native = await readFile(process.argv[4]);
    await open("?scene=seek");
    const found = await page.evaluate(() => [...window.wayfare.snapshot("forage", 20)]);
    assert(native.equals(Buffer.from(found)), "the bytes differ");
    assert.equal(await page.evaluate(() => window.wayfare.snapshot("no such scene", 1)), undefined);
  },
  async "a page that runs a flock does not grow"() {
    await open("?scene=flock-2000-2d");
    const cdp = await browser.newCDPSession(page);
    const used = async () => {
      await cdp.send("HeapProfiler.collectGarbage");
      const { usedSize } = await cdp.send("Runtime.getHeapUsage");
      return [usedSize, await page.evaluate(() => window.wayfare.memory())];
    };
    // What is made once has been made after some seconds of simulated time.
    await ticksPass(200);
    const before = await used();
    const tick = await ticksPass(GROWTH_TICKS);
    const after = await used();
    console.log(`      bytes of scripts, of the module: ${before}; at tick ${tick}: ${after}`);
    assert(after[0] <= before[0] + 500_000, "the page's scripts hold more memory");
    assert(after[1] <= before[1] + 1_500_000, "the module holds more memory");
    assert.deepEqual(errors, []);
  },
  async "a crowd too large for its frames leaves the page responsive and shows its rate"() {
    await open("?scene=flock-3d");
    await rect("status");
    const tick = await ticksPass(2);
    // A tick of this crowd takes longer than a frame: frames are drawn and input is taken within
    // it, however slow the machine is.
    const [x, y, width, height] = await rect("play").then((r) => [r.x, r.y, r.width, r.height]);
    await page.mouse.click(x + width / 2, y + height / 2);
    let waited = 0;
    for (; (await data()).state !== "paused"; waited++) await frames(1);
    console.log(`      it paused ${waited} frames after the click, at tick ${tick}`);
    assert(waited <= 30, "the page is held up by the crowd");
    await shoot("flock-3d");
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
  async "an unknown name gets a page that offers the scene that was meant"() {
    await open("?scene=sek");
    assert.equal((await data()).state, "error");
    assert.deepEqual(errors, []);
    await rect("offer:seek");
    await shoot("wrong-name");
    await click("offer:seek");
    await until(
      () => document.body.dataset.scene === "seek" && document.body.dataset.state === "running",
    );
    assert.match(page.url(), /scene=seek$/);
  },
  async "a scene that is dropped on the page opens"() {
    await open("?scene=seek");
    await page.evaluate(() => {
      const text = '[[group]]\nname = "a"\nmax_speed = 1\nspawn = { points = [[0, 0], [9, 9]] }\n';
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], "mine.toml"));
      document
        .getElementById("canvas")
        .dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    });
    await until(
      () => document.body.dataset.scene === "mine.toml" && document.body.dataset.agents === "2",
    );
    assert.deepEqual(errors, []);
  },
  async "two scenes are compared in step, with two digests and one pointer"() {
    await open("?scene=doorway-separation&compare=doorway-free&until=40");
    await pausedAt(40);
    const found = await data();
    assert.equal(found.compare, "doorway-free");
    assert(found.digest && found.otherDigest, JSON.stringify(found));
    assert.notEqual(found.digest, found.otherDigest);
    await shoot("compare");
    // A scene beside itself stays the same wherever the mouse goes: both have one pointer.
    await open("?scene=arrive&compare=arrive");
    const other = await rect("other:canvas");
    const [x, y] = [other.x + other.width / 2 + 60, other.y + other.height / 2 - 40];
    await page.mouse.move(x, y, { steps: 5 });
    await until(
      ([x, y]) => {
        const pointer = window.wayfare.rect("other:pointer:0");
        return pointer && Math.abs(pointer.x - x) < 2 && Math.abs(pointer.y - y) < 2;
      },
      [x, y],
    );
    const place = (name) => page.evaluate((name) => window.wayfare.rect(name), name);
    const [canvas, mine] = [await place("canvas"), await place("pointer:0")];
    assert(Math.abs(mine.x - canvas.x - (x - other.x)) < 2, JSON.stringify([mine, x, y]));
    await ticksPass(20);
    await click("play");
    await paused();
    await until(() => document.body.dataset.digest && document.body.dataset.otherDigest);
    const same = await data();
    assert.equal(same.digest, same.otherDigest);
    await page.keyboard.press("c");
    await until(() => document.body.dataset.compare === "");
    assert.doesNotMatch(page.url(), /compare=/);
    assert.deepEqual(errors, []);
  },
};
