import type { KnownBlock } from '@slack/types';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newBlock } from '../../../src/slack/connection/new-blocks.ts';
import { modal, section } from '../../../src/slack/kit/blocks/blocks.ts';
import { sayingPlainly } from '../../../src/slack/kit/clicks/answering.ts';
import type { ClickArguments, Respond } from '../../../src/slack/kit/clicks/arguments.ts';
import { attempt } from '../../../src/slack/kit/posting/attempt.ts';
import { createManualClock, type ManualClock } from '../../fakes/clock.ts';
import { createRecordingLogger } from '../../fakes/logger.ts';
import { type FakeSlack, startFakeSlack } from '../fake-slack.ts';
import { clientOf } from '../test-app.ts';

const DAY = 24 * 60 * 60_000;
const OK = { ok: true, ts: '1.1' };
const REFUSED = { ok: false, error: 'invalid_blocks' };
const blocks = [
  { ...section('First.'), block_id: 'mark' },
  newBlock({ type: 'data_table', caption: 'Sends', rows: [] }, [section('An older block.')]),
];

let slack: FakeSlack;
let clock: ManualClock;
let client: ReturnType<typeof clientOf>;

beforeEach(async () => {
  slack = await startFakeSlack();
  clock = createManualClock();
  client = clientOf(slack, clock);
});

afterEach(() => slack.close());

/** The types of the blocks that Slack was given since the last look, call by call. */
function given(): string[] {
  const read = (written: string) => JSON.parse(written) as KnownBlock[] | { blocks: KnownBlock[] };
  return slack.calls.splice(0).map(({ arguments: { blocks: shown = '[]', view } }) =>
    [read(view ?? shown)]
      .flatMap((one) => ('blocks' in one ? one.blocks : one))
      .map(({ type }) => type)
      .join(' '),
  );
}

/** Posts, while Slack refuses so often. */
async function post(refusals: number) {
  slack.answers.set('chat.postMessage', [...Array(refusals).fill(REFUSED), OK]);
  const result = await attempt(
    { text: 'In words.', blocks },
    (card) => client.client.chat.postMessage({ channel: 'C0TEAM', ...card }),
    createRecordingLogger(),
  );
  const last: unknown = JSON.parse(slack.calls.at(-1)?.arguments.blocks ?? '[]');
  return { result, last, given: given() };
}

/** Answers by a response_url, while Slack refuses so often. */
async function answer(refusals: number) {
  const tried: string[] = [];
  const respond: Respond = async (message) => {
    tried.push((message.blocks ?? []).map(({ type }) => type).join(' '));
    if (tried.length <= refusals) throw Object.assign(new Error('refused'), { statusCode: 400 });
  };
  const logger = { error: () => {} };
  const args = { respond, logger } as never as ClickArguments & { logger: typeof logger };
  await sayingPlainly(args, client.newBlocks).respond({ response_type: 'ephemeral', text: '', blocks });
  return tried;
}

test('new blocks stand where Slack takes them', async () => {
  expect(await post(0)).toMatchObject({
    result: { state: 'done', ts: '1.1' },
    given: ['section data_table'],
  });
  expect(await answer(0)).toEqual(['section data_table']);
});

test('older ones stand in their place where it does not, and for a day at once, also in answers and windows', async () => {
  expect(await post(1)).toMatchObject({
    result: { state: 'done' },
    given: ['section data_table', 'section section'],
  });
  expect((await post(0)).given).toEqual(['section section']);
  expect(await answer(0)).toEqual(['section section']);
  await clock.advance(DAY);
  expect(await answer(1)).toEqual(['section data_table', 'section section']);
  expect((await post(0)).given).toEqual(['section section']);
  await clock.advance(DAY);
  slack.answers.set('views.update', [{ ok: false, error: 'invalid_arguments' }, { ok: true }]);
  const alert = newBlock({ type: 'alert', text: {} }, [section('An older block.')]);
  await client.client.views.update({
    view_id: 'V1',
    view: modal({ title: 'Review', blocks: [...blocks, alert] }),
  });
  expect(given()).toEqual(['section section alert', 'section section section']);
});

test('blocks that are refused either way say nothing about new ones, and the mark stays with the sentence', async () => {
  expect(await answer(2)).toEqual(['section data_table', 'section section', '']);
  expect((await post(3)).given).toEqual(['section data_table', 'section section', 'section', '']);
  expect((await post(2)).last).toEqual([{ ...section('In words.'), block_id: 'mark' }]);
});
