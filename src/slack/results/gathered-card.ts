import type { Template } from '../../messages/templates/template.ts';
import type { AnswerSummary } from '../../sends/replies/ports.ts';
import type { RecipientState, Send, SendReport } from '../../sends/send.ts';
import { LIMITS } from '../connection/limits.ts';
import { truncate } from '../connection/truncate.ts';
import { context, section } from '../kit/blocks/blocks.ts';
import { createRoom } from '../kit/blocks/room.ts';
import { answerBlocks } from '../kit/cards/answer-summary.ts';
import { type Card, directNote, sentenceOf } from '../kit/cards/send-card.ts';
import { ONE_RECIPIENT } from '../kit/cards/words.ts';

/** Characters for the list, of the 12,000 of a message; its notification takes as many as the rest leaves. */
const LIST_ROOM = 8_000;
const NOTIFICATION = 3_000;

/** A send of the list, with what its line needs. */
export interface Gathered {
  readonly report: SendReport;
  readonly template?: Template | undefined;
  readonly answers?: AnswerSummary | undefined;
  readonly retries: readonly Send[];
}

/**
 * Several results in one message: how many ended how, and a line for each with its reference and its masked number; a failure
 * says there what happened, whether it was sent, and what to do next.
 *
 * @param mark stands in this message and in no other
 */
export function gatheredCard(sends: readonly Gathered[], mark: string, place: { direct: boolean }): Card {
  const title = titleOf(sends.map(({ report }) => report.recipient.state));
  const room = createRoom(LIST_ROOM);
  const lines = sends.map(lineOf).filter((line) => room.take(line.length));
  const left = room.left() > 0 ? [context(`${room.left()} more have no room here: \`/sends mine\``)] : [];
  const channelId = sends[0]?.report.send.origin.channelId ?? '';
  return {
    text: truncate([title, ...lines].join('\n'), NOTIFICATION),
    blocks: [
      { ...section(`*${title}*`), block_id: mark },
      ...inSections(lines).map(section),
      ...left,
      context('One of them in full: `/sends` and its reference'),
      ...(place.direct ? [directNote(channelId)] : []),
    ],
  };
}

function titleOf(states: readonly RecipientState[]): string {
  const counts = new Map<string, number>();
  for (const state of states) {
    const { words } = ONE_RECIPIENT[state];
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const all = counts.size === 1;
  const parts = [...counts].map(([words, count]) => (all ? `all ${words}` : `${count} ${words}`));
  return `📋 ${states.length} more: ${parts.join(' · ')}`;
}

function lineOf({ report, template, answers, retries }: Gathered): string {
  const came = answerBlocks(answers).flatMap(({ text }) => (text === undefined ? [] : [text.text]));
  return [sentenceOf(report, template, retries), ...came].join('\n');
}

/** Whole lines, as many as a section holds. */
function inSections(lines: readonly string[]): string[] {
  const sections: string[] = [];
  for (const line of lines) {
    const last = sections.at(-1);
    const more = `${last}\n${line}`;
    if (last !== undefined && more.length <= LIMITS.sectionText) sections[sections.length - 1] = more;
    else sections.push(truncate(line, LIMITS.sectionText));
  }
  return sections;
}
