import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { runningStack } from './stack.ts';
import { ASHA, CUSTOMER, RAVI, TEAM, TEAM_CONFIGURATION } from './team.ts';

const CONFIG = `${TEAM_CONFIGURATION}
access: { lists: [U0ASHA] }
approvals: { channel: C0APPROVALS, approvers: [S0MANAGERS], over: 1 }
`;
/** In bytes; Slack takes 10 MB in a form. */
const ABOVE_A_FORM = 11 * 1024 * 1024;
const ROWS = 50_000;
const LIST = Array.from({ length: ROWS }, (_, n) => {
  const order = `A-${n}`;
  return `+9170${String(n).padStart(8, '0')},Customer ${n},${order.padEnd(210, '-')}\n`;
});
const WHOLE = Buffer.from(`phone,customer,order\n${LIST.join('')}`);

describe('a list that is too large for a form', () => {
  const stack = runningStack({ config: CONFIG });

  test.each([
    ['customers.csv', WHOLE],
    ['packed.csv.gz', gzipSync(WHOLE)],
  ])('%s is posted, saved from there under a name, and chosen for a send', async (name, content) => {
    expect(WHOLE.length).toBeGreaterThan(ABOVE_A_FORM);
    const asha = stack.person(ASHA);
    const message = await asha.post(TEAM, 'All customers', [await asha.upload(name, content)]);
    const upload = await asha.openFormByShortcut('use_as_audience', message);
    expect(await upload.submit()).toEqual({ ok: true });
    await stack.shows(/is saved\..* 50,000 people/);
    await upload.close();
    const form = await asha.openForm(TEAM, '/sms');
    await form.choose('recipients', 'audience');
    await form.chooseSuggested('audience', name.split('.', 1)[0] ?? '');
    form.fill('text', 'Hello {{customer}}');
    await form.submit();
    await stack.shows(/50,000 of [0-9,]+ people get it/);
    expect(stack.words()).toContain('Hello Customer 0');
    await form.close();
  });

  test('who lost the right since the form was opened saves nothing', async () => {
    const asha = stack.person(ASHA);
    const message = await asha.post(TEAM, '', [await asha.upload('late.csv', `phone\n${CUSTOMER}\n`)]);
    const form = await asha.openFormByShortcut('use_as_audience', message);
    await stack.restart({ config: CONFIG.replace('lists: [U0ASHA]', 'lists: [U0RAVI]') });
    const submitted = await form.submit();
    expect(JSON.stringify(submitted) + JSON.stringify(asha.views())).toMatch(/Only @ravi may .* Nothing was/);
    await stack.says(RAVI, '/audiences look late', /There is no audience “late”/);
  });
});

describe('opting out', () => {
  const stack = runningStack();
  beforeEach(() => stack.carrier.reset());

  test('stops every message to a number until it is taken off the list, also after a restart', async () => {
    const asha = stack.person(ASHA);
    const conversation = stack.from(asha);
    await asha.command(TEAM, `/optout add ${CUSTOMER}`);
    await conversation.message(/opt-out list/i);
    await asha.command(TEAM, `/sms ${CUSTOMER} Hello`);
    await conversation.message(/This number has opted out of messages\. Nothing was sent\./);
    await stack.restart({});
    await asha.command(TEAM, `/flash ${CUSTOMER} Hello`);
    await stack.eventually(
      'told again',
      () => conversation.texts().filter((text) => /has opted out of messages/.test(text)).length === 2,
    );
    expect(stack.wholeRequests()).toEqual([]);
    await asha.command(TEAM, `/optout remove ${CUSTOMER}`);
    await conversation.message(/no longer on the opt-out list/);
    await asha.command(TEAM, `/sms ${CUSTOMER} Hello again`);
    await conversation.message(/accepted by the service/i);
    expect(stack.wholeRequests()).toHaveLength(1);
    expect(conversation.texts().join()).not.toContain(CUSTOMER);
  });
});
