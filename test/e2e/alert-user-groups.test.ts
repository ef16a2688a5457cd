import { describe, expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { runningStack } from './stack.ts';
import { ASHA, RAVI, TEAM_CONFIGURATION } from './team.ts';

const CHANNEL = 'C0ALERTS';
const NUMBER = '+6591234568';

/** Of the managers one has a number on file. */
const CONFIG = `${TEAM_CONFIGURATION}
alerts:
  rules: [{ name: managers, channel: ${CHANNEL}, match: "^wake", notify: ["@managers"] }, { name: same, channel: ${CHANNEL}, match: "^wake", notify: [S0MANAGERS] }, { name: gone, channel: ${CHANNEL}, match: "^never", notify: ["@gone"] }]
`;

describe('alerts to a user group of Slack', () => {
  const stack = runningStack({ config: CONFIG });
  const flashes = () => stack.phone(NUMBER).map(({ text }) => text);

  async function say(text: string): Promise<string> {
    expect(await stack.workspace.act({ type: 'post', as: ASHA, channel: CHANNEL, text })).toEqual({
      ok: true,
    });
    return stack.messages().findLast((one) => one.text === text)?.ts ?? '';
  }
  const thread = (of: string) =>
    stack
      .messages()
      .filter(({ thread_ts, ts }) => thread_ts === of && ts !== of)
      .map(messageText);

  test('reach its members with a number on file; the thread names the others, also without Slack', async () => {
    const ravi = stack.person(RAVI);
    const form = await ravi.openForm(CHANNEL, '/herald alerts numbers');
    form.fill('number', NUMBER);
    await form.submit();
    await stack.eventually('the number', () => /is on file/.test(JSON.stringify(ravi.views())));
    await ravi.command(CHANNEL, '/herald alerts');
    await stack.eventually('who has no number', () =>
      ravi.messages(CHANNEL).some((one) => /No number on file for @U0MEI\./.test(messageText(one))),
    );
    const { said } = await stack.command(['doctor']);
    for (const group of ['@managers', 'S0MANAGERS'])
      expect(said).toContain(
        `Alerts to the user group ${group} do not reach U0MEI: no number is on file.\n    → Let each`,
      );
    expect(said).toContain('Slack knows no user group @gone, which rules for alerts notify.');
    stack.workspace.setFaults({
      faults: [{ on: 'api', method: 'usergroups.list', times: 1_000, do: 'status', status: 503 }],
    });
    await stack.restart();
    const ts = await say('wake up, managers');
    await stack.eventually('both flash SMS', () => flashes().length === 2);
    for (const group of ['@managers', '@S0MANAGERS'])
      await stack.eventually(group, () =>
        thread(ts).some(
          (card) => card.includes(`Flash SMS to ${group},`) && /No number on file for @U0MEI: /.test(card),
        ),
      );
  });
});
