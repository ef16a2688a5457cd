import type { TextOf } from '../columns.ts';
import type { Arrangeable } from '../form/arrangement.ts';
import type { Draft, FormContext, FormSchema } from '../form/form.ts';
import type { Msisdn } from '../numbers/phone-number.ts';
import type { Senders } from '../senders.ts';
import type { ServiceTerms } from '../service-terms.ts';
import type { Template } from '../templates/template.ts';

/** One fact about a message, for a card. */
export interface Fact {
  readonly label: string;
  /** Untrusted: names and texts as people typed them. */
  readonly value: string;
}

/** Media, a link or a file name that goes with a message. */
export interface Attachment extends Fact {
  /** The value is a link that the service will fetch. */
  readonly media?: { readonly type: MediaType; readonly path: string };
}

/** What a link is to lead to; `card` is the picture of an RCS card. */
export type MediaType = 'image' | 'card' | 'video' | 'document';

/** No fact where there is no value. */
export function fact(label: string, value: string | undefined): readonly Fact[] {
  return value === undefined ? [] : [{ label, value }];
}

/** A text of a message that may hold `{{column}}`, at the form path where it was typed. */
export interface PersonalField {
  readonly path: string;
  readonly text: string;
}

/** What the recipient will read, as far as the form is filled in. */
interface Preview {
  /** Untrusted text with line breaks; empty when there is nothing to show yet. */
  readonly text: string;
  /** SMS and flash SMS: parts, characters and encoding, in one line. */
  readonly segments?: string;
  /** Interactive messages: characters left in each field, in one line. */
  readonly spaceLeft?: string;
}

/** The kind's own slash command, for Slack's manifest and `help`. */
export interface OwnCommand {
  readonly description: string;
  readonly usageHint: string;
  /** Whole lines as one would type them, for `help`. */
  readonly examples: readonly string[];
  /** True when `@group text` sends to the people on call of a group, or to a saved list. */
  readonly takesGroups?: boolean;
}

/** A kind that is built in a form, by its name after the channel's command: `/chatapp interactive`. */
interface BuiltByWord {
  /** Completes "builds …" in `help`. */
  readonly builds: string;
}

/**
 * Everything that is specific to a kind of message, except for its request, which is in `gateway`. The compiler lists what a
 * new kind lacks. All functions are pure.
 */
export interface Kind<M, Channel extends string = string> {
  /** In the middle of a sentence, with its article. */
  readonly noun: string;
  /** What it is for, in a menu. Slack: at most 75 characters. */
  readonly purpose: string;
  /** Title of the form. Slack: at most 24 characters. */
  readonly title: string;
  readonly command: OwnCommand | BuiltByWord;
  /** The channel of its templates; absent for kinds without templates. Without a `textPath` it is made of one only. */
  readonly templateChannel?: Template['channel'];
  readonly senders: keyof Senders;
  /** The channel whose pace, prices and rights it shares; see `CHANNELS` in kinds.ts. */
  readonly channel: Channel;
  /** What makes a complete form of a text alone: with such a button, or none where a text may go without. */
  textValues?(button: string | undefined): Readonly<Record<string, unknown>>;
  /** What people add, remove and reorder in its form. */
  readonly parts?: Arrangeable;
  /** The field for a text with which the form is opened; absent for kinds that are made of a template only. */
  readonly textPath?: readonly string[];
  /** The path of the sender in its form. */
  readonly senderField: string;
  /** What else of its form mostly has a default, in the order of the form. */
  readonly settings: readonly string[];
  /** The paths of its form below which texts may be personal. */
  readonly personalPaths: readonly string[];

  form(context: FormContext): FormSchema<Draft<M>>;
  /** The form's values for this message, by form path: the inverse of `form`. */
  formValues(message: M): Readonly<Record<string, unknown>>;
  /** The preview for a form in any state, with missing and wrong input. Never throws. */
  preview(value: unknown, template: Template | undefined, terms?: ServiceTerms): Preview;

  /** Every text that may contain `{{column}}`; no other may. */
  personalFields(message: M): readonly PersonalField[];
  /** Parses a message once and fills it in for any number of rows; `compile` parses one text. */
  personaliser(message: M, compile: (text: string) => TextOf): (values: readonly string[]) => M;
  /** Which rule of the kind a message to this number breaks, in a sentence. Rules of all kinds are checked elsewhere. */
  rowProblem(message: M, number: Msisdn): string | undefined;

  /** At most six facts for a card, besides text and recipient and without secrets. */
  facts(message: M): readonly Fact[];
  /** All media, links and file names, complete, because approvers are responsible for them, too. */
  attachments(message: M): readonly Attachment[];
  /**
   * The message as its recipient reads it, without one-time passwords; undefined when it is unclear which part is one.
   * `template` is absent when it has left the catalogue.
   */
  text(message: M, template: Template | undefined): string | undefined;
  /** The lines of `text` that stand for buttons; absent for kinds without. */
  buttonLines?(message: M): readonly string[];
  /** The message in one short line, for dialogs and lists. Untrusted. */
  inShort(message: M, template: Template | undefined): string;
  templateName(message: M): string | undefined;

  /** Its one-time password, for removing it from answers and logs; undefined when it has no field of its own. */
  secretOf(message: M): string | undefined;
  /** The form path that decides whether it is a one-time password. */
  readonly passwordPath?: string;
  /** True when the message without its secret cannot be sent. */
  needsSecret(message: M): boolean;
  /** The message as it may be stored, shown and logged. */
  withoutSecret(message: M): M;
  /** What is left of it when retention has removed its texts and links: enough to be shown, and never sent. */
  withoutWords(message: M): M;

  /** Its type for `quietHours` of herald.yml; undefined when quiet hours never apply. */
  quietHoursType(message: M): string | undefined;
  /** SMS parts that are billed; undefined when it is billed as one message. */
  segments(message: M): number | undefined;
  /** The message whose reply ids made by Herald name this send. */
  withReplyReference(message: M, sendId: string): M;
}

export const REMOVED_WORDS = '(removed)';

/**
 * For kinds without template, one-time passwords, reply ids and rules for single rows, billed by the message and sent at any
 * hour; others say what is different.
 */
export const USUAL = {
  withReplyReference: <M>(message: M): M => message,
  rowProblem: (): undefined => undefined,
  templateName: (): undefined => undefined,
  secretOf: (): undefined => undefined,
  needsSecret: (): boolean => false,
  withoutSecret: <M>(message: M): M => message,
  quietHoursType: (): undefined => undefined,
  segments: (): undefined => undefined,
} as const;
