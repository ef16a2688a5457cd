import type { Pseudonym } from '../messages/numbers/pseudonym.ts';
import type { DraftKey, DraftStore, SavedDraft } from '../sends/drafts.ts';
import type { Notice, NoticeStore } from '../sends/notices.ts';
import type { ConversationStore } from '../sends/replies/ports.ts';
import type { RetentionStore } from '../sends/retention.ts';
import type { InputAttempts, InputSource } from '../sends/set-aside.ts';
import type {
  StoredTemplate,
  TemplateChange,
  TemplateKey,
  TemplateStore,
  TemplateWrite,
} from '../sends/templates/store.ts';
import { createAlertStore } from './alert-store.ts';
import { createAudienceStore } from './audience-store.ts';
import { createPostStore, wantPost } from './post-store.ts';
import { type AddDeliveries, CUSTOMER_EVENTS, createReplyStore, customerEventFrom } from './reply-store.ts';
import { createRetention } from './retention.ts';
import { alone, type Database, type OwnerColumn, type Row, type Runner, valueFrom, write } from './sql.ts';

/** The subject of a notice's posts. No subject begins another one, and so no mark another one in a message. */
const NOTICE_ID = "notices.id || '-' || notices.since";
/** One whose end nobody has read yet. */
const REOPEN_NOTICE = `UPDATE notices SET over_at = NULL WHERE name = :name AND over_at IS NOT NULL
  AND EXISTS (SELECT 1 FROM posts WHERE mark = 'over:' || ${NOTICE_ID} AND wanted > shown) RETURNING ${NOTICE_ID} AS id, since`;
const BEGIN_NOTICE = `INSERT INTO notices (name, what, since) VALUES (:name, :what, :since)
  ON CONFLICT (name) WHERE over_at IS NULL DO NOTHING RETURNING ${NOTICE_ID} AS id, since`;
const END_NOTICE = `UPDATE notices SET over_at = :at WHERE name = :name AND over_at IS NULL AND since < :at
  RETURNING ${NOTICE_ID} AS id, over_at AS since`;
const FIND_NOTICE = 'SELECT name, what, since, over_at FROM notices WHERE id = :id';

function createNoticeStore(database: Database): NoticeStore {
  return {
    begin: (notice) =>
      database.transaction(async (runner) => {
        const reopened = await runner.run(REOPEN_NOTICE, notice);
        await wantNotice(
          runner,
          'notice',
          reopened.length > 0 ? reopened : await runner.run(BEGIN_NOTICE, notice),
        );
      }),
    end: (name, at) =>
      database.transaction(async (runner) =>
        wantNotice(runner, 'over', await runner.run(END_NOTICE, { name, at })),
      ),
    find: async (subject) => {
      const [row] = await database.run(FIND_NOTICE, { id: Number.parseInt(subject, 10) });
      return row && valueFrom<Notice>(row);
    },
  };
}

/** Which channel is the operators’ the configuration says. */
async function wantNotice(runner: Runner, kind: 'notice' | 'over', changed: readonly Row[]): Promise<void> {
  for (const { id, since } of changed)
    await wantPost(runner, kind, { id: String(id), channelId: '', since: Number(since) });
}

/** Each database has these in its own way. */
interface Particulars {
  readonly pseudonym: Pseudonym | undefined;
  readonly owner: OwnerColumn;
  readonly addDeliveries: AddDeliveries;
  readonly giveBack: RetentionStore['giveBack'];
}

/** Makes the stores in which nothing else differs between the databases but a word of SQL. */
export function commonStores(database: Database, { pseudonym, owner, addDeliveries, giveBack }: Particulars) {
  return {
    audiences: createAudienceStore(database, owner),
    replies: createReplyStore(database, addDeliveries, pseudonym),
    retention: createRetention(database, pseudonym, giveBack),
    templates: createTemplateStore(database),
    drafts: createDraftStore(database),
    conversations: createConversationStore(database),
    alerts: createAlertStore(database),
    inputs: createInputAttempts(database),
    notices: createNoticeStore(database),
    posts: createPostStore(database),
  };
}

