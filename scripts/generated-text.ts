import {
  describeEnvironment,
  describeTeam,
  type KeyDescription,
  renderTable,
} from '../src/config/describe.ts';
import { wireTable } from '../src/gateway/wire.ts';
import { APP_TOKEN_SCOPES, SCOPES } from '../src/slack/connection/surface.ts';
import { configurationParts } from '../src/wiring/foundation.ts';

/*
 * What is said in a document and decided in code: written by `npm run readme`, compared by a test.
 */

/** Parts of README.md, by the name in their markers: `<!-- name:start -->` and `<!-- name:end -->`. */
export const readmeSections: Readonly<Record<string, string>> = {
  configuration: [
    renderTable('environment', describeEnvironment()),
    renderTable('`herald.yml`', describeTeam(configurationParts)),
  ].join('\n\n'),
  scopes: scopesTable(),
  wire: wireRowsTable(),
};

/** A document with every section between its markers. Throws when a marker is missing. */
export function withSections(document: string, sections = readmeSections): string {
  return Object.entries(sections).reduce((text, [name, content]) => {
    const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
    const [from, to] = [text.indexOf(start), text.indexOf(end)];
    if (from === -1 || to < from)
      throw new Error(`README.md needs the markers ${start} and ${end}, in this order.`);
    return `${text.slice(0, from + start.length)}\n${content}\n${text.slice(to)}`;
  }, document);
}

/** `.env.example`: every variable with its line of documentation; what has a default is commented out. */
export function environmentExample(): string {
  const head = [
    '# Copy to .env and fill in. An empty value counts as absent; a line that begins with # shows a default.',
    '# Start with: node --env-file=.env src/main.ts',
  ];
  return `${[...head, ...describeEnvironment().map(exampleLines)].join('\n')}\n`;
}

function exampleLines({ key, absent, doc }: KeyDescription): string {
  const preset = /^`(.*)`$/.exec(absent)?.[1];
  return `\n# ${doc}\n${preset === undefined ? `${key}=` : `# ${key}=${preset}`}`;
}

function scopesTable(): string {
  const rows = [
    ...SCOPES.map(({ scope, why }) => `| \`${scope}\` | bot token | ${why} |`),
    ...APP_TOKEN_SCOPES.map(({ scope, why }) => `| \`${scope}\` | app-level token | ${why} |`),
  ];
  return ['| scope | of | why |', '| --- | --- | --- |', ...rows].join('\n');
}

function wireRowsTable(): string {
  const rows = wireTable.map(({ row, title, path, body, overriddenBy }) => {
    const source = overriddenBy === undefined ? 'documented' : `default; \`${overriddenBy}\` overrides it`;
    return `| ${row} | ${title} | \`${path}\` | ${source} | \`${JSON.stringify(body)}\` |`;
  });
  return ['| row | message | path | shape | body |', '| --- | --- | --- | --- | --- |', ...rows].join('\n');
}
