// A page of `wayfare report`, opened as a file.

import { pathToFileURL } from "node:url";
import assert from "node:assert/strict";
import { browser } from "./page.mjs";

const LIMIT = { timeout: 60_000 };

// Opens the report with the setting of reduced motion, and gives its page to the test.
async function opened(reducedMotion, test) {
  const page = await browser.newPage();
  await page.emulateMedia({ reducedMotion });
  const [errors, requests] = [[], []];
  page.on("console", (message) => errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("request", (request) => requests.push(request.url()));
  const address = pathToFileURL(process.env.WAYFARE_REPORT).href;
  await page.goto(address);
  await test(page);
  assert.deepEqual(errors, []);
  assert.deepEqual(requests.filter((url) => !url.startsWith("data:")), [address]);
  await page.close();
}

const shown = (page) => page.textContent("#seen");
const drawn = (page) => page.evaluate(() => document.getElementById("canvas").toDataURL());

export const tests = {
  async "a report plays by its button and its keys, and asks the network for nothing"() {
    await opened("reduce", async (page) => {
      assert.equal(await page.textContent("#play"), "Play");
      assert.match(await shown(page), /^At tick 0, time 0\.00 s: 150 people\.$/);
      const before = await drawn(page);
      await page.click("#play");
      await page.waitForFunction(() => document.getElementById("play").textContent === "Pause");
      await page.waitForFunction(() => Number(document.getElementById("scrub").value) > 2, LIMIT);
      await page.click("#play");
      assert.notEqual(await drawn(page), before);
      await page.keyboard.press("Home");
      assert.equal(await drawn(page), before);
      await page.keyboard.press("ArrowRight");
      assert.match(await shown(page), /^At tick 1, /);
      await page.keyboard.press("End");
      assert.match(await shown(page), /^At tick 60, time 3\.00 s: 150 people\.$/);
    });
  },

  async "a report plays by itself unless reduced motion is asked for"() {
    await opened("no-preference", async (page) => {
      await page.waitForFunction(() => Number(document.getElementById("scrub").value) > 2, LIMIT);
    });
  },
};
