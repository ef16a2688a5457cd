import { readFileSync } from 'node:fs';

/*
 * Plain JavaScript, because the other scripts are TypeScript, which an older Node does not read: it would show a stack in
 * place of what is wrong.
 */
const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const needed = Number.parseInt(engines.node.replace('>=', ''), 10);
const found = process.versions.node;
if (Number.parseInt(found, 10) < needed) {
  process.stderr.write(
    `Herald needs Node ${needed} or newer, and this is Node ${found}. Install that, or run npm ci (without --ignore-scripts), which brings it.\n`,
  );
  process.exit(1);
}
