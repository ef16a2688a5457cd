import type { Workspace } from '../../../sandbox/slack/server.ts';
import { APP_TOKEN, BOT_TOKEN } from './test-workspace.ts';

export type Answer = Record<string, unknown> & { ok: boolean; error?: string };

/** How Slack refuses something. */
export const no = (error: string) => ({ ok: false, error });

/** Calls a Web API method the way Slack's own clients do: a form whose structures are JSON. */
export async function call(
  workspace: Workspace,
  method: string,
  args: Record<string, unknown> = {},
  token: string | null = BOT_TOKEN,
): Promise<Answer> {
  const fields = Object.entries(args).map(([key, value]) => [
    key,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const response = await fetch(`${workspace.apiUrl}${method}`, {
    method: 'POST',
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    body: new URLSearchParams(fields as [string, string][]),
  });
  return (await response.json()) as Answer;
}

export interface Envelope {
  envelope_id: string;
  type: string;
  accepts_response_payload: boolean;
  retry_attempt?: number;
  retry_reason?: string;
  payload: Record<string, unknown> & { type?: string; event?: { type: string }; trigger_id?: string };
}

/**
 * A bare Socket Mode client that answers each envelope with what `answer` says, by default with nothing in it; undefined: no
 * acknowledgement. It is closed with its workspace, if not before.
 */
export async function openSocket(
  workspace: Workspace,
  answer: (envelope: Envelope) => unknown = () => ({}),
): Promise<{ envelopes: Envelope[]; control: unknown[]; close(): void }> {
  const opened = await call(workspace, 'apps.connections.open', {}, APP_TOKEN);
  const socket = new WebSocket(String(opened.url));
  const envelopes: Envelope[] = [];
  const control: unknown[] = [];
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('error', () => reject(new Error('The socket was refused.')));
    socket.addEventListener('message', (event) => {
      const message = JSON.parse(String(event.data)) as Envelope;
      if (message.envelope_id === undefined) {
        control.push(message);
        if (message.type === 'hello') resolve();
        return;
      }
      envelopes.push(message);
      const payload = answer(message);
      if (payload === undefined) return;
      socket.send(JSON.stringify({ envelope_id: message.envelope_id, payload }));
    });
  });
  return { envelopes, control, close: () => socket.close() };
}
