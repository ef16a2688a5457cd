import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { SendReader } from '../../sends/ports.ts';
import type { Send } from '../../sends/send.ts';
import { escapeMrkdwn } from '../connection/escape.ts';
import { SEND_STATES } from '../kit/cards/words.ts';
import type { ClickArguments, CommandArguments } from '../kit/clicks/arguments.ts';
import type { FileToSend, SlackFiles } from '../kit/files/files.ts';
import { slackPieces, typedText } from '../kit/message-text/command-text.ts';
import { auditFile, type RecordSources } from './audit.ts';
import { listMessage, PAGE } from './list-message.ts';
import { type ListQuery, readQuery, STATE_WORDS } from './query.ts';

export interface SendsCommandDependencies {
  readonly store: Pick<SendReader, 'list'> & RecordSources['store'];
  /** One send in full, as this person may act on it; undefined when there is none. */
  readonly oneSend: (
    sendId: string,
    userId: string,
  ) => Promise<{ readonly text: string; readonly blocks: KnownBlock[] } | undefined>;
  readonly optOuts: RecordSources['optOuts'];
  readonly files: Pick<SlackFiles, 'sendTo'>;
}

/** Who asked, and what answers them. */
interface Asked extends Pick<ClickArguments, 'respond'> {
  readonly userId: string;
}

/** `/sends [mine | all] [state …]`, `/sends S-…`, `/sends audit`, `/sends help`, answered to the person alone. */
export async function handleSendsCommand(
  { command, ack, respond, help }: CommandArguments,
  dependencies: SendsCommandDependencies,
): Promise<void> {
  await ack();
  const asked = { userId: command.user_id, respond };
  const query = readQuery(typedText(slackPieces(command.text)));
  switch (query.ask) {
    case 'list':
      return showList(query.list, asked, dependencies);
    case 'one':
      return showOne(query.sendId, asked, dependencies);
    case 'audit':
      return give(asked, 'The record of who did what:', await auditFile(dependencies), dependencies);
    case 'help':
      return say(asked, help);
    case 'not_understood':
      return say(
        asked,
        `Herald does not know “${escapeMrkdwn(query.word, 80)}” here. \`/sends help\` lists what it knows.`,
      );
  }
}

export const HELP = [
  '`/sends` lists your sends, `/sends all` everyone’s, newest first.',
  `A state narrows it down, e.g. \`/sends all paused\`: ${Object.keys(STATE_WORDS).join(', ')}.`,
  '`/sends S-7K2M9QX4TB` shows one in full: what it sends, how far it is, who did what, and what you can do about it.',
  '`/sends audit` sends you the record of who did what, and of what was asked for, over all sends, as a CSV file; it is for approvers and whoever `access.audit` of herald.yml lists.',
];

export async function handleLook(
  args: ClickArguments,
  dependencies: SendsCommandDependencies,
): Promise<void> {
  await args.ack();
  await showOne(args.action.value ?? '', askedBy(args), dependencies);
}

export async function handleOlder(
  args: ClickArguments,
  dependencies: SendsCommandDependencies,
): Promise<void> {
  await args.ack();
  await showList(readListQuery(args.action.value ?? ''), askedBy(args), dependencies);
}

function askedBy({ body, respond }: ClickArguments): Asked {
  return { userId: body.user.id, respond };
}

async function say({ respond }: Asked, text: string, blocks?: KnownBlock[]): Promise<void> {
  await respond({ response_type: 'ephemeral', replace_original: false, text, ...(blocks ? { blocks } : {}) });
}

const listQuerySchema = z.object({
  whose: z.enum(['mine', 'all']),
  states: z.array(z.string().refine((state) => Object.hasOwn(SEND_STATES, state))),
  before: z.number().optional(),
});

function readListQuery(value: string): ListQuery {
  const { whose, states, before } = listQuerySchema.parse(JSON.parse(value));
  return {
    whose,
    ...(states.length > 0 ? { states: states as Send['state'][] } : {}),
    ...(before === undefined ? {} : { before }),
  };
}

async function showList(query: ListQuery, asked: Asked, { store }: SendsCommandDependencies): Promise<void> {
  const { whose, states, before } = query;
  // One more than is shown tells whether there are older ones.
  const found = await store.list({
    ...(whose === 'mine' ? { userId: asked.userId } : {}),
    ...(states ? { states } : {}),
    ...(before === undefined ? {} : { before }),
    limit: PAGE + 1,
  });
  const { text, blocks } = listMessage(query, found.slice(0, PAGE), found.length > PAGE);
  await say(asked, text, blocks);
}

async function showOne(sendId: string, asked: Asked, dependencies: SendsCommandDependencies): Promise<void> {
  const told = await dependencies.oneSend(sendId, asked.userId);
  if (told === undefined)
    return say(asked, `There is no send ${escapeMrkdwn(sendId, 40)}. \`/sends\` lists yours.`);
  await say(asked, told.text, told.blocks);
}

async function give(
  asked: Asked,
  sentence: string,
  file: FileToSend,
  { files }: SendsCommandDependencies,
): Promise<void> {
  const sent = await files.sendTo(asked.userId, sentence, file);
  await say(asked, sent.ok ? 'The file was sent to you directly.' : sent.error);
}
