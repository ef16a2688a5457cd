import { beforeEach, expect, test } from 'vitest';
import type { Message } from '../../../src/messages/kinds.ts';
import type { Msisdn } from '../../../src/messages/numbers/phone-number.ts';
import { templateSchema } from '../../../src/messages/templates/template.ts';
import type { AudienceStore } from '../../../src/sends/audience.ts';
import type { SendStore } from '../../../src/sends/ports.ts';
import { auditFile } from '../../../src/slack/sends/audit.ts';
import { ASKED_AT, DIGEST, move, openStores, prepare, SEND_ID } from '../bulk-sends.ts';

let store: SendStore;
let optOuts: AudienceStore;
beforeEach(() => {
  ({ sends: store, audiences: optOuts } = openStores());
});

const NUMBER = '+919812345678' as Msisdn;
const INVOICE = templateSchema.parse({
  name: 'invoice',
  channel: 'chatapp',
  variant: 'document',
  label: 'Invoice',
  text: 'Pay {{1}}, or call +91 98123 45670.',
  placeholders: [{ name: 'amount' }],
});
const SMS = { kind: 'sms', sender: 'ACMEIN', type: 'PROMO', unicode: false } as const;
const ORIGIN = { teamId: 'T', userId: 'U0ASHA', channelId: 'C' };
const BILL: Message = {
  kind: 'chatapp',
  variant: 'document',
  from: '+919876543210' as Msisdn,
  templateName: 'invoice',
  params: ['{{name}}'],
  header: { type: 'document', link: 'https://acme.test/may', filename: 'May.pdf' },
};

/** The file, by its header's names. */
async function exported(): Promise<Readonly<Record<string, string>>[]> {
  const { content } = await auditFile({ store, optOuts });
  const text = (await Array.fromAsync(content)).join('');
  const [header = [], ...lines] = cellsOf(text);
  return lines.map((line) => Object.fromEntries(header.map((name, index) => [name, line[index] ?? ''])));
}

/** CSV as a spreadsheet reads it: quoted cells may hold commas and lines. */
function cellsOf(text: string): string[][] {
  const lines: string[][] = [];
  for (const line of text.matchAll(
    /(?:(?:"(?:[^"]|"")*"|[^,"\r\n]*),)*(?:"(?:[^"]|"")*"|[^,"\r\n]*)\r?\n/g,
  )) {
    const cells = [...line[0].trimEnd().matchAll(/"((?:[^"]|"")*)"|([^,"]+)|(?<=,|^)(?=,|$)/g)];
    lines.push(cells.map((cell) => (cell[1] ?? cell[2] ?? '').replaceAll('""', '"')));
  }
  return lines;
}

test('what was asked for stands in the record, and on every later line how many and which digest', async () => {
  const survey = { recipients: 3, rows: [] };
  await prepare(store, { message: BILL, template: INVOICE, survey });
  await store.approve({ sendId: SEND_ID, userId: 'U0RAVI', digest: DIGEST, at: ASKED_AT + 1_000 });
  const lines = await exported();
  expect(lines.map(({ action, kind, recipients, digest }) => [action, kind, recipients, digest])).toEqual([
    ['requested', 'chatapp', '', ''],
    ['awaiting_approval', '', '3', DIGEST],
    ['approved_by', '', '3', DIGEST],
    ['approved', '', '3', DIGEST],
  ]);
  expect(lines[0]?.words).toBe(
    'Pay {{name}}, or call [number …5670].\nDocument: https://acme.test/may\nFile name: May.pdf',
  );
  expect(lines.slice(1).every(({ words }) => words === '')).toBe(true);
});

test('the record ends where it ended when it was asked for, whatever happens meanwhile', async () => {
  await prepare(store);
  const { content } = await auditFile({ store, optOuts });
  await prepare(store, { id: 'S-0000000001' });
  await optOuts.optOut([{ number: NUMBER, at: 1, actor: 'herald', source: 'reply' }]);
  await optOuts.optIn(NUMBER, { at: 2, actor: 'U0MEI', number: '…5678' });
  const expected = [
    'event,time,send,action,actor,reason,kind,words,recipients,digest,retry of',
    `1,2026-01-05T08:00:00.000Z,${SEND_ID},requested,U0ASHA,,sms,"Hello {{name}}, we <open> at 8 & you are invited.",,,`,
    `2,2026-01-05T08:00:00.000Z,${SEND_ID},awaiting_approval,U0ASHA,,,,,${DIGEST},`,
    '',
  ].join('\r\n');
  expect((await Array.fromAsync(content)).join('')).toBe(expected);
});

test('what it retries, and who wanted to approve and might not', async () => {
  await prepare(store);
  const reason = { what: 'They were a guest.', next: '', scope: 'send' } as const;
  const refused = { action: 'approval_refused', actor: 'U0GUEST' } as const;
  await store.recordOnce({ sendId: SEND_ID, at: ASKED_AT + 5, ...refused, reason });
  await store.begin({
    id: 'S-AGAIN',
    kind: 'sms',
    message: { ...SMS, text: 'Hi' },
    origin: ORIGIN,
    createdAt: ASKED_AT + 9,
    requestKey: 'again',
    audience: { id: 'A-1', columns: [] },
    retryOf: SEND_ID,
  });
  const lines = await exported();
  expect(lines.at(-1)).toMatchObject({ send: 'S-AGAIN', 'retry of': SEND_ID, words: 'Hi' });
  expect(lines.at(-2)).toMatchObject({ ...refused, reason: 'They were a guest.' });
});

test('numbers taken off the opt-out list stand between, by when, whom and masked number', async () => {
  await prepare(store);
  await optOuts.optOut([{ number: NUMBER, at: 1, actor: 'herald', source: 'reply' }]);
  const masked = '+91 ••••• •5678';
  await optOuts.optIn(NUMBER, { at: ASKED_AT + 10, actor: 'U0MEI', number: masked });
  await move(store, 'cancelled', { actor: 'U0ASHA' });
  const lines = await exported();
  const actions = ['requested', 'awaiting_approval', 'opt_out_removed', 'cancelled'];
  expect(lines.map(({ action }) => action)).toEqual(actions);
  expect(lines[2]).toMatchObject({
    time: new Date(ASKED_AT + 10).toISOString(),
    actor: 'U0MEI',
    reason: `The number ${masked} was taken off the opt-out list.`,
    send: '',
  });
  expect(new Set(lines.map(({ event }) => event)).size).toBe(4);
});

test('it holds neither a one-time password nor a whole phone number', async () => {
  const reason = { what: `Do not write to ${NUMBER}.`, next: '', scope: 'send' } as const;
  await store.create({
    id: 'S-OTP',
    kind: 'sms',
    message: { ...SMS, type: 'OTP', text: '####### is your code' },
    origin: ORIGIN,
    state: 'approved',
    recipients: [{ number: NUMBER }],
    createdAt: 1,
    requestKey: 'otp',
  });
  await move(store, 'cancelled', { id: 'S-OTP', at: 2, actor: 'U0MEI', reason });
  const text = JSON.stringify(await exported());
  expect(text).not.toContain('#');
  expect(text).not.toContain('9812345678');
  expect(text).toContain('…5678');
});
