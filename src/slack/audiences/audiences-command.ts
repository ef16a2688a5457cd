import type { KnownBlock } from '@slack/types';
import { given } from '../../core/given.ts';
import { readRecipient } from '../../messages/form/recipient.ts';
import { readSomebodysNumber } from '../../messages/numbers/person.ts';
import { type Msisdn, maskNumber } from '../../messages/numbers/phone-number.ts';
import type { Audience, AudienceRow, OptOut } from '../../sends/audience.ts';
import { escapeMrkdwn, literalMrkdwn } from '../connection/escape.ts';
import { LIMITS, truncate } from '../connection/limits.ts';
import { actions, button, context, mention, moment, saying, section } from '../kit/blocks/blocks.ts';
import { countLines, exclusionsButton } from '../kit/cards/list-words.ts';
import { people, shown } from '../kit/cards/words.ts';
import { ephemeral } from '../kit/clicks/answering.ts';
import type {
  ClickHandler,
  CommandArguments,
  CommandHandler,
  EphemeralMessage,
} from '../kit/clicks/arguments.ts';
import type { Subcommands } from '../kit/feature/feature.ts';
import { LISTS } from '../kit/feature/rights.ts';
import { POSTED_FILE_SHORTCUT } from '../kit/files/file-inputs.ts';
import type { SlackServices } from '../kit/services.ts';
import { openUpload } from './upload.ts';

export const UPLOAD_ACTION = 'audience_upload';
export const LOOK_ACTION = 'audience_look';
export const REPLACE_ACTION = 'audience_replace';
export const DELETE_ACTION = 'audience_delete';

/** One line of the list takes two blocks, and a message holds fifty. */
const LISTED = 20;
const SAMPLE_ROWS = 5;
const CELL_CHARACTERS = 40;

type Subcommand = Subcommands<SlackServices>[string];
type Handle = Subcommand['handle'];

/** Acknowledges first: reading may take longer than Slack waits. */
function acknowledged(handle: Handle): Handle {
  return async (args, services, rest) => {
    await args.ack();
    await handle(args, services, rest);
  };
}

const handleList = acknowledged(async ({ respond }, services) => {
  await respond(await listMessage(services));
});

/** `/audiences` alone lists them; a line that begins with none of its subcommands is answered with the help. */
export const handleAudiencesCommand: CommandHandler<SlackServices> = async (args, services) =>
  args.command.text.trim() === '' ? handleList(args, services, '') : args.ack(ephemeral(args.help));

/** The subcommands of `/audiences`, answered to the person alone. */
export const AUDIENCES_SUBCOMMANDS: Subcommands<SlackServices> = {
  list: { ...LISTS, handle: handleList },
  upload: {
    ...LISTS,
    help: `\`/audiences upload\` takes a CSV file as a new one; “${POSTED_FILE_SHORTCUT}” in a message’s menu takes the one posted there.`,
    handle: acknowledged((args, _, name) => openUpload(args, { upload: 'audience_upload', name })),
  },
  look: {
    ...LISTS,
    help: '`/audiences look name` shows its counts, its columns and a few rows, with the numbers masked.',
    example: '/audiences look Newsletter',
    handle: acknowledged((args, services, name) => look(name, args, services)),
  },
  replace: {
    ...LISTS,
    help: '`/audiences replace name` and `/audiences delete name` do not change sends that were already asked for.',
    handle: acknowledged((args, services, name) =>
      withAudience(name, args, services, () =>
        openUpload(args, { upload: 'audience_upload', name, replace: true }),
      ),
    ),
  },
  delete: {
    ...LISTS,
    handle: acknowledged((args, services, name) =>
      withAudience(name, args, services, async (audience) => {
        await args.respond(ephemeral(`Delete ${bold(audience)}?`, blocksOf(audience)));
      }),
    ),
  },
};

async function withAudience(
  name: string,
  { respond }: Pick<CommandArguments, 'respond'>,
  { audiences }: SlackServices,
  use: (audience: Audience) => Promise<void>,
): Promise<void> {
  const audience = name === '' ? undefined : await audiences.findByName(name);
  if (audience) return use(audience);
  await respond(
    ephemeral(`There is no audience “${literalMrkdwn(name, LIMITS.sectionText)}”. /audiences lists them.`),
  );
}

async function listMessage({ audiences }: SlackServices): Promise<EphemeralMessage> {
  const found = await audiences.list(LISTED + 1);
  const shown = found.slice(0, LISTED);
  const opening = shown.length === 0 ? 'No audience is saved yet.' : 'Saved audiences, for everyone:';
  const more =
    found.length > LISTED
      ? [context(`Only the first ${LISTED} by name are shown; \`/audiences look name\` finds any.`)]
      : [];
  return ephemeral(opening, [
    section(opening),
    ...shown.flatMap((audience) => blocksOf(audience)),
    ...more,
    ...actions([button(UPLOAD_ACTION, 'Upload a CSV file', 'upload')]),
  ]);
}

/** One audience, with `more` between who made it and its buttons. */
function blocksOf(audience: Audience, more: readonly KnownBlock[] = []): KnownBlock[] {
  const { name = '', counts, createdBy, createdAt } = audience;
  const question = {
    title: 'Delete this audience?',
    text: `“${name}” has ${shown(counts.valid)} recipients. Sends that were asked for with it keep them.`,
    yes: 'Delete',
    no: 'Keep',
  };
  return [
    section(`${bold(audience)} – ${people(counts.valid)}, by ${mention(createdBy)}, ${moment(createdAt)}`),
    ...more,
    ...actions([
      button(LOOK_ACTION, 'Look', name),
      button(REPLACE_ACTION, 'Replace', name),
      button(DELETE_ACTION, 'Delete', name, { style: 'danger', question }),
    ]),
  ];
}

