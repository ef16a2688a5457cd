import { textAt } from '../connection/payload.ts';
import type { Feature } from '../kit/feature/feature.ts';
import { LOOK_AT_SEND, unlessOwn, withSend } from '../kit/feature/rights.ts';
import { LOOK_ACTION, OLDER_ACTION } from './list-message.ts';
import { readQuery } from './query.ts';
import {
  HELP,
  handleLook,
  handleOlder,
  handleSendsCommand,
  type SendsCommandDependencies,
} from './sends-command.ts';

/** What was sent, and what became of it. */
export const sendsFeature: Feature<SendsCommandDependencies> = {
  commands: {
    '/sends': {
      needs: 'sends or audit',
      right: (deed, sources) => {
        const query = readQuery(deed.text);
        if (query.ask === 'audit') return { to: 'audit' };
        if (query.ask === 'list') return query.list.whose === 'all' ? { to: 'sends' } : undefined;
        return query.ask === 'one'
          ? withSend(() => query.sendId, unlessOwn('sends'))(deed, sources)
          : undefined;
      },
      description: 'What was sent, what waits, and who decided',
      usageHint: '[mine | all] [state], a reference, audit or help',
      examples: ['/sends all paused', '/sends audit'],
      help: HELP,
      handle: handleSendsCommand,
    },
  },
  actions: {
    [LOOK_ACTION]: { ...LOOK_AT_SEND, handle: handleLook },
    [OLDER_ACTION]: {
      needs: 'sends',
      right: ({ value }) => (textAt(JSON.parse(value), 'whose') === 'mine' ? undefined : { to: 'sends' }),
      handle: handleOlder,
    },
  },
};
