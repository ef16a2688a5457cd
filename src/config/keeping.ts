import { documented } from './key.ts';
import { section } from './sections.ts';
import { positive, positiveInteger, text } from './values.ts';

export const backup = documented(
  section(
    {
      every: positive('hours, more than 0').default(24),
      keep: positiveInteger('a whole number from 1').default(14),
      to: text('the path of a folder'),
    },
    '{ every, keep, to }',
  ).optional(),
  {
    doc: 'Backups of the database file while Herald runs: the hours between two (24), how many are kept (14), and the folder they go to, best on another disk: { every, keep, to }.',
    absent: 'none; PostgreSQL is backed up by its own tools',
  },
);
