import type { Pseudonym } from '../../messages/numbers/pseudonym.ts';
import type { SendStore } from '../../sends/ports.ts';
import { createSendStore } from '../send-store.ts';
import type { SqliteDatabase } from './database.ts';
import { dispatchMethods } from './dispatch-methods.ts';
import { keepLogShort } from './log.ts';
import { createNewestCopy } from './newest-copy.ts';
import { ownershipMethods } from './ownership-methods.ts';
import { prepareStatements } from './statements.ts';

/** The `SendStore` on one SQLite file, which `close` closes. */
export function createSqliteSendStore(database: SqliteDatabase, pseudonym?: Pseudonym): SendStore {
  const { file } = database;
  const statements = prepareStatements(file);
  const newest = createNewestCopy(file);
  const path = file.location();
  const log = path === null ? undefined : keepLogShort(file, path, newest.emptied);
  database.onCommit(() => {
    newest.committed();
    log?.committed();
  });
  const dispatch = dispatchMethods(statements, database, pseudonym);
  const particulars = {
    ...dispatch,
    ...ownershipMethods(statements, database, newest, dispatch),
    close: () =>
      database.inTurn(() => {
        log?.close();
        newest.close();
        file.close();
      }),
  };
  return createSendStore(database, particulars, () => ({}), pseudonym);
}
