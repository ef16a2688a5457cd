import type { Feature } from '../kit/feature/feature.ts';
import { LISTS } from '../kit/feature/rights.ts';
import { POSTED_FILE_SHORTCUT } from '../kit/files/file-inputs.ts';
import {
  AUDIENCES_HELP,
  DELETE_ACTION,
  handleAudiencesCommand,
  handleDelete,
  handleLook,
  handleUploadButton,
  LOOK_ACTION,
  REPLACE_ACTION,
  UPLOAD_ACTION,
} from './audiences-command.ts';
import { handleOptOutCommand, OPTOUT_HELP } from './optout-command.ts';
import type { AudienceDependencies } from './upload.ts';
import { handlePostedFile, handleUpload, UPLOADS } from './upload.ts';

/** Saved lists of recipients, and the opt-out list. */
export const audiencesFeature: Feature<AudienceDependencies> = {
  commands: {
    '/audiences': {
      ...LISTS,
      description: 'The team’s saved lists of recipients',
      usageHint: '[list | upload | look | replace | delete] [name] or help',
      examples: ['/audiences', '/audiences look Newsletter'],
      help: AUDIENCES_HELP,
      handle: handleAudiencesCommand,
    },
    '/optout': {
      ...LISTS,
      description: 'Numbers that nothing is sent to',
      usageHint: '[add | remove | look up] number, import, export or help',
      examples: ['/optout add +919876501234', '/optout export'],
      help: OPTOUT_HELP,
      handle: handleOptOutCommand,
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
