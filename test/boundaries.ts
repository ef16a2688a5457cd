import { posix } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/*
 * The rules of the house, read from the syntax tree and not from the text: a comment or a sentence that looks like
 * an import is none.
 */

export type BoundaryRule = 'direction' | 'sandbox' | 'third party' | 'environment';

export interface BoundaryProblem {
  readonly rule: BoundaryRule;
  readonly path: string;
  readonly detail: string;
}

/** The composition root, with all of `src/wiring/`. No other file directly under `src/` may import a room. */
const COMPOSITION: readonly string[] = [
  'src/main.ts',
  'src/database-commands.ts',
  'src/commands.ts',
  'src/crash.ts',
  'src/doctor.ts',
  'src/explain.ts',
  'src/herald.ts',
  'src/migrate.ts',
  'src/running.ts',
  'src/status.ts',
  'src/version.ts',
  'src/wiring.ts',
];

/** What each room may import of the others. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  messages: ['core'],
  sends: ['core', 'messages'],
  gateway: ['core', 'messages', 'sends'],
  store: ['core', 'messages', 'sends'],
  slack: ['core', 'messages', 'sends'],
  http: ['core', 'messages', 'sends'],
  // Besides, `config` may use the schemas of CONFIGURED.
  config: ['core', 'messages'],
  telemetry: ['core'],
  composition: [
    'core',
    'messages',
    'sends',
    'gateway',
    'store',
    'slack',
    'http',
    'config',
    'telemetry',
    'package.json',
  ],
};

/** Files of other rooms that `config` may import: pure schemas and data, each for a part of `herald.yml`. */
const CONFIGURED: readonly string[] = [
  'src/gateway/wire.ts',
  'src/http/address-range.ts',
  'src/sends/alerts/rules.ts',
  'src/sends/settings.ts',
];

/** Where a third-party package, or a driver of Node itself, is at home. */
const HOMES: Readonly<Record<string, readonly string[]>> = {
  '@slack/bolt': ['slack'],
  '@slack/types': ['slack'],
  undici: ['gateway'],
  'emojibase-data': ['slack'],
  'node:sqlite': ['store'],
  pg: ['store'],
  'pg-boss': ['store'],
  // Its createRequire would load anything past this check.
  'node:module': ['composition'],
  pino: ['telemetry'],
  'prom-client': ['telemetry'],
  yaml: ['config', 'sends'],
  'fastest-levenshtein': ['config', 'messages'],
  'libphonenumber-js': ['messages'],
  'ipaddr.js': ['http'],
  re2js: ['sends'],
  zod: ['messages', 'sends', 'gateway', 'store', 'slack', 'http', 'config', 'composition'],
};

const COMPUTED = 'a computed name';

export function roomOf(path: string): string {
  if (COMPOSITION.includes(path) || path.startsWith('src/wiring/')) return 'composition';
  const [top = '', room = ''] = path.split('/');
  return top === 'src' ? room : top;
}

/** Every breach in one file. `path` is relative to the top of the repository, with forward slashes. */
export function problemsOf(path: string, source: string): readonly BoundaryProblem[] {
  const { imports, readsEnvironment } = read(path, source);
  const problems = imports.flatMap((specifier) => importProblem(path, specifier) ?? []);
  if (readsEnvironment && roomOf(path) !== 'sandbox' && path !== 'src/main.ts') {
    problems.push({ rule: 'environment', path, detail: 'only src/main.ts reads process.env' });
  }
  return problems;
}

function importProblem(path: string, specifier: string): BoundaryProblem | undefined {
  const room = roomOf(path);
  if (!specifier.startsWith('.')) {
    if (room === 'sandbox') {
      return specifier === COMPUTED ? { rule: 'sandbox', path, detail: `imports ${specifier}` } : undefined;
    }
    return mayUse(room, specifier)
      ? undefined
      : { rule: 'third party', path, detail: `${specifier} is not at home here` };
  }
  const file = posix.join(posix.dirname(path), specifier);
  const target = roomOf(file);
  if (target === room) return room === 'slack' ? floorProblem(path, specifier) : undefined;
  if (room === 'sandbox' || target === 'sandbox') {
    return target === 'package.json' ? undefined : { rule: 'sandbox', path, detail: `imports ${specifier}` };
  }
  if (MAY_IMPORT[room]?.includes(target)) return undefined;
  if (room === 'config' && CONFIGURED.includes(file)) return undefined;
  return { rule: 'direction', path, detail: `${room} may not import ${target} (${specifier})` };
}

