import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemClock } from '../../src/core/clock.ts';
import { systemRandom } from '../../src/core/random.ts';
import { judge } from '../../src/gateway/outcome.ts';
import { answerSecrets } from '../../src/gateway/secrets.ts';
import { decodeWebhook } from '../../src/gateway/webhooks/decode.ts';
import type { MessageKind } from '../../src/messages/kinds.ts';
import { createAudiences } from '../../src/sends/audiences/service.ts';
import { writeTemplateFile } from '../../src/sends/templates/yaml.ts';
import { handleSendCommand } from '../../src/slack/compose/line/command.ts';
import { plainTextOf } from '../../src/slack/kit/message-text/plain-text.ts';
import { readQuery } from '../../src/slack/sends/query.ts';
import { openSqliteStores } from '../../src/store/sqlite/in-thread.ts';
import { createRecordingLogger } from '../../test/fakes/logger.ts';
import { createTemplatesSetting, ORDER } from '../../test/sends/templates/setting.ts';
import { createSetting } from '../../test/slack/compose/setting.ts';
import { HOSTILE, LONG } from '../../test/trust/hostile-strings.ts';
import { writeList } from '../list-file.ts';

/* Says, for each input, the longest that it kept the event loop without a break: the processor time of a turn, in ms. */
const TO = '+6591234567';
const folder = mkdtempSync(join(tmpdir(), 'herald-bench-'));
const stores = await openSqliteStores(join(folder, 'herald.db'));
if (!stores.ok) throw new Error(stores.error);
const audiences = createAudiences({
  ...{ store: stores.value.audiences, clock: systemClock, random: systemRandom },
  ...{ logger: createRecordingLogger(), defaultCountry: 'IN' },
});
const { templates } = createTemplatesSetting();
const turns: [what: string, ms: number][] = [];

async function longestTurn(what: string, work: () => unknown): Promise<void> {
  let longest = 0;
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      const begun = process.threadCpuUsage();
      await nextTurn();
      const { user, system } = process.threadCpuUsage(begun);
      longest = Math.max(longest, (user + system) / 1_000);
    }
  })();
  await nextTurn();
  await work();
  isDone = true;
  await watching;
  turns.push([what, longest]);
}

const list = (bytes: AsyncIterable<Uint8Array>) => audiences.fromFile({ name: 'list.csv', bytes, by: 'U' });
const asFile = async function* (text: string) {
  yield Buffer.from(text);
};
const judged = (body: unknown) =>
  judge(
    { headersWritten: true, status: 400, body: Buffer.from(JSON.stringify(body)), retryAfter: '', date: '' },
    {
      ...{ now: 0, fieldNames: new Set(['to', 'text']), mapping: {} },
      ...{
        hasTemplate: true,
        secrets: answerSecrets('key-of-the-team-77'),
        isTextSecret: false,
        recipients: Array.from({ length: 100 }, (_, n) => ({ number: `+91981234${1_000 + n}` })),
      },
    },
  );
function typed(kind: MessageKind, text: string): Promise<void> {
  const { compose, client } = createSetting();
  const answer = async () => {};
  const command = { text, trigger_id: 't', team_id: 'T0ACME', user_id: 'U0ASHA', channel_id: 'C0TEAM' };
  return handleSendCommand(
    kind,
    { command, ack: answer, respond: answer, client, help: '' },
    {
      ...compose,
      groups: { names: ['oncall'], numbersOf: async () => [], approvalOver: 10 },
    },
  );
}

for (const text of [...HOSTILE, ...LONG]) {
  await longestTurn('/sends', () => readQuery(text));
  await longestTurn('an answer', () => judged({ error: { code: text, message: text, [text]: text } }));
  await longestTurn('a webhook', () =>
    decodeWebhook({ bytes: Buffer.from(JSON.stringify({ from: TO, text: { body: text }, [text]: text })) }),
  );
  await longestTurn('an alert', () =>
    plainTextOf({
      blocks: [
        { type: 'markdown', text },
        { type: 'section', text: { type: 'mrkdwn', text } },
      ],
    }),
  );
}
for (const text of LONG) {
  for (const kind of ['chatapp', 'rcs', 'sms', 'flash'] as const)
    await longestTurn(`/${kind}`, () => typed(kind, `${TO} ${text}`));
  await longestTurn('a list', () => list(asFile(`phone,name\n${TO},${text}\n${text},x\n`)));
}
const catalogue = Array.from({ length: 5_000 }, (_none, at) => ({ ...ORDER, name: `order_${at}` }));
for (const file of [writeTemplateFile(catalogue), '}'.repeat(200_000), '- a\n'.repeat(50_000)])
  await longestTurn('a template file', () => templates.planImport(file));
await writeList(join(folder, 'list.csv'), 200_000);
await longestTurn('a list of 200,000', () => list(createReadStream(join(folder, 'list.csv'))));

await stores.value.sends.close();
rmSync(folder, { recursive: true });
process.send?.(turns);
