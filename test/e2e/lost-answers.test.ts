import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type CuttableProxy, startProxy } from '../chaos/proxy.ts';
import { describeWithPostgres, freshDatabase } from '../postgres/database.ts';
import { reached } from './bulk-steps.ts';
import { type E2eStack, startStack } from './stack.ts';
import { ASHA, CUSTOMER, TEAM, TEAM_CONFIGURATION } from './team.ts';

/* PostgreSQL takes what it is given, and is cut off before it can say so. */

const CONFIG = `${TEAM_CONFIGURATION}
approvals: { approvers: [S0MANAGERS], over: 8 }
`;
const FEW = ['+919812345001', '+919812345002', '+919812345003'];

await describeWithPostgres('an answer of the database that is lost', () => {
  let stack: E2eStack;
  let way: CuttableProxy;
  beforeAll(async () => {
    way = await startProxy(await freshDatabase());
    stack = await startStack({ config: CONFIG, env: { DATABASE_URL: way.url } });
  });
  afterAll(async () => {
    way?.restore();
    await stack?.stop();
    way?.close();
  });
  beforeEach(() => stack.carrier.reset());

  const told = () => JSON.stringify(stack.messages());

  test('is found out: one message goes to the customer, and nobody is told that nothing was sent', async () => {
    const conversation = stack.from(stack.person(ASHA));
    way.loseAnswer('insert_into_sends');
    await stack.person(ASHA).command(TEAM, `/sms ${CUSTOMER} Taken all the same`);
    await conversation.message(/accepted by the service/i);
    expect(stack.phone(CUSTOMER)).toHaveLength(1);
    expect(conversation.texts().join()).not.toMatch(/Nothing was sent/);
  });

  test('is found out of a bulk send: everybody is reached, once', async () => {
    const asha = stack.person(ASHA);
    const form = await asha.openForm(TEAM, '/sms');
    await form.choose('recipients', 'numbers');
    form.fill('numbers', FEW.join('\n')).fill('text', 'Sealed all the same.');
    await form.submit();
    await stack.shows(/to 3|3 people/);
    way.loseAnswer('update_sends_set_state_to_digest');
    await form.submit();
    await stack.untilShown(TEAM, /: done[\s\S]*Sealed all the same/);
    expect(reached(stack).toSorted()).toEqual(FEW);
    expect(JSON.stringify(asha.views())).toContain('It is being sent');
    await form.close();
  });

  test('is not known while nothing answers: that it may be sent is said, and it is sent once', async () => {
    const conversation = stack.from(stack.person(ASHA));
    way.loseAnswersFrom('insert_into_sends');
    await stack.person(ASHA).command(TEAM, `/sms ${CUSTOMER} Nobody knows`);
    await conversation.message(/nobody knows whether it has this message: it may be sent/);
    expect(stack.phone(CUSTOMER)).toHaveLength(0);
    way.restore();
    await stack.eventually('the phone', () => stack.phone(CUSTOMER).length === 1);
    await conversation.message(/accepted by the service/i);
    expect(stack.phone(CUSTOMER)).toHaveLength(1);
    expect(told()).not.toMatch(/could not write this message/);
  });
});
