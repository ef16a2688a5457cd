import { reconnectDelayMs } from './reconnect-delay.ts';

/** How a stream of events stands: the page says so when it is not `open`. */
export type StreamStatus = 'connecting' | 'open' | 'reconnecting';

/**
 * Follows a server-sent stream for as long as the page lives. Each connection begins with a snapshot, so that
 * nothing needs to be remembered between two of them. The browser's own reconnecting gives up for good after
 * some answers (a 404, a wrong media type); ours does not.
 *
 * @param onEvents is given at a frame what came since the last time, in order
 * @param paceMs how much time passes at least between two of these times; 0: events come with every frame
 * @returns stops following
 */
export function followEvents<Event>(
  url: string,
  onEvents: (events: readonly Event[]) => void,
  onStatus: (status: StreamStatus) => void,
  paceMs = 0,
): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempt = 0;
  const atNextFrame = gathered(onEvents, paceMs);

  const connect = () => {
    source = new EventSource(url);
    source.onopen = () => {
      attempt = 0;
      onStatus('open');
    };
    source.onmessage = (message: MessageEvent<string>) => atNextFrame(JSON.parse(message.data) as Event);
    source.onerror = () => {
      source?.close();
      onStatus('reconnecting');
      clearTimeout(timer);
      timer = setTimeout(connect, reconnectDelayMs(attempt));
      attempt += 1;
    };
  };

  onStatus('connecting');
  connect();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}

/** Keeps events until the next frame. A page that nobody sees has no frames: what waits is given on once it is seen. */
function gathered<Event>(
  onEvents: (events: readonly Event[]) => void,
  paceMs: number,
): (event: Event) => void {
  let waiting: Event[] = [];
  let lastAt = Number.NEGATIVE_INFINITY;
  const giveOn = () => {
    const events = waiting;
    waiting = [];
    lastAt = performance.now();
    onEvents(events);
  };
  return (event) => {
    if (waiting.push(event) > 1) return;
    const restMs = lastAt + paceMs - performance.now();
    if (restMs > 0) setTimeout(() => requestAnimationFrame(giveOn), restMs);
    else requestAnimationFrame(giveOn);
  };
}
