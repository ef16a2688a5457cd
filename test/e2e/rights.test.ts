import { beforeEach, describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { clickOn } from './bulk-steps.ts';
import { runningStack } from './stack.ts';
import { APPROVALS, ASHA, CUSTOMER, MEI, RAVI, TEAM, TEAM_CONFIGURATION } from './team.ts';

const GUEST = 'U0GUEST';
/** Ravi approves; only Asha’s group sends SMS; flash SMS leave from a channel that Asha is not in. */
const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [${RAVI}], over: 2 }
pacing: { sms: { recipientsPerRequest: 1 } }
access: { send: { sms: [S0SUPPORT], flash: [C0PRIVATE] }, lists: [S0MANAGERS] }
`;
/** One that the service refuses, and one of whom nobody knows. */
const FAILING = ['+919999131009', '+919999800002'];

describe('rights are asked at every entrance', () => {
  const stack = runningStack({ config: CONFIG, isQuick: true });
  beforeEach(() => stack.carrier.reset());

  /** Does something as somebody, and waits for what only they are told. */
  async function told(userId: string, pattern: RegExp, deed: () => Promise<unknown>, channel = TEAM) {
    const conversation = stack.from(stack.person(userId), channel);
    await deed();
    const message = await conversation.message(pattern);
    expect(message.ephemeralFor).toBe(userId);
  }

  const inTeam = () => stack.messages().filter(({ channel }) => channel === TEAM);
  const filesOf = (channel: string) =>
    stack.messages().filter((one) => one.channel === channel && one.files?.length);
  /** Files that somebody was given but for reports of their own sends. */
  const takenBy = (userId: string) =>
    filesOf(userId.replace(/^U/, 'D')).filter(
      ({ files }) => !/-S-[0-9A-Z]{10}\.csv$/.test(files?.[0]?.name ?? ''),
    );

  /** Asha sends an SMS to two, both in vain; resolves with its reference once its end was told. */
  async function failedSend(text: string): Promise<string> {
    const asha = stack.person(ASHA);
    const form = await asha.openForm(TEAM, '/sms');
    await form.choose('recipients', 'numbers');
    form.fill('numbers', FAILING.join('\n')).fill('text', text);
    await form.submit();
    await stack.shows(/Send to 2/);
    await form.submit();
    const progress = await stack.untilShown(TEAM, new RegExp(`: done[\\s\\S]*${text}`));
    await form.close();
    const id = /S-[0-9A-Z]{10}/.exec(JSON.stringify(progress.blocks))?.[0] ?? '';
    await stack.eventually('the question', () =>
      inTeam().some((one) => JSON.stringify(one.blocks ?? []).includes(`unknown:${id}`)),
    );
    return id;
  }

  test('whoever may not try again or leave it is refused, and nothing is sent', async () => {
    await failedSend('Refused to others.');
    const before = stack.wholeRequests().length;
    for (const [userId, action, refusal] of [
      [MEI, 'send_retry_failed', /Only @support may send this kind of message; ask one of them/],
      [MEI, 'send_retry_unknown', /Only @support may send this kind of message/],
      [MEI, 'send_leave', /Only @ravi, @support may send this kind of message/],
      [GUEST, 'send_retry_failed', /Guests and people of other workspaces may not/],
      [GUEST, 'send_retry_unknown', /Guests and people of other workspaces may not/],
    ] as const) {
      await told(userId, refusal, () => clickOn(stack, userId, TEAM, action));
      expect(JSON.stringify(inTeam().map(({ blocks }) => blocks))).toContain(action);
    }
    expect(stack.wholeRequests()).toHaveLength(before);
  });

  test('guests send nothing, be it open to everybody else', async () => {
    await told(GUEST, /Guests and people of other workspaces may not send/, () =>
      stack.person(GUEST).command(TEAM, `/rcs store_open ${CUSTOMER}`),
    );
    expect(stack.wholeRequests()).toEqual([]);
  });

  test('opt-outs are taken off, exported and imported by right alone', async () => {
    const mei = stack.person(MEI);
    const is = (pattern: RegExp) =>
      told(MEI, pattern, () => mei.command(TEAM, `/optout look up ${CUSTOMER}`));
    await told(MEI, /is on the opt-out list now/, () => mei.command(TEAM, `/optout add ${CUSTOMER}`));
    for (const [userId, refusal] of [
      [GUEST, /Guests and people of other workspaces may not/],
      [ASHA, /Only @managers may/],
    ] as const) {
      const person = stack.person(userId);
      for (const line of [`remove ${CUSTOMER}`, `add ${CUSTOMER}`, 'export', 'import']) {
        await told(userId, refusal, () => person.command(TEAM, `/optout ${line}`));
      }
      expect(takenBy(userId)).toEqual([]);
      expect(person.views()).toEqual([]);
    }
    await is(/has been on the opt-out list since/);
    await told(MEI, /no longer on/, () => mei.command(TEAM, `/optout remove ${CUSTOMER}`));
  });

  test('audiences of others stand; the catalogue is exported by right alone', async () => {
    const mei = stack.person(MEI);
    const file = await mei.upload('vip.csv', `phone\n${CUSTOMER}`);
    const form = await mei.openForm(TEAM, '/audiences upload VIP');
    form.attach('file', [file]);
    expect(await form.submit()).toEqual({ ok: true });
    await stack.eventually('the audience', () => JSON.stringify(mei.views()).includes('is saved.'));
    await form.close();
    for (const userId of [GUEST, ASHA]) {
      const person = stack.person(userId);
      for (const line of ['/audiences delete VIP', '/audiences look VIP', '/templates export'])
        await told(userId, /may (not )?(change|take)/, () => person.command(TEAM, line));
      expect(takenBy(userId)).toEqual([]);
    }
    await told(MEI, /VIP – 1 person/, () => mei.command(TEAM, '/audiences look VIP'));
  });

  test('sends of others are no business of guests; whole numbers are for who asked and approvers', async () => {
    const id = await failedSend('Whose report?');
    const guest = stack.person(GUEST);
    for (const [userId, sees] of [
      [GUEST, false],
      [MEI, true],
    ] as const) {
      await stack.workspace.act({ type: 'home_opened', as: userId });
      const home = await stack.eventually('Home', () => stack.workspace.snapshot().homes[userId]);
      expect(JSON.stringify(home.blocks).includes('Whose report?')).toBe(sees);
    }
    for (const line of ['/sends all', `/sends ${id}`])
      await told(GUEST, /Guests and people of other workspaces may not see/, () => guest.command(TEAM, line));
    // The report itself: to who asked, and to an approver who asks for it; nowhere else.
    const direct = await stack.eventually('the report', () =>
      filesOf('D0ASHA').find(({ files }) => files?.[0]?.name.endsWith(`-${id}.csv`)),
    );
    expect(direct.files).toHaveLength(1);
    for (const userId of [GUEST, MEI])
      await told(userId, /full numbers/, () => clickOn(stack, userId, TEAM, 'sends_report'));
    await told(RAVI, /sent to you directly/, () => clickOn(stack, RAVI, TEAM, 'sends_report'));
    expect(filesOf('D0RAVI')).toHaveLength(1);
    await told(MEI, /Record/, () => stack.person(MEI).command(TEAM, `/sends ${id}`));
    expect([...filesOf(TEAM), ...filesOf('D0MEI'), ...filesOf('D0GUEST')]).toEqual([]);
    expect(inTeam().map(messageText).join()).not.toContain(FAILING[0]?.slice(1));
  });

  test('a right of a channel is not met by choosing that channel, in a form or in a workflow', async () => {
    const asha = stack.person(ASHA);
    const form = await asha.openFormByShortcut('send_message');
    await form.choose('kind', 'Flash SMS');
    await form.submit();
    await stack.eventually('the form', () => form.view.callback_id === 'flash');
    form.fillAll({ to: CUSTOMER, text: 'Now.' }).chooseConversation('channel', 'C0PRIVATE');
    expect(await form.submit()).toMatchObject({ ok: false });
    await form.close();
    const run = await asha.runStep('send_flash_sms', {
      channel: 'C0PRIVATE',
      to: CUSTOMER,
      text: 'Now.',
    });
    expect(run.outputs).toMatchObject({ status: 'refused' });
    expect(stack.wholeRequests()).toEqual([]);
  });
});
