import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Form } from '../../sandbox/form.ts';
import { messageText } from '../../sandbox/message-text.ts';
import type { Person } from '../../sandbox/person.ts';
import { ASHA, runningStack, TEAM, type WholeRequest } from './stack.ts';
import { CUSTOMER, FROM } from './team.ts';

const CUSTOMER_DIGITS = CUSTOMER.slice(1);
const TEMPLATE = { from: FROM, to: CUSTOMER, type: 'template' };
const RCS = { number: CUSTOMER, botId: 'acme-bot', type: 'PRETRANS' };
const DLT = { dltTemplateId: '1107160000000000001', entityId: '1101550000000000001' };
const PICTURES = ['https://files.example/1.jpg', 'https://files.example/2.png'] as const;

/** One of each shape; test/gateway/requests.test.ts has every row. */
interface Row {
  readonly row: string;
  readonly command: string;
  readonly template?: string;
  /** By path; `to` is added. */
  readonly fields: Readonly<Record<string, string>>;
  /** The same message in one line; absent where the row cannot be said in one. */
  readonly quickLine?: string;
  /** It stands in Slack's notation, as where links were pasted. */
  readonly isEncoded?: boolean;
  readonly expected: WholeRequest;
}

const ROWS: readonly Row[] = [
  {
    row: '1 chat-app one-time password',
    command: '/chatapp',
    template: 'login_code',
    fields: { otp: '482913' },
    quickLine: `/chatapp login_code ${CUSTOMER} 482913`,
    expected: { path: '/v1/chatapp', body: { ...TEMPLATE, templateName: 'login_code', otp: '482913' } },
  },
  {
    row: '2 chat-app document header',
    command: '/chatapp',
    template: 'invoice',
    fields: {
      'params.0': 'May',
      'header.link': 'https://files.example/may.pdf',
      'header.filename': 'may.pdf',
    },
    expected: {
      path: '/v1/chatapp',
      body: {
        ...TEMPLATE,
        templateName: 'invoice',
        components: {
          body: { params: ['May'] },
          header: {
            type: 'document',
            document: { link: 'https://files.example/may.pdf', filename: 'may.pdf' },
          },
        },
      },
    },
  },
  {
    row: '3 chat-app body',
    command: '/chatapp',
    template: 'order_update',
    fields: { 'params.0': 'Asha & Söhne <b>', 'params.1': 'A-1001' },
    quickLine: `/chatapp order_update ${CUSTOMER} “Asha & Söhne <b>” "A-1001"`,
    expected: {
      path: '/v1/chatapp',
      body: {
        ...TEMPLATE,
        templateName: 'order_update',
        components: { body: { params: ['Asha & Söhne <b>', 'A-1001'] } },
      },
    },
  },
  {
    row: '4 RCS text with variables',
    command: '/rcs',
    template: 'appointment',
    fields: { 'params.0': 'Monday', 'params.1': '10:00' },
    quickLine: `/rcs appointment ${CUSTOMER} "Monday" "10:00"`,
    expected: {
      path: '/v1/rcs',
      body: { ...RCS, templateName: 'appointment', content: [{ params: ['Monday', '10:00'] }] },
    },
  },
  {
    row: '5 RCS carousel, images changeable',
    command: '/rcs',
    template: 'weekly_offers',
    fields: { 'content.0.fileUrl': PICTURES[0], 'content.1.fileUrl': PICTURES[1] },
    quickLine: `/rcs weekly_offers ${CUSTOMER} <${PICTURES[0]}> <${PICTURES[1]}|files.example/2.png>`,
    isEncoded: true,
    expected: {
      path: '/v1/rcs',
      body: {
        ...RCS,
        templateName: 'weekly_offers',
        content: PICTURES.map((fileUrl) => ({ fileUrl })),
      },
    },
  },
  {
    row: '8 RCS carousel, fixed',
    command: '/rcs',
    template: 'catalogue_fixed',
    fields: {},
    quickLine: `/rcs catalogue_fixed ${CUSTOMER}`,
    expected: { path: '/v1/rcs', body: { ...RCS, templateName: 'catalogue_fixed' } },
  },
  {
    row: '9 SMS',
    command: '/sms',
    fields: { text: 'Line one\nline “two” € [3]' },
    quickLine: `/sms ${CUSTOMER} Line one\nline “two” € [3]`,
    expected: {
      path: '/v1/sms',
      body: {
        sender: 'ACMEIN',
        to: [CUSTOMER_DIGITS],
        text: 'Line one\nline “two” € [3]',
        type: 'TRANS',
        unicode: 1,
      },
    },
  },
  {
    row: '9 SMS of a template',
    command: '/sms',
    template: 'order_shipped',
    fields: { 'params.0': 'Asha', 'params.1': 'A-1001' },
    quickLine: `/sms order_shipped ${CUSTOMER} "Asha" A-1001`,
    expected: {
      path: '/v1/sms',
      body: {
        sender: 'ACMEIN',
        to: [CUSTOMER_DIGITS],
        text: 'Dear Asha, your order A-1001 is on its way. - Acme',
        type: 'TRANS',
        unicode: 0,
        ...DLT,
      },
    },
  },
  {
    row: '10 flash SMS of a template',
    command: '/flash',
    template: 'order_shipped',
    fields: { 'params.0': 'आशा', 'params.1': 'A-1001' },
    quickLine: `/flash order_shipped ${CUSTOMER} "आशा" "A-1001"`,
    expected: {
      path: '/sms',
      body: {
        sender: 'ACMEIN',
        to: CUSTOMER_DIGITS,
        text: 'Dear आशा, your order A-1001 is on its way. - Acme',
        type: 'TRANS',
        unicode: 1,
        flash: 1,
        ...DLT,
      },
    },
  },
  {
    row: '10 flash SMS',
    command: '/flash',
    fields: { text: 'The server room is at 41 degrees [now]' },
    quickLine: `/flash ${CUSTOMER} The server room is at 41 degrees [now]`,
    expected: {
      path: '/sms',
      body: {
        sender: 'ACMEIN',
        to: CUSTOMER_DIGITS,
        text: 'The server room is at 41 degrees [now]',
        type: 'TRANS',
        flash: 1,
      },
    },
  },
];

