import { z } from 'zod';
import type { CustomerReply, PhoneMessage } from '../protocol.ts';
import { FAILURE_CODES } from './failure-codes.ts';
import type { Journal } from './journal.ts';
import type { Report } from './report.ts';

/*
 * What customers do on their phones, told to Herald as a messaging service would tell it. The interface document shows no
 * shape of a webhook and promises a clicked button's `reply.id` only: that alone can be told, or the shape that other
 * publishers of the same message type use.
 */

/** Why a phone did not get what it was to get, where the sandbox is told to let that happen. */
const FAILED_CODE = 131000;

const title = z.string().min(1);
export const replySchema: z.ZodType<CustomerReply> = z.strictObject({
  number: z.string().regex(/^\+\d{8,15}$/),
  messageId: z.string().exactOptional(),
  answer: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('text'), text: z.string().min(1) }),
    z.strictObject({
      type: z.literal('button'),
      id: z.string(),
      title,
      tells: z.enum(['id', 'flat_id']).exactOptional(),
    }),
    z.strictObject({
      type: z.literal('list'),
      id: z.string(),
      title,
      description: z.string().exactOptional(),
    }),
    z.strictObject({ type: z.literal('address'), values: z.record(z.string(), z.string()) }),
    z.strictObject({
      type: z.literal('report'),
      status: z.enum(['sent', 'delivered', 'read', 'failed']),
      code: z.int().exactOptional(),
    }),
  ]),
});

export interface ReplyParts {
  readonly journal: Journal;
  /** Herald's address for webhooks; absent: nobody is told. */
  readonly webhookUrl: string | undefined;
  now(): number;
}

export type ReplyResult = { readonly ok: true } | { readonly ok: false; readonly error: string };

/** Shows the answer on the phone and tells Herald. A Herald that does not take it is an outcome. */
export async function reply(wish: CustomerReply, parts: ReplyParts): Promise<ReplyResult> {
  const { journal, webhookUrl, now } = parts;
  const answered = journal.find(wish.number, wish.messageId);
  if (wish.messageId !== undefined && answered === undefined)
    return { ok: false, error: 'There is no such message on this phone.' };
  const id = journal.nextReplyId();
  const shown = shownText(wish);
  if (shown !== undefined) {
    const { channel: on = 'chatapp', from = '' } = answered ?? {};
    const channel = on === 'flash' ? 'sms' : on;
    journal.put({ id, at: now(), number: wish.number, channel, from, text: shown, outgoing: true });
  }
  if (webhookUrl === undefined)
    return { ok: false, error: 'This carrier knows no address to tell Herald at.' };
  return post(webhookUrl, webhookBody(wish, id, answered, now()));
}

/** Tells Herald what the network reports of messages. */
export async function tellReports(url: string, reports: readonly Report[], now: number): Promise<void> {
  const statuses = reports.map(({ id, number, status }) =>
    statusBody(id, number, status, now, status === 'failed' ? FAILED_CODE : undefined),
  );
  await post(url, { statuses });
}

async function post(url: string, body: object): Promise<ReplyResult> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    await response.arrayBuffer();
    return response.ok ? { ok: true } : { ok: false, error: `Herald answered ${response.status}.` };
  } catch {
    return { ok: false, error: 'Herald does not answer.' };
  }
}

function shownText({ answer }: CustomerReply): string | undefined {
  switch (answer.type) {
    case 'text':
      return answer.text;
    case 'button':
    case 'list':
      return answer.title;
    case 'address':
      return Object.values(answer.values).join('\n');
    case 'report':
      return undefined;
  }
}

function webhookBody(
  { number, answer }: CustomerReply,
  id: string,
  answered: PhoneMessage | undefined,
  now: number,
): object {
  const customer = number.slice(1);
  const timestamp = secondsOf(now);
  if (answer.type === 'report')
    return { statuses: [statusBody(answered?.id, number, answer.status, now, answer.code)] };
  if (answer.type === 'button' && answer.tells === 'id') return { reply: { id: answer.id } };
  if (answer.type === 'button' && answer.tells === 'flat_id') return { 'reply.id': answer.id };
  // Nothing answers a flash message but an SMS to its sender, which knows of no message before it.
  const context =
    answered === undefined || answered.channel === 'flash'
      ? {}
      : { context: { from: answered.from, id: answered.id } };
  const message = { from: customer, id, timestamp, ...context, ...content(answer) };
  return { contacts: [{ wa_id: customer }], messages: [message] };
}

function secondsOf(now: number): string {
  return String(Math.floor(now / 1_000));
}

function statusBody(
  id: string | undefined,
  number: string,
  status: string,
  now: number,
  code: number | undefined,
): object {
  const errors = code === undefined ? {} : { errors: [reportedError(code)] };
  return { id, status, timestamp: secondsOf(now), recipient_id: number.slice(1), ...errors };
}

function reportedError(code: number): object {
  const known = FAILURE_CODES[code];
  if (known === undefined) return { code };
  const { description, details } = known;
  return { code, title: description, message: description, error_data: { details } };
}

function content(answer: Exclude<CustomerReply['answer'], { type: 'report' }>): object {
  switch (answer.type) {
    case 'text':
      return { type: 'text', text: { body: answer.text } };
    case 'button': {
      const { type: _, tells: _all, ...button } = answer;
      return { type: 'interactive', interactive: { type: 'button_reply', button_reply: button } };
    }
    case 'list': {
      const { type: _, ...row } = answer;
      return { type: 'interactive', interactive: { type: 'list_reply', list_reply: row } };
    }
    case 'address': {
      const form = { name: 'address_message', response_json: JSON.stringify({ values: answer.values }) };
      return { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: form } };
    }
  }
}
