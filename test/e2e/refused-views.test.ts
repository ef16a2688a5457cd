import { beforeEach, describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { runningStack } from './stack.ts';
import { ASHA, CUSTOMER, TEAM } from './team.ts';

/* What Slack does not take as blocks is said all the same: an answer as text, a window as a sentence. */

describe('blocks that Slack refuses', () => {
  const stack = runningStack();
  beforeEach(async () => {
    stack.workspace.setFaults({ faults: [] });
    await stack.closeViews();
  });

  const refuse = (method: string, error: string, times = 1) =>
    stack.workspace.setFaults({ faults: [{ on: 'api', method, times, do: 'error', error }] });

  test.each(['invalid_blocks', 'msg_too_long'])('an answer (%s) is said in plain text', async (code) => {
    const asha = stack.person(ASHA);
    await stack.says(ASHA, `/sms ${CUSTOMER} Hello & welcome, ${code}`, /accepted by the service/);
    // The table, and the lines in its place.
    refuse('response_url', code, 2);
    const answers = stack.from(asha);
    await asha.command(TEAM, '/sends');
    const told = await answers.message(/Your sends/);
    expect(told.blocks ?? []).toEqual([]);
    expect(told.text).toContain('Hello &amp; welcome');
    expect(told.ephemeralFor).toBe(ASHA);
    expect(answers.texts()).toHaveLength(1);
  });

  test.each(['invalid_arguments', 'view_too_large'])('Home (%s) says so', async (code) => {
    refuse('views.publish', code);
    await stack.workspace.act({ type: 'home_opened', as: ASHA });
    await stack.eventually('the sentence', () =>
      JSON.stringify(stack.workspace.snapshot().homes[ASHA]?.blocks ?? '').includes(
        `Slack refused what Home would show (${code}). Nothing was sent or changed.`,
      ),
    );
  });

  /** What Herald says to Asha directly, or to her alone in the channel. */
  const words = async (deed: () => Promise<unknown>, pattern: RegExp) => {
    const known = new Set(stack.messages().map(({ ts }) => ts));
    const fresh = () => stack.messages().filter(({ ts }) => !known.has(ts));
    await deed();
    await stack.eventually('a word to Asha', () => fresh().some((one) => pattern.test(messageText(one))));
    return fresh().length;
  };

  const NOT_SHOWN = /^Slack did not show this in the window \(invalid_arguments\)\. Nothing was sent\./;

  test('a preview that is not shown is told once', async () => {
    const asha = stack.person(ASHA);
    const form = await asha.openForm(TEAM, '/sms');
    refuse('views.update', 'invalid_arguments', 2);
    const type = (text: string) => void form.enter('text', text).catch(() => undefined);
    expect(await words(async () => type('Hello'), NOT_SHOWN)).toBe(1);
    const again = async () => {
      type('Hello there');
      await form.enter('text', 'Hello there, Asha');
      await asha.command(TEAM, '/sends nonsense');
    };
    expect(await words(again, /does not know “nonsense”/)).toBe(1);
    // Of what was typed at once only the last may have been shown, and refused.
    await form.enter('text', 'Hello there, all of you');
    await stack.eventually('the preview', () =>
      JSON.stringify(form.view.blocks).includes('Hello there, all of you'),
    );
  });
});
