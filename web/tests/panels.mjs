// Panels beside the picture: settings, text, plots, the tour, links, a phone.

import { deflateRawSync } from "node:zlib";
import assert from "node:assert/strict";
import { address, agent, browser, click, data, errors, frames, open, page } from "./page.mjs";
import { paused, pausedAt, rect, shoot, text, ticksPass, until } from "./page.mjs";

// Waits until the text of the scene is this one, or another one.
const textIs = (wanted) => until((wanted) => window.wayfare.text() === wanted, wanted);
const textIsNot = (before) => until((before) => window.wayfare.text() !== before, before);

// The mean distance that agent 0 goes in a tick (pixels).
async function speed() {
  const points = [];
  for (let i = 0; i < 6; i++) {
    const tick = await ticksPass(5);
    points.push([...(await agent(0)), tick]);
  }
  const steps = points
    .slice(1)
    .map((p, i) => [Math.hypot(p[0] - points[i][0], p[1] - points[i][1]), p[2] - points[i][2]]);
  const sum = (k) => steps.reduce((total, step) => total + step[k], 0);
  return sum(0) / sum(1);
}

export const tests = {
  async "a slider changes the text and the motion, and undo takes it back"() {
    await open("?scene=wander");
    await click("settings");
    // The row may be below the end of the panel.
    const panel = await rect("field:group[0].name");
    await page.mouse.move(panel.x, panel.y);
    await page.mouse.wheel(0, 300);
    await frames(10);
    const slider = await rect("field:group[0].max_speed");
    const [before, fast] = [await text(), await speed()];
    const tick = Number((await data()).tick);
    const y = slider.y + slider.height / 2;
    await page.mouse.move(slider.x + slider.width * 0.3, y);
    await page.mouse.down();
    await page.mouse.move(slider.x + 1, y, { steps: 6 });
    await page.mouse.up();
    await textIsNot(before);
    const comments = (text) => text.split("\n").filter((line) => line.includes("#"));
    assert.deepEqual(comments(await text()), comments(before));
    await ticksPass(10);
    const slow = await speed();
    assert(slow < 0.5 * fast, `${fast} pixels a tick before, ${slow} after`);
    assert(Number((await data()).tick) > tick, "the scene began anew");
    await shoot("settings");
    await click("undo");
    await textIs(before);
    assert.deepEqual(errors, []);
  },
  async "an error in the text is shown at its line, and the motion goes on"() {
    await open("?scene=seek");
    await click("text");
    const r = await rect("scene-text");
    const before = await text();
    await page.mouse.click(r.x + 40, r.y + 40);
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\nradus = 3");
    await rect("problem:0");
    await shoot("text-error");
    await ticksPass(5);
    // The line break alone is valid: a frame may have read it before the next key.
    const after = await text();
    assert.equal(after.trimEnd(), before.trimEnd(), "the scene that goes on is the last good one");
  },
  async "plots, states and the heat map are a key away"() {
    await open("?scene=hunter-and-prey&until=400&speed=4");
    await page.keyboard.press("o");
    await page.keyboard.press("m");
    await paused();
    for (const name of ["states", "stat:stamina", "plotted:speed", "plot:whom", "heat"])
      await rect(name);
    await shoot("hunter-plots");
    assert.deepEqual(errors, []);
  },
  async "a link carries an edited scene, and the copied link opens the same"() {
    const scene = `title = "Sieben Gäste"
[[group]]
name = "a"
count = 7
max_speed = 2
velocity = "random"
spawn = { box = { min = [0, 0], max = [400, 300] } }
`;
    const packed = deflateRawSync(scene).toString("base64url");
    const ended = async () => {
      await pausedAt(60);
      assert.deepEqual(errors, []);
      return data();
    };
    await open(`?scene=seek&until=60&speed=16&text=${packed}`);
    const first = await ended();
    assert.deepEqual([first.scene, first.agents], ["seek", "7"]);
    await shoot("shared");
    const origin = address.slice(0, -1);
    await browser.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
    await page.evaluate(() => navigator.clipboard.writeText(""));
    await page.keyboard.press("k");
    // The clipboard is read by a promise, which is no condition for `until`.
    let copied = "";
    for (let i = 0; i < 1000 && !copied; i++) {
      await frames(2);
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
  async "the tour opens at a step, its steps all run, and the address follows"() {
    await open("?tour=1");
    const seen = [];
    for (let step = 1; step <= 11; step++) {
      await until((step) => new URL(location).searchParams.get("tour") === String(step), step);
      await until(
        () => document.body.dataset.state === "running" && Number(document.body.dataset.tick) > 3,
      );
      const { scene } = await data();
      assert.equal(new URL(page.url()).searchParams.get("scene"), scene);
      seen.push(scene);
      await rect("tour-link");
      if (step === 3) await shoot("tour");
      await click("tour-next");
      await until(
        (scene) => document.body.dataset.scene !== scene || !location.search.includes("tour="),
        scene,
      );
    }
    assert.equal(new Set(seen).size, 11, seen.join(", "));
    assert.doesNotMatch(page.url(), /tour=/, "a step after the last one ends the tour");
    await open("?tour=3", { width: 390, height: 780 });
    await rect("tour-next");
    const canvas = await rect("canvas");
    assert(canvas.height > 0.4 * 780, `the card leaves ${canvas.height} pixels for the picture`);
    await shoot("tour-phone");
    assert.deepEqual(errors, []);
  },
  async "on a phone the picture has room and every control is large enough for a finger"() {
    const size = { width: 390, height: 780 };
    await open("?scene=arrive", size);
    const canvas = await rect("canvas");
    assert(canvas.width > 380, `the picture is ${canvas.width} pixels wide`);
    assert(canvas.height > 0.7 * size.height, `the picture is ${canvas.height} pixels high`);
    await shoot("phone");
    await click("more");
    await rect("help");
    await shoot("phone-more");
    const shown = await page.evaluate(() => window.wayfare.controls());
    const names = shown.filter((name) => !/:|canvas|sentence|status/.test(name));
    for (const name of [...names, "help"]) {
      const r = await rect(name);
      const inside = r.x >= 0 && r.x + r.width <= size.width && r.y + r.height <= size.height;
      assert(inside, `${name} is not on the screen: ${JSON.stringify(r)}`);
      assert(r.width >= 24 && r.height >= 24, `${name} is small: ${JSON.stringify(r)}`);
    }
    await click("list");
    await rect("scene:flee");
    await shoot("phone-list");
    await click("scene:flee");
    await until(() => document.body.dataset.scene === "flee");
    assert.deepEqual(errors, []);
  },
};
