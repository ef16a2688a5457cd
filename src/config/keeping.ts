import { documented } from './key.ts';
import { optionalSection, section } from './sections.ts';
import { positive, text, wholeNumber } from './values.ts';

export const backup = documented(
  section(
    {
      every: positive('hours, more than 0').default(24),
      keep: wholeNumber(1).default(14),
      to: text('the path of a folder'),
    },
    '{ every, keep, to }',
  ).optional(),
  {
    doc: 'Backups of the database file while Herald runs: the hours between two (24), how many are kept (14), and the folder they go to, best on another disk: { every, keep, to }.',
    absent: 'none; PostgreSQL is backed up by its own tools',
  },
);

function days(doc: string) {
  return documented(positive('days, more than 0').optional(), { doc, absent: 'kept for ever' });
}

/** Nothing is removed of a send that has not ended, and nothing that may still be told or tried again. */
export const retention = optionalSection(
  {
    recipients: days(
      'Days after a send’s end: numbers become names made with PSEUDONYM_KEY, so that frequencyCap and counts hold; their values and message ids go. Such a send cannot be tried again.',
    ),
    texts: days('Days after a send’s end: its texts and links go; templates stay.'),
    webhooks: days('Days: what the service has posted, once it was dealt with.'),
    answers: days(
      'Days: customers’ answers that people were told of, with the webhooks. Counts of answers stay.',
    ),
    lists: days('Days: lists, saved ones too, that were not sent to for so long.'),
  },
  'the keys recipients, texts, webhooks, answers and lists',
);
