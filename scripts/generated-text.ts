import { DOCUMENTED_STATUSES, FAILURE_CODES } from '../src/gateway/codes.ts';
import { DECISIONS } from '../src/sends/alerts/decide.ts';
import { NEXT } from '../src/sends/bulk/next.ts';
import { RECIPIENT_CHANGES, SEND_CHANGES } from '../src/sends/states.ts';
import { SCOPES } from '../src/slack/features.ts';
import { describeEnvironment, describeTeam, type KeyDescription, renderTable } from './describe-keys.ts';
import {
  attacksTable,
  bytesTable,
  durationsTable,
  hundredMillionText,
  logText,
  pagesTable,
  replicasText,
  resultsTable,
} from './measured-text.ts';
import { ROLES, rightsMatrix } from './rights-matrix.ts';
import { describeSentences } from './sentences.ts';
import { wireTable } from './wire-table.ts';

/*
 * What is said in a document and decided in code: written by `npm run documents`, compared by a test.
 */

/** What the app-level token of Socket Mode may do, and why it must. */
const APP_TOKEN_SCOPES = [{ scope: 'connections:write', why: 'to open the Socket Mode connection' }];

/** What a failure says about the rest of a send, by its scope. */
const TOUCHED = { recipient: 'this recipient', send: 'the send', service: 'the service' } as const;

/** What stands between the markers `<!-- name:start -->` and `<!-- name:end -->` of one document, by name. */
export type Sections = Readonly<Record<string, string>>;

/** Every document with generated sections, by its path from the top of the repository. */
export const GENERATED: Readonly<Record<string, Sections>> = {
  'ARCHITECTURE.md': {
    sendStates: stateDiagram(SEND_CHANGES, ['draft', 'approved']),
    next: nextTable(),
    recipientStates: stateDiagram(RECIPIENT_CHANGES, ['pending', 'skipped']),
  },
  'CONTRIBUTING.md': { durations: durationsTable() },
  'bench/results.md': { results: resultsTable() },
  'docs/alerts.md': { decisions: decisionsTable() },
  'docs/configuration.md': {
    environment: renderTable('environment', describeEnvironment()),
    team: renderTable('`herald.yml`', describeTeam()),
  },
  'docs/running.md': { scopes: scopesTable() },
  'docs/sizing.md': {
    replicas: replicasText(),
    log: logText(),
    bytes: bytesTable(),
    pages: pagesTable(),
    hundredMillion: hundredMillionText(),
  },
  'docs/rights.md': { rights: table(['entrance', 'right', 'by', ...Object.values(ROLES)], rightsMatrix()) },
  'docs/sentences.md': { sentences: describeSentences().join('\n') },
  'docs/trust.md': { attacks: attacksTable() },
  'docs/wire.md': { wire: wireRowsTable(), codes: codesTable(), statuses: statusesTable() },
};

/** `document` with every section between its markers. Throws when a marker is missing. */
export function withSections(document: string, sections: Sections): string {
  return Object.entries(sections).reduce((text, [name, content]) => {
    const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
    const [from, to] = [text.indexOf(start), text.indexOf(end)];
    if (from === -1 || to < from)
      throw new Error(`The document needs the markers ${start} and ${end}, in this order.`);
    return `${text.slice(0, from + start.length)}\n${content}\n${text.slice(to)}`;
  }, document);
}

/** `.env.example`: every variable with its line of documentation; what has a default is commented out. */
export function environmentExample(): string {
  const head = [
    '# Copy to .env and fill in. An empty value counts as absent; a line that begins with # shows a default.',
    '# Start with: node --env-file=.env dist/main.js',
    '# Without quotes, spaces, # and \\ in a value: Node, systemd and Docker read them differently. A secret that has some goes into',
    '# a file, e.g. SLACK_BOT_TOKEN_FILE=/run/secrets/bot.',
  ];
  return `${[...head, ...describeEnvironment().map(exampleLines)].join('\n')}\n`;
}

function exampleLines({ key, absent, doc }: KeyDescription): string {
  const preset = /^`(.*)`$/.exec(absent)?.[1];
  return `\n# ${doc}\n${preset === undefined ? `${key}=` : `# ${key}=${preset}`}`;
}

/** A Mermaid diagram; a state without an arrow out is an end. @param first states in which something may begin */
function stateDiagram(
  changes: Readonly<Record<string, readonly string[]>>,
  first: readonly string[],
): string {
  const arrows = Object.entries(changes).flatMap(([from, next]) => next.map((to) => `${from} --> ${to}`));
  const lines = [
    'stateDiagram-v2',
    ...[...first.map((state) => `[*] --> ${state}`), ...arrows].map(indented),
  ];
  return ['```mermaid', ...lines, '```'].join('\n');
}

/** What `next` says of each state; of those without a row nothing is due. */
function nextTable(): string {
  const rows = Object.entries(NEXT).flatMap(([state, facts]) =>
    facts.map(({ fact, then }, place) => {
      const due =
        'ask' in then
          ? `look up: ${then.ask}`
          : 'move' in then
            ? code(then.move)
            : 'wait' in then
              ? 'wait'
              : then.do;
      return [place === 0 ? code(state) : '', fact, due];
    }),
  );
  return table(['state', 'fact', 'next'], rows);
}

function decisionsTable(): string {
  return table(
    ['fact', 'decision'],
    DECISIONS.map(([fact, , what]) => [fact, what === undefined ? 'none' : code(what)]),
  );
}

function indented(line: string): string {
  return `  ${line}`;
}

function scopesTable(): string {
  return table(
    ['scope', 'of', 'why'],
    [
      ...SCOPES.map(({ scope, why }) => [code(scope), 'bot token', why]),
      ...APP_TOKEN_SCOPES.map(({ scope, why }) => [code(scope), 'app-level token', why]),
    ],
  );
}

function wireRowsTable(): string {
  const rows = wireTable.map(({ row, title, path, body, overriddenBy }) => {
    const source = overriddenBy === undefined ? 'documented' : `default; ${code(overriddenBy)} overrides it`;
    return [row, title, code(path), source, code(JSON.stringify(body))];
  });
  return table(['row', 'message', 'path', 'shape', 'body'], rows);
}

function codesTable(): string {
  const rows = [...FAILURE_CODES.values()].map((one) => [
    one.code,
    one.meaning,
    code(one.state),
    TOUCHED[one.scope],
    one.nextWithoutTemplate === undefined
      ? one.next
      : `${one.next} Without a template: ${one.nextWithoutTemplate}`,
  ]);
  return table(['code', 'the document’s words', 'outcome', 'touches', 'what a person should do'], rows);
}

function statusesTable(): string {
  const rows = [...DOCUMENTED_STATUSES].map(([status, words]) => [String(status), words]);
  return table(['status', 'the document’s words'], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}