const ONE_DRAFT = 'owner = :owner AND kind = :kind AND name = :name';
const FIND_DRAFT = `SELECT owner, kind, name, form AS "values", saved_at FROM drafts WHERE ${ONE_DRAFT}`;
const PUT_DRAFT = `INSERT INTO drafts (owner, kind, name, form, saved_at)
  VALUES (:owner, :kind, :name, :form, :savedAt)
  ON CONFLICT (owner, kind, name) DO UPDATE SET form = excluded.form, saved_at = excluded.saved_at`;
const DRAFT_NAMES =
  'SELECT name FROM drafts WHERE owner = :owner AND kind = :kind ORDER BY saved_at DESC, name';

function createDraftStore(database: Database): DraftStore {
  return {
    save: (draft) =>
      database.transaction(async (runner) => {
        const known = await findDraft(runner, draft);
        await runner.change(PUT_DRAFT, { ...draft, form: JSON.stringify(draft.values) });
        return known === undefined ? 'added' : 'replaced';
      }),
    find: (key) => findDraft(database, key),
    names: async (owner, kind) =>
      (await database.run(DRAFT_NAMES, { owner, kind })).map(({ name }) => String(name)),
    remove: async (key) => (await database.change(`DELETE FROM drafts WHERE ${ONE_DRAFT}`, key)) === 1,
  };
}

async function findDraft(runner: Runner, key: DraftKey): Promise<SavedDraft | undefined> {
  const [row] = await runner.run(FIND_DRAFT, key);
  return row && valueFrom<SavedDraft>(row, ['values']);
}

const GIVEN_INPUTS = 'source = :source AND id IN (:ids...)';
const ATTEMPTS = `SELECT id, attempts FROM input_attempts WHERE ${GIVEN_INPUTS} ORDER BY id`;
/**
 * Of several replicas one at a time attempts the same input. One that has stood still for a minute while it attempts
 * something counts as gone, by the database's own clock. In one order, so that no two wait for each other.
 */
const BEGIN_ATTEMPT = {
  sqlite: `INSERT INTO input_attempts (source, id, attempts) SELECT :source, value, 1 FROM json_each(:ids) WHERE true
    ON CONFLICT (source, id) DO UPDATE SET attempts = attempts + 1 RETURNING id`,
  postgres: `INSERT INTO input_attempts (source, id, attempts, held_until)
      SELECT :source, id, 1, clock_timestamp() + interval '60 seconds' FROM unnest(:ids::text[]) AS given (id) ORDER BY id
    ON CONFLICT (source, id) DO UPDATE SET attempts = input_attempts.attempts + 1, held_until = excluded.held_until
      WHERE input_attempts.held_until <= clock_timestamp()
    RETURNING id`,
};
const FAILED_ATTEMPT = {
  sqlite: `UPDATE input_attempts SET attempts = attempts - :spared WHERE ${GIVEN_INPUTS}`,
  postgres: `UPDATE input_attempts SET held_until = '-infinity', attempts = attempts - :spared WHERE ${GIVEN_INPUTS}`,
};
const SET_ASIDE = `UPDATE input_attempts SET set_aside_at = :at
  WHERE source = :source AND id = :id AND set_aside_at IS NULL`;
const SET_ASIDE_COUNTS = `SELECT source, count(*) AS count FROM input_attempts
  WHERE set_aside_at IS NOT NULL GROUP BY source ORDER BY source`;