/** Inside `slack`: `connection`, then `kit`, then one folder a feature, then the files that put features together. */
function floorProblem(path: string, specifier: string): BoundaryProblem | undefined {
  const from = folderOf(path);
  const to = folderOf(posix.join(posix.dirname(path), specifier));
  const mayImport =
    from === undefined || from === to || to === 'connection' || (to === 'kit' && from !== 'connection');
  if (mayImport) return undefined;
  return { rule: 'direction', path, detail: `slack/${from} may not import slack/${to ?? ''} (${specifier})` };
}

/** The folder of a file of `slack`; undefined for those that lie directly in it. */
function folderOf(path: string): string | undefined {
  const [, , folder, ...rest] = path.split('/');
  return rest.length > 0 ? folder : undefined;
}

function mayUse(room: string, specifier: string): boolean {
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  const homes = HOMES[name];
  if (homes !== undefined) return homes.includes(room);
  return name.startsWith('node:');
}

function read(path: string, source: string): { imports: string[]; readsEnvironment: boolean } {
  const { program, module, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const imports = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap((entry) => entry.moduleRequest?.value ?? []),
    ),
  ];
  let readsEnvironment = imports.includes('node:process');
  new Visitor({
    ImportExpression: ({ source: dynamic }) => {
      // What is computed cannot be judged, so it may not be imported.
      imports.push(dynamic.type === 'Literal' ? String(dynamic.value) : COMPUTED);
    },
    TSImportType: ({ source: imported }) => {
      imports.push(imported.value);
    },
    MemberExpression: ({ object, property }) => {
      const name = property.type === 'Identifier' ? property.name : 'value' in property && property.value;
      if (isProcess(object) && name === 'env') readsEnvironment = true;
    },
    VariableDeclarator: ({ init }) => {
      // Whatever is taken out of it, or another name for it: what happens to it then is no longer seen.
      if (init !== null && isProcess(init)) readsEnvironment = true;
    },
  }).visit(program);
  return { imports: [...new Set(imports)], readsEnvironment };
}

/** `process` or `globalThis.process`. */
function isProcess(node: { type: string; name?: unknown; property?: { name?: unknown } | object }): boolean {
  const named = node.type === 'MemberExpression' && node.property !== undefined ? node.property : node;
  return 'name' in named && named.name === 'process';
}

/**
 * Files that import each other in a circle, types included: each circle once, as its files in alphabetical order.
 *
 * @param sources the text of every file, by its path
 */
export function circlesOf(sources: ReadonlyMap<string, string>): readonly (readonly string[])[] {
  const targets = new Map(
    [...sources].map(([path, source]) => {
      const local = read(path, source).imports.filter((specifier) => specifier.startsWith('.'));
      return [path, local.map((specifier) => posix.join(posix.dirname(path), specifier))] as const;
    }),
  );
  const reachable = new Map([...targets.keys()].map((path) => [path, reachableFrom(path, targets)] as const));
  const circles = [...reachable].flatMap(([path, reached]) => {
    if (!reached.has(path)) return [];
    const circle = [...reached].filter((other) => reachable.get(other)?.has(path)).sort();
    return circle[0] === path ? [circle] : [];
  });
  return circles;
}

/** Every file that a file's imports lead to, itself only where a way leads back. */
function reachableFrom(path: string, targets: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set<string>();
  const next = [...(targets.get(path) ?? [])];
  for (let one = next.pop(); one !== undefined; one = next.pop()) {
    if (reached.has(one) || !targets.has(one)) continue;
    reached.add(one);
    next.push(...(targets.get(one) ?? []));
  }
  return reached;
}
