import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { judge } from '../../src/gateway/outcome.ts';
import { answerSecrets } from '../../src/gateway/secrets.ts';
import { decodeWebhook } from '../../src/gateway/webhooks/decode.ts';
import { ADDRESS_FIELDS } from '../../src/messages/address/message.ts';
import { KINDS, kindOf, type Message, type MessageKind } from '../../src/messages/kinds.ts';
import type { Msisdn } from '../../src/messages/numbers/phone-number.ts';
import { parseSubmission } from '../../src/messages/parse-submission.ts';
import { personalise } from '../../src/messages/personalise.ts';
import type { Template } from '../../src/messages/templates/template.ts';
import type { Alert } from '../../src/sends/alerts/alert.ts';
import type { Failure } from '../../src/sends/outcome.ts';
import type { StoredCustomerEvent } from '../../src/sends/replies/ports.ts';
import { keyOf } from '../../src/sends/templates/store.ts';
import { readTemplateFile } from '../../src/sends/templates/yaml.ts';
import { alertCard, digestCard, holdCard } from '../../src/slack/alerts/card.ts';
import { composeView } from '../../src/slack/compose/form/form-view.ts';
import { handleSendCommand } from '../../src/slack/compose/line/command.ts';
import { renderCard } from '../../src/slack/kit/cards/send-card.ts';
import { formContext } from '../../src/slack/kit/forms/form-context.ts';
import { leavesOf } from '../../src/slack/kit/forms/leaves.ts';
import { putAt } from '../../src/slack/kit/forms/path.ts';
import { plainTextOf } from '../../src/slack/kit/message-text/plain-text.ts';
import { addressesCard } from '../../src/slack/replies/address-card.ts';
import { answersCard } from '../../src/slack/replies/card.ts';
import { approvalCard } from '../../src/slack/results/approve/card.ts';
import { detailsView } from '../../src/slack/results/approve/details-view.ts';
import { gatherFacts } from '../../src/slack/results/approve/facts.ts';
import { causeBlocks } from '../../src/slack/results/progress/card.ts';
import { readQuery } from '../../src/slack/sends/query.ts';
import { importView } from '../../src/slack/templates/import.ts';
import { listView, wholeList } from '../../src/slack/templates/list.ts';
import { lookView } from '../../src/slack/templates/look.ts';
import { createRecordingLogger } from '../fakes/logger.ts';
import { LINKED } from '../messages/linked.ts';
import { RULE } from '../sends/alerts/setting.ts';
import { upload } from '../sends/audiences/setting.ts';
import { ASKED_AT, AUDIENCE, CARD_SETTINGS, openStore, prepare, SEND_ID } from '../slack/bulk-sends.ts';
import { createSetting, TEMPLATES } from '../slack/compose/setting.ts';
import { LOGIN, report, SMS } from '../slack/kit/cards/reports.ts';
import { createCost, MOST_MS } from './cost.ts';
import { COCKTAIL, COCKTAIL_LINES, HOSTILE, LONG, SHORT } from './hostile-strings.ts';
import { faultsOfMessage, faultsOfView } from './shown.ts';

/** Each place is tried with one string in so many, by turns, and always with those that name, mark and grow. */
const EVERY = process.env.HERALD_TRUST === 'full' ? 1 : 48;
const ALWAYS = new Set([SHORT, COCKTAIL, COCKTAIL_LINES, '__proto__', '\ud83d']);
const isTurn = (turn: number, text: string) => turn % EVERY === 0 || ALWAYS.has(text);
const some = (turn: number) => HOSTILE.filter((text, index) => isTurn(index + turn, text));
/** On a busy machine, and with each string at each place, it takes long. */
const PATIENCE = { timeout: 1_800_000 };
const count = (number: number) => number.toLocaleString('en');
const share = EVERY === 1 ? '' : `, one string in ${EVERY} at each place`;

const TO = '+6591234567';
const NUMBER = TO as Msisdn;
const KIND_NAMES = Object.keys(KINDS) as MessageKind[];

