import { beforeEach, expect, test } from 'vitest';
import { runningStack } from './stack.ts';
import { ASHA, CUSTOMER, TEAM } from './team.ts';

/* What Slack delivers twice. The same signed request again, and what is not signed: test/trust/signatures.test.ts. */

const stack = runningStack();
beforeEach(() => stack.carrier.reset());

const duplicateNext = () =>
  stack.workspace.setFaults({ faults: [{ on: 'delivery', times: 1, do: 'duplicate' }] });

/** Nothing tells that a second request will never come; a later send that has come back does. */
async function sentOnce(what: string): Promise<void> {
  await stack.eventually('the request', () => stack.phone(CUSTOMER).length > 0);
  await stack.says(ASHA, `/flash +919812345678 The next one after ${what}`, /accepted[\s\S]*The next one/i);
  expect(stack.phone(CUSTOMER)).toHaveLength(1);
}

test('a command sends once', async () => {
  duplicateNext();
  await stack.person(ASHA).command(TEAM, `/flash ${CUSTOMER} Only once`);
  await sentOnce('a command');
});

test('a submitted form sends once', async () => {
  const form = await stack.person(ASHA).openForm(TEAM, '/flash');
  form.fill('to', CUSTOMER).fill('text', 'Only once, from a form');
  duplicateNext();
  await form.submit();
  await sentOnce('a form');
});
