import { expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { runningStack } from './stack.ts';
import { ASHA, CUSTOMER, TEAM } from './team.ts';

/** More than Slack takes in a burst. */
const SENDS = 15;
/** They come one a second, as Slack takes them. */
const PATIENCE_MS = 3 * SENDS * 1_000;

const stack = runningStack({ isQuick: true });

test.each([
  ['a service that answers at once', 0],
  // Then each is told of twice: “sending…” is posted and updated.
  ['a slow service', 2_500],
])(
  'many sends at once to %s: Slack refuses no post and no update, and each stands in one message',
  async (_name, ms) => {
    stack.carrier.setFaults([{ do: { type: 'delay', ms } }]);
    const asha = stack.person(ASHA);
    const earlier = new Set(asha.messages(TEAM).map(({ ts }) => ts));
    const callsBefore = stack.workspace.apiCalls().length;
    for (let count = 0; count < SENDS; count += 1)
      expect(await asha.command(TEAM, `/flash ${CUSTOMER} Flood ${count}, after ${ms} ms`)).toMatchObject({
        ok: true,
      });
    const texts = () => asha.messages(TEAM).flatMap((one) => (earlier.has(one.ts) ? [] : messageText(one)));
    const references = () =>
      texts().flatMap((text) => [...new Set(text.match(/Reference S-[0-9A-Z]{10}/g) ?? [])]);
    await stack.eventually(
      'every result',
      () => new Set(references()).size === SENDS && !texts().some((text) => text.includes('sending…')),
      PATIENCE_MS,
    );
    expect(references()).toHaveLength(SENDS);
    const refused = stack.workspace
      .apiCalls()
      .slice(callsBefore)
      .filter(({ answer }) => !answer.ok && answer.error === 'ratelimited');
    expect(refused).toEqual([]);
  },
);
