import { given } from '../../core/given.ts';
import { readRecipient } from '../../messages/form/recipient.ts';
import { readSomebodysNumber } from '../../messages/numbers/person.ts';
import { type Msisdn, maskNumber } from '../../messages/numbers/phone-number.ts';
import type { OptOut } from '../../sends/audience.ts';
import { escapeMrkdwn } from '../connection/escape.ts';
import { LIMITS } from '../connection/limits.ts';
import { mention, moment } from '../kit/blocks/blocks.ts';
import { ephemeral, openModal } from '../kit/clicks/answering.ts';
import type { CommandArguments } from '../kit/clicks/arguments.ts';
import type { Subcommands } from '../kit/feature/feature.ts';
import { LISTS } from '../kit/feature/rights.ts';
import type { AudienceDependencies } from './upload.ts';
import { uploadView } from './upload.ts';

type Subcommand = Subcommands<AudienceDependencies>[string];

/** Does something with one number and answers with a sentence about it. */
type OnNumber = (number: Msisdn, userId: string, dependencies: AudienceDependencies) => Promise<string>;

/** @param help absent where another line of the help says it */
function onNumber(act: OnNumber, help?: string): Subcommand {
  return {
    ...LISTS,
    ...given({ help }),
    handle: async ({ command, ack, respond }, dependencies, typed) => {
      const read = readRecipient(typed, dependencies.defaults.country, readSomebodysNumber);
      if (!read.ok) {
        const sentence = /[,;\n]/.test(typed)
          ? 'Enter one number. For several, `/optout import` takes a CSV file.'
          : escapeMrkdwn(read.error, LIMITS.sectionText);
        return ack(ephemeral(sentence));
      }
      await ack();
      await respond(ephemeral(await act(read.value, command.user_id, dependencies)));
    },
  };
}

async function add(number: Msisdn, userId: string, { audiences }: AudienceDependencies): Promise<string> {
  const isNew = await audiences.optOut(number, userId);
  return isNew
    ? `${maskNumber(number)} is on the opt-out list now: nothing is sent to it in a bulk send.`
    : `${maskNumber(number)} was on the opt-out list already.`;
}

async function remove(number: Msisdn, userId: string, { audiences }: AudienceDependencies): Promise<string> {
  const wasThere = await audiences.optIn(number, userId);
  return wasThere
    ? `${maskNumber(number)} is no longer on the opt-out list.`
    : `${maskNumber(number)} was not on the opt-out list.`;
}

async function lookUp(number: Msisdn, _userId: string, { audiences }: AudienceDependencies): Promise<string> {
  const found = await audiences.lookUp(number);
  return found
    ? `${maskNumber(number)} has been on the opt-out list since ${moment(found.at)}, ${wayOf(found)}.`
    : `${maskNumber(number)} is not on the opt-out list.`;
}

function wayOf({ actor, source }: OptOut): string {
  switch (source) {
    case 'reply':
      return 'by a reply of its owner';
    case 'import':
      return `in a file that ${mention(actor)} imported`;
    case 'command':
      return `added by ${mention(actor)}`;
  }
}

async function openImport({ command, ack, client, respond }: CommandArguments): Promise<void> {
  await ack();
  const opened = await openModal(client, command.trigger_id, uploadView({ upload: 'optout_import' }));
  if (!opened.ok) await respond(ephemeral(`${opened.error} Nothing was changed. Type /optout import again.`));
}

async function exportAll(
  { command, ack, respond }: CommandArguments,
  { audiences, files, logger }: AudienceDependencies,
): Promise<void> {
  await ack();
  const count = await audiences.countOptOuts();
  if (count === 0) {
    await respond(ephemeral('The opt-out list is empty.'));
    return;
  }
  const parts = await Array.fromAsync(audiences.exportOptOuts());
  const numbers = count === 1 ? '1 number' : `${count.toLocaleString('en')} numbers`;
  const sent = await files.sendTo(command.user_id, `The opt-out list, ${numbers}:`, {
    name: 'opt-outs.csv',
    // The list may change between two readings.
    content: async function* () {
      yield* parts;
    },
  });
  if (sent.ok) logger.info({ userId: command.user_id, count }, 'the opt-out list was exported');
  const done = `The opt-out list, ${numbers}, was sent to you directly as a file.`;
  await respond(ephemeral(sent.ok ? done : escapeMrkdwn(sent.error.sentence)));
}

const lookUpRow = onNumber(lookUp, '`/optout look up …` says whether it is on it, since when and by whom.');

/**
 * The subcommands of `/optout`, answered to the person alone. Numbers are shown masked; only the exported file has them
 * whole, and goes to the person directly.
 */
export const OPTOUT_SUBCOMMANDS: Subcommands<AudienceDependencies> = {
  add: {
    ...onNumber(
      add,
      '`/optout add +91 81234 56789` puts a number on the list, `/optout remove …` takes it off.',
    ),
    example: '/optout add +919876501234',
  },
  remove: onNumber(remove),
  'look up': lookUpRow,
  lookup: { ...LISTS, handle: lookUpRow.handle },
  import: {
    ...LISTS,
    help: '`/optout import` takes a CSV file; `/optout export` sends you the whole list as a file.',
    handle: openImport,
  },
  export: { ...LISTS, example: '/optout export', handle: exportAll },
};
