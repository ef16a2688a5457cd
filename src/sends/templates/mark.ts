import { type Message, templateKeyOf } from '../../messages/kinds.ts';
import type { Template } from '../../messages/templates/template.ts';

/* The service goes on judging a template after it was put into the catalogue. */

/** `doubted`: a message of it was refused in a way that may be the template's fault, or that message's. */
export type TemplateStatus = 'approved' | 'paused' | 'rejected' | 'disabled' | 'doubted';

/** The last word about a template, by the service or by a person. */
export interface TemplateMark {
  readonly status: TemplateStatus;
  /** The service's own words; untrusted, empty for a person's. */
  readonly words: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * Words for what happened to a template, in small letters. Source: docs/wire.md, webhooks of templates; of chat-app cloud APIs the
 * events of `message_template_status_update`. Any other word changes nothing.
 */
const WORDS: Readonly<Record<Exclude<TemplateStatus, 'doubted'>, readonly string[]>> = {
  approved: ['approved', 'active', 'enabled', 'reinstated', 'unpaused', 'resumed'],
  paused: ['paused', 'locked', 'limit exceeded', 'flagged'],
  rejected: ['rejected', 'declined', 'not approved', 'unapproved'],
  disabled: ['disabled', 'deleted', 'pending deletion', 'archived', 'blocked', 'expired'],
};

/** Reads the status of a template out of a word of the service. */
export function statusOfWord(word: string): TemplateStatus | undefined {
  const plain = word
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, ' ')
    .trim();
  return (Object.keys(WORDS) as (keyof typeof WORDS)[]).find((status) => WORDS[status].includes(plain));
}

/** A doubt that nobody has confirmed is over by then. */
const DOUBTED_MS = 24 * 60 * 60_000;

/** A mark of which people are warned. */
export type Warning = TemplateMark & { readonly status: Exclude<TemplateStatus, 'approved'> };

/** The mark, while people are warned of it. */
export function warningOf(mark: TemplateMark | undefined, now: number): Warning | undefined {
  if (mark === undefined || mark.status === 'approved') return undefined;
  const isOver = mark.status === 'doubted' && now - mark.at > DOUBTED_MS;
  return isOver ? undefined : (mark as Warning);
}

const SAID: Readonly<Record<Warning['status'], string>> = {
  paused: 'The service has paused this template',
  rejected: 'The service has rejected this template',
  disabled: 'The service has disabled this template',
  doubted: 'The service refused a message of this template',
};

/** For forms and cards; the words in it are untrusted. */
export function markSentence({ status, words }: Warning): string {
  const quoted = words.slice(0, 200).replace(/\.$/, '');
  return `${SAID[status]}${quoted === '' ? '' : `: “${quoted}”`}. Messages of it may be refused.`;
}

interface Marked {
  mark(key: Pick<Template, 'channel' | 'name'>): Promise<TemplateMark | undefined>;
}

/** The mark of a message's template. */
export async function markFor(
  { catalogue }: { readonly catalogue: Marked },
  message: Message,
): Promise<TemplateMark | undefined> {
  const key = templateKeyOf(message);
  return key && catalogue.mark(key);
}
