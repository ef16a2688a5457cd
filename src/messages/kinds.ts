import type { z } from 'zod';
import { fail, ok, type Result } from '../core/result.ts';
import { addressForm } from './address/form.ts';
import { ADDRESS_PARTS } from './address/structure.ts';
import { bulkIssues } from './bulk-rules.ts';
import type { Arrangeable } from './form/arrangement.ts';
import type { FormSchema } from './form/field.ts';
import type { FormContext } from './form/form.ts';
import { interactiveForm } from './interactive/form.ts';
import { INTERACTIVE_PARTS } from './interactive/structure.ts';
import { chatappForm } from './kinds/chatapp.ts';
import { flashForm } from './kinds/flash.ts';
import { rcsForm } from './kinds/rcs.ts';
import { smsForm } from './kinds/sms.ts';
import type { Draft, Issue, Message, MessageKind, Submission } from './message.ts';
import type { Senders } from './senders.ts';
import type { Template } from './templates/template.ts';

/** A way to the customer that is paced, priced and granted as one. */
export type Channel = 'chatapp' | 'rcs' | 'sms' | 'flash';

/** All that differs between the kinds before a message is made; a new kind is a new row. */
export interface Kind {
  /** In the middle of a sentence, with its article. */
  readonly noun: string;
  /** Title of the form. Slack: at most 24 characters. */
  readonly title: string;
  /** Whose templates it is made from; absent for kinds of free text. */
  readonly templateChannel?: Template['channel'];
  /** Which of the configured senders send it. */
  readonly senders: keyof Senders;
  /** Whose pace, prices and rights it shares; every kind of the chat app goes out through the same account. */
  readonly channel: Channel;
  /** What people add, remove and reorder in its form. */
  readonly parts?: Arrangeable;
  form(context: FormContext): FormSchema<Draft>;
}

export const KINDS: Readonly<Record<MessageKind, Kind>> = {
  chatapp: {
    noun: 'a chat-app message',
    title: 'Chat-app message',
    templateChannel: 'chatapp',
    senders: 'chatapp',
    channel: 'chatapp',
    form: chatappForm,
  },
  rcs: {
    noun: 'an RCS message',
    title: 'RCS message',
    templateChannel: 'rcs',
    senders: 'rcs',
    channel: 'rcs',
    form: rcsForm,
  },
  sms: { noun: 'an SMS', title: 'SMS', senders: 'sms', channel: 'sms', form: smsForm },
  flash: { noun: 'a flash SMS', title: 'Flash SMS', senders: 'sms', channel: 'flash', form: flashForm },
  interactive: {
    noun: 'an interactive message',
    title: 'Interactive message',
    senders: 'chatapp',
    channel: 'chatapp',
    parts: INTERACTIVE_PARTS,
    form: interactiveForm,
  },
  address: {
    noun: 'an address message',
    title: 'Address message',
    senders: 'chatapp',
    channel: 'chatapp',
    parts: ADDRESS_PARTS,
    form: addressForm,
  },
};

/** Why a kind cannot be used with these senders, in a sentence; undefined when it can. */
export function whyUnusable(kind: MessageKind, senders: Senders): string | undefined {
  const { noun, senders: needed } = KINDS[kind];
  if (senders[needed].length > 0) return undefined;
  return `No sender is configured that could send ${noun}. Ask whoever runs Herald to add one under senders.${needed} in herald.yml.`;
}

/**
 * Parses what was typed into a form, once, into a message that keeps every rule of its kind and the one number
 * it goes to. The error has one issue a broken rule, at the path of its field; a key that the form does not have is
 * reported at that key.
 */
export function parseSubmission(
  kind: MessageKind,
  context: FormContext,
  value: unknown,
): Result<Submission, readonly Issue[]> {
  const parsed = KINDS[kind].form({ ...context, held: value }).safeParse(value);
  if (!parsed.success) return fail(issuesOf(parsed.error));
  const { message, to } = parsed.data;
  return to === undefined
    ? fail([{ path: 'to', message: 'Enter the phone number of the recipient.' }])
    : ok({ message, to });
}

/**
 * Parses a form for many recipients: all but to whom, so `value` has no `to`. Values for the recipient may hold
 * `{{column}}`; anything else is the same for everyone and must not. One-time passwords are for one person only.
 *
 * @param columns of the list, where it is known: every column that a value names must be one of them
 */
export function parseBulkMessage(
  kind: MessageKind,
  context: FormContext & { readonly recipients: NonNullable<FormContext['recipients']> },
  value: unknown,
  columns?: readonly string[],
): Result<Message, readonly Issue[]> {
  const parsed = KINDS[kind].form({ ...context, held: value }).safeParse(value);
  if (!parsed.success) return fail(issuesOf(parsed.error));
  const { message } = parsed.data;
  const issues = bulkIssues(message, columns);
  return issues.length === 0 ? ok(message) : fail(issues);
}

function issuesOf(error: z.ZodError): readonly Issue[] {
  return error.issues.flatMap((issue): Issue[] => {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [undefined];
    return keys.map((key) => ({
      path: [...issue.path, ...(key === undefined ? [] : [key])].join('.'),
      message: issue.message,
    }));
  });
}
