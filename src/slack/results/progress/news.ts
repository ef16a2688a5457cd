import { NEWS_ACTIONS } from '../../../sends/posts.ts';
import type { Send, SendEvent } from '../../../sends/send.ts';
import { literalMrkdwn } from '../../connection/escape.ts';
import { actions, mention, moment, section } from '../../kit/blocks/blocks.ts';
import type { Card } from '../../kit/cards/send-card.ts';
import { actorOf, inShort, lastInto, people, stateOf, whatSend, whyText } from '../../kit/cards/words.ts';
import { editAgainButton, ending } from '../approve/card.ts';
import type { Standing } from '../standing.ts';
import { countsText, heldCard, pauseText } from './card.ts';

/* Cards that notify who asked for a bulk send. A card that changes in place notifies nobody. */

const SHOWN_TEXT = 120;

/** The news that an event of the record is to who asked, by its place there; undefined where it is none. */
export function newsOf(facts: Standing, place: number): Card | undefined {
  const event = facts.events[place];
  return event && isNews(facts, event) ? newsCard(facts, event) : undefined;
}

/** True for a change that is news to who asked: not for what they did themselves, and no pause that is over. */
function isNews({ send, events }: Standing, event: SendEvent): boolean {
  if (!NEWS_ACTIONS.has(event.action) || event.actor === send.origin.userId) return false;
  // Whatever ends before its digest is answered in its form.
  if (event.action === 'cancelled') return send.digest !== undefined;
  return event.action !== 'paused' || (send.state === 'paused' && lastInto('paused', events) === event);
}

function newsCard(facts: Standing, event: SendEvent): Card {
  const { send, template } = facts;
  const what = `${addressOf(send)}*${whatSend(send, template)}*`;
  const message = literalMrkdwn(inShort(send, template), SHOWN_TEXT);
  switch (event.action) {
    case 'approved':
      return card(`✅ ${what}: approved ${actorOf(event)}.${startText(send, event)}`, message);
    case 'paused': {
      const left = `${people(send.counts.pending)} not tried yet.`;
      const next = `${pauseText(send)} Both buttons are on its progress message.`;
      return heldCard(send) ?? card(`⏸️ ${what}: paused ${actorOf(event)}. ${left}`, message, next);
    }
    default: {
      const { text, blocks } = card(`${stateOf(send).mark} ${what}`, message, ending(facts));
      if (send.retryOf !== undefined) return { text, blocks };
      return { text, blocks: [...blocks, ...actions([editAgainButton(send)])] };
    }
  }
}

/** Says how it ended, for the message with its report; undefined where who asked ended it. */
export function endNews({ send, template, events }: Standing): string | undefined {
  const event = lastInto(send.state, events);
  if (event?.actor === send.origin.userId) return undefined;
  const { mark, words } = stateOf(send);
  const by = send.state === 'stopped' && event ? ` ${actorOf(event)}` : '';
  const why = send.reason ? ` ${whyText(send.reason, 1500)}` : '';
  return `${mark} ${addressOf(send)}*${whatSend(send, template)}*: ${words}${by}.${why}\n${countsText(send.counts)}`;
}

/** Herald itself asks for what a rule sends, and need not be mentioned. */
function addressOf({ origin }: Send): string {
  return origin.alert === undefined ? `${mention(origin.userId)} ` : '';
}

function startText({ startAt, state }: Send, { at }: SendEvent): string {
  if (startAt !== undefined && startAt > at) return ` It starts ${moment(startAt)}.`;
  return state === 'approved' || state === 'sending' ? ' It starts now.' : '';
}

function card(...lines: readonly string[]): Card {
  const text = lines.join('\n');
  return { text, blocks: [section(text)] };
}
