import type { KnownBlock, SectionBlock } from '@slack/types';
import { maskNumber } from '../../messages/numbers/phone-number.ts';
import type { Audience, AudienceRow } from '../../sends/audience.ts';
import { literalMrkdwn } from '../connection/escape.ts';
import { LIMITS, truncate } from '../connection/limits.ts';
import { actions, button, context, mention, moment, saying, section } from '../kit/blocks/blocks.ts';
import { countLines, exclusionsButton } from '../kit/cards/list-words.ts';
import { people, shown } from '../kit/cards/words.ts';
import { ephemeral, openModal } from '../kit/clicks/answering.ts';
import type {
  ClickHandler,
  CommandArguments,
  CommandHandler,
  EphemeralMessage,
} from '../kit/clicks/arguments.ts';
import type { Subcommands } from '../kit/feature/feature.ts';
import { LISTS } from '../kit/feature/rights.ts';
import { POSTED_FILE_SHORTCUT } from '../kit/files/file-inputs.ts';
import { deleted, deletedBefore, NO_AUDIENCES, noSuchAudience } from './sentences.ts';
import type { AudienceDependencies } from './upload.ts';
import { uploadView } from './upload.ts';

export const UPLOAD_ACTION = 'audience_upload';
export const LOOK_ACTION = 'audience_look';
export const REPLACE_ACTION = 'audience_replace';
export const DELETE_ACTION = 'audience_delete';

/** One line of the list takes two blocks, and a message holds fifty. */
const LISTED = 20;
const SAMPLE_ROWS = 5;
const CELL_CHARACTERS = 40;

const handleList: CommandHandler<AudienceDependencies> = async ({ ack, respond }, dependencies) => {
  await ack();
  await respond(await listMessage(dependencies));
};

/** `/audiences` alone lists them; what begins with none of its subcommands is answered with the help. */
export const handleAudiencesCommand: CommandHandler<AudienceDependencies> = async (args, dependencies) =>
  args.command.text.trim() === '' ? handleList(args, dependencies) : args.ack(ephemeral(args.help));

/** The subcommands of `/audiences`, answered to the person alone. */
export const AUDIENCES_SUBCOMMANDS: Subcommands<AudienceDependencies> = {
  list: { ...LISTS, handle: handleList },
  upload: {
    ...LISTS,
    help: `\`/audiences upload\` takes a CSV file as a new one; “${POSTED_FILE_SHORTCUT}” in a message’s menu takes the one posted there.`,
    handle: async (args, _, name) => {
      await args.ack();
      await openUpload(args, { name });
    },
  },
  look: {
    ...LISTS,
    help: '`/audiences look name` shows its counts, its columns and a few rows, with the numbers masked.',
    example: '/audiences look Newsletter',
    handle: async (args, dependencies, name) => {
      await args.ack();
      await look(name, args, dependencies);
    },
  },
  replace: {
    ...LISTS,
    help: '`/audiences replace name` and `/audiences delete name` do not change sends that were already asked for.',
    handle: async (args, dependencies, name) => {
      await args.ack();
      await withAudience(name, args, dependencies, () => openUpload(args, { name, replace: true }));
    },
  },
  delete: {
    ...LISTS,
    handle: async (args, dependencies, name) => {
      await args.ack();
      await withAudience(name, args, dependencies, async (audience) => {
        const blocks = [audienceBlock(audience), ...buttonsOf(audience)];
        await args.respond(ephemeral(`Delete ${bold(audience)}?`, blocks));
      });
    },
  },
};

async function withAudience(
  name: string,
  { respond }: Pick<CommandArguments, 'respond'>,
  { audiences }: AudienceDependencies,
  use: (audience: Audience) => Promise<void>,
): Promise<void> {
  const audience = name === '' ? undefined : await audiences.findByName(name);
  if (audience) return use(audience);
  await respond(ephemeral(literalMrkdwn(noSuchAudience(name), LIMITS.sectionText)));
}

interface Opening extends Pick<CommandArguments, 'client' | 'respond'> {
  readonly command: { readonly trigger_id: string };
}

