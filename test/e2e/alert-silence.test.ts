import { describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { alertmanagerBody } from '../http/recorded-alerts.ts';
import { runningStack } from './stack.ts';
import { ASHA, TEAM_CONFIGURATION } from './team.ts';

const CHANNEL = 'C0ALERTS';
const MEI = '+6591234567';
const env = { ALERTS_TOKEN_PROMETHEUS: 'a-token-for-prometheus' };
const EVERY_MS = 5_000;

const CONFIG = `${TEAM_CONFIGURATION}
alerts:
  groups: { oncall: [{ name: Mei, number: "${MEI}" }] }
  sources: [{ name: prometheus, token: ALERTS_TOKEN_PROMETHEUS, channel: ${CHANNEL} }]
  rules: [{ name: Watchdog, channel: ${CHANNEL}, from: { sources: [prometheus] }, expect: { every: ${EVERY_MS / 1_000}s }, notify: [oncall] }]
`;

/* Alertmanager’s own sign of life, which always fires, stops and comes back. */
describe('silence', () => {
  const stack = runningStack({ config: CONFIG, env });

  async function beat(): Promise<void> {
    const url = `${stack.heraldUrl}/alerts/${env.ALERTS_TOKEN_PROMETHEUS}`;
    const body = JSON.stringify(alertmanagerBody('Watchdog'));
    expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
  }
  const flashes = () => stack.phone(MEI).map(({ text }) => text);
  const says = (pattern: RegExp) =>
    stack.eventually(`a message like ${pattern}`, () =>
      stack.messages().some(({ channel, text = '' }) => channel === CHANNEL && pattern.test(text)),
    );
  /** Beats for more than a period. */
  async function alive(): Promise<void> {
    const until = stack.now() + 1.5 * EVERY_MS;
    await expect
      .poll(
        async () => {
          await beat();
          return stack.now();
        },
        { interval: EVERY_MS / 8, timeout: 4 * EVERY_MS },
      )
      .toBeGreaterThan(until);
  }

  test('is noticed once, by phone and in the channel, is over with a sign of life, and comes again', async () => {
    await alive();
    expect(flashes()).toEqual([]);
    await stack.eventually('the flash SMS', () => flashes().length === 1);
    expect(flashes()[0]).toMatch(/^Nothing from “Watchdog” since \d\d:\d\d/);
    await says(/^🚨 \*Nothing from “Watchdog” since/);
    await stack.killHerald();
    await stack.restart();
    await beat();
    // Slack may take the word later than the next sign is due.
    await Promise.all([says(/^✅ \*Nothing from “Watchdog” since/), alive()]);
    expect(flashes()).toHaveLength(1);
    await stack.eventually('the next', () => flashes().length === 2);
    await stack.person(ASHA).command(CHANNEL, '/herald alerts');
    await stack.eventually('what is expected', () =>
      stack
        .person(ASHA)
        .messages(CHANNEL)
        .some((one) => /Expects a sign of life every 5 s; the last came/.test(messageText(one))),
    );
  });
});
