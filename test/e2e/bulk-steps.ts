import { messageText } from '../../sandbox/message-text.ts';
import { type PressableBlock, pressed } from '../../sandbox/pressed.ts';
import type { SandboxMessage } from '../../sandbox/protocol.ts';
import { ASHA, type E2eStack, TEAM } from './stack.ts';

/* What end-to-end tests of bulk sends do and look at, over and over. */

/** Twelve, in order. */
export const NUMBERS = Array.from({ length: 12 }, (_, n) => `+9198123450${String(n).padStart(2, '0')}`);

/** Whom the carrier has delivered to, once for each message. */
export function reached(stack: E2eStack): string[] {
  return Object.values(stack.carrier.state().phones)
    .flat()
    .map(({ number }) => number);
}

/** The latest message of a channel whose text matches. */
export function shown(stack: E2eStack, channel: string, pattern: RegExp): SandboxMessage | undefined {
  return stack.workspace
    .snapshot()
    .messages.findLast((message) => message.channel === channel && pattern.test(messageText(message)));
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
  await stack.eventually('the review', () => /Ask for approval/.test(JSON.stringify(asha.views())));
  await form.submit();
  await stack.eventually('the card', () => shown(stack, approvals, new RegExp(RegExp.escape(text))));
  await form.close();
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
