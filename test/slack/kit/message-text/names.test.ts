import { expect, test } from 'vitest';
import { namesIn } from '../../../../src/slack/kit/message-text/plain-text.ts';
import { createManualClock } from '../../../fakes/clock.ts';

const NAMES: Readonly<Record<string, string>> = { U0RAVI: '@ravi', S0SUPPORT: '@support', S0NIGHT: '@night' };
const names = { nameOf: async (id: string) => NAMES[id] ?? id };

test('people and user groups, of text and of blocks; who is not known stays so', async () => {
  const known = await namesIn(
    {
      text: '<@U0RAVI> asks <!subteam^S0SUPPORT|@x> and <@U0NOBODY>',
      blocks: [{ type: 'rich_text', elements: [{ type: 'usergroup', usergroup_id: 'S0NIGHT' }] }],
    },
    { names, clock: createManualClock() },
  );
  expect(['U0RAVI', 'U0NOBODY'].map((id) => known(id))).toEqual(['ravi', undefined]);
  expect(['S0SUPPORT', 'S0NIGHT'].map((id) => known(id))).toEqual(['support', 'night']);
});

test('a name that does not come in time is left out', async () => {
  const clock = createManualClock();
  const slow = {
    nameOf: (id: string) => (id === 'U0RAVI' ? names.nameOf(id) : new Promise<string>(() => {})),
  };
  const asked = namesIn({ text: '<@U0RAVI> <@U0MEI>' }, { names: slow, clock });
  await clock.advance(900);
  const known = await asked;
  expect(['U0RAVI', 'U0MEI'].map((id) => known(id))).toEqual(['ravi', undefined]);
});