describe('every row of the wire, whole', () => {
  const stack = runningStack({ isQuick: true });
  let asha: Person;
  beforeAll(() => {
    asha = stack.person(ASHA);
  });
  beforeEach(() => stack.carrier.reset());

  const fillIn = async ({ command, template, fields }: Row): Promise<Form> => {
    const form = await asha.openForm(TEAM, command);
    if (template) await form.chooseTemplate(template);
    return form.fill('to', CUSTOMER).fillAll(fields);
  };

  test.each(ROWS)('row $row, by the form', async (row) => {
    const conversation = stack.from(asha);
    const form = await fillIn(row);
    expect(await form.submit()).toEqual({ ok: true });
    const result = messageText(await conversation.message(/accepted by the service/i));
    expect(stack.wholeRequests()).toEqual([row.expected]);
    expect(stack.carrier.state().phones[CUSTOMER]).toHaveLength(1);
    expect(form.open).toBe(false);
    expect(result).toContain('4567');
    expect(result).not.toContain(CUSTOMER_DIGITS.slice(0, 7));
  });

  test('a campaign name and a language travel where the row has them', async () => {
    const conversation = stack.from(asha);
    const form = await asha.openForm(TEAM, '/chatapp');
    await form.chooseTemplate('login_code');
    await form.press('More');
    form.fillAll({ to: CUSTOMER, otp: '0042', campaignName: 'Spring sale' });
    await form.choose('language', 'hi');
    expect(await form.submit()).toEqual({ ok: true });
    await conversation.message(/accepted by the service/i);
    expect(stack.wholeRequests()).toEqual([
      {
        path: '/v1/chatapp',
        body: {
          ...TEMPLATE,
          templateName: 'login_code',
          otp: '0042',
          campaignName: 'Spring sale',
          language: { code: 'hi' },
        },
      },
    ]);
    expect(stack.wholeRequests()).toHaveLength(1);
    expect(conversation.texts().join('\n')).not.toContain('0042');
    expect(stack.logs()).not.toContain('0042');
  });

  test('the template picker finds by name, label and sample, and choosing keeps the recipient', async () => {
    const form = await asha.openForm(TEAM, '/chatapp');
    const names = async (query: string): Promise<string[]> =>
      (await form.suggestions(query)).map((option) => option.value);
    expect(await names('order_up')).toEqual(['order_update']);
    expect(await names('Festive')).toEqual(['festive_photo']);
    expect(await names('is your code')).toEqual(['login_code']);
    expect((await names('')).length).toBe(6);
    await form.chooseTemplate('order_update');
    form.fill('to', CUSTOMER);
    await form.chooseTemplate('invoice');
    expect(form.value('to')).toMatchObject({ value: CUSTOMER });
    expect(form.paths()).toEqual(
      expect.arrayContaining(['params.0', 'header.link', 'header.filename', 'to']),
    );
    expect(form.paths()).not.toContain('params.1');
    await form.close();
    expect(stack.wholeRequests()).toEqual([]);
  });

  test('the line that lacks something opens the form with what was understood', async () => {
    const form = await asha.openForm(TEAM, `/chatapp order_update ${CUSTOMER} "Asha"`);
    expect(form.value('to')).toMatchObject({ value: CUSTOMER });
    expect(form.value('params.0')).toMatchObject({ value: 'Asha' });
    form.fill('params.1', 'A-7');
    expect(await form.submit()).toEqual({ ok: true });
    await stack.eventually('the request', () => stack.wholeRequests().length === 1);
    expect(stack.wholeRequests()).toEqual([
      {
        path: '/v1/chatapp',
        body: {
          ...TEMPLATE,
          templateName: 'order_update',
          components: { body: { params: ['Asha', 'A-7'] } },
        },
      },
    ]);
  });

  test('the key travels with each request and is written nowhere', async () => {
    await asha.command(TEAM, `/flash ${CUSTOMER} Hello`);
    await stack.eventually('the request', () => stack.wholeRequests().length === 1);
    expect(stack.carrier.state().requests.map(({ headers }) => headers.apikey)).toEqual(['valid']);
    const everything = stack.logs() + JSON.stringify(stack.workspace.snapshot());
    expect(everything).not.toContain('sandbox-api-key');
    expect(stack.logs()).not.toContain(CUSTOMER_DIGITS);
  });
});

// To whom the forms have sent nothing.
describe('every row of the wire that has a line, whole', () => {
  const stack = runningStack({ isQuick: true });
  beforeEach(() => stack.carrier.reset());

  test.each(ROWS.filter((row) => row.quickLine))('row $row, by one line', async (row) => {
    const asha = stack.person(ASHA);
    const conversation = stack.from(asha);
    expect(await asha.command(TEAM, row.quickLine ?? '', row.isEncoded)).toEqual({ ok: true });
    await conversation.message(/accepted by the service/i);
    expect(stack.wholeRequests()).toEqual([row.expected]);
  });
});