/** A message of each kind as its form holds it, with its template. */
function filledForms(): {
  kind: MessageKind;
  template: Template | undefined;
  values: Record<string, unknown>;
}[] {
  const of = (message: Message) => {
    const name = kindOf(message).templateName(message);
    const template = TEMPLATES.find((one) => one.name === name);
    return {
      kind: message.kind,
      template,
      values: { ...kindOf(message).formValues(message as never), to: TO },
    };
  };
  const ofTemplates = TEMPLATES.map((template) => ({
    kind: template.channel,
    template,
    values: {
      template: template.name,
      to: TO,
      params: template.placeholders.map(({ example = 'x' }) => example),
    },
  }));
  return [...KIND_NAMES.flatMap((kind) => LINKED[kind].map(of)), ...ofTemplates];
}

/** What stands around a message when it waits for approval. */
async function approvalFacts() {
  const store = openStore();
  await prepare(store, { message: SMS });
  const facts = await gatherFacts(SEND_ID, {
    store,
    audiences: { find: async () => AUDIENCE },
    catalogue: { find: async () => undefined, search: async () => [] },
    cardSettings: CARD_SETTINGS,
    clock: { now: () => ASKED_AT },
    logger: createRecordingLogger(),
  });
  if (facts === undefined) throw new Error('There is no send to approve.');
  return facts;
}

test('text in forms: every field of every kind', PATIENCE, async ({ task }) => {
  const { compose } = createSetting();
  const facts = await approvalFacts();
  const cost = createCost();
  const wrong: object[] = [];
  const fields = new Set<string>();
  let taken = 0;
  for (const { kind, template, values } of filledForms()) {
    const context = formContext(compose, template);
    const leaves = leavesOf(KINDS[kind].form({ ...context, entered: values }));
    for (const leaf of leaves) {
      // What stands several times in a form is the same field each time.
      const field = `${kind} ${leaf.path.replaceAll(/\d+/g, 'n')}`;
      if (fields.has(field)) continue;
      fields.add(field);
      for (const text of some(fields.size)) {
        const entered = structuredClone(values);
        putAt(entered, leaf.path, text);
        const shown = cost.of(text, () => {
          const form = composeView({ kind, template, values: entered, channelId: 'C0TEAM' }, compose);
          const parsed = parseSubmission(kind, context, entered);
          if (!parsed.ok) return { views: [form], messages: [] };
          taken += 1;
          const { message } = parsed.value;
          const known = { ...facts, template, send: { ...facts.send, message, kind } };
          const sent = report(message, { state: 'accepted' });
          return {
            views: [form, detailsView(known)],
            messages: [
              renderCard(sent, template, { direct: false }),
              renderCard(sent, template, { direct: false, inFull: true }),
              approvalCard(known),
            ],
          };
        });
        const faults = [...shown.views.flatMap(faultsOfView), ...shown.messages.flatMap(faultsOfMessage)];
        if (faults.length > 0) wrong.push({ kind, path: leaf.path, text: text.slice(0, 80), faults });
      }
    }
  }
  expect(wrong.slice(0, 10)).toEqual([]);
  expect(taken).toBeGreaterThan(fields.size);
  expect(cost.slowest().ms).toBeLessThan(MOST_MS);
  task.meta.figure = `${fields.size} fields, ${cost.figure()}; ${count(taken)} of them were messages and stand on cards${share}`;
});

/** Reads what is acknowledged, answered and shown when somebody types a line. */
async function typed(kind: MessageKind, text: string) {
  const setting = createSetting();
  const said: object[] = [];
  const answer = async (message?: object) => void (message && said.push(message));
  await handleSendCommand(
    kind,
    {
      command: { text, trigger_id: 't', team_id: 'T0ACME', user_id: 'U0ASHA', channel_id: 'C0TEAM' },
      ...{ ack: answer, respond: answer, client: setting.client, help: '' },
    },
    {
      ...setting.compose,
      groups: { names: ['oncall'], numbersOf: async () => [], approvalOver: 10 },
    },
  );
  const views = setting.client.calls.flatMap(({ args }) => (args.view === undefined ? [] : [args.view]));
  const sent = setting.sends.started.map(({ message }) =>
    renderCard(report(message, { state: 'accepted' }), undefined, { direct: false, inFull: true }),
  );
  return { messages: [...said, ...sent], views: views as object[] };
}

