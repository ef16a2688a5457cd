import { beforeEach, describe, expect, test } from 'vitest';
import { clickOn } from './bulk-steps.ts';
import { runningStack } from './stack.ts';
import { APPROVALS, ASHA, CUSTOMER, RAVI, TEAM, WITH_APPROVALS } from './team.ts';

const CONFIG = `${WITH_APPROVALS}access: { templates: [U0ASHA], lists: [U0ASHA] }
`;
const DLT = { dltTemplateId: '1107160000000000001', entityId: '1101550000000000001' };
const SENT = { sender: 'ACMEIN', type: 'TRANS' };

describe('SMS of templates', () => {
  const stack = runningStack({ config: CONFIG, isQuick: true });
  beforeEach(() => stack.carrier.reset());

  const words = (userId = ASHA) => JSON.stringify(stack.person(userId).views());
  const byNumber = () =>
    stack
      .wholeRequests()
      .map(({ body }) => body as { to: readonly string[] })
      .toSorted((one, other) => (one.to[0] ?? '').localeCompare(other.to[0] ?? ''));

  test('a list fills the values from its columns, row by row, and the parts are those of the longest', async () => {
    const asha = stack.person(ASHA);
    const long = 'A very long name '.repeat(8).trim();
    const rows = [`+919812345001,Asha,A-1`, `+919812345002,${long},A-2`, `+919812345003,,A-3`];
    const file = await asha.upload('orders.csv', ['phone,customer,order', ...rows].join('\n'));
    const form = await asha.openForm(TEAM, '/sms');
    await form.chooseTemplate('order_shipped');
    await form.choose('recipients', 'file');
    form.attach('file', [file]);
    expect(await form.submit()).toEqual({ ok: true });
    await stack.review();
    expect(form.value('params.0')).toMatchObject({ selected_option: { value: '{{customer}}' } });
    expect(words()).toContain('Dear Asha, your order A-1 is on its way. - Acme');
    expect(words()).toContain('1 to 2 SMS each');
    expect(words()).toContain('*2 of 3 people get it.* Left out: 1 without “customer”.');
    expect(await form.submit()).toEqual({ ok: true });
    await stack.untilShown(APPROVALS, /Dear Asha, your order A-1/);
    await form.close();
    expect(JSON.stringify(stack.shown(APPROVALS, /Dear Asha/)?.blocks)).toContain(
      '“Order shipped” to 2 people',
    );

    await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
    await stack.eventually('both', () => stack.wholeRequests().length >= 2);
    expect(byNumber()).toEqual([
      {
        ...SENT,
        ...DLT,
        to: ['919812345001'],
        text: 'Dear Asha, your order A-1 is on its way. - Acme',
        unicode: 0,
      },
      {
        ...SENT,
        ...DLT,
        to: ['919812345002'],
        text: `Dear ${long}, your order A-2 is on its way. - Acme`,
        unicode: 0,
      },
    ]);
  });

  test('one is added as its DLT platform shows it, exported, and sent by a line', async () => {
    const asha = stack.person(ASHA);
    const form = await asha.openForm(TEAM, '/templates add');
    await form.choose('variant', 'sms/text');
    form.fillAll({
      name: 'due',
      text: '{#var#} is due on {#var#}. - Acme',
      dltTemplateId: '1107160000000000002',
    });
    expect(await form.submit()).toEqual({ ok: true });
    form.fillAll({ 'placeholders.0.name': 'amount', 'placeholders.1.name': 'day' });
    expect(await form.submit()).toEqual({ ok: true });
    await stack.eventually('saved', () => words().includes('Saved.'));
    expect(words()).toContain('1107160000000000002');
    await stack.closeViews();

    await asha.command(TEAM, '/templates export');
    const exported = await stack.eventually(
      'the file',
      () => stack.messages().find(({ files }) => files?.[0]?.name === 'templates.yml')?.files?.[0],
    );
    expect(await stack.download(exported)).toContain('dltTemplateId: "1107160000000000002"');

    await asha.command(TEAM, `/sms due ${CUSTOMER} "Rs 400" "1 May"`);
    await stack.eventually('the request', () => stack.wholeRequests().length === 1);
    expect(stack.wholeRequests()[0]?.body).toMatchObject({
      text: 'Rs 400 is due on 1 May. - Acme',
      dltTemplateId: '1107160000000000002',
    });
  });
});

describe('a text of one’s own', () => {
  const stack = runningStack({ config: `${CONFIG}sms: { freeText: asks }\n`, isQuick: true });
  beforeEach(() => stack.carrier.reset());
  const SAYS = 'Dear Asha, your order A-1001 is on its way. - Acme';
  const TO_INDIA = '+919812345678';

  test('that a template says is offered as that, by line and by form, and goes out with its ids', async () => {
    const asha = stack.person(ASHA);
    const expected = {
      path: '/v1/sms',
      body: { ...SENT, ...DLT, to: [TO_INDIA.slice(1)], text: SAYS, unicode: 0 },
    };
    const line = await asha.openForm(TEAM, `/sms ${TO_INDIA} ${SAYS}`);
    expect(JSON.stringify(asha.views())).toContain('The text is that of the template “Order shipped”');
    expect(stack.wholeRequests()).toEqual([]);
    expect(await line.submit()).toEqual({ ok: true });
    await stack.eventually('the first', () => stack.wholeRequests().length === 1);

    const form = await asha.openForm(TEAM, '/sms');
    form.fillAll({ to: TO_INDIA, text: SAYS });
    expect(await form.submit()).toEqual({
      ok: false,
      errors: {
        template: 'The text is that of the template “Order shipped”: send it as that. Nothing was sent yet.',
      },
    });
    expect(stack.wholeRequests()).toHaveLength(1);
    await form.chooseTemplate('order_shipped');
    form.fillAll({ 'params.0': 'Asha', 'params.1': 'A-1002' });
    expect(await form.submit()).toEqual({ ok: true });
    await stack.eventually('the second', () => stack.wholeRequests().length === 2);
    const second = { ...expected, body: { ...expected.body, text: SAYS.replace('A-1001', 'A-1002') } };
    expect(stack.wholeRequests()).toEqual([expected, second]);
  });

  test('to a number in India asks first, to another it goes', async () => {
    const asha = stack.person(ASHA);
    await asha.command(TEAM, `/sms ${CUSTOMER} Come by.`);
    await stack.eventually('the request', () => stack.wholeRequests().length === 1);
    const form = await asha.openForm(TEAM, `/sms ${TO_INDIA} Come by.`);
    expect(JSON.stringify(asha.views())).toContain(
      'Operators in India drop an SMS whose text is not registered',
    );
    expect(stack.wholeRequests()).toHaveLength(1);
    expect(await form.submit()).toEqual({ ok: true });
    await stack.eventually('the second', () => stack.wholeRequests().length === 2);
  });
});
