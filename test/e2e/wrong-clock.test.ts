import { expect, test } from 'vitest';
import { runningStack } from './stack.ts';
import { ASHA, CUSTOMER, TEAM_CONFIGURATION } from './team.ts';

const config = `${TEAM_CONFIGURATION}
retention: { recipients: 30, texts: 30, webhooks: 30, answers: 30, lists: 30 }
`;
/** A machine whose clock was set ten years ahead, which nothing else has noticed. */
const TEN_YEARS_AHEAD = `const now = Date.now; Date.now = () => now() + 3650 * 86400000;`;
const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(TEN_YEARS_AHEAD)}`;
const stack = runningStack({ config, env: { PSEUDONYM_KEY: 'a-key-that-nobody-guesses' } });

test('a clock that is years ahead removes nothing, and the log says why', async () => {
  await stack.says(ASHA, `/sms ${CUSTOMER} Your parcel is here`, /accepted by the service/i);
  await stack.restart({ env: { NODE_OPTIONS } });
  const isSaid = (line: string) => /was removed|nothing is removed/.test(line);
  const line = await stack.eventually('a line about removal', () => stack.logs().split('\n').find(isSaid));
  expect(line).toMatch(/nothing is removed/);
  expect(line).toMatch(/5256000 min ahead of Slack’s/);
});
