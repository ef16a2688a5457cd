import type { Feature } from '../kit/feature/feature.ts';
import { handlerAsks, LOOK_AT_SEND, OPEN, unlessOwn, withSend } from '../kit/feature/rights.ts';
import { LOOK_ACTION, NARROW_ACTION, SHOW_ACTION, TEMPLATE_ACTION } from './list-message.ts';
import { readListQuery, readQuery } from './query.ts';
import {
  HELP,
  handleAudit,
  handleLook,
  handleNarrow,
  handleSendsCommand,
  handleShow,
  handleTemplateNames,
  type SendsServices,
} from './sends-command.ts';

/** People ask what was sent, and what became of it. */
export const sendsFeature: Feature<SendsServices> = {
  commands: {
    '/sends': {
      needs: 'sends or audit',
      right: (typed, sources) => {
        const query = readQuery(typed.text);
        if (query.ask === 'list') return query.list.whose === 'mine' ? undefined : { to: 'sends' };
        if (query.ask === 'number') return query.whose === 'all' ? { to: 'reports' } : undefined;
        return query.ask === 'one'
          ? withSend(() => query.sendId, unlessOwn('sends'))(typed, sources)
          : undefined;
      },
      description: 'What was sent, what waits, and who decided',
      usageHint:
        '[mine | all | @person] [failed, waiting, a template, a day …], a number, a reference, audit or help',
      examples: ['/sends all failed today', '/sends +919812345678'],
      help: HELP,
      handle: handleSendsCommand,
      subcommands: {
        audit: {
          right: () => ({ to: 'audit' }),
          help: '`/sends audit` sends you the record of who did what, and of what was asked for, over all sends, as a CSV file; it is for approvers and whoever was given the right to it.',
          example: '/sends audit',
          handle: handleAudit,
        },
      },
    },
  },
  actions: {
    [LOOK_ACTION]: { ...LOOK_AT_SEND, handle: handleLook },
    [SHOW_ACTION]: {
      needs: 'sends',
      right: ({ value }) => (readListQuery(value).whose === 'mine' ? undefined : { to: 'sends' }),
      handle: handleShow,
    },
    // The menus say whose sends are looked for.
    [NARROW_ACTION]: { ...handlerAsks('sends'), handle: handleNarrow },
    [TEMPLATE_ACTION]: { ...handlerAsks('sends'), handle: handleNarrow },
  },
  // Names of templates are no secret.
  options: { [TEMPLATE_ACTION]: { ...OPEN, handle: handleTemplateNames } },
};
