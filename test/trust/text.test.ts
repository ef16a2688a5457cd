import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { systemClock } from '../../src/core/clock.ts';
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
import { olderBlocks } from '../../src/slack/connection/new-blocks.ts';
import { renderCard } from '../../src/slack/kit/cards/send-card.ts';
import { formContext, leavesOf } from '../../src/slack/kit/forms/form-blocks.ts';
import { putAt } from '../../src/slack/kit/forms/path.ts';
import { plainTextOf } from '../../src/slack/kit/message-text/plain-text.ts';
import { addressesCard, answersCard } from '../../src/slack/replies/card.ts';
import { approvalCard } from '../../src/slack/results/approve/card.ts';
import { detailsView } from '../../src/slack/results/approve/details-view.ts';
import { causeBlocks } from '../../src/slack/results/progress/card.ts';
import { readQuery } from '../../src/slack/sends/query.ts';
import { importView } from '../../src/slack/templates/import.ts';
import { listView, wholeList } from '../../src/slack/templates/list.ts';
import { lookView } from '../../src/slack/templates/look.ts';
import { LINKED } from '../messages/linked.ts';
import { RULE } from '../sends/alerts/setting.ts';
import { upload } from '../sends/audiences/setting.ts';
import { ASKED_AT, openStore, prepare } from '../slack/bulk-sends.ts';
import { createSetting, TEMPLATES } from '../slack/compose/setting.ts';
import { LOGIN, report, SMS } from '../slack/kit/cards/reports.ts';
import { factsIn } from '../slack/results/sources.ts';
import { HOSTILE, LONG } from './hostile-strings.ts';
import { count, judgeTexts, longTextsFor, shareOf, textsFor } from './judged-texts.ts';

/** Each place is tried with one string in so many. */
const EVERY = 48;
const ANSWER_EVERY = 4;
/** Long ones take long to read. */
const LONG_EVERY = 6;
/** On a busy machine, and with each string at each place, it takes long. */
const PATIENCE = { timeout: 1_800_000 };
const share = shareOf(EVERY);

const TO = '+6591234567';
const NUMBER = TO as Msisdn;
const KIND_NAMES = Object.keys(KINDS) as MessageKind[];

/** A message of each kind and of each template, as its form holds it. */
function filledForms() {
  const ofKinds = KIND_NAMES.flatMap((kind) => LINKED[kind]).map((message) => {
    const name = kindOf(message).templateName(message);
    const values: object = kindOf(message).formValues(message as never);
    return { kind: message.kind, template: TEMPLATES.find((one) => one.name === name), values };
  });
  const ofTemplates = TEMPLATES.map((template) => {
    const params = template.placeholders.map(({ example = 'x' }) => example);
    return { kind: template.channel, template, values: { template: template.name, params } };
  });
  return [...ofKinds, ...ofTemplates].map((one) => ({
    ...one,
    values: { ...one.values, to: TO } as Record<string, unknown>,
  }));
}

test('text in forms: every field of every kind', PATIENCE, async ({ task }) => {
  const { compose } = createSetting();
  const store = openStore();
  await prepare(store, { message: SMS });
  const facts = await factsIn(store);
  const texts = judgeTexts();
  const fields = new Set<string>();
  let taken = 0;
  for (const { kind, template, values } of filledForms()) {
    const context = formContext(compose, template);
    for (const { path } of leavesOf(KINDS[kind].form({ ...context, entered: values }))) {
      // What stands several times in a form is the same field each time.
      const field = `${kind} ${path.replaceAll(/\d+/g, 'n')}`;
      if (fields.has(field)) continue;
      fields.add(field);
      for (const text of textsFor(EVERY, fields.size)) {
        const entered = structuredClone(values);
        putAt(entered, path, text);
        texts.shows(text, { kind, path }, () => {
          const form = composeView({ kind, template, values: entered, channelId: 'C0TEAM' }, compose);
          const parsed = parseSubmission(kind, context, entered);
          if (!parsed.ok) return { views: [form] };
          taken += 1;
          const { message } = parsed.value;
          const known = { ...facts, template, send: { ...facts.send, message, kind } };
          return {
            views: [form, detailsView(known)],
            messages: [...acceptedCards(message, template), approvalCard(known)],
          };
        });
      }
    }
  }
  expect(taken).toBeGreaterThan(fields.size);
  task.meta.figure = `${fields.size} fields, ${texts.figure()}; ${count(taken)} of them were messages and stand on cards${share}`;
});

/** The card of what was accepted, as a channel sees it and as whoever asked does. */
function acceptedCards(message: Message, template?: Template): readonly object[] {
  const accepted = report(message, { state: 'accepted' });
  return [{}, { inFull: true }].map((how) => renderCard(accepted, template, { direct: false, ...how }));
}

