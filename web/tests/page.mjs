// The built page in a browser: opening it, reading its state, waiting for a state.
//
// Every wait is for a state or for a number of drawn frames, never for a time: a busy machine is
// slow, not wrong. The limit of a wait only ends a test that would never end.

import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import assert from "node:assert/strict";
import { address, browser, errorsOf, LIMIT, SIZE } from "./serve.mjs";

export { address, browser, close, run } from "./serve.mjs";

const shots = process.argv[5];

// The page that is open, and the errors that it has logged.
export let page;
export let errors = [];

// Opens the page with this query, and waits until the viewer runs.
export async function open(query, size = SIZE) {
  await page?.close();
  page = await browser.newPage();
  await page.setViewportSize(size);
  errors = errorsOf(page);
  await page.goto(address + query);
  await until(() => document.body.dataset.state !== "loading");
}

// What the page says of itself: state, scene, tick, agents, digest.
export const data = () => page.evaluate(() => ({ ...document.body.dataset }));

// Waits until the test, which runs in the page, is true of the argument.
export const until = (test, argument) => page.waitForFunction(test, argument, LIMIT);

export const paused = () => until(() => document.body.dataset.state === "paused");
export const pausedAt = (tick) =>
  until(
    (tick) =>
      document.body.dataset.state === "paused" && Number(document.body.dataset.tick) === tick,
    tick,
  );
// Waits until the crowd has stepped on by so many ticks; gives back the tick.
export async function ticksPass(count) {
  const tick = Number((await data()).tick);
  await until(([tick, count]) => Number(document.body.dataset.tick) >= tick + count, [tick, count]);
  return Number((await data()).tick);
}

// Waits until so many frames have been drawn: input that was sent before has been taken by then.
export const frames = (count) =>
  page.evaluate(
    (count) =>
      new Promise((done) => {
        const frame = () => (count-- > 0 ? requestAnimationFrame(frame) : done());
        frame();
      }),
    count,
  );

// The rectangle of a control in pixels of the page, once the control is shown and stands still.
export async function rect(name) {
  await until((name) => window.wayfare.rect(name), name).catch(() =>
    assert.fail(`there is no control ${name}`),
  );
  const now = () => page.evaluate((name) => window.wayfare.rect(name), name);
  for (let last, next = await now(); ; last = next) {
    if (last && next && JSON.stringify(last) === JSON.stringify(next)) return next;
    await frames(2);
    next = await now();
  }
}
export async function middle(name) {
  const r = await rect(name);
  return [r.x + r.width / 2, r.y + r.height / 2];
}
export const click = async (name) => page.mouse.click(...(await middle(name)));
export const agent = (id) => page.evaluate((id) => window.wayfare.agent(id), id);
export const text = () => page.evaluate(() => window.wayfare.text());

// The pixels of the canvas alone, without the controls around it.
export async function picture() {
  return page.screenshot({ clip: await rect("canvas") });
}
// Waits until the test is true of the picture.
export async function pictureUntil(test) {
  for (const end = Date.now() + LIMIT.timeout; ; await frames(2)) {
    const now = await picture();
    if (test(now)) return now;
    assert(Date.now() < end, "the picture stayed as it was");
  }
}

// Saves a screenshot for a person, where a folder for them was named.
export async function shoot(name) {
  if (!shots) return;
  await mkdir(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`) });
}
export const failedShot = () =>
  page?.screenshot({ path: join(tmpdir(), "wayfare-failed.png") }).catch(() => {});
