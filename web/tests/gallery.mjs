// The tests of the gallery's page in a browser. `cargo xtask test --only page-browser` builds
// the page and runs this.
//
//   node gallery.mjs SITE EXPECTED SNAPSHOT [SHOTS]
//
// SITE is the folder of the page; EXPECTED is a JSON file, {scene: {ticks, digest}} of the native
// program; SNAPSHOT is the snapshot of `forage` at tick 20 that it wrote; SHOTS is a folder for
// screenshots. WAYFARE_ONLY is a part of the names of the tests to run; WAYFARE_REPORT is a page of
// `wayfare report`.

import { close, failedShot, frames, open, page, run, shoot } from "./page.mjs";
import { tests as beside } from "./beside.mjs";
import { tests as panels } from "./panels.mjs";
import { tests as pointer } from "./pointer.mjs";
import { tests as report } from "./report.mjs";
import { tests as scenes } from "./scenes.mjs";

const failed = await run({ ...pointer, ...panels, ...beside, ...scenes, ...report }, failedShot);
// Screenshots for the docs: SCENES is a list of SCENE[:WIDTHxHEIGHT[:KEYS]], such as
// captain,obstacles&until=110:390x780:df; each is taken after 300 frames.
const pictures = process.argv[5] ? (process.env.SCENES ?? "").split(",").filter(Boolean) : [];
for (const wish of pictures) {
  const [scene, size = "1280x800", keys = ""] = wish.split(":");
  const [width, height] = size.split("x").map(Number);
  await open(`?scene=${scene}`, { width, height });
  for (const key of keys) await page.keyboard.press(key);
  await frames(300);
  await shoot(wish.replaceAll(":", "-"));
}
await close();
process.exit(failed ? 1 : 0);
