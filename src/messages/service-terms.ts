import { ADDRESS_FIELDS, type AddressTable } from './address/message.ts';
import type { ChatappTemplate } from './templates/template.ts';

/** What a message may go without, and a request has a place for or not. */
type OptionalValue = 'language' | 'campaignName' | 'header' | 'footer';
export type TermsOf = ChatappTemplate['variant'] | 'interactive' | 'address';

/** What the service takes, as `wire:` of herald.yml has it: forms ask for nothing that would not be sent. */
export interface ServiceTerms {
  /** Whether requests of a chat-app template of this variant, or of this kind, carry such a value. */
  takes(request: TermsOf, value: OptionalValue): boolean;
  /** Whether the account has a request for a text without buttons. */
  readonly plainText?: boolean;
  /** Which fields an address has in which country. */
  readonly addressFields: AddressTable;
}

/** Where `wire:` says nothing: the interface document has a language for one-time passwords only. */
export const DEFAULT_TERMS: ServiceTerms = {
  takes: (request, value) => value !== 'language' || request === 'otp',
  addressFields: ADDRESS_FIELDS,
};
