import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** A message that a link leads to. */
export interface LinkedMessage {
  channelId: string;
  ts: string;
  /** The message whose thread it is in. */
  threadTs?: string;
}

/** What a link of this workspace to a message leads to; undefined of any other link. */
export function linkedMessage(url: string, domain: string): LinkedMessage | undefined {
  if (!URL.canParse(url)) return undefined;
  const { host, pathname, searchParams } = new URL(url);
  const [, channelId, seconds, part] = /^\/archives\/(\w+)\/p(\d{10})(\d{6})$/.exec(pathname) ?? [];
  if (host !== `${domain}.slack.com` || channelId === undefined) return undefined;
  const ts = `${seconds}.${part}`;
  const threadTs = searchParams.get('thread_ts');
  return { channelId, ts, ...(threadTs !== null && threadTs !== ts && { threadTs }) };
}

/** Brings the message that was asked for into sight, and the focus to it. */
export function useLinked(area: RefObject<HTMLElement | null>, linked: LinkedMessage | undefined): void {
  useEffect(() => {
    const message = linked && area.current?.querySelector<HTMLElement>(`[data-ts="${linked.ts}"]`);
    message?.scrollIntoView();
    message?.focus({ preventScroll: true });
  }, [linked]);
}
