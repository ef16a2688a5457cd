import { beforeEach, describe, expect, test } from 'vitest';
import { askByNumbers, clickOn, NUMBERS, reached } from './bulk-steps.ts';
import { runningStack } from './stack.ts';
import { APPROVALS, ASHA, RAVI, TEAM, WITH_APPROVALS } from './team.ts';

describe('a bulk send', () => {
  const stack = runningStack({ config: WITH_APPROVALS, isQuick: true });
  beforeEach(() => stack.carrier.reset());

  /** The latest approval card; what single people are told beside it is none. */
  const card = () =>
    stack
      .messages()
      .findLast(
        (message) =>
          message.channel === APPROVALS && /approval:S-/.test(JSON.stringify(message.blocks ?? '')),
      );

  test('waits for a manager, reaches everybody once, and reports', async () => {
    await askByNumbers(stack, APPROVALS, 'The shop opens at nine.');
    expect(reached(stack)).toEqual([]);
    await clickOn(stack, ASHA, APPROVALS, 'approval_approve');
    expect(reached(stack)).toEqual([]);
    await Promise.all(Array.from({ length: 10 }, () => clickOn(stack, RAVI, APPROVALS, 'approval_approve')));
    await stack.eventually('everybody', () => reached(stack).length >= NUMBERS.length);
    await stack.eventually('the end', () =>
      stack
        .messages()
        .some(
          ({ channel, text, blocks }) =>
            channel === TEAM && /done/i.test(text + JSON.stringify(blocks ?? '')),
        ),
    );
    expect(reached(stack).toSorted()).toEqual(NUMBERS);
    await stack.eventually(
      'the card without its buttons',
      () => !JSON.stringify(card()).includes('approval_approve"'),
    );
    await stack.eventually('its links', () => /Progress>.*Report>/.test(JSON.stringify(card())));
    const updates = stack.workspace.apiCalls().filter(({ method }) => method === 'chat.update');
    const ofCard = updates
      .map(({ args }) => JSON.stringify(args))
      .filter((one) => one.includes('approval:S-'));
    // One Approve draws the card once; what follows are links to what was posted since.
    expect(ofCard.filter((one) => !one.includes('|Report>'))).toHaveLength(1);
    expect(updates.length).toBeLessThanOrEqual(4);
  });

  test('of reply buttons is taken back, changed button by button, and asked for again', async () => {
    const title = (index: number) => `interactive.action.buttons.${index}.reply.title`;
    const asha = stack.person(ASHA);
    const form = await asha.openForm(TEAM, '/chatapp interactive');
    await form.choose('recipients', 'numbers');
    form.fillAll({ numbers: NUMBERS.slice(0, 2).join('\n'), 'interactive.body.text': 'Which day?' });
    await form.press('Set ids myself');
    form.fill(title(0), 'Saturday').fill('interactive.action.buttons.0.reply.id', 'saturday');
    await form.press('Add a button (2 left)');
    form.fill(title(1), 'Sundae');
    await form.submit();
    await stack.review();
    await form.submit();
    await stack.eventually('the card', () => JSON.stringify(card() ?? '').includes('[ Sundae ]'));
    await form.close();
    const first = card();

    await asha.press('approval_edit', { ...(first ? { message: first } : {}) });
    const again = asha.form();
    expect(
      [title(0), title(1), 'interactive.action.buttons.0.reply.id'].map((path) => again.value(path)?.value),
    ).toEqual(['Saturday', 'Sundae', 'saturday']);
    again.fill(title(1), 'Sunday');
    await again.press('Move button 2 up');
    expect(await again.submit()).toEqual({ ok: true });
    await stack.eventually('the second card', () => card()?.ts !== first?.ts);
    await again.close();
    expect(JSON.stringify(card())).toContain('[ Sunday ]');
    const old = () => stack.messages().find(({ ts }) => ts === first?.ts);
    await stack.eventually(
      'the first card without its buttons',
      () => !JSON.stringify(old()).includes('approval_approve"'),
    );
    expect(reached(stack)).toEqual([]);

    await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
    await stack.eventually('everybody', () => reached(stack).length >= 2);
    expect(reached(stack).toSorted()).toEqual(NUMBERS.slice(0, 2));
    const bodies = stack.wholeRequests().map(({ body }) => body as { interactive: { action: unknown } });
    const reference = /~(S-[0-9A-Z]{10})/.exec(JSON.stringify(bodies[0]))?.[1];
    for (const { interactive } of bodies) {
      expect(interactive.action).toEqual({
        buttons: [
          { type: 'reply', reply: { id: `sunday~${reference}`, title: 'Sunday' } },
          { type: 'reply', reply: { id: 'saturday', title: 'Saturday' } },
        ],
      });
    }
  });
});
