import { describe, expect, test } from 'vitest';
import type { SlackFile } from '../../sandbox/protocol.ts';
import { clickOn, reached } from './bulk-steps.ts';
import { ASHA, RAVI, runningStack, TEAM } from './stack.ts';
import { APPROVALS, TEAM_CONFIGURATION } from './team.ts';

const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [S0MANAGERS], over: 1 }
frequencyCap: { perNumber: 1, hours: 24 }
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

describe('the review of a list', () => {
  const stack = runningStack({ config: CONFIG });

  /** Files that Asha was given directly. */
  const given = (name: RegExp): SlackFile | undefined => {
    const { channels, messages } = stack.workspace.snapshot();
    const im = channels.find(({ kind, userId }) => kind === 'im' && userId === ASHA);
    const files = messages
      .filter(({ channel }) => channel === im?.id)
      .flatMap((message) => message.files ?? []);
    return files.findLast((file) => name.test(file.name));
  };

  async function contentOf(file: SlackFile): Promise<string> {
    const headers = { authorization: 'Bearer xoxb-sandbox-bot' };
    return (await fetch(file.url_private_download, { headers })).text();
  }

  test('its number is that of the card and of the report, whatever leaves rows out', async () => {
    const asha = stack.person(ASHA);
    const words = () => JSON.stringify(asha.views());
    const conversation = stack.from(asha);
    await asha.command(TEAM, `/sms ${numberOf(4)} You were told today.`);
    await conversation.message(/accepted by the service/i);
    stack.carrier.reset();
    const message = await asha.post(TEAM, 'Customers', [await asha.upload('customers.csv', LIST)]);
    const upload = await asha.openFormByShortcut('use_as_audience', message);
    await upload.submit();
    await stack.eventually('the audience', () => /is saved\..*, 5 people/.test(words()));
    await upload.close();
    await asha.command(TEAM, `/optout add ${numberOf(5)}`);
    await conversation.message(/opt-out list/i);

    const form = await asha.openForm(TEAM, '/chatapp');
    await form.chooseTemplate('order_update');
    await form.choose('recipients', 'audience');
    await form.chooseSuggested('audience', 'customers');
    await form.submit();
    await stack.eventually('the review', () => words().includes('*2 of 7 people get it.*'));
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
      expect(words()).toContain(sentence);
    expect(words()).not.toContain(numberOf(2));
    await form.choose('params.1', 'Order_No');
    await stack.eventually('the other column', () =>
      words().includes('Hello Asha, your order A-1 is on its way.'),
    );
    await form.press('Next row');
    await stack.eventually('the next row', () =>
      words().includes('Hello Fay, your order A-6 is on its way.'),
    );
    expect(await form.submit()).toEqual({ ok: true });
    const card = () =>
      JSON.stringify(stack.workspace.snapshot().messages.filter(({ channel }) => channel === APPROVALS));
    await stack.eventually('the card', () => card().includes('Approve 2'));
    await form.close();
    await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
    await stack.eventually('the report', () => given(/^(?!.*sample)/));
    expect(reached(stack).toSorted()).toEqual(FITTING);
    const report = await contentOf(given(/^(?!.*sample)/) as SlackFile);
    expect(report.match(/,accepted,/g)).toHaveLength(2);
    expect(report.match(/,skipped,/g)).toHaveLength(3);
  });

  test('a sample comes directly, and a wrong column and a wrong file are corrected where they stand', async () => {
    const asha = stack.person(ASHA);
    const words = () => JSON.stringify(asha.views());
    const form = await asha.openForm(TEAM, '/chatapp');
    await form.chooseTemplate('order_update');
    await form.choose('recipients', 'file');
    await form.press('Get a sample file');
    expect(words()).toContain('The sample is in your direct messages with Herald');
    const sample = await stack.eventually('the sample', () => given(/^order_update-sample\.csv$/));
    const content = await contentOf(sample);
    expect(content.split('\r\n', 2)).toEqual(['phone,customer,order', '+12025550101,Asha,A-1001']);
    await form.press('More');
    form.attach('file', [await asha.upload('sample.csv', content)]).fill('campaignName', 'Diwali');
    await form.submit();
    await stack.eventually('the review', () => words().includes('*3 of 3 people get it.*'));
    const review = asha.form();
    await review.press('Correct the list');
    review.attach('file', [await asha.upload('customers.csv', LIST)]);
    await review.submit();
    await stack.eventually('the other file', () => words().includes(' of 7 people get it.*'));
    const again = asha.form();
    expect(again.value('campaignName')).toMatchObject({ value: 'Diwali' });
    expect(again.value('params.0')).toMatchObject({ selected_option: { value: '{{CUSTOMER}}' } });
    await again.press('Correct the list');
    await again.choose('numberColumn', 'Order_No');
    const refused = JSON.stringify(await again.submit());
    await stack.eventually('why not', () =>
      /None of the 7 rows can be sent to \(7 wrong numbers\)/.test(refused + words()),
    );
    await again.choose('numberColumn', 'Phone');
    expect(await again.submit()).toEqual({ ok: true });
    await stack.eventually('the column', () => words().includes('numbers from “Phone”'));
    await again.close();
  });
});
