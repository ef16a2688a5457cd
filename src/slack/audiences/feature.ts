import { ephemeral } from '../kit/clicks/answering.ts';
import type { Feature } from '../kit/feature/feature.ts';
import { LISTS } from '../kit/feature/rights.ts';
import { POSTED_FILE_SHORTCUT } from '../kit/files/file-inputs.ts';
import type { SlackServices } from '../kit/services.ts';
import * as command from './audiences-command.ts';
import { handlePostedFile, handleUpload, UPLOADS } from './upload.ts';

/** Saved lists of recipients, and the opt-out list. */
export const audiencesFeature: Feature<SlackServices> = {
  commands: {
    '/audiences': {
      ...LISTS,
      description: 'The team’s saved lists of recipients',
      usageHint: '[list | upload | look | replace | delete] [name] or help',
      examples: ['/audiences'],
      help: [
        '`/audiences` lists the saved audiences, with buttons to look into, replace or delete each.',
        'In a send form, choose “A saved audience” under Recipients.',
      ],
      handle: command.handleAudiencesCommand,
      subcommands: command.AUDIENCES_SUBCOMMANDS,
    },
    '/optout': {
      ...LISTS,
      description: 'Numbers that nothing is sent to',
      usageHint: '[add | remove | look up] number, import, export or help',
      examples: [],
      help: [
        'Numbers on the opt-out list are left out of every list, and looked up once more at the moment of sending.',
      ],
      handle: async ({ ack, help }) => ack(ephemeral(help)),
      subcommands: command.OPTOUT_SUBCOMMANDS,
    },
  },
  shortcuts: {
    use_as_audience: {
      ...LISTS,
      type: 'message',
      name: POSTED_FILE_SHORTCUT,
      description: 'Save a CSV file, of up to 100 MB and also as .csv.gz, for everyone to send to',
      handle: handlePostedFile,
    },
  },
  actions: {
    [command.UPLOAD_ACTION]: { ...LISTS, handle: command.handleUploadButton },
    [command.REPLACE_ACTION]: { ...LISTS, handle: command.handleUploadButton },
    [command.LOOK_ACTION]: { ...LISTS, handle: command.handleLook },
    [command.DELETE_ACTION]: { ...LISTS, handle: command.handleDelete },
  },
  views: Object.fromEntries(UPLOADS.map((upload) => [upload, { ...LISTS, handle: handleUpload }])),
};
