import { readFileSync, writeFileSync } from 'node:fs';
import { environmentExample, GENERATED, withSections } from './generated-text.ts';

/* `npm run documents`: brings the generated parts of the documents, and .env.example, up to date with the code. */

const TOP = new URL('../', import.meta.url);
for (const [path, sections] of Object.entries(GENERATED)) {
  const document = new URL(path, TOP);
  writeFileSync(document, withSections(readFileSync(document, 'utf8'), sections));
}
writeFileSync(new URL('.env.example', TOP), environmentExample());