function createInputAttempts(database: Database): InputAttempts {
  return {
    counts: (source, ids) => database.run<{ id: string; attempts: number }>(ATTEMPTS, { source, ids }),
    begin: async (source, ids) =>
      (await database.run(BEGIN_ATTEMPT, { source, ids })).map(({ id }) => String(id)),
    end: (source, ids) =>
      write(database, `DELETE FROM input_attempts WHERE ${GIVEN_INPUTS}`, { source, ids }),
    failed: (source, ids, counted) =>
      database.transaction(async (runner) => {
        await runner.change(FAILED_ATTEMPT, { source, ids, spared: counted ? 0 : 1 });
        await runner.change(`DELETE FROM input_attempts WHERE ${GIVEN_INPUTS} AND attempts <= 0`, {
          source,
          ids,
        });
      }),
    setAside: async (source, id, at) => (await database.change(SET_ASIDE, { source, id, at })) === 1,
    setAsideCounts: () => database.run<{ source: InputSource; count: number }>(SET_ASIDE_COUNTS),
  };
}

const TEMPLATES =
  'SELECT definition AS template, archived, revision, changed_by, changed_at, mark FROM templates';
const FIND_TEMPLATE = `${TEMPLATES} WHERE channel = :channel AND name = :name`;
// People write now and then: one at a time, so that a write sees every earlier one, and versions come in order.
const WRITE_ALONE = alone('LOCK TABLE templates IN SHARE ROW EXCLUSIVE MODE');
const PUT_TEMPLATE = `INSERT INTO templates (channel, name, definition, archived, revision, changed_by, changed_at)
  VALUES (:channel, :name, :definition, :archived, :revision, :actor, :at)
  ON CONFLICT (channel, name) DO UPDATE SET definition = excluded.definition, archived = excluded.archived,
    revision = excluded.revision, changed_by = excluded.changed_by, changed_at = excluded.changed_at`;
const RECORD_CHANGE = `INSERT INTO template_changes (channel, name, revision, action, source, actor, at, definition)
  VALUES (:channel, :name, :revision, :action, :source, :actor, :at, :definition)`;
const HISTORY = `SELECT revision, action, source, actor, at, definition AS template FROM template_changes
  WHERE channel = :channel AND name = :name AND revision < CAST(:before AS BIGINT)
  ORDER BY revision DESC LIMIT :limit`;

const MARK_TEMPLATE = `UPDATE templates SET mark = :mark, marked_at = :at
  WHERE name = :name AND channel = coalesce(:channel, channel) AND coalesce(marked_at, 0) <= :at
  RETURNING channel, name`;

function createTemplateStore(database: Database): TemplateStore {
  return {
    all: async () => (await database.run(`${TEMPLATES} ORDER BY channel, name`)).map(templateFrom),
    find: (key) => findTemplate(database, key),
    write: (writes, author) =>
      database.transaction(async (runner) => {
        await runner.run(WRITE_ALONE);
        const stale: TemplateWrite[] = [];
        for (const write of writes) {
          const known = await findTemplate(runner, write.template);
          if ((known?.revision ?? 0) !== write.expected) stale.push(write);
        }
        if (stale.length > 0) return stale.map(({ template: { channel, name } }) => ({ channel, name }));
        for (const { template, archived, action, expected } of writes) {
          const { channel, name } = template;
          const content = { definition: JSON.stringify(template), archived: archived ? 1 : 0 };
          const written = { ...author, ...content, channel, name, revision: expected + 1, action };
          await runner.change(PUT_TEMPLATE, written);
          await runner.change(RECORD_CHANGE, written);
        }
        return [];
      }),
    mark: ({ name, channel }, mark) =>
      database.run<TemplateKey>(MARK_TEMPLATE, { name, channel, mark: JSON.stringify(mark), at: mark.at }),
    history: async ({ channel, name }, limit, before = Number.MAX_SAFE_INTEGER) =>
      (await database.run(HISTORY, { channel, name, limit, before })).map((row) =>
        valueFrom<TemplateChange>(row, ['template']),
      ),
    version: async () =>
      Number((await database.run('SELECT max(id) AS version FROM template_changes'))[0]?.version ?? 0),
  };
}

async function findTemplate(
  runner: Runner,
  { channel, name }: TemplateKey,
): Promise<StoredTemplate | undefined> {
  const [row] = await runner.run(FIND_TEMPLATE, { channel, name });
  return row && templateFrom(row);
}

