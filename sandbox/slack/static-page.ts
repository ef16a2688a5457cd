import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of the page as it goes out: its bytes and its media type. */
export interface PageFile {
  body: Buffer | string;
  contentType: string;
}

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.ts': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/**
 * The third-party modules the page imports, by the address it imports them from. The page's import map names
 * `preact` → /vendor/preact.js, `preact/hooks` → /vendor/preact-hooks.js, `htm` → /vendor/htm.js; each file
 * imports the others by bare name, so the map covers those too.
 */
const VENDOR_MODULES: Record<string, string> = {
  '/vendor/preact.js': 'preact',
  '/vendor/preact-hooks.js': 'preact/hooks',
  '/vendor/htm.js': 'htm',
};

/**
 * The file behind a path of the page, or null when there is none: `/` is uiDir/index.html, `/ui/<file>` a file
 * of uiDir (TypeScript with its types stripped by Node, so that there is no build step), `/vendor/<module>.js`
 * a module of node_modules. A path that would leave uiDir is no path of the page.
 *
 * @param pathname the URL's path, still percent-encoded
 */
export async function readPageFile(pathname: string, uiDir: string): Promise<PageFile | null> {
  const specifier = VENDOR_MODULES[pathname];
  if (specifier !== undefined) {
    const source = await readFile(fileURLToPath(import.meta.resolve(specifier)), 'utf8');
    return { body: source, contentType: 'text/javascript; charset=utf-8' };
  }
  if (pathname === '/' || pathname === '/index.html') return readInside(uiDir, 'index.html');
  if (!pathname.startsWith('/ui/')) return null;
  return readInside(uiDir, pathname.slice('/ui/'.length));
}

async function readInside(uiDir: string, encodedName: string): Promise<PageFile | null> {
  const file = resolveInside(uiDir, encodedName);
  const contentType = file === null ? undefined : CONTENT_TYPES[extname(file)];
  if (file === null || contentType === undefined) return null;
  try {
    if (extname(file) !== '.ts') return { body: await readFile(file), contentType };
    return { body: stripTypeScriptTypes(await readFile(file, 'utf8')), contentType };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** The file's path, or null when the name is malformed or leads out of the folder. */
function resolveInside(folder: string, encodedName: string): string | null {
  let name: string;
  try {
    name = decodeURIComponent(encodedName);
  } catch {
    return null;
  }
  if (name === '' || name.includes('\0') || name.includes('\\')) return null;
  const root = normalize(folder + sep);
  const file = normalize(join(root, name));
  return file.startsWith(root) ? file : null;
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR';
}
