import { reconnectDelayMs } from './reconnect-delay.ts';

/** How a stream of events stands: the page says so when it is not `open`. */
export type StreamStatus = 'connecting' | 'open' | 'reconnecting';

/**
 * Follows a server-sent stream for as long as the page lives. Each connection begins with a snapshot, so that
 * nothing needs to be remembered between two of them. The browser's own reconnecting gives up for good after
 * some answers (a 404, a wrong media type); ours does not.
 *
 * @returns stops following
 */
export function followEvents<Event>(
  url: string,
  onEvent: (event: Event) => void,
  onStatus: (status: StreamStatus) => void,
): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempt = 0;

  const connect = () => {
    source = new EventSource(url);
    source.onopen = () => {
      attempt = 0;
      onStatus('open');
    };
    source.onmessage = (message: MessageEvent<string>) => onEvent(JSON.parse(message.data) as Event);
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
