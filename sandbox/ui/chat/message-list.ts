import type { RefObject, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SandboxMessage } from '../../protocol.ts';
import { useWorkspace, type Workspace } from '../context.ts';
import { html } from '../html.ts';
import type { LinkedMessage } from '../message-link.ts';
import { dateOfTs, dayKey, dayLabel } from '../time.ts';
import type { threadsOf } from '../workspace-state.ts';
import { MessageRow, senderOf } from './message.ts';

/** Drawn at first, and added by each "Show earlier messages". */
const PAGE_SIZE = 100;
/** A sender who goes on within this time is not introduced again. */
const CONTINUED_WITHIN_MS = 5 * 60_000;

export function MessageList({
  messages,
  threads,
  label,
  empty,
  linked,
  onOpenThread,
}: {
  messages: SandboxMessage[];
  threads: ReturnType<typeof threadsOf>;
  label: string;
  empty: VNode;
  linked: LinkedMessage | undefined;
  onOpenThread: (ts: string) => void;
}): VNode {
  const workspace = useWorkspace();
  const [limit, setLimit] = useState(PAGE_SIZE);
  const list = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const linkedAt = messages.findIndex(({ ts }) => ts === (linked?.threadTs ?? linked?.ts));
  const shown = messages.slice(-Math.max(limit, linkedAt === -1 ? 0 : messages.length - linkedAt));
  const { behind, toEnd, onScroll } = useStickToEnd(list, content, messages.at(-1)?.ts ?? '');

  return html`<div class="message-list-frame">
    <div class="message-list" role="log" aria-label=${label} tabindex="0" ref=${list} onScroll=${onScroll}>
      <div class="message-list-content" ref=${content}>
        ${
          messages.length > shown.length &&
          html`<button type="button" class="button earlier"
          onClick=${() => setLimit(limit + PAGE_SIZE)}>Show earlier messages</button>`
        }
        ${messages.length === 0 && empty}
        ${shown.map((message, index) => {
          const { newDay, continued } = following(message, shown[index - 1], workspace);
          const thread = threads.get(message.ts);
          const row = html`<${MessageRow} key=${message.ts} message=${message} continued=${continued}
            replies=${thread?.count} lastReplyTs=${thread?.lastTs} onOpenThread=${onOpenThread}
            marked=${message.ts === linked?.ts} />`;
          return newDay ? [dayLine(message, workspace.me.tz), row] : [row];
        })}
      </div>
    </div>
    ${behind && html`<button type="button" class="new-messages" onClick=${toEnd}>New messages ↓</button>`}
  </div>`;
}

/** How a message stands to the one before it. */
function following(
  message: SandboxMessage,
  before: SandboxMessage | undefined,
  workspace: Workspace,
): { newDay: boolean; continued: boolean } {
  const { tz } = workspace.me;
  const date = dateOfTs(message.ts);
  const newDay = !before || dayKey(dateOfTs(before.ts), tz) !== dayKey(date, tz);
  const continued =
    !newDay &&
    senderOf(before, workspace).key === senderOf(message, workspace).key &&
    before.ephemeralFor === undefined &&
    message.ephemeralFor === undefined &&
    date.getTime() - dateOfTs(before.ts).getTime() < CONTINUED_WITHIN_MS;
  return { newDay, continued };
}

function dayLine({ ts }: SandboxMessage, tz: string): VNode {
  return html`<div class="day" key=${`day-${ts}`}><span>${dayLabel(dateOfTs(ts), tz, new Date())}</span></div>`;
}

/** Less than this from the end counts as being there. */
const NEAR_END_PX = 60;

/**
 * Stays at the end while the person is there, whatever grows: new messages, edits, pictures that load. A person
 * who has scrolled away is told that something new came.
 */
function useStickToEnd(
  list: RefObject<HTMLDivElement | null>,
  content: RefObject<HTMLDivElement | null>,
  lastTs: string,
): { behind: boolean; toEnd: () => void; onScroll: () => void } {
  const atEnd = useRef(true);
  const [behind, setBehind] = useState(false);
  const toEnd = () => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  };
  useLayoutEffect(() => {
    if (atEnd.current) toEnd();
    else setBehind(true);
  }, [lastTs]);
  useEffect(() => {
    const observer = new ResizeObserver(() => atEnd.current && toEnd());
    for (const element of [list.current, content.current]) if (element) observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const onScroll = () => {
    const area = list.current;
    if (!area) return;
    atEnd.current = area.scrollHeight - area.scrollTop - area.clientHeight < NEAR_END_PX;
    if (atEnd.current) setBehind(false);
  };
  return { behind, toEnd, onScroll };
}
