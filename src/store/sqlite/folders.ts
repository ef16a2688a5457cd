import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

const OWNER_ONLY = 0o700;

/** Makes a folder and those above it, for their owner only. One by one: all at once, Node never comes back from /proc. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (lstatSync(folder, { throwIfNoEntry: false })) throw new Error(leadsNowhere(folder));
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: OWNER_ONLY });
}

export const leadsNowhere = (link: string) => `${link} is a link to what is not there`;
