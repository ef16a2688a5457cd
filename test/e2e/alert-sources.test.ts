import { describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { runningStack } from './stack.ts';
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
    - { name: by app, channel: ${CHANNEL}, from: { apps: [A0GRAFANA, A0SENTRY] }, notify: [oncall-sg] }
    - { name: by bot, channel: ${CHANNEL}, from: { bots: [B0SENTRY] }, notify: [second] }
    - { name: by name, channel: ${CHANNEL}, from: { names: [pagerduty] }, notify: [second] }
    - { name: gone, channel: C0GONE, notify: [second] }
`;

/* Webhooks' messages name their bot alone, and in shared channels come from another workspace. */
describe('alerts by app', () => {
  const stack = runningStack({ config: CONFIG, isQuick: true });

  async function postAlert(text: string, content: { appId?: string; team?: string } = {}): Promise<string> {
    const act = { type: 'app_post', appId: 'A0GRAFANA', channel: CHANNEL, text, ...content } as const;
    expect(await stack.workspace.act(act)).toEqual({ ok: true });
    return stack.messages().findLast((message) => message.text === text)?.ts ?? '';
  }
  const untilAccepted = (ts: string) =>
    stack.eventually('the outcome', () =>
      stack
        .messages()
        .some((message) => message.thread_ts === ts && /✅ accepted/.test(messageText(message))),
    );
  const flashes = (number: string) => stack.phone(number).map(({ text }) => text);
  const botsAsked = () => stack.workspace.apiCalls().filter(({ method }) => method === 'bots.info').length;

  test('of a webhook reach who is on call; Slack is asked once whose it is', async () => {
    await untilAccepted(await postAlert('First: db-1 is down'));
    await untilAccepted(await postAlert('Second: db-2 is down'));
    expect(flashes(MEI)).toEqual(['First: db-1 is down', 'Second: db-2 is down']);
    expect(botsAsked()).toBe(1);
    await stack.person('U0ASHA').command(CHANNEL, '/herald alerts try by app');
    await stack.eventually('the dry run', () =>
      stack
        .person('U0ASHA')
        .messages(CHANNEL)
        .some((message) => /come to: 2 sent/.test(messageText(message))),
    );
  });

  test('by name reach who is on call, their message shows the state, and a dry run says who else posted', async () => {
    const ts = await postAlert('Named: db-9 is down', { appId: 'A0PAGERDUTY' });
    await untilAccepted(ts);
    expect(flashes(ARUN)).toEqual(['Named: db-9 is down']);
    const reactions = () =>
      stack
        .messages()
        .find((message) => message.ts === ts)
        ?.reactions?.map(({ name }) => name);
    await stack.eventually('the reaction', () => reactions()?.join() === 'rotating_light');
    const card = await stack.eventually('the card', () =>
      stack.messages().find(({ thread_ts, ts: own }) => thread_ts === ts && own !== ts),
    );
    await stack.person('U0ASHA').click('alert_acknowledge', { message: card });
    await stack.eventually('who looks after it', () => reactions()?.join() === 'eyes');
    await stack.person('U0ASHA').command(CHANNEL, '/herald alerts try by name');
    await stack.eventually('who posted what did not fit', () =>
      stack
        .person('U0ASHA')
        .messages(CHANNEL)
        .some((message) =>
          /2 × “Grafana” · app `A0GRAFANA` · bot `B0GRAFANA`: not among the sources/.test(
            messageText(message),
          ),
        ),
    );
  });

  test('of a channel that Herald does not see are told of in the list of rules and on Home', async () => {
    const asha = stack.person('U0ASHA');
    await asha.command(CHANNEL, '/herald alerts');
    await stack.eventually('the rules', () =>
      asha.messages(CHANNEL).some((message) => /⛔ Herald is not in this channel/.test(messageText(message))),
    );
    await stack.workspace.act({ type: 'home_opened', as: 'U0ASHA' });
    await stack.eventually('Home', () =>
      /gone\*? in <#C0GONE>: Herald is not in this channel/.test(
        JSON.stringify(stack.workspace.snapshot().homes.U0ASHA?.blocks ?? ''),
      ),
    );
  });

  test('of a channel that is shared, posted in the other workspace, reach who is on call', async () => {
    await untilAccepted(await postAlert('Shared: db-3 is down', { team: 'T0PARTNER' }));
    expect(flashes(MEI).at(-1)).toBe('Shared: db-3 is down');
    expect(stack.logs()).not.toContain('another workspace');
  });
});
