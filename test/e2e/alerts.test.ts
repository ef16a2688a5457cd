import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Mode } from '../../sandbox/herald-environment.ts';
import { messageText } from '../../sandbox/message-text.ts';
import type { SandboxMessage } from '../../sandbox/protocol.ts';
import { ALERTS } from '../slack/message-text/alerts.ts';
import { type E2eStack, RAVI, startStack } from './stack.ts';
import { TEAM_CONFIGURATION } from './team.ts';

const CHANNEL = 'C0ALERTS';
const MEI = '+6591234567';
const ARUN = '+919812345678';

const CONFIG = `${TEAM_CONFIGURATION}
alerts:
  groups:
    oncall-sg: [{ name: Mei, number: "${MEI}" }]
    second: [{ name: Arun, number: "${ARUN}" }]
  rules:
    - name: critical
      channel: ${CHANNEL}
      from: { apps: [A0GRAFANA] }
      match: "(critical|firing)"
      notify: [oncall-sg]
      escalate: [{ afterMinutes: 0.05, notify: [second] }]
`;

describe.each(['socket', 'http'] satisfies Mode[])('alerts, in %s mode', (mode) => {
  let stack: E2eStack;
  beforeAll(async () => {
    stack = await startStack({ mode, config: CONFIG });
  });
  afterAll(() => stack?.stop());

  const post = async (content: object) => {
    const result = await stack.workspace.act({
      type: 'app_post',
      appId: 'A0GRAFANA',
      channel: CHANNEL,
      text: '',
      ...content,
    });
    expect(result).toEqual({ ok: true });
    const message = stack.workspace
      .snapshot()
      .messages.findLast((one) => one.channel === CHANNEL && one.bot_id === 'B0GRAFANA');
    return message?.ts ?? '';
  };
  const thread = (ts: string): SandboxMessage[] =>
    stack.workspace.snapshot().messages.filter((message) => message.thread_ts === ts && message.ts !== ts);
  const flashes = (number: string) =>
    (stack.carrier.state().phones[number] ?? []).filter(({ channel }) => channel === 'flash');

  test('an alert is on the phone of who is on call, and its thread tells of it; acknowledged, nobody else is told', async () => {
    const ts = await post(ALERTS.grafana ?? {});
    await stack.eventually('the flash SMS', () => flashes(MEI).length === 1);
    expect(flashes(MEI)[0]?.text).toMatch(/^\[FIRING:1\] High CPU Production/);
    await stack.eventually('the outcome in the thread', () =>
      /Mei \+65 •••• 4567: ✅ accepted/.test(thread(ts).map(messageText).join('')),
    );
    expect(thread(ts)).toHaveLength(1);
    const [card] = thread(ts);
    const ravi = stack.person(RAVI);
    const block = (card?.blocks as { block_id: string; type: string }[]).find(
      ({ type }) => type === 'actions',
    );
    await stack.workspace.act({
      type: 'block_action',
      as: ravi.userId,
      container: { type: 'message', channel: CHANNEL, ts: card?.ts ?? '' },
      blockId: block?.block_id ?? '',
      actionId: 'alert_acknowledge',
      value: { type: 'button', value: JSON.stringify(card).match(/L-[0-9A-Z]{10}/)?.[0] ?? '' },
    });
    await stack.eventually('the acknowledgement on the card', () =>
      /Acknowledged by .*RAVI/i.test(JSON.stringify(thread(ts))),
    );
  });
});
