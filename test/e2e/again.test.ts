import { beforeEach, describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import type { SandboxMessage } from '../../sandbox/protocol.ts';
import { clickOn, reached, sendToMany } from './bulk-steps.ts';
import { runningStack } from './stack.ts';
import { APPROVALS, ASHA, CUSTOMER, MEI, RAVI, TEAM, TEAM_CONFIGURATION } from './team.ts';

/* What was sent once is sent again: a message that failed by its own form, any other as something new. */

const CONFIG = `${TEAM_CONFIGURATION}
approvals: { channel: ${APPROVALS}, approvers: [${RAVI}], over: 1 }
`;
const OTHERS = ['+919812345001', '+919812345002'];

describe('again', () => {
  const stack = runningStack({ config: CONFIG });
  beforeEach(() => {
    stack.carrier.reset();
    stack.carrier.setFaults([]);
  });

  const idIn = (message: SandboxMessage) => /Reference (S-\w+)/.exec(messageText(message))?.[1] ?? '';
  const windowOf = (userId: string) => JSON.stringify(stack.person(userId).views().at(-1)?.blocks ?? []);
  const requests = () => stack.carrier.state().requests.length;

  /** Nobody knows whether it has arrived; the carrier has taken it. */
  async function unknownTo(number: string, text: string): Promise<SandboxMessage> {
    const asha = stack.person(ASHA);
    const channel = stack.from(asha);
    stack.carrier.setFaults([{ number, do: { type: 'reset_before_answer' } }]);
    await asha.command(TEAM, `/sms ${number} ${text}`);
    const card = await channel.message(/may have been sent[\s\S]*\[Send again…\]/);
    stack.carrier.setFaults([]);
    return card;
  }

  test('an unknown message, by two people at once, reaches the customer once more and not twice', async () => {
    const text = 'Your table is ready.';
    const card = await unknownTo(CUSTOMER, text);
    const [asha, ravi, mei] = [ASHA, RAVI, MEI].map((userId) => stack.person(userId));
    if (!asha || !ravi || !mei) throw new Error('Somebody is missing.');
    expect(requests()).toBe(1);

    for (const person of [asha, ravi]) await person.press('send_again', { message: card });
    const forms = [asha.form(), ravi.form()] as const;
    for (const form of forms) {
      expect(form.value('to')).toMatchObject({ value: CUSTOMER });
      expect(form.value('text')).toMatchObject({ value: text });
      expect(form.paths()).not.toContain('recipients');
    }
    expect(windowOf(ASHA)).toContain('it may arrive twice');
    // Who asks for one's own, or may see whole numbers, gets the form; others would see the number in it.
    await mei.click('send_again', { message: card });
    await stack.told(MEI, /full numbers[\s\S]*Nothing was sent/);

    const answers = await Promise.all(forms.map((form) => form.submit()));
    const late = answers.find(({ ok }) => !ok);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(JSON.stringify(late)).toMatch(
      /has sent S-\w+ again already, as S-\w+\. It was not sent once more/,
    );
    for (const form of forms) if (form.open) await form.close();

    const second = await stack.untilShown(TEAM, /accepted by the service[\s\S]*Sends S-/);
    expect(messageText(second)).toContain(`Sends ${idIn(card)} again`);
    await stack.untilShown(
      TEAM,
      new RegExp(`may have been sent[\\s\\S]*Sent again by[\\s\\S]*${idIn(second)}(?![\\s\\S]*Send again…)`),
    );
    expect(requests()).toBe(2);
    expect(reached(stack)).toEqual([CUSTOMER, CUSTOMER]);

    await asha.command(TEAM, `/sends ${idIn(card)}`);
    await stack.told(ASHA, new RegExp(`Sent again by[\\s\\S]*${idIn(second)}[\\s\\S]*Record`));
    await asha.command(TEAM, `/sends ${idIn(second)}`);
    await stack.told(
      ASHA,
      new RegExp(`Type[\\s\\S]*TRANS[\\s\\S]*Sends ${idIn(card)} again · [\\s\\S]*HTTP 200[\\s\\S]*Record`),
    );
    expect(requests()).toBe(2);
  });

  test('the whole number is told to who sent it, and to nobody else', async () => {
    const card = await unknownTo(CUSTOMER, 'Who are you?');
    const whole = '+65 9123 4567';
    await clickOn(stack, ASHA, TEAM, 'send_number');
    expect(await stack.told(ASHA, /The number of S-/)).toContain(`The number of ${idIn(card)} is ${whole}.`);
    await clickOn(stack, MEI, TEAM, 'send_number');
    await stack.told(MEI, /full numbers/);
    const inChannels = stack.messages().filter(({ ephemeralFor }) => ephemeralFor === undefined);
    expect(inChannels.map(messageText).join()).not.toMatch(/9123 ?4567/);
  });

  test('the message of a send, for others; its list, for another message, with an approval', async () => {
    await sendToMany(stack, 'We open at nine.', OTHERS);
    const ended = await stack.untilShown(TEAM, /: done[\s\S]*We open at nine[\s\S]*Send to this audience/);
    expect(reached(stack).toSorted()).toEqual(OTHERS);
    const asha = stack.person(ASHA);

    await asha.press('send_like_this', { message: ended });
    const like = asha.form();
    expect(like.value('text')).toMatchObject({ value: 'We open at nine.' });
    await like.choose('recipients', 'one');
    expect(like.value('to')?.value ?? null).toBeNull();
    await like.close();

    await asha.press('send_to_audience', { message: ended });
    const kinds = asha.form();
    await kinds.choose('kind', 'SMS');
    expect(await kinds.submit()).toEqual({ ok: true });
    await stack.eventually('the form', () => windowOf(ASHA).includes('*At most 2 of '));
    const form = asha.form();
    form.fill('text', 'We close at five.');
    expect(await form.submit()).toEqual({ ok: true });
    await stack.untilShown(APPROVALS, /please decide[\s\S]*We close at five/);
    await form.close();
    expect(reached(stack)).toHaveLength(2);
    await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
    await stack.eventually('everybody once more', () => reached(stack).length >= 4);
    expect(reached(stack).toSorted()).toEqual([...OTHERS, ...OTHERS].toSorted());
  });
});
