import { ephemeral } from '../kit/clicks/answering.ts';
import type { Feature } from '../kit/feature/feature.ts';
import { LISTS } from '../kit/feature/rights.ts';
import { POSTED_FILE_SHORTCUT } from '../kit/files/file-inputs.ts';
import {
  AUDIENCES_SUBCOMMANDS,
  DELETE_ACTION,
  handleAudiencesCommand,
  handleDelete,
  handleLook,
  handleUploadButton,
  LOOK_ACTION,
  REPLACE_ACTION,
  UPLOAD_ACTION,
} from './audiences-command.ts';
import { OPTOUT_SUBCOMMANDS } from './optout-command.ts';
import type { AudienceDependencies } from './upload.ts';
import { handlePostedFile, handleUpload, UPLOADS } from './upload.ts';

/** Saved lists of recipients, and the opt-out list. */
export const audiencesFeature: Feature<AudienceDependencies> = {
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
      handle: handleAudiencesCommand,
      subcommands: AUDIENCES_SUBCOMMANDS,
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
      subcommands: OPTOUT_SUBCOMMANDS,
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
    [UPLOAD_ACTION]: { ...LISTS, handle: handleUploadButton },
    [REPLACE_ACTION]: { ...LISTS, handle: handleUploadButton },
    [LOOK_ACTION]: { ...LISTS, handle: handleLook },
    [DELETE_ACTION]: { ...LISTS, handle: handleDelete },
  },
  views: Object.fromEntries(UPLOADS.map((upload) => [upload, { ...LISTS, handle: handleUpload }])),
};
