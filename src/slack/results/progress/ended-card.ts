import type { types } from '@slack/bolt';
import { showInvisible } from '../../connection/escape.ts';
import { truncate } from '../../connection/limits.ts';
import { actions, context, mention, moment, mrkdwn, section } from '../../kit/blocks/blocks.ts';
import { answerBlocks } from '../../kit/cards/answers.ts';
import { templateButtons } from '../../kit/cards/look-button.ts';
import { messageText, quote } from '../../kit/cards/message-blocks.ts';
import { type Card, directNote } from '../../kit/cards/send-card.ts';
import {
  actorOf,
  duration,
  isPage,
  SEND_STATES,
  shown,
  tallyOf,
  whatSend,
  whyText,
} from '../../kit/cards/words.ts';
import { causeBlocks, countLines, progressButtons, progressMark, REST_GETS_NOTHING } from './card.ts';
import { altText, legend, spanOf } from './course.ts';
import { type EndedSend, timesOf } from './ended-send.ts';
import { retryLine } from './retry-buttons.ts';

const SHOWN_TEXT = 600;
const SHOWN_WHY = 400;
const CAUSES_SHOWN = 5;
const HALTS_SHOWN = 6;

/**
 * What became of a send, for whoever reads it the morning after: how many have it, when and by whom, what held it up, the
 * text, what went wrong and what to do about it.
 *
 * @param missing the channel that Herald could not post it in
 */
export function endedCard(ended: EndedSend, missing?: string): Card {
  const { send, template, answers, failures, retries } = ended;
  const { counts } = send;
  const { mark, words } = SEND_STATES[send.state];
  const headline = `${mark} *${whatSend(send, template)}*: ${words}`;
  const { settled, all } = tallyOf(counts);
  const halts = haltLines(ended);
  return {
    text: `${headline.replaceAll('*', '')}, ${shown(settled)} of ${shown(all)}. Reference ${send.id}.`,
    blocks: [
      { ...section(headline), block_id: progressMark(send.id) },
      ...answerBlocks(answers),
      section(countLines(counts)),
      { type: 'section', fields: fields(ended) },
      ...picture(ended),
      ...(halts.length === 0 ? [] : [section(halts.join('\n'))]),
      quote(truncate(showInvisible(messageText(send.message, template)), SHOWN_TEXT)),
      ...causeBlocks(failures, CAUSES_SHOWN),
      ...(retries.length === 0 ? [] : [context(retries.map(retryLine).join('\n'))]),
      ...actions([...progressButtons(send, counts, retries), ...templateButtons(send.message, send.reason)]),
      context(`Reference ${send.id} · \`/sends ${send.id}\` shows all of it`),
      ...(missing === undefined ? [] : [directNote(missing)]),
    ],
  };
}

function fields(ended: EndedSend): types.MrkdwnElement[] {
  const { send, approvals } = ended;
  const { from, to } = timesOf(ended);
  const approved = approvals.map(({ userId }) => mention(userId)).join(', ');
  return [
    mrkdwn(`*Started*\n${moment(from)}`),
    mrkdwn(`*Ended*\n${moment(to)}, after ${duration(to - from)}`),
    mrkdwn(`*Asked for by*\n${mention(send.origin.userId)}`),
    mrkdwn(`*Approved by*\n${approved || `nobody: ${isPage(send) ? 'a page' : 'it'} needed no approval`}`),
  ];
}

function picture(ended: EndedSend): types.KnownBlock[] {
  const shown = ended.send.thread?.picture;
  const spanMs = spanOf(ended);
  if (shown === undefined || spanMs === undefined) return [];
  const { file, most } = shown;
  return [
    {
      type: 'image',
      slack_file: { id: file },
      title: { type: 'plain_text', text: legend(ended, spanMs, most) },
      alt_text: altText(ended, spanMs, most),
    },
  ];
}

/** Who, or what, paused, resumed and stopped it, oldest first; of many the latest. */
function haltLines({ send, events }: EndedSend): string[] {
  const begun = events.findIndex(({ action }) => action === 'sending');
  const lines = events.slice(begun + 1).flatMap((event) => {
    const words = HALTS[event.action];
    if (words === undefined) return [];
    const why = event.reason === undefined ? '' : ` ${whyText(event.reason, SHOWN_WHY)}`;
    return [`${words} ${actorOf(event)}.${why}`];
  });
  const rest = send.counts.pending > 0 ? [REST_GETS_NOTHING] : [];
  const left = lines.length > HALTS_SHOWN ? ['… it was held up before, too.'] : [];
  return [...left, ...lines.slice(-HALTS_SHOWN), ...rest];
}

const HALTS: Readonly<Record<string, string>> = {
  paused: '⏸️ Paused',
  sending: '▶️ Resumed',
  stopped: '⏹️ Stopped',
};
