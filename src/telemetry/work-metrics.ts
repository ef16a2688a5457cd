import { Gauge, type Registry } from 'prom-client';

/** What is looked up whenever the metrics are rendered. Times in milliseconds since the epoch, sizes in bytes. */
export interface WorkFigures {
  /** Counts of all sends; absent while the database does not answer. */
  readonly work?: {
    readonly sends: Readonly<Record<string, number>>;
    readonly recipientsLeft: number;
    readonly oldestPendingAt?: number;
    readonly oldestApprovalAt?: number;
    readonly undecided: number;
  };
  /** The channels of this process. */
  readonly channels: readonly {
    readonly channel: string;
    readonly isOpen: boolean;
    readonly pausedMs: number;
  }[];
  /** What `/readyz` says. */
  readonly isReady: boolean;
  readonly isSlackConnected: boolean;
  /** Slack refuses a token. */
  readonly isSlackRefused: boolean;
  /** That share the pace, this one included. */
  readonly replicas: number;
  /** When the newest whole backup was made, or else when Herald began to make them; absent where it makes none. */
  readonly backupAt?: number;
  /** On the disk of the database file; absent where the database is a server's. */
  readonly diskFreeBytes?: number;
  /** Connections to PostgreSQL; absent on a file. */
  readonly database?: {
    readonly inUse: number;
    readonly waiting: number;
    readonly leaseAgeSeconds: number;
  };
  /** The size of the database's file and of its log. */
  readonly bytes: Readonly<Record<string, number>>;
  readonly now: number;
}

/** The metrics of what there is to do, on `registry`. What is not known is absent. */
export function createWorkMetrics(registry: Registry) {
  let read: (() => Promise<WorkFigures>) | undefined;
  const gauge = (name: string, help: string, label?: string) => gaugeOn(registry, name, help, label);
  const sends = gauge('herald_sends', 'Sends that have not ended, of all replicas.', 'state');
  const left = gauge('herald_recipients_left', 'Recipients of these sends without an outcome.');
  const pending = gauge(
    'herald_oldest_pending_seconds',
    'Of the sends that are being sent: since the last start or claim of the one where that is longest ago.',
  );
  const approval = gauge(
    'herald_oldest_approval_seconds',
    'Since the oldest send that waits for an approval was asked for.',
  );
  const undecided = gauge(
    'herald_unknown_undecided',
    'Recipients of the last 30 days who may have a message or not, and nobody has decided about them.',
  );
  const breaker = gauge(
    'herald_breaker_open',
    '1 while a channel waits because the service fails.',
    'channel',
  );
  const paused = gauge(
    'herald_channel_paused_seconds',
    'For how long a channel still pauses, as the service asked.',
    'channel',
  );
  const bytes = gauge(
    'herald_database_bytes',
    'Size of the database file and of its log; not on PostgreSQL.',
    'part',
  );
  const inUse = gauge('herald_database_connections_in_use', 'Connections to PostgreSQL that are in use.');
  const waiting = gauge('herald_database_waiting', 'Statements that wait for a connection to PostgreSQL.');
  const lease = gauge(
    'herald_lease_age_seconds',
    'Since the last renewal of the lease; without it, sending stops.',
  );
  const health = healthMetrics(gauge);

  return {
    /** From now on `reader`, which never rejects, is called for each rendering of the metrics. */
    watch: (reader: () => Promise<WorkFigures>) => {
      read = reader;
    },
    /** To be called before each rendering. */
    refresh: async () => {
      const figures = await read?.();
      if (figures === undefined) return;
      const { work, channels, database, now } = figures;
      const since = (at: number | undefined) => at && Math.max(0, (now - at) / 1_000);
      sends(work?.sends ?? {});
      left({ '': work?.recipientsLeft });
      pending({ '': work && (since(work.oldestPendingAt) ?? 0) });
      approval({ '': work && (since(work.oldestApprovalAt) ?? 0) });
      undecided({ '': work?.undecided });
      breaker(Object.fromEntries(channels.map(({ channel, isOpen }) => [channel, Number(isOpen)])));
      paused(Object.fromEntries(channels.map(({ channel, pausedMs }) => [channel, pausedMs / 1_000])));
      bytes(figures.bytes);
      inUse({ '': database?.inUse });
      waiting({ '': database?.waiting });
      lease({ '': database?.leaseAgeSeconds });
      health(figures, since);
    },
  };
}

type Since = (at: number | undefined) => number | undefined;

function healthMetrics(gauge: (name: string, help: string) => ReturnType<typeof gaugeOn>) {
  const ready = gauge('herald_ready', '1 while /readyz says so.');
  const connected = gauge('herald_slack_connected', '1 while Slack knows Herald, and its socket is open.');
  const refused = gauge('herald_slack_refused', '1 while Slack refuses a token.');
  const replicas = gauge('herald_replicas', 'Replicas that share the pace, this one included.');
  const backup = gauge(
    'herald_backup_age_seconds',
    'Since the newest whole backup that Herald made; not where it makes none.',
  );
  const disk = gauge('herald_disk_free_bytes', 'Room on the disk of the database file; not on PostgreSQL.');
  return (health: WorkFigures, since: Since) => {
    ready({ '': Number(health.isReady) });
    connected({ '': Number(health.isSlackConnected) });
    refused({ '': Number(health.isSlackRefused) });
    replicas({ '': health.replicas });
    backup({ '': since(health.backupAt) });
    disk({ '': health.diskFreeBytes });
  };
}

/** Sets what is known, by label; of a gauge without one, the value under `''`. */
function gaugeOn(registry: Registry, name: string, help: string, label: string | undefined) {
  const labelNames = label === undefined ? [] : [label];
  const made = new Gauge<string>({ name, help, labelNames, registers: [registry] });
  // Without labels it would begin with a 0 that nobody has counted.
  if (label === undefined) made.remove();
  return (values: Readonly<Record<string, number | undefined>>) => {
    made.reset();
    if (label === undefined) made.remove();
    for (const [of, value] of Object.entries(values))
      if (value !== undefined) made.set(label === undefined ? {} : { [label]: of }, value);
  };
}