function look(name: string, args: Pick<CommandArguments, 'respond'>, services: SlackServices): Promise<void> {
  return withAudience(name, args, services, async (audience) => {
    const sample = await services.audiences.sample(audience.id, SAMPLE_ROWS);
    const rows = sample.map(rowLine).join('\n');
    const more = [
      saying(countLines(audience)),
      ...(rows === '' ? [] : [saying(rows)]),
      ...actions(exclusionsButton(audience)),
    ];
    await args.respond(ephemeral(`Audience ${bold(audience)}`, blocksOf(audience, more)));
  });
}

function rowLine({ row, number, values }: AudienceRow): string {
  const cells = values.map((value) => truncate(value.replaceAll('\n', ' '), CELL_CHARACTERS));
  return [`Row ${shown(row)}: ${maskNumber(number)}`, ...cells].join(' | ');
}

export const handleLook: ClickHandler<SlackServices> = (args, services) =>
  look(args.action.value ?? '', args, services);

/** The buttons Upload and Replace: Replace carries the name. */
export const handleUploadButton: ClickHandler<unknown> = async ({ body, action, respond, client }) => {
  const replace = action.action_id === REPLACE_ACTION;
  const name = replace ? (action.value ?? '') : '';
  await openUpload({ command: body, client, respond }, { upload: 'audience_upload', name, replace });
};

export const handleDelete: ClickHandler<SlackServices> = async (
  { body, action, respond },
  { audiences, logger },
) => {
  const { value: name = '' } = action;
  const wasThere = await audiences.forget(name);
  if (wasThere) logger.info({ userId: body.user.id }, 'an audience was deleted');
  const words = wasThere
    ? 'is deleted. Sends that were asked for with it keep their recipients.'
    : 'was deleted already.';
  await respond(ephemeral(`The audience “${literalMrkdwn(name, LIMITS.sectionText)}” ${words}`));
};

function bold({ name = '' }: Audience): string {
  return `*${literalMrkdwn(name, LIMITS.sectionText)}*`;
}

/** Does something with one number, and answers with words about it that follow the number. */
type OnNumber = (number: Msisdn, services: SlackServices, userId: string) => Promise<string>;

/** @param help absent where another line of the help says it */
function onNumber(act: OnNumber, help?: string): Subcommand {
  return {
    ...LISTS,
    ...given({ help }),
    handle: async ({ command, ack, respond }, services, typed) => {
      const read = readRecipient(typed, services.defaults.country, readSomebodysNumber);
      if (!read.ok) {
        const sentence = /[,;\n]/.test(typed)
          ? 'Enter one number. For several, `/optout import` takes a CSV file.'
          : escapeMrkdwn(read.error, LIMITS.sectionText);
        return ack(ephemeral(sentence));
      }
      await ack();
      const words = await act(read.value, services, command.user_id);
      await respond(ephemeral(`${maskNumber(read.value)} ${words}`));
    },
  };
}

const add = onNumber(
  async (number, { audiences }, userId) =>
    (await audiences.optOut(number, userId))
      ? 'is on the opt-out list now: nothing is sent to it in a bulk send.'
      : 'was on the opt-out list already.',
  '`/optout add +91 81234 56789` puts a number on the list, `/optout remove …` takes it off.',
);
const remove = onNumber(async (number, { audiences }, userId) =>
  (await audiences.optIn(number, userId))
    ? 'is no longer on the opt-out list.'
    : 'was not on the opt-out list.',
);
const lookUp = onNumber(async (number, { audiences }) => {
  const found = await audiences.lookUp(number);
  if (found === undefined) return 'is not on the opt-out list.';
  return `has been on the opt-out list since ${moment(found.at)}, ${WAYS[found.source](mention(found.actor))}.`;
}, '`/optout look up …` says whether it is on it, since when and by whom.');

const WAYS: Readonly<Record<OptOut['source'], (who: string) => string>> = {
  reply: () => 'by a reply of its owner',
  import: (who) => `in a file that ${who} imported`,
  command: (who) => `added by ${who}`,
};

const openImport = acknowledged((args) =>
  openUpload(args, { upload: 'optout_import' }, 'Nothing was changed. Type /optout import again.'),
);

const exportAll = acknowledged(async ({ command, respond }, { audiences, files, logger }) => {
  const count = await audiences.countOptOuts();
  if (count === 0) {
    await respond(ephemeral('The opt-out list is empty.'));
    return;
  }
  const parts = await Array.fromAsync(audiences.exportOptOuts());
  const numbers = count === 1 ? '1 number' : `${count.toLocaleString('en')} numbers`;
  const sent = await files.sendTo(command.user_id, `The opt-out list, ${numbers}:`, {
    name: 'opt-outs.csv',
    content: parts,
  });
  if (sent.ok) logger.info({ userId: command.user_id, count }, 'the opt-out list was exported');
  const done = `The opt-out list, ${numbers}, was sent to you directly as a file.`;
  await respond(ephemeral(sent.ok ? done : escapeMrkdwn(sent.error.sentence)));
});

/**
 * The subcommands of `/optout` answer the person alone. Numbers are shown masked; only the exported file has them
 * whole, and goes to the person directly.
 */
export const OPTOUT_SUBCOMMANDS: Subcommands<SlackServices> = {
  add: { ...add, example: '/optout add +919876501234' },
  remove,
  'look up': lookUp,
  lookup: { ...LISTS, handle: lookUp.handle },
  import: {
    ...LISTS,
    help: '`/optout import` takes a CSV file; `/optout export` sends you the whole list as a file.',
    handle: openImport,
  },
  export: { ...LISTS, example: '/optout export', handle: exportAll },
};
