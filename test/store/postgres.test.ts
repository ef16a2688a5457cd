import type { Stores } from '../../src/store/stores.ts';
import { describeWithPostgres, directly, preparedDatabase } from '../postgres/database.ts';
import { describeAlertStore } from './alert-contract.ts';
import { describeAudienceStore } from './audience-contract.ts';
import { describeSendStore } from './contract.ts';
import { describeDoubts } from './doubt-contract.ts';
import { describeDraftStore } from './draft-contract.ts';
import { describeFinding } from './finding-contract.ts';
import { describeInputAttempts } from './input-contract.ts';
import { describeLongestTexts } from './longest-texts-contract.ts';
import { describeNotes } from './notes-contract.ts';
import { describeNoticeStore } from './notice-contract.ts';
import { describePeople } from './person-contract.ts';
import { describePosts } from './post-contract.ts';
import { closing, opened } from './postgres-stores.ts';
import { describeReplyStore } from './reply-contract.ts';
import { describeTemplateStore } from './template-contract.ts';

await describeWithPostgres('on PostgreSQL', () => {
  describeSendStore('PostgreSQL', async () => {
    const url = await preparedDatabase();
    const open = [await opened(url)];
    return {
      store: (open[0] as Stores).sends,
      successor: async () => {
        const next = await opened(url);
        open.push(next);
        // Last, so that no heartbeat of the others comes before what follows.
        await directly(
          url,
          `UPDATE replicas SET lease_until = '-infinity' WHERE id <> '${String(next.replica?.())}'`,
        );
        return next.sends;
      },
      close: async () => {
        for (const { sends } of open) await sends.close();
      },
    };
  });
  const { stores } = closing();
  describeNotes('PostgreSQL', async () => (await stores(await preparedDatabase())).notes);
  describeInputAttempts('PostgreSQL', async () => stores(await preparedDatabase()));
  describePosts('PostgreSQL', async () => stores(await preparedDatabase()));
  describeNoticeStore('PostgreSQL', async () => (await stores(await preparedDatabase())).notices);
  describeDraftStore('PostgreSQL', async () => (await stores(await preparedDatabase())).drafts);
  describeAlertStore('PostgreSQL', async () => {
    const url = await preparedDatabase();
    return { ...(await stores(url)), another: async () => (await stores(url)).alerts };
  });
  describeFinding('PostgreSQL', async () => stores(await preparedDatabase()));
  describeLongestTexts('PostgreSQL', async () => stores(await preparedDatabase()));
  describeReplyStore('PostgreSQL', async () => stores(await preparedDatabase()));
  describeDoubts('PostgreSQL', async () => stores(await preparedDatabase()));
  describeTemplateStore('PostgreSQL', async () => (await stores(await preparedDatabase())).templates);
  describePeople('PostgreSQL', async () => stores(await preparedDatabase()));
  describeAudienceStore('PostgreSQL', async () => stores(await preparedDatabase()));
});
