import type { ModalView } from '@slack/types';
import { TEMPLATE_CHANNELS } from '../../messages/templates/template.ts';
import { ephemeral, ephemeralSentence, openModal } from '../kit/clicks/answering.ts';
import type { ClickHandler, CommandArguments, CommandHandler } from '../kit/clicks/arguments.ts';
import { slackPieces, typedText } from '../kit/message-text/command-text.ts';
import { newForm } from './form.ts';
import { importView } from './import.ts';
import { listIn, listView, wholeList } from './list.ts';
import { lookView } from './look.ts';
import { EXPORTED } from './sentences.ts';
import { type Catalogue, replace, whyNot } from './windows.ts';

export const HELP = [
  '`/templates` shows the catalogue, `/templates order` what fits “order”.',
  '`/templates look order_update` shows one: how it reads, its placeholders and their rules, its history, and buttons to edit, try, duplicate or archive it.',
  '`/templates add` opens the form of a new one; `/templates import` takes a YAML file and shows what it would change; `/templates export` sends you all of them as such a file.',
  'Changing a template voids the approvals of sends that use it and have not begun; you are asked before.',
];

/** `/templates [words | look name | add | import | export | help]`, shown to the person alone. */
export const handleTemplatesCommand: CommandHandler<Catalogue> = async (args, catalogue) => {
  const { command, ack, respond } = args;
  const text = typedText(slackPieces(command.text)).trim();
  const [, word = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  const { channel_id: channelId, user_id: userId } = command;
  switch (rest === '' || word === 'look' ? word.toLowerCase() : '') {
    case 'export':
      await ack();
      await respond(ephemeral(await exportTo(userId, catalogue)));
      return;
    case 'add':
      return openForEditor(args, () => newForm(channelId), catalogue);
    case 'import':
      return openForEditor(args, () => importView(channelId), catalogue);
    case 'look':
      await ack();
      return open(args, await lookOrList(rest, channelId, catalogue));
    default:
      await ack();
      return open(args, await listView(wholeList(channelId, text), catalogue));
  }
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
  view: () => ModalView,
  catalogue: Catalogue,
): Promise<void> {
  const { command, ack, respond } = args;
  await ack();
  const refusal = await whyNot(command.user_id, command.channel_id, catalogue);
  if (refusal === undefined) return open(args, view());
  await respond(ephemeralSentence(refusal));
}

async function open({ command, client, respond }: CommandArguments, view: ModalView): Promise<void> {
  const opened = await openModal(client, command.trigger_id, view);
  if (!opened.ok) await respond(ephemeral(`${opened.error} Nothing was changed. Try again.`));
}

async function exportTo(userId: string, { templates, files }: Catalogue): Promise<string> {
  const yaml = await templates.export();
  const sent = await files.sendTo(userId, 'The catalogue of templates:', {
    name: 'templates.yml',
    content: async function* () {
      yield yaml;
    },
  });
  return sent.ok ? EXPORTED : sent.error.sentence;
}

/** The button Export: the list then says that the file is on its way. */
export const handleExport: ClickHandler<Catalogue> = async ({ body, client }, catalogue) => {
  const note = await exportTo(body.user.id, catalogue);
  await replace(client, body.view?.id, await listView({ ...listIn(body.view), note }, catalogue), catalogue);
};