/** Reads what is acknowledged, answered and shown when somebody types a line. */
async function typed(kind: MessageKind, text: string) {
  const setting = createSetting();
  const said: object[] = [];
  const answer = async (message?: object) => void (message && said.push(message));
  const command = { text, trigger_id: 't', team_id: 'T0ACME', user_id: 'U0ASHA', channel_id: 'C0TEAM' };
  const args = { command, ack: answer, respond: answer, client: setting.client, help: '' };
  await handleSendCommand(kind, args, {
    ...setting.compose,
    groups: { names: ['oncall'], numbersOf: async () => [], approvalOver: 10 },
    checkMedia: async () => ({ issues: [], open: [] }),
  });
  const views = setting.client.calls.flatMap(({ args }) => (args.view === undefined ? [] : [args.view]));
  const sent = setting.sends.started.flatMap(({ message }) => acceptedCards(message).slice(1));
  return { messages: [...said, ...sent], views: views as object[] };
}

test('text in lines: every command that sends, and /sends', PATIENCE, async ({ task }) => {
  const texts = judgeTexts();
  const kinds = KIND_NAMES.filter((kind) => 'usageHint' in KINDS[kind].command);
  for (const [turn, kind] of kinds.entries()) {
    const long = LONG.filter((_text, at) => at % kinds.length === turn);
    for (const text of [...textsFor(EVERY, turn), ...long]) {
      const lines = [text, `${TO} ${text}`, `order_update ${TO} "${text}" ${text}`, `@${text} Hello`];
      for (const line of lines) await texts.showsAll(line, { kind }, () => typed(kind, line));
    }
  }
  for (const text of [...HOSTILE, ...LONG]) texts.of(text, () => readQuery(text));
  task.meta.figure = `${kinds.length} commands, ${texts.figure()}${share}`;
});

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;

test('text in lists: headers and cells, quoted and as they are', PATIENCE, async ({ task }) => {
  const texts = judgeTexts();
  const outcomes = { ready: 0, choose_column: 0, refused: 0 };
  for (const text of [...textsFor(EVERY), ...longTextsFor(LONG_EVERY)]) {
    const files = [
      `phone,name\n${TO},${cell(text)}\n`,
      `phone,name\n${TO},${text}\n`,
      `phone,${cell(text)}\n${TO},x\n`,
      `${text},phone\nx,${TO}\n`,
      `phone,name\n${text},x\n${TO},y\n`,
    ];
    for (const file of files) {
      const { result, audiences } = await texts.ofAll(text, () => upload(file, { size: 64_000 }));
      outcomes[result.state] += 1;
      if (result.state !== 'ready') continue;
      const { id, columns } = result.audience;
      const [row] = await audiences.sample(id, 1);
      if (row === undefined) continue;
      // A message to a customer whose row holds the text, as its approver sees it.
      const message = personalise({ ...SMS, text: `Hello {{${columns[0] ?? 'name'}}}` }, columns, row.values);
      texts.judge(text, { messages: acceptedCards(message).slice(1) }, {});
      // What a row says is its own, to the letter: only what no text may hold is refused.
      const isWhole = row.values.some((value) => value === text || value === text.trim());
      if (file === files[0] && !isWhole && text.isWellFormed() && !text.includes('\r'))
        texts.wrongly(text, { became: row.values });
    }
  }
  expect(outcomes.ready).toBeGreaterThan(outcomes.refused);
  task.meta.figure = `${texts.figure()}; ${count(outcomes.ready)} lists taken, ${count(outcomes.refused)} refused${share}`;
});

/** Templates with the text in each of their members, one at a time. */
function written(text: string): readonly object[] {
  const whole = { name: 'a', channel: 'chatapp', variant: 'text', label: 'A', text: 'Hi {{1}}.' };
  const placeholders = [{ name: 'x', example: 'x' }];
  const ofTemplates = ['name', 'label', 'text', 'variant', 'languages'];
  const ofPlaceholders = ['name', 'example', 'oneOf', 'type'];
  return [
    ...ofTemplates.map((key) => ({ ...whole, placeholders, [key]: text })),
    ...ofPlaceholders.map((key) => ({ ...whole, placeholders: [{ name: 'x', [key]: text }] })),
    { ...whole, [text]: text },
  ];
}

