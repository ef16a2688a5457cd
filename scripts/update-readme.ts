import { readFileSync, writeFileSync } from 'node:fs';
import { environmentExample, withSections } from './generated-text.ts';

/* `npm run readme`: brings README.md and .env.example up to date with the code. */

const readme = new URL('../README.md', import.meta.url);
writeFileSync(readme, withSections(readFileSync(readme, 'utf8')));
writeFileSync(new URL('../.env.example', import.meta.url), environmentExample());
