import type { TextOf } from '../columns.ts';
import type { Arrangeable } from '../form/arrangement.ts';
import type { FormSchema } from '../form/field.ts';
import type { FormContext } from '../form/form.ts';
import type { Msisdn } from '../numbers/phone-number.ts';
import type { Senders } from '../senders.ts';
import type { ServiceTerms } from '../service-terms.ts';
import type { Draft } from '../submission.ts';
import type { Template } from '../templates/template.ts';

/** One fact about a message, for a card. */
export interface Fact {
  readonly label: string;
  /** Untrusted: names and texts as people typed them. */
  readonly value: string;
}

/** No fact where there is no value. */
export function fact(label: string, value: string | undefined): readonly Fact[] {
  return value === undefined ? [] : [{ label, value }];
}

/** A text of a message that may hold `{{column}}`, at the form path where it was typed. */
export interface PersonalField {
  readonly path: string;
  readonly text: string;
}

/** What the recipient will read, as far as it is known. */
interface Preview {
  /** Untrusted text with line breaks; empty when there is nothing to show yet. */
  readonly text: string;
  /** SMS and flash SMS: parts, characters and encoding, in one line. */
  readonly segments?: string;
  /** Interactive messages: what each field has room for yet, in one line. */
  readonly spaceLeft?: string;
}

/** A slash command of the kind's own, as Slack's manifest and `help` say it. */
interface OwnCommand {
  readonly description: string;
  readonly usageHint: string;
  /** Whole lines as one would type them, for `help`. */
  readonly examples: readonly string[];
  /** True when `@group text` sends to whoever of an on-call group is on call, or to a saved list. */
  readonly takesGroups?: boolean;
}

/** A kind that is built out of parts, by the word of its name after its channel's command: `/chatapp interactive`. */
interface BuiltByWord {
  /** Completes "builds …" and stands as a sentence of its own in `help`. */
  readonly builds: string;
}

/**
 * Every question that anybody asks about a kind of message, so that the compiler lists what a new kind must answer.
 * How its request looks is for `gateway` to say; all else is here. Answers are pure, and read only their arguments.
 */
export interface Kind<M, Channel extends string = string> {
  /** In the middle of a sentence, with its article. */
  readonly noun: string;
  /** Title of the form. Slack: at most 24 characters. */
  readonly title: string;
  readonly command: OwnCommand | BuiltByWord;
  /** Whose templates it is made from; absent for kinds of free text. */
  readonly templateChannel?: Template['channel'];
  /** Which of the configured senders send it. */
  readonly senders: keyof Senders;
  /** The way to the customer whose pace, prices and rights it shares; see `CHANNELS` in kinds.ts. */
  readonly channel: Channel;
  /** What people add, remove and reorder in its form. */
  readonly parts?: Arrangeable;
  /** Where its form holds a text that it is begun with; absent for kinds made from templates. */
  readonly textPath?: readonly string[];
  /** The keys of its form whose texts may differ from recipient to recipient. */
  readonly personalKeys: readonly string[];

  /** Its form, which parses to a message that keeps every rule of the kind. */
  form(context: FormContext): FormSchema<Draft<M>>;
  /** What the form holds that makes this message, by form paths: the way back from `form`. */
  formValues(message: M): Readonly<Record<string, unknown>>;
  /** What a form in whatever state shows of the message: incomplete and wrong input included. Never throws. */
  preview(value: unknown, template: Template | undefined, terms?: ServiceTerms): Preview;

  /** Every text that may hold `{{column}}`: its values for the recipient, or its words themselves. */
  personalFields(message: M): readonly PersonalField[];
  /** Reads a message once and makes it for any number of rows; `compile` reads one of its texts. */
  personaliser(message: M, compile: (text: string) => TextOf): (values: readonly string[]) => M;
  /** Texts that are the same for every recipient, by form path: no `{{column}}` may stand there. */
  sameForAll(message: M): Readonly<Record<string, string | undefined>>;
  /**
   * Why a message made out of one row of a list breaks a rule of the kind, in a sentence; undefined when it keeps them.
   * Whether its texts are there and readable at all is checked for every kind alike.
   */
  rowProblem(message: M, number: Msisdn): string | undefined;

  /** What a card says besides text and recipient: at most six facts, without secrets; absent fields have none. */
  facts(message: M): readonly Fact[];
  /** All that it carries or leads to besides its text, each value whole: who approves the message answers for that, too. */
  attachments(message: M): readonly Fact[];
  /**
   * The message as its recipient reads it, without one-time passwords: undefined where nobody can be sure which part is one.
   * `template` is absent once it left the catalogue.
   */
  text(message: M, template: Template | undefined): string | undefined;
  /** The message in a few words and one line, for dialogs and lists. Untrusted. */
  inShort(message: M, template: Template | undefined): string;
  /** The name of the template that it is made from, where it is made from one. */
  templateName(message: M): string | undefined;

  /** The one-time password inside it: what answers and logs are searched for. Undefined where it is in no field of its own. */
  secretOf(message: M): string | undefined;
  /** Where its form is asked for what makes it a one-time password. */
  readonly passwordPath?: string;
  /** True when the message cannot be sent as `withoutSecret` leaves it. */
  needsSecret(message: M): boolean;
  /** The message as it may be stored, shown and logged. */
  withoutSecret(message: M): M;

  /** What quiet hours go by, as `types` in herald.yml names it; undefined for a message that they never hold back. */
  quietHoursType(message: M): string | undefined;
  /** SMS parts that the carrier bills; undefined where a message is billed as one. */
  segments(message: M): number | undefined;
  /** The message as it goes out with this send: ids that Herald made for replies name it. */
  withReplyReference(message: M, sendId: string): M;
}

/** Answers of a kind whose recipients cannot tap anything that comes back with an id. */
export const WITHOUT_REPLY_IDS = { withReplyReference: <M>(message: M): M => message } as const;
/** Answers of a kind that holds no one-time password. */
export const WITHOUT_SECRET = {
  secretOf: (): undefined => undefined,
  needsSecret: (): boolean => false,
  withoutSecret: <M>(message: M): M => message,
} as const;
/** Answers of a kind that is billed by the message and goes out at any hour: people expect it, or asked for it. */
export const ANY_HOUR = {
  quietHoursType: (): undefined => undefined,
  segments: (): undefined => undefined,
} as const;
/** Answer of a kind whose rules hold for every row once they hold for the message. */
export const NO_ROW_RULES = { rowProblem: (): undefined => undefined } as const;
