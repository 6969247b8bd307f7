// A folder served on 127.0.0.1, and a browser.

import { createServer } from "node:http";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, extname, normalize } from "node:path";

const site = process.argv[2];
const { chromium } = createRequire(process.env.WAYFARE_NODE_MODULES + "/")("playwright-core");
// Only ends a wait that would never end.
export const LIMIT = { timeout: 120_000 };
export const SIZE = { width: 1280, height: 800 };

const TYPES = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};
const server = createServer(async (request, answer) => {
  const path = normalize(new URL(request.url, "http://x").pathname).replace(/^\/+/, "");
  const file = path || "index.html";
  try {
    const bytes = await readFile(join(site, file));
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    answer.writeHead(200, { "Content-Type": type, "Content-Length": bytes.length });
    answer.end(bytes);
  } catch {
    answer.writeHead(404);
    answer.end();
  }
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
export const address = `http://127.0.0.1:${server.address().port}/`;

const profile = await mkdtemp(join(tmpdir(), "wayfare-"));
export const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  viewport: SIZE,
  args: [
    "--headless",
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
  ],
});

export async function close() {
  await browser.close();
  server.close();
  await rm(profile, { recursive: true, force: true });
}

// What a page logs of these kinds, as a list that grows.
export function errorsOf(page, kinds = ["error"]) {
  const errors = [];
  page.on("console", (message) => {
    if (kinds.includes(message.type()) && !/favicon/.test(message.location().url))
      errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  return errors;
}

// Runs the tests whose names have WAYFARE_ONLY in them; gives back how many failed, and tells it.
export async function run(tests, afterFailure = async () => {}) {
  const only = process.env.WAYFARE_ONLY ?? "";
  const wanted = Object.entries(tests).filter(([name]) => name.includes(only));
  let failed = 0;
  for (const [name, test] of wanted) {
    const start = Date.now();
    try {
      await test();
      console.log(`ok     ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed++;
      console.log(`FAILED ${name}\n${error.stack}`);
      await afterFailure();
    }
  }
  console.log(`${wanted.length - failed} passed, ${failed} failed`);
  return wanted.length ? failed : 1;
}