test('text in lines: every command that sends, and /sends', PATIENCE, async ({ task }) => {
  const cost = createCost();
  const wrong: object[] = [];
  const kinds = KIND_NAMES.filter((kind) => 'usageHint' in KINDS[kind].command);
  for (const [turn, kind] of kinds.entries()) {
    for (const text of [...some(turn), ...LONG.filter((_text, index) => index % kinds.length === turn)]) {
      const lines = [text, `${TO} ${text}`, `order_update ${TO} "${text}" ${text}`, `@${text} Hello`];
      for (const line of lines) {
        const { messages, views } = await cost.ofAll(line, () => typed(kind, line));
        const faults = [...messages.flatMap(faultsOfMessage), ...views.flatMap(faultsOfView)];
        if (faults.length > 0) wrong.push({ kind, line: line.slice(0, 80), faults });
      }
    }
  }
  for (const text of [...HOSTILE, ...LONG]) cost.of(text, () => readQuery(text));
  expect(wrong.slice(0, 10)).toEqual([]);
  expect(cost.slowest().ms).toBeLessThan(MOST_MS);
  task.meta.figure = `${kinds.length} commands, ${cost.figure()}${share}`;
});

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** A message to a customer whose row holds the text, as its approver sees it. */
function shownRow(header: readonly string[], values: readonly string[]): string[] {
  const message = personalise({ ...SMS, text: `Hello {{${header[0] ?? 'name'}}}` }, header, values);
  const card = renderCard(report(message, { state: 'accepted' }), undefined, { direct: false, inFull: true });
  return faultsOfMessage(card);
}

test('text in lists: headers and cells, quoted and as they are', PATIENCE, async ({ task }) => {
  const cost = createCost();
  const wrong: object[] = [];
  const outcomes = { ready: 0, choose_column: 0, refused: 0 };
  for (const [turn, text] of [...HOSTILE, ...LONG].entries()) {
    if (!isTurn(turn, text) && text.length < 5_000) continue;
    const files = [
      `phone,name\n${TO},${cell(text)}\n`,
      `phone,name\n${TO},${text}\n`,
      `phone,${cell(text)}\n${TO},x\n`,
      `${text},phone\nx,${TO}\n`,
      `phone,name\n${text},x\n${TO},y\n`,
    ];
    for (const file of files) {
      const { result, audiences } = await cost.ofAll(text, () => upload(file, { size: 64_000 }));
      outcomes[result.state] += 1;
      if (result.state !== 'ready') continue;
      const { audience } = result;
      const [row] = await audiences.sample(audience.id, 1);
      const faults = row === undefined ? [] : shownRow(audience.columns, row.values);
      if (faults.length > 0) wrong.push({ text: text.slice(0, 80), faults });
      // What a row says is its own, to the letter: only what no text may hold is refused.
      const isWhole = row?.values.some((value) => value === text || value === text.trim());
      if (file === files[0] && row !== undefined && !isWhole && text.isWellFormed() && !text.includes('\r'))
        wrong.push({ text: text.slice(0, 80), became: row.values });
    }
  }
  expect(wrong.slice(0, 10)).toEqual([]);
  expect(outcomes.ready).toBeGreaterThan(outcomes.refused);
  expect(cost.slowest().ms).toBeLessThan(MOST_MS);
  task.meta.figure = `${cost.figure()}; ${count(outcomes.ready)} lists taken, ${count(outcomes.refused)} refused${share}`;
});

