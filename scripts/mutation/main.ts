import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { installTools } from '../tools.ts';

/*
 * Changes the sources in small ways and sees whether a test fails: `npm run test:mutation`. All of it would take a day, so
 * it tries what lies in a sample of places, drawn by a seed. Each place is a few lines long.
 */
const ROOMS = ['src/messages', 'src/sends', 'src/gateway'];
const LINES = 5;

const { values } = parseArgs({
  options: {
    /** Folders, or files, to draw from. */
    in: { type: 'string', multiple: true, default: ROOMS },
    /** How many places; `all` for every one. */
    places: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
  },
});

function placesIn(path: string): readonly string[] {
  const files = path.endsWith('.ts') ? [path] : globSync(`${path}/**/*.ts`).toSorted();
  return files.flatMap((file) => {
    const { length } = readFileSync(file, 'utf8').split('\n');
    return Array.from({ length: Math.ceil(length / LINES) }, (_none, n) => {
      const first = n * LINES + 1;
      return `${file}:${first}-${Math.min(first + LINES - 1, length)}`;
    });
  });
}

/** The same places for the same seed, each as likely as any other. */
function drawn(places: readonly string[], count: number, seed: number): readonly string[] {
  let state = seed;
  const weighed = places.map((place) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return { place, weight: state };
  });
  return weighed
    .toSorted((a, b) => a.weight - b.weight)
    .slice(0, count)
    .map(({ place }) => place)
    .toSorted();
}

const places = values.in.flatMap(placesIn);
const count = values.places === 'all' ? places.length : Number(values.places);
const chosen = drawn(places, count, Number(values.seed));
console.log(
  `${chosen.length} of ${places.length} places of ${LINES} lines each, with the seed ${values.seed}`,
);
installTools('scripts/mutation');
const program = 'scripts/mutation/node_modules/@stryker-mutator/core/bin/stryker.js';
const stryker = [program, 'run', 'scripts/mutation/stryker.json', '--mutate', chosen.join(',')];
process.exitCode = spawnSync(process.execPath, stryker, { stdio: 'inherit' }).status ?? 1;
