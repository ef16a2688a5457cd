import { describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { runningStack } from './stack.ts';
import { ASHA, CUSTOMER, TEAM_CONFIGURATION } from './team.ts';

const OPERATORS = 'C0ALERTS';
const CONFIG = `${TEAM_CONFIGURATION}
operators: ${OPERATORS}
`;

describe('the operators’ channel', () => {
  const stack = runningStack({ config: CONFIG, isQuick: true });

  const told = () =>
    stack
      .messages()
      .filter(({ channel }) => channel === OPERATORS)
      .map(messageText)
      .filter((text) => /Herald needs somebody|It is over/.test(text));

  test('hears once that the key is refused, over a restart, and once that it is over', async () => {
    stack.carrier.setFaults([{ do: { type: 'status', status: 401 } }]);
    await stack.says(ASHA, `/sms ${CUSTOMER} First`, /nothing was sent/i);
    await stack.eventually('the word', () => told().length === 1, 40_000);
    expect(told()[0]).toMatch(/Herald needs somebody.*refuses Herald’s API key \(HTTP 401\)/s);

    await stack.restart();
    await stack.says(ASHA, `/sms ${CUSTOMER} Second`, /nothing was sent/i);
    stack.carrier.reset();
    await stack.says(ASHA, `/sms ${CUSTOMER} Third`, /accepted by the service/i);
    await stack.eventually('the end', () => told().length === 2, 90_000);
    expect(told()[1]).toMatch(/It is over.*after .*refuses Herald’s API key/s);
  });

  test('hears that somebody asked for no more messages whose number Herald could not read', async () => {
    const before = told().length;
    for (const from of ['a-customer', 'another-customer'])
      expect(await stack.webhook({ from, text: 'STOP' })).toBe(200);
    await stack.eventually('the word', () => told().length > before, 40_000);
    expect(told().slice(before)).toEqual([
      expect.stringMatching(/needs somebody.*could not read who.*type \/optout add/s),
    ]);
  });
});
