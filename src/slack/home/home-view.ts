import type { HomeView, KnownBlock } from '@slack/types';
import { maskNumber } from '../../messages/numbers/phone-number.ts';
import { literalMrkdwn } from '../connection/escape.ts';
import { LIMITS } from '../connection/limits.ts';
import { actions, button, context, header, mention, moment, section } from '../kit/blocks/blocks.ts';
import { sendLines } from '../kit/cards/listed-sends.ts';
import { bar, RECIPIENT_STATES, shown, tallyOf } from '../kit/cards/words.ts';
import { type HomeFacts, MOST_QUESTIONS, SHOWN_SENDS } from './facts.ts';

export const START_ACTION = 'home_start';
export const REFRESH_ACTION = 'home_refresh';

/** With the numbers beside it, a line fits a phone. */
const CHART_CELLS = 12;
const SHOWN_TITLE = 100;

type LinkedSend = HomeFacts['latest'][number];

/** Home where Slack did not take the whole of it. */
export function refusedHome(code: string): HomeView {
  const text = `Slack refused what Home would show (${code}). Nothing was sent or changed. \`/sends all\` lists the sends; inform whoever runs Herald.`;
  return { type: 'home', blocks: [header('Herald'), section(text)] };
}

export function homeView(facts: HomeFacts): HomeView {
  return {
    type: 'home',
    blocks: [
      header('Herald'),
      ...actions([
        button(START_ACTION, 'Send a message', 'send', { style: 'primary' }),
        button(REFRESH_ACTION, 'Refresh', 'refresh'),
      ]),
      ...part('Waits for your decision', facts.toDecide),
      ...questionBlocks(facts.questions),
      ...alertBlocks(facts.alerts),
      ...unseenRules(facts.unseenRules),
      ...part('Your sends that wait', facts.waiting),
      ...part('Running now', facts.running),
      ...part('Failed or unknown today', facts.failed, '/sends all failed unknown today'),
      ...titled('The last 14 days', chart(facts.days)),
      ...part('Other latest sends', facts.latest),
      context(`As of ${moment(facts.at)} · \`/sends all\` lists everything`),
    ],
  };
}

function titled(title: string, sections: readonly string[], note?: string): KnownBlock[] {
  if (sections.length === 0) return [];
  const said = sections.map(section);
  return [header(title), ...said, ...(note === undefined ? [] : [context(note)])];
}

function unseenRules(lines: readonly string[]): KnownBlock[] {
  const shownLines = lines.slice(0, SHOWN_SENDS).join('\n').slice(0, LIMITS.sectionText);
  return titled('Alerts that nobody would get', shownLines ? [shownLines] : [], 'More: `/herald alerts`');
}

/** Alerts that somebody was notified of and nobody has acknowledged: each is where its button stands. */
function alertBlocks(alerts: HomeFacts['alerts']): KnownBlock[] {
  const lines = alerts.map(({ title, receivedAt, link }) =>
    linkedLine(`🚨 ${literalMrkdwn(title, SHOWN_TITLE)}`, receivedAt, link),
  );
  return titled('Not acknowledged yet', lines.length === 0 ? [] : [lines.join('\n')]);
}

function linkedLine(what: string, at: number, link: string | undefined): string {
  return [what, moment(at), ...(link ? [`<${link}|Open>`] : [])].join(' · ');
}

/** @param rest the command that lists those that have no room here */
function part(title: string, sends: readonly LinkedSend[], rest = '/sends all'): KnownBlock[] {
  const lines = sends.slice(0, SHOWN_SENDS).map(lineOf);
  const more = sends.length - lines.length;
  return titled(title, lines, more > 0 ? `… and ${shown(more)} more in \`${rest}\`` : undefined);
}

function lineOf(listed: LinkedSend): string {
  const { send, link } = listed;
  const { settled, all } = tallyOf(send.counts);
  const isRunning = send.state === 'sending' || send.state === 'paused';
  const where = link === undefined ? `\`/sends ${send.id}\`` : `<${link}|Open>`;
  return [
    sendLines(listed),
    ...(isRunning ? [bar(settled, all)] : []),
    `${mention(send.origin.userId)} · ${moment(send.createdAt)} · ${where}`,
  ].join('\n');
}

/**
 * A bar a day on which something came to an end, as long as what the service took; what went wrong stands behind it. No text where
 * nothing did.
 */
export function chart(days: HomeFacts['days']): readonly string[] {
  const taken = days.map(({ counts }) => counts.accepted ?? 0);
  const most = Math.max(1, ...taken);
  const widest = Math.max(...taken.map((count) => shown(count).length));
  const lines = days.flatMap(
    ({ label, counts: { accepted = 0, rejected = 0, not_sent = 0, unknown = 0 } }) => {
      const failed = rejected + not_sent;
      if (accepted + failed + unknown === 0) return [];
      const cells = accepted === 0 ? 0 : Math.max(1, Math.round((accepted / most) * CHART_CELLS));
      const notes = [
        ...(failed > 0 ? [`×${shown(failed)}`] : []),
        ...(unknown > 0 ? [`?${shown(unknown)}`] : []),
      ];
      const line = `${label} ${shown(accepted).padStart(widest)} ${'█'.repeat(cells)} ${notes.join(' ')}`;
      return [line.trimEnd()];
    },
  );
  if (lines.length === 0) return [];
  const legend = `× failed · ? ${RECIPIENT_STATES.unknown.words}`;
  const title = 'Accepted by the service, by the day on which it was asked for';
  return [`${title}\n\`\`\`\n${lines.join('\n')}\n\`\`\`\n${legend}`];
}

function questionBlocks({ count, newest }: HomeFacts['questions']): KnownBlock[] {
  if (count === 0) return [];
  const some = `${shown(count)}${count < MOST_QUESTIONS ? '' : ' or more'}`;
  const lines = newest.map(({ question: { event, askedAt = 0 }, link }) =>
    linkedLine(`✍️ ${event.from === undefined ? 'A customer' : maskNumber(event.from)}`, askedAt, link),
  );
  const left = count > newest.length ? ['… and older ones, once these are answered'] : [];
  return [header(`Waiting for an answer: ${some}`), section([...lines, ...left].join('\n'))];
}
