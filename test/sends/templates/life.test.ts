import { expect, it } from 'vitest';
import type { Message } from '../../../src/messages/kinds.ts';
import type { Failure } from '../../../src/sends/outcome.ts';
import { markSentence, statusOfWord, warningOf } from '../../../src/sends/templates/mark.ts';
import { templateAtFault } from '../../../src/sends/templates/store.ts';
import { createTemplatesSetting, MESSAGE, ORDER } from './setting.ts';

const HOUR = 3_600_000;
const KEY = { channel: 'chatapp', name: ORDER.name } as const;

// The events of the cloud API's message_template_status_update, and words of other services.
it.each([
  ['APPROVED', 'approved'],
  ['REINSTATED', 'approved'],
  ['PAUSED', 'paused'],
  ['FLAGGED', 'paused'],
  ['LIMIT_EXCEEDED', 'paused'],
  ['REJECTED', 'rejected'],
  ['Not approved', 'rejected'],
  ['DISABLED', 'disabled'],
  ['PENDING_DELETION', 'disabled'],
  ['PENDING', undefined],
  ['IN_APPEAL', undefined],
  ['unpaused', 'approved'],
  ['', undefined],
])('%s means %s', (word, status) => {
  expect(statusOfWord(word)).toBe(status);
});

it('notifies operators once that a template is paused, and once that it is approved again', async () => {
  const { life, toNotify, templates, put, clock } = createTemplatesSetting();
  await put(ORDER);
  await life.said(ORDER.name, 'PAUSED', 'LOW_QUALITY', clock.now());
  await life.said(ORDER.name, 'PAUSED', 'LOW_QUALITY', clock.now());
  const begun = { name: 'template:chatapp/order_update', since: clock.now() };
  expect(await toNotify()).toEqual([{ ...begun, what: expect.stringMatching(/`order_update` is paused/) }]);
  expect(await templates.mark(KEY)).toEqual({ status: 'paused', words: 'LOW_QUALITY', at: clock.now() });
  await clock.advance(1_000);
  await life.approvedAgain(KEY);
  expect(warningOf(await templates.mark(KEY), clock.now())).toBeUndefined();
  expect(await toNotify()).toMatchObject([{ ...begun, overAt: clock.now() }]);
  // The service's older word comes late.
  await life.said(ORDER.name, 'DISABLED', '', clock.now() - 500);
  expect((await templates.mark(KEY))?.status).toBe('approved');
});

const refusedWith = (code: string, what: string): Failure => ({ code, what, next: 'Look.', scope: 'send' });

it('doubts a template for a day after the service refused a message of it, and holds nothing', async () => {
  const { life, toNotify, templates, put, clock } = createTemplatesSetting();
  await put(ORDER);
  await life.refused(MESSAGE, refusedWith('131000', 'Something went wrong.'));
  expect(await templates.mark(KEY)).toBeUndefined();
  await life.refused(MESSAGE, refusedWith('132015', 'Parameters are missing.'));
  const mark = await templates.mark(KEY);
  expect(mark?.status).toBe('doubted');
  expect(await toNotify()).toEqual([]);
  expect(warningOf(mark, clock.now() + 24 * HOUR)).toEqual(mark);
  expect(warningOf(mark, clock.now() + 24 * HOUR + 1)).toBeUndefined();
  await clock.advance(1);
  await life.refused(MESSAGE, refusedWith('132015', 'The service says: template is paused.'));
  expect((await templates.mark(KEY))?.status).toBe('paused');
});

it('says what a mark means with the words of the service, shortened', () => {
  expect(markSentence({ status: 'paused', words: 'x'.repeat(400), at: 1 })).toBe(
    `The service has paused this template: “${'x'.repeat(200)}”. Messages of it may be refused.`,
  );
  expect(markSentence({ status: 'doubted', words: 'It lacks a value.', at: 1 })).toBe(
    'The service refused a message of this template: “It lacks a value”. Messages of it may be refused.',
  );
  expect(markSentence({ status: 'rejected', words: '', at: 1 })).toBe(
    'The service has rejected this template. Messages of it may be refused.',
  );
});

it('holds a send whose template was paused after its approval, until a person resumes it', async () => {
  const { life, store, bulk, delivered, put, waiting, approve, clock } = createTemplatesSetting();
  await put(ORDER);
  await bulk.start();
  const send = await waiting(3, clock.now() + HOUR);
  await approve(send);
  await clock.advance(60_000);
  await life.said(ORDER.name, 'DISABLED', 'LOW_QUALITY', clock.now());
  await clock.advance(HOUR);
  const held = await store.find(send.id);
  expect(held?.state).toBe('paused');
  expect(held?.reason?.what).toMatch(/^The service has disabled this template: “LOW_QUALITY”/);
  expect(delivered).toEqual([]);
  const resumed = await bulk.resume({ sendId: send.id, userId: 'U0RAVI', teamId: 'T' });
  expect(resumed.state).not.toBe('refused');
  await clock.advance(10_000);
  expect(delivered).toHaveLength(3);
});

it('lets a send go whose card warned of its template', async () => {
  const { life, put, waiting, approve, delivered, bulk, clock } = createTemplatesSetting();
  await put(ORDER);
  await bulk.start();
  const send = await waiting();
  await life.said(ORDER.name, 'PAUSED', 'LOW_QUALITY', clock.now());
  await clock.advance(1_000);
  await approve(send);
  await clock.advance(10_000);
  expect(delivered).toHaveLength(3);
});

const TEMPLATE = { kind: 'rcs', variant: 'plain', templateName: 'store_open', botId: 'acme' } as Message;
const SMS: Message = { kind: 'sms', sender: 'ACME', text: 'Hello', type: 'TRANS', unicode: false };

it.each(['132000', '132001', '132015'])('after %s the template is to be looked at', (code) => {
  expect(templateAtFault(TEMPLATE, { code })).toEqual({
    key: { channel: 'rcs', name: 'store_open' },
    code,
  });
  expect(templateAtFault(SMS, { code })).toBeUndefined();
});

it('after anything else it is not', () => {
  for (const failure of [undefined, {}, { code: '131009' }, { code: 'constructor' }, { code: '__proto__' }])
    expect(templateAtFault(TEMPLATE, failure)).toBeUndefined();
});
