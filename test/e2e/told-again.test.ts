import { describe, expect, test } from 'vitest';
import { runningStack } from './stack.ts';
import { TEAM_CONFIGURATION } from './team.ts';

/* Events that Herald did not take in time come again, and what they tell of is done once. */

const CHANNEL = 'C0ALERTS';
const MEI = '+6591234567';
const CONFIG = `${TEAM_CONFIGURATION}
alerts:
  groups:
    oncall-sg: [{ name: Mei, number: "${MEI}" }]
  rules:
    - { name: critical, channel: ${CHANNEL}, from: { apps: [A0GRAFANA] }, notify: [oncall-sg] }
`;

describe('an alert that Slack tells again', () => {
  /** What the workspace will bring again, a minute or more from now: whenever a test says so. */
  let later: (() => void)[] = [];
  const bringAgain = () => {
    for (const run of later.splice(0)) run();
  };
  const clock = {
    now: () => Date.now(),
    after: (_ms: number, run: () => void) => {
      later.push(run);
      return () => {
        later = later.filter((one) => one !== run);
      };
    },
  };
  const stack = runningStack({ config: CONFIG, others: { clock, ackTimeoutMs: 1_000 } });

  const postAlert = (text: string) =>
    stack.workspace.act({ type: 'app_post', appId: 'A0GRAFANA', channel: CHANNEL, text });
  const flashes = () => stack.phone(MEI).map(({ text }) => text);
  const waits = () => expect.poll(() => later.length).toBe(1);

  test('after Herald was away, reaches who is on call', async () => {
    await stack.killHerald();
    await postAlert('db-1 is down');
    await waits();
    await stack.restart();
    expect(flashes()).toEqual([]);
    bringAgain();
    await stack.eventually('the flash SMS', () => flashes().length === 1);
    expect(later).toEqual([]);
  });

  test('while Herald stands still, reaches who is on call once', async () => {
    void stack.signal('SIGSTOP');
    await postAlert('db-2 is down');
    await waits();
    void stack.signal('SIGCONT');
    await stack.eventually('the flash SMS', () => flashes().length === 2);
    bringAgain();
    await postAlert('db-3 is down');
    await stack.eventually('the next one', () => flashes().some((text) => text.includes('db-3')));
    expect(flashes().map((text) => /db-\d/.exec(text)?.[0])).toEqual(['db-1', 'db-2', 'db-3']);
    expect(later).toEqual([]);
  });
});
