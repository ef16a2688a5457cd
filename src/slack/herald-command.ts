import type { RecipientState } from '../sends/send.ts';
import { ALERTS_SUBCOMMANDS } from './alerts/alerts-command.ts';
import { escapeMrkdwn } from './connection/escape.ts';
import { EVENTS_DROPPED, type SlackHealth } from './connection/health.ts';
import { context, moment, section } from './kit/blocks/blocks.ts';
import { RECIPIENT_STATES, shown } from './kit/cards/words.ts';
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
  /** The account there, in words; absent where nothing can be known. */
  readonly account?: string | undefined;
  /** Messages about sends that Slack did not take, since the start, and why the latest; absent where it took all. */
  readonly notShown?: { readonly count: number; readonly reason: string } | undefined;
  /** Webhooks and alerts that failed three times, and with which nothing more is done. */
  readonly setAside: number;
  /** Recipients by state since midnight, where that is cheap to count. */
  readonly today?: Partial<Readonly<Record<RecipientState, number>>>;
}

export interface OfHerald {
  /** `/herald status` reads from it; `main` knows all the parts. Answers within seconds, and never throws. */
  readonly status: { read(): Promise<HeraldStatus> };
  readonly commands: ReturnType<typeof commandList>;
}

/** `/herald`. What changes nothing but the person's own numbers takes no right. */
export const heraldFeature: Feature<SlackServices & OfHerald> = {
  commands: {
    '/herald': {
      needs: 'sends',
      description: 'What Herald can do, whether it works, and the rules for alerts',
      usageHint: '[help | status | alerts [try | mute | unmute | numbers] [rule]]',
      examples: [],
      handle: async ({ command, ack }, { commands }) => {
        const typed = command.text.trim();
        const known = typed === '' || isHelp(typed);
        await ack({ response_type: 'ephemeral', ...helpMessage(commands, known ? undefined : typed) });
      },
      subcommands: {
        status: {
          isAlone: true,
          example: '/herald status',
          handle: async ({ ack, respond }, { status }) => {
            // Looking at every part may take longer than Slack waits for an acknowledgement.
            await ack();
            await respond({ response_type: 'ephemeral', ...statusMessage(await status.read()) });
          },
        },
        ...ALERTS_SUBCOMMANDS,
      },
    },
  },
};

/** Every command as the help has it, made once: the help is asked for often. */
export function commandList(commands: readonly (CommandSurface & { readonly command: string })[]) {
  return {
    names: commands.map(({ command }) => command).join(', '),
    /** The list as mrkdwn. */
    explained: commands
      .map(({ command, description, examples }) =>
        [`*${command}* – ${description}`, ...examples.map((example) => `      \`${example}\``)].join('\n'),
      )
      .join('\n\n'),
  };
}

/** @param unknown a subcommand that Herald does not have */
export function helpMessage({ names, explained }: OfHerald['commands'], unknown?: string) {
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

export function statusMessage(status: HeraldStatus) {
  const { version, startedAt, slack, store, service, account, notShown, setAside, today } = status;
  const slackDetail = slack.problem ?? `connected by ${slack.mode === 'socket' ? 'Socket Mode' : 'HTTP'}`;
  const parts = [
    line(slack.ready, 'Slack', slackDetail),
    ...(slack.droppedAt ? [`⚠️ ${EVENTS_DROPPED} The latest: ${moment(slack.droppedAt)}`] : []),
    line(store.ok, 'Database', store.detail),
    line(service.ok, 'Messaging service', service.detail),
    ...(account === undefined ? [] : [`ℹ️ Account: ${escapeMrkdwn(account, 600)}`]),
    ...(notShown === undefined ? [] : [`⚠️ Results: ${escapeMrkdwn(notShownDetail(notShown), 600)}`]),
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

function notShownDetail({ count, reason }: NonNullable<HeraldStatus['notShown']>): string {
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
  return `Webhooks and alerts that Herald failed three times to work on, and has set aside: ${count}. Herald’s log names each; they are still in the database.`;
}

function todayLine(today: NonNullable<HeraldStatus['today']>): string {
  const counts = Object.entries(RECIPIENT_STATES).flatMap(([state, { words }]) => {
    const count = today[state as RecipientState] ?? 0;
    return count > 0 ? [`${shown(count)} ${words}`] : [];
  });
  return counts.length > 0 ? counts.join(' · ') : 'nothing sent yet';
}
