import { expect, test } from 'vitest';
import { clickOn, reached } from './bulk-steps.ts';
import { runningStack } from './stack.ts';
import { APPROVALS, ASHA, RAVI, TEAM, WITH_APPROVALS } from './team.ts';

const CONFIG = `${WITH_APPROVALS}frequencyCap: { perNumber: 1, hours: 24 }
`;
const numberOf = (n: number) => `+91981234570${n}`;
const FITTING = [numberOf(1), numberOf(6)];
const LIST = [
  'Phone,Customer name,CUSTOMER,Order_No,order',
  `${numberOf(1)},Asha Rao,Asha,A-1,first`,
  `${numberOf(1)},Asha Rao,Asha,A-1,first`,
  `${numberOf(2)},Bo Tan,,A-2,second`,
  '12345,Nobody,Nobody,A-3,third',
  `${numberOf(4)},Dee Lee,Dee,A-4,fourth`,
  `${numberOf(5)},Eli Ng,Eli,A-5,fifth`,
  `${numberOf(6)},Fay Ray,Fay,A-6,sixth`,
].join('\n');

const stack = runningStack({ config: CONFIG });

const report = () =>
  stack.messages().flatMap(({ channel, files = [] }) => (channel === 'D0ASHA' ? files : []))[0];

test('its number is that of the card and of the report, whatever leaves rows out', async () => {
  const asha = stack.person(ASHA);
  const conversation = stack.from(asha);
  await asha.command(TEAM, `/sms ${numberOf(4)} You were told today.`);
  await conversation.message(/accepted by the service/i);
  stack.carrier.reset();
  const message = await asha.post(TEAM, 'Customers', [await asha.upload('customers.csv', LIST)]);
  const upload = await asha.openFormByShortcut('use_as_audience', message);
  await upload.submit();
  await stack.shows(/is saved\..*, 5 people/);
  await upload.close();
  await asha.command(TEAM, `/optout add ${numberOf(5)}`);
  await conversation.message(/opt-out list/i);

  const form = await asha.openForm(TEAM, '/chatapp');
  await form.chooseTemplate('order_update');
  await form.choose('recipients', 'audience');
  await form.chooseSuggested('audience', 'customers');
  await form.submit();
  await stack.shows(/\*2 of 7 people get it\.\*/);
  expect(form.value('params.0')).toMatchObject({ selected_option: { value: '{{CUSTOMER}}' } });
  expect(form.value('params.1')).toMatchObject({ selected_option: { value: '{{order}}' } });
  for (const sentence of [
    '1 wrong number, 1 twice, ',
    '1 without “CUSTOMER”',
    '1 opted out',
    '1 had enough messages lately',
    '+91 ••••• •5702',
    'The value for “customer” is empty.',
    '•••45',
    'Hello Asha, your order first is on its way.',
  ])
    expect(stack.words()).toContain(sentence);
  expect(stack.words()).not.toContain(numberOf(2));
  await form.choose('params.1', 'Order_No');
  await stack.shows(/Hello Asha, your order A-1 is on its way\./);
  await form.press('Next row');
  await stack.shows(/Hello Fay, your order A-6 is on its way\./);
  expect(await form.submit()).toEqual({ ok: true });
  const card = () => JSON.stringify(stack.messages().filter(({ channel }) => channel === APPROVALS));
  await stack.eventually('the card', () => card().includes('Approve 2'));
  await form.close();
  await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
  const content = await stack.download(await stack.eventually('the report', report));
  expect(reached(stack).toSorted()).toEqual(FITTING);
  expect(content.match(/,accepted,/g)).toHaveLength(2);
  expect(content.match(/,skipped,/g)).toHaveLength(3);
});
