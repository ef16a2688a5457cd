import type { KnownBlock, ModalView } from '@slack/types';
import { readRecipient } from '../../messages/form/recipient.ts';
import { maskNumber } from '../../messages/numbers/phone-number.ts';
import type { NumberOnFile } from '../../sends/alerts/ports.ts';
import { LIMITS } from '../connection/limits.ts';
import { context, input, mention, modal, moment, section, textInput } from '../kit/blocks/blocks.ts';
import { answerClick, clickerOf, openModal } from '../kit/clicks/answering.ts';
import type { ClickArguments, SubmissionArguments } from '../kit/clicks/arguments.ts';
import { FIELD_ACTION } from '../kit/forms/input-block.ts';
import { valueAt } from '../kit/forms/path.ts';
import { readState } from '../kit/forms/read-state.ts';
import type { SlackServices } from '../kit/services.ts';

export const NUMBERS_VIEW = 'alert_numbers';
const USER_FIELD = 'user';
const NUMBER_FIELD = 'number';
/** One line each, in one block. */
const NUMBERS_SHOWN = 40;

/** Opens the list of numbers on file, with a form to add, change or remove one. */
export async function openNumbers(
  triggerId: string,
  userId: string,
  { client, respond }: Pick<ClickArguments, 'client' | 'respond'>,
  { alertStore }: Pick<SlackServices, 'alertStore'>,
): Promise<void> {
  const opened = await openModal(client, triggerId, numbersView(await alertStore.numbers(), userId));
  if (!opened.ok) await answerClick({ respond }, `${opened.error} Nothing was changed. Try again.`);
}

/** @param note what has just been done */
export function numbersView(numbers: readonly NumberOnFile[], userId: string, note?: string): ModalView {
  const lines = numbers.slice(0, NUMBERS_SHOWN).map(({ userId: whose, number, at, by }) => {
    const entered = by === whose ? '' : ` by ${mention(by)}`;
    return `• ${mention(whose)} ${maskNumber(number)}, ${moment(at)}${entered}`;
  });
  const more = numbers.length - lines.length;
  const list = lines.length === 0 ? 'No number is on file yet.' : lines.join('\n');
  const number = textInput(FIELD_ACTION, { maxLength: 40, placeholder: '+6581234567' });
  const hint = 'Alerts whose group names this person go to it. Left empty, the number on file is removed.';
  const blocks: KnownBlock[] = [
    ...(note === undefined ? [] : [section(note)]),
    section(list.slice(0, LIMITS.sectionText)),
    ...(more > 0 ? [context(`… and ${more} more`)] : []),
    input(USER_FIELD, 'Person', { type: 'users_select', action_id: FIELD_ACTION, initial_user: userId }),
    input(NUMBER_FIELD, 'Number', number, { hint, optional: true }),
  ];
  return modal({ callbackId: NUMBERS_VIEW, title: 'Numbers on file', submit: 'Save', blocks }, 'Close');
}

/** Everybody may enter and remove their own number; those of others, only who may approve sends. */
export async function handleNumbers(
  args: Pick<SubmissionArguments, 'body' | 'ack'>,
  {
    alertStore,
    directory,
    defaults,
    clock,
  }: Pick<SlackServices, 'alertStore' | 'directory' | 'defaults' | 'clock'>,
): Promise<void> {
  const { ack, body } = args;
  const refuse = (field: string, why: string) => ack({ response_action: 'errors', errors: { [field]: why } });
  const state = readState(body.view.state.values);
  const whose = String(valueAt(state, USER_FIELD) ?? '');
  const typed = String(valueAt(state, NUMBER_FIELD) ?? '').trim();
  const { userId, teamId } = clickerOf(args);
  if (!/^[UW][A-Z0-9]+$/.test(whose)) return refuse(USER_FIELD, 'Choose a person.');
  const problem = whose === userId ? undefined : await directory.whyNot(userId, teamId);
  if (problem === 'unknown')
    return refuse(
      USER_FIELD,
      'Slack did not say whether you may; nothing was changed. Try again in a minute.',
    );
  if (problem !== undefined)
    return refuse(
      USER_FIELD,
      'You may change only your own number. Whoever may approve sends can change the numbers of others.',
    );
  if (typed === '') {
    const removed = await alertStore.removeNumber(whose);
    const note = removed
      ? `The number of ${mention(whose)} is no longer on file.`
      : `No number of ${mention(whose)} was on file.`;
    return ack({ response_action: 'update', view: numbersView(await alertStore.numbers(), userId, note) });
  }
  const read = readRecipient(typed, defaults.country);
  if (!read.ok) return refuse(NUMBER_FIELD, read.error);
  await alertStore.putNumber({ userId: whose, number: read.value, at: clock.now(), by: userId });
  const note = `The number of ${mention(whose)} is on file: ${maskNumber(read.value)}.`;
  return ack({ response_action: 'update', view: numbersView(await alertStore.numbers(), userId, note) });
}
