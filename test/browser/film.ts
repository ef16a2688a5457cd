import { crc32, deflateSync } from 'node:zlib';
import { decode } from 'fast-png';
import type { Page } from 'playwright-core';

/** One picture of the film, and for how long it stands. */
interface Frame {
  readonly width: number;
  readonly height: number;
  /** One number a pixel: red, green and blue in 24 bits. */
  readonly pixels: Uint32Array<ArrayBuffer>;
  holdMs: number;
}

const COLOURS = 256;

/** A film of a page, as an animated PNG: what changed since the frame before, in the colours that occur most. */
export class Film {
  readonly #page: Page;
  readonly #frames: Frame[] = [];

  constructor(page: Page) {
    this.#page = page;
  }

  /** Takes the page as it is; what looks like the frame before lengthens that one. */
  async take(holdMs: number): Promise<void> {
    const { width, height, data, channels } = decode(await this.#page.screenshot({ animations: 'disabled' }));
    const pixels = new Uint32Array(width * height);
    for (let at = 0, from = 0; at < pixels.length; at += 1, from += channels)
      pixels[at] = ((data[from] ?? 0) << 16) | ((data[from + 1] ?? 0) << 8) | (data[from + 2] ?? 0);
    const last = this.#frames.at(-1);
    if (last && Buffer.from(pixels.buffer).equals(Buffer.from(last.pixels.buffer))) last.holdMs += holdMs;
    else this.#frames.push({ width, height, pixels, holdMs });
  }

  /** The whole film, played for ever. */
  encode(): Buffer {
    const [first] = this.#frames;
    if (first === undefined) throw new Error('A film needs a frame.');
    const palette = paletteOf(this.#frames);
    const indexOf = nearestIn(palette);
    const chunks = [
      chunk('IHDR', uint32(first.width), uint32(first.height), Buffer.from([8, 3, 0, 0, 0])),
      chunk('acTL', uint32(this.#frames.length), uint32(0)),
      chunk('PLTE', Buffer.from(palette.flatMap((c) => [c >> 16, (c >> 8) & 255, c & 255]))),
    ];
    let sequence = 0;
    this.#frames.forEach((frame, at) => {
      const before = this.#frames[at - 1];
      const area = changedArea(frame, before);
      const place = [area.width, area.height, area.left, area.top].map(uint32);
      const hold = Buffer.from([frame.holdMs >> 8, frame.holdMs & 255, 1000 >> 8, 1000 & 255, 0, 0]);
      chunks.push(chunk('fcTL', uint32(sequence++), ...place, hold));
      const image = deflateSync(rowsOf(frame, area, indexOf), { level: 9 });
      chunks.push(before === undefined ? chunk('IDAT', image) : chunk('fdAT', uint32(sequence++), image));
    });
    return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks, chunk('IEND')]);
  }
}

/** The colours that occur most, one of each small region of colours, so that rare hues have one as well. */
function paletteOf(frames: readonly Frame[]): number[] {
  const counts = new Map<number, number>();
  for (const { pixels } of frames)
    for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const byCount = [...counts].sort(([, one], [, other]) => other - one).map(([colour]) => colour);
  const regions = new Map<number, number>();
  for (const colour of byCount) {
    const region = ((colour >> 20) << 8) | (((colour >> 12) & 15) << 4) | ((colour >> 4) & 15);
    if (!regions.has(region)) regions.set(region, colour);
  }
  return [...new Set([...byCount.slice(0, COLOURS / 2), ...regions.values(), ...byCount])].slice(0, COLOURS);
}

function nearestIn(palette: readonly number[]): (colour: number) => number {
  const known = new Map(palette.map((colour, at) => [colour, at]));
  return (colour) => {
    let best = known.get(colour);
    if (best !== undefined) return best;
    let distance = Number.POSITIVE_INFINITY;
    palette.forEach((one, at) => {
      const red = (one >> 16) - (colour >> 16);
      const green = ((one >> 8) & 255) - ((colour >> 8) & 255);
      const blue = (one & 255) - (colour & 255);
      const apart = red * red + 2 * green * green + blue * blue;
      if (apart >= distance) return;
      distance = apart;
      best = at;
    });
    known.set(colour, best ?? 0);
    return best ?? 0;
  };
}

interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The smallest rectangle around everything that is not as before. */
function changedArea({ width, height, pixels }: Frame, before: Frame | undefined): Area {
  if (before === undefined) return { left: 0, top: 0, width, height };
  let [left, top, right, bottom] = [width, height, 0, 0];
  pixels.forEach((pixel, at) => {
    if (pixel === before.pixels[at]) return;
    const x = at % width;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, (at - x) / width);
    bottom = (at - x) / width;
  });
  return { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/** The lines of an area as PNG has them: a filter (none), then an index a pixel. */
function rowsOf({ width, pixels }: Frame, area: Area, indexOf: (colour: number) => number): Buffer {
  const rows = Buffer.alloc((area.width + 1) * area.height);
  for (let y = 0; y < area.height; y += 1)
    for (let x = 0; x < area.width; x += 1)
      rows[y * (area.width + 1) + x + 1] = indexOf(pixels[(area.top + y) * width + area.left + x] ?? 0);
  return rows;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function chunk(type: string, ...data: Buffer[]): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), ...data]);
  return Buffer.concat([uint32(content.length - 4), content, uint32(crc32(content))]);
}
