import type { KnownBlock } from '@slack/types';
import type { Send } from '../../sends/send.ts';
import { escapeMrkdwn } from '../connection/escape.ts';
import { button } from '../kit/blocks/button.ts';
import { mention, moment, section } from '../kit/blocks/mrkdwn.ts';
import { inShort, SEND_STATES, shown, stateOf, whatSend } from '../kit/cards/words.ts';
import { type ListQuery, writeListQuery } from './query.ts';

export const LOOK_ACTION = 'sends_look';
export const OLDER_ACTION = 'sends_older';

/** Sends on one page. */
export const PAGE = 10;
const SHOWN_TEXT = 80;

/** One page of sends, newest first, each with a button that shows it in full. */
export function listMessage(query: ListQuery, sends: readonly Send[], more: boolean) {
  const text = sends.length === 0 ? noneText(query) : titleOf(query);
  const oldest = sends.at(-1);
  return {
    text,
    blocks: [
      section(text),
      ...sends.map(line),
      ...(more && oldest
        ? [
            {
              type: 'actions' as const,
              elements: [
                button(OLDER_ACTION, 'Show older', writeListQuery({ ...query, before: oldest.createdAt })),
              ],
            },
          ]
        : []),
    ] satisfies KnownBlock[],
  };
}

function titleOf({ whose, states }: ListQuery): string {
  const whoseSends = whose === 'mine' ? 'Your sends' : 'Everyone’s sends';
  return states === undefined
    ? `${whoseSends}, newest first:`
    : `${whoseSends} (${wordsOf(states)}), newest first:`;
}

function noneText({ whose, states, before }: ListQuery): string {
  const older = before === undefined ? '' : ' older';
  const such = states === undefined ? '' : ` (${wordsOf(states)})`;
  return whose === 'mine'
    ? `You have no${older} sends${such}. \`/sends all\` lists everyone’s.`
    : `There are no${older} sends${such}.`;
}

function wordsOf(states: readonly Send['state'][]): string {
  return states.map((state) => SEND_STATES[state].words).join(', ');
}

function line(send: Send): KnownBlock {
  const { mark, words } = stateOf(send);
  const { counts, recipientCount } = send;
  const toSend = recipientCount - counts.skipped;
  const settled = toSend - counts.pending - counts.attempting;
  const progress =
    send.state === 'sending' || send.state === 'paused' ? ` (${shown(settled)} of ${shown(toSend)})` : '';
  return {
    ...section(
      [
        `${mark} *${whatSend(send)}*: ${words}${progress}`,
        escapeMrkdwn(inShort(send), SHOWN_TEXT),
        `${send.id} · ${mention(send.origin.userId)} · ${moment(send.createdAt)}`,
      ].join('\n'),
    ),
    accessory: button(LOOK_ACTION, 'Look', send.id),
  };
}
