import type { KnownBlock } from '@slack/types';
import { maskNumber } from '../../../messages/numbers/phone-number.ts';
import type { RecipientRow } from '../../../sends/send.ts';
import { showInvisible } from '../../connection/escape.ts';
import { truncate } from '../../connection/truncate.ts';
import { modal, saying } from '../../kit/blocks/modal.ts';
import { section } from '../../kit/blocks/mrkdwn.ts';
import { exclusionsButton } from '../../kit/cards/exclusions-button.ts';
import { people } from '../../kit/cards/words.ts';
import type { ClickArguments } from '../../kit/clicks/arguments.ts';
import { answerClick, NO_SUCH_SEND, readSendValue } from '../../kit/clicks/click.ts';
import { openForClick } from '../../kit/clicks/open-modal.ts';
import { exclusionText } from './card.ts';
import type { Approving } from './dependencies.ts';
import { firstRecipients } from './facts.ts';

const SAMPLE_ROWS = 20;
const CELL_CHARACTERS = 40;

/** Shows some of the recipients, masked, and what was left out, with the whole of that as a file for the asking. */
export async function handleRecipients(args: ClickArguments, { store, audiences }: Approving): Promise<void> {
  await args.ack();
  const { sendId } = readSendValue(args.action.value ?? '');
  const send = await store.find(sendId);
  if (send === undefined) return answerClick(args, NO_SUCH_SEND);
  const [sample, failures, audience] = await Promise.all([
    firstRecipients(sendId, store, SAMPLE_ROWS),
    store.failures(sendId),
    send.audience && audiences.find(send.audience.id),
  ]);
  const count = send.recipientCount - send.counts.skipped;
  const opening =
    sample.length < count ? `${people(count)}. The first ${sample.length}:` : `${people(count)}:`;
  const rows = sample.map(rowLine).join('\n');
  const blocks: KnownBlock[] = [
    section(`*${sendId}*: ${opening}`),
    ...(rows === '' ? [] : [saying(rows)]),
    section(`*Left out*\n${exclusionText({ audience, failures })}`),
    ...(audience && audience.counts.read > audience.counts.valid ? [exclusionsButton(audience.id)] : []),
  ];
  await openForClick(args, modal({ title: 'Recipients', blocks }));
}

function rowLine({ row, number, values = [] }: RecipientRow): string {
  const cells = values.map((value) => truncate(showInvisible(value).replaceAll('\n', ' '), CELL_CHARACTERS));
  return [`Row ${row}: ${maskNumber(number)}`, ...cells].join(' | ');
}
