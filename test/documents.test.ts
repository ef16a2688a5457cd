import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../package.json' with { type: 'json' };
import { describeEnvironment, describeTeam } from '../scripts/describe-keys.ts';
import { environmentExample, GENERATED, withSections } from '../scripts/generated-text.ts';
import { loadConfiguration } from '../src/config/load.ts';
import { wireSchema } from '../src/gateway/wire.ts';
import { COMMANDS } from '../src/slack/features.ts';
import { ENVIRONMENT } from './config/least.ts';
import { all, DECLARED, DOCUMENTS, readDocument, readText, TOP, yamlWith } from './written.ts';

const written = DOCUMENTS.map((path) => ({ path, ...readDocument(path) }));
const everything = written.map(({ text }) => text).join('\n');
const codeSpans = written.flatMap((document) => document.codeSpans);

describe('documents say what the code does (npm run documents brings them up to date)', () => {
  it.each(Object.entries(GENERATED))('%s', (path, sections) => {
    const document = readText(path);
    expect(document).toBe(withSections(document, sections));
  });

  it('.env.example', () => {
    expect(readText('.env.example')).toBe(environmentExample());
  });
});

describe('sections', () => {
  it('replace what stands between their markers and nothing else', () => {
    const document = 'a\n<!-- x:start -->\nold\n<!-- x:end -->\nb\n';
    const renewed = withSections(document, { x: 'new' });
    expect(renewed).toBe('a\n<!-- x:start -->\nnew\n<!-- x:end -->\nb\n');
    expect(withSections(renewed, { x: 'new' })).toBe(renewed);
  });

  it.each(['no markers', '<!-- x:end --> <!-- x:start -->', '<!-- x:start --> only'])(
    'refuse a document without their markers: %s',
    (document) => {
      expect(() => withSections(document, { x: 'new' })).toThrow('<!-- x:start -->');
    },
  );

  it('leave out the value of nothing that is secret', () => {
    expect(environmentExample()).toMatch(/^MESSAGING_API_KEY=$/m);
    expect(environmentExample()).toMatch(/^# PORT=3000$/m);
  });
});

describe('a figure that was measured', () => {
  // What only a measurement tells: shares of a speed, times and bytes of a recipient, what a run printed.
  const MEASURED =
    /\bmeasured\b[^.:;]*?\d|\d[\d.,]*\s*(?:µs|kB)|\b[01]\.\d+ of (?:the|that)|(?:ratio|keeps?|ran at)[^.]{0,40}\b[01]\.\d|\d+ (?:bytes of (?:log|WAL)|min \d)|took \d[\d.]* (?:ms|s|MB)|^\| promise \|.*figure/;
  it.each(['bench/results.md', ...DOCUMENTS.filter((path) => path !== 'CHANGELOG.md')])(
    'is typed nowhere in %s: it is generated, with its day',
    (path) => {
      const lines = readDocument(path)
        .text.replaceAll(/(?<!\n)\n(?![\n|-])/g, ' ')
        .split('\n');
      expect(lines.filter((line) => MEASURED.test(line))).toEqual([]);
    },
  );
});

/* What people wrote by hand: whatever it names exists. */
describe('what the documents name', () => {
  it.each(written)('$path links to files and headings that exist', ({ path, text }) => {
    const links = all(/\]\((?!https?:)([^)]+)\)/g, text).map((link) => new URL(link, new URL(path, TOP)));
    const broken = links.filter((link) => {
      const anchor = decodeURIComponent(link.hash.slice(1));
      const file = new URL(link.pathname, link);
      return !existsSync(file) || (anchor !== '' && !anchorsOf(readFileSync(file, 'utf8')).includes(anchor));
    });
    expect(broken.map(({ pathname, hash }) => pathname + hash)).toEqual([]);
  });

  it('pictures that a browser test takes, each of them shown', () => {
    const taken = globSync('test/browser/*.test.ts', { cwd: fileURLToPath(TOP) }).flatMap((path) =>
      all(/takePicture\(.*'([\w-]+)'\);$/gm, readText(path)),
    );
    const kept = readdirSync(new URL('docs/pictures/', TOP)).map((file) => file.replace(/\.png$/, ''));
    const shown = all(/\]\(pictures\/([\w-]+)\.png\)/g, everything);
    expect(kept.sort()).toEqual(taken.sort());
    expect(shown.sort()).toEqual(taken);
  });

  it('npm scripts that exist, and all that are not parts of another', () => {
    const named = [...all(/npm run ([\w:]+)/g, everything), ...all(/npm (start|test)\b/g, everything)];
    const scripts = Object.keys(packageJson.scripts);
    expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
    const isPart = (name: string) =>
      name.includes(':') || (name.startsWith('pre') && scripts.includes(name.slice(3)));
    expect(scripts.filter((name) => !isPart(name) && !named.includes(name))).toEqual([]);
  });

  it('files of the repository that exist', () => {
    const named = codeSpans.filter((code) => /^(?:[\w.-]+\/)+[\w.-]+\.\w+$|^[\w.-]+\.(?:ts|md)$/.test(code));
    expect(named.length).toBeGreaterThan(20);
    const sources = globSync('{src,test,bench,scripts,sandbox}/**/*.ts', {
      cwd: fileURLToPath(TOP),
      exclude: ['**/node_modules'],
    });
    const places = ['', 'src/', 'docs/'];
    const exists = (name: string) =>
      places.some((place) => existsSync(new URL(place + name, TOP))) ||
      (!name.includes('/') && sources.some((path) => path.endsWith(`/${name}`)));
    expect([...new Set(named)].filter((name) => !exists(name))).toEqual([]);
  });

  it('commands that Herald has, each with an example of its own in docs/using.md', () => {
    const rows = all(/^\| `(\/\w+)` \| `\1/gm, readText('docs/using.md'));
    expect(rows).toEqual(COMMANDS.map(({ command }) => command));
    const paths = new Set(['/data', '/healthz', '/readyz', '/metrics']);
    const known = new Set<string>(COMMANDS.map(({ command }) => command));
    const named = codeSpans.filter((code) => /^\/\w+( [^/]*)?$/.test(code) && !paths.has(code));
    expect(named.filter((code) => !known.has(code.split(' ')[0] ?? ''))).toEqual([]);
  });

  it('environment variables that Herald reads', () => {
    const known = describeEnvironment().flatMap(({ key }) => [key, `${key}_FILE`]);
    const named = all(/`([A-Z]+_[A-Z_]+|PORT)(?:=[^`]*)?`/g, everything.replaceAll(DECLARED, '')).filter(
      (name) => !OTHERS_VARIABLES.includes(name),
    );
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('keys of herald.yml that exist', () => {
    const known = describeTeam().map(({ key }) => key);
    const named = all(/`((?:access|approvals|alerts|pacing|webhooks)(?:\.\w+)*)`/g, everything);
    expect(named.length).toBeGreaterThan(9);
    const exists = (name: string) => known.some((key) => key === name || key.startsWith(`${name}.`));
    expect(named.filter((name) => !exists(name))).toEqual([]);
  });

  it('an override of a body that Herald accepts', () => {
    const yaml = yamlWith('numberFormat:', readDocument('docs/wire.md'));
    const row = wireSchema.parse(parse(yaml).wire).rows.sms;
    expect([row.numberFormat, [...row.shape.names].sort()]).toEqual([
      'e164',
      ['recipients', 'sender', 'text', 'type', 'unicode'],
    ]);
  });

  it('a success of the account that Herald accepts', () => {
    const yaml = yamlWith('success:', readDocument('docs/wire.md'));
    expect(wireSchema.parse(parse(yaml).wire).rows.sms.answers.success).toHaveLength(2);
  });

  it('rules for alerts that Herald accepts', () => {
    const yaml = yamlWith('alerts:', readDocument('docs/alerts.md'));
    const file = `senders: { sms: [{ id: ACMEIN, type: TRANS }] }\n${yaml}`;
    const loaded = loadConfiguration({
      env: { ...ENVIRONMENT, ALERTS_TOKEN_PROMETHEUS: 'a-token-for-prometheus' },
      readFile: () => file,
    });
    expect(loaded.ok ? [] : loaded.error).toEqual([]);
    expect(loaded.ok && loaded.value.team.alerts.rules[0]?.resolved.notify).toBe(true);
  });

  it('the rooms of src, all of them', () => {
    const { text } = readDocument('ARCHITECTURE.md');
    const table = text.slice(text.indexOf('| room |')).split('\n\n')[0] ?? '';
    const named = all(/^\| (`[^|]+) \|/gm, table).flatMap((cell) => all(/`(\w+)`/g, cell));
    const rooms = readdirSync(new URL('src/', TOP), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(named.sort()).toEqual(rooms.sort());
  });
});

/** Of other programs. */
const OTHERS_VARIABLES: readonly string[] = [
  // Of the tests.
  'HERALD_FIGURES',
  'HERALD_TRUST',
  'HERALD_TRUST_SEED',
  'HERALD_PICTURE',
  'HERALD_E2E_STORE',
  'HERALD_E2E_TRANSPORT',
  'HERALD_TESTS',
  'HERALD_E2E_WEATHER',
  'HERALD_TEST_REPORT',
  'NODE_EXTRA_CA_CERTS',
];

/** As GitHub makes them out of headings. */
function anchorsOf(markdown: string): readonly string[] {
  return all(/^#+ (.+)$/gm, markdown).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('what the sources cite', () => {
  it('is a document that exists', () => {
    const sources = globSync('{src,test,scripts,bench,sandbox}/**/*.{ts,html,css,yml}', {
      exclude: ['**/node_modules'],
      cwd: fileURLToPath(TOP),
    });
    const cited = sources.flatMap((path) =>
      all(/[\w./-]+\.md\b/g, readText(path)).map((document) => ({ path, document })),
    );
    expect(cited.length).toBeGreaterThan(10);
    expect(cited.filter(({ document }) => !existsSync(new URL(document, TOP)))).toEqual([]);
  });
});

it('says of members of other workspaces the same in the example and to users', () => {
  const sentence =
    'members of other workspaces of the same organisation count as members, unless SLACK_TEAM_ID names one workspace: then they are people of other workspaces';
  for (const path of ['herald.example.yml', 'docs/using.md'])
    expect(
      readText(path)
        .replaceAll(/[#`\s]+/g, ' ')
        .toLowerCase(),
      path,
    ).toContain(sentence.toLowerCase());
});
