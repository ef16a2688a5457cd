import type { HomeView, KnownBlock } from '@slack/types';
import { maskNumber } from '../../messages/numbers/phone-number.ts';
import type { StoredCustomerEvent } from '../../sends/replies/ports.ts';
import type { RecipientState } from '../../sends/send.ts';
import { LIMITS } from '../connection/limits.ts';
import { actions, button, context, header, mention, moment, section } from '../kit/blocks/blocks.ts';
import { type ListedSend, sendLines } from '../kit/cards/listed-sends.ts';
import { bar, RECIPIENT_STATES, shown, tallyOf } from '../kit/cards/words.ts';

export const START_ACTION = 'home_start';
export const REFRESH_ACTION = 'home_refresh';

/** Of each part no more are shown; `/sends` has the rest. */
export const SHOWN_SENDS = 8;
/** With the numbers beside it, a line fits a phone. */
const CHART_CELLS = 12;

/** A send, and where its message stands. */
export interface LinkedSend extends ListedSend {
  /** Link to its card or progress message. */
  readonly link?: string;
}

/** Recipients of one day's sends, by how they ended. */
export interface DayCounts {
  /** `21 Nov` */
  readonly label: string;
  readonly counts: Partial<Readonly<Record<RecipientState, number>>>;
}

/** What one person's Home shows. */
export interface HomeFacts {
  /** Sends that this person may approve now. */
  readonly toDecide: readonly LinkedSend[];
  /** This person's own that wait for an approval or for their time. */
  readonly waiting: readonly LinkedSend[];
  /** Anybody's that are being sent or are paused. */
  readonly running: readonly LinkedSend[];
  /** Anybody's that ended today with recipients who got nothing, or of whom nobody knows; newest first. */
  readonly failed: readonly LinkedSend[];
  readonly questions: Questions;
  /** Oldest first. */
  readonly days: readonly DayCounts[];
  /** Anybody's others that ended last. */
  readonly latest: readonly LinkedSend[];
  /** Rules for alerts that see nothing: lines of mrkdwn. */
  readonly unseenRules: readonly string[];
  readonly at: number;
}

/** Home where Slack did not take the whole of it. */
export function refusedHome(code: string): HomeView {
  const text = `Slack refused what Home would show (${code}). Nothing was sent or changed. \`/sends all\` lists the sends; tell whoever runs Herald.`;
  return { type: 'home', blocks: [header('Herald'), section(text)] };
}

/** One person's Home tab: what waits for them, what runs, what went wrong today, what was, and where to start. */
export function homeView(facts: HomeFacts): HomeView {
  return {
    type: 'home',
    blocks: [
      header('Herald'),
      ...actions([
        button(START_ACTION, 'Send a message', 'send', { style: 'primary' }),
        button(REFRESH_ACTION, 'Refresh', 'refresh'),
      ]),
      ...unseenRules(facts.unseenRules),
      ...part('Waits for your decision', facts.toDecide, 'Nothing waits for you.'),
      ...(facts.waiting.length === 0 ? [] : part('Your sends that wait', facts.waiting, '')),
      ...part('Running now', facts.running, 'Nothing is being sent.'),
      ...part('Failed or unknown today', facts.failed, 'Nothing failed.', '/sends all failed unknown today'),
      ...questionBlocks(facts.questions),
      header('The last 14 days'),
      section(chart(facts.days)),
      ...(facts.latest.length === 0 ? [] : part('Other latest sends', facts.latest, '')),
      context(`As of ${moment(facts.at)} · \`/sends all\` lists everything`),
    ],
  };
}

function unseenRules(lines: readonly string[]): KnownBlock[] {
  if (lines.length === 0) return [];
  const shownLines = lines.slice(0, SHOWN_SENDS).join('\n').slice(0, LIMITS.sectionText);
  return [header('Alerts that nobody would get'), section(shownLines), context('More: `/herald alerts`')];
}

/** @param rest the command that lists those that have no room here */
function part(title: string, sends: readonly LinkedSend[], none: string, rest = '/sends all'): KnownBlock[] {
  const lines = sends.slice(0, SHOWN_SENDS).map((one) => section(lineOf(one)));
  const more = sends.length - lines.length;
  return [
    header(title),
    ...(lines.length === 0 ? [section(none)] : lines),
    ...(more > 0 ? [context(`… and ${shown(more)} more in \`${rest}\``)] : []),
  ];
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

/** A bar a day on which something came to an end, as long as what the service took; what went wrong stands behind it. */
export function chart(days: readonly DayCounts[]): string {
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
  if (lines.length === 0) return 'Nothing was sent.';
  const legend = `× failed · ? ${RECIPIENT_STATES.unknown.words}`;
  return `Accepted by the service, by the day on which it was asked for\n\`\`\`\n${lines.join('\n')}\n\`\`\`\n${legend}`;
}

/** Questions older than this are left to those who remember them. */
export const QUESTIONS_MS = 30 * 24 * 60 * 60_000;
/** More than anybody answers at a sitting. */
export const MOST_QUESTIONS = 200;
export const SHOWN_QUESTIONS = 8;

/** What customers wrote and nobody has answered. */
export interface Questions {
  readonly count: number;
  /** The newest, with links to where they stand. */
  readonly newest: readonly { readonly question: StoredCustomerEvent; readonly link?: string | undefined }[];
}

/** How many wait, and a way to each of the newest; nothing where none does. */
function questionBlocks({ count, newest }: Questions): KnownBlock[] {
  if (count === 0) return [];
  const some = `${shown(count)}${count < MOST_QUESTIONS ? '' : ' or more'}`;
  const lines = newest.map(({ question: { event, askedAt = 0 }, link }) =>
    [
      `✍️ ${event.from === undefined ? 'A customer' : maskNumber(event.from)}`,
      moment(askedAt),
      ...(link === undefined ? [] : [`<${link}|Open>`]),
    ].join(' · '),
  );
  const left = count > newest.length ? ['… and older ones, once these are answered'] : [];
  return [header(`Waiting for an answer: ${some}`), section([...lines, ...left].join('\n'))];
}
