import type { AddressCountry, AddressValues } from './address/fields.ts';
import type { Msisdn } from './numbers/phone-number.ts';

/** The kinds a form can make; a form's `callback_id` is the kind. */
export const MESSAGE_KINDS = ['chatapp', 'rcs', 'sms', 'flash', 'interactive', 'address'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** How an SMS is billed and filtered: transactional, promotional, one-time password (wire.md rows 9 and 10). */
export const SMS_TYPES = ['TRANS', 'PROMO', 'OTP'] as const;
export type SmsType = (typeof SMS_TYPES)[number];

/** Header media of a chat-app template (interface document, "components.header"). */
type ChatappHeader =
  | { readonly type: 'document'; readonly link: string; readonly filename: string }
  | { readonly type: 'image'; readonly link: string };

/** A chat-app template message without its recipient: wire.md rows 1, 2, 2b and 3. */
export interface ChatappMessage {
  readonly kind: 'chatapp';
  readonly variant: 'otp' | 'text' | 'document' | 'image';
  readonly from: Msisdn;
  readonly templateName: string;
  /** In template order; empty when the template has no placeholders; unused by `otp`. */
  readonly params: readonly string[];
  /** Only for `otp`. A secret: shown to nobody, written nowhere. */
  readonly otp?: string;
  readonly language?: { readonly code: string };
  readonly header?: ChatappHeader;
  readonly campaignName?: string;
}

/** An RCS message without its recipient: wire.md rows 4 to 8. */
export interface RcsMessage {
  readonly kind: 'rcs';
  readonly variant: 'plain' | 'rich' | 'variables' | 'carousel-fixed' | 'carousel-images';
  readonly templateName: string;
  readonly botId: string;
  readonly type: string;
  /** Only for `variables`, in template order. */
  readonly params?: readonly string[];
  /** Only for `carousel-images`: one publicly reachable URL a card, in card order. */
  readonly fileUrls?: readonly string[];
  readonly campaignName?: string;
}

/** An SMS without its recipients: wire.md row 9. */
export interface SmsMessage {
  readonly kind: 'sms';
  readonly sender: string;
  readonly text: string;
  readonly type: SmsType;
  /** True when the text needs UCS-2; decided by the text, never by a person. */
  readonly unicode: boolean;
  readonly campaignName?: string;
}

/** A flash SMS, shown at once and not kept by the phone: wire.md row 10. */
export interface FlashMessage {
  readonly kind: 'flash';
  readonly sender: string;
  readonly text: string;
  readonly type: SmsType;
  readonly unicode: boolean;
}

/** Where header media come from: kept by the service, or fetched by a named provider (interface document, "Media object forms"). */
export type MediaReference =
  | { readonly id: string }
  | { readonly link: string; readonly provider: { readonly name: string } };

/** What stands on top of an interactive message (interface document, "Header object"). */
export type InteractiveHeader =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'video'; readonly media: MediaReference }
  | { readonly type: 'document'; readonly media: MediaReference; readonly filename: string };

/** What the customer can tap: a reply button, or a row of a list. */
export interface Choice {
  /** Comes back by webhook when it is tapped. */
  readonly id: string;
  /** True when Herald made the id: it then names the send as soon as there is one (reply-reference.ts). */
  readonly proposed: boolean;
  readonly title: string;
  /** Rows of a list only. */
  readonly description?: string;
}

export interface ListSection {
  readonly id: string;
  readonly title?: string;
  readonly rows: readonly Choice[];
}

/** What the customer is asked to do (interface document, "action"). */
export type InteractiveAction =
  | { readonly type: 'button'; readonly buttons: readonly Choice[] }
  | { readonly type: 'list'; readonly button: string; readonly sections: readonly ListSection[] };

/** A message with a list or reply buttons, without its recipient: wire.md row 11. */
export interface InteractiveMessage {
  readonly kind: 'interactive';
  readonly from: Msisdn;
  readonly header?: InteractiveHeader;
  readonly body: string;
  readonly footer?: string;
  readonly action: InteractiveAction;
}

/** An address that the customer can pick instead of typing one. */
export interface SavedAddress {
  readonly id: string;
  readonly value: AddressValues;
}

/** A form that asks the customer for an address, without its recipient: wire.md row 12. */
export interface AddressMessage {
  readonly kind: 'address';
  readonly from: Msisdn;
  readonly country: AddressCountry;
  readonly body: string;
  /** What the form holds already; only fields of the country. */
  readonly values: AddressValues;
  readonly savedAddresses: readonly SavedAddress[];
  /** A sentence for the customer under each field that has to be corrected. */
  readonly validationErrors: AddressValues;
}

/** What is sent, without to whom. Values of this type have passed every rule of their kind. */
export type Message =
  | ChatappMessage
  | RcsMessage
  | SmsMessage
  | FlashMessage
  | InteractiveMessage
  | AddressMessage;

/** One person a message goes to. */
export interface Recipient {
  readonly number: Msisdn;
}

/** What a form parses to: a message, and the number it goes to unless the form is one for many recipients. */
export interface Draft<M extends Message = Message> {
  readonly message: M;
  readonly to: Msisdn | undefined;
}

/** What a submitted form becomes once parsed: a message and the one number it goes to. */
export interface Submission<M extends Message = Message> {
  readonly message: M;
  readonly to: Msisdn;
}

/** A rule that a submitted value broke: `path` is the form path of the input, e.g. `params.0` or `to`. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}
