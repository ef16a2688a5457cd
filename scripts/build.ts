import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';
import { type Bundled, billOfMaterials } from './bill-of-materials.ts';
import { builtFrom } from './built-from.ts';

const TOP = fileURLToPath(new URL('..', import.meta.url));
const THREAD = /new URL\('(\.\/[\w-]+\.ts)', import\.meta\.url\)/g;
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;

/** What is started by its address, a thread, becomes a file of its own. */
const threads: Plugin = {
  name: 'threads',
  transform: {
    filter: { code: THREAD },
    handler(code, importer) {
      return code.replace(THREAD, (_address, path: string) => {
        const file = this.emitFile({ type: 'chunk', id: join(importer, '..', path) });
        return `new URL(import.meta.ROLLUP_FILE_URL_${file})`;
      });
    },
  },
};

/** An import of this part of Node reads all that it exports, and so Node's own undici: a tenth of a start. A require does not. */
const http: Plugin = {
  name: 'http',
  resolveId: { filter: { id: /^node:http$/ }, handler: () => '\0http' },
  load: {
    filter: { id: /^\0http$/ },
    handler: () => "module.exports = process.getBuiltinModule('node:http');",
  },
};

/**
 * Puts Herald and the packages that it uses into few files: hundreds start slowly and take more memory. Names, lines and
 * what is imported late stay as they are. A Herald that runs from the folder goes on; what it imports late, and its threads for
 * backups and templates, are new ones from then on.
 *
 * @param folder gets `main.js`, what that imports, and the licences and the bill of materials of all that is inside
 * @param built what Herald is to say that it is
 * @param entry what is started; a benchmark builds what it compares in the same way
 */
export async function build(
  folder = join(TOP, 'dist'),
  built = builtFrom(TOP),
  entry = 'src/main.ts',
): Promise<void> {
  const bundle = await rolldown({
    input: join(TOP, entry),
    platform: 'node',
    // A part of PostgreSQL's driver that is not installed; the driver asks and goes without.
    external: ['pg-native'],
    plugins: [threads, http],
    transform: { define: { HERALD_BUILD: JSON.stringify(built) } },
    onLog: (_level, { message }) => {
      throw new Error(message);
    },
  });
  const { output } = await bundle.generate({
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    comments: false,
  });
  await bundle.close();
  const chunks = output.filter((file): file is OutputChunk => file.type === 'chunk');
  const files = new Map(chunks.map(({ fileName, code }) => [fileName, inAscii(code)]));
  const packages = packagesOf(chunks.flatMap(({ moduleIds }) => moduleIds));
  files.set('licences.txt', licencesOf(packages));
  files.set('sbom.cdx.json', billOfMaterials(TOP, packages));
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files) {
    const written = join(folder, `${name}.${process.pid}`);
    writeFileSync(written, text);
    renameSync(written, join(folder, name));
  }
  for (const name of globSync('*.js', { cwd: folder })) if (!files.has(name)) rmSync(join(folder, name));
}

/** V8 keeps the text of a file, with two bytes for each sign as soon as one of them needs two. */
function inAscii(code: string): string {
  return code.replace(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function packagesOf(files: readonly string[]): readonly Bundled[] {
  const folders = new Set(files.flatMap((file) => PACKAGE.exec(file)?.[0] ?? []));
  return [...folders].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return { path: relative(TOP, folder), name, version, license };
  });
}

function licencesOf(packages: readonly Bundled[]): string {
  const texts = packages.map(({ path, name, version, license }) => {
    const folder = join(TOP, path);
    const own = globSync('{licen[cs]e,LICEN[CS]E,NOTICE}*', { cwd: folder }).toSorted();
    const said = own.map((file) => readFileSync(join(folder, file), 'utf8').trim());
    return [`${name} ${version}: ${license}`, ...said].join('\n\n');
  });
  return `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

if (import.meta.main) await build();
