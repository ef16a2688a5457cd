import { expect, test } from 'vitest';
import { messageText } from '../../sandbox/message-text.ts';
import { askByNumbers, clickOn, NUMBERS, reached } from './bulk-steps.ts';
import { runningStack } from './stack.ts';
import { APPROVALS, RAVI, slowly, TEAM, WITH_APPROVALS } from './team.ts';

/* Where a card stands is noted once Slack has it. Here the database refuses that note, or is stalled meanwhile. */

const CONFIG = WITH_APPROVALS + slowly(1);
const FEW = NUMBERS.slice(0, 3);
const END_MS = 40_000;

const stack = runningStack({ config: CONFIG, isQuick: true });

/** The texts of everything with such a mark, as it stands now. */
function standing(mark: 'approval' | 'progress' | 'report', sendId: string): string[] {
  const messages = stack.messages();
  return messages
    .filter(({ blocks }) => JSON.stringify(blocks ?? []).includes(`"${mark}:${sendId}"`))
    .map((message) => `${messageText(message)} ${JSON.stringify(message.blocks)}`);
}

const refusals = () => stack.logs().split('refused by a test').length - 1;

/** Waits until the database has refused so many notes more than `before`. */
async function refused(times: number, before: number): Promise<void> {
  await expect.poll(() => refusals() - before, { timeout: END_MS }).toBeGreaterThanOrEqual(times);
}

async function ask(text: string, numbers: readonly string[]): Promise<string> {
  await askByNumbers(stack, APPROVALS, text, numbers);
  const card = stack.shown(APPROVALS, new RegExp(text));
  return /S-[0-9A-Z]{10}/.exec(JSON.stringify(card))?.[0] ?? '';
}

const approve = () => clickOn(stack, RAVI, APPROVALS, 'approval_approve');

/** When all is told of a send, each card of it stands there once, as it ended. */
async function expectOneOfEach(sendId: string): Promise<void> {
  await stack.eventually('the end', () => standing('report', sendId).length > 0, END_MS);
  await stack.eventually('its link', () => standing('approval', sendId).at(-1)?.includes('|Report>'), END_MS);
  const cards = (['approval', 'progress', 'report'] as const).map((mark) => standing(mark, sendId));
  expect(cards.map(({ length }) => length)).toEqual([1, 1, 1]);
  expect(cards[0]?.[0]).toContain('Approved by');
  expect(cards[0]?.[0]).not.toContain('approval_approve');
  expect(cards[1]?.[0]).toContain(': done');
}

test('a card whose place the database did not take is the one that is updated, and no other is posted', async () => {
  const acceptCard = await stack.refuseChanges('posts', 'ts');
  const sendId = await ask('The shop opens at nine.', NUMBERS);
  await refused(1, 0);
  await acceptCard();
  // A refusal is in the log once for as long as the database refuses anything.
  await stack.eventually('the note', () => stack.logs().includes('takes writes again'));
  const before = refusals();
  const acceptProgress = await stack.refuseChanges('posts', 'ts');
  await approve();
  // More than one update is left of it.
  await refused(1, before);
  await acceptProgress();
  await expectOneOfEach(sendId);
});

test('a progress card that is first shown while the database is stalled', async () => {
  const sendId = await ask('The shop opens at noon.', FEW);
  const accept = await stack.refuseChanges('recipients', 'settled_at');
  await approve();
  await stack.untilShown(TEAM, /at noon[\s\S]*cannot write to its database/);
  await accept();
  await expectOneOfEach(sendId);
  expect(reached(stack).toSorted()).toEqual([...NUMBERS, ...FEW].toSorted());
});
