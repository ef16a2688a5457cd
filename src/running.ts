import { environmentSummary } from './config/environment.ts';
import { fail, ok, type Result } from './core/result.ts';
import { TEMPLATE_CHANNELS } from './messages/templates/template.ts';
import type { Outcome } from './sends/outcome.ts';
import { stopWhatWasRestored } from './sends/recovery.ts';
import { createClockDoubt, keepRemoving } from './sends/retention.ts';
import { INPUT_SOURCES } from './sends/set-aside.ts';
import { withStory } from './sends/story.ts';
import { seedTemplates } from './sends/templates/catalogue.ts';
import { watchReach } from './slack/connection/reach.ts';
import { backupsOf } from './store/check.ts';
import { withJournal } from './store/opt-out-journal.ts';
import { keepBackingUp } from './store/sqlite/backups.ts';
import type { Foundation } from './wiring/connections.ts';
import { logFindings } from './wiring/findings.ts';
import { notifyOperators } from './wiring/operators.ts';
import { readWorkFigures } from './wiring/work-figures.ts';
import { type WiredHerald, wire } from './wiring.ts';

/** With others there: a load balancer that asks `/readyz` every few seconds sends nothing here any more after that. */
const HAND_OVER_MS = 5_000;
/** How long a stopping Herald waits for what is on its way; orchestrators kill after 30 s, as a rule. */
const SLACK_DEADLINE_MS = 3_000;
const DRAIN_DEADLINE_MS = 15_000;
const TASKS_DEADLINE_MS = 5_000;
const POSTS_DEADLINE_MS = 3_000;
const HTTP_DEADLINE_MS = 2_000;

const OUTCOMES: readonly Outcome['state'][] = ['accepted', 'rejected', 'not_sent', 'unknown'];

type Herald = WiredHerald & { readonly stop: AbortController };

/**
 * Wires the rooms together and opens them, in an order in which nothing can arrive before it can be handled.
 *
 * @returns what stops Herald again
 */
export async function run(
  opened: Omit<Foundation, 'stopping'>,
): Promise<Result<() => Promise<void>, string>> {
  const { stores, metrics, logger, configuration } = opened;
  const { environment, team } = configuration;
  const backups = backupsOf(environment.DATABASE_URL, team.backup);
  const stop = new AbortController();
  const kept = backups === undefined ? stores : withJournal(stores, backups.folder, logger);
  const foundation: Foundation = {
    ...opened,
    stores: withStory(kept, { logger, metrics }),
    stopping: stop.signal,
  };
  const herald = { ...wire(foundation), stop };
  metrics.work.watch(readWorkFigures(herald));
  beginAtZero(metrics);

  const listening = await herald.http.listen();
  if (!listening.ok) return abandon(herald, listening.error);
  logger.info(
    { port: listening.value, ...environmentSummary(environment), templates: team.templates.length },
    'Herald starts',
  );
  // Sends that an earlier process left behind are put in order before Slack can bring anything new.
  await prepareTemplates(herald);
  await stopWhatWasRestored({ ...herald, store: herald.stores.sends });
  await herald.sends.start();
  await herald.bulkSends.start();
  herald.replies.start();
  herald.alerts.start();
  const removing = { ...foundation, ...stores, store: stores.retention, doubt: clockDoubt(herald) };
  const removal = keepRemoving(team.retention, removing);
  if (backups !== undefined) keepBackingUp({ ...foundation, backups });
  const connected = await herald.slack.start();
  if (!connected.ok) return abandon(herald, connected.error);
  herald.outbox.start();
  void logFindings(herald);
  notifyOperators({ ...herald, backups, removal });
  // Whoever is alone has nobody who could answer in its place.
  if (!stores.lease.exclusive) void watchReach({ ...herald, announceReach: stores.sharing.canAnnounce });
  return ok(() => stopInOrder(herald));
}

/** Prometheus sees no rise where there was nothing before: what rules look at is there from the start. */
function beginAtZero(metrics: Foundation['metrics']): void {
  for (const source of INPUT_SOURCES) metrics.inputSetAside(source, 0);
  for (const outcome of OUTCOMES) metrics.recipientsSettled(outcome, '', 0);
}

function clockDoubt({ stores, slackClient, clock }: Herald) {
  return createClockDoubt(clock, {
    'Slack’s': slackClient.aheadOfSlack,
    ...(stores.ahead && { 'the database’s': stores.ahead }),
  });
}

/** Before anybody can ask: the file's templates are in the catalogue, and the index over them in memory. */
async function prepareTemplates({ templates, stores, configuration, clock }: Herald): Promise<void> {
  await seedTemplates(stores.templates, configuration.team.templates, clock);
  await Promise.all(TEMPLATE_CHANNELS.map((channel) => templates.search(channel, '', 1)));
}

/** Sending may have begun: what is on its way is waited for. */
async function abandon(herald: Herald, sentence: string) {
  await stopInOrder(herald);
  return fail(sentence);
}

/**
 * New work stops first, then what is on its way is waited for, and the store closes last. A part that cannot be stopped,
 * e.g. because the database is lost, does not keep the others from it; what it threw is thrown at the end.
 */
async function stopInOrder(herald: Herald): Promise<void> {
  const { slack, sends, bulkSends, replies, alerts, outbox, gateway, http, stores, stop, logger } = herald;
  logger.info({}, 'Herald is stopping');
  const failures: unknown[] = [];
  async function ended<Value>(part: Promise<Value>, otherwise: Value): Promise<Value> {
    return part.catch((error: unknown) => {
      failures.push(error);
      return otherwise;
    });
  }
  if (stores.lease.replicas() > 1) await ended(handOver(herald), undefined);
  await ended(slack.stop(SLACK_DEADLINE_MS), undefined);
  stop.abort();
  const [left, bulk] = await Promise.all([
    ended(sends.drain(DRAIN_DEADLINE_MS), 0),
    ended(bulkSends.drained(DRAIN_DEADLINE_MS), []),
    ended(stores.tasks.stop(TASKS_DEADLINE_MS), undefined),
  ]);
  await Promise.all([ended(gateway.close(), undefined), ended(outbox.drained(POSTS_DEADLINE_MS), undefined)]);
  await ended(http.close(HTTP_DEADLINE_MS), undefined);
  await Promise.all([ended(replies.drained(), undefined), ended(alerts.drained(), undefined)]);
  await ended(stores.sends.close(), undefined);
  if (left > 0)
    logger.warn({ left }, 'Herald stopped before these sends had ended; their outcome will be unknown');
  if (bulk.length > 0)
    logger.info(
      { bulk },
      'Herald stopped in the middle of bulk sends; they go on by themselves when it runs again',
    );
  if (failures.length > 0) throw new AggregateError(failures, 'Herald could not be stopped in good order');
  if (left === 0 && bulk.length === 0) logger.info({}, 'Herald stopped; nothing was left');
}

/** Nobody is turned away for as long as others are there to turn to: what still comes here is done here. */
async function handOver({ slack, http, clock }: Herald): Promise<void> {
  await slack.leave();
  if (slack.httpHandler === undefined) return;
  await clock.sleep(HAND_OVER_MS);
  // A balancer gives what finds no connection to another one.
  await http.close(HTTP_DEADLINE_MS);
}
