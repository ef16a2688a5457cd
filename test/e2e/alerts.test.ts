import { describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { ALERTS } from '../../sandbox/ui/chat/alert-samples.ts';
import { runningStack } from './stack.ts';
import { ASHA, RAVI, TEAM, TEAM_CONFIGURATION } from './team.ts';

const CHANNEL = 'C0ALERTS';
const MEI = '+6591234567';
const ARUN = '+919812345678';
const LENA = '+6591234568';

const CONFIG = `${TEAM_CONFIGURATION}
approvals: { approvers: [U0RAVI], over: 1 }
alerts:
  groups:
    oncall-sg: [{ name: Mei, number: "${MEI}" }]
    second: [{ name: Arun, number: "${ARUN}" }]
    slack: [{ user: U0ASHA }]
  rules:
    - { name: critical, channel: ${CHANNEL}, from: { apps: [A0GRAFANA] }, notify: [oncall-sg] }
    - name: ladder
      channel: C0APPROVALS
      match: "^escalate"
      notify: [oncall-sg]
      escalate: [{ afterMinutes: 0.05, notify: [second] }]
    - { name: everything, channel: ${TEAM}, match: "flood|fire", except: "Herald’s own test", capPerHour: 3, coolDownMinutes: 0.001, notify: [slack] }
`;

describe('alerts', () => {
  const stack = runningStack({ config: CONFIG });

  const newest = (channel: string) =>
    stack.messages().findLast((one) => one.channel === channel && one.thread_ts === undefined)?.ts ?? '';
  async function postAlert(content: object): Promise<string> {
    const act = { type: 'app_post', appId: 'A0GRAFANA', channel: CHANNEL, text: '', ...content } as const;
    expect(await stack.workspace.act(act)).toEqual({ ok: true });
    return newest(CHANNEL);
  }
  async function say(channel: string, text: string): Promise<string> {
    expect(await stack.workspace.act({ type: 'post', as: ASHA, channel, text })).toEqual({ ok: true });
    return newest(channel);
  }
  const threadText = (ts: string) => stack.thread(ts).map(messageText).join('\n');
  const flashes = (number: string) => stack.phone(number).filter(({ channel }) => channel === 'flash');
  const metrics = async () => (await fetch(`${stack.heraldUrl}/metrics`)).text();
  const told = (userId: string, channel: string) =>
    stack.person(userId).messages(channel).map(messageText).join('\n');

  test('of each source reach who is on call, and their threads tell of it', async () => {
    for (const content of Object.values(ALERTS)) {
      const before = flashes(MEI).length;
      const ts = await postAlert(content);
      await stack.eventually('the flash SMS', () => flashes(MEI).length === before + 1);
      await stack.eventually('the outcome', () => /Mei \+65 •••• 4567: ✅ accepted/.test(threadText(ts)));
      expect(stack.thread(ts)).toHaveLength(1);
    }
    expect(flashes(MEI)[0]?.text).toMatch(/^\[FIRING:1\] High CPU Production/);
    expect(stack.logs()).not.toContain(MEI.slice(1));
    // A thread may tell of the outcome before the send itself has done so, which is when it is measured.
    await expect.poll(metrics).toMatch(/^herald_alert_request_seconds_count 6$/m);
    expect(await metrics()).toMatch(/^herald_alert_events_total{result="sent"} 6$/m);
  });

  test('are acknowledged once, by one of two, and escalate no further', async () => {
    const before = flashes(ARUN).length;
    const ts = await say('C0APPROVALS', 'Escalate this to nobody');
    const card = await stack.eventually('the card', () => stack.thread(ts)[0]);
    await Promise.all([
      stack.person(RAVI).click('alert_acknowledge', { message: card }),
      stack.person(ASHA).click('alert_acknowledge', { message: card }),
    ]);
    await stack.eventually('the acknowledgement', () => /Acknowledged by/.test(threadText(ts)));
    await stack.eventually('what the slower is told', () =>
      /was quicker and has acknowledged it/.test(told(ASHA, 'C0APPROVALS') + told(RAVI, 'C0APPROVALS')),
    );
    expect(threadText(ts)).toMatch(/Escalation\*? to @second: not needed any more/);
    expect(flashes(ARUN)).toHaveLength(before);
  });

  test('that nobody acknowledges go to the next group, also when Herald was killed meanwhile', async () => {
    const before = flashes(ARUN).length;
    const ts = await say('C0APPROVALS', 'Escalate this through a crash');
    await stack.eventually('the first group', () => /Mei .*: ✅ accepted/.test(threadText(ts)));
    await stack.killHerald();
    await stack.restart();
    // What the killed one was telling of comes up again only after a while.
    await stack.eventually('the next group', () => /Arun .*: ✅ accepted/.test(threadText(ts)), 40_000);
    expect(flashes(ARUN)).toHaveLength(before + 1);
    expect(flashes(ARUN).at(-1)?.text).toBe('Nobody has acknowledged: Escalate this through a crash');
    expect(stack.thread(ts)).toHaveLength(1);
  });

  test('are acknowledged by an answer on the phone, too', async () => {
    const ts = await say('C0APPROVALS', 'Escalate this to who answers');
    await stack.eventually('the flash SMS', () => /Mei .*: ✅ accepted/.test(threadText(ts)));
    const messageId = flashes(MEI).findLast(({ text }) => /to who answers/.test(text))?.id ?? '';
    await stack.carrier.reply({ number: MEI, messageId, answer: { type: 'text', text: 'OK!' } });
    await stack.eventually('the acknowledgement', () => /Acknowledged by Mei,/.test(threadText(ts)));
    await stack.eventually('the answer', () => /\+65 •••• 4567 wrote:[\s\S]*OK!/.test(threadText(ts)));
  });

  test('of people with a number on file: entered in a form, held over the cap, never for Herald’s own messages', async () => {
    const asha = stack.person(ASHA);
    const ts = await say(TEAM, 'fire without a number');
    await stack.eventually('that nobody has one', () =>
      /nobody of it has a number on file/.test(threadText(ts)),
    );
    const form = await asha.openForm(TEAM, '/herald alerts numbers');
    form.fill('number', 'not a number');
    expect(await form.submit()).toMatchObject({ ok: false });
    form.fill('number', LENA);
    await form.submit();
    await stack.shows(/is on file: \+65 •••• 4568/);
    const floods = () => flashes(LENA).filter(({ text }) => text.includes('flood'));
    for (let index = 0; index < 8; index += 1) await say(TEAM, `flood number ${index}: fire`);
    await stack.eventually('that more are held', () => /has reached its limit of/.test(told(ASHA, TEAM)));
    await stack.eventually('the cap', () => floods().length === 3);
    // Which of them is the last is not said: two that Slack delivers at once may be kept in either order.
    const last = /^\(Last until \d\d:\d\d, more are held\) flood number \d/;
    expect(floods().filter(({ text }) => last.test(text))).toHaveLength(1);
    // Herald's cards and notes say “fire” and “flood”, too: each would be another alert.
    await asha.command(TEAM, '/herald alerts');
    await stack.eventually('the rules', () => /5 held until/.test(told(ASHA, TEAM)));
    expect(floods()).toHaveLength(3);
  });

  test('are listed with what is wrong, tried on yesterday’s messages, and muted by who may', async () => {
    const asha = stack.person(ASHA);
    await asha.command(TEAM, '/herald alerts try critical');
    await stack.eventually('the dry run', () => /critical\*?, tried on \d+ messages/.test(told(ASHA, TEAM)));
    expect(told(ASHA, TEAM)).toMatch(/It would have come to: \d+ sent/);
    await asha.command(TEAM, '/herald alerts mute critical 2h');
    await stack.eventually('the refusal', () => /Only approvers may mute a rule/.test(told(ASHA, TEAM)));
    await stack.person(RAVI).command(TEAM, '/herald alerts mute critical 2h');
    await stack.eventually('who muted it', () =>
      /🔇 .* has muted the rule critical/.test(told(ASHA, CHANNEL)),
    );
    const before = flashes(MEI).length;
    await postAlert({ text: 'Quiet: db-8 is down' });
    await stack.eventually('what is muted', async () => {
      await asha.command(TEAM, '/herald alerts');
      return /1 while muted/.test(told(ASHA, TEAM));
    });
    await stack.person(RAVI).command(TEAM, '/herald alerts unmute critical');
    await stack.eventually('that it is sent again', () => /🔔 .* has unmuted/.test(told(ASHA, CHANNEL)));
    const ts = await postAlert({ text: 'Loud: db-9 is down' });
    await stack.eventually('the outcome', () => /✅ accepted/.test(threadText(ts)));
    expect(
      flashes(MEI)
        .slice(before)
        .map(({ text }) => text),
    ).toEqual(['Loud: db-9 is down']);
    await asha.command(TEAM, '/herald alerts try none');
    await stack.eventually('which there are', () =>
      /There are: critical, ladder, everything/.test(told(ASHA, TEAM)),
    );
  });
});
