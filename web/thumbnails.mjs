// Cuts the contact sheet of all scenes into a picture for each, which the gallery's start page
// loads when it comes on the screen.
//
//   node thumbnails.mjs SHEET FOLDER
//
// `wayfare list -o SHEET` has drawn the sheet, in indexed colors; its description has the names,
// which this prints.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";

const [sheet, folder] = process.argv.slice(2);
// The size of a picture, and what the sheet has about it: a margin, gaps, and titles.
const [WIDTH, HEIGHT, COLUMNS, MARGIN, GAP, TITLE] = [252, 189, 6, 20, 14, 26];

const bytes = await readFile(sheet);
const chunks = [];
for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
  const data = bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at));
  chunks.push({ kind: bytes.toString("latin1", at + 4, at + 8), data });
}
const all = (kind) => chunks.filter((chunk) => chunk.kind === kind).map(({ data }) => data);
const [head] = all("IHDR");
const [wide, high] = [head.readUInt32BE(0), head.readUInt32BE(4)];
if (head[8] !== 8 || head[9] !== 3 || head[12] !== 0) throw Error(`${sheet}: no indexed colors`);
const text = all("iTXt").map((data) => data.toString()).find((t) => t.startsWith("Description"));
// After its keyword the chunk has two flags and two empty texts.
const names = text.split("\0").at(-1).split(", ");
const rows = Math.ceil(names.length / COLUMNS);
const size = (count, each) => 2 * MARGIN + count * each - GAP;
const [across, down] = [size(COLUMNS, WIDTH + GAP), size(rows, HEIGHT + TITLE + GAP)];
if (wide !== across || high !== down) throw Error(`${sheet}: ${wide} by ${high} pixels`);

// The rows of the sheet, whose bytes are differences to those at the left and above.
const pixels = inflateSync(Buffer.concat(all("IDAT")));
const paeth = (a, b, c) => {
  const [pa, pb, pc] = [a, b, c].map((value) => Math.abs(a + b - c - value));
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
};
const lines = [];
for (let y = 0; y < high; y++) {
  const from = y * (wide + 1);
  const [kind, line] = [pixels[from], pixels.subarray(from + 1, from + 1 + wide)];
  const above = lines[y - 1] ?? Buffer.alloc(wide);
  for (let x = 0; x < wide; x++) {
    const [a, b, c] = [line[x - 1] ?? 0, above[x], above[x - 1] ?? 0];
    line[x] += [0, a, b, (a + b) >> 1, paeth(a, b, c)][kind];
  }
  lines.push(line);
}

// The check sum of a chunk; `crc32` of node:zlib is younger than the oldest Node that runs this.
const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});
const crc32 = (bytes) => bytes.reduce((crc, byte) => CRC[(crc ^ byte) & 255] ^ (crc >>> 8), -1);
const chunk = (kind, data) => {
  const body = Buffer.concat([Buffer.from(kind), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(~crc32(body) >>> 0);
  return Buffer.concat([length, body, check]);
};
for (const [i, name] of names.entries()) {
  const left = MARGIN + (i % COLUMNS) * (WIDTH + GAP);
  const top = MARGIN + Math.floor(i / COLUMNS) * (HEIGHT + TITLE + GAP);
  const cut = Array.from({ length: HEIGHT }, (_, y) =>
    Buffer.concat([Buffer.of(0), lines[top + y].subarray(left, left + WIDTH)]),
  );
  const size = Buffer.from(head);
  size.writeUInt32BE(WIDTH, 0);
  size.writeUInt32BE(HEIGHT, 4);
  const parts = [["IHDR", size], ["PLTE", all("PLTE")[0]]];
  parts.push(["IDAT", deflateSync(Buffer.concat(cut), { level: 9 })], ["IEND", Buffer.alloc(0)]);
  const picture = parts.map((part) => chunk(...part));
  await writeFile(join(folder, `${name}.png`), Buffer.concat([bytes.subarray(0, 8), ...picture]));
}
console.log(names.join("\n"));
