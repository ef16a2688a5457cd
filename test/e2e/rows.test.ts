import { beforeEach, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { runningStack } from './stack.ts';
import { ASHA, CUSTOMER, FROM, TEAM } from './team.ts';

/* One of each shape by each way that can say it; test/gateway/requests.test.ts has every row. */

const CUSTOMER_DIGITS = CUSTOMER.slice(1);
const TEMPLATE = { from: FROM, to: CUSTOMER, type: 'template' };
const DLT = { dltTemplateId: '1107160000000000001', entityId: '1101550000000000001' };
const SMS = { sender: 'ACMEIN', type: 'TRANS' };
const PICTURES = ['https://files.example/1.jpg', 'https://files.example/2.png'] as const;
const PDF = { link: 'https://files.example/may.pdf', filename: 'may.pdf' };
const TEXT = 'Line one\nline “two” € [3]';
const WARM = 'The server room is at 41 degrees [now]';

const stack = runningStack({ isQuick: true });
const asha = () => stack.person(ASHA);
beforeEach(() => stack.carrier.reset());

test.each<[string, string, string, Readonly<Record<string, string>>, string, object]>([
  [
    'a document header',
    '/chatapp',
    'invoice',
    { 'params.0': 'May', 'header.link': PDF.link, 'header.filename': PDF.filename },
    '/v1/chatapp',
    {
      ...TEMPLATE,
      templateName: 'invoice',
      components: { body: { params: ['May'] }, header: { type: 'document', document: PDF } },
    },
  ],
  [
    'an RCS carousel',
    '/rcs',
    'weekly_offers',
    { 'content.0.fileUrl': PICTURES[0], 'content.1.fileUrl': PICTURES[1] },
    '/v1/rcs',
    {
      ...{ number: CUSTOMER, botId: 'acme-bot', type: 'PRETRANS', templateName: 'weekly_offers' },
      content: PICTURES.map((fileUrl) => ({ fileUrl })),
    },
  ],
  [
    'an SMS',
    '/sms',
    '',
    { text: TEXT },
    '/v1/sms',
    { ...SMS, to: [CUSTOMER_DIGITS], text: TEXT, unicode: 1 },
  ],
  [
    'a flash SMS of a template',
    '/flash',
    'order_shipped',
    { 'params.0': 'आशा', 'params.1': 'A-1001' },
    '/sms',
    {
      ...{ ...SMS, ...DLT, to: CUSTOMER_DIGITS, unicode: 1, flash: 1 },
      text: 'Dear आशा, your order A-1001 is on its way. - Acme',
    },
  ],
])('%s, by the form', async (_what, command, template, fields, path, body) => {
  const conversation = stack.from(asha());
  const form = await asha().openForm(TEAM, command);
  if (template !== '') await form.chooseTemplate(template);
  expect(await form.fill('to', CUSTOMER).fillAll(fields).submit()).toEqual({ ok: true });
  const result = messageText(await conversation.message(/accepted by the service/i));
  expect(stack.wholeRequests()).toEqual([{ path, body }]);
  expect(stack.phone(CUSTOMER)).toHaveLength(1);
  expect(form.open).toBe(false);
  expect(result).toContain('4567');
  expect(result).not.toContain(CUSTOMER_DIGITS.slice(0, 7));
});

test.each<[string, string, object, boolean?]>([
  [
    `/chatapp order_update ${CUSTOMER} “Asha & Söhne <b>” "A-1001"`,
    '/v1/chatapp',
    {
      ...{ ...TEMPLATE, templateName: 'order_update' },
      components: { body: { params: ['Asha & Söhne <b>', 'A-1001'] } },
    },
  ],
  [
    `/rcs weekly_offers ${CUSTOMER} <${PICTURES[1]}|files.example/2.png> <${PICTURES[0]}>`,
    '/v1/rcs',
    {
      ...{ number: CUSTOMER, botId: 'acme-bot', type: 'PRETRANS', templateName: 'weekly_offers' },
      content: PICTURES.toReversed().map((fileUrl) => ({ fileUrl })),
    },
    // In Slack's notation, as where links were pasted.
    true,
  ],
  [
    `/sms order_shipped ${CUSTOMER} "Asha" A-1001`,
    '/v1/sms',
    {
      ...{ ...SMS, ...DLT, to: [CUSTOMER_DIGITS], unicode: 0 },
      text: 'Dear Asha, your order A-1001 is on its way. - Acme',
    },
  ],
  [`/flash ${CUSTOMER} ${WARM}`, '/sms', { ...SMS, to: CUSTOMER_DIGITS, text: WARM, flash: 1 }],
])('%s', async (line, path, body, isEncoded) => {
  const conversation = stack.from(asha());
  expect(await asha().command(TEAM, line, isEncoded)).toEqual({ ok: true });
  await conversation.message(/accepted by the service/i);
  expect(stack.wholeRequests()).toEqual([{ path, body }]);
  expect(stack.carrier.state().requests.map(({ headers }) => headers.apikey)).toEqual(['valid']);
  expect(stack.logs() + JSON.stringify(stack.workspace.snapshot())).not.toContain('sandbox-api-key');
  expect(stack.logs()).not.toContain(CUSTOMER_DIGITS);
});

test('a campaign name and a language travel with a one-time password, which is written nowhere', async () => {
  const conversation = stack.from(asha());
  const form = await asha().openForm(TEAM, '/chatapp');
  await form.chooseTemplate('login_code');
  await form.press('More');
  form.fillAll({ to: CUSTOMER, otp: '0042', campaignName: 'Spring sale' });
  await form.choose('language', 'hi');
  expect(await form.submit()).toEqual({ ok: true });
  await conversation.message(/accepted by the service/i);
  const named = { templateName: 'login_code', otp: '0042', campaignName: 'Spring sale' };
  expect(stack.wholeRequests()).toEqual([
    { path: '/v1/chatapp', body: { ...TEMPLATE, ...named, language: { code: 'hi' } } },
  ]);
  expect(conversation.texts().join('\n') + stack.logs()).not.toContain('0042');
});

test('the template picker finds by name, label and sample, and choosing keeps the recipient', async () => {
  const form = await asha().openForm(TEAM, '/chatapp');
  const names = async (query: string) => (await form.suggestions(query)).map(({ value }) => value);
  expect(await names('order_up')).toEqual(['order_update']);
  expect(await names('Festive')).toEqual(['festive_photo']);
  expect(await names('is your code')).toEqual(['login_code']);
  expect(await names('')).toHaveLength(6);
  await form.chooseTemplate('order_update');
  form.fill('to', CUSTOMER);
  await form.chooseTemplate('invoice');
  expect(form.value('to')).toMatchObject({ value: CUSTOMER });
  expect(form.paths()).toEqual(expect.arrayContaining(['params.0', 'header.link', 'header.filename', 'to']));
  expect(form.paths()).not.toContain('params.1');
  await form.close();
});

test('the line that lacks something opens the form with what was understood', async () => {
  const form = await asha().openForm(TEAM, `/chatapp order_update ${CUSTOMER} "Asha"`);
  expect(form.value('to')).toMatchObject({ value: CUSTOMER });
  expect(form.value('params.0')).toMatchObject({ value: 'Asha' });
  expect(await form.fill('params.1', 'A-7').submit()).toEqual({ ok: true });
  await stack.eventually('the request', () => stack.wholeRequests().length === 1);
  expect(stack.wholeRequests()[0]?.body).toMatchObject({ components: { body: { params: ['Asha', 'A-7'] } } });
});