test('text in templates: names, labels, texts, placeholders, files', PATIENCE, async ({ task }) => {
  const texts = judgeTexts();
  let taken = 0;
  const { compose } = createSetting();
  for (const text of [...textsFor(EVERY), ...longTextsFor(LONG_EVERY)]) {
    texts.of(text, () => readTemplateFile(text));
    for (const one of written(text)) {
      const read = texts.of(text, () => readTemplateFile(stringify([one])));
      if (!read.ok) {
        const lines = read.error.map(({ line, message }) => `Line ${line}: ${message}`);
        texts.judge(text, { views: [importView('C0TEAM', 'Not imported.', lines)] }, {});
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
      const catalogue = { templates, clock: systemClock } as never;
      const message = { ...LOGIN, variant: 'text', templateName: template.name, params: ['x'] } as Message;
      await texts.showsAll(text, { one }, async () => ({
        views: [
          await listView(wholeList('C0TEAM'), catalogue),
          await lookView({ key: keyOf(template), channelId: 'C0TEAM' } as never, catalogue),
          composeView({ kind: 'chatapp', template, channelId: 'C0TEAM' }, compose),
        ],
        messages: acceptedCards(message, template),
      }));
    }
  }
  expect(taken).toBeGreaterThan(20);
  task.meta.figure = `${texts.figure()}; ${count(taken)} templates taken, each in the catalogue, a form and on cards${share}`;
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
  const texts = judgeTexts();
  let events = 0;
  for (const [index, body] of BODIES.entries()) {
    for (const [turn, text] of [...textsFor(EVERY, index), ...longTextsFor(EVERY, index)].entries()) {
      const value = body(text);
      const bytes = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
      texts.shows(text, { body: index }, () => {
        const decoded = decodeWebhook({ bytes });
        events += decoded.length;
        const messages = decoded.flatMap((event): readonly object[] => {
          if (event.kind === 'report') return event.failure ? [card('rejected', event.failure)] : [];
          const about = { id: 1, key: 'k', optedOut: false, receivedAt: 1, first: true };
          const stored: StoredCustomerEvent = { ...about, event, label: text };
          const cards = [answersCard([stored], 'U0ASHA')];
          if (event.kind === 'address') cards.push(addressesCard([event], ADDRESS_FIELDS));
          // With many others of its kind, now and then: that takes its time.
          if (turn % 16 === 0) cards.push(answersCard(Array(40).fill(stored)));
          return cards;
        });
        return { messages };
      });
    }
  }
  task.meta.figure = `${texts.figure()}; ${count(events)} events${share}`;
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
  const texts = judgeTexts();
  const context = {
    now: ASKED_AT,
    fieldNames: new Set(['to', 'text']),
    mapping: {},
    hasTemplate: true,
    secrets: answerSecrets('key-of-the-team-77'),
    isTextSecret: false,
    recipients: [{ number: '+919812345678' }],
  };
  for (const [index, answer] of ANSWERS.entries()) {
    for (const text of [...textsFor(ANSWER_EVERY, index), ...longTextsFor(ANSWER_EVERY, index)]) {
      const status = [200, 400, 500][index % 3] ?? 200;
      const body = Buffer.from(JSON.stringify(answer(text)));
      const outcome = texts.of(text, () =>
        judge({ headersWritten: true, status, body, retryAfter: text, date: text }, context),
      );
      if (outcome.state === 'accepted') continue;
      const { state, failure } = outcome;
      const blocks = causeBlocks([{ state, failure, count: 3 }] as never);
      const causes = [{ blocks }, { blocks: olderBlocks(blocks) }];
      texts.judge(text, { messages: [card(state, failure), ...causes] }, { answer: index });
    }
  }
  task.meta.figure = `${texts.figure()}${shareOf(ANSWER_EVERY)}`;
});

test('text in alerts: messages of other apps', PATIENCE, async ({ task }) => {
  const texts = judgeTexts();
  for (const text of [...HOSTILE, ...LONG]) {
    // Of one message Slack takes 40,000 characters.
    const part = text.slice(0, 8_000);
    const fields = [{ title: part, value: part }];
    const section = { type: 'section', text: { type: 'mrkdwn', text } };
    const header = { type: 'header', text: { type: 'plain_text', text, emoji: false } };
    texts.of(text, () => plainTextOf({ text: part, attachments: [{ title: part, text: part, fields }] }));
    texts.of(text, () => plainTextOf({ blocks: [{ type: 'markdown', text }, section] }));
    const plain = texts.of(text, () => plainTextOf({ blocks: [header] }));
    const place = { channelId: 'C0ALERTS', ts: '1.2', threadTs: '1.2', fingerprint: 'x' };
    const people = [{ name: 'Mei', number: NUMBER, text: plain }];
    const alert: Alert = {
      ...{ id: 'L-7K2M9QX4TB', rule: RULE.name, ...place },
      ...{ title: plain.slice(0, 200), text: plain, postedAt: 1, receivedAt: 1, state: 'open', repeats: 2 },
      steps: [{ kind: 'alert', state: 'sent', groups: ['oncall'], dueAt: 1, at: 1, people }],
    };
    const hold = { id: 'L-1', rule: RULE.name, since: 1, until: 2, count: 3, titles: { [alert.title]: 2 } };
    texts.shows(text, {}, () => ({
      messages: [
        alertCard({ alert, rule: RULE, sends: new Map() } as never),
        holdCard(RULE, hold as never),
        digestCard(RULE, hold as never),
      ],
    }));
  }
  task.meta.figure = texts.figure();
});
