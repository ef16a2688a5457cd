import { encode } from 'fast-png';
import { type Bar, type Part, sumOf } from './course.ts';

/*
 * A picture without letters needs no font, and is alike on every machine: what it shows is said below it, and when, in the
 * time of whoever reads it.
 */

const WIDTH = 960;
const HEIGHT = 480;
const EDGE = 12;
const LINES = 4;
/** Share of a bar's place that is left free. */
const GAP = 0.2;
/** However few they are, they are seen. */
const LOWEST = 8;

type Colour = readonly [red: number, green: number, blue: number];
const WHITE: Colour = [255, 255, 255];
const GREY: Colour = [226, 228, 232];
const DARK: Colour = [120, 124, 132];
/** From the ground up. */
const COLOURS: readonly (readonly [Part, Colour])[] = [
  ['accepted', [46, 182, 125]],
  ['unknown', [236, 178, 46]],
  ['failed', [224, 30, 90]],
];

/** A PNG of bars from left to right, the highest as high as the picture. */
export function draw(bars: readonly Bar[]): Uint8Array {
  const data = new Uint8Array(WIDTH * HEIGHT * 3);
  /** Whole pixels from left to right and from the ground up. */
  function fill(left: number, right: number, bottom: number, top: number, colour: Colour): void {
    for (let up = Math.round(bottom); up < Math.min(Math.round(top), HEIGHT); up += 1)
      for (let at = Math.round(left); at < Math.round(right); at += 1)
        data.set(colour, ((HEIGHT - 1 - up) * WIDTH + at) * 3);
  }
  fill(0, WIDTH, 0, HEIGHT, WHITE);
  const room = HEIGHT - 2 * EDGE;
  for (let line = 1; line <= LINES; line += 1) {
    const height = EDGE + (room * line) / LINES;
    fill(EDGE, WIDTH - EDGE, height, height + 1, GREY);
  }
  const most = Math.max(...bars.map(sumOf), 1);
  const place = (WIDTH - 2 * EDGE) / bars.length;
  for (const [index, bar] of bars.entries()) {
    const left = EDGE + place * (index + GAP / 2);
    let ground = EDGE;
    for (const [part, colour] of COLOURS) {
      if (bar[part] === 0) continue;
      const top = ground + Math.max(LOWEST, (room * bar[part]) / most);
      fill(left, left + place * (1 - GAP), ground, top, colour);
      ground = top;
    }
  }
  fill(EDGE, WIDTH - EDGE, EDGE - 2, EDGE, DARK);
  return encode({ width: WIDTH, height: HEIGHT, channels: 3, data });
}
