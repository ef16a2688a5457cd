import type { types } from '@slack/bolt';
import type { RecipientState } from '../sends/send.ts';
import { ALERTS_SUBCOMMANDS } from './alerts/alerts-command.ts';
import { escapeMrkdwn } from './connection/escape.ts';
import { EVENTS_DROPPED, type SlackHealth } from './connection/health.ts';
import { context, moment, section } from './kit/blocks/blocks.ts';
import { RECIPIENT_STATES, shown } from './kit/cards/words.ts';
import type { CommandArguments } from './kit/clicks/arguments.ts';
import type { CommandSurface, Feature } from './kit/feature/feature.ts';
import { isHelp } from './kit/feature/rights.ts';
import type { SlackServices } from './kit/services.ts';

/** Whether one of the things that Herald rests on is well; `detail` is a sentence or a few words. */
export interface PartStatus {
  readonly ok: boolean;
  readonly detail: string;
}

export interface HeraldStatus {
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly slack: SlackHealth;
  readonly store: PartStatus;
  readonly service: PartStatus;
  /** Messages about sends that Slack did not take, since the start, and why the latest; absent where it took all. */
  readonly untold?: { readonly count: number; readonly reason: string } | undefined;
  /** Webhooks, answers, alerts and results that failed three times, and with which nothing more is done. */
  readonly setAside: number;
  /** Recipients by state since midnight, where that is cheap to count. */
  readonly today?: Partial<Readonly<Record<RecipientState, number>>>;
}

/** Where `/herald status` reads from; `main` knows all the parts. Answers within seconds, and never throws. */
export interface StatusSource {
  read(): Promise<HeraldStatus>;
}

interface OfHerald {
  readonly status: StatusSource;
  /** What Herald can do. */
  readonly commands: CommandList;
}

/** `/herald`. What changes nothing but the person's own numbers takes no right. */
export const heraldFeature: Feature<SlackServices & OfHerald> = {
  commands: {
    '/herald': {
      needs: 'sends',
      description: 'What Herald can do, whether it works, and the rules for alerts',
      usageHint: '[help | status | alerts [try | mute | unmute | numbers] [rule]]',
      examples: [],
      handle: explain,
      subcommands: {
        status: { isAlone: true, example: '/herald status', handle: tellStatus },
        ...ALERTS_SUBCOMMANDS,
      },
    },
  },
};

/** What Herald can do. */
async function explain({ command, ack }: CommandArguments, { commands }: OfHerald): Promise<void> {
  const typed = command.text.trim();
  const known = typed === '' || isHelp(typed);
  await ack({ response_type: 'ephemeral', ...helpMessage(commands, known ? undefined : typed) });
}

/** `/herald status` */
async function tellStatus({ ack, respond }: CommandArguments, { status }: OfHerald): Promise<void> {
  // Looking at every part may take longer than Slack waits for an acknowledgement.
  await ack();
  await respond({ response_type: 'ephemeral', ...statusMessage(await status.read()) });
}

interface Message {
  readonly text: string;
  readonly blocks: types.KnownBlock[];
}

/** Every command as the help has it, made once: the help is asked for often. */
export interface CommandList {
  readonly names: string;
  /** As mrkdwn. */
  readonly explained: string;
}

export function commandList(
  commands: readonly (CommandSurface & { readonly command: string })[],
): CommandList {
  return {
    names: commands.map(({ command }) => command).join(', '),
    explained: commands
      .map(({ command, description, examples }) =>
        [`*${command}* – ${description}`, ...examples.map((example) => `      \`${example}\``)].join('\n'),
      )
      .join('\n\n'),
  };
}

/** @param unknown a subcommand that Herald does not have */
export function helpMessage({ names, explained }: CommandList, unknown?: string): Message {
  const opening =
    unknown === undefined
      ? 'Herald sends messages to customers and shows you here what happened to them.'
      : `Herald has no “/herald ${escapeMrkdwn(unknown, 80)}”. This is what it has:`;
  const closing =
    'A send command alone opens a form; with the number and the words after it, it sends at once. “Accepted by the service” means that the service took the message, not that it was read.';
  return {
    text: `${opening} The commands are ${names}.`,
    blocks: [section(opening), section(explained), context(closing)],
  };
}

export function statusMessage(status: HeraldStatus): Message {
  const { version, startedAt, slack, store, service, untold, setAside, today } = status;
  const slackDetail = slack.problem ?? `connected by ${slack.mode === 'socket' ? 'Socket Mode' : 'HTTP'}`;
  const parts = [
    line(slack.ready, 'Slack', slackDetail),
    ...(slack.droppedAt ? [`⚠️ ${EVENTS_DROPPED} The latest: ${moment(slack.droppedAt)}`] : []),
    line(store.ok, 'Database', store.detail),
    line(service.ok, 'Messaging service', service.detail),
    ...(untold === undefined ? [] : [`⚠️ Results: ${escapeMrkdwn(untoldDetail(untold), 600)}`]),
    ...(setAside > 0 ? [`⚠️ ${setAsideLine(setAside)}`] : []),
  ];
  const well = slack.ready && store.ok && service.ok;
  const opening = well ? 'Herald is working normally.' : 'Herald has a problem.';
  return {
    text: `${opening} ${parts.join(' ')}`,
    blocks: [
      section(`*${opening}*`),
      section(parts.join('\n')),
      ...(today ? [section(`*Today*\n${todayLine(today)}`)] : []),
      context(`Version ${escapeMrkdwn(version, 80)} · running since ${moment(startedAt)}`),
    ],
  };
}

function untoldDetail({ count, reason }: NonNullable<HeraldStatus['untold']>): string {
  const what = count === 1 ? 'one message about a send' : `${count} messages about sends`;
  return (
    `Slack did not take ${what} since Herald started (the latest: ${reason}), and Herald no longer tries. ` +
    '/sends shows the result of each send; ask an administrator of the workspace which permission Herald lacks.'
  );
}

function line(ok: boolean, name: string, detail: string): string {
  return `${ok ? '✅' : '⛔'} ${name}: ${escapeMrkdwn(detail, 600)}`;
}

function setAsideLine(count: number): string {
  return `Webhooks, answers, alerts and results that Herald failed three times to work on, and has set aside: ${count}. Herald’s log names each; they are still in the database.`;
}

function todayLine(today: NonNullable<HeraldStatus['today']>): string {
  const counts = Object.entries(RECIPIENT_STATES).flatMap(([state, { words }]) => {
    const count = today[state as RecipientState] ?? 0;
    return count > 0 ? [`${shown(count)} ${words}`] : [];
  });
  return counts.length > 0 ? counts.join(' · ') : 'nothing sent yet';
}
