import type { Msisdn } from '../numbers/phone-number.ts';

/** Header media: stored by the service, or fetched by a provider (interface document, "Media object forms"). */
export type MediaReference =
  | { readonly id: string }
  | { readonly link: string; readonly provider?: { readonly name: string } };

/** Interface document, "Header object". */
export type InteractiveHeader =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'video'; readonly media: MediaReference }
  | { readonly type: 'document'; readonly media: MediaReference; readonly filename: string };

/** What a message shows around whatever it asks for (interface document, "Interactive object"). */
export interface Frame {
  readonly header?: InteractiveHeader;
  readonly body: string;
  readonly footer?: string;
}

/** A reply button, or a row of a list. */
export interface Choice {
  /** Comes back by webhook when it is tapped. */
  readonly id: string;
  /** True when Herald made the id, which then names the send (reply-ids.ts). */
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

/** Interface document, "action". */
export type InteractiveAction =
  | { readonly type: 'button'; readonly buttons: readonly Choice[] }
  | { readonly type: 'list'; readonly button: string; readonly sections: readonly ListSection[] };

/** A message with a list or reply buttons, without its recipient: docs/wire.md row 11. */
export interface InteractiveMessage extends Frame {
  readonly kind: 'interactive';
  readonly from: Msisdn;
  readonly action: InteractiveAction;
  readonly campaignName?: string;
}
