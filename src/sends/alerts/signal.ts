import { hash } from 'node:crypto';
import type { Announcement } from '../send.ts';
import type { Alert, AlertEvent } from './alert.ts';
import type { AlertStore } from './ports.ts';

/*
 * Monitoring tools report signals to Herald directly; docs/alerts.md. An alert event is a message in Slack or such a signal. Herald
 * posts the message of a signal itself, so that it is known by its source, its key and its start, and not by a place in Slack.
 */

/** A plain signal that names no start, and is repeated within this time of its first, is the same one unless it was resolved. */
const SAME_MS = 12 * 60 * 60_000;

/** One alert of a monitoring tool, as it reports it at a moment. */
export interface Signal {
  /** The same for all reports of an alert. */
  readonly key: string;
  /** When it began to fire, in milliseconds since the epoch, by the tool’s clock; absent where the tool does not say. */
  readonly start?: number;
  readonly status: 'firing' | 'resolved';
  /** Its title in the first line. */
  readonly text: string;
  /** An http(s) address where it is looked into. */
  readonly link?: string;
}

/** A source of signals of one tool, by `alerts.sources` of herald.yml. */
export interface AlertSource {
  readonly name: string;
  /** Their messages are posted here, and its rules look at them. */
  readonly channel: string;
}

/** An event's `ts` is this when a signal made it: `H`, a hash of source and key, `.`, and the start. */
const OF_SIGNAL = /^H[0-9a-f]{24}\./;

/** True for the `ts` of what Herald posts itself; its place in Slack is known once it stands there. */
export function isOfSignal(ts: string): boolean {
  return OF_SIGNAL.test(ts);
}

/** The beginning of `ts` that all signals of a source and a key share. */
export function threadOfKey(source: AlertSource, key: string): string {
  return `H${hash('sha256', JSON.stringify([source.name, key])).slice(0, 24)}.`;
}

/**
 * The events that a signal makes: one. When it is over, so is every earlier start of its key: not each end is reported, and
 * Grafana may name another start then, which does not fire any more either.
 *
 * @param lasts the last event of each message of the same source and key, newest first
 */
export function eventsOfSignal(signal: Signal, of: AlertSource, lasts: readonly AlertEvent[], at: number) {
  const own = eventOfSignal(signal, of, signal.start === undefined ? lasts[0] : undefined, at);
  const { status, start = Number.POSITIVE_INFINITY } = signal;
  const open = lasts.filter(({ kind, ts }) => kind !== 'resolved' && Number(ts.split('.')[1]) <= start);
  if (status === 'firing' || open.length === 0) return [own];
  const others = open.filter(({ ts }) => ts !== own.ts).map((one) => eventOfSignal(signal, of, one, at));
  return [...others, others.length < open.length ? own : { ...own, isHidden: true as const }];
}

/**
 * The event that a signal makes. A report and its repetitions make one with the same id, which the store keeps once; a start
 * that was resolved does not fire again.
 *
 * @param last the event of the same source and key in whose message this one may belong
 */
export function eventOfSignal(
  { key, start, status, text, link }: Signal,
  source: AlertSource,
  last: AlertEvent | undefined,
  receivedAt: number,
): AlertEvent {
  const isOver = status === 'resolved';
  const isSame = isOver || (last?.kind !== 'resolved' && receivedAt - (last?.receivedAt ?? 0) < SAME_MS);
  const ts = last && isSame ? last.ts : `${threadOfKey(source, key)}${start ?? receivedAt}`;
  return {
    eventId: `${ts}:${status}`,
    kind: isOver ? 'resolved' : 'posted',
    channelId: source.channel,
    ts,
    // A report that it fires, when it is known to be over, is late and overtaken.
    eventTs: isOver ? '2' : '1',
    author: { source: source.name },
    key: `${source.name}\u001f${key}`,
    text,
    ...(link !== undefined && { link }),
    // A tool that could not reach Herald reports what fires still.
    saidAt: receivedAt,
    receivedAt,
  };
}

/** Finds the message of an alert, in whose thread all about it belongs; see `AlertStore.message`. */
export async function messagePlace(
  { channelId, ts, threadTs = ts }: Pick<Alert, 'channelId' | 'ts'> & { readonly threadTs?: string },
  store: Pick<AlertStore, 'message'>,
): Promise<(Announcement & { readonly threadTs: string }) | 'waiting' | 'nowhere'> {
  if (!isOfSignal(ts)) return { channelId, ts, threadTs };
  const { place } = await store.message(channelId, ts);
  return typeof place === 'string' ? place : { ...place, threadTs: place.ts };
}
