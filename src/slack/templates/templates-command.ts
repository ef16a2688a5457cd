import type { ModalView } from '@slack/types';
import { TEMPLATE_CHANNELS } from '../../messages/templates/template.ts';
import { ephemeral, ephemeralSentence, openModal } from '../kit/clicks/answering.ts';
import type { CommandArguments, CommandHandler } from '../kit/clicks/arguments.ts';
import type { Subcommands } from '../kit/feature/feature.ts';
import { LISTS } from '../kit/feature/rights.ts';
import { slackPieces, typedText } from '../kit/message-text/command-text.ts';
import { newForm } from './form.ts';
import { importView } from './import.ts';
import { listIn, listView, wholeList } from './list.ts';
import { lookView } from './look.ts';
import { EXPORTED } from './sentences.ts';
import { type Catalogue, inPlace, whyNot } from './windows.ts';

/** `/templates` alone, or words to search for, shown to the person alone. */
export const handleTemplatesCommand: CommandHandler<Catalogue> = async (args, catalogue) => {
  const { command, ack } = args;
  await ack();
  const text = typedText(slackPieces(command.text)).trim();
  return open(args, await listView(wholeList(command.channel_id, text), catalogue));
};

export const TEMPLATES_SUBCOMMANDS: Subcommands<Catalogue> = {
  look: {
    help: '`/templates look order_update` shows one: how it reads, its placeholders and their rules, its history, and buttons to edit, try, duplicate or archive it.',
    example: '/templates look order_update',
    handle: async (args, catalogue, name) => {
      await args.ack();
      return open(args, await lookOrList(name, args.command.channel_id, catalogue));
    },
  },
  add: {
    isAlone: true,
    help: '`/templates add` opens the form of a new one; `/templates import` takes a YAML file and shows what it would change; `/templates export` sends you all of them as such a file.',
    handle: (args, catalogue) => openForEditor(args, newForm, catalogue),
  },
  import: {
    ...LISTS,
    isAlone: true,
    handle: (args, catalogue) => openForEditor(args, importView, catalogue),
  },
  export: {
    ...LISTS,
    isAlone: true,
    handle: async ({ command, ack, respond }, catalogue) => {
      await ack();
      await respond(ephemeral(await exportTo(command.user_id, catalogue)));
    },
  },
};

/** The template of this name; the list of what is like it where there is none, or one in each channel. */
async function lookOrList(name: string, channelId: string, catalogue: Catalogue): Promise<ModalView> {
  const wanted = name.trim().toLowerCase();
  const found = await Promise.all(
    TEMPLATE_CHANNELS.map((channel) => catalogue.templates.look({ channel, name: wanted })),
  );
  const [only, ...others] = found.filter((stored) => stored !== undefined);
  return only !== undefined && others.length === 0
    ? lookView({ key: only.template, channelId }, catalogue)
    : listView(wholeList(channelId, wanted), catalogue);
}

async function openForEditor(
  args: CommandArguments,
  view: (channelId: string) => ModalView,
  catalogue: Catalogue,
): Promise<void> {
  const { command, ack, respond } = args;
  await ack();
  const refusal = await whyNot(command.user_id, command.channel_id, catalogue);
  if (refusal === undefined) return open(args, view(command.channel_id));
  await respond(ephemeralSentence(refusal));
}

async function open({ command, client, respond }: CommandArguments, view: ModalView): Promise<void> {
  const opened = await openModal(client, command.trigger_id, view);
  if (!opened.ok) await respond(ephemeral(`${opened.error} Nothing was changed. Try again.`));
}

async function exportTo(userId: string, { templates, files }: Catalogue): Promise<string> {
  const file = { name: 'templates.yml', content: [await templates.export()] };
  const sent = await files.sendTo(userId, 'The catalogue of templates:', file);
  return sent.ok ? EXPORTED : sent.error.sentence;
}

/** The button Export: the list then says that the file is on its way. */
export const handleExport = inPlace(async ({ body }, catalogue) => {
  const note = await exportTo(body.user.id, catalogue);
  return listView({ ...listIn(body.view), note }, catalogue);
});
