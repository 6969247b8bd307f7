// What the mouse does in the picture: the pointer, forces, dragging, firing.

import assert from "node:assert/strict";
import { agent, click, data, errors, middle, open, page, paused } from "./page.mjs";
import { picture, pictureUntil, rect, shoot, ticksPass, until } from "./page.mjs";

export const tests = {
  async "the mouse is the pointer: the seeker comes to it"() {
    await open("?scene=seek");
    const [x, y] = await middle("canvas");
    await page.mouse.move(x + 150, y - 80);
    await until(
      ([x, y]) => {
        const [ax, ay] = window.wayfare.agent(0);
        return Math.hypot(ax - x, ay - y) <= 25;
      },
      [x + 150, y - 80],
    );
    assert.deepEqual(errors, []);
  },
  async "F shows forces and hides them, and agents are drawn where they are"() {
    await open("?scene=arrive");
    await page.mouse.move(...(await middle("canvas")));
    await click("play");
    await paused();
    await click("trails");
    await page.mouse.move(...(await middle("canvas")));
    // The picture of a paused scene comes to rest once the button under the mouse has.
    let last = Buffer.alloc(0);
    await pictureUntil((now) => now.equals(last) || ((last = now), false));
    const [x, y] = await agent(0);
    const patch = (x, y) => page.screenshot({ clip: { x: x - 4, y: y - 4, width: 8, height: 8 } });
    const canvas = await rect("canvas");
    const corner = await patch(canvas.x + 10, canvas.y + canvas.height - 10);
    assert.notDeepEqual(await patch(x, y), corner, "there is nothing where agent 0 is");
    const before = await picture();
    await page.keyboard.press("f");
    await pictureUntil((now) => !now.equals(before));
    await shoot("arrive-forces");
    await page.keyboard.press("f");
    await pictureUntil((now) => now.equals(before));
    assert.deepEqual(errors, []);
  },
  async "an obstacle can be dragged, and undo puts it back"() {
    await open("?scene=obstacles");
    await click("play");
    await paused();
    const [x, y] = await page.evaluate(() => window.wayfare.obstacle(0));
    const isAt = (x, y, tolerance) =>
      until(
        ([x, y, tolerance]) => {
          const [ox, oy] = window.wayfare.obstacle(0);
          return Math.abs(ox - x) < tolerance && Math.abs(oy - y) < tolerance;
        },
        [x, y, tolerance],
      );
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 40, y + 30, { steps: 5 });
    await page.mouse.up();
    await isAt(x + 40, y + 30, 6);
    await click("undo");
    await isAt(x, y, 1);
    assert.deepEqual(errors, []);
  },
  async "in the captain's scene a click fires, and a monster that is hit is replaced"() {
    await open("?scene=captain");
    const agents = async () => Number((await data()).agents);
    const before = await agents();
    const { x, y, width, height } = await rect("canvas");
    let most = before;
    for (let i = 0; i < 40 && most < before + 9; i++) {
      const [right, down] = [0.5 + 0.3 * Math.sin(i), 0.5 + 0.3 * Math.cos(1.7 * i)];
      await page.mouse.click(x + width * right, y + height * down);
      await ticksPass(2);
      most = Math.max(most, await agents());
    }
    await shoot("captain-fires");
    assert(most >= before + 9, `at most ${most} agents of ${before} at the start: no shots`);
    // Bullets leave the world or hit; in the end there are as many monsters as before.
    await page.mouse.move(x + width / 2, y + height / 2);
    await until((before) => Number(document.body.dataset.agents) === before, before);
    assert.deepEqual(errors, []);
  },
  async "back in time and forward again every tick has its digest"() {
    await open("?scene=arrive&until=150");
    const [x, y] = await middle("canvas");
    await page.mouse.move(x - 100, y - 60);
    await until(() => Number(document.body.dataset.tick) > 40);
    await page.mouse.move(x + 120, y + 40, { steps: 4 });
    // The mouse and a dragged agent are part of what is replayed.
    const [ax, ay] = await agent(0);
    await page.mouse.move(ax, ay);
    await page.mouse.down();
    await page.mouse.move(ax + 60, ay - 30, { steps: 4 });
    await page.mouse.up();
    const at = (tick) => until((tick) => Number(document.body.dataset.tick) === tick, tick);
    await at(150);
    await paused();
    const digests = { 150: (await data()).digest };
    for (let tick = 149; tick >= 145; tick--) {
      await page.keyboard.press(",");
      await at(tick);
      digests[tick] = (await data()).digest;
    }
    assert.equal(new Set(Object.values(digests)).size, 6, "nothing moves");
    // The mouse moves over the picture during the replay, and changes nothing.
    await page.mouse.move(x, y + 100);
    for (let tick = 146; tick <= 150; tick++) {
      await page.keyboard.press(".");
      await at(tick);
      assert.equal((await data()).digest, digests[tick], `another digest at tick ${tick}`);
    }
    // Far back by the slider, and on by Play.
    const slider = await rect("ticks");
    await page.mouse.click(slider.x + 12, slider.y + slider.height / 2);
    await until(() => Number(document.body.dataset.tick) < 30);
    await shoot("arrive-back");
    await click("play");
    await at(150);
    await paused();
    assert.equal((await data()).digest, digests[150]);
    assert.deepEqual(errors, []);
  },
};
