/**
 * The templates that the service has approved. A team's catalogue and this list are different things that can
 * disagree, which is what the codes 132000, 132001 and 131051 tell of.
 */
export type RegisteredTemplate = {
  readonly name: string;
  /** Number of placeholders; ignored by variants that take none. */
  readonly placeholders: number;
  /** Cards of a carousel whose images can be changed. */
  readonly cards?: number;
  /** Language codes it is approved in; absent or empty: any. */
  readonly languages?: readonly string[];
  /** Text with {{1}}, {{2}} …, as the phone shows it. */
  readonly text?: string;
} & (
  | { readonly channel: 'chatapp'; readonly variant: 'otp' | 'text' | 'document' | 'image' | 'video' }
  | {
      readonly channel: 'rcs';
      readonly variant: 'plain' | 'rich' | 'variables' | 'carousel-fixed' | 'carousel-images';
    }
);

/** The text as a phone shows it; without a known text, the template's name and the values. */
export function renderForPhone(
  template: RegisteredTemplate | undefined,
  templateName: string,
  values: readonly string[],
): string {
  if (template?.text === undefined) return [`[${templateName}]`, ...values].join(' ');
  return template.text.replace(/\{\{(\d+)\}\}/g, (whole, n: string) => values[Number(n) - 1] ?? whole);
}
