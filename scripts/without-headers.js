import * as fs from 'node:fs';

/*
 * Run by `npm ci`: the Node that npm brings comes with 67 MB of headers and manuals, for compiling add-ons, and Herald has
 * none. Plain JavaScript, because an older Node may run it, which knows no globSync and leaves them there.
 */
for (const path of fs.globSync?.('node_modules/node/node_modules/node-*/{include,share}') ?? [])
  fs.rmSync(path, { recursive: true, force: true });