test('text in templates: names, labels, texts, placeholders, files', PATIENCE, async ({ task }) => {
  const cost = createCost();
  const wrong: object[] = [];
  let taken = 0;
  const { compose } = createSetting();
  for (const [turn, text] of [...HOSTILE, ...LONG].entries()) {
    if (!isTurn(turn, text) && text.length < 5_000) continue;
    cost.of(text, () => readTemplateFile(text));
    const whole = { name: 'a', channel: 'chatapp', variant: 'text', label: 'A', text: 'Hi {{1}}.' };
    const named = [{ name: 'x', example: 'x' }];
    const written = [
      ...['name', 'label', 'text', 'variant', 'languages'].map((key) => ({
        ...whole,
        placeholders: named,
        [key]: text,
      })),
      ...['name', 'example', 'oneOf', 'type'].map((key) => ({
        ...whole,
        placeholders: [{ name: 'x', [key]: text }],
      })),
      { ...whole, [text]: text },
    ];
    for (const one of written) {
      const read = cost.of(text, () => readTemplateFile(stringify([one])));
      if (!read.ok) {
        const lines = read.error.map(({ line, message }) => `Line ${line}: ${message}`);
        const faults = faultsOfView(importView('C0TEAM', 'Not imported.', lines));
        if (faults.length > 0) wrong.push({ text: text.slice(0, 80), faults });
        continue;
      }
      taken += 1;
      const [template] = read.value;
      if (template === undefined) throw new Error('A file without templates was taken.');
      const stored = { template, archived: false, revision: 1, changedBy: 'U0ASHA', changedAt: 1 };
      const templates = {
        page: async () => ({ found: [stored], total: 1 }),
        look: async () => stored,
        unsentSends: async () => [],
      };
      const catalogue = { templates } as never;
      const message = { ...LOGIN, variant: 'text', templateName: template.name, params: ['x'] } as Message;
      const shown = await cost.ofAll(text, async () => ({
        views: [
          await listView(wholeList('C0TEAM'), catalogue),
          await lookView({ key: keyOf(template), channelId: 'C0TEAM' } as never, catalogue),
          composeView({ kind: 'chatapp', template, channelId: 'C0TEAM' }, compose),
        ],
        messages: [
          renderCard(report(message, { state: 'accepted' }), template, { direct: false }),
          renderCard(report(message, { state: 'accepted' }), template, { direct: false, inFull: true }),
        ],
      }));
      const faults = [
        ...shown.views.flatMap((view) => (view === undefined ? ['no view'] : faultsOfView(view))),
        ...shown.messages.flatMap(faultsOfMessage),
      ];
      if (faults.length > 0) wrong.push({ one, faults });
    }
  }
  expect(wrong.slice(0, 10)).toEqual([]);
  expect(taken).toBeGreaterThan(20);
  expect(cost.slowest().ms).toBeLessThan(MOST_MS);
  task.meta.figure = `${cost.figure()}; ${count(taken)} templates taken, each in the catalogue, a form and on cards${share}`;
});

/** Every member of a body that Herald reads, one at a time with the text. */
const BODIES: readonly ((text: string) => unknown)[] = [
  (text) => ({ from: TO, type: 'text', text: { body: text }, id: 'e-1' }),
  (text) => ({ from: text, type: 'text', text: { body: 'Hello' }, id: text }),
  (text) => ({ from: TO, reply: { id: text, title: text, description: text }, context: { id: text } }),
  (text) => ({ from: TO, button: { text, payload: text } }),
  (text) => ({
    from: TO,
    nfm_reply: { response_json: JSON.stringify({ values: { name: text, [text]: text } }) },
  }),
  (text) => ({ from: TO, nfm_reply: { response_json: text } }),
  (text) => ({ messageId: text, status: 'failed', errors: [{ code: text, message: text }], to: TO }),
  (text) => ({ messageId: 'm-1', status: text, reason: text }),
  (text) => ({ event: text, [text]: { [text]: text }, profile: { name: text } }),
  (text) => text,
];

test('text in webhooks: every member that is read', PATIENCE, async ({ task }) => {
  const cost = createCost();
  const wrong: object[] = [];
  let events = 0;
  for (const [turn, text] of [...HOSTILE, ...LONG].entries()) {
    for (const [index, body] of BODIES.entries()) {
      if (!isTurn(turn + index, text)) continue;
      const bytes = Buffer.from(
        typeof body(text) === 'string' ? String(body(text)) : JSON.stringify(body(text)),
      );
      const cards = cost.of(text, () => {
        const decoded = decodeWebhook({ bytes });
        events += decoded.length;
        return decoded.flatMap((event): object[] => {
          if (event.kind === 'report') {
            const { failure } = event;
            return failure === undefined ? [] : [card('rejected', failure)];
          }
          const stored: StoredCustomerEvent = {
            id: 1,
            key: 'k',
            event,
            optedOut: false,
            receivedAt: 1,
            first: true,
            label: text,
          };
          const addresses = event.kind === 'address' ? [addressesCard([event], ADDRESS_FIELDS, {})] : [];
          return [
            ...addresses,
            answersCard([stored], { tag: 'U0ASHA' }),
            // With many others of its kind, now and then: that takes its time.
            ...(turn % 16 === 0
              ? [
                  answersCard(
                    Array.from({ length: 40 }, () => stored),
                    {},
                  ),
                ]
              : []),
          ];
        });
      });
      const faults = cards.flatMap(faultsOfMessage);
      if (faults.length > 0) wrong.push({ text: text.slice(0, 80), body: index, faults });
    }
  }
  expect(wrong.slice(0, 10)).toEqual([]);
  expect(cost.slowest().ms).toBeLessThan(MOST_MS);
  task.meta.figure = `${cost.figure()}; ${count(events)} events${share}`;
});

