/*
 * Contract sketch for the first build: the schema is filled in by messages/, the names are fixed.
 */
export const TEMPLATE_VARIANTS = {
  chatapp: ['otp', 'text', 'document', 'image'],
  rcs: ['plain', 'rich', 'variables', 'carousel-fixed', 'carousel-images'],
} as const;

export interface Placeholder {
  readonly name: string;
  readonly example?: string | undefined;
  /** True when an empty value is allowed. */
  readonly optional?: boolean | undefined;
}

/** A message template registered with the service, as the team's catalogue knows it. */
export type Template = {
  readonly name: string;
  readonly label: string;
  readonly languages: readonly string[];
  readonly placeholders: readonly Placeholder[];
  /** Sample text with {{1}}, {{2}} …; absent when nobody wrote it down. */
  readonly text?: string | undefined;
  /** Cards of a carousel; 0 for every other variant. */
  readonly cards: number;
} & (
  | { readonly channel: 'chatapp'; readonly variant: (typeof TEMPLATE_VARIANTS)['chatapp'][number] }
  | { readonly channel: 'rcs'; readonly variant: (typeof TEMPLATE_VARIANTS)['rcs'][number] }
);
