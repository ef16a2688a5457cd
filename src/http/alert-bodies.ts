import { z } from 'zod';
import { fail, ok, type Result } from '../core/result.ts';
import type { Signal } from '../sends/alerts/signal.ts';

/*
 * What monitoring tools post: Alertmanager's webhook (version 4), Grafana's, which is the same with more keys, and a plain one.
 * Of what Herald does not need nothing is asked, so that a newer version is read, too. Source: docs/alerts.md.
 */

/** More than a flash SMS and a message in Slack show; what is longer is cut. */
const LONGEST_TEXT = 3_000;
const LONGEST_LINK = 2_000;

const EXPECTED =
  'Expected the webhook of Alertmanager (version 4) or of Grafana, or { "key", "title", "text"?, "severity"?, "status": "firing" or "resolved", "link"? }.';

/** Nothing is refused for what only decorates an alert. */
const text = z.string().nullish().catch(undefined);
const words = z.record(z.string(), z.unknown()).nullish().catch(undefined);
const status = z.enum(['firing', 'resolved']);

const entry = z.object({
  status,
  labels: words,
  annotations: words,
  startsAt: z.string().transform(Date.parse).pipe(z.int()),
  fingerprint: text,
  generatorURL: text,
  dashboardURL: text,
  panelURL: text,
});
const group = z.object({
  alerts: z.array(entry).min(1),
  /** Alerts of the group that Alertmanager left out, by its `max_alerts`. */
  truncatedAlerts: z.number().nullish().catch(undefined),
});
const plain = z.object({
  key: z.string().min(1),
  title: z.string().min(1),
  text,
  severity: text,
  status,
  link: text,
});

/** The signals of a body, or a sentence on what was expected and where it is otherwise. */
export function readSignals(bytes: Uint8Array): Result<readonly Signal[], string> {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return fail(`${EXPECTED} This is not JSON. Nothing was kept.`);
  }
  const isGroup = typeof body === 'object' && body !== null && 'alerts' in body;
  const read = isGroup ? group.safeParse(body) : plain.safeParse(body);
  if (!read.success) {
    const where = read.error.issues[0]?.path.join('.') || 'the whole body';
    return fail(`${EXPECTED} Otherwise here: ${where}. Nothing was kept.`);
  }
  if (!('alerts' in read.data)) return ok([signalOfPlain(read.data)]);
  const { alerts, truncatedAlerts } = read.data;
  const left = truncatedAlerts ?? 0;
  const note = left > 0 ? `${left} more alerts of this group were left out by max_alerts.` : '';
  // Any of them may be known already, and of those nothing is kept again.
  return ok(alerts.map((one) => signalOf(one, note)));
}

function signalOfPlain({ key, title, text, severity, status, link }: z.output<typeof plain>): Signal {
  const lines = [title, text, severity && `severity=${severity}`];
  return { key, status, text: linesOf(lines), ...linkOf([link]) };
}

/** @param note what whoever is notified must know besides */
function signalOf(one: z.output<typeof entry>, note: string): Signal {
  const { status, startsAt: start, fingerprint, generatorURL, dashboardURL, panelURL } = one;
  const labels = textsOf(one.labels);
  const { summary, description, message } = Object.fromEntries(textsOf(one.annotations));
  const { alertname } = Object.fromEntries(labels);
  // Without a line break, so that a pattern finds several of them in one line.
  const shown = labels.filter(([name]) => !name.startsWith('__')).map((pair) => pair.join('='));
  const lines = [summary || alertname || 'An alert without a name', note, description || message];
  return {
    // Alertmanager before 0.19 names no fingerprint.
    key: fingerprint || JSON.stringify(labels.toSorted()),
    start,
    status,
    text: linesOf([...lines, shown.join(', ')]),
    ...linkOf([panelURL, dashboardURL, generatorURL]),
  };
}

function textsOf(record: z.output<typeof words>): readonly (readonly [string, string])[] {
  return Object.entries(record ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
}

function linesOf(lines: readonly (string | null | undefined)[]): string {
  const kept = lines.flatMap((line) => line?.trim() || []);
  return kept.join('\n').slice(0, LONGEST_TEXT).toWellFormed();
}

/** The first that a browser can open. */
function linkOf(links: readonly (string | null | undefined)[]): Pick<Signal, 'link'> {
  const link = links.find((one = '') => /^https?:/.test(URL.parse(one ?? '')?.protocol ?? ''));
  return link && link.length <= LONGEST_LINK ? { link } : {};
}