function card(state: 'rejected' | 'unknown' | 'not_sent', failure: Failure) {
  return renderCard(report(SMS, { state, failure }), undefined, { direct: true, inFull: true });
}

/** Everything of an answer that is read, one at a time with the text. */
const ANSWERS: readonly ((text: string) => unknown)[] = [
  (text) => ({ message: text }),
  (text) => ({ error: { code: text, message: text, error_data: { details: text } } }),
  (text) => ({ errors: [{ code: 132000, title: text, field: text }] }),
  (text) => ({ status: text, messageId: text }),
  (text) => ({ [text]: text }),
  (text) => text,
];

test('text in the service’s answers: messages, explanations, codes, ids', PATIENCE, async ({ task }) => {
  const cost = createCost();
  const wrong: object[] = [];
  const context = {
    now: ASKED_AT,
    fieldNames: new Set(['to', 'text']),
    success: undefined,
    refusal: undefined,
    hasTemplate: true,
    secrets: answerSecrets('key-of-the-team-77'),
    isTextSecret: false,
    recipients: [{ number: '+919812345678' }],
  };
  for (const text of [...HOSTILE, ...LONG]) {
    for (const [index, answer] of ANSWERS.entries()) {
      const status = [200, 400, 500][index % 3] ?? 200;
      const body = Buffer.from(JSON.stringify(answer(text)));
      const outcome = cost.of(text, () =>
        judge({ headersWritten: true, status, body, retryAfter: text, date: text }, context),
      );
      if (outcome.state === 'accepted') continue;
      const { state, failure } = outcome;
      const groups = [{ state, failure, count: 3 }] as never;
      const faults = [
        ...faultsOfMessage(card(state, failure)),
        ...faultsOfMessage({ blocks: causeBlocks(groups, 3) }),
      ];
      if (faults.length > 0) wrong.push({ text: text.slice(0, 80), answer: index, faults });
    }
  }
  expect(wrong.slice(0, 10)).toEqual([]);
  expect(cost.slowest().ms).toBeLessThan(MOST_MS);
  task.meta.figure = cost.figure();
});

test('text in alerts: messages of other apps', PATIENCE, async ({ task }) => {
  const cost = createCost();
  const wrong: object[] = [];
  for (const text of [...HOSTILE, ...LONG]) {
    // Of one message Slack takes 40,000 characters.
    const part = text.slice(0, 8_000);
    cost.of(text, () =>
      plainTextOf({
        text: part,
        attachments: [{ title: part, text: part, fields: [{ title: part, value: part }] }],
      }),
    );
    cost.of(text, () =>
      plainTextOf({
        blocks: [
          { type: 'markdown', text },
          { type: 'section', text: { type: 'mrkdwn', text } },
        ],
      }),
    );
    const header = { type: 'header', text: { type: 'plain_text', text, emoji: false } };
    const plain = cost.of(text, () => plainTextOf({ blocks: [header] }));
    const alert: Alert = {
      ...{
        id: 'L-7K2M9QX4TB',
        rule: RULE.name,
        channelId: 'C0ALERTS',
        ts: '1.2',
        threadTs: '1.2',
        fingerprint: 'x',
      },
      ...{ title: plain.slice(0, 200), text: plain, postedAt: 1, receivedAt: 1, state: 'open', repeats: 2 },
      steps: [
        {
          ...{ kind: 'alert', state: 'sent', groups: ['oncall'], dueAt: 1, at: 1 },
          people: [{ name: 'Mei', number: NUMBER, text: plain }],
        },
      ],
    };
    const hold = { id: 'L-1', rule: RULE.name, since: 1, until: 2, count: 3, titles: { [alert.title]: 2 } };
    const cards = cost.of(text, () => [
      alertCard({ alert, rule: RULE, sends: new Map() } as never),
      holdCard(RULE, hold as never),
      digestCard(RULE, hold as never),
    ]);
    const faults = cards.flatMap(faultsOfMessage);
    if (faults.length > 0) wrong.push({ text: text.slice(0, 80), faults });
  }
  expect(wrong.slice(0, 10)).toEqual([]);
  expect(cost.slowest().ms).toBeLessThan(MOST_MS);
  task.meta.figure = cost.figure();
});