function templateFrom(row: Row): StoredTemplate {
  const stored = valueFrom<Omit<StoredTemplate, 'archived'> & { readonly archived: number }>(row, [
    'template',
    'mark',
  ]);
  return { ...stored, archived: stored.archived === 1 };
}

const FIND_EVENT = `${CUSTOMER_EVENTS} WHERE customer_events.id = :eventId AND event <> '{}'`;
const IN_THREAD = `${CUSTOMER_EVENTS} WHERE customer_events.id IN (SELECT max(id) FROM posts
    JOIN customer_events ON post = mark
    WHERE thread_ts = :threadTs AND at_channel = :channelId AND number IS NOT NULL GROUP BY number)
  ORDER BY customer_events.id DESC LIMIT :limit`;

/** True of a send to one that certainly reached nobody. */
const IS_FAILED = 'rejected + not_sent + skipped > 0';
const NEWEST_ANSWER = `SELECT id, created_at, ${IS_FAILED} AS failed FROM sends
  WHERE thread_ts = :threadTs AND channel_id = :channelId
    AND EXISTS (SELECT 1 FROM recipients WHERE send_id = sends.id AND number = :number)
  ORDER BY created_at DESC, id DESC LIMIT 1`;
const OPEN_QUESTIONS = `${CUSTOMER_EVENTS} LEFT JOIN sends ON sends.id = customer_events.send_id
  WHERE asked_at >= :since AND closed_by IS NULL AND posts.thread_ts IS NOT NULL
    AND (CAST(:userId AS TEXT) IS NULL OR sends.user_id = :userId)
    AND NOT EXISTS (SELECT 1 FROM customer_events AS later LEFT JOIN posts AS there ON there.mark = later.post
      WHERE later.number = customer_events.number AND later.id > customer_events.id
      AND (later.opted_out = 1 OR (later.asked_at IS NOT NULL
        AND there.thread_ts = posts.thread_ts AND there.at_channel = posts.at_channel)))
    AND NOT EXISTS (SELECT 1 FROM sends AS answer JOIN recipients ON recipients.send_id = answer.id
      WHERE answer.thread_ts = posts.thread_ts AND answer.channel_id = posts.at_channel
        AND recipients.number = customer_events.number AND answer.created_at >= asked_at
        AND NOT (${IS_FAILED}))
  ORDER BY asked_at DESC, customer_events.id DESC LIMIT :limit`;
const CLOSE_QUESTIONS =
  'UPDATE customer_events SET closed_by = coalesce(closed_by, :userId) WHERE id IN (:eventIds...)';
const CLAIM_HINT = `INSERT INTO thread_hints (channel_id, thread_ts, user_id)
  VALUES (:channelId, :threadTs, :userId) ON CONFLICT DO NOTHING`;

function createConversationStore(database: Database): ConversationStore {
  return {
    findEvent: async (eventId) => {
      const [row] = await database.run(FIND_EVENT, { eventId });
      return row && customerEventFrom(row);
    },
    inThread: async ({ channelId, threadTs }, limit) =>
      (await database.run(IN_THREAD, { channelId, threadTs, limit })).map(customerEventFrom),
    newestAnswer: async ({ channelId, threadTs }, number) => {
      const [row] = await database.run(NEWEST_ANSWER, { channelId, threadTs, number });
      return row && { sendId: String(row.id), at: Number(row.created_at), failed: Boolean(row.failed) };
    },
    openQuestions: async ({ since, userId, limit }) =>
      (await database.run(OPEN_QUESTIONS, { since, userId, limit })).map(customerEventFrom),
    closeQuestions: async (eventIds, userId) => {
      if (eventIds.length > 0) await database.change(CLOSE_QUESTIONS, { eventIds, userId });
    },
    claimHint: async ({ channelId, threadTs }, userId) =>
      (await database.change(CLAIM_HINT, { channelId, threadTs, userId })) === 1,
  };
}
