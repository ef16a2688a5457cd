import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ASHA, type E2eStack, startStack, TEAM } from './stack.ts';
import { CUSTOMER, TEAM_CONFIGURATION } from './team.ts';

const CONFIG = `${TEAM_CONFIGURATION}
retention: { recipients: 30, texts: 30, webhooks: 30, answers: 30, lists: 30 }
`;
/** A machine whose clock was set ten years ahead, which nothing else has noticed. */
const TEN_YEARS_AHEAD = `const now = Date.now; Date.now = () => now() + 3650 * 86400000;`;
const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(TEN_YEARS_AHEAD)}`;

describe('a clock that is years ahead', () => {
  let stack: E2eStack;
  beforeAll(async () => {
    const env = { PSEUDONYM_KEY: 'a-key-that-nobody-guesses' };
    stack = await startStack({ config: CONFIG, env });
  });
  afterAll(() => stack?.stop());

  test('removes nothing, and says why', async () => {
    const asha = stack.person(ASHA);
    const channel = stack.from(asha);
    await asha.command(TEAM, `/sms ${CUSTOMER} Your parcel is here`);
    await channel.message(/accepted by the service/i);
    await stack.restart({ env: { NODE_OPTIONS } });
    const line = await stack.eventually('a line about removal', () =>
      stack
        .logs()
        .split('\n')
        .find((said) => /was removed|nothing is removed/.test(said)),
    );
    expect(line).toMatch(/nothing is removed/);
    expect(line).toMatch(/5256000 min ahead of Slack’s/);
  });
});
