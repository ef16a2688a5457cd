import type { RegisteredTemplate } from './registered-templates.ts';

/** Sender names that the service knows, by channel; an absent list means that any is good. */
export interface RegisteredSenders {
  readonly chatapp?: readonly string[];
  readonly rcs?: readonly string[];
  readonly sms?: readonly string[];
}

/** What the carrier has been told is registered with it. */
export interface CarrierRegistry {
  /** False when no list of templates was given: then every well-formed name is good. */
  readonly checksTemplates: boolean;
  template(channel: RegisteredTemplate['channel'], name: string): RegisteredTemplate | undefined;
  knowsSender(channel: keyof RegisteredSenders, sender: string): boolean;
  /** Most recipients in one SMS request (docs/wire.md row 9). */
  readonly recipientsPerRequest: number;
}

/** docs/wire.md row 9, default. */
const RECIPIENTS_PER_REQUEST = 100;

export function createRegistry(
  templates: readonly RegisteredTemplate[] | undefined,
  senders: RegisteredSenders | undefined,
): CarrierRegistry {
  const byKey = new Map((templates ?? []).map((one) => [`${one.channel}/${one.name}`, one]));
  return {
    checksTemplates: templates !== undefined,
    recipientsPerRequest: RECIPIENTS_PER_REQUEST,
    template: (channel, name) => byKey.get(`${channel}/${name}`),
    knowsSender: (channel, sender) => senders?.[channel]?.includes(sender) ?? true,
  };
}
