import { type PressableBlock, pressed } from '../../sandbox/pressed.ts';
import type { E2eStack } from './stack.ts';
import { APPROVALS, ASHA, RAVI, TEAM } from './team.ts';

/* What end-to-end tests of bulk sends do and look at, over and over. */

/** Twelve, in order. */
export const NUMBERS = Array.from({ length: 12 }, (_, n) => `+9198123450${String(n).padStart(2, '0')}`);

/** Whom the carrier has delivered to, once for each message. */
export function reached(stack: E2eStack): string[] {
  return Object.values(stack.carrier.state().phones)
    .flat()
    .map(({ number }) => number);
}

/** Asha asks to send an SMS to `numbers`; returns when the card stands in `approvals`. */
export async function askByNumbers(
  stack: E2eStack,
  approvals: string,
  text: string,
  numbers: readonly string[] = NUMBERS,
): Promise<void> {
  const asha = stack.person(ASHA);
  const form = await asha.openForm(TEAM, '/sms');
  await form.choose('recipients', 'numbers');
  form.fill('numbers', numbers.join('\n')).fill('text', text);
  await form.submit();
  await stack.review();
  await form.submit();
  await stack.untilShown(approvals, new RegExp(RegExp.escape(text)));
  await form.close();
}

/** As above, and Ravi approves it. */
export async function sendToMany(
  stack: E2eStack,
  text: string,
  numbers: readonly string[] = NUMBERS,
): Promise<void> {
  await askByNumbers(stack, APPROVALS, text, numbers);
  await clickOn(stack, RAVI, APPROVALS, 'approval_approve');
}

/** Clicks a button in the latest message of a channel that has it. */
export function clickOn(
  stack: E2eStack,
  person: string,
  channel: string,
  actionId: string,
): Promise<unknown> {
  return findButton(stack, person, channel, actionId)();
}

/** The button as it stands now: it is clicked when this is called, even if the message has lost it meanwhile. */
export function findButton(
  stack: E2eStack,
  person: string,
  channel: string,
  actionId: string,
): () => Promise<unknown> {
  for (const message of stack.workspace.snapshot().messages.toReversed()) {
    if (message.channel !== channel) continue;
    const found = pressed((message.blocks ?? []) as PressableBlock[], actionId);
    if (found === undefined) continue;
    const container = { type: 'message', channel, ts: message.ts } as const;
    return () => stack.workspace.act({ type: 'block_action', as: person, container, ...found });
  }
  throw new Error(`Nothing in ${channel} has the button ${actionId}.`);
}