async function openUpload(
  { command, client, respond }: Opening,
  form: { name: string; replace?: boolean },
): Promise<void> {
  const view = uploadView({ upload: 'audience_upload', ...form });
  const opened = await openModal(client, command.trigger_id, view);
  if (!opened.ok)
    await respond(ephemeral(`${opened.error} Nothing was saved. Type /audiences upload again.`));
}

async function listMessage({ audiences }: AudienceDependencies): Promise<EphemeralMessage> {
  const found = await audiences.list(LISTED + 1);
  const shown = found.slice(0, LISTED);
  const opening = shown.length === 0 ? NO_AUDIENCES : 'Saved audiences, for everyone:';
  const more =
    found.length > LISTED
      ? [context(`Only the first ${LISTED} by name are shown; \`/audiences look name\` finds any.`)]
      : [];
  return ephemeral(opening, [
    section(opening),
    ...shown.flatMap((audience) => [audienceBlock(audience), ...buttonsOf(audience)]),
    ...more,
    ...actions([button(UPLOAD_ACTION, 'Upload a CSV file', 'upload')]),
  ]);
}

function audienceBlock(audience: Audience): SectionBlock {
  const { counts, createdBy, createdAt } = audience;
  return section(
    `${bold(audience)} – ${people(counts.valid)}, by ${mention(createdBy)}, ${moment(createdAt)}`,
  );
}

function buttonsOf({ name = '', counts }: Audience): KnownBlock[] {
  const question = {
    title: 'Delete this audience?',
    text: `“${name}” has ${shown(counts.valid)} recipients. Sends that were asked for with it keep them.`,
    yes: 'Delete',
    no: 'Keep',
  };
  return actions([
    button(LOOK_ACTION, 'Look', name),
    button(REPLACE_ACTION, 'Replace', name),
    button(DELETE_ACTION, 'Delete', name, { style: 'danger', question }),
  ]);
}

function look(
  name: string,
  args: Pick<CommandArguments, 'respond'>,
  dependencies: AudienceDependencies,
): Promise<void> {
  return withAudience(name, args, dependencies, async (audience) => {
    await args.respond(await lookMessage(audience, dependencies));
  });
}

async function lookMessage(
  audience: Audience,
  { audiences }: AudienceDependencies,
): Promise<EphemeralMessage> {
  const sample = await audiences.sample(audience.id, SAMPLE_ROWS);
  const rows = sample.map((row) => rowLine(row)).join('\n');
  return ephemeral(`Audience ${bold(audience)}`, [
    audienceBlock(audience),
    saying(countLines(audience)),
    ...(rows === '' ? [] : [saying(rows)]),
    ...actions(exclusionsButton(audience)),
    ...buttonsOf(audience),
  ]);
}

function rowLine({ row, number, values }: AudienceRow): string {
  const cells = values.map((value) => truncate(value.replaceAll('\n', ' '), CELL_CHARACTERS));
  return [`Row ${shown(row)}: ${maskNumber(number)}`, ...cells].join(' | ');
}

export const handleLook: ClickHandler<AudienceDependencies> = (args, dependencies) =>
  look(args.action.value ?? '', args, dependencies);

/** The buttons Upload and Replace: Replace carries the name. */
export const handleUploadButton: ClickHandler<unknown> = async ({ body, action, respond, client }) => {
  const replace = action.action_id === REPLACE_ACTION;
  const name = replace ? (action.value ?? '') : '';
  await openUpload({ command: body, client, respond }, { name, replace });
};

export const handleDelete: ClickHandler<AudienceDependencies> = async (
  { body, action, respond },
  { audiences, logger },
) => {
  const { value: name = '' } = action;
  const wasThere = await audiences.forget(name);
  if (wasThere) logger.info({ userId: body.user.id }, 'an audience was deleted');
  await respond(ephemeral(literalMrkdwn(wasThere ? deleted(name) : deletedBefore(name), LIMITS.sectionText)));
};

function bold({ name = '' }: Audience): string {
  return `*${literalMrkdwn(name, LIMITS.sectionText)}*`;
}
