// What the page has beside the canvas: the history, the bar, the list of the controls.

import assert from "node:assert/strict";
import { address, browser, click, errors, open, page, paused, shoot, until } from "./page.mjs";

const shows = (scene) => until((scene) => document.body.dataset.scene === scene, scene);
const runs = (scene) =>
  until(
    (scene) => document.body.dataset.scene === scene && document.body.dataset.state === "running",
    scene,
  );

export const tests = {
  async "a scene that is picked is an entry of the history, and other changes are none"() {
    await open("");
    await until(() => document.body.dataset.scenes);
    await page.locator(".scenes a").first().click();
    await runs("seek");
    await page.keyboard.press("n");
    await shows("seek-without-force");
    await click("compare");
    await until(() => location.search.includes("compare="));
    await page.goBack();
    await runs("seek");
    assert.equal(new URL(page.url()).search, "?scene=seek");
    await page.goForward();
    await runs("seek-without-force");
    await page.goBack();
    await runs("seek");
    await page.goBack();
    await until(() => document.body.dataset.state === "start");
    assert.deepEqual(errors, []);
  },

  async "the bar leads to all scenes, and the canvas below it takes the mouse"() {
    await open("?scene=seek");
    await runs("seek");
    const { y, height } = await page.locator("#canvas").boundingBox();
    assert(y > 20 && y + height <= 800, `${y}, ${height}`);
    const bar = await page.locator("#bar").boundingBox();
    assert(bar.y + bar.height <= y, `${bar.height}`);
    // Beside no book scenes have no chapters.
    assert(await page.locator("#chapter").isHidden());
    await shoot("bar");
    await page.getByRole("link", { name: "All scenes" }).click();
    await until(() => document.body.dataset.scenes);
    assert.deepEqual(errors, []);
  },

  async "the controls of the canvas have names in a list, which presses them"() {
    await open("?scene=seek");
    await runs("seek");
    assert.equal(await page.getByRole("img", { name: /^The scene Seek/ }).count(), 1);
    const list = page.getByRole("region", { name: "Controls of the gallery" });
    await list.getByRole("button", { name: "Play", exact: true }).press("Enter");
    await paused();
    await until(() => /: paused, 3 agents$/.test(document.getElementById("said").textContent));
    await shoot("controls");
    await list.getByRole("button", { name: "Play", exact: true }).press("Enter");
    await runs("seek");
    // The keys reach the list from the canvas.
    await page.locator("#canvas").click({ position: { x: 600, y: 300 } });
    await page.keyboard.press("F6");
    const focused = () => page.evaluate(() => document.activeElement.textContent);
    assert.equal(await focused(), "All scenes");
    await page.keyboard.press("Tab");
    assert.equal(await page.locator("#controls :focus").count(), 1, await focused());
    // A panel that opens brings its controls, and the focus stays where it was.
    const settings = list.getByRole("button", { name: "Settings", exact: true });
    await settings.press("Enter");
    await list.getByRole("button", { name: /^Part group/ }).first().waitFor();
    assert(await settings.evaluate((button) => button === document.activeElement));
    assert.deepEqual(errors, []);
  },

  async "under reduced motion a scene rests until it is played, the next one too"() {
    const calm = await browser.newPage();
    await calm.emulateMedia({ reducedMotion: "reduce" });
    const at = (test, argument) => calm.waitForFunction(test, argument, { timeout: 120_000 });
    await calm.goto(`${address}?scene=seek`);
    const rests = (scene) =>
      at(
        (scene) =>
          document.body.dataset.scene === scene && document.body.dataset.state === "paused",
        scene,
      );
    await rests("seek");
    assert(Number(await calm.evaluate(() => document.body.dataset.tick)) < 60);
    await calm.keyboard.press("Space");
    await at(() => document.body.dataset.state === "running");
    await calm.keyboard.press("n");
    await rests("seek-without-force");
    await calm.close();
  },
};
